"""What a column is given: the store, the models there are, and the one plan of the question."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from retrieval.errors import ColumnUnavailable
from retrieval.planning import Planner
from retrieval.types import FoundBy, Hit, Step

if TYPE_CHECKING:
    from retrieval.models.chat import ChatModel
    from retrieval.models.embed import Embedder
    from retrieval.rerank import Reranker
    from sql.store import Store


@dataclass(frozen=True)
class Tools:
    """``embedder`` and ``chat`` are None where this installation has none; a column that needs one says so.
    ``reranker``: where it is switched on."""

    store: Store
    planner: Planner
    embedder: Embedder | None = None
    chat: ChatModel | None = None
    reranker: Reranker | None = None

    def need_embedder(self) -> Embedder:
        """The embedder. Raises ColumnUnavailable."""
        if self.embedder is None:
            raise ColumnUnavailable("This column needs an embedding model, and none is here yet.")
        return self.embedder


class Trace:
    """Collects the steps of a column with their times."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    @contextmanager
    def step(self, name: str, input: str) -> Iterator[Notes]:
        """A step; its output and size are set on what it yields. One that fails stands in the trace as well."""
        notes = Notes()
        started = time.perf_counter()
        try:
            yield notes
        finally:
            self.steps.append(Step(name, input, notes.output, notes.size, (time.perf_counter() - started) * 1000))


@dataclass
class Notes:
    """What a step says of its result."""

    output: str = ""
    size: int = 0


@dataclass
class Found:
    """A message on its way to a hit: where it was found, with which score, the part of its text that matched, and the
    message quoted in it whose text matched, where that is known only from there."""

    message: int
    score: float
    found_by: list[FoundBy] = field(default_factory=list)
    span: tuple[int, int] | None = None
    quoted: int | None = None


def hits(found: Iterable[Found], limit: int) -> list[Hit]:
    """The first ``limit`` of them as hits."""
    out: list[Hit] = []
    for f in found:
        if len(out) == limit:
            break
        out.append(Hit(f.message, len(out) + 1, f.score, tuple(f.found_by), f.span, f.quoted))
    return out
