"""Reading mail as one job: sources into rows, rows into the graph, chunks into vectors.

The packages below do not know each other; this is where one follows the other. What is interrupted is gone on with
by the same call, since each part looks at what is there already.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from ingest.progress import SILENT, Progress

if TYPE_CHECKING:
    from ingest.pipeline import IngestResult
    from sql.store import Store


@dataclass
class ReadResult:
    """What one call did. ``graph``: vertices and edges by label, empty where the graph was current already."""

    ingest: IngestResult
    graph: dict[str, int] = field(default_factory=dict)
    stopped: bool = False


def read_mail(
    store: Store,
    paths: Sequence[Path],
    *,
    owner: Sequence[str] = (),
    mailbox: str = "default",
    progress: Progress = SILENT,
    stopped: Callable[[], bool] = lambda: False,
) -> ReadResult:
    """Ingests ``paths`` into ``store`` and builds the graph when anything changed.

    Raises ingest.errors.IngestError for paths that hold no mail and sql.errors.StoreBusy while another program writes.
    """
    from graph import build, current
    from ingest.pipeline import ingest

    result = ReadResult(
        ingest(store, paths, mailbox=mailbox, owner=owner, progress=progress, stopped=stopped), stopped=stopped()
    )
    if result.stopped:
        return result
    raise NotImplementedError(build, current)


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Ctrl-C asks the job to end after its batch; a second Ctrl-C ends it at once. Gives the question "stopped?"."""
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
