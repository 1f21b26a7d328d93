"""Which parts of a message are its text, and which are attachments.

The rules are JMAP's (RFC 8621, 4.1.4), those of mail programs: plain text and HTML of an alternative are two forms of
one body, what is inline and in the flow of the text belongs to it, the rest is attached. On top of that: an
invitation or an opaque-signed message without other text gives its content as text, format=flowed (RFC 3676) is
unwrapped, a winmail.dat is opened, and a "plain" part that is an HTML document is HTML.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ingest import charsets, smime
from ingest.calendar import invitation_text
from ingest.headers import read_head
from ingest.headers import text as decoded_text
from ingest.html_text import html_to_text
from ingest.mapi import to_message
from ingest.mime import Part, parse_tree
from ingest.tnef import read_tnef
from ingest.types import AttachmentInfo, LeftOut
from ingest.uuencode import Encoded, uuencoded_files

BINARY = "application/octet-stream"
# attachments whose text is read are held at once; of larger ones and of pictures only the beginning is
MAX_KEPT = 32 * 1024 * 1024
HEAD = 16 * 1024
# a winmail.dat within a winmail.dat within ... is an attack
MAX_PACKED = 4

BY_REFERENCE = "it stands in a message that is too large to be read whole; the source holds it"
NOTHING: Mapping[str, LeftOut] = {}

_IS_HTML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S)
_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_TAG = re.compile(r"<[^<>]{1,200}>")
_MEDIA = ("image/", "audio/", "video/")
_SIGNED = ("application/pkcs7-mime", "application/x-pkcs7-mime")


@dataclass(slots=True)
class Body:
    """``text`` is the plain text ("" where there is only HTML), ``html`` the HTML source or None, ``contents`` the
    bytes of each attachment, of large ones and of pictures only the beginning."""

    text: str = ""
    html: str | None = None
    attachments: list[AttachmentInfo] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)


def read_body(root: Part, depth: int = 0, left_out: Mapping[str, LeftOut] = NOTHING) -> Body:
    """The text and the attachments of a message. ``depth``: how many packed messages it stands in. ``left_out``: what
    of which part, by its path, is not in the message's bytes (``ingest.large``)."""
    plain, markup, attached = choose(root)
    body = Body()
    files: list[tuple[Part, Encoded]] = []
    pieces = [(part, _without_files(part, files)) for part in plain]
    if any(_is_html(part, text) for part, text in pieces):
        markup = plain
    if any(part.type == "text/html" or part in plain for part in markup):
        rich = [(part, part_text(part)) for part in markup]
        if any(_is_html(part, text) for part, text in rich):
            body.html = "\n".join(
                text if _is_html(part, text) else f"<pre>{html.escape(text, quote=False)}</pre>" for part, text in rich
            )
    if body.html is None or not any(_is_html(part, text) for part, text in pieces):
        body.text = "\n".join(text for _, text in pieces)
    packed = [
        (part, message)
        for part in attached
        if depth < MAX_PACKED and part.path not in left_out and (message := _packed(part))
    ]
    if not body.text.strip() and not (body.html and body.html.strip()):
        body.text = _text_of_attached(attached) or _text_within(packed, depth)
    opened = {part.path for part, _ in packed}
    for part, message in packed:
        inner = read_body(parse_tree(message), depth + 1)
        body.attachments.extend(replace(each, part=f"{part.path}.t{each.part}") for each in inner.attachments)
        body.contents.extend(inner.contents)
    for part in attached:
        if part.path in opened:
            continue
        content = part.content()
        name = part.name or (_subject_of(content) if part.type == "message/rfc822" else "")
        body.attachments.append(_attachment(part.path, name, part.type, content, left_out.get(part.path)))
        body.contents.append(
            content if len(content) <= MAX_KEPT and not part.type.startswith(_MEDIA) else content[:HEAD]
        )
    texts = {part.path: part for part in (*plain, *markup)}
    for path, left in left_out.items():
        if path in texts:
            body.attachments.append(_attachment(path, "", texts[path].type, b"", left))
            body.contents.append(b"")
    for number, (part, file) in enumerate(files, 1):
        body.attachments.append(_attachment(f"{part.path}.u{number}", file.name, BINARY, file.content))
        body.contents.append(file.content if len(file.content) <= MAX_KEPT else file.content[:HEAD])
    return body


def attachment_content(data: bytes, path: str) -> bytes | None:
    """The bytes of the attachment at ``path`` (AttachmentInfo.part) in a whole message, or None when none is there."""
    root = parse_tree(data)
    outer, packed, inner = path.partition(".t")
    for part in root.walk():
        if packed and part.path == outer:
            message = _packed(part)
            return attachment_content(message, inner) if message else None
        if part.path == path and not part.parts:
            return part.content()
    files: list[tuple[Part, Encoded]] = []
    for part in choose(root)[0]:
        _without_files(part, files)
    found = {f"{part.path}.u{number}": file.content for number, (part, file) in enumerate(files, 1)}
    return found.get(path)


def choose(root: Part) -> tuple[list[Part], list[Part], list[Part]]:
    """The parts of the plain form, of the HTML form (often the same ones), and the attachments, in order."""
    plain: list[Part] = []
    markup: list[Part] = []
    attached: list[Part] = []
    if root.parts:
        _choose(root.parts, root.type, root.type == "multipart/alternative", plain, markup, attached)
    else:
        _choose([root], "multipart/mixed", False, plain, markup, attached)
    # pictures in the flow of the text are shown there, and are files all the same
    media = {part.path for part in (*plain, *markup, *attached) if part.type.startswith(_MEDIA)}
    paths = media | {part.path for part in attached}
    return (
        [part for part in plain if part.path not in media],
        [part for part in markup if part.path not in media],
        [part for part in root.walk() if part.path in paths and not part.parts],
    )


