"""A question put to several columns: the one function behind the command line and the page.

Retrieval of all columns comes first, since it is quick; then answers are written one column after the other, because
they share one model. What happens is told as events while it happens. A column that fails holds its error; the others
go on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from retrieval import agreement, describe
from retrieval.answer import Claims, check
from retrieval.attached import with_attachments
from retrieval.columns.auto import choose
from retrieval.columns.base import Tools
from retrieval.columns.registry import make
from retrieval.errors import ColumnUnavailable, RetrievalError, as_query_error
from retrieval.models.errors import ModelCancelled, ModelError
from retrieval.planning import Planned, Planner, PlannerMode
from retrieval.prompt import Prompt, build
from retrieval.quoted import doubtful
from retrieval.support import Sentence, judged, sentences
from retrieval.support_meaning import by_meaning
from retrieval.text import MessageText, messages
from retrieval.types import Fact, Outcome, QueryError, Question, Retrieved, Step

if TYPE_CHECKING:
    from retrieval.judge import Judge
    from retrieval.models.chat import ChatModel
    from retrieval.models.embed import Embedder
    from retrieval.planner.rules import PlannedQuestion
    from retrieval.rerank import Reranker
    from sql.store import Store

ANSWER_TOKENS = 320
FIRST_TOKEN_SECONDS = 7.0
SMALLEST_CONTEXT, LARGEST_CONTEXT = 600, 6_000
PROMPT_AROUND = 260  # tokens of instruction and question
UNMEASURED_SPEED = 150.0  # tokens a second
DOUBTED = "A cited message may give orders to a program, and no other message tells this: read it before relying on it."


@dataclass
class ColumnResult:
    """What one column gave. ``answer``: its text (None: none was written); ``claims``: the answer with its citations,
    ``sentences`` whether what it cites holds each; ``disagreements``: where facts, messages and answer contradict each
    other, in words;
    ``found``: the messages behind the hits, in their order; ``quoted``: by the id of such a message the one quoted in
    it whose words were found, where that is known only from there; ``timing_ms``: retrieve, prompt, first_token,
    answer, total."""

    retriever: str
    outcome: Outcome = "not_run"
    note: str = ""
    retrieved: Retrieved = field(default_factory=Retrieved)
    found: list[MessageText] = field(default_factory=list)
    quoted: dict[int, MessageText] = field(default_factory=dict)
    answer: str | None = None
    claims: Claims | None = None
    sentences: tuple[Sentence, ...] = ()
    disagreements: tuple[str, ...] = ()
    prompt: Prompt | None = None
    errors: list[QueryError] = field(default_factory=list)
    trace: list[Step] = field(default_factory=list)
    timing_ms: dict[str, float] = field(default_factory=dict)

    @property
    def citations(self) -> list[str]:
        """Message-IDs that the answer cites."""
        by_id = {m.id: m.message_id for m in self.found}
        return [by_id[i] for i in self.claims.cited if i in by_id] if self.claims else []

    def to_json(self) -> dict[str, Any]:
        """The column's part of what `ask --json` prints."""
        texts = {m.id: m for m in self.found}
        return {
            "retriever": self.retriever,
            "outcome": self.outcome,
            "note": self.note,
            "answer": self.answer,
            "citations": self.citations,
            "unsupported": [
                (self.answer or "")[s.start : s.stop] for s in self.sentences if s.support == "unsupported"
            ],
            "judged_unsupported": [(self.answer or "")[s.start : s.stop] for s in self.sentences if s.judged is False],
            "disagreements": list(self.disagreements),
            "unknown_citations": list(self.claims.unknown) if self.claims else [],
            "hits": [
                {
                    "rank": hit.rank,
                    "message_id": texts[hit.message].message_id,
                    "message_ids": list(texts[hit.message].message_ids),
                    "thread_id": texts[hit.message].thread,
                    "attachment": hit.attachment,
                    "score": round(hit.score, 4),
                    "found_by": [{"step": f.step, "rank": f.rank} for f in hit.found_by],
                }
                for hit in self.retrieved.hits
                if hit.message in texts
            ],
            "facts": [
                {"text": f.text, "value": f.value, "query": f.query, "rows": f.rows, "rule": f.rule}
                for f in self.retrieved.facts
            ],
            "errors": [{"kind": e.kind, "message": e.message, "query": e.query, "hint": e.hint} for e in self.errors],
            "trace": [
                {"step": s.name, "input": s.input, "output": s.output, "size": s.size, "ms": round(s.milliseconds, 2)}
                for s in self.trace
            ],
            "timing_ms": {name: round(ms, 1) for name, ms in self.timing_ms.items()},
            "context_characters": self.prompt.characters if self.prompt else 0,
        }


