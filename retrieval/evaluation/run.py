"""Runs labelled questions through columns and keeps every record, so that a run can be interrupted, repeated, compared.

A record belongs to a run, and a run is told by what decides its answers: the questions, the columns, the planner, the
models, the state of the indexes and the revision of the code. The same settings go on with an unfinished run; other
settings start a new one.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.types.json import Jsonb

from retrieval.ask import ask
from retrieval.errors import RetrievalError
from retrieval.evaluation.gold import Gold, resolve
from retrieval.evaluation.questions import GoldQuestion
from retrieval.evaluation.score import Record, fact_values
from retrieval.models.errors import ModelError
from retrieval.planning import PlannerMode
from retrieval.result import AskResult, ColumnResult
from sql.backup import RESTORED
from sql.errors import ConnectionLost, DatabaseUnreachable

if TYPE_CHECKING:
    from retrieval.judge import Judge
    from retrieval.models.chat import ChatModel
    from retrieval.models.embed import Embedder
    from retrieval.rerank import Reranker
    from sql.store import Store

DEEP = 40
_LOST = (ConnectionLost.__name__, DatabaseUnreachable.__name__)
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Run:
    """A finished or stopped run. ``records[question id][column]``; ``excluded`` as :func:`gold.resolve` gives them."""

    id: int
    columns: tuple[str, ...]
    settings: dict[str, Any]
    gold: list[Gold]
    excluded: list[dict[str, str]]
    records: dict[str, dict[str, Record]]
    finished: bool


@dataclass(frozen=True)
class Kept:
    """A run of the past in one line. ``questions``: the name of its set, ``sha256`` of its content."""

    id: int
    questions: str
    sha256: str
    columns: list[str]
    settings: dict[str, Any]
    finished: datetime
    size: int


def run(
    store: Store,
    questions: Sequence[GoldQuestion],
    columns: Sequence[str],
    *,
    name: str,
    planner: PlannerMode = "rules",
    chat: ChatModel | None = None,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    judge: Judge | None = None,
    answer: bool = False,
    deep: bool = False,
    limit: int = 12,
    context_tokens: int | None = None,
    revision: str = "",
    repeat: int = 0,
    stop: threading.Event | None = None,
    progress: Progress = lambda done, of: None,
) -> Run:
    """Puts every question to every column and returns all records, reusing those of an unfinished run alike.

    ``name`` of the question set; ``deep``: also retrieve 40 messages (recall@40 and MAP); ``answer``: let the model
    write, with ``limit`` messages or what ``context_tokens`` hold, and ``judge`` say which facts that tells;
    ``revision`` of the code; ``repeat`` is 1 and 2
    for two runs alike whose answers are compared, else 0. ``progress(done, of)`` counts questions. Questions whose
    gold the store does not hold are excluded openly. Raises UnknownColumn.
    """
    answer = answer and chat is not None

    def put(question: GoldQuestion, limit: int, answer: bool) -> AskResult:
        asking = partial(
            ask, store, question.text, columns, as_of=question.as_of, planner=planner, chat=chat, embedder=embedder,
            reranker=reranker, answer=answer, limit=limit, context_tokens=context_tokens, stop=stop,
        )  # fmt: skip
        asked = asking()
        if any(error.kind in _LOST for column in asked.columns for error in column.errors):
            # the server threw everybody out: that is no failure of a column, and the question is put once more
            with store.owner() as conn:
                conn.execute("SELECT")
            asked = asking()
        return asked

    with store.reader() as conn:
        settings = {
            "planner": planner,
            "chat": chat.name if chat else None,
            "embedder": embedder.fingerprint if embedder else None,
            **({"rerank": reranker.name} if reranker else {}),
            "answer": answer,
            "judge": judge.name if judge and answer else None,
            "deep": deep,
            "limit": limit,
            "context_tokens": context_tokens,
            "revision": revision,
            "repeat": repeat,
            "fingerprint": _fingerprint(conn),
        }
        resolved = resolve(conn, questions)
    with store.owner() as conn:
        number, records = _begin(conn, name, questions, columns, settings)
    for done, gold in enumerate(resolved.gold):
        progress(done, len(resolved.gold))
        if stop is not None and stop.is_set():
            break
        if records.get(gold.question.id, {}).keys() >= set(columns):
            continue
        asked = put(gold.question, limit, answer)
        further = _messages(put(gold.question, DEEP, False)) if deep else {}
        mine = {column.retriever: _record(asked, column, further.get(column.retriever)) for column in asked.columns}
        if judge is not None and answer:
            for record in mine.values():
                _judge(judge, gold.question, record, stop)
        if stop is not None and stop.is_set():
            break  # half of an answer is no record
        records[gold.question.id] = mine
        with store.owner() as conn:
            _keep(conn, number, gold.question.id, mine)
    else:
        progress(len(resolved.gold), len(resolved.gold))
    finished = all(gold.question.id in records for gold in resolved.gold)
    if finished:
        with store.owner() as conn:
            conn.execute("UPDATE mail.evaluation_run SET finished = now() WHERE id = %s", (number,))
    return Run(number, tuple(columns), settings, resolved.gold, resolved.excluded, records, finished)


def digest(questions: Sequence[GoldQuestion]) -> str:
    """Tells question sets apart by their content."""
    return hashlib.sha256(json.dumps([q.to_json() for q in questions], sort_keys=True).encode()).hexdigest()


def load(conn: psycopg.Connection, number: int) -> Run | None:
    """A stored run with its questions, to look at again or to compare with; None when there is no such run."""
    row = conn.execute(
        "SELECT columns, settings, finished IS NOT NULL, question_set FROM mail.evaluation_run WHERE id = %s", (number,)
    ).fetchone()
    if row is None:
        return None
    resolved = resolve(conn, [GoldQuestion.from_json(kept) for kept in row[3]])
    return Run(number, tuple(row[0]), row[1], resolved.gold, resolved.excluded, _records(conn, number), row[2])


def finished_runs(conn: psycopg.Connection) -> list[Kept]:
    """The runs that came to their end, newest first."""
    return [
        Kept(*row)
        for row in conn.execute(
            "SELECT id, questions, sha256, columns, settings, finished, jsonb_array_length(question_set) "
            "FROM mail.evaluation_run WHERE finished IS NOT NULL ORDER BY id DESC"
        )
    ]


def _messages(asked: AskResult) -> dict[str, list[int]]:
    return {column.retriever: [hit.message for hit in column.retrieved.hits] for column in asked.columns}


def _record(asked: AskResult, column: ColumnResult, deep: list[int] | None) -> Record:
    threads = {text.id: text.thread for text in column.found}
    messages = [hit.message for hit in column.retrieved.hits]
    steps: dict[str, float] = {}
    for step in column.trace:
        steps[step.name] = steps.get(step.name, 0.0) + step.milliseconds
    return Record(
        outcome=column.outcome,
        messages=messages,
        threads=[threads.get(message) for message in messages],
        deep=deep,
        values=fact_values(column.retrieved.facts),
        errors=[{"kind": error.kind, "message": error.message} for error in column.errors],
        milliseconds={**{f"step {name}": ms for name, ms in steps.items()}, **column.timing_ms},
        answer=column.answer,
        cited=list(column.claims.cited) if column.claims else [],
        unknown_citations=len(column.claims.unknown) if column.claims else 0,
        context_characters=column.prompt.characters if column.prompt else sum(len(m.new_text) for m in column.found),
        tokens=column.prompt.tokens if column.prompt else 0,
        retries=sum("retry" in step.name for step in column.trace),
        route=asked.route["column"] if asked.route and column.retriever == "auto" else None,
    )


def _judge(judge: Judge, question: GoldQuestion, record: Record, stop: threading.Event | None) -> None:
    """The judge's verdict on each gold fact. Where nothing was answered no fact was told, and nobody is asked."""
    if not question.facts:
        return
    if record.outcome != "answered":
        record.judged = [False] * len(question.facts)
        return
    record.judged = []
    for fact in question.facts:
        verdict = None
        if stop is None or not stop.is_set():
            try:
                verdict = judge.holds(record.answer or "", fact, question.text, stop=stop)
            except (ModelError, RetrievalError) as error:
                record.judge_errors.append({"kind": type(error).__name__, "message": str(error)})
        record.judged.append(verdict)


