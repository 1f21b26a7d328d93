"""Outlook's properties become a message: what PST, MSG and TNEF files hold in the same terms.

Each of them gives numbered properties of a message, of its recipients and of its files (MS-OXPROPS). The transport head
is kept word for word where the message came over the internet; else the head is rebuilt, with Message-ID, In-Reply-To,
References and the conversation's index, so that threads survive. Bodies may be text, HTML, or HTML wrapped in RTF.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from ingest import charsets
from ingest.heads import is_head
from ingest.rebuild import Fields, File, Person, rebuild
from ingest.rtf import decompress, read_rtf

Value = str | int | bytes | datetime | float | None
Properties = dict[int | str, Value]

# as deep as messages within messages are read
MAX_DEPTH = 12

_SHORT, _LONG, _DOUBLE, _BOOLEAN, _INT64, _STRING8, _UNICODE, _TIME = 0x2, 0x3, 0x5, 0xB, 0x14, 0x1E, 0x1F, 0x40
_CLASS, _SUBJECT, _HEAD, _BODY, _HTML, _RTF = 0x001A, 0x0037, 0x007D, 0x1000, 0x1013, 0x1009
_MESSAGE_ID, _REFERENCES, _IN_REPLY_TO = 0x1035, 0x1039, 0x1042
_TOPIC, _INDEX, _SUBMITTED, _DELIVERED, _FLAGS, _CREATED = 0x0070, 0x0071, 0x0039, 0x0E06, 0x0E07, 0x3007
_CODEPAGE, _INTERNET_CODEPAGE = 0x3FFD, 0x3FDE
# name, kind of address, address, SMTP address: of the sender, and of whom it was sent for
_SENDER = (0x0C1A, 0x0C1E, 0x0C1F, 0x5D01)
_FOR = (0x0042, 0x0064, 0x0065, 0x5D02)
_RECIPIENT = (0x3001, 0x3002, 0x3003, 0x39FE)
_DISPLAYED = {"to": 0x0E04, "cc": 0x0E03, "bcc": 0x0E02}
_UNSENT = 0x8
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_APPOINTMENT = bytes.fromhex("0220060000000000c000000000000046")
_NAMED = {(_APPOINTMENT, 0x8208): "location", (_APPOINTMENT, 0x820D): "start", (_APPOINTMENT, 0x820E): "end"}
_NO_MAIL = {
    "ipm.contact": "a contact", "ipm.abchperson": "a contact", "ipm.distlist": "a distribution list",
    "ipm.taskrequest": "", "ipm.task": "a task", "ipm.activity": "a journal entry", "ipm.stickynote": "a note",
    "ipm.appointment": "an entry of the calendar", "ipm.configuration": "a setting", "ipm.rule": "a setting",
    "ipm.extendedrule": "a setting", "ipm.microsoft": "a setting", "ipc.": "a setting",
}  # fmt: skip


@dataclass(slots=True)
class Attachment:
    """``item`` when it is a message of its own, else its bytes stand in the properties or in ``data``."""

    properties: Properties
    data: bytes = b""
    item: Item | None = None


@dataclass(slots=True)
class Item:
    """A message as a store of Outlook's holds it."""

    properties: Properties
    recipients: list[Properties] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)

    def text(self, number: int) -> str:
        """A property as text, "" where it is missing or something else."""
        value = self.properties.get(number)
        return value if isinstance(value, str) else ""


def decode(raw: Iterable[tuple[int | str, int, bytes]], codepage: int = 0) -> Properties:
    """Properties from (number, type, bytes as they are stored). ``codepage`` is that of the message around."""
    held = [(number, type_, data) for number, type_, data in raw if not type_ & 0x1000]
    for wanted in (_INTERNET_CODEPAGE, _CODEPAGE):
        found = next((data for number, type_, data in held if number == wanted and type_ == _LONG), b"")
        if len(found) >= 4:
            codepage = struct.unpack_from("<i", found)[0] or codepage
    charset = charsets.of_codepage(codepage) if codepage > 0 else ""
    return {number: _value(type_, data, charset) for number, type_, data in held}


def named(property_set: bytes, number: int) -> str | None:
    """The key under which a named property that is read here is kept, else None."""
    return _NAMED.get((property_set, number))


