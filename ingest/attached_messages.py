"""Messages that are attached to a message: like a forwarded text, they are messages of their own.

Each becomes a quotation without a place in the body. So it is linked to its original where that is in the mailbox, and
else stands as a message that is known only from where it was passed on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ingest.errors import MessageError, SourceError
from ingest.sources import msg
from ingest.types import AttachmentInfo, Mailbox, Message, Quote, RawMessage

# a digest of a list may hold hundreds; nobody attaches more by hand
MOST = 200


def attached_messages(
    attachments: Sequence[AttachmentInfo],
    contents: Sequence[bytes],
    end: int,
    parse: Callable[[RawMessage], Message],
) -> tuple[Quote, ...]:
    """The attached messages as quotations that stand at ``end``, behind the body. ``contents`` are the attachments'
    bytes, ``parse`` reads one message."""
    found: list[Quote] = []
    for attachment, content in zip(attachments, contents, strict=True):
        data = _message(attachment, content)
        if data is None or len(found) == MOST:
            continue
        try:
            message = parse(RawMessage(attachment.part, data))
        except MessageError:
            # it is told among the attachments
            continue
        if message.sender is None and not message.body.strip():
            continue
        found.append(
            Quote(
                kind="forwarded",
                depth=1,
                parent=None,
                author=_quoted(message.sender) if message.sender else None,
                local_at=message.local_at,
                date_text=message.local_at.isoformat(" ") if message.local_at else "",
                to=tuple(_quoted(box) for box in message.to[:100]),
                cc=tuple(_quoted(box) for box in message.cc[:100]),
                subject=message.subject[:1000],
                text=message.new_text,
                start=end,
                stop=end,
                sketch=message.sketch,
            )
        )
    return tuple(found)


def _message(attachment: AttachmentInfo, content: bytes) -> bytes | None:
    """The RFC 822 bytes of an attachment that is a message, also of Outlook's kind."""
    if attachment.type == "message/rfc822":
        return content if content.strip() else None
    if attachment.name.lower().endswith(".msg") and content.startswith(b"\xd0\xcf\x11\xe0"):
        try:
            return msg.message_in(attachment.part, content)
        except (MessageError, SourceError):
            return None
    return None


def _quoted(box: Mailbox) -> Mailbox:
    """A name that stands in for a missing address is only a name in a quotation."""
    return Mailbox("", box.name or box.address) if box.address == box.name.lower() else box
