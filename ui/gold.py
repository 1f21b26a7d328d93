"""Questions of one's own with known answers, one file a store: the pages Ask and Label add to it, `mailweave evaluate`
measures with it.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import psycopg

from retrieval.evaluation.pool import labelled
from retrieval.evaluation.writing import free_id, read_lines, replace
from ui.settings import Settings


def questions_file(settings: Settings, store: str) -> Path:
    """Where the questions of a store stand, whether or not there are any yet."""
    return settings.home / f"questions-{store}.jsonl"


def known(path: Path, text: str) -> str | None:
    """The id under which the question stands there already."""
    return next((str(one["id"]) for one in read_lines(path) if one["question"] == text), None)


def add(
    conn: psycopg.Connection, path: Path, text: str, *, as_of: date | None, answer: str = "", number: int | None = None
) -> str:
    """Adds the question with the messages that were judged for it; the same question again takes its own place.
    Returns its id.

    ``as_of``: None is the last day of the mailbox. ``number``: the value that is right, of a question that counts.
    Without any message judged to be needed, and without a number, it is one that the mailbox does not answer.
    """
    if as_of is None:
        row = conn.execute("SELECT max(local_at)::date FROM mail.message WHERE counted").fetchone()
        as_of = row[0] if row else None
    id = known(path, text) or free_id(read_lines(path), "L")
    made = labelled(conn, id, text, as_of, answer, [answer] if answer else [])
    if number is not None:
        made |= {"kind": "aggregate_count", "value_type": "number", "gold_value": number, "facts": [str(number)]}
        made["gold_answer"] = answer or str(number)
    replace(path, made)
    return id
