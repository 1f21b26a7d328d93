"""Figures of each person: how much, with how many, how mutually, how fast, and how much passes through them; and how
much mail each had in each month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from graph import current
from graph.analytics.betweenness import betweenness
from graph.analytics.communities import Pair


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """``sent_to`` / ``received_from``: weighted degree, sums over correspondents of messages written to / received from
    them (a mail to three people counts three times); ``writes_to`` / ``written_by``: numbers of correspondents;
    ``reciprocity``: of those in either direction, the share in both, 0 to 1. ``answers_after`` / ``is_answered_after``:
    median hours from a message to the person's answer / to the answer to the person, over ``answers`` / ``answered``
    reply links, None without any; an answer dated before its message is left out. ``betweenness``: share of the
    shortest paths between others that lead through the person, None for the owner and for people who write with nobody
    but the owner. Mail to oneself is left out of everything."""

    person: int
    name: str
    sent_to: int
    received_from: int
    writes_to: int
    written_by: int
    reciprocity: float
    answers_after: float | None
    answers: int
    is_answered_after: float | None
    answered: int
    betweenness: float | None


def read(conn: psycopg.Connection[Any]) -> list[PersonFigures]:
    """The kept figures of all people with correspondence, those with most mail first."""
    rows = conn.cursor(row_factory=tuple_row).execute(
        """
        SELECT f.person, p.name, f.sent_to, f.received_from, f.writes_to, f.written_by, f.reciprocity,
               f.answers_after, f.answers, f.is_answered_after, f.answered, f.betweenness
        FROM mail.person_figures f JOIN mail.person p ON p.id = f.person
        ORDER BY f.sent_to + f.received_from DESC, f.person
        """
    )
    return [PersonFigures(*row) for row in rows]


def compute(conn: psycopg.Connection[Any], pairs: Sequence[Pair]) -> int | None:
    """Writes the figures and the months anew; Returns the number of pivots of the
    betweenness, None when it is exact."""
    through, pivots = betweenness([(a, b) for a, b, _ in pairs])
    conn.execute("CREATE TEMP TABLE through (person bigint, share float8) ON COMMIT DROP")
    with conn.cursor().copy("COPY through FROM STDIN") as copy:
        for row in through.items():
            copy.write_row(row)
    name, numbers = current.graph_labels(conn)
    conn.execute("DELETE FROM mail.person_figures")
    conn.execute(
        sql.SQL(_FIGURES).format(wrote_to=sql.Identifier(name, "WROTE_TO"), base=sql.SQL(str(numbers["Person"] << 48)))
    )
    conn.execute("DELETE FROM mail.person_month")
    conn.execute(_MONTHS)
    return pivots


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
fast AS (
    SELECT answers AS person, percentile_cont(0.5) WITHIN GROUP (ORDER BY hours) AS hours, count(*) AS n
    FROM answer GROUP BY 1
),
slow AS (
    SELECT answered AS person, percentile_cont(0.5) WITHIN GROUP (ORDER BY hours) AS hours, count(*) AS n
    FROM answer GROUP BY 1
)
INSERT INTO mail.person_figures
SELECT p.id, coalesce(o.n, 0), coalesce(i.n, 0), coalesce(o.people, 0), coalesce(i.people, 0),
       coalesce(m.people, 0)::float8 / (coalesce(o.people, 0) + coalesce(i.people, 0) - coalesce(m.people, 0)),
       f.hours, coalesce(f.n, 0), l.hours, coalesce(l.n, 0), t.share
FROM mail.person p LEFT JOIN out o ON o.person = p.id LEFT JOIN back i ON i.person = p.id
LEFT JOIN both_ways m ON m.person = p.id LEFT JOIN fast f ON f.person = p.id LEFT JOIN slow l ON l.person = p.id
LEFT JOIN through t ON t.person = p.id
WHERE o.person IS NOT NULL OR i.person IS NOT NULL
"""

_MONTHS = """
INSERT INTO mail.person_month
SELECT person, month, sum(sent), sum(received) FROM (
    SELECT o.person, date_trunc('month', m.local_at)::date AS month, count(*) AS sent, 0 AS received
    FROM mail.message m JOIN mail.person_address o ON o.address = m.sender
    WHERE m.counted AND m.local_at IS NOT NULL GROUP BY 1, 2
    UNION ALL
    SELECT o.person, date_trunc('month', m.local_at)::date, 0, count(DISTINCT m.id)
    FROM mail.message m JOIN mail.recipient r ON r.message = m.id JOIN mail.person_address o ON o.address = r.address
    LEFT JOIN mail.person_address s ON s.address = m.sender
    WHERE m.counted AND m.local_at IS NOT NULL AND s.person IS DISTINCT FROM o.person GROUP BY 1, 2
) had GROUP BY 1, 2
"""
