"""Reading mail as one job: sources into rows, rows into the graph, chunks into vectors.

The packages below do not know each other; this is where one follows the other. What is interrupted is gone on with
by the same call, since each part looks at what is there already.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from ingest.progress import SILENT, Progress

if TYPE_CHECKING:
    from graph.current import GraphState
    from ingest.embed import EmbedResult
    from ingest.pipeline import IngestResult
    from ingest.sources.imap import Account
    from sql.store import Store
    from ui.models import Models


@dataclass
class ReadResult:
    """What one call did. ``graph``: rows of each label, None where the graph was current already.
    ``without_vectors``: why none were made. ``stopped``: the person ended it; the next call goes on."""

    ingest: IngestResult
    graph: dict[str, int] | None = None
    vectors: EmbedResult | None = None
    without_vectors: str = ""
    stopped: bool = False

    def words(self) -> list[str]:
        """What was done, in lines for a person; what could not be read stands on the last."""
        done = self.ingest
        lines = [f"Skipped {path}: {reason}" for path, reason in done.skipped]
        lines += [f"{old} is known as {new} from now on." for old, new in done.moved]
        seconds = sum(done.seconds.values())
        new = f"{done.messages:,} new messages" + (f" and {done.copies:,} copies" if done.copies else "")
        known = f", {done.unchanged} of them unchanged" if done.unchanged else ""
        lines.append(
            f"{new} from {done.sources} {'source' if done.sources == 1 else 'sources'}{known}, {seconds:.1f} s."
        )
        if done.forgotten:
            lines.append(f"{done.forgotten:,} messages are no longer there and were forgotten.")
        lines += [
            f"{path} is not there any more. Has it moved: mailweave sources relocate OLD NEW. "
            "Is it gone for good: mailweave forget PATH. Its messages are kept until then."
            for path in done.missing
        ]
        if self.graph is not None:
            lines.append(f"Graph built: {sum(self.graph.values()):,} vertices and edges.")
        if self.vectors is not None:
            lines.append(said_of_vectors(self.vectors))
        if self.without_vectors:
            lines.append(f"No vectors yet: {self.without_vectors}")
        if self.stopped:
            lines.append("Stopped before the end; the same command goes on from here.")
        if done.unreadable:
            lines.append(f"{done.unreadable:,} could not be read: mailweave errors says why.")
        return lines


def read_mail(
    store: Store,
    paths: Sequence[Path | Account],
    *,
    owner: Sequence[str] = (),
    mailbox: str = "default",
    jobs: int | None = None,
    models: Models | None = None,
    progress: Progress = SILENT,
    stopped: Callable[[], bool] = lambda: False,
    sync: bool = False,
    has_moved: Callable[[str, str], bool] = lambda old, new: False,
) -> ReadResult:
    """Ingests ``paths`` into ``store`` (without paths: the known sources), builds the graph where it is behind, and
    with ``models`` makes the vectors that are missing; where the model is not here the result says so. ``sync``: what
    is no longer there is forgotten; ``has_moved`` is asked whether a source that is gone is the new one like it.

    Raises ingest.errors.IngestError for paths that hold no mail and sql.errors.StoreBusy while another program writes.
    """
    from graph import update
    from ingest.pipeline import ingest

    built: list[GraphState] = []
    given: list[Path | Account] = [*paths] or [*known_sources(store)]
    done = ingest(
        store, given, mailbox=mailbox, owner=owner, jobs=jobs, progress=progress, stopped=stopped,
        forget_missing=sync, has_moved=has_moved,
        beside=lambda: built.append(update.update(store)),
    )  # fmt: skip
    result = ReadResult(done, stopped=stopped())
    if not result.stopped:
        after = build_graph(store, progress)
        result.graph = built[-1].counts if built else after
    if models is not None and not result.stopped:
        _embed(store, models, result, progress, stopped)
    return result


def _embed(store: Store, models: Models, result: ReadResult, progress: Progress, stopped: Callable[[], bool]) -> None:
    from ingest.embed import embed
    from retrieval.models.errors import ModelEngineMissing, ModelMissing

    try:
        embedder = models.embedder()
    except (ModelEngineMissing, ModelMissing) as error:  # all else works without; the result says what is missing
        result.without_vectors = str(error)
        return
    result.vectors = embed(store, embedder, progress=progress, stop=stopped)
    result.stopped = result.vectors.stopped


def said_of_vectors(vectors: EmbedResult) -> str:
    """What was embedded, in words."""
    rate = f", {vectors.made / vectors.seconds:,.0f} a second" if vectors.made and vectors.seconds else ""
    return f"{vectors.made:,} vectors made{rate}; {vectors.embedded:,} of {vectors.chunks:,} chunks have one."


def build_graph(store: Store, progress: Progress = SILENT) -> dict[str, int] | None:
    """Makes the graph what the tables say: built where there is none or another version made it, changed where rows
    changed since. Gives the rows of each label, or None when it was current."""
    from graph import current, update

    with store.reader() as conn:
        before = current.state(conn)
    progress.step("graph", None, "labels")
    with store.writer_lock("graph"):
        after = update.update(store, progress=lambda label, done, of: progress.advance())
    return None if before is not None and after == before else after.counts


def forget_mail(store: Store, names: Sequence[str], progress: Progress = SILENT) -> int:
    """Removes sources and all that stood nowhere else; chunks, vectors and graph follow. Returns how many messages left
    the store. Raises ingest.errors.UnknownSource and sql.errors.StoreBusy."""
    from ingest.known import forget

    gone = forget(store, names, progress)
    build_graph(store, progress)
    return gone


def known_sources(store: Store) -> list[Path]:
    """The sources that were ingested before and are still there."""
    with store.reader() as conn:
        rows = conn.execute("SELECT path FROM mail.source ORDER BY path").fetchall()
    return [path for (name,) in rows if (path := Path(name)).exists()]


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