def named_numbers(entries: bytes, sets: bytes) -> dict[int, str]:
    """The numbers from 0x8000 on that a file gives to the named properties that are read here, from the two lists in
    which it keeps all of them (MS-OXMSG, 2.2.3; MS-PST, 2.4.7): eight bytes for each, and the property sets' ids."""
    found = {}
    for at in range(0, len(entries) - 7, 8):
        told, index, number = struct.unpack_from("<IHH", entries, at)
        start = ((index >> 1) - 3) * 16
        name = named(sets[start : start + 16], told) if start >= 0 and not index & 1 else None
        if name:
            found[0x8000 + number] = name
    return found


def no_mail(item: Item) -> str:
    """What an item is that is no mail ("a contact"), "" for mail."""
    class_ = item.text(_CLASS).lower()
    return next((what for start, what in _NO_MAIL.items() if class_.startswith(start)), "")


def to_message(item: Item, depth: int = 0) -> bytes:
    """The RFC 822 message."""
    class_ = item.text(_CLASS).lower()
    text, html = _bodies(item)
    fields = Fields(
        head=item.text(_HEAD),
        message_id=item.text(_MESSAGE_ID),
        in_reply_to=item.text(_IN_REPLY_TO),
        references=item.text(_REFERENCES),
        # a PST's subject begins with a mark and the length of its "RE: "
        subject=subject[2:] if (subject := item.text(_SUBJECT)).startswith("\x01") else subject,
        text=text,
        html=html,
    )
    index = item.properties.get(_INDEX)
    if isinstance(index, bytes) and index:
        fields.thread_index = base64.b64encode(index).decode()
    flags = item.properties.get(_FLAGS)
    unsent = isinstance(flags, int) and bool(flags & _UNSENT)
    # when a draft was begun; of a sent message that is when the file was written
    for number in (_SUBMITTED, _DELIVERED, *((_CREATED,) if unsent else ())):
        moment = item.properties.get(number)
        if isinstance(moment, datetime):
            fields.date = moment
            break
    twins = _people(item, fields)
    fields.other = [("Thread-Topic", item.text(_TOPIC)), *twins]
    if unsent:
        fields.other.append(("X-Unsent", "1"))
    if class_.startswith("report.") or ".oof" in class_:
        fields.other.append(("Auto-Submitted", "auto-replied"))
    if class_.startswith(("ipm.schedule", "ipm.appointment")):
        fields.calendar = _calendar(item, fields)
    fields.files = [_file(attachment, depth) for attachment in item.attachments]
    if ".smime" in class_ and len(fields.files) == 1 and _is_entity(fields.files[0].content):
        # a signed message is kept whole, as its only file
        fields.entity = fields.files[0].content
    return rebuild(fields)


