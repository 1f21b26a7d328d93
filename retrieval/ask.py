"""A question put to several columns: the one function behind the command line and the page.

Retrieval of all columns comes first, since it is quick; then answers are written one column after the other, because
they share one model. What happens is told as events while it happens. A column that fails holds its error; the others
go on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from retrieval import agreement, describe
from retrieval.attached import with_attachments
from retrieval.columns.auto import choose
from retrieval.columns.base import Tools
from retrieval.columns.registry import make
from retrieval.errors import ColumnUnavailable, as_query_error
from retrieval.planning import Planned, Planner, PlannerMode
from retrieval.result import AskResult, ColumnResult
from retrieval.text import messages
from retrieval.types import Question, Retriever
from retrieval.writing import write_into

if TYPE_CHECKING:
    from retrieval.judge import Judge
    from retrieval.models.chat import ChatModel
    from retrieval.models.embed import Embedder
    from retrieval.rerank import Reranker
    from sql.store import Store


def ask(
    store: Store,
    question: str,
    columns: Sequence[str],
    *,
    as_of: date | None = None,
    planner: PlannerMode = "auto",
    chat: ChatModel | None = None,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    judge: Judge | None = None,
    answer: bool = True,
    limit: int = 12,
    context_tokens: int | None = None,
    stop: threading.Event | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> AskResult:
    """Puts a question to ``columns`` (names) and returns what each gave.

    ``answer``: write an answer for each column with ``chat`` (without a model the outcome stays ``retrieved``), and
    have ``judge`` say which of its sentences stand in what they cite. ``embedder``: for the columns that need one, and
    for sentences that say in other words what they cite. ``reranker``: for the columns that know one.
    ``context_tokens``: room for facts and messages; None follows the model's reading speed. ``stop``: set it to stop
    writing. Raises UnknownColumn before anything is run; all else that goes wrong stands in the column.
    """
    asked = Question(" ".join(question.split()), as_of)
    result = AskResult(asked.text, as_of)
    tools = Tools(store, Planner(store, planner, chat, stop), embedder, chat, reranker)

    def tell(kind: Kind, column: ColumnResult | None = None, text: str = "") -> None:
        if on_event is not None:
            on_event(Event(kind, result, column, text))

    def stopped() -> bool:
        return stop is not None and stop.is_set()

    retrievers = [make(name, tools) for name in columns]
    planned = _plan(tools, asked)
    if planned is not None:
        chosen = choose(planned, tools)
        result.as_of = planned.as_of
        result.plan = _understood(planned)
        result.route = {"column": chosen.column, "because": chosen.because}
    tell("planned")
    result.columns += [ColumnResult(name) for name in columns]
    for column, retriever in zip(result.columns, retrievers, strict=True):
        if stopped():
            break
        _retrieve(store, column, retriever, asked, limit)
        if planned is not None:
            told = agreement.with_messages(planned.question, column.retrieved.facts, column.found)
            column.disagreements += (told,) if told else ()
        tell("retrieved", column)
    for column in result.columns:
        if answer and chat is not None and column.outcome == "retrieved" and not stopped():
            on_text = partial(tell, "token", column)
            write_into(column, asked.text, result.as_of, chat, embedder, judge, context_tokens, stop, on_text)
        tell("done", column)
    tell("finished")
    return result


Kind = Literal["planned", "retrieved", "token", "done", "finished"]


@dataclass(frozen=True)
class Event:
    """What just happened: ``planned`` (result), ``retrieved`` (a column has its hits and facts), ``token`` (a piece of
    an answer), ``done`` (a column is complete), ``finished``."""

    kind: Kind
    result: AskResult
    column: ColumnResult | None = None
    text: str = ""


def _plan(tools: Tools, question: Question) -> Planned | None:
    """The plan; None where planning fails: each column that plans will say so itself."""
    try:
        with tools.store.reader() as conn:
            return tools.planner.plan(conn, question)
    except Exception:
        return None


def _understood(planned: Planned) -> dict[str, Any]:
    """How the question was understood: the plan in words, and each name with those it may stand for."""
    asked = planned.question
    return {
        "planner": asked.planner,
        "intent": asked.intent,
        "text": describe.plan(asked.plan, planned.names.index) if asked.plan else None,
        "sure": asked.sure,
        "reason": asked.reason,
        "language": asked.language,
        "terms": list(asked.terms),
        "links": [
            {
                "text": link.text,
                "kind": link.kind,
                "how": link.how,
                "candidates": [
                    {"id": c.id, "label": c.label, "messages": c.n, "used": c.id in link.ids} for c in link.candidates
                ],
            }
            for link in asked.links
        ],
    }


def _retrieve(store: Store, column: ColumnResult, retriever: Retriever, question: Question, limit: int) -> None:
    started = time.perf_counter()
    try:
        column.retrieved = retriever.retrieve(question, limit)
        column.errors += column.retrieved.errors
        column.trace += column.retrieved.trace
        column.note = column.retrieved.outcome_note
        with store.reader() as conn:
            hits = with_attachments(conn, column.retrieved.hits)
            column.retrieved = replace(column.retrieved, hits=hits)
            texts = messages(conn, {i for h in hits for i in (h.message, h.quoted) if i is not None})
        column.found = [replace(texts[h.message], found_in=h.attachment or "") for h in hits if h.message in texts]
        column.quoted = {h.message: texts[h.quoted] for h in hits if h.quoted in texts}
        if column.retrieved.hits or column.retrieved.facts:
            column.outcome = "retrieved"
        else:
            column.outcome = "failed" if column.errors else "nothing_retrieved"
    except ColumnUnavailable as error:  # nothing was looked for: the error says what is missing
        column.errors.append(as_query_error(error))
        column.outcome = "not_run"
    except Exception as error:
        column.errors.append(as_query_error(error))
        column.outcome = "failed"
    column.timing_ms["retrieve"] = column.timing_ms["total"] = (time.perf_counter() - started) * 1000
