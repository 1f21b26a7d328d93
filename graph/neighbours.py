"""What stands beside a message in the graph: its thread, its replies and quotes, mail of the same people; and the
chain of correspondence between two people.

These walk the tables behind the graph: a thread or a reply is one look-up in an index there, and a path of unknown
length is a breadth-first search with one statement for each step (variable-length patterns never end in this version
of the graph extension).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from graph import current

# Mail to more people than this is a circular: it does not make its recipients neighbours.
_CIRCULAR = 15
_DAYS = 21


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A message reached from the message ``seed``. ``distance``: of siblings the number of messages between them in
    the thread (1 = next); of others the number of hops."""

    message: int
    seed: int
    how: Literal["thread", "answers", "answered", "quotes", "quoted", "people"]
    distance: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a chain of correspondence: ``a`` and ``b`` wrote each other ``n`` counted messages."""

    a: int
    b: int
    n: int


def siblings(conn: psycopg.Connection[Any], messages: Sequence[int], per_message: int = 4) -> list[Neighbour]:
    """For each message at most ``per_message`` others of its thread, those beside it in time first, without drafts,
    spam and trash. A message that several lead to is given once, for the first of them; given ones never come back."""
    rows = _rows(
        conn,
        """
        WITH seed AS (SELECT id, place FROM unnest(%(ids)s::bigint[]) WITH ORDINALITY u(id, place)),
        numbered AS (
            SELECT m.id, m.thread, row_number() OVER (PARTITION BY m.thread ORDER BY m.sent_at NULLS LAST, m.id) AS nth
            FROM mail.message m
            WHERE m.thread IN (SELECT t.thread FROM mail.message t JOIN seed ON seed.id = t.id)
              AND (m.counted OR m.recovered OR m.id IN (SELECT id FROM seed))
        )
        SELECT n.id, s.id, abs(n.nth - o.nth) AS distance
        FROM seed s JOIN numbered o ON o.id = s.id JOIN numbered n ON n.thread = o.thread AND n.id <> o.id
        WHERE abs(n.nth - o.nth) <= %(reach)s
        ORDER BY s.place, distance, n.nth DESC
        """,
        {"ids": list(messages), "reach": per_message},
    )
    taken, given = set(messages), dict.fromkeys(messages, 0)
    found = []
    for message, seed, distance in rows:
        if message not in taken and given[seed] < per_message:
            taken.add(message)
            given[seed] += 1
            found.append(Neighbour(message, seed, "thread", distance, 1 / (1 + distance)))
    return found


def links(conn: psycopg.Connection[Any], messages: Sequence[int]) -> list[Neighbour]:
    """The messages that these answer or quote, and those that answer or quote them, without drafts, spam and trash."""
    rows = _rows(
        conn,
        """
        WITH seed AS (SELECT unnest(%(ids)s::bigint[]) AS id)
        SELECT DISTINCT x.id, x.seed, x.how FROM (
            SELECT y.parent AS id, s.id AS seed, 'answers' AS how FROM seed s JOIN mail.reply y ON y.message = s.id
            UNION ALL SELECT y.message, s.id, 'answered' FROM seed s JOIN mail.reply y ON y.parent = s.id
            UNION ALL SELECT q.quoted, s.id, 'quotes' FROM seed s JOIN mail.quote q ON q.message = s.id
            UNION ALL SELECT q.message, s.id, 'quoted' FROM seed s JOIN mail.quote q ON q.quoted = s.id
        ) x JOIN mail.message m ON m.id = x.id AND (m.counted OR m.recovered) WHERE x.id <> x.seed
        ORDER BY x.seed, x.how, x.id
        """,
        {"ids": list(messages)},
    )
    return [Neighbour(message, seed, how, 1, 1.0) for message, seed, how in rows]


def two_hops(conn: psycopg.Connection[Any], messages: Sequence[int], limit: int = 100) -> list[Neighbour]:
    """Messages of the same people at the same time: from each message over its sender and recipients to what they
    sent or received within three weeks of it.

    Hubs are left out: the owner, people in more than a twentieth of the mail, and circulars, since they connect
    everything with everything. A person counts for one over the logarithm of their number of messages (as rare words
    do), time takes off linearly. Best first, at most ``limit``.
    """
    rows = _rows(
        conn,
        """
        WITH seed AS (
            SELECT m.id, m.sent_at, m.thread FROM mail.message m
            WHERE m.id = ANY(%(ids)s::bigint[]) AND m.sent_at IS NOT NULL
        ),
        part AS (
            SELECT s.id AS seed, s.sent_at, s.thread, m.sender AS address FROM seed s JOIN mail.message m ON m.id = s.id
            UNION
            SELECT s.id, s.sent_at, s.thread, r.address FROM seed s JOIN mail.recipient r ON r.message = s.id
            WHERE (SELECT count(*) FROM mail.recipient c WHERE c.message = s.id) <= %(circular)s
        ),
        person AS (
            SELECT DISTINCT part.seed, part.sent_at, part.thread, o.person
            FROM part JOIN mail.person_address o USING (address) JOIN mail.person p ON p.id = o.person
            WHERE NOT p.is_owner AND NOT p.is_role
        ),
        known AS (
            SELECT person, sum(n) AS n FROM (
                SELECT o.person, (SELECT count(*) FROM mail.message m WHERE m.sender = o.address)
                    + (SELECT count(*) FROM mail.recipient r WHERE r.address = o.address) AS n
                FROM mail.person_address o WHERE o.person IN (SELECT person FROM person)
            ) x GROUP BY person
        ),
        reached AS (
            SELECT DISTINCT p.seed, p.person, m.id, 1 / ln(2 + k.n)
                * (1 - abs(extract(epoch FROM m.sent_at - p.sent_at)) / (86400.0 * %(days)s)) AS weight
            FROM person p JOIN known k USING (person) JOIN mail.person_address o USING (person)
            CROSS JOIN LATERAL (
                SELECT m.id, m.sent_at, m.thread FROM mail.message m
                WHERE m.sender = o.address AND (m.counted OR m.recovered)
                  AND m.sent_at BETWEEN p.sent_at - %(span)s::interval AND p.sent_at + %(span)s::interval
                UNION ALL
                SELECT m.id, m.sent_at, m.thread FROM mail.recipient r JOIN mail.message m ON m.id = r.message
                WHERE r.address = o.address AND (m.counted OR m.recovered)
                  AND m.sent_at BETWEEN p.sent_at - %(span)s::interval AND p.sent_at + %(span)s::interval
                  AND (SELECT count(*) FROM mail.recipient c WHERE c.message = m.id) <= %(circular)s
            ) m
            WHERE k.n <= greatest(50, (SELECT count(*) FROM mail.message) / 20)
              AND m.id <> ALL(%(ids)s::bigint[]) AND m.thread IS DISTINCT FROM p.thread
        )
        SELECT id, (array_agg(seed ORDER BY weight DESC, seed))[1], sum(weight)::float8 AS score
        FROM reached GROUP BY id ORDER BY score DESC, id LIMIT %(limit)s
        """,
        {"ids": list(messages), "circular": _CIRCULAR, "days": _DAYS, "span": f"{_DAYS} days", "limit": limit},
    )
    return [Neighbour(message, seed, "people", 2, score) for message, seed, score in rows]


def path(conn: psycopg.Connection[Any], a: int, b: int, longest: int = 4) -> list[PathStep] | None:
    """A shortest chain of people from ``a`` to ``b`` in which each wrote to the next one or the other way round, of
    equally short ones that with the most messages in its steps. None when there is none of at most ``longest`` steps.

    Breadth-first search from both ends (Pohl 1971), one statement for each level.
    """
    if a == b:
        return []
    name, numbers = current.graph_labels(conn)
    base = numbers["Person"] << 48
    sides: tuple[dict[int, PathStep | None], dict[int, PathStep | None]] = ({a: None}, {b: None})
    frontiers = [[a], [b]]
    for _ in range(longest):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        reached = {}
        for near, far, n in _correspondents(conn, name, base, frontiers[side]):
            if far not in sides[side] and far not in reached:
                reached[far] = PathStep(near, far, n)
        sides[side].update(reached)
        met = [person for person in reached if person in sides[1 - side]]
        if met:
            return max((_chain(sides, person) for person in met), key=lambda chain: sum(step.n for step in chain))
        frontiers[side] = list(reached)
        if not reached:
            return None
    return None


def _chain(sides: tuple[dict[int, PathStep | None], dict[int, PathStep | None]], met: int) -> list[PathStep]:
    forward, backward = [], []
    person = met
    while step := sides[0][person]:
        forward.append(step)
        person = step.a
    person = met
    while step := sides[1][person]:
        backward.append(PathStep(step.b, step.a, step.n))
        person = step.a
    return [*reversed(forward), *backward]


def _correspondents(
    conn: psycopg.Connection[Any], name: str, base: int, people: list[int]
) -> list[tuple[int, int, int]]:
    """(person of ``people``, correspondent, messages both ways), most messages first."""
    table = sql.Identifier(name, "WROTE_TO")
    query = sql.SQL(
        """
        SELECT near - {base}::bigint, far - {base}::bigint, sum(n)::bigint AS n FROM (
            SELECT start_id::agtype::bigint AS near, end_id::agtype::bigint AS far,
                   (properties -> '"n"'::agtype)::bigint AS n
            FROM {table} WHERE start_id = ANY(%(ids)s::text[]::graphid[])
            UNION ALL
            SELECT end_id::agtype::bigint, start_id::agtype::bigint, (properties -> '"n"'::agtype)::bigint
            FROM {table} WHERE end_id = ANY(%(ids)s::text[]::graphid[])
        ) x WHERE near <> far GROUP BY near, far ORDER BY n DESC, near, far
        """
    ).format(base=base, table=table)
    return _rows(conn, query, {"ids": [str(base + person) for person in people]})


def _rows(
    conn: psycopg.Connection[Any], query: str | sql.Composed, parameters: dict[str, object]
) -> list[tuple[Any, ...]]:
    return conn.cursor(row_factory=tuple_row).execute(query, parameters).fetchall()
