"""A message written as RFC 822 from what an export holds of it: fields, texts, files.

All formats arrive at the parser as RFC 822 messages, so that there is one parser. An export without such a message
(Outlook's, JSON, CSV) is written as one here, as plainly as the parser can read it: header values and texts as UTF-8.
The standard library's generator is not used, since it draws boundaries at random (the same mail must give the same
bytes each time it is read) and refuses header values that real exports hold.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from mimetypes import MimeTypes

from ingest.charsets import clean

Person = tuple[str, str]  # name and address, one of them may be ""

# the standard library's own table: the system's would make the result depend on the machine
_TYPES = MimeTypes()
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"[!-9;-~]{1,76}\Z")
_TYPE = re.compile(r"[\w.+-]{1,63}/[\w.+-]{1,63}\Z")
_FIELD = re.compile(r"^([!-9;-~]{1,100})[ \t]*:.*(?:\n[ \t]+.*)*\n?", re.M)
# describe parts that the export no longer has
_OF_THE_BODY = frozenset("mime-version content-type content-transfer-encoding content-disposition content-length "
                         "content-id content-description content-class".split())  # fmt: skip


@dataclass(slots=True)
class File:
    """An attached file; ``message`` when its content is an RFC 822 message."""

    name: str
    type: str
    content: bytes
    content_id: str = ""
    message: bool = False


@dataclass(slots=True)
class Fields:
    """What is known of a message; everything may be empty. ``head`` is a transport head as it was received: its fields
    are kept and only those it lacks are added. Recipients are header text or (name, address) pairs. ``other`` are
    further header fields, ``entity`` is a MIME entity that stands in place of texts and files."""

    head: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: str = ""
    thread_index: str = ""
    date: str | datetime = ""
    sender: list[str | Person] = field(default_factory=list)
    to: list[str | Person] = field(default_factory=list)
    cc: list[str | Person] = field(default_factory=list)
    bcc: list[str | Person] = field(default_factory=list)
    reply_to: list[str | Person] = field(default_factory=list)
    subject: str = ""
    text: str = ""
    html: str = ""
    calendar: str = ""
    files: list[File] = field(default_factory=list)
    other: list[tuple[str, str]] = field(default_factory=list)
    entity: bytes = b""

    def is_empty(self) -> bool:
        """Whether there is nothing of a message in it."""
        words = (self.head, self.message_id, self.subject, self.text, self.html, self.calendar)
        return not (any(word.strip() for word in words) or self.sender or self.to or self.files)


def rebuild(fields: Fields) -> bytes:
    """The RFC 822 message; equal for equal fields."""
    date = fields.date if isinstance(fields.date, str) else format_datetime(fields.date)
    told = [
        ("Message-ID", _id(fields.message_id)),
        ("Date", date),
        ("From", _people(fields.sender)),
        ("Reply-To", _people(fields.reply_to)),
        ("To", _people(fields.to)),
        ("Cc", _people(fields.cc)),
        ("Bcc", _people(fields.bcc)),
        ("Subject", fields.subject),
        ("In-Reply-To", fields.in_reply_to),
        ("References", fields.references),
        ("Thread-Index", fields.thread_index),
        *fields.other,
    ]
    kept, names = _kept(fields.head)
    lines = [kept] if kept else []
    for name, value in told:
        value = _SPACE.sub(" ", clean(value)).strip()
        if value and name.lower() not in names and _NAME.match(name):
            lines.append(f"{name}: {value}\n")
    lines.append("MIME-Version: 1.0\n")
    return "".join(lines).encode("utf-8", "replace") + _body(fields)


def _body(fields: Fields) -> bytes:
    if fields.entity:
        return fields.entity.lstrip()
    forms = [
        _part(f"text/{kind}; charset=utf-8", "", text.replace("\r\n", "\n").encode("utf-8", "replace"))
        for kind, text in (("plain", fields.text), ("html", fields.html), ("calendar", fields.calendar))
        if text
    ]
    if not forms:
        forms = [_part("text/plain; charset=utf-8", "", b"")]
    text = forms[0] if len(forms) == 1 else _multipart("alternative", forms)
    if not fields.files:
        return text
    return _multipart("mixed", [text, *(_file(file) for file in fields.files)])


def _file(file: File) -> bytes:
    name = _SPACE.sub(" ", clean(file.name)).strip().replace("\\", "\\\\").replace('"', '\\"')
    more = f'Content-Disposition: attachment; filename="{name}"\n' if name else "Content-Disposition: attachment\n"
    if file.content_id:
        more += f"Content-ID: <{_SPACE.sub('', clean(file.content_id)).strip('<>')}>\n"
    if file.message:
        return _part("message/rfc822", more, file.content)
    type_ = file.type if _TYPE.match(file.type) and not file.type.startswith(("multipart/", "message/")) else ""
    if not type_ and not file.type:
        type_ = _TYPES.guess_type(file.name)[0] or ""
    more += "Content-Transfer-Encoding: base64\n"
    return _part(type_ or "application/octet-stream", more, base64.encodebytes(file.content))


def _part(type_: str, more: str, content: bytes) -> bytes:
    return f"Content-Type: {type_}\n{more}\n".encode("utf-8", "replace") + content


def _multipart(kind: str, parts: list[bytes]) -> bytes:
    boundary = hashlib.sha256(b"\x00".join(parts)).hexdigest()[:32]
    opening = b"--" + boundary.encode() + b"\n"
    pieces = [b"Content-Type: multipart/%s; boundary=%s\n\n" % (kind.encode(), boundary.encode())]
    for part in parts:
        pieces += [opening, part, b"\n"]
    return b"".join([*pieces, opening[:-1] + b"--\n"])


def _kept(head: str) -> tuple[str, set[str]]:
    """The fields of a transport head, without those that describe its body, and their names."""
    kept: list[str] = []
    names: set[str] = set()
    for match in _FIELD.finditer(clean(head).replace("\r\n", "\n").replace("\r", "\n")):
        name = match[1].lower()
        if name not in _OF_THE_BODY:
            kept.append(match[0] if match[0].endswith("\n") else match[0] + "\n")
            if match[0].partition(":")[2].strip():
                names.add(name)
    return "".join(kept), names


def _people(people: list[str | Person]) -> str:
    return ", ".join(person if isinstance(person, str) else _person(*person) for person in people)


def _person(name: str, address: str) -> str:
    name = name.strip().replace("\\", "\\\\").replace('"', '\\"')
    address = address.strip().strip("<>").replace("<", "").replace(">", "")
    return f'"{name}" <{address}>' if name else f"<{address}>" if address else ""


def _id(message_id: str) -> str:
    bare = message_id.strip()
    return f"<{bare}>" if bare and "<" not in bare else bare