def _fingerprint(conn: psycopg.Connection) -> dict[str, str]:
    rows = conn.execute(
        "SELECT name, fingerprint FROM mail.index_state WHERE name NOT IN ('bm25', %s) ORDER BY name", (RESTORED,)
    )
    return dict(rows.fetchall())


def _begin(
    conn: psycopg.Connection,
    name: str,
    questions: Sequence[GoldQuestion],
    columns: Sequence[str],
    settings: dict[str, Any],
) -> tuple[int, dict[str, dict[str, Record]]]:
    """The unfinished run with the same settings, else a new one. A finished one, too, while its repetition is
    unfinished: two runs that are compared with each other are gone on with together."""
    sha256 = digest(questions)
    row = conn.execute(
        """
        SELECT id FROM mail.evaluation_run r WHERE sha256 = %s AND columns = %s AND settings = %s AND (
            finished IS NULL OR settings @> '{"repeat": 1}' AND EXISTS (
                SELECT FROM mail.evaluation_run s WHERE s.finished IS NULL AND s.sha256 = r.sha256
                AND s.columns = r.columns AND s.settings = r.settings || '{"repeat": 2}'))
        ORDER BY id DESC LIMIT 1
        """,
        (sha256, list(columns), Jsonb(settings)),
    ).fetchone()
    if row is not None:
        return row[0], _records(conn, row[0])
    row = conn.execute(
        "INSERT INTO mail.evaluation_run (questions, sha256, columns, settings, question_set) "
        "VALUES (%s, %s, %s, %s, %s) RETURNING id",
        (name, sha256, list(columns), Jsonb(settings), Jsonb([q.to_json() for q in questions])),
    ).fetchone()
    assert row is not None
    return row[0], {}


def _records(conn: psycopg.Connection, number: int) -> dict[str, dict[str, Record]]:
    records: dict[str, dict[str, Record]] = {}
    rows = conn.execute("SELECT question, retriever, record FROM mail.evaluation_record WHERE run = %s", (number,))
    for question, retriever, record in rows:
        with suppress(TypeError):  # a record of an older program, with other fields, is made again
            records.setdefault(question, {})[retriever] = Record(**record)
    return records


def _keep(conn: psycopg.Connection, number: int, question: str, records: dict[str, Record]) -> None:
    for retriever, record in records.items():
        conn.execute(
            "INSERT INTO mail.evaluation_record VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (run, question, retriever) DO UPDATE SET record = excluded.record",
            (number, question, retriever, Jsonb(record.to_json())),
        )