def _value(type_: int, data: bytes, charset: str) -> Value:
    try:
        if type_ == _UNICODE:
            return charsets.clean(data.decode("utf-16-le", "replace").split("\x00")[0])
        if type_ == _STRING8:
            return charsets.decode(data.split(b"\x00")[0], charset)
        if type_ == _LONG:
            return int(struct.unpack_from("<i", data)[0])
        if type_ == _SHORT:
            return int(struct.unpack_from("<h", data)[0])
        if type_ == _BOOLEAN:
            return int(any(data[:2]))
        if type_ == _INT64:
            return int(struct.unpack_from("<q", data)[0])
        if type_ == _DOUBLE:
            return float(struct.unpack_from("<d", data)[0])
        if type_ == _TIME:
            return _EPOCH + timedelta(microseconds=struct.unpack_from("<Q", data)[0] // 10)
    except (struct.error, OverflowError):
        return None
    return data


def _is_entity(content: bytes) -> bool:
    return content.lstrip()[:13].lower() == b"content-type:"


def _bodies(item: Item) -> tuple[str, str]:
    text = item.text(_BODY)
    held = item.properties.get(_HTML)
    html = held if isinstance(held, str) else ""
    if isinstance(held, bytes):
        codepage = item.properties.get(_INTERNET_CODEPAGE) or item.properties.get(_CODEPAGE) or 0
        html = charsets.decode(held, charsets.of_codepage(codepage) if isinstance(codepage, int) and codepage else "")
    compressed = item.properties.get(_RTF)
    if isinstance(compressed, bytes) and not html.strip():
        plain, html = read_rtf(decompress(compressed))
        text = text if text.strip() else plain
    return text, html


def _people(item: Item, fields: Fields) -> list[tuple[str, str]]:
    """Fills in sender and recipients. Returns fields with their names in the directory of Exchange, beside which the
    address in the message proves that both are one person's."""
    twins: dict[str, list[Person]] = {"X-From": [], "X-To": [], "X-Cc": [], "X-Bcc": []}
    directory: set[str] = set()

    def add(group: list[str | Person], name: str, properties: Properties, numbers: tuple[int, ...]) -> None:
        found = _person(properties, numbers)
        if found is None:
            return
        person, x500 = found
        group.append(person)
        twins[name].append((person[0], x500 or person[1]))
        if x500 and person[1] and x500 != person[1]:
            directory.add(name)

    add(fields.sender, "X-From", item.properties, _FOR)
    if not fields.sender:
        add(fields.sender, "X-From", item.properties, _SENDER)
    groups = {1: (fields.to, "X-To"), 2: (fields.cc, "X-Cc"), 3: (fields.bcc, "X-Bcc")}
    for recipient in item.recipients:
        kind = recipient.get(0x0C15)
        # the upper bits tell how its delivery went
        group = groups.get(kind & 0xF if isinstance(kind, int) else 1)
        if group:
            add(*group, recipient, _RECIPIENT)
    if not item.recipients:
        for group_, number in ((fields.to, "to"), (fields.cc, "cc"), (fields.bcc, "bcc")):
            group_.extend((name.strip(), "") for name in item.text(_DISPLAYED[number]).split(";") if name.strip())
    return [(name, ", ".join(f'"{_quoted(n)}" <{a}>' for n, a in twins[name])) for name in twins if name in directory]


def _person(properties: Properties, numbers: tuple[int, ...]) -> tuple[Person, str] | None:
    """Name and address, and the name in the directory where there is one; None for nobody."""
    name, kind, address, smtp = (value if isinstance(value := properties.get(n), str) else "" for n in numbers)
    x500 = address if kind.upper() == "EX" or address.lower().startswith("/o=") else ""
    if not (name or address or smtp):
        return None
    return ((name or "").strip().strip("'"), smtp or address), x500


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def _file(attachment: Attachment, depth: int) -> File:
    properties = attachment.properties

    def text(number: int) -> str:
        value = properties.get(number)
        return value if isinstance(value, str) else ""

    name = text(0x3707) or text(0x3704) or text(0x3001)
    if attachment.item is not None:
        content = to_message(attachment.item, depth + 1) if depth < MAX_DEPTH else b""
        return File(name, "message/rfc822", content, message=True)
    held = properties.get(0x3701)
    data = held if isinstance(held, bytes) else attachment.data
    type_ = text(0x370E).lower()
    return File(name, type_, data, text(0x3712), message=type_ == "message/rfc822" and is_head(data[:16384]))


def _calendar(item: Item, fields: Fields) -> str:
    """The appointment as iCalendar, in which every mail program sends it."""

    def escaped(value: str) -> str:
        return (
            value.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;").replace("\r", "").replace("\n", "\\n")
        )

    def moment(key: str) -> str:
        value = item.properties.get(key)
        return value.strftime("%Y%m%dT%H%M%SZ") if isinstance(value, datetime) else ""

    location = item.properties.get("location")
    lines = [
        ("SUMMARY", escaped(fields.subject)),
        ("DTSTART", moment("start")),
        ("DTEND", moment("end")),
        ("LOCATION", escaped(location) if isinstance(location, str) else ""),
    ]
    told = [f"{name}:{value}" for name, value in lines if value]
    for name, people in (("ORGANIZER", fields.sender), ("ATTENDEE", [*fields.to, *fields.cc])):
        for person in people:
            called, address = person if isinstance(person, tuple) else ("", person)
            called = called.replace('"', "'")
            told.append(f'{name};CN="{called}":mailto:{address}' if called else f"{name}:mailto:{address}")
    return "\r\n".join(["BEGIN:VCALENDAR", "BEGIN:VEVENT", *told, "END:VEVENT", "END:VCALENDAR", ""])
