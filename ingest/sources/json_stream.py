"""The objects of a JSON file one by one, in memory for one of them, whatever they stand in.

Exports come as lines of JSON, as one list, as one object with a list in it (``{"value": [...]}``), or as objects one
after the other. An object is taken for a container when its list stands in no field that mail has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from ingest.sources.limits import MAX_MESSAGE

BLOCK = 1 << 20
# lists that messages have themselves
_OF_A_MESSAGE = frozenset(
    "from to cc bcc recipients torecipients ccrecipients bccrecipients replyto attachments files labels labelids tags "
    "folders categories flags headers internetmessageheaders references inreplyto sender parts participants".split()
)
# fields that no container of messages has
_MAIL = frozenset(
    "subject from sender body text html content date sentdatetime messageid internetmessageid raw".split()
)
_NOT_SPACE = re.compile(r"\S")
_LIST_OF_OBJECTS = re.compile(r"\[\s*\{")


class BrokenJson(Exception):
    """What stands there is no JSON; ``line`` for a file of lines, which goes on with the next."""


def objects(path: Path) -> Iterator[dict[str, Any] | BrokenJson]:
    """Yields the objects in order, and a BrokenJson for a line that is none or in place of the rest of the file.
    Raises OSError."""
    with path.open(encoding=_encoding(path), errors="replace", newline="") as file:
        first = file.readline(4 * BLOCK)
        by_lines = (
            _is_object(first)
            and bool(_NOT_SPACE.search(second := file.readline(4 * BLOCK)))
            and (second.lstrip().startswith("{"))
        )
        file.seek(0)
        try:
            yield from _lines(file) if by_lines else _values(_Text(file))
        except (json.JSONDecodeError, RecursionError) as error:
            yield BrokenJson(str(error) or "it is nested too deeply")


def plain_name(key: str) -> str:
    """A field's name without case and punctuation: "from_address", "From: (Address)" are "fromaddress"."""
    return re.sub(r"[\W_]", "", key.lower())


def _lines(file: TextIO) -> Iterator[dict[str, Any] | BrokenJson]:
    for line in file:
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            yield BrokenJson(str(error) or "it is nested too deeply")
            continue
        yield found if isinstance(found, dict) else BrokenJson("it is no object")


def _values(text: _Text) -> Iterator[dict[str, Any] | BrokenJson]:
    while start := text.peek():
        if start == "[":
            yield from _array(text)
        elif start == "{":
            yield from _object(text)
        else:
            text.value()


def _array(text: _Text) -> Iterator[dict[str, Any] | BrokenJson]:
    text.take("[")
    while text.peek() != "]":
        found = text.value()
        yield found if isinstance(found, dict) else BrokenJson("it is no object")
        if text.peek() == ",":
            text.take(",")
    text.take("]")


def _object(text: _Text) -> Iterator[dict[str, Any] | BrokenJson]:
    """The object itself, or the elements of the list in it."""
    held: dict[str, Any] = {}
    container = False
    text.take("{")
    while text.peek() != "}":
        key = text.value()
        text.take(":")
        may_contain = plain_name(str(key)) not in _OF_A_MESSAGE and not any(plain_name(name) in _MAIL for name in held)
        if may_contain and text.is_list_of_objects():
            container = True
            yield from _array(text)
        else:
            held[str(key)] = text.value()
        if text.peek() == ",":
            text.take(",")
    text.take("}")
    if not container:
        yield held


class _Text:
    """A file of JSON, of which as much is held as the value that is read needs."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._held = ""
        self._at = 0
        self._ended = False
        self._decoder = json.JSONDecoder(strict=False)

    def peek(self) -> str:
        """The next character that is no white space, "" at the end."""
        while True:
            found = _NOT_SPACE.search(self._held, self._at)
            if found:
                self._at = found.start()
                return found[0]
            if self._ended:
                return ""
            self._more(BLOCK)

    def take(self, character: str) -> None:
        """Passes over that character. Raises json.JSONDecodeError when another one stands there."""
        if self.peek() != character:
            raise json.JSONDecodeError(f"expected {character}", self._held[self._at : self._at + 40], 0)
        self._at += 1

    def is_list_of_objects(self) -> bool:
        """Whether a list stands next whose first element is an object."""
        if self.peek() != "[":
            return False
        if len(self._held) - self._at < BLOCK:
            self._more(BLOCK)
        return bool(_LIST_OF_OBJECTS.match(self._held, self._at))

    def value(self) -> Any:
        """The next value. Raises json.JSONDecodeError."""
        self.peek()
        size = BLOCK
        while True:
            try:
                found, end = self._decoder.raw_decode(self._held, self._at)
            except json.JSONDecodeError:
                if self._ended or len(self._held) - self._at > MAX_MESSAGE:
                    raise
            else:
                # a number at the end of what is held may go on
                if end < len(self._held) or self._ended:
                    self._at = end
                    return found
            self._more(size)
            size *= 2

    def _more(self, size: int) -> None:
        block = self._file.read(size)
        self._ended = not block
        self._held, self._at = self._held[self._at :] + block, 0


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(4)
    return "utf-16" if start[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (json.JSONDecodeError, RecursionError):
        return False
