"""What changed from month to month: how much was written, who is new, with whom there was more or less than before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg
from psycopg.rows import tuple_row

# (person, name, messages sent and received in this month minus those of the month before)
Change = tuple[int, str, int]


@dataclass(frozen=True, slots=True)
class Month:
    """``month``: its first day; ``messages`` written by ``writers`` people; ``new``: people who neither wrote nor
    received anything before. ``more`` and ``less``: the people with the largest change against the month before, three
    at most, the owner left out, who has a part in nearly all of it."""

    month: date
    messages: int
    writers: int
    new: int
    more: tuple[Change, ...]
    less: tuple[Change, ...]


def changes(conn: psycopg.Connection[Any]) -> list[Month]:
    """All months with mail, oldest first, from the kept figures: call ``graph.analytics.current`` before."""
    rows = conn.cursor(row_factory=tuple_row).execute(_CHANGES).fetchall()
    return [Month(*(*row[:4], _told(row[4]), _told(row[5]))) for row in rows]


def _told(changes: list[list[Any]] | None) -> tuple[Change, ...]:
    return tuple((person, name, change) for person, name, change in changes or ())


_CHANGES = """
WITH had AS MATERIALIZED (SELECT person, month, sent, sent + received AS n FROM mail.person_month),
first AS (SELECT person, min(month) AS month FROM had GROUP BY person),
change AS (
    SELECT coalesce(h.person, b.person) AS person,
           coalesce(h.month, (b.month + interval '1 month')::date) AS month,
           coalesce(h.n, 0) - coalesce(b.n, 0) AS n
    FROM had h FULL JOIN had b ON b.person = h.person AND b.month = (h.month - interval '1 month')::date
),
ranked AS (
    SELECT c.month, c.n, json_build_array(c.person, p.name, c.n) AS told,
           row_number() OVER (PARTITION BY c.month ORDER BY c.n DESC, c.person) AS up,
           row_number() OVER (PARTITION BY c.month ORDER BY c.n, c.person) AS down
    FROM change c JOIN mail.person p ON p.id = c.person WHERE NOT p.is_owner AND c.n <> 0
)
SELECT m.month, m.sent, m.writers, (SELECT count(*) FROM first f WHERE f.month = m.month),
       (SELECT json_agg(told ORDER BY up) FROM ranked r WHERE r.month = m.month AND up <= 3 AND n > 0),
       (SELECT json_agg(told ORDER BY down) FROM ranked r WHERE r.month = m.month AND down <= 3 AND n < 0)
FROM (SELECT month, sum(sent)::bigint AS sent, count(*) FILTER (WHERE sent > 0) AS writers FROM had GROUP BY month) m
ORDER BY m.month
"""
