"""How a long job tells where it is. The command line and the page draw it; without a listener nothing is drawn."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """One listener. A job is a row of steps, each with a total in ``unit`` (None: not known beforehand)."""

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        """A new step begins; the one before it is done."""

    def advance(self, n: int = 1) -> None:
        """``n`` more units of the current step are done."""


class Silent:
    """A listener that draws nothing."""

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        """Nothing."""

    def advance(self, n: int = 1) -> None:
        """Nothing."""


SILENT = Silent()
