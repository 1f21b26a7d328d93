"""A composed entry becomes the bytes that its mail program would have sent.

Headers, transfer encodings, alternatives and attachments are written out here rather than by the email package, so
that the bytes are the same on every Python and every day.
"""

import base64
import quopri
from datetime import timedelta
from email.header import Header
from email.utils import format_datetime
from urllib.parse import quote

from ui.demo.attachments import TYPES
from ui.demo.errors import ContentError
from ui.demo.identifiers import digest, message_id, references, thread_index
from ui.demo.invitations import calendar_part
from ui.demo.people import Mailbox
from ui.demo.quoting import Composed

PROGRAMS = {
    "outlook": ("X-Mailer", "Microsoft Outlook 16.0"),
    "oldoutlook": ("X-Mailer", "Microsoft Office Outlook 11"),
    "htmlonly": ("X-Mailer", "Microsoft Outlook 16.0"),
    "apple": ("X-Mailer", "Apple Mail (2.3774.500.171)"),
    "notes": ("X-Mailer", "IBM Notes Release 9.0.1FP10"),
    "notes7": ("X-Mailer", "Lotus Notes Release 7.0.3"),
    "thunderbird": ("User-Agent", "Mozilla Thunderbird"),
    "poor": ("X-Mailer", "Feldpost Mobil 2.1"),
}
LIST_NAME = "monitoring.lists.northmoor-uni.example"
LIST_FOOTER = (
    "_______________________________________________\n"
    "monitoring mailing list -- monitoring@lists.northmoor-uni.example\n"
    "To unsubscribe send an email to monitoring-leave@lists.northmoor-uni.example"
)


def render(composed: Composed, files: dict[str, bytes], owner: str, on_list: bool = False) -> bytes:
    """The whole message as bytes, LF line ends. `on_list`: the copy that the mailing list sent round.

    Raises ContentError when an attachment is not in `files`.
    """
    entry = composed.entry
    names = [name.strip() for name in entry.options.get("att", "").split(",") if name.strip()]
    missing = [name for name in names if name not in files]
    if missing:
        raise ContentError(f"{entry.key}: no such attachment in attachments.txt: {', '.join(missing)}")
    kind, body = _body(composed, on_list)
    if names:
        parts = [_part(kind, body), *(_attached(name, files[name]) for name in names)]
        kind, body = _multipart("mixed", parts, entry.key)
    lines = _headers(composed, owner, on_list)
    lines += ["MIME-Version: 1.0", *kind]
    return ("\n".join(lines) + "\n\n").encode("utf-8") + body + (b"" if body.endswith(b"\n") else b"\n")


def _headers(composed: Composed, owner: str, on_list: bool) -> list[str]:
    entry = composed.entry
    lines = []
    if entry.sender.address != owner and "draft" not in entry.options:
        arrived = entry.date + timedelta(seconds=2 + int(digest(entry.key, 2), 16) % 9)
        host = "lists.northmoor-uni.example" if on_list else f"mail.{entry.sender.domain}"
        lines += [
            f"Return-Path: <{entry.sender.address}>"
            if not on_list
            else "Return-Path: <monitoring-bounces@lists.northmoor-uni.example>"
        ]
        lines += [
            f"Received: from {host} by mx.tarnbridge.example with ESMTPS id {digest(entry.key + 'r', 12)}\n"
            f"\tfor <{owner}>; {format_datetime(arrived)}"
        ]
    subject = composed.subject
    if on_list:
        bare = subject.removeprefix("Re: ")
        subject = ("Re: " if bare != subject else "") + f"[monitoring] {bare}"
    lines += [
        f"Date: {format_datetime(entry.date)}",
        f"From: {_address(entry.sender)}",
        f"To: {_addresses(entry.to)}" if entry.to else "To: undisclosed-recipients:;",
    ]
    if entry.cc:
        lines.append(f"Cc: {_addresses(entry.cc)}")
    if "replyto" in entry.options:
        lines.append(f"Reply-To: {entry.options['replyto']}")
    lines += [f"Subject: {_encoded(subject, 9)}", f"Message-ID: {message_id(entry)}"]
    if entry.parent and entry.client != "poor":
        lines.append(f"In-Reply-To: {message_id(entry.parent)}")
        lines.append("References: " + "\n ".join(references(entry)))
    if entry.client in ("outlook", "htmlonly", "oldoutlook"):
        lines += [f"Thread-Topic: {_encoded(entry.subject, 14)}", f"Thread-Index: {thread_index(entry)}"]
    if entry.client in PROGRAMS:
        lines.append(": ".join(PROGRAMS[entry.client]))
    if "auto" in entry.options:
        lines += ["Auto-Submitted: auto-replied", "X-Auto-Response-Suppress: All"]
    if "draft" in entry.options:
        lines.append("X-Unsent: 1")
    if on_list:
        lines += [
            f"List-Id: Structural monitoring <{LIST_NAME}>",
            "List-Post: <mailto:monitoring@lists.northmoor-uni.example>",
            "List-Unsubscribe: <mailto:monitoring-leave@lists.northmoor-uni.example>",
            "Precedence: list",
            "Sender: monitoring <monitoring-bounces@lists.northmoor-uni.example>",
        ]
    lines += [f"{name}: {value}" for name, value in entry.headers.items()]
    return lines


