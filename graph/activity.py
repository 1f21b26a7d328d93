# ruff: noqa: S608 - the text is made of constants of this module; every value is bound
"""When mail was written: counts by month, by weekday and hour, by sender, organisation and label, under one choice.

Each count leaves out the choice of its own kind, so that the months show where else there is something in the hours
that were chosen (cross-filtering). Counted messages with a date, by the local clock of the Date header.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, overload

import psycopg
from psycopg.rows import tuple_row

from graph.names import without_strays

By = Literal["sender", "organization", "label"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """``start`` <= local date < ``stop``; ``days``: first and last weekday, Monday is 0; ``hours``: first and last
    hour; ``sender``: a person, ``organization``: of the sender, ``label``: ids. None: not chosen. ``automated``: with
    notifications, newsletters and the like."""

    start: date | None = None
    stop: date | None = None
    days: tuple[int, int] | None = None
    hours: tuple[int, int] | None = None
    sender: int | None = None
    organization: int | None = None
    label: int | None = None
    automated: bool = True


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sender, organisation or label with its number of messages. ``id`` None: of none (private addresses)."""

    id: int | None
    name: str
    n: int


def months(conn: psycopg.Connection[Any], chosen: Chosen) -> dict[date, int]:
    """Messages by the first day of their month."""
    where, values = _where(chosen, "period")
    month = "date_trunc('month', m.local_at)::date"
    query = f"SELECT {month}, count(*) FROM mail.message m WHERE {where} GROUP BY 1 ORDER BY 1"
    return dict(_rows(conn, query, values))


