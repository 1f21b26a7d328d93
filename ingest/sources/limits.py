"""What cannot be stored as it is: messages too large for memory, names that are not text."""

from __future__ import annotations

import os
from pathlib import Path

from ingest.errors import MessageTooLarge
from ingest.types import Unreadable

# Mail servers refuse far smaller ones. A damaged mbox, whose separators are lost, may look like one message of many
# gigabytes.
MAX_MESSAGE = 128 * 1024 * 1024


def read_file(path: Path) -> bytes:
    """The bytes of a file that is one message, up to the limit. Raises OSError."""
    with path.open("rb") as file:
        return file.read(MAX_MESSAGE)


def too_large(key: str, length: int, offset: int | None = None) -> Unreadable | None:
    """The row of the ledger for a message of ``length`` bytes, or None when it is read whole."""
    if length <= MAX_MESSAGE:
        return None
    error = MessageTooLarge(key, length, MAX_MESSAGE)
    return Unreadable(key, type(error).__name__, str(error), offset, length)


def readable_name(name: str) -> str:
    """A file's name as text that can be stored: bytes that are not valid Unicode become ``\\xNN``."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")
