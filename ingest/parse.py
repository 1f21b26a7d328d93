"""A raw message becomes a clean one: headers, people, date, thread headers, text, new text, attachments, kind.

Nothing in a message can make this fail for reasons of form: what is broken is repaired or left out, and what was left
out says so (``date_from`` is None, ``message_id_derived`` is true). Only bytes that hold neither headers nor
text are no message.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

from ingest import charsets
from ingest.addresses import parse_addresses
from ingest.attached_messages import attached_messages
from ingest.attachments import with_text
from ingest.body import Body, read_body
from ingest.dates import sent
from ingest.errors import UnreadableMessage
from ingest.exchange import People, with_directory
from ingest.headers import Headers, text
from ingest.kinds import kind_of
from ingest.large import restore
from ingest.mime import parse_tree
from ingest.new_text import Span, Split, split
from ingest.second_hand import second_hand
from ingest.senders import author
from ingest.sketch import sketch
from ingest.subjects import read_subject
from ingest.types import AttachmentInfo, Mailbox, Message, RawMessage

# RFC 5322 allows lines of 998 characters; a longer id is the work of a broken program
MAX_MESSAGE_ID = 998
# the last ancestors tell the thread; mails with thousands of references occur
MAX_REFERENCES = 500
MAX_SUBJECT = 2000
MAX_SPLIT = 1_000_000
MAX_LABEL = 200

_ID = re.compile(r"<([^<>]+)>")
# begins only where a word does, else a word without "@" is read once from each of its characters
_BARE_ID = re.compile(r"(?<![^\s<>\"(),;])[^\s<>\"(),;]+@[^\s<>\"(),;]+")
_WORD = re.compile(r"\w")


def parse(raw: RawMessage) -> Message:
    """The message in ``raw``. Raises UnreadableMessage when its bytes hold none."""
    return _parse(raw, with_attached=True)


def _parse(raw: RawMessage, with_attached: bool = False) -> Message:
    """``with_attached``: what is attached is read too; not of messages that are attached themselves."""
    root = parse_tree(raw.data)
    headers = root.headers
    if not headers.fields and not raw.data.strip(b"\r\n\t \x00"):
        raise UnreadableMessage(raw.key, "it is empty")
    body = read_body(root, left_out=restore(root, raw.left_out))
    pieces = _pieces(body)
    subject = text(headers.get("subject"))[:MAX_SUBJECT]
    base, is_reply, is_forward = read_subject(subject)
    sender = author(headers)
    to, cc, bcc = (_recipients(headers, name) for name in ("to", "cc", "bcc"))
    people = with_directory(headers, People(sender, to, cc, bcc))
    address = sender.address if sender else ""
    message_id, derived = _message_id(headers, root.data, root.start)
    date = sent(headers, raw.envelope)
    labels, gm_thread = _labels(headers, raw.labels)
    gm_thread = raw.thread or gm_thread
    attachments = tuple(body.attachments)
    quotes = second_hand(pieces)
    if with_attached:
        attachments = with_text(attachments, body.contents)
        quotes += attached_messages(attachments, body.contents, len(pieces.text), _parse)
    return Message(
        key=raw.key,
        offset=raw.offset,
        length=raw.length,
        raw_sha256=raw.sha256 or hashlib.sha256(raw.data).digest(),
        message_id=message_id,
        message_id_derived=derived,
        sender=people.sender,
        to=people.to,
        cc=people.cc,
        bcc=people.bcc,
        subject=subject,
        subject_base=base,
        is_reply=is_reply,
        is_forward=is_forward,
        sent_at=date.at if date else None,
        local_at=date.local if date else None,
        date_from=date.source if date else None,
        in_reply_to=tuple(found for found in reference_ids(headers.all("in-reply-to")) if found != message_id),
        reference_ids=tuple(found for found in reference_ids(headers.all("references")) if found != message_id),
        thread_index=_thread_index(headers),
        gm_thread=gm_thread,
        labels=labels,
        kind=kind_of(headers, labels, raw.flags, address, root.type),
        body=pieces.text,
        hidden=tuple((span.start, span.end, span.kind) for span in pieces.hidden),
        new_text=_new_text(pieces),
        content_key=content_key(address, base, pieces.text, attachments),
        attachments=attachments,
        address_pairs=people.pairs,
        quotes=quotes,
        sketch=sketch(pieces.new),
    )


def content_key(sender: str, subject_base: str, body: str, attachments: tuple[AttachmentInfo, ...] = ()) -> bytes:
    """Equal for copies of one mail: sha256 over the sender's address, the subject without marks, the body with single
    white space and the attachments' contents (two scans with the same empty text are two mails)."""
    parts = [sender, subject_base, " ".join(body.split())]
    parts.extend(sorted(attachment.sha256.hex() for attachment in attachments))
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "replace")).digest()