@dataclass
class AskResult:
    """A question with what each column gave. ``route``: the column that the router would choose, and why."""

    question: str
    as_of: date | None = None
    plan: dict[str, Any] | None = None
    route: dict[str, str] | None = None
    columns: list[ColumnResult] = field(default_factory=list)

    def overlap(self) -> list[dict[str, Any]]:
        """For each pair of columns the number of messages that both found, of the smaller number of hits."""
        out = []
        for n, a in enumerate(self.columns):
            for b in self.columns[n + 1 :]:
                first = {h.message for h in a.retrieved.hits}
                second = {h.message for h in b.retrieved.hits}
                out.append(
                    {
                        "a": a.retriever,
                        "b": b.retriever,
                        "shared": len(first & second),
                        "of": max(len(first), len(second)),
                    }
                )
        return out

    def to_json(self) -> dict[str, Any]:
        """The form that `ask --json` prints."""
        return {
            "question": self.question,
            "as_of": self.as_of.isoformat() if self.as_of else None,
            "plan": self.plan,
            "route": self.route,
            "columns": [column.to_json() for column in self.columns],
            "overlap": self.overlap(),
        }


@dataclass(frozen=True)
class Event:
    """What just happened: ``planned`` (result), ``retrieved`` (a column has its hits and facts), ``token`` (a piece of
    an answer), ``done`` (a column is complete), ``finished``."""

    kind: Literal["planned", "retrieved", "token", "done", "finished"]
    result: AskResult
    column: ColumnResult | None = None
    text: str = ""


OnEvent = Callable[[Event], None]


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
    on_event: OnEvent | None = None,
) -> AskResult:
    """Puts a question to ``columns`` (names) and returns what each gave.

    ``answer``: write an answer for each column with ``chat`` (without a model the outcome stays ``retrieved``), and
    have ``judge`` say which of its sentences stand in what they cite. ``embedder``: for the columns that need one, and
    for sentences that say in other words what they cite. ``reranker``: for the columns that know one.
    ``context_tokens``: room for facts and messages; None follows the model's reading speed. ``stop``: set it to stop
    writing. Raises UnknownColumn before anything is run; all else that goes wrong stands in the column.
    """
    text = " ".join(question.split())
    result = AskResult(text, as_of)
    tools = Tools(store, Planner(store, planner, chat, stop), embedder, chat, reranker)
    asked = Question(text, as_of)
    tell: OnEvent = on_event or (lambda event: None)
    retrievers = [(name, make(name, tools)) for name in columns]
    planned = _planned(store, tools, asked, result)
    if planned is not None:
        chosen = choose(planned, tools)
        result.route = {"column": chosen.column, "because": chosen.because}
    tell(Event("planned", result))
    for name, _ in retrievers:
        result.columns.append(ColumnResult(name))
    for column, (_, retriever) in zip(result.columns, retrievers, strict=True):
        if stop is not None and stop.is_set():
            break
        _retrieve(store, column, retriever.retrieve, asked, limit)
        if planned is not None:
            _compare(column, planned.question)
        tell(Event("retrieved", result, column))
    for column in result.columns:
        if answer and chat is not None and column.outcome == "retrieved" and not (stop is not None and stop.is_set()):
            _answer(column, result, chat, embedder, judge, context_tokens, stop, tell)
        tell(Event("done", result, column))
    tell(Event("finished", result))
    return result


