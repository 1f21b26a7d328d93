"""The people around one person: who wrote to whom and how much, as a network small enough to look at.

Over the whole mailbox the counts are those of the WROTE_TO edges. In a period they are counted from the table of who
takes part in which message, by the local clock of the Date header, since an edge holds only its sum. Counted messages,
each once for a pair of people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from graph import current
from graph.participation import BCC, CC, TABLE, TO

MOST = 60
RECEIVED = TO | CC | BCC
STEP = 12


@dataclass(frozen=True, slots=True)
class EgoPerson:
    """``domain``: of the organisation most of their mail is of, None for private addresses. ``there`` / ``back``:
    messages from the centre to them / from them to the centre. ``hidden``: correspondents that are not shown."""

    id: int
    name: str
    domain: str | None
    is_owner: bool
    is_role: bool
    there: int
    back: int
    hidden: int


@dataclass(frozen=True, slots=True)
class Tie:
    """``there`` messages from ``a`` to ``b``, ``back`` the other way; ``a`` < ``b``."""

    a: int
    b: int
    there: int
    back: int

    @property
    def n(self) -> int:
        """Both ways together."""
        return self.there + self.back


@dataclass(frozen=True, slots=True)
class Ego:
    """``people``: the centre first, then by messages with it. ``correspondents``: how many the centre has in all."""

    centre: int
    people: tuple[EgoPerson, ...]
    ties: tuple[Tie, ...]
    correspondents: int


@dataclass(frozen=True, slots=True)
class Period:
    """``start`` <= local date < ``stop``."""

    start: date
    stop: date


def ego(
    conn: psycopg.Connection[Any],
    centre: int,
    *,
    expanded: Sequence[int] = (),
    also: Sequence[int] = (),
    period: Period | None = None,
    most: int = MOST,
) -> Ego | None:
    """The network of ``centre`` with at most ``most`` people; None when there is no such person.

    ``expanded``: of these, the STEP correspondents with the most messages that are not there yet are added, once for
    each time a person stands in it. ``also``: people who are there in any case (those of a path). Raises GraphMissing
    and GraphStale.
    """
    wrote = _wrote(conn, period)
    shown: dict[int, None] = {centre: None}
    for far, *_ in _strongest(conn, wrote, centre, shown, most - 1):
        shown[far] = None
    shown.update(dict.fromkeys(also))
    for person, times in Counter(expanded).items():
        if person in shown:
            for far, *_ in _strongest(conn, wrote, person, shown, STEP * times):
                shown[far] = None
    known = _people(conn, list(shown))
    if centre not in known:
        return None
    ties, degrees = _ties(conn, wrote, list(shown))
    beside: Counter[int] = Counter()
    with_centre: dict[int, tuple[int, int]] = {}
    for tie in ties:
        beside.update((tie.a, tie.b))
        if tie.a == centre:
            with_centre[tie.b] = (tie.there, tie.back)
        elif tie.b == centre:
            with_centre[tie.a] = (tie.back, tie.there)
    people = [
        EgoPerson(one, *known[one], *with_centre.get(one, (0, 0)), hidden=max(0, degrees.get(one, 0) - beside[one]))
        for one in shown
        if one in known
    ]
    people.sort(key=lambda person: (person.id != centre, -(person.there + person.back)))
    return Ego(centre, tuple(people), tuple(ties), degrees.get(centre, 0))


def months(conn: psycopg.Connection[Any], person: int) -> dict[date, int]:
    """Messages that the person sent or received, by the first day of their month."""
    query = sql.SQL(
        "SELECT date_trunc('month', local_at)::date, count(*) FROM {table} "
        "WHERE person = %(person)s AND person_roles <> 0 AND NOT recovered AND local_at IS NOT NULL GROUP BY 1"
    ).format(table=_participation(conn))
    return dict(_rows(conn, query, {"person": person}))


def _participation(conn: psycopg.Connection[Any]) -> sql.Identifier:
    return sql.Identifier(current.graph_name(conn), TABLE)


def _strongest(
    conn: psycopg.Connection[Any], wrote: _Wrote, person: int, without: dict[int, None], most: int
) -> list[tuple[Any, ...]]:
    """Correspondents of ``person`` that are not in ``without``, most messages first."""
    query = sql.SQL(
        "SELECT far, sum(there + back)::bigint AS n FROM ({pairs}) p "
        "WHERE far <> near AND far <> ALL(%(without)s::bigint[]) GROUP BY far ORDER BY n DESC, far LIMIT %(most)s"
    ).format(pairs=wrote.pairs)
    return _rows(conn, query, {**wrote.values([person]), "without": list(without), "most": most})


def _ties(conn: psycopg.Connection[Any], wrote: _Wrote, people: list[int]) -> tuple[list[Tie], dict[int, int]]:
    """The ties among ``people``, strongest first, and how many correspondents each of them has in all."""
    query = sql.SQL(
        """
        WITH pair AS MATERIALIZED (
            SELECT near, far, sum(there)::bigint AS there, sum(back)::bigint AS back
            FROM ({pairs}) p WHERE near <> far GROUP BY near, far
        )
        SELECT near, far, there, back FROM pair WHERE near < far AND far = ANY(%(people)s)
        UNION ALL SELECT near, NULL, count(*), 0 FROM pair GROUP BY near
        """
    ).format(pairs=wrote.pairs)
    ties, degrees = [], {}
    for near, far, there, back in _rows(conn, query, {**wrote.values(people), "people": people}):
        if far is None:
            degrees[near] = there
        else:
            ties.append(Tie(near, far, there, back))
    return sorted(ties, key=lambda tie: (-tie.n, tie.a, tie.b)), degrees


def _people(conn: psycopg.Connection[Any], people: list[int]) -> dict[int, tuple[str, str | None, bool, bool]]:
    """Name, domain, owner?, office or list? of each."""
    rows = _rows(
        conn,
        """
        SELECT p.id, p.name, g.domain, p.is_owner, p.is_role FROM mail.person p
        LEFT JOIN LATERAL (
            SELECT g.domain FROM mail.person_address o JOIN mail.address d ON d.id = o.address
            JOIN mail.organization g ON g.id = d.organization
            WHERE o.person = p.id ORDER BY (SELECT count(*) FROM (
                SELECT FROM mail.recipient r WHERE r.address = o.address LIMIT 1000) r) DESC, o.address LIMIT 1
        ) g ON true
        WHERE p.id = ANY(%(people)s)
        """,
        {"people": people},
    )
    return {row[0]: row[1:] for row in rows}


@dataclass(frozen=True, slots=True)
class _Wrote:
    """``pairs``: rows (near, far, there, back) with near among the parameter ``near`` of ``values``."""

    pairs: sql.Composed
    base: int
    period: Period | None

    def values(self, near: list[int]) -> dict[str, object]:
        """The parameters of ``pairs``."""
        if self.period is None:
            return {"near": [str(self.base + person) for person in near]}
        return {"near": near, "start": self.period.start, "stop": self.period.stop}


def _wrote(conn: psycopg.Connection[Any], period: Period | None) -> _Wrote:
    if period is not None:
        return _Wrote(sql.SQL(_IN_PERIOD).format(table=_participation(conn), received=RECEIVED), 0, period)
    name, numbers = current.graph_labels(conn)
    base = numbers["Person"] << 48
    return _Wrote(sql.SQL(_ALWAYS).format(base=sql.SQL(str(base)), table=sql.Identifier(name, "WROTE_TO")), base, None)


def _rows(
    conn: psycopg.Connection[Any], query: str | sql.Composed, parameters: dict[str, object]
) -> list[tuple[Any, ...]]:
    return conn.cursor(row_factory=tuple_row).execute(query, parameters).fetchall()


_ALWAYS = """
SELECT start_id::agtype::bigint - {base} AS near, end_id::agtype::bigint - {base} AS far,
       (properties -> '"n"'::agtype)::bigint AS there, 0 AS back
FROM {table} WHERE start_id = ANY(%(near)s::text[]::graphid[])
UNION ALL
SELECT end_id::agtype::bigint - {base}, start_id::agtype::bigint - {base}, 0,
       (properties -> '"n"'::agtype)::bigint
FROM {table} WHERE end_id = ANY(%(near)s::text[]::graphid[])
"""

_IN_PERIOD = """
SELECT sender AS near, person AS far, count(*) AS there, 0 AS back
FROM {table} WHERE sender = ANY(%(near)s::integer[]) AND person IS NOT NULL AND person_roles & {received} <> 0
    AND NOT recovered AND local_at >= %(start)s AND local_at < %(stop)s
GROUP BY 1, 2
UNION ALL
SELECT person, sender, 0, count(*)
FROM {table} WHERE person = ANY(%(near)s::integer[]) AND sender IS NOT NULL AND person_roles & {received} <> 0
    AND NOT recovered AND local_at >= %(start)s AND local_at < %(stop)s
GROUP BY 1, 2
"""