def _body(composed: Composed, on_list: bool) -> tuple[list[str], bytes]:
    entry, client = composed.entry, composed.entry.client
    text = composed.text + (f"\n{LIST_FOOTER}" if on_list else "")
    charset, encoding = {
        "gmail": ("utf-8", "base64" if not composed.text.isascii() else "quoted-printable"),
        "outlook": ("iso-8859-1" if entry.lang != "en" else "utf-8", "quoted-printable"),
        "oldoutlook": ("us-ascii", "7bit"),
        "notes": ("iso-8859-1", "quoted-printable"),
        "notes7": ("iso-8859-1", "quoted-printable"),
        "thunderbird": ("utf-8", "8bit"),
        "poor": ("windows-1252", "8bit"),
    }.get(client, ("utf-8", "quoted-printable"))
    plain = _text_part("plain", text, charset, encoding)
    page = entry.html if entry.html is not None else _document(composed.html, client)
    marked = _text_part("html", page, charset, "base64" if encoding == "base64" else "quoted-printable")
    calendar = calendar_part(entry)
    if client == "htmlonly" or "html" in entry.options:
        return marked
    plain_only = client in ("oldoutlook", "thunderbird", "poor", "notes7") or "plain" in entry.options
    plain_only = plain_only or on_list or (client == "apple" and int(digest(entry.key, 2), 16) % 3 > 0)
    plain_only = plain_only or (client == "machine" and entry.html is None)
    if plain_only and not calendar:
        return plain
    parts = [_part(*plain)] + ([] if plain_only else [_part(*marked)])
    if calendar:
        method, text = calendar
        kind = [
            f'Content-Type: text/calendar; charset="utf-8"; method={method}',
            "Content-Transfer-Encoding: 8bit",
        ]
        parts.append(_part(kind, text.encode("utf-8")))
    return _multipart("alternative", parts, entry.key + "/a")


def _document(inside: str, client: str) -> str:
    if client == "gmail":
        return inside + "\n"
    if client in ("outlook", "htmlonly", "oldoutlook"):
        style = "<style><!-- p.MsoNormal {margin:0cm; font-size:11.0pt; font-family:Calibri,sans-serif;} --></style>"
        return (
            '<html xmlns:o="urn:schemas-microsoft-com:office:office">\n<head>\n<meta http-equiv="Content-Type" '
            f'content="text/html">\n{style}\n</head>\n<body lang="EN-GB">\n<div class="WordSection1">\n{inside}\n'
            "</div>\n</body>\n</html>\n"
        )
    return f"<html><body>{inside}</body></html>\n"


def _text_part(subtype: str, text: str, charset: str, encoding: str) -> tuple[list[str], bytes]:
    text = text if text.endswith("\n") else text + "\n"
    for candidate in (charset, "windows-1252", "utf-8"):
        try:
            raw = text.encode(candidate)
            charset = candidate
            break
        except UnicodeEncodeError:
            encoding = "quoted-printable" if encoding == "7bit" else encoding
    if encoding == "quoted-printable":
        raw = quopri.encodestring(raw)
    elif encoding == "base64":
        raw = base64.encodebytes(raw)
    kind = [f'Content-Type: text/{subtype}; charset="{charset}"', f"Content-Transfer-Encoding: {encoding}"]
    return kind, raw


def _part(kind: list[str], body: bytes) -> bytes:
    return "\n".join(kind).encode("utf-8") + b"\n\n" + body


def _multipart(subtype: str, parts: list[bytes], key: str) -> tuple[list[str], bytes]:
    boundary = f"=_{digest(key + subtype, 24)}"
    mark = f"--{boundary}\n".encode()
    body = b"".join(mark + part + (b"" if part.endswith(b"\n") else b"\n") for part in parts)
    return [f'Content-Type: multipart/{subtype}; boundary="{boundary}"'], body + f"--{boundary}--\n".encode()


def _attached(name: str, content: bytes) -> bytes:
    kind = TYPES[name.rpartition(".")[2]]
    shown = f'filename="{name}"' if name.isascii() else f"filename*=utf-8''{quote(name)}"
    lines = [
        f'Content-Type: {kind}; name="{_encoded(name, 0)}"',
        f"Content-Disposition: attachment; {shown}",
        "Content-Transfer-Encoding: base64",
    ]
    return _part(lines, base64.encodebytes(content))


def _addresses(boxes: list[Mailbox]) -> str:
    return ",\n ".join(map(_address, boxes))


def _address(box: Mailbox) -> str:
    if not box.name:
        return box.address
    name = box.name if box.name.isascii() else Header(box.name, "utf-8").encode()
    return f'"{name}" <{box.address}>' if any(c in name for c in ",.()@:;") else f"{name} <{box.address}>"


def _encoded(text: str, used: int) -> str:
    return text if text.isascii() else Header(text, "utf-8", header_name=" " * used).encode()
