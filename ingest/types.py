"""What passes between the stages of reading mail: a raw message with its place, then a parsed message.

Both are plain values that can cross a process boundary, since parsing runs in parallel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

AttachmentState = Literal["", "read", "cut", "empty", "skipped", "failed"]
Kind = Literal["mail", "automated", "draft", "spam", "trash", "chat"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part that is too large to be held (``ingest.large``): ``mark`` stands in its place, ``size`` (bytes) and
    ``sha256`` are those of its decoded content."""

    mark: bytes
    size: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class RawMessage:
    """One message as it stands in an export.

    ``key`` is unique within its source and stable between runs: the file's name in a directory, ``offset`` in an
    mbox. ``labels`` are folder names or the export's labels. ``offset`` and ``length`` (bytes) find it again in the
    source file. ``data`` is the RFC 822 message. ``envelope`` is the mbox From_ line (without "From "), else "".
    ``flags`` are the Maildir flag letters ("RST"), else "". ``thread`` is the conversation's number where the source,
    not the message, tells it. Of a message beyond the size that is held ``data`` lacks what ``left_out`` names, and
    ``sha256`` is that of the whole.
    """

    key: str
    data: bytes
    labels: tuple[str, ...] = ()
    offset: int | None = None
    length: int | None = None
    envelope: str = ""
    flags: str = ""
    thread: str = ""
    sha256: bytes = b""
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A piece of a source that is no message, with the reason: a row of the ledger."""

    key: str
    error: str
    detail: str
    offset: int | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address as written in a header: ``address`` is lower case, never empty (the name stands in where a header
    has no address), ``name`` is the decoded display name or ""."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class AttachmentInfo:
    """What is known of an attachment without its bytes. ``part`` is its path in the MIME tree ("2.1").

    ``text`` is what it says, ``state`` what became of reading it ("" before it was tried; "cut": only a part of it),
    ``detail`` the reason where it was not read whole.
    """

    part: str
    name: str
    type: str
    sha256: bytes
    bytes: int
    text: str = ""
    state: AttachmentState = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted or forwarded message inside another one: ``body[start:stop]``, with ``text`` its own words.

    ``parent`` is the place, in the message's quotes, of the one that contains it. ``local_at`` is what the quoting
    program's clock said. Here a Mailbox may have an empty address. ``sketch``: see ingest.sketch.
    """

    kind: Literal["quoted", "forwarded"]
    depth: int
    parent: int | None
    author: Mailbox | None
    local_at: datetime | None
    date_text: str
    to: tuple[Mailbox, ...]
    cc: tuple[Mailbox, ...]
    subject: str
    text: str
    start: int
    stop: int
    sketch: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """A parsed and cleaned message: text is valid Unicode without NUL and lone surrogates.

    ``sent_at`` is aware, ``local_at`` the same moment on the clock of the Date header's own offset (naive);
    ``date_from`` tells where it comes from: header, received, envelope, or None. ``hidden`` are the spans of ``body``
    that are not new text: (start, stop, kind). ``content_key`` is equal for copies of one mail.
    """

    key: str
    offset: int | None
    length: int | None
    raw_sha256: bytes
    message_id: str
    message_id_derived: bool
    sender: Mailbox | None
    to: tuple[Mailbox, ...]
    cc: tuple[Mailbox, ...]
    bcc: tuple[Mailbox, ...]
    subject: str
    subject_base: str
    is_reply: bool
    is_forward: bool
    sent_at: datetime | None
    local_at: datetime | None
    date_from: Literal["header", "received", "envelope"] | None
    in_reply_to: tuple[str, ...]
    reference_ids: tuple[str, ...]
    thread_index: bytes | None
    gm_thread: str | None
    labels: tuple[str, ...]
    kind: Kind
    body: str
    hidden: tuple[tuple[int, int, str], ...]
    new_text: str
    content_key: bytes
    attachments: tuple[AttachmentInfo, ...] = ()
    language: str | None = None
    # X-From, X-To and the like: pairs (X.500 or other directory name, SMTP address) seen in one header: evidence for
    # identity
    address_pairs: tuple[tuple[str, str], ...] = field(default=())
    quotes: tuple[Quote, ...] = ()
    # of the sender's own words
    sketch: bytes = b""