def part_text(part: Part) -> str:
    """A text part decoded, lines ending in a single newline, flowed lines joined."""
    data = part.content()
    charset = part.parameters.get("charset", "")
    if part.type == "text/html" and charset.lower() in ("", "us-ascii"):
        declared = _META_CHARSET.search(data, 0, 4096)
        charset = declared[1].decode("latin-1") if declared else charset
    text = charsets.decode(data, charset).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if part.parameters.get("format", "").lower() == "flowed":
        text = _unflowed(text, part.parameters.get("delsp", "").lower() == "yes")
    elif part.type in ("text/enriched", "text/richtext"):
        text = _TAG.sub("", text.replace("<<", "<"))
    elif part.type == "text/calendar":
        text = invitation_text(text)
    return text


def _choose(
    parts: list[Part],
    kind: str,
    in_alternative: bool,
    plain: list[Part] | None,
    markup: list[Part] | None,
    attached: list[Part],
) -> None:
    """Sorts parts into the lists; a form that an alternative does not have is None within it."""
    plain_before = -1 if plain is None else len(plain)
    markup_before = -1 if markup is None else len(markup)
    for number, part in enumerate(parts):
        if part.parts:
            below = in_alternative or part.type == "multipart/alternative"
            _choose(part.parts, part.type, below, plain, markup, attached)
            continue
        media = part.type.startswith(_MEDIA)
        if not _is_inline(part, number, kind, media):
            attached.append(part)
            continue
        if kind == "multipart/alternative":
            form = plain if part.type == "text/plain" else markup if part.type == "text/html" else None
            (attached if form is None else form).append(part)
            continue
        if in_alternative:
            if part.type == "text/plain":
                markup = None
            elif part.type == "text/html":
                plain = None
        if plain is not None:
            plain.append(part)
        if markup is not None:
            markup.append(part)
        if media and (plain is None or markup is None):
            attached.append(part)
    if kind == "multipart/alternative" and plain is not None and markup is not None:
        # one form only: it serves for both
        if plain_before == len(plain) and markup_before != len(markup):
            plain.extend(markup[markup_before:])
        elif markup_before == len(markup) and plain_before != len(plain):
            markup.extend(plain[plain_before:])


def _is_inline(part: Part, number: int, kind: str, media: bool) -> bool:
    readable = part.type in ("text/plain", "text/html", "text/enriched", "text/richtext")
    if part.disposition == "attachment" or not (readable or media):
        return False
    return number == 0 or (kind != "multipart/related" and (media or not part.name))


def _is_html(part: Part, text: str) -> bool:
    return part.type == "text/html" or bool(_IS_HTML.match(text))


def _text_of_attached(attached: list[Part]) -> str:
    """What a message without text says: its invitation, the signed message in it, or else its only text."""
    for part in attached:
        if part.type == "text/calendar":
            found = part_text(part)
            if found:
                return found
        if part.type in _SIGNED:
            content = smime.signed_content(part.content())
            inner = read_body(parse_tree(content)) if content else None
            if inner and (inner.text.strip() or inner.html):
                return inner.text if inner.text.strip() else _from_html(inner.html or "")
    return ""


def _packed(part: Part) -> bytes | None:
    """The message in a winmail.dat, in which Outlook packs text and files for other Outlooks."""
    if "ms-tnef" not in part.type and part.name.lower() != "winmail.dat":
        return None
    item = read_tnef(part.content())
    return to_message(item) if item else None


def _text_within(packed: list[tuple[Part, bytes]], depth: int) -> str:
    for _, message in packed:
        inner = read_body(parse_tree(message), depth + 1)
        if inner.text.strip() or inner.html:
            return inner.text if inner.text.strip() else _from_html(inner.html or "")
    return ""


def _from_html(source: str) -> str:
    return html_to_text(source).text


def _without_files(part: Part, files: list[tuple[Part, Encoded]]) -> str:
    """The text of a part without the files that are written into it; they join ``files``."""
    text = part_text(part)
    found = uuencoded_files(text)
    for file in reversed(found):
        text = text[: file.start] + text[file.stop :]
    files.extend((part, file) for file in found)
    return text


def _subject_of(content: bytes) -> str:
    """The subject of an attached message, which mostly has no name of its own."""
    return decoded_text(read_head(content, 0, len(content))[0].get("subject"))


def _attachment(path: str, name: str, type_: str, content: bytes, left: LeftOut | None = None) -> AttachmentInfo:
    name = charsets.clean(name).replace("\n", " ").replace("\r", " ").strip()[:255]
    if left:
        return AttachmentInfo(path, name, type_[:127], left.sha256, left.size, state="failed", detail=BY_REFERENCE)
    return AttachmentInfo(path, name, type_[:127], hashlib.sha256(content).digest(), len(content))


def _unflowed(text: str, delete_space: bool) -> str:
    """Lines that end in a space go on in the next line of the same quoting depth (RFC 3676, 4.1 to 4.5)."""
    paragraphs: list[list[str]] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        goes_on = content.endswith(" ") and content != "-- "
        shown = content[:-1] if goes_on and delete_space else content
        if depth == open_depth and content != "-- ":
            paragraphs[-1].append(shown)
        else:
            paragraphs.append([">" * depth + " " + shown if depth else shown])
        open_depth = depth if goes_on else -1
    return "\n".join("".join(pieces) for pieces in paragraphs)
