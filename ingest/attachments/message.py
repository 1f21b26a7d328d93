"""The text of an attached message: who wrote what to whom, and the names of what is attached to it in turn."""

from __future__ import annotations

from ingest.addresses import parse_addresses
from ingest.attachments.limits import Collected, Unread
from ingest.body import read_body
from ingest.errors import MessageError, SourceError
from ingest.headers import text
from ingest.html_text import html_to_text
from ingest.mime import parse_tree
from ingest.sources import msg

_FIELDS = ("from", "to", "cc", "date", "subject")


def read_message(content: bytes, into: Collected) -> None:
    """Adds the head's lines that people read, and the text. The history in it is kept: it is this mail's content."""
    root = parse_tree(content)
    for name in _FIELDS:
        value = root.headers.get(name)
        if not value:
            continue
        shown = text(value)
        if name in ("from", "to", "cc"):
            shown = ", ".join(m.name or m.address for m in parse_addresses(value)) or shown
        into.add(f"{name.capitalize()}: {shown[:500]}\n")
    body = read_body(root)
    own = body.text if body.text.strip() or not body.html else html_to_text(body.html).text
    into.add("\n" + own.strip() + "\n")
    for attachment in body.attachments:
        if attachment.name:
            into.add(f"\nAttached: {attachment.name}")


def read_outlook_message(content: bytes, into: Collected) -> None:
    """The same of an attached .msg file. Raises Unread."""
    try:
        message = msg.message_in("attachment", content)
    except (MessageError, SourceError) as error:
        raise Unread(str(error)) from error
    read_message(message, into)
