"""A written answer is checked against what the model was given, by the cheapest means first.

By words: every sentence against what it cites, the numbers against the facts. Then the embedder, for sentences that say
it in other words. Then a second model as judge, where one is set. Each check writes what it finds into the column and
takes nothing away: a model that fails at it leaves an error there, and the answer stands.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from retrieval import agreement
from retrieval.answer import Claims
from retrieval.columns.base import Notes
from retrieval.errors import RetrievalError, as_query_error
from retrieval.models.errors import ModelCancelled, ModelError
from retrieval.reading import DOUBTED, Reading
from retrieval.result import ColumnResult
from retrieval.support import judged, sentences
from retrieval.support_meaning import by_meaning

if TYPE_CHECKING:
    from retrieval.judge import Judge
    from retrieval.models.embed import Embedder


def check_words(column: ColumnResult, claims: Claims, question: str, read: Reading) -> None:
    """The answer itself, whether it is one, which of its sentences stand in what they cite, and what it contradicts."""
    facts, said = column.retrieved.facts, read.said
    people = [name for m in read.texts for name in (m.sender, *m.to, *m.cc)]
    column.claims, column.answer = claims, claims.text
    column.sentences = sentences(claims.text, claims.citations, said, [f.text for f in facts], people)
    if claims.declined:
        column.outcome = "declined"
        return
    cited = [said[i] for i in claims.cited if i in said]
    if told := agreement.with_answer(claims.text, question, facts, cited):
        column.disagreements += (told,)
    if read.doubted.intersection(claims.cited):
        column.disagreements += (DOUBTED,)
    column.outcome = "answered"


def check_meaning(column: ColumnResult, said: Mapping[int, str], embedder: Embedder) -> None:
    """The sentences that say in other words what they cite. ``said``: what each message id says, its header first."""
    before = _supported(column)
    with _check(column, "support", embedder.name) as notes:
        column.sentences = by_meaning(column.sentences, column.answer or "", said, embedder)
        further = _supported(column) - before
        notes.output = f"{before} sentences stand in what they cite by their words, {further} more by their meaning"


def ask_judge(
    column: ColumnResult, question: str, said: Mapping[int, str], judge: Judge, stop: threading.Event | None
) -> None:
    """The judge's verdict on each sentence that cites a message. ``said``: see check_meaning."""
    with _check(column, "judge", judge.name) as notes:
        column.sentences = judged(column.sentences, column.answer or "", said, judge, question, stop)
        verdicts = [s.judged for s in column.sentences if s.judged is not None]
        notes.output = f"{sum(verdicts)} of {len(verdicts)} sentences stand in what they cite"
    column.timing_ms["judge"] = column.trace[-1].milliseconds


@contextmanager
def _check(column: ColumnResult, name: str, model: str) -> Iterator[Notes]:
    """A step of the column in which a model checks; what fails there is told in the column."""
    started, notes = time.perf_counter(), Notes()
    try:
        yield notes
    except (ModelError, RetrievalError) as error:
        if not isinstance(error, ModelCancelled):
            column.errors.append(as_query_error(error))
        notes.output = f"{type(error).__name__}: {error}"
    column.add_step(name, model, notes.output, len(column.sentences), started)


def _supported(column: ColumnResult) -> int:
    return sum(s.support == "supported" for s in column.sentences)
