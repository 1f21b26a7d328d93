"""Progress on standard error: a bar with rate and time left where somebody watches, a line a step where nobody does."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

UNITS = {"bytes": 1_000_000, "messages": 1, "chunks": 1}


class Bars:
    """Draws the steps of a long job (an ``ingest.progress.Progress``). For a ``with`` block; ``quiet`` draws none."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._drawn = not quiet and sys.stderr.isatty()
        self._progress: Any = None
        self._task: Any = None
        self._name, self._unit, self._done, self._begun = "", "", 0, 0.0

    def __enter__(self) -> Bars:
        if self._drawn:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description:<22}"),
                BarColumn(bar_width=28),
                TextColumn("{task.fields[amount]:>24}"),
                TextColumn("{task.fields[rate]:>18}"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                refresh_per_second=5,
            )
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_step(finished=kind is None)
        if self._progress is not None:
            self._progress.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing is drawn within: a question stands there."""
        if self._progress is not None:
            self._progress.stop()
        yield
        if self._progress is not None:
            self._progress.start()

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        """A new step begins; the one before it is done."""
        self._end_step(finished=True)
        self._name, self._unit, self._done, self._begun = name, unit, 0, time.monotonic()
        if self._progress is not None:
            self._task = self._progress.add_task(name, total=total, amount="", rate="")

    def advance(self, n: int = 1) -> None:
        """``n`` more units of the current step are done."""
        self._done += n
        if self._progress is None or self._task is None:
            return
        task = self._progress.tasks[self._progress.task_ids.index(self._task)]
        of = f" of {self._amount(int(task.total))}" if task.total is not None else ""
        self._progress.update(self._task, advance=n, amount=f"{self._amount(self._done)}{of}", rate=self._rate())

    def at(self, done: int, total: int, words: str = "") -> None:
        """Of the current step ``done`` of ``total`` units are done (0: not known)."""
        self._done = done
        if self._progress is not None and self._task is not None:
            of = f" of {self._amount(total)}" if total else ""
            self._progress.update(
                self._task, completed=done, total=total or None, amount=f"{self._amount(done)}{of}", rate=self._rate(),
                description=f"{self._name} {words}".strip(),
            )  # fmt: skip

    def _end_step(self, *, finished: bool) -> None:
        if not self._name:
            return
        if self._progress is not None and finished:
            whole = max(self._done, 1)
            self._progress.update(self._task, total=whole, completed=whole, rate=self._rate(), description=self._name)
        elif not self._drawn and not self._quiet:
            took = time.monotonic() - self._begun
            amount = (
                f", {self._amount(self._done)} {self._unit if self._unit != 'bytes' else ''}".rstrip()
                if self._done
                else ""
            )
            print(
                f"{self._name}: {took:.1f} s{amount}{'' if finished else ' (not finished)'}",
                file=sys.stderr,
                flush=True,
            )
        self._name = ""

    def _amount(self, n: int) -> str:
        return f"{n / 1_000_000:,.1f} MB" if self._unit == "bytes" else f"{n:,}"

    def _rate(self) -> str:
        took = time.monotonic() - self._begun
        if took < 0.2 or not self._done:
            return ""
        rate = self._done / took
        return f"{rate / 1_000_000:,.1f} MB/s" if self._unit == "bytes" else f"{rate:,.0f} {self._unit}/s"
