"""The people around one person: who wrote to whom and how much, as a network small enough to look at.

Over the whole mailbox the counts are those of the WROTE_TO edges. In a period they are counted from the tables, by the
local clock of the Date header, since an edge holds only its sum. Counted messages, each once for a pair of people.
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

MOST = 60
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


def _strongest(
    conn: psycopg.Connection[Any], wrote: _Wrote, person: int, without: dict[int, None], most: int
) -> list[tuple[Any, ...]]:
    """Correspondents of ``person`` that are not in ``without``, most messages first."""
    query = sql.SQL(
        "SELECT far, sum(there + back)::bigint AS n FROM ({pairs}) p "
        "WHERE far <> near AND far <> ALL(%(without)s::bigint[]) GROUP BY far ORDER BY n DESC, far LIMIT %(most)s"
    ).format(pairs=wrote.pairs)
    return _rows(conn, query, {**wrote.values(conn, [person]), "without": list(without), "most": most})


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
    for near, far, there, back in _rows(conn, query, {**wrote.values(conn, people), "people": people}):
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

    def values(self, conn: psycopg.Connection[Any], near: list[int]) -> dict[str, object]:
        """The parameters of ``pairs``."""
        if self.period is None:
            return {"near": [str(self.base + person) for person in near]}
        found = conn.execute("SELECT address FROM mail.person_address WHERE person = ANY(%s::bigint[])", (near,))
        addresses = [row[0] for row in found]
        return {"near": addresses, "start": self.period.start, "stop": self.period.stop}


def _wrote(conn: psycopg.Connection[Any], period: Period | None) -> _Wrote:
    if period is not None:
        return _Wrote(sql.SQL(_IN_PERIOD).format(), 0, period)
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

# The addresses are values of the query, not a join: so the planner knows that some of them stand in most of the mail.
_IN_PERIOD = """
SELECT s.person AS near, o.person AS far, count(DISTINCT m.id) AS there, 0 AS back
FROM mail.message m JOIN mail.person_address s ON s.address = m.sender
JOIN mail.recipient r ON r.message = m.id JOIN mail.person_address o ON o.address = r.address
WHERE m.sender = ANY(%(near)s::bigint[]) AND m.counted AND m.local_at >= %(start)s AND m.local_at < %(stop)s
GROUP BY 1, 2
UNION ALL
SELECT o.person, s.person, 0, count(DISTINCT m.id)
FROM mail.recipient r JOIN mail.person_address o ON o.address = r.address
JOIN mail.message m ON m.id = r.message JOIN mail.person_address s ON s.address = m.sender
WHERE r.address = ANY(%(near)s::bigint[]) AND m.counted AND m.local_at >= %(start)s AND m.local_at < %(stop)s
GROUP BY 1, 2
"""
