"""The rows of a query that a model wrote become a fact, and messages where the query returned any."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import psycopg

from graph.cypher import Rows
from retrieval.types import Fact

SHOWN = 40
MOST_MESSAGES = 60
_PERSON = re.compile(r"^(?:[pqr]\.name|sender|recipient)$")
_ADDRESSES = """
SELECT p.name, array_agg(a.address ORDER BY a.id) FROM mail.person p JOIN mail.person_address o ON o.person = p.id
JOIN mail.address a ON a.id = o.address WHERE p.name = ANY(%s) GROUP BY p.name
"""
_ID = re.compile(r"^(?:\w+\.id|message_id|id)$", re.IGNORECASE)


def fact(conn: psycopg.Connection[Any], rows: Rows, query: str, rule: str) -> Fact:
    """The fact of a result: a number where it is one number, else a list of items, complete or openly cut."""
    number = single_number(rows)
    listed = [dict(zip(rows.columns, map(_plain, row), strict=True)) for row in rows.rows]
    if number is not None:
        return Fact(f"The query that the model wrote gives {number:,}.", number, query, listed, rule=rule)
    messages = message_ids(rows)
    items = _messages(conn, messages, rows) if messages else _items(conn, rows)
    text = "; ".join(_said(item) for item in items[:SHOWN]) or "nothing"
    if len(items) > SHOWN or rows.cut:
        text += f" and more: {len(items) if not rows.cut else f'more than {len(items)}'} in all"
    text = f"The query that the model wrote gives {len(items)}{' or more' if rows.cut else ''}: {text}."
    return Fact(text, items, query, listed, tuple(messages[:MOST_MESSAGES]), rule)


def single_number(rows: Rows) -> int | None:
    """The value of a result that is one whole number."""
    if len(rows.rows) == 1 and len(rows.columns) == 1 and _is_number(rows.rows[0][0]):
        return int(rows.rows[0][0])
    return None


def message_ids(rows: Rows) -> list[int]:
    """Ids of messages among the rows, in their order."""
    place = next((n for n, name in enumerate(rows.columns) if _ID.match(name)), None)
    if place is None:
        return []
    return list(dict.fromkeys(row[place] for row in rows.rows if _is_number(row[place])))


def _items(conn: psycopg.Connection[Any], rows: Rows) -> list[dict[str, Any]]:
    """One item a row: its first text, or its first value, with its first number. Rows without a value are nothing."""
    items: dict[str, dict[str, Any]] = {}
    for row in rows.rows:
        values = [_plain(value) for value in row]
        label = next((v for v in values if isinstance(v, str)), values[0] if values else None)
        if label is None:
            continue
        number = next((v for v in values if _is_number(v) and v is not label), None)
        items.setdefault(str(label), {"label": str(label), "n": number, "keys": []})
    if rows.columns and _PERSON.match(rows.columns[0]):
        for name, addresses in conn.execute(_ADDRESSES, (list(items),)).fetchall():
            items[name]["keys"] = addresses
    return list(items.values())


def _messages(conn: psycopg.Connection[Any], ids: Sequence[int], rows: Rows) -> list[dict[str, Any]]:
    """Messages as items: all Message-IDs of their copies are their keys."""
    found: Mapping[int, tuple[str, str, list[str]]] = {
        row[0]: row[1:]
        for row in conn.execute(
            """
            SELECT m.id, coalesce(to_char(m.local_at, 'YYYY-MM-DD'), ''), m.subject,
                   array_agg(DISTINCT i.id) FILTER (WHERE i.id IS NOT NULL)
            FROM mail.message m
            LEFT JOIN LATERAL (
                SELECT m.message_id AS id UNION ALL SELECT o.message_id FROM mail.occurrence o WHERE o.message = m.id
            ) i ON true
            WHERE m.id = ANY(%s) GROUP BY m.id
            """,
            (list(ids),),
        ).fetchall()
    }
    last = rows.columns[-1]
    numbers = [row[-1] if last == "n" or last == "recipients" else None for row in rows.rows]
    return [
        {"label": f"{found[i][0]} {found[i][1]}".strip(), "n": n, "keys": found[i][2] or []}
        for i, n in zip(ids, numbers, strict=False)
        if i in found
    ]


def _said(item: Mapping[str, Any]) -> str:
    return f"{item['label']} ({item['n']})" if item.get("n") is not None else str(item["label"])


def _plain(value: Any) -> Any:
    """A value that JSON knows."""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="minutes")
    return float(value) if isinstance(value, Decimal) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
