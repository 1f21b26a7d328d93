"""What each part of a column is worth: one thing is changed, the questions are put again, the difference is reported.

Two kinds of change. What is decided while asking (weights, fusion, expansion, number of hits) is a constant of the
program that is given another value for the length of a run: the very code that people use is measured, without
switches that nobody else needs. What is decided while cutting (history, header lines, size) needs other chunks; they
are made in a copy of the store, where only texts that are new are embedded, and the copy is dropped afterwards.
An interrupted copy is gone on with.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from graph.build import build
from ingest.progress import SILENT, Progress
from retrieval.evaluation.gold import Gold
from retrieval.evaluation.report import difference_json
from retrieval.evaluation.run import Run, run
from retrieval.evaluation.score import recall_at
from retrieval.evaluation.statistics import estimate, median_estimate, paired
from sql.copy import copy_rows
from sql.store import Store, drop_store, open_store
from ui.measuring import QuestionSet, revision
from ui.models import Models
from ui.settings import Settings

if TYPE_CHECKING:
    from retrieval.models.embed import Embedder

HITS = 12
WITHOUT_VECTORS = {"lexical", "graph"}
Rewrite = Callable[[psycopg.Connection], None]


@dataclass(frozen=True)
class Variant:
    """One change. ``constants``: (module, name, value); ``rewrite``: what is changed in the copy before cutting or
    after it (``afterwards``); ``limit``: hits asked for, by which recall is cut too; ``model``: another embedder."""

    name: str
    says: str
    constants: tuple[tuple[str, str, object], ...] = ()
    rewrite: Rewrite | None = None
    afterwards: Rewrite | None = None
    limit: int = HITS
    model: str | None = None

    @property
    def needs_copy(self) -> bool:
        """Whether other chunks or vectors are needed."""
        return self.rewrite is not None or self.afterwards is not None or self.model is not None


def _with_history(conn: psycopg.Connection) -> None:
    conn.execute("UPDATE mail.message SET new_text = body")


def _cut_again(conn: psycopg.Connection) -> None:
    conn.execute("DELETE FROM mail.chunk_state")


def _without_header(conn: psycopg.Connection) -> None:
    """A chunk is its header lines, a blank line, and its piece; one without a piece stays as it is."""
    conn.execute(
        r"""
        UPDATE mail.chunk SET text = piece, sha256 = sha256(convert_to(piece, 'UTF8'))
        FROM (SELECT id AS number, regexp_replace(text, '^.*?\n\n', '') AS piece FROM mail.chunk) p
        WHERE number = id AND stop > start AND piece <> ''
        """
    )


def _k(value: int) -> tuple[tuple[str, str, object], ...]:
    return ("retrieval.fusion", "K", value), ("retrieval.columns.hybrid", "K", value)


HYBRID = "retrieval.columns.hybrid"
VARIANTS = (
    Variant("history", "quoted history left in the chunks", rewrite=_with_history),
    Variant("header", "chunks without their header lines", afterwards=_without_header),
    Variant("size", "chunks of 128 tokens", (("ingest.chunks", "LIMIT", 126),), rewrite=_cut_again),
    Variant("threads", "no messages of the same conversations", ((HYBRID, "THREAD_SEEDS", 0),)),
    Variant("automated", "automated mail weighs as much as any", ((HYBRID, "AUTOMATED_WEIGHT", 1.0),)),
    Variant("k=60", "rank fusion with k = 60", _k(60)),
    Variant("k=200", "rank fusion with k = 200", _k(200)),
    Variant("top 5", "5 messages instead of 12", limit=5),
    Variant("top 20", "20 messages instead of 12", limit=20),
    Variant("top 40", "40 messages instead of 12", limit=40),
)


def ablate(
    settings: Settings,
    models: Models,
    asked: QuestionSet,
    columns: Sequence[str],
    variants: Sequence[Variant] = VARIANTS,
    *,
    stop: threading.Event,
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """Measures ``columns`` as they are and with each change; the store of ``settings`` itself is left as it is.

    Recall over the messages that a column gives (12, or the variant's own number), and its paired difference from the
    unchanged column over the same questions. Stops between questions when ``stop`` is set and says so.
    """
    embedder = None if WITHOUT_VECTORS.issuperset(columns) else models.embedder_or_none()
    with open_store(settings.store, dsn=settings.dsn, home=settings.home) as store:
        base = _run(store, asked, columns, Variant("", "as it is"), embedder, stop, progress)
    rows = [_row(base, base, column, Variant("", "as it is"), 0) for column in columns if base.finished]
    for variant in variants:
        if stop.is_set():
            break
        made = 0
        if variant.needs_copy:
            with (
                _copy(settings, variant, stop) as store,
                _varied(variant.constants),
                _embedder(settings, variant, embedder) as own,
            ):
                made = _cut(store, variant, own, stop, progress)
                varied = None if stop.is_set() else _run(store, asked, columns, variant, own, stop, progress)
        else:
            with open_store(settings.store, dsn=settings.dsn, home=settings.home) as store, _varied(variant.constants):
                varied = _run(store, asked, columns, variant, embedder, stop, progress)
        if varied is not None and varied.finished:
            rows += [_row(base, varied, column, variant, made) for column in columns]
    return {
        "run": base.id,
        "finished": not stop.is_set(),
        "questions": len(base.gold),
        "excluded": base.excluded,
        "settings": base.settings,
        "rows": rows,
    }


def _run(
    store: Store,
    asked: QuestionSet,
    columns: Sequence[str],
    variant: Variant,
    embedder: Embedder | None,
    stop: threading.Event,
    progress: Progress,
) -> Run:
    progress.step(variant.says, len(asked.questions), "questions")
    before = 0

    def tell(done: int, of: int) -> None:
        nonlocal before
        progress.advance(done - before)
        before = done

    return run(
        store, asked.questions, columns, name=f"{asked.name}: {variant.says}", embedder=embedder, limit=variant.limit,
        revision=f"{revision()} {variant.name}".strip(), stop=stop, progress=tell,
    )  # fmt: skip


def _cut(store: Store, variant: Variant, embedder: Embedder | None, stop: threading.Event, progress: Progress) -> int:
    """Chunks of the copy as the variant wants them, and the vectors of those that are new; gives their number."""
    from ingest import chunks
    from ingest.embed import embed

    with store.owner() as conn:
        if variant.rewrite is not None:
            variant.rewrite(conn)
            conn.commit()
            chunks.rebuild(conn, progress)
        if variant.afterwards is not None:
            variant.afterwards(conn)
    return embed(store, embedder, progress=progress, stop=stop.is_set).made if embedder is not None else 0


@contextmanager
def _embedder(settings: Settings, variant: Variant, usual: Embedder | None) -> Iterator[Embedder | None]:
    """The variant's own embedder, else the usual one. Raises a ModelError where it is not here."""
    if variant.model is None:
        yield usual
        return
    from retrieval.models.embed import open_embedder

    own = open_embedder(variant.model, cache=settings.models, gpu_layers=settings.gpu_layers)
    try:
        yield own
    finally:
        own.close()


def another_model(name: str) -> Variant:
    """Embedded by another model of the catalogue (or the path of a file)."""
    short = "".join(c if c.isalnum() else "-" for c in name.rpartition("/")[2])
    return Variant(f"model-{short}"[:40], f"embedded by {name}", model=name)


def _row(base: Run, varied: Run, column: str, variant: Variant, made: int) -> dict[str, Any]:
    pairs = [pair for gold in base.gold if (pair := _pair(gold, base, varied, column, variant.limit)) is not None]
    recall = estimate([now for _, now in pairs])
    records = [record for by_column in varied.records.values() if (record := by_column.get(column))]
    milliseconds = median_estimate([r.milliseconds.get("total", 0.0) for r in records])
    context = median_estimate([float(r.context_characters) for r in records])
    return {
        "column": column,
        "variant": variant.name,
        "says": variant.says,
        "recall": recall.to_json() if recall else None,
        "at": variant.limit,
        "difference": difference_json(paired([now for _, now in pairs], [then for then, _ in pairs]))
        if pairs and variant.name
        else None,
        "median_ms": milliseconds.to_json() if milliseconds else None,
        "context_characters": context.to_json() if context else None,
        "vectors_made": made,
    }


def _pair(gold: Gold, base: Run, varied: Run, column: str, limit: int) -> tuple[float, float] | None:
    """Recall before and after, where both can be scored."""
    i = gold.question.id
    if i not in base.records or i not in varied.records:
        return None
    then = recall_at(gold, base.records[i][column], HITS)
    now = recall_at(gold, varied.records[i][column], limit)
    return None if then is None or now is None else (then, now)


@contextmanager
def _varied(constants: Sequence[tuple[str, str, object]]) -> Iterator[None]:
    """Constants of the program with other values, for a while. An unknown one is a fault: AttributeError."""
    before = [(importlib.import_module(module), name) for module, name, _ in constants]
    saved = [getattr(module, name) for module, name in before]
    try:
        for (module, name), (_, _, value) in zip(before, constants, strict=True):
            setattr(module, name, value)
        yield
    finally:
        for (module, name), value in zip(before, saved, strict=True):
            setattr(module, name, value)


@contextmanager
def _copy(settings: Settings, variant: Variant, stop: threading.Event) -> Iterator[Store]:
    """A copy of the store, dropped at the end; kept when stopped, so that its vectors are not made twice."""
    name = f"{settings.store}-{variant.name}"
    try:
        with open_store(name, dsn=settings.dsn, home=settings.home) as store:
            with store.reader() as conn:
                there = conn.execute("SELECT EXISTS (SELECT FROM mail.message)").fetchone() == (True,)
            if not there:
                with open_store(settings.store, dsn=settings.dsn, home=settings.home) as original:
                    copy_rows(original, store)
            build(store)
            yield store
    finally:
        if not stop.is_set():
            drop_store(name, dsn=settings.dsn, home=settings.home)
