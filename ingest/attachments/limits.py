"""How much is read of one attachment: bytes, characters, pages, what it unpacks to, seconds. Each limit that was hit is
told, so that nothing is missing without a word."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MAX_BYTES = 32 * 1024 * 1024
MAX_CHARACTERS = 100_000
MAX_PAGES = 200
MAX_UNPACKED = 128 * 1024 * 1024
MAX_SECONDS = 10.0
# of all attachments of one message
MAX_SECONDS_MESSAGE = 30.0


class Unread(Exception):
    """Nothing is read of an attachment, for a reason that a person can understand."""


class Collected:
    """Text as it is found, up to the limit. ``cut`` names the limit that ended it."""

    def __init__(self, characters: int = MAX_CHARACTERS) -> None:
        self._pieces: list[str] = []
        self._left = characters
        self._limit = characters
        self.cut = ""

    def add(self, text: str) -> bool:
        """Takes the text; False once no more is wanted."""
        if len(text) > self._left:
            text = text[: self._left]
            self.cut = f"the first {self._limit:,} characters"
        self._left -= len(text)
        self._pieces.append(text)
        return not self.cut

    def text(self) -> str:
        """What was collected."""
        return "".join(self._pieces)


class _OutOfTime(BaseException):
    """Not an Exception: libraries that read documents swallow those."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Ends what runs inside it after that time by raising Unread; only where the system and the thread allow it."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _OutOfTime

    started = time.monotonic()
    handler = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _OutOfTime:
        raise Unread(f"it takes longer than {seconds:.0f} seconds") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            # another clock that was running goes on
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - started)), interval)