def write_answer(
    found: ColumnResult,
    question: str,
    as_of: date | None,
    chat: ChatModel,
    *,
    embedder: Embedder | None = None,
    judge: Judge | None = None,
    context_tokens: int | None = None,
    stop: threading.Event | None = None,
    on_event: OnEvent | None = None,
) -> ColumnResult:
    """``found`` with an answer written from what it holds: nothing is looked for again. ``as_of``: the day that the
    model is told. What goes wrong stands in the result; ``found`` stays as it is."""
    column = replace(found, errors=[*found.errors], trace=[*found.trace], timing_ms={**found.timing_ms})
    tell: OnEvent = on_event or (lambda event: None)
    _answer(column, AskResult(question, as_of), chat, embedder, judge, context_tokens, stop, tell)
    return column


def _planned(store: Store, tools: Tools, question: Question, result: AskResult) -> Planned | None:
    """The plan as a part of the result. When planning fails, each column that plans will say so itself."""
    try:
        with store.reader() as conn:
            planned = tools.planner.plan(conn, question)
    except Exception:
        return None
    asked = planned.question
    result.as_of = planned.as_of
    result.plan = {
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
    return planned


def _retrieve(
    store: Store,
    column: ColumnResult,
    retrieve: Callable[[Question, int], Retrieved],
    question: Question,
    limit: int,
) -> None:
    started = time.perf_counter()
    try:
        column.retrieved = retrieve(question, limit)
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


def _answer(
    column: ColumnResult,
    result: AskResult,
    chat: ChatModel,
    embedder: Embedder | None,
    judge: Judge | None,
    context_tokens: int | None,
    stop: threading.Event | None,
    tell: OnEvent,
) -> None:
    started = time.perf_counter()
    pieces: list[str] = []
    try:
        budget = context_tokens or _budget(chat)
        texts, spans = _to_read(column)
        doubted = {m.id for m in texts if doubtful(f"{m.subject}\n\n{m.sender}\n\n{m.new_text}")}
        for read in _readings(texts, doubted, column.retrieved.facts):
            if pieces:
                tell(Event("token", result, column, "\n"))
                pieces.clear()
            column.prompt = prompt = build(
                result.question,
                result.as_of,
                column.retrieved.facts,
                read,
                budget=budget,
                count_tokens=chat.count_tokens,
                spans=spans,
            )
            column.timing_ms.setdefault("prompt", (time.perf_counter() - started) * 1000)
            for piece in _stream(chat, prompt, stop):
                column.timing_ms.setdefault("first_token", (time.perf_counter() - started) * 1000)
                pieces.append(piece)
                tell(Event("token", result, column, piece))
            claims = check("".join(pieces), prompt)
            if not claims.declined or (stop is not None and stop.is_set()):
                break
        column.claims = claims
        said = {m.id: f"{m.header}\n{m.new_text}" for m in texts}
        facts = [f.text for f in column.retrieved.facts]
        people = [name for m in texts for name in (m.sender, *m.to, *m.cc)]
        column.sentences = sentences(claims.text, claims.citations, said, facts, people)
        column.answer = claims.text
        cited = [said[i] for i in claims.cited if i in said]
        if not claims.declined and (
            told := agreement.with_answer(column.answer, result.question, column.retrieved.facts, cited)
        ):
            column.disagreements += (told,)
        if not claims.declined and doubted.intersection(claims.cited):
            column.disagreements += (DOUBTED,)
        column.outcome = "declined" if claims.declined else "answered"
    except Exception as error:
        column.errors.append(as_query_error(error))
        column.answer = "".join(pieces) or None
        if not pieces:
            column.outcome = "failed"
    elapsed = (time.perf_counter() - started) * 1000
    column.trace.append(
        Step(
            "answer",
            f"{column.prompt.tokens} tokens of prompt" if column.prompt else "",
            f"{len(pieces)} pieces",
            len(pieces),
            elapsed,
        )
    )
    column.timing_ms["answer"] = elapsed
    column.timing_ms["total"] += elapsed
    if embedder is not None and column.outcome == "answered":
        _ask_meaning(column, embedder)
    if judge is not None and column.outcome == "answered":
        _judge(column, result.question, judge, stop)


def _readings(texts: list[MessageText], doubted: set[int], facts: Sequence[Fact]) -> Iterator[list[MessageText]]:
    """What the model reads: first without the messages that may give it orders; all, should that tell nothing."""
    kept = [m for m in texts if m.id not in doubted]
    if doubted and (kept or facts):
        yield kept
    yield texts


def _ask_meaning(column: ColumnResult, embedder: Embedder) -> None:
    """Sentences that say in other words what they cite; what fails there is told, and the answer stands."""
    started = time.perf_counter()
    said = {m.id: f"{m.header}\n{m.new_text}" for m in _to_read(column)[0]}
    before = sum(s.support == "supported" for s in column.sentences)
    try:
        column.sentences = by_meaning(column.sentences, column.answer or "", said, embedder)
        further = sum(s.support == "supported" for s in column.sentences) - before
        output = f"{before} sentences stand in what they cite by their words, {further} more by their meaning"
    except ModelError as error:
        column.errors.append(as_query_error(error))
        output = f"{type(error).__name__}: {error}"
    elapsed = (time.perf_counter() - started) * 1000
    column.trace.append(Step("support", embedder.name, output, len(column.sentences), elapsed))
    column.timing_ms["total"] += elapsed


def _judge(column: ColumnResult, question: str, judge: Judge, stop: threading.Event | None) -> None:
    """The judge's verdicts on the answer's sentences; what fails there is told, and the answer stands."""
    started = time.perf_counter()
    said = {m.id: f"{m.header}\n{m.new_text}" for m in _to_read(column)[0]}
    try:
        column.sentences = judged(column.sentences, column.answer or "", said, judge, question, stop)
        verdicts = [s.judged for s in column.sentences if s.judged is not None]
        output = f"{sum(verdicts)} of {len(verdicts)} sentences stand in what they cite"
    except (ModelError, RetrievalError) as error:
        if not isinstance(error, ModelCancelled):
            column.errors.append(as_query_error(error))
        output = f"{type(error).__name__}: {error}"
    elapsed = (time.perf_counter() - started) * 1000
    column.trace.append(Step("judge", judge.name, output, len(column.sentences), elapsed))
    column.timing_ms["judge"] = elapsed
    column.timing_ms["total"] += elapsed


def _compare(column: ColumnResult, asked: PlannedQuestion) -> None:
    if told := agreement.with_messages(asked, column.retrieved.facts, column.found):
        column.disagreements += (told,)


def _to_read(column: ColumnResult) -> tuple[list[MessageText], dict[int, tuple[int, int]]]:
    """The texts for the prompt and the part of each that was found. Words that were found in a quotation stand behind
    the message that quotes them."""
    spans = {h.message: h.span for h in column.retrieved.hits if h.span is not None}
    texts = []
    for message in column.found:
        quoted = column.quoted.get(message.id)
        if quoted is not None:
            own = message.new_text.rstrip()
            text = f"{own}\n\nQuoted in it: {quoted.header}\n{quoted.new_text}"
            spans[message.id] = (len(own), len(text))
            message = replace(message, new_text=text)
        texts.append(message)
    return texts, spans


def _stream(chat: ChatModel, prompt: Prompt, stop: threading.Event | None) -> Iterable[str]:
    for piece in chat.complete(prompt.messages, max_tokens=ANSWER_TOKENS, grammar=prompt.grammar, stop=stop):
        yield piece
        if stop is not None and stop.is_set():
            return


def _budget(chat: ChatModel) -> int:
    """Tokens of context so that the first word comes in time, by the speed at which the model reads here."""
    room = int((chat.reading_speed() or UNMEASURED_SPEED) * FIRST_TOKEN_SECONDS) - PROMPT_AROUND
    fits = chat.context_tokens - ANSWER_TOKENS - PROMPT_AROUND
    return max(SMALLEST_CONTEXT, min(LARGEST_CONTEXT, room, fits))
