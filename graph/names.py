"""Everything in the store that a question can name: people, organisations, folders, conversations, file types.

One function that loads it all in a few statements, for whatever links the words of a question to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg
from psycopg.rows import tuple_row

from graph import current

# A tail of dates that holds less than this share of all mail and lies this far from the rest is taken for wrong clocks.
_STRAY_SHARE = 0.005
_STRAY_MONTHS = 12


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person: ``name``; ``names`` = display names seen with their counts, commonest first; ``addresses``; ``sent``
    and ``received`` = numbers of counted messages."""

    id: int
    name: str
    names: tuple[tuple[str, int], ...]
    addresses: tuple[str, ...]
    is_owner: bool
    is_role: bool
    sent: int
    received: int


@dataclass(frozen=True, slots=True)
class OrganizationName:
    """An organisation: ``n`` = counted messages sent from its addresses; ``people`` = persons with an address there."""

    id: int
    domain: str
    name: str
    n: int
    people: int


@dataclass(frozen=True, slots=True)
class LabelName:
    """A folder or label with its number of counted messages."""

    id: int
    name: str
    n: int


@dataclass(frozen=True, slots=True)
class ThreadName:
    """A conversation: ``subject`` as written, ``base`` without marks and case-folded, number of messages."""

    id: int
    subject: str
    base: str
    messages: int


@dataclass(frozen=True)
class Gazetteer:
    """All names of a store. ``version`` changes with each build or update of the graph. ``owner`` and
    ``owner_organizations`` are ids. ``first`` and ``last``: the days that the mail reaches from and to, without
    strays of wrong clocks; None in an empty store. ``types``: file endings with their number of attachments."""

    version: str
    people: tuple[PersonName, ...]
    organizations: tuple[OrganizationName, ...]
    labels: tuple[LabelName, ...]
    threads: tuple[ThreadName, ...]
    types: tuple[tuple[str, int], ...]
    owner: tuple[int, ...]
    owner_organizations: tuple[int, ...]
    first: date | None
    last: date | None


def gazetteer(conn: psycopg.Connection[Any]) -> Gazetteer:
    """Loads all names. Raises nothing that an empty store would cause."""
    cursor = conn.cursor(row_factory=tuple_row)
    with conn.transaction():
        # the reader's time-out is meant for questions: loading the names of 300,000 messages takes some seconds
        cursor.execute("SET LOCAL statement_timeout = '60s'")
        found = _load(conn, cursor)
        cursor.execute("SET LOCAL statement_timeout TO DEFAULT")
    return found


def _load(conn: psycopg.Connection[Any], cursor: psycopg.Cursor[Any]) -> Gazetteer:
    people = tuple(_person(*row) for row in _all(cursor, _PEOPLE))
    first, last = _span(_all(cursor, _MONTHS))
    found = current.state(conn)
    return Gazetteer(
        version=f"{found.name} {found.built_at.isoformat()}" if found else "",
        people=people,
        organizations=tuple(OrganizationName(*row) for row in _all(cursor, _ORGANIZATIONS)),
        labels=tuple(LabelName(*row) for row in _all(cursor, _LABELS)),
        threads=tuple(ThreadName(*row) for row in _all(cursor, _THREADS)),
        types=tuple((row[0], row[1]) for row in _all(cursor, _TYPES)),
        owner=tuple(person.id for person in people if person.is_owner),
        owner_organizations=tuple(row[0] for row in _all(cursor, _OWNER_ORGANIZATIONS)),
        first=first,
        last=last,
    )


def _all(cursor: psycopg.Cursor[Any], query: str) -> list[tuple[Any, ...]]:
    return cursor.execute(query).fetchall()


def _person(
    key: int, name: str, names: list[str] | None, counts: list[int] | None, addresses: list[str], *rest: Any
) -> PersonName:
    return PersonName(key, name, tuple(zip(names or (), counts or (), strict=True)), tuple(addresses), *rest)


