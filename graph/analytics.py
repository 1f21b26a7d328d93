"""Figures of the correspondence: how much, with how many, how mutually, how fast; and its communities.

Computed from the current graph and the reply links when asked for: half a second for a mailbox of five thousand
messages, so that nothing has to be kept up to date. Counted messages only.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import psycopg
from graspologic_native import hierarchical_leiden
from psycopg import sql
from psycopg.rows import tuple_row

from graph import current

_SEED = 20010101


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """``sent_to`` / ``received_from``: sums over correspondents of messages written to / received from them (a mail
    to three people counts three times); ``writes_to`` / ``written_by``: numbers of correspondents; ``mutual``: of those
    in either direction, how many in both, as a share from 0 to 1. ``answers_after`` / ``is_answered_after``: median
    hours, None without replies. A person's mail to themselves is left out."""

    person: int
    name: str
    sent_to: int
    received_from: int
    writes_to: int
    written_by: int
    mutual: float
    answers_after: float | None
    is_answered_after: float | None


@dataclass(frozen=True, slots=True)
class Community:
    """People who write each other more than others. ``level`` 0 is the coarsest; ``parent`` is the community of the
    level above that was split, None at level 0. ``messages``: of the correspondence inside. People by messages inside,
    most first."""

    id: int
    level: int
    parent: int | None
    people: tuple[int, ...]
    messages: int


def figures(conn: psycopg.Connection[Any], limit: int | None = None) -> list[PersonFigures]:
    """The figures of all people with correspondence, those with most mail first."""
    name, numbers = current.graph_labels(conn)
    query = sql.SQL(_FIGURES).format(
        wrote_to=sql.Identifier(name, "WROTE_TO"), base=sql.SQL(str(numbers["Person"] << 48)), limit=sql.Literal(limit)
    )
    return [PersonFigures(*row) for row in conn.cursor(row_factory=tuple_row).execute(query)]


def communities(conn: psycopg.Connection[Any], *, largest: int = 60, smallest: int = 3) -> list[Community]:
    """The communities of the correspondence, coarse ones first, each with its parts after it at the next level.

    Hierarchical Leiden (Traag, Waltman, van Eck 2019) over the mutual weight of each pair; a community of more than
    ``largest`` people is split further, one of fewer than ``smallest`` is left out. The owner is left out: connected
    to everybody, they would hold all of it together. The same graph gives the same communities.
    """
    pairs = _pairs(conn)
    if not pairs:
        return []
    edges = [(str(a), str(b), float(n)) for (a, b), n in sorted(pairs.items())]
    members: dict[tuple[int, int], set[int]] = defaultdict(set)
    parents: dict[int, int | None] = {}
    for found in hierarchical_leiden(edges, max_cluster_size=largest, iterations=2, seed=_SEED):
        members[found.level, found.cluster].add(int(found.node))
        parents[found.cluster] = found.parent_cluster
    inside: dict[tuple[int, int], int] = defaultdict(int)
    own: dict[tuple[int, int, int], int] = defaultdict(int)
    of_person: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for key, people in members.items():
        for person in people:
            of_person[person].append(key)
    for (a, b), n in pairs.items():
        for key in set(of_person[a]) & set(of_person[b]):
            inside[key] += n
            own[(*key, a)] += n
            own[(*key, b)] += n
    return [
        Community(
            id=cluster,
            level=level,
            parent=parents[cluster],
            people=tuple(sorted(people, key=lambda person: (-own[level, cluster, person], person))),
            messages=inside[level, cluster],
        )
        for (level, cluster), people in sorted(members.items())
        if len(people) >= smallest
    ]


def _pairs(conn: psycopg.Connection[Any]) -> dict[tuple[int, int], int]:
    """Messages between each two people, both ways together, without the owner."""
    name, numbers = current.graph_labels(conn)
    query = sql.SQL(
        """
        SELECT least(a, b), greatest(a, b), sum(n)::bigint FROM (
            SELECT start_id::agtype::bigint - {base} AS a, end_id::agtype::bigint - {base} AS b,
                   (properties -> '"n"'::agtype)::bigint AS n
            FROM {wrote_to}
        ) w WHERE a <> b AND NOT EXISTS (SELECT FROM mail.person p WHERE p.is_owner AND p.id IN (a, b)) GROUP BY 1, 2
        """
    ).format(wrote_to=sql.Identifier(name, "WROTE_TO"), base=sql.SQL(str(numbers["Person"] << 48)))
    return {(a, b): n for a, b, n in conn.cursor(row_factory=tuple_row).execute(query)}


_FIGURES = """
WITH wrote AS MATERIALIZED (
    SELECT start_id::agtype::bigint - {base} AS a, end_id::agtype::bigint - {base} AS b,
           (properties -> '"n"'::agtype)::bigint AS n
    FROM {wrote_to} WHERE start_id <> end_id
),
out AS (SELECT a AS person, count(*) AS people, sum(n)::bigint AS n FROM wrote GROUP BY a),
back AS (SELECT b AS person, count(*) AS people, sum(n)::bigint AS n FROM wrote GROUP BY b),
both_ways AS (
    SELECT w.a AS person, count(*) AS people FROM wrote w JOIN wrote v ON v.a = w.b AND v.b = w.a GROUP BY w.a
),
answer AS (
    SELECT s.person AS answers, o.person AS answered, extract(epoch FROM m.sent_at - p.sent_at) / 3600 AS hours
    FROM mail.reply y JOIN mail.message m ON m.id = y.message AND m.counted
    JOIN mail.message p ON p.id = y.parent AND p.counted
    JOIN mail.person_address s ON s.address = m.sender JOIN mail.person_address o ON o.address = p.sender
    WHERE m.sent_at >= p.sent_at AND s.person <> o.person
),
fast AS (SELECT answers AS person, percentile_cont(0.5) WITHIN GROUP (ORDER BY hours) AS hours FROM answer GROUP BY 1),
slow AS (SELECT answered AS person, percentile_cont(0.5) WITHIN GROUP (ORDER BY hours) AS hours FROM answer GROUP BY 1)
SELECT p.id, p.name, coalesce(o.n, 0), coalesce(i.n, 0), coalesce(o.people, 0), coalesce(i.people, 0),
       (coalesce(m.people, 0)::float8 / (coalesce(o.people, 0) + coalesce(i.people, 0) - coalesce(m.people, 0))),
       f.hours::float8, l.hours::float8
FROM mail.person p LEFT JOIN out o ON o.person = p.id LEFT JOIN back i ON i.person = p.id
LEFT JOIN both_ways m ON m.person = p.id LEFT JOIN fast f ON f.person = p.id LEFT JOIN slow l ON l.person = p.id
WHERE o.person IS NOT NULL OR i.person IS NOT NULL
ORDER BY coalesce(o.n, 0) + coalesce(i.n, 0) DESC, p.id LIMIT {limit}
"""
