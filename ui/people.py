"""The people of a mailbox as pages show them: everybody in one table, and of one person what mail and evidence say.

Months and times to answer are those that ``graph.analytics`` keeps; nothing here counts the whole mailbox again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import psycopg

from ingest.resolve.names import fold

Sort = Literal["messages", "wrote", "received", "first", "last", "answers", "name"]
# Bars of a spark line, and how much mail at either end may be of wrong clocks.
BARS = 24
STRAY = 0.005


@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody in the table. ``first`` and ``last``: months with mail; ``answers_after``: median hours to an answer
    of theirs, of ``answers`` answers; ``searched``: folded name and addresses."""

    id: int
    name: str
    addresses: tuple[str, ...]
    is_owner: bool
    is_role: bool
    sent: int
    received: int
    first: date | None
    last: date | None
    answers_after: float | None
    answers: int
    searched: str


@dataclass(frozen=True)
class Month:
    """Mail of a month (its first day)."""

    month: date
    sent: int
    received: int


@dataclass(frozen=True)
class Address:
    """One address of a person: names it was seen with, counted messages from it and to it."""

    address: str
    names: tuple[str, ...]
    organization: str
    sent: int
    received: int


@dataclass(frozen=True)
class Link:
    """Why two addresses are one person."""

    a: str
    b: str
    rule: str
    evidence: str
    by_hand: bool


def everybody(conn: psycopg.Connection) -> list[Listed]:
    """All people, those with most mail first."""
    return [
        Listed(id_, name, tuple(given), owner, role, sent, received, first, last, after, answers, _folded(name, given))
        for id_, name, given, owner, role, sent, received, first, last, after, answers in conn.execute(_EVERYBODY)
    ]


def chosen(people: Sequence[Listed], text: str, sort: Sort, *, descending: bool) -> list[Listed]:
    """Those whose name or address holds every word of ``text``, in that order; what is not known comes last."""
    words = fold(text).replace(",", " ").split()
    found = [one for one in people if all(word in one.searched for word in words)]
    if sort == "messages" and descending:
        return found
    key = _KEYS[sort]
    known = sorted((one for one in found if key(one) is not None), key=key, reverse=descending)
    return known + [one for one in found if key(one) is None]


def months(conn: psycopg.Connection, people: Iterable[int]) -> dict[int, list[Month]]:
    """Mail by month of these people, in order, without empty months."""
    found: dict[int, list[Month]] = defaultdict(list)
    for person, *rest in conn.execute(
        "SELECT person, month, sent, received FROM mail.person_month WHERE person = ANY(%s) ORDER BY person, month",
        (list(people),),
    ):
        found[person].append(Month(*rest))
    return found


def span(conn: psycopg.Connection) -> tuple[date, date] | None:
    """The first and the last month of the mailbox, without the strays of wrong clocks."""
    rows = conn.execute("SELECT month, sum(sent)::bigint FROM mail.person_month GROUP BY 1 ORDER BY 1").fetchall()
    total = sum(n for _, n in rows)
    if not total:
        return None
    return _edge(rows, total), _edge(rows[::-1], total)


def bars(of: Sequence[Month], within: tuple[date, date]) -> list[int]:
    """The months as at most BARS numbers over the whole span."""
    begin, length = _number(within[0]), _number(within[1]) - _number(within[0]) + 1
    found = [0] * min(BARS, length)
    for one in of:
        place = (_number(one.month) - begin) * len(found) // length
        if 0 <= place < len(found):
            found[place] += one.sent + one.received
    return found


def addresses(conn: psycopg.Connection, person: int) -> list[Address]:
    """The person's addresses, the most used first."""
    rows = [Address(row[0], tuple(row[1] or ()), *row[2:]) for row in conn.execute(_ADDRESSES, (person,))]
    return sorted(rows, key=lambda one: (-(one.sent + one.received), one.address))


def links(conn: psycopg.Connection, person: int) -> list[Link]:
    """What holds the person's addresses together; decisions by hand first."""
    return [Link(*row) for row in conn.execute(_LINKS, (person, person))]


def is_answered_after(conn: psycopg.Connection, person: int) -> float | None:
    """Median hours until others answer this person; None where no such answer is known."""
    row = conn.execute("SELECT is_answered_after FROM mail.person_figures WHERE person = %s", (person,)).fetchone()
    return row[0] if row else None


def of_address(conn: psycopg.Connection, address: str) -> int | None:
    """The person who has this address now."""
    row = conn.execute(
        "SELECT o.person FROM mail.person_address o JOIN mail.address d ON d.id = o.address WHERE d.address = %s",
        (address,),
    ).fetchone()
    return row[0] if row else None


def _folded(name: str, given: Sequence[str]) -> str:
    return fold(" ".join((name, *given)))


def _edge(rows: Sequence[tuple[Any, ...]], total: int) -> date:
    passed = 0
    for month, n in rows:
        passed += n
        if passed > total * STRAY:
            return month  # type: ignore[no-any-return]
    return rows[-1][0]  # type: ignore[no-any-return]


def _number(month: date) -> int:
    return month.year * 12 + month.month


_KEYS: dict[Sort, Callable[[Listed], Any]] = {
    "messages": lambda one: one.sent + one.received,
    "wrote": lambda one: one.sent,
    "received": lambda one: one.received,
    "first": lambda one: one.first,
    "last": lambda one: one.last,
    "answers": lambda one: one.answers_after,
    "name": lambda one: fold(one.name),
}

_EVERYBODY = """
WITH had AS (
    SELECT person, sum(sent)::integer AS sent, sum(received)::integer AS received, min(month) AS first,
        max(month) AS last
    FROM mail.person_month GROUP BY 1
), used AS (
    SELECT o.person, array_agg(d.address ORDER BY d.id) AS addresses
    FROM mail.person_address o JOIN mail.address d ON d.id = o.address GROUP BY 1
)
SELECT p.id, p.name, u.addresses, p.is_owner, p.is_role, coalesce(h.sent, 0), coalesce(h.received, 0), h.first, h.last,
    f.answers_after, coalesce(f.answers, 0)
FROM mail.person p JOIN used u ON u.person = p.id LEFT JOIN had h ON h.person = p.id
LEFT JOIN mail.person_figures f ON f.person = p.id
ORDER BY coalesce(h.sent, 0) + coalesce(h.received, 0) DESC, p.name, p.id
"""

_ADDRESSES = """
SELECT d.address,
    (SELECT array_agg(n.name ORDER BY n.n DESC, n.name) FROM mail.address_name n WHERE n.address = d.id),
    coalesce(g.domain, ''),
    (SELECT count(*) FROM mail.message m WHERE m.sender = d.id AND m.counted),
    (SELECT count(DISTINCT r.message) FROM mail.recipient r JOIN mail.message m ON m.id = r.message
     WHERE r.address = d.id AND m.counted)
FROM mail.person_address o JOIN mail.address d ON d.id = o.address
LEFT JOIN mail.organization g ON g.id = d.organization
WHERE o.person = %s
"""

_LINKS = """
SELECT a.address, b.address, l.rule, l.evidence, l.by_hand
FROM mail.person_link l JOIN mail.person_address x ON x.address = l.a JOIN mail.person_address y ON y.address = l.b
JOIN mail.address a ON a.id = l.a JOIN mail.address b ON b.id = l.b
WHERE x.person = %s AND y.person = %s AND l.same ORDER BY l.by_hand DESC, l.at, a.address, b.address
"""