def without_strays(months: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """(month, …, messages) in order, without the tail of wrong clocks that may stand at either end."""
    if not months:
        return []
    total = sum(row[-1] for row in months)
    first, last = _edge(months, total)[0], _edge(months[::-1], total)[0]
    return [row for row in months if first <= row[0] <= last]


def _span(months: list[tuple[Any, ...]]) -> tuple[date | None, date | None]:
    """First and last day of the mail from (month, first day, last day, messages) in order."""
    kept = without_strays(months)
    return (kept[0][1], kept[-1][2]) if kept else (None, None)


def _edge(months: list[tuple[Any, ...]], total: int) -> tuple[Any, ...]:
    begin, passed = 0, 0
    for place in range(len(months) - 1):
        passed += months[place][-1]
        if passed > total * _STRAY_SHARE:
            break
        if abs(_number(months[place][0]) - _number(months[place + 1][0])) > _STRAY_MONTHS:
            begin = place + 1
    return months[begin]


def _number(month: date) -> int:
    return month.year * 12 + month.month


_PEOPLE = """
WITH sent AS (
    SELECT o.person, count(*) AS n FROM mail.message m JOIN mail.person_address o ON o.address = m.sender
    WHERE m.counted GROUP BY o.person
), received AS (
    SELECT person, count(*) AS n FROM (
        SELECT DISTINCT o.person, r.message FROM mail.recipient r JOIN mail.person_address o USING (address)
        JOIN mail.message m ON m.id = r.message AND m.counted
    ) d GROUP BY person
), names AS (
    SELECT person, array_agg(name ORDER BY n DESC, name) AS names, array_agg(n ORDER BY n DESC, name) AS counts
    FROM (
        SELECT o.person, a.name, sum(a.n)::bigint AS n
        FROM mail.address_name a JOIN mail.person_address o USING (address)
        GROUP BY o.person, a.name
    ) a GROUP BY person
), addresses AS (
    SELECT o.person, array_agg(d.address ORDER BY d.id) AS addresses
    FROM mail.person_address o JOIN mail.address d ON d.id = o.address GROUP BY o.person
)
SELECT p.id, p.name, n.names, n.counts, a.addresses, p.is_owner, p.is_role, coalesce(s.n, 0), coalesce(r.n, 0)
FROM mail.person p JOIN addresses a ON a.person = p.id LEFT JOIN names n ON n.person = p.id
LEFT JOIN sent s ON s.person = p.id LEFT JOIN received r ON r.person = p.id
ORDER BY p.id
"""
_ORGANIZATIONS = """
SELECT g.id, g.domain, g.name, coalesce(s.n, 0), coalesce(p.n, 0)
FROM mail.organization g
LEFT JOIN (
    SELECT d.organization, count(*) AS n FROM mail.message m JOIN mail.address d ON d.id = m.sender
    WHERE m.counted GROUP BY d.organization
) s ON s.organization = g.id
LEFT JOIN (
    SELECT d.organization, count(DISTINCT o.person) AS n
    FROM mail.address d JOIN mail.person_address o ON o.address = d.id GROUP BY d.organization
) p ON p.organization = g.id
ORDER BY g.id
"""
_LABELS = """
SELECT l.id, l.name, count(DISTINCT m.id)
FROM mail.label l LEFT JOIN mail.occurrence_label x ON x.label = l.id
LEFT JOIN mail.occurrence c ON c.id = x.occurrence LEFT JOIN mail.message m ON m.id = c.message AND m.counted
GROUP BY l.id ORDER BY l.id
"""
_THREADS = """
SELECT t.id, t.subject, m.subject_base, t.messages FROM mail.thread t JOIN mail.message m ON m.id = t.id ORDER BY t.id
"""
_TYPES = r"""
SELECT ending, count(*) FROM (
    SELECT lower(coalesce(substring(name FROM '\.([[:alnum:]]{1,8})$'), split_part(type, '/', 2))) AS ending
    FROM mail.file
) f WHERE ending <> '' GROUP BY ending ORDER BY count(*) DESC, ending
"""
_MONTHS = """
SELECT date_trunc('month', local_at)::date, min(local_at)::date, max(local_at)::date, count(*)
FROM mail.message WHERE counted AND local_at IS NOT NULL GROUP BY 1 ORDER BY 1
"""
_OWNER_ORGANIZATIONS = """
SELECT DISTINCT d.organization FROM mail.person p JOIN mail.person_address o ON o.person = p.id
JOIN mail.address d ON d.id = o.address WHERE p.is_owner AND d.organization IS NOT NULL ORDER BY 1
"""
