"""What cannot be held or stored as it is: messages too large for memory, names that are not text."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ingest.large import LARGE, Read, reduced
from ingest.types import RawMessage

# A message is read whole up to this size when a person opens it; and no single value in an export is larger.
MAX_MESSAGE = 128 * 1024 * 1024


def read_file(path: Path) -> bytes:
    """The bytes of a file that is one message, up to the limit. Raises OSError."""
    with path.open("rb") as file:
        return file.read(MAX_MESSAGE)


def message_of_file(path: Path, make: Callable[[bytes], RawMessage]) -> RawMessage:
    """The message that a file is: ``make`` gets its bytes, reduced where it is too large. Raises OSError."""
    with path.open("rb") as file:
        data = file.read(LARGE + 1)
        return make(data) if len(data) <= LARGE else streamed(data, file.read, make)


def streamed(first: bytes, read: Read, make: Callable[[bytes], RawMessage]) -> RawMessage:
    """The message whose beginning is ``first`` and whose rest ``read`` gives, reduced; ``make`` gets what is kept."""
    held = [first] if first else []

    def next_block(size: int) -> bytes:
        return held.pop() if held else read(size)

    data, sha256, left_out = reduced(next_block)
    return replace(make(data), sha256=sha256, left_out=left_out)


def readable_name(name: str) -> str:
    """A file's name as text that can be stored: bytes that are not valid Unicode become ``\\xNN``."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")
