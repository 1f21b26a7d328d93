"""What was asked of a store before, and which answer was found better: both are kept in the store itself.

Mail and what somebody wants to know of it are equally private, so there is no other file to protect, to copy or to
forget. Questions can be forgotten; votes are a judgement that somebody made, and stay like labels do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import psycopg

KEPT = 200


@dataclass(frozen=True)
class Past:
    """A question as it was asked last: ``as_of`` None where no day was chosen; ``at`` is aware."""

    question: str
    as_of: date | None
    columns: tuple[str, ...]
    at: datetime


@dataclass(frozen=True)
class Vote:
    """``better``: the column, None for no difference; ``answers``: whether answers had been written."""

    better: str | None
    answers: bool


@dataclass(frozen=True)
class Standing:
    """How often a column was found better, equal and worse in blind comparisons."""

    column: str
    better: int
    equal: int
    worse: int


def remember(conn: psycopg.Connection, question: str, as_of: date | None, columns: Sequence[str]) -> None:
    """Puts the question in front; of more than two hundred the oldest go."""
    conn.execute(
        "INSERT INTO mail.asked (question, as_of, columns) VALUES (%s, %s, %s) ON CONFLICT (question) DO UPDATE "
        "SET as_of = excluded.as_of, columns = excluded.columns, at = now()",
        (question, as_of, list(columns)),
    )
    conn.execute(
        "DELETE FROM mail.asked WHERE question IN (SELECT question FROM mail.asked ORDER BY at DESC OFFSET %s)",
        (KEPT,),
    )


def past(conn: psycopg.Connection) -> list[Past]:
    """The questions, the last one first."""
    rows = conn.execute("SELECT question, as_of, columns, at FROM mail.asked ORDER BY at DESC").fetchall()
    return [Past(question, as_of, tuple(columns), at) for question, as_of, columns, at in rows]


def forget(conn: psycopg.Connection) -> None:
    """Forgets all questions."""
    conn.execute("DELETE FROM mail.asked")


def vote(conn: psycopg.Connection, question: str, columns: Iterable[str], given: Vote) -> None:
    """Keeps the vote between ``columns``, in place of an earlier one."""
    conn.execute(
        "INSERT INTO mail.vote (question, columns, better, answers) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (question, columns) DO UPDATE "
        "SET better = excluded.better, answers = excluded.answers, at = now()",
        (question, sorted(columns), given.better, given.answers),
    )


def voted(conn: psycopg.Connection, question: str, columns: Iterable[str]) -> Vote | None:
    """The vote between ``columns``, if there is one."""
    row = conn.execute(
        "SELECT better, answers FROM mail.vote WHERE question = %s AND columns = %s", (question, sorted(columns))
    ).fetchone()
    return Vote(*row) if row else None


def take_back(conn: psycopg.Connection, question: str, columns: Iterable[str]) -> None:
    """Takes the vote back."""
    conn.execute("DELETE FROM mail.vote WHERE question = %s AND columns = %s", (question, sorted(columns)))


def standings(conn: psycopg.Connection) -> list[Standing]:
    """How each column came off in all votes, the one found better most often first."""
    rows = conn.execute(
        """
        SELECT name, count(*) FILTER (WHERE better = name), count(*) FILTER (WHERE better IS NULL),
               count(*) FILTER (WHERE better <> name)
        FROM mail.vote, unnest(columns) AS name GROUP BY 1 ORDER BY 2 DESC, 4, 1
        """
    ).fetchall()
    return [Standing(*row) for row in rows]
