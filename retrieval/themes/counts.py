"""How much each community wrote in a period, as facts: one query, whose text and rows stand beside every sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from graph.analytics import Community
from retrieval.themes.material import Period
from retrieval.types import Fact

LISTED = 8
RULE = (
    "Counted messages of people who write each other, each in one community of a level: no drafts, spam, trash, and no "
    "mail with the owner alone among people of no community. Names and partial answers were written by {model} and "
    "are not exact."
)
_QUERY = """\
SELECT c.id, c.level, c.name, c.people, count(*) AS messages,
       min(m.local_at)::date::text AS first, max(m.local_at)::date::text AS last
FROM mail.community c JOIN mail.community_message b ON b.community = c.id JOIN mail.message m ON m.id = b.message
WHERE c.id = ANY({ids}){period}
GROUP BY c.id ORDER BY messages DESC, c.id"""


@dataclass(frozen=True)
class Counted:
    """The ``query`` that ran, its ``rows``, and the period in words ("" without one)."""

    query: str
    rows: list[dict[str, Any]]
    said: str

    @property
    def messages(self) -> dict[int, int]:
        """Messages by community; one without any is not there."""
        return {row["id"]: row["messages"] for row in self.rows}


def count(conn: psycopg.Connection[Any], communities: Sequence[Community], period: Period) -> Counted:
    """Counts the messages of each of the communities in a period, most first."""
    bounds = sql.SQL("").join(
        sql.SQL(f" AND m.local_at {sign} {{}}").format(sql.Literal(day))
        for sign, day in ((">=", period.start), ("<", period.end))
        if day is not None
    )
    ids = sql.Literal([c.id for c in communities])
    query = sql.SQL(_QUERY).format(ids=ids, period=bounds).as_string(conn)
    rows = conn.cursor(row_factory=dict_row).execute(query.encode()).fetchall()
    said = " ".join(f"{word} {day}" for word, day in (("from", period.start), ("before", period.end)) if day)
    return Counted(query, rows, said)


def facts(
    counted: Counted,
    communities: Sequence[Community],
    answered: Sequence[tuple[int, Community, str]],
    model: str,
) -> list[Fact]:
    """First the largest communities of the coarsest level, then one fact for each partial answer."""
    rule = RULE.format(model=model)
    rows = {row["id"]: row for row in counted.rows}
    coarse = [row for row in counted.rows if row["level"] == 0]
    listed = "; ".join(f'"{_label(row)}" ({row["messages"]:,} messages)' for row in coarse[:LISTED])
    more = f"; and {len(coarse) - LISTED} more in the rows" if len(coarse) > LISTED else ""
    period = f" {counted.said}" if counted.said else ""
    overview = Fact(
        f"Mail by groups of people who write each other{period}: {listed}{more}.",
        [{"label": _label(row), "n": row["messages"], "keys": [str(row["id"])]} for row in coarse],
        counted.query,
        counted.rows,
        rule=rule,
    )
    return [overview, *(_part(counted, rows[one.id], said, rule) for _, one, said in answered)]


def _part(counted: Counted, row: dict[str, Any], said: str, rule: str) -> Fact:
    span = f", {row['first']} to {row['last']}" if row["first"] else ""
    text = f'"{_label(row)}": {row["messages"]:,} messages of {row["people"]:,} people{span}. Their part: "{said}"'
    return Fact(text, row["messages"], counted.query, [row], rule=rule)


def _label(row: dict[str, Any]) -> str:
    return str(row["name"] or f"community {row['id']}")