def stable_id(message_id: str) -> str:
    """A Message-ID or reference as it is stored: in angle brackets, without white space; one that is too long is
    represented by its hash, so that references to it still meet it."""
    found = "".join(charsets.clean(message_id).split())
    if len(found) > MAX_MESSAGE_ID:
        found = f"{hashlib.sha256(found.encode()).hexdigest()}@too-long.invalid"
    return f"<{found}>"


def _pieces(body: Body) -> Split:
    """The text and its kinds. What stands behind a million characters is a log or a dump, not a conversation: it is
    kept, as new text, and not searched for quotations."""
    if body.html is not None or len(body.text) <= MAX_SPLIT:
        return split(body.text, body.html)
    pieces = split(body.text[:MAX_SPLIT])
    rest = body.text[MAX_SPLIT:]
    text = pieces.text + rest
    return Split(text, (*pieces.spans, Span(len(pieces.text), len(text), "new")), pieces.containers)


def _new_text(pieces: Split) -> str:
    """The new text; of a mail that only passes others' words on, those words."""
    new = pieces.new
    if _WORD.search(new) or not pieces.text.strip():
        return new
    return pieces.of("new", "forwarded", "quoted") or pieces.text.strip()


def _message_id(headers: Headers, data: bytes, start: int) -> tuple[str, bool]:
    """The id and whether it was derived: from what does not change when the same mail is exported another way."""
    for value in headers.all("message-id"):
        found = _ID.search(value)
        bare = found[1] if found else value.strip("<> \t")
        if bare.strip() and _WORD.search(bare):
            stored = stable_id(bare)
            return stored, len(bare) > MAX_MESSAGE_ID
    digest = hashlib.sha256()
    for name in ("date", "from", "to", "cc", "subject", "in-reply-to"):
        digest.update(f"{name}:{headers.get(name)}\n".encode("utf-8", "replace"))
    digest.update(data[start:].translate(None, b" \t\r\n\f\v"))
    return f"<{digest.hexdigest()[:40]}@derived.invalid>", True


def reference_ids(values: list[str]) -> tuple[str, ...]:
    """Message-IDs in order, each once. In-Reply-To may be a sentence that holds one."""
    found: dict[str, None] = {}
    for value in values:
        for bare in _ID.findall(value) or _BARE_ID.findall(value):
            if "@" in bare or len(bare) > 8:
                found[stable_id(bare)] = None
    ids = tuple(found)
    return ids if len(ids) <= MAX_REFERENCES else (ids[0], *ids[1 - MAX_REFERENCES :])


def _recipients(headers: Headers, name: str) -> tuple[Mailbox, ...]:
    found: dict[str, Mailbox] = {}
    for value in headers.all(name):
        for mailbox in parse_addresses(value):
            if mailbox.address not in found or not found[mailbox.address].name:
                found[mailbox.address] = mailbox
    return tuple(found.values())


def _thread_index(headers: Headers) -> bytes | None:
    """Outlook's Thread-Index: 22 bytes name the conversation, each answer adds five."""
    value = "".join(headers.get("thread-index").split())
    if not value:
        return None
    try:
        found = base64.b64decode(value + "=" * (-len(value) % 4))
    except (binascii.Error, ValueError):
        return None
    return found[:2000] if len(found) >= 22 else None


def _labels(headers: Headers, folder: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """Gmail's labels in place of the name of the one file that holds them all, and Gmail's thread."""
    thread = headers.get("x-gm-thrid") or None
    value = headers.get("x-gmail-labels")
    if not value:
        return folder, thread
    names = (name.strip().strip('"') for name in re.findall(r'"[^"]*"|[^,]+', text(value)))
    return tuple(dict.fromkeys(name[:MAX_LABEL] for name in names if name)), thread