def span(counts: Mapping[date, int]) -> tuple[date, ...]:
    """Every month from the first to the last with mail, without those of wrong clocks far away from all others."""
    kept = without_strays(sorted(counts.items()))
    if not kept:
        return ()
    return tuple(date(n // 12, n % 12 + 1, 1) for n in range(_number(kept[0][0]), _number(kept[-1][0]) + 1))


def hours(conn: psycopg.Connection[Any], chosen: Chosen) -> dict[tuple[int, int], int]:
    """Messages by (weekday, hour)."""
    where, values = _where(chosen, "clock")
    rows = _rows(
        conn,
        f"""
        SELECT extract(isodow FROM m.local_at)::int - 1, extract(hour FROM m.local_at)::int, count(*)
        FROM mail.message m WHERE {where} GROUP BY 1, 2
        """,
        values,
    )
    return {(day, hour): n for day, hour, n in rows}


def ranked(conn: psycopg.Connection[Any], chosen: Chosen, by: By, limit: int = 14) -> list[Ranked]:
    """The senders, organisations of the senders, or labels with most messages."""
    where, values = _where(chosen, by)
    return [Ranked(*row) for row in _rows(conn, _RANKED[by].format(where=where), {**values, "limit": limit})]


def name(conn: psycopg.Connection[Any], by: By, which: int) -> str | None:
    """What a sender, an organisation or a label is called; None when there is none with this id."""
    table, column = {
        "sender": ("person", "name"),
        "organization": ("organization", "domain"),
        "label": ("label", "name"),
    }[by]
    rows = _rows(conn, f"SELECT {column} FROM mail.{table} WHERE id = %(id)s", {"id": which})
    return str(rows[0][0]) if rows else None


class Selection(Sequence[int]):
    """The ids of the chosen messages, newest first, read when a part is asked for. ``total``: how many there are;
    ``conn_of`` lends a reader's connection."""

    def __init__(
        self, conn_of: Callable[[], AbstractContextManager[psycopg.Connection[Any]]], chosen: Chosen, total: int
    ) -> None:
        self._conn_of, self._chosen, self._total = conn_of, chosen, total

    def __len__(self) -> int:
        return self._total

    @overload
    def __getitem__(self, which: int) -> int: ...
    @overload
    def __getitem__(self, which: slice) -> list[int]: ...
    def __getitem__(self, which: int | slice) -> int | list[int]:
        places = range(self._total)[which]
        if isinstance(places, int):
            return self._read(places, 1)[0]
        return self._read(places.start, len(places))

    def __iter__(self) -> Iterator[int]:
        return iter(self[:])

    def _read(self, first: int, n: int) -> list[int]:
        where, values = _where(self._chosen)
        query = (
            f"SELECT m.id FROM mail.message m WHERE {where} ORDER BY m.local_at DESC, m.id DESC "
            "LIMIT %(n)s OFFSET %(first)s"
        )
        with self._conn_of() as conn:
            return [row[0] for row in _rows(conn, query, {**values, "n": n, "first": first})]


def _where(chosen: Chosen, without: Literal["period", "clock"] | By | None = None) -> tuple[str, dict[str, object]]:
    """The condition, and its values. ``without``: the kind of choice that is left out."""
    parts = ["m.counted", "m.local_at IS NOT NULL"]
    values: dict[str, object] = {}

    def put(condition: str, **more: object) -> None:
        parts.append(condition)
        values.update(more)

    if without != "period" and chosen.start is not None:
        put("m.local_at >= %(start)s", start=chosen.start)
    if without != "period" and chosen.stop is not None:
        put("m.local_at < %(stop)s", stop=chosen.stop)
    if without != "clock" and chosen.days is not None:
        put(
            "extract(isodow FROM m.local_at) BETWEEN %(day)s AND %(day_to)s",
            day=chosen.days[0] + 1,
            day_to=chosen.days[1] + 1,
        )
    if without != "clock" and chosen.hours is not None:
        put(
            "extract(hour FROM m.local_at) BETWEEN %(hour)s AND %(hour_to)s",
            hour=chosen.hours[0],
            hour_to=chosen.hours[1],
        )
    if without != "sender" and chosen.sender is not None:
        put(
            "m.sender IN (SELECT o.address FROM mail.person_address o WHERE o.person = %(sender)s)",
            sender=chosen.sender,
        )
    if without != "organization" and chosen.organization is not None:
        put(
            "m.sender IN (SELECT d.id FROM mail.address d WHERE d.organization = %(organization)s)",
            organization=chosen.organization,
        )
    if without != "label" and chosen.label is not None:
        put(
            "m.id IN (SELECT c.message FROM mail.occurrence_label k JOIN mail.occurrence c ON c.id = k.occurrence "
            "WHERE k.label = %(label)s)",
            label=chosen.label,
        )
    if not chosen.automated:
        put("m.kind <> 'automated'")
    return " AND ".join(parts), values


_SENT = "SELECT m.sender, count(*) AS n FROM mail.message m WHERE {where} GROUP BY m.sender"
_RANKED: dict[By, str] = {
    "sender": f"""
        SELECT p.id, p.name, sum(s.n)::bigint AS n
        FROM ({_SENT}) s JOIN mail.person_address o ON o.address = s.sender JOIN mail.person p ON p.id = o.person
        GROUP BY p.id ORDER BY n DESC, p.id LIMIT %(limit)s""",
    "organization": f"""
        SELECT g.id, coalesce(g.domain, 'private addresses'), sum(s.n)::bigint AS n
        FROM ({_SENT}) s JOIN mail.address d ON d.id = s.sender LEFT JOIN mail.organization g ON g.id = d.organization
        GROUP BY g.id ORDER BY n DESC, g.id LIMIT %(limit)s""",
    "label": """
        SELECT l.id, l.name, s.n FROM (
            SELECT k.label, count(DISTINCT m.id) AS n
            FROM mail.occurrence_label k JOIN mail.occurrence c ON c.id = k.occurrence
            JOIN mail.message m ON m.id = c.message WHERE {where} GROUP BY k.label
        ) s JOIN mail.label l ON l.id = s.label ORDER BY s.n DESC, l.id LIMIT %(limit)s""",
}


def _number(month: date) -> int:
    return month.year * 12 + month.month - 1


def _rows(conn: psycopg.Connection[Any], query: str, values: dict[str, object]) -> list[tuple[Any, ...]]:
    return conn.cursor(row_factory=tuple_row).execute(query, values).fetchall()
