"""Outlook for Mac's archives, .olm: a zip with an XML file for each message and its attachments beside it.

Messages are the files under a folder "com.microsoft.__Messages", whose path names the mail folder. A message's key is
its path in the archive. Contacts, calendars, tasks and notes are passed over, counted by kind.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Set
from pathlib import Path

from lxml import etree

from ingest.errors import ExpandsTooFar, MessageError, UnreadableMessage
from ingest.heads import is_head
from ingest.large import bounded
from ingest.rebuild import Fields, File, Person, rebuild
from ingest.sources.labels import MAX_LABEL
from ingest.sources.limits import MAX_MESSAGE
from ingest.sources.mapping import looks_like_html
from ingest.sources.streams import BROKEN, FLOOR, RATIO, Bounded
from ingest.types import RawMessage, Unreadable

_MESSAGES = "com.microsoft.__Messages"
_MESSAGE = re.compile(rf"(?:^|.*/){re.escape(_MESSAGES)}/(?:(.*)/)?message_\d+\.xml\Z")
_OTHER = re.compile(
    r"(?:Calendar|Contacts|Tasks|Notes|Categories)\.xml\Z|(?:Calendar|Tasks|Notes|Address Book)/[^/]*\.xml\Z"
)
_PREFIX = re.compile(r"(?:\{.*\})?OPFMessage(?:Copy|Get|Is)?")
_ADDRESSES = {"fromaddresses": "sender", "toaddresses": "to", "ccaddresses": "cc", "bccaddresses": "bcc",
              "replytoaddresses": "reply_to"}  # fmt: skip
_HEADS = ("source", "headers", "internetheaders", "internetmessageheaders", "transportheaders")


def is_olm(archive: zipfile.ZipFile) -> bool:
    """Whether a zip is such an archive."""
    return any(_MESSAGES in name for name in archive.namelist())


def read(path: Path, labels: tuple[str, ...], known: Set[str] = frozenset()) -> Iterator[RawMessage | Unreadable]:
    """Yields every message whose key is not in ``known``, and how many files are no messages."""
    others: Counter[str] = Counter()
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            found = _MESSAGE.match(info.filename)
            if not found:
                if _OTHER.search(info.filename):
                    others[info.filename.rpartition("/")[2].removesuffix(".xml").lower()] += 1
                continue
            if info.filename in known:
                continue
            try:
                yield bounded(_message(archive, info.filename, found[1] or "", labels))
            except MessageError as error:
                yield Unreadable(info.filename, type(error).__name__, str(error))
            except BROKEN as error:
                yield Unreadable(info.filename, "ArchiveBroken", f"It cannot be unpacked: {error}")
    for what, count in others.items():
        yield Unreadable(what, "NotMail", f"{count} × {what}" if count > 1 else f"it is {what}")


def read_one(path: Path, labels: tuple[str, ...], key: str) -> RawMessage | None:
    """The message of that key, or None when it is not there any more."""
    found = _MESSAGE.match(key)
    with zipfile.ZipFile(path) as archive:
        if not found or key not in archive.NameToInfo:
            return None
        return _message(archive, key, found[1] or "", labels)


def keys(path: Path) -> Iterator[str]:
    """Every message's key."""
    with zipfile.ZipFile(path) as archive:
        return iter([name for name in archive.namelist() if _MESSAGE.match(name)])


def _message(archive: zipfile.ZipFile, name: str, folder: str, labels: tuple[str, ...]) -> RawMessage:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=True, recover=True, remove_comments=True
    )
    tree = etree.fromstring(_content(archive, name), parser)
    message = None if tree is None else next(tree.iter("email"), tree)
    fields = None if message is None else _fields(archive, message)
    if fields is None or fields.is_empty():
        raise UnreadableMessage(name, "nothing of a message is in it")
    label = (folder[:MAX_LABEL],) if folder else labels
    return RawMessage(key=name, data=rebuild(fields), labels=label)


def _fields(archive: zipfile.ZipFile, message: etree._Element) -> Fields:
    held: dict[str, etree._Element] = {}
    for element in message:
        if isinstance(element.tag, str):
            held[_PREFIX.sub("", element.tag).lower()] = element

    def text(name: str) -> str:
        element = held.get(name)
        return "" if element is None else "".join(element.itertext()).strip()

    body, html = text("body"), text("htmlbody")
    if looks_like_html(body):
        body, html = "", html or body
    elif html and not looks_like_html(html):
        body, html = body or html, ""
    # nothing is received before it is sent: where the sender's program left no time, that of the export stands there
    sent = min((time for name in ("senttime", "receivedtime") if (time := text(name))), default="")
    fields = Fields(
        head=next((head for name in _HEADS if is_head((head := text(name)).encode("utf-8", "replace"))), ""),
        message_id=text("messageid"),
        in_reply_to=text("inreplyto"),
        references=text("references"),
        thread_index=text("threadindex"),
        # without a zone, and in UTC
        date=f"{sent}Z" if re.fullmatch(r"[\d-]+T[\d:]+", sent) else sent,
        subject=text("subject"),
        text=body,
        html=html,
        other=[("Thread-Topic", text("threadtopic"))],
    )
    for name, people in _ADDRESSES.items():
        if name in held:
            setattr(fields, people, _people(held[name]))
    if not fields.sender and "senderaddress" in held:
        fields.sender = _people(held["senderaddress"])
    room = MAX_MESSAGE
    for attached in message.iter("messageAttachment"):
        file = _file(archive, attached, room)
        room -= len(file.content)
        fields.files.append(file)
    return fields


def _people(element: etree._Element) -> list[str | Person]:
    found: list[str | Person] = []
    for each in element.iter("emailAddress"):
        name = str(each.get("OPFContactEmailAddressName") or "")
        address = str(each.get("OPFContactEmailAddressAddress") or "")
        if name or address:
            found.append((name, address))
    return found


def _file(archive: zipfile.ZipFile, attached: etree._Element, room: int) -> File:
    name = str(attached.get("OPFAttachmentName") or "")
    type_ = str(attached.get("OPFAttachmentContentType") or "").lower()
    place = str(attached.get("OPFAttachmentURL") or "")
    try:
        content = _content(archive, place, room) if place in archive.NameToInfo else b""
    except (ExpandsTooFar, *BROKEN):
        content = b""
    content_id = str(attached.get("OPFAttachmentContentID") or "")
    return File(name, type_, content, content_id, message=type_ == "message/rfc822" and is_head(content[:16384]))


def _content(archive: zipfile.ZipFile, name: str, room: int = MAX_MESSAGE) -> bytes:
    info = archive.NameToInfo[name]
    if info.flag_bits & 1:
        raise UnreadableMessage(name, "it is protected by a password")
    with archive.open(info) as opened:
        stream = Bounded(opened, min(room, FLOOR + RATIO * info.compress_size))
        blocks = []
        while block := stream.read():
            blocks.append(block)
    return b"".join(blocks)
