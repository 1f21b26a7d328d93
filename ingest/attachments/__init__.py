"""What attachments say: their text, so that it can be searched and cited like that of a message.

The kind is told by content first, since names and types lie. Everything is bounded (``limits``), and what became of
each attachment is kept: read, cut, without text, of a kind that is not read, or not readable, each with its reason.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace

from ingest import charsets
from ingest.attachments.limits import (
    MAX_BYTES,
    MAX_SECONDS,
    MAX_SECONDS_MESSAGE,
    Collected,
    Unread,
    within,
)
from ingest.attachments.message import read_message, read_outlook_message
from ingest.attachments.office import read_office
from ingest.attachments.pdf import read_pdf
from ingest.calendar import invitation_text
from ingest.heads import is_head
from ingest.html_text import html_to_text
from ingest.rtf import read_rtf
from ingest.types import AttachmentInfo, AttachmentState

Reader = Callable[[bytes, Collected], None]

_TEXT_ENDINGS = re.compile(
    r"\.(?:txt|text|csv|tsv|md|log|ini|cfg|json|xml|yaml|yml|tex|ics|vcf|htm|html|py|sql|sh|c|h|java|js)\Z", re.I
)
_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S)
_MEDIA = {"image": "a picture", "audio": "sound", "video": "a film", "font": "a font"}
_MAGIC = ((b"\x89PNG", "a picture"), (b"\xff\xd8\xff", "a picture"), (b"GIF8", "a picture"), (b"BM", "a picture"),
          (b"\x1f\x8b", "a compressed file"), (b"MZ", "a program"), (b"\x7fELF", "a program"))  # fmt: skip
_SIGNATURES = ("pkcs7-signature", "pgp-signature", "pgp-keys", "pkcs7-mime")
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\n[ \n]*\n")

# the same file is often attached to many messages
_REMEMBERED = 256
_done: OrderedDict[bytes, tuple[str, AttachmentState, str]] = OrderedDict()


def with_text(attachments: Sequence[AttachmentInfo], contents: Sequence[bytes]) -> tuple[AttachmentInfo, ...]:
    """The attachments of one message with their text, state and reason. ``contents`` are their bytes (see Body),
    in order."""
    started = time.monotonic()
    found = []
    for attachment, content in zip(attachments, contents, strict=True):
        if attachment.state:
            # too large to be here whole: of a picture there is nothing to read anyway
            reader, what = _reader(attachment.name.lower(), attachment.type, content)
            found.append(attachment if reader else replace(attachment, state="skipped", detail=what))
            continue
        known = _done.get(attachment.sha256)
        if known is None:
            left = MAX_SECONDS_MESSAGE - (time.monotonic() - started)
            known = read_text(attachment.name, attachment.type, content, min(MAX_SECONDS, left), attachment.bytes)
            _done[attachment.sha256] = known
            if len(_done) > _REMEMBERED:
                _done.popitem(last=False)
        text, state, detail = known
        found.append(replace(attachment, text=text, state=state, detail=detail))
    return tuple(found)


def read_text(
    name: str, type_: str, content: bytes, seconds: float = MAX_SECONDS, size: int = 0
) -> tuple[str, AttachmentState, str]:
    """Text, state and reason of one attachment. ``size``: its bytes, where ``content`` is only their beginning. Never
    raises."""
    into = Collected()
    try:
        if not content:
            raise Unread("it has no bytes here")
        reader, what = _reader(name.lower(), type_, content)
        if reader is None:
            return "", "skipped", what
        if (size or len(content)) > MAX_BYTES:
            raise Unread(f"it is larger than {MAX_BYTES // 1024 // 1024} MB")
        if seconds <= 0:
            raise Unread("the attachments before it took too long")
        with within(seconds):
            reader(content, into)
    except Unread as reason:
        return "", "failed", str(reason)
    except Exception as error:  # whatever a hostile file provokes: it is told, and the message goes on
        return "", "failed", charsets.clean(f"{type(error).__name__}: {error}")[:300]
    text = _tidied(into.text())
    if not text:
        return "", "empty", "there is no text in it"
    return text, ("cut" if into.cut else "read"), into.cut


def _reader(name: str, type_: str, content: bytes) -> tuple[Reader | None, str]:
    """What reads such a file; else None and what it is."""
    head = content[:16384]
    if b"%PDF-" in head[:1024]:
        return read_pdf, ""
    if head.startswith(b"PK\x03\x04"):
        return read_office, ""
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        message = name.endswith((".msg", ".oft")) or "__substg1.0_".encode("utf-16-le") in content
        return (read_outlook_message, "") if message else (None, "an old office document")
    if head.startswith(b"{\\rtf"):
        return _read_rtf, ""
    kind = _MEDIA.get(type_.partition("/")[0]) or next((what for magic, what in _MAGIC if head.startswith(magic)), "")
    if kind:
        return None, f"{kind} ({type_})"
    if type_ == "message/rfc822" or (name.endswith(".eml") and is_head(head)):
        return read_message, ""
    if any(signature in type_ for signature in _SIGNATURES):
        return None, f"a signature or key ({type_})"
    if type_ == "text/calendar" or head.lstrip().startswith(b"BEGIN:VCALENDAR"):
        return _read_calendar, ""
    if type_ == "text/html" or _HTML.match(head):
        return _read_html, ""
    if (
        type_.startswith(("text/", "message/"))
        or _TEXT_ENDINGS.search(name)
        or type_ in ("application/json", "application/xml")
    ):
        return (_read_plain, "") if _is_text(head) else (None, f"binary data ({type_})")
    return None, f"a kind that is not read ({type_})"


def _read_plain(content: bytes, into: Collected) -> None:
    marks = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
    charset = marks.get(content[:2], "")
    into.add(charsets.decode(content[2:] if charset else content, charset).removeprefix("\ufeff"))


def _read_html(content: bytes, into: Collected) -> None:
    declared = re.search(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", content[:4096], re.I)
    into.add(html_to_text(charsets.decode(content, declared[1].decode("latin-1") if declared else "")).text)


def _read_calendar(content: bytes, into: Collected) -> None:
    into.add(invitation_text(charsets.decode(content)))


def _read_rtf(content: bytes, into: Collected) -> None:
    text, markup = read_rtf(content)
    into.add(html_to_text(markup).text if markup else text)


def _is_text(head: bytes) -> bool:
    return head[:2] in (b"\xff\xfe", b"\xfe\xff") or head.count(0) == 0


def _tidied(text: str) -> str:
    """Valid text without runs of blanks and of empty lines; a table keeps its tabs as blanks."""
    lines = (_BLANKS.sub(" ", line).strip() for line in charsets.clean(text).replace("\r\n", "\n").split("\n"))
    return _LINES.sub("\n\n", "\n".join(lines)).strip()
