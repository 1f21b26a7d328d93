"""Judging by hand without being led: the first hits of all columns in one heap, without names, in a mixed order.

This is the pooling of the TREC collections, at the size of a mailbox: what no column found is taken for not relevant,
so recall is relative to the pool, and a new column may be judged too harshly until its finds are judged too. Grades are
kept at once, so that labelling can be left and gone on with.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from datetime import date

import psycopg

from retrieval.evaluation.generate.box import question as question_format
from retrieval.result import ColumnResult

# What a person can say of a message: it is needed for the answer, it restates or quotes it, or neither.
NEEDED, RESTATES, NOT = 2, 1, 0


def pool(question: str, columns: Iterable[ColumnResult], depth: int = 12) -> list[int]:
    """The messages of all columns down to ``depth``, mixed in an order that tells nothing (the same each time)."""
    seed = hashlib.sha256(question.encode()).digest()
    mixed = sorted({hit.message for column in columns for hit in column.retrieved.hits[:depth]})
    random.Random(seed).shuffle(mixed)  # noqa: S311 - an order, nothing secret
    return mixed


def keep(conn: psycopg.Connection, question: str, message: int, grade: int) -> None:
    """Keeps what the person said; a second word on the same message replaces the first."""
    conn.execute(
        "INSERT INTO mail.judgement (question, message_id, grade) SELECT %s, message_id, %s FROM mail.message "
        "WHERE id = %s ON CONFLICT (question, message_id) DO UPDATE SET grade = excluded.grade, at = now()",
        (question, grade, message),
    )


def kept(conn: psycopg.Connection, question: str) -> dict[int, int]:
    """The grades of a question so far, by message."""
    return dict(
        conn.execute(
            "SELECT m.id, j.grade FROM mail.judgement j JOIN mail.message m USING (message_id) WHERE j.question = %s",
            (question,),
        ).fetchall()
    )


def labelled(
    conn: psycopg.Connection, id: str, text: str, as_of: date | None, answer: str = "", facts: Sequence[str] = ()
) -> dict[str, object]:
    """The question with the gold that the kept grades make, in the question format. Without any needed message it is
    a question that the mailbox does not answer."""
    grades = kept(conn, text)
    rows = conn.execute(_COPIES, (list(grades),)).fetchall()
    needed = [group for message, group in rows if grades[message] == NEEDED]
    return question_format(
        id,
        "unanswerable" if not needed else "lookup" if len(needed) == 1 else "multi_message",
        text,
        as_of=as_of,
        gold_message_ids=needed,
        also_ok_message_ids=[group for message, group in rows if grades[message] == RESTATES],
        gold_answer=answer,
        facts=list(facts),
        notes=f"labelled by hand out of a pool of {len(grades)} messages",
    )


_COPIES = """
SELECT message, array_agg(DISTINCT message_id ORDER BY message_id) FROM mail.occurrence
WHERE message = ANY(%s) GROUP BY 1 ORDER BY 1
"""
