"""What a query gave, as cells that lead somewhere and as a network.

A vertex, or the id of one, is more than a number: it has a name and a page. Which columns hold such ids is read from
the query (``m.id`` of a variable that is a Message) and from the views' own names (``message_id``).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Literal

import psycopg

from graph import cypher, views
from graph.cypher import Rows
from graph.cypher_text import skeleton
from ui.components.network import Edge, Node
from ui.links import address

Language = Literal["cypher", "sql"]
ROWS = 200
LONGEST = 300
# A vertex with so many edges of the result keeps its name in the picture.
HUB = 3
# The names of the views' columns, and what their numbers are.
_VIEW_IDS = {"message_id": "Message", "thread_id": "Thread"}
_NAMED = {
    "Person": "name", "Organization": "domain", "Message": "subject", "Thread": "subject", "Attachment": "name",
    "Label": "name",
}  # fmt: skip
KINDS = tuple(_NAMED)
# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Cell:
    """``text``: as it is shown; ``href``: the page it leads to, or None; ``number``: set to the right."""

    text: str
    href: str | None = None
    number: bool = False


@dataclass(frozen=True)
class Result:
    """``cells`` in the order of ``columns``. ``nodes`` and ``edges``: the same as a network, empty where the rows hold
    no vertices. ``pages``: of the nodes that have one, by id. ``cut``: there were more than ROWS rows."""

    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    pages: Mapping[str, str]
    cut: bool
    milliseconds: float


def run(conn: psycopg.Connection, store: str, language: Language, query: str) -> Result:
    """Runs a query. Raises one of the QueryFailed errors, GraphMissing or GraphStale."""
    found = (cypher if language == "cypher" else views).run(conn, query, limit=ROWS)
    kinds = _id_columns(language, query, found.columns)
    wanted = {int(one) for row in found.rows for one in _messages(row, kinds)}
    ids = _message_ids(conn, wanted)
    cells = tuple(
        tuple(_cell(store, value, kinds.get(place), ids) for place, value in enumerate(row)) for row in found.rows
    )
    nodes, edges = _network(found)
    pages = {node.id: href for node in nodes if (href := _href(store, *_label_and_id(node.id), ids))}
    return Result(found.columns, cells, nodes, edges, pages, found.cut, found.milliseconds)


def as_csv(result: Result) -> bytes:
    """The table as a file. A text that a spreadsheet would run as a formula gets an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(result.columns)
    for row in result.cells:
        writer.writerow(
            f"'{cell.text}" if not cell.number and cell.text.startswith(_FORMULA) else cell.text for cell in row
        )
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: Cell) -> str:
    return f"'{cell.text}" if not cell.number and cell.text.startswith(_FORMULA) else cell.text


def _id_columns(language: Language, query: str, columns: tuple[str, ...]) -> dict[int, str]:
    """Of which label the ids in a column are, by place."""
    if language == "sql":
        return {place: _VIEW_IDS[name] for place, name in enumerate(columns) if name in _VIEW_IDS}
    bare = skeleton(query)
    labels = dict(re.findall(r"\(\s*(\w+)\s*:\s*(\w+)", bare))
    named = {alias: variable for variable, alias in re.findall(r"\b(\w+)\.id\s+AS\s+(\w+)", bare, re.IGNORECASE)}
    named |= {name: name.removesuffix(".id") for name in columns if name.endswith(".id")}
    found = {place: labels.get(named.get(name, ""), "") for place, name in enumerate(columns)}
    return {place: label for place, label in found.items() if label}


def _messages(row: Iterable[Any], kinds: Mapping[int, str]) -> Iterable[Any]:
    for place, value in enumerate(row):
        if kinds.get(place) == "Message" and isinstance(value, int):
            yield value
        elif _is_vertex(value) and value["label"] == "Message":
            yield value["properties"]["id"]


def _message_ids(conn: psycopg.Connection, wanted: set[int]) -> dict[int, str]:
    rows = conn.execute("SELECT id, message_id FROM mail.message WHERE id = ANY(%s::bigint[])", (list(wanted),))
    return dict(rows.fetchall())


def _cell(store: str, value: Any, kind: str | None, ids: Mapping[int, str]) -> Cell:
    if _is_vertex(value):
        properties = value["properties"]
        text = str(properties.get(_NAMED.get(value["label"], "id")) or f"(no {_NAMED.get(value['label'], 'name')})")
        return Cell(text, _href(store, value["label"], properties.get("id"), ids))
    if isinstance(value, dict) and "start_id" in value:
        properties = sorted(value["properties"].items(), key=_order)
        return Cell(" ".join([value["label"], *(_property(*one) for one in properties)])[:LONGEST])
    if kind and isinstance(value, int):
        return Cell(str(value), _href(store, kind, value, ids), number=True)
    if value is None:
        return Cell("")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int | float | Decimal):
        return Cell(str(value) if isinstance(value, int) else f"{value:.6g}", number=True)
    if isinstance(value, datetime):
        return Cell(value.strftime("%Y-%m-%d %H:%M"))
    if isinstance(value, date):
        return Cell(value.isoformat())
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return Cell(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def _order(property_: tuple[str, Any]) -> tuple[int, str]:
    """First the number, then from when to when, then the others."""
    first = ("n", "first", "last")
    return (first.index(property_[0]) if property_[0] in first else len(first), property_[0])


def _property(name: str, value: Any) -> str:
    """A property of an edge; its first and last time, in seconds since 1970, as days."""
    if name in ("first", "last") and isinstance(value, int):
        return f"{name} {datetime.fromtimestamp(value, UTC):%Y-%m-%d}"
    return f"{name} {value}"


def _href(store: str, label: str, which: Any, ids: Mapping[int, str]) -> str | None:
    if label == "Message" and which in ids:
        return address("thread", store=store, message=ids[which])
    if label == "Thread":
        return address("thread", store=store, thread=which)
    return address("people", store=store, person=which) if label == "Person" else None


def _label_and_id(node: str) -> tuple[str, int]:
    label, _, which = node.partition(":")
    return label, int(which)


def _network(found: Rows) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """Every vertex of the rows once, and the edges whose two ends are there."""
    vertices: dict[int, Any] = {}
    ties: dict[tuple[int, int], str] = {}
    for row in found.rows:
        for value in row:
            if _is_vertex(value):
                vertices[value["id"]] = value
            elif isinstance(value, dict) and "start_id" in value:
                more = ", ".join(
                    f"{key} {one}" for key, one in value["properties"].items() if key not in ("first", "last")
                )
                ties[value["start_id"], value["end_id"]] = f"{value['label']} {more}".strip()
    kept = {ends: text for ends, text in ties.items() if ends[0] in vertices and ends[1] in vertices}
    degree: dict[int, int] = {}
    for ends in kept:
        for one in ends:
            degree[one] = degree.get(one, 0) + 1
    names = {one: _cell("", value, None, {}).text for one, value in vertices.items()}
    nodes = tuple(
        Node(
            f"{value['label']}:{value['properties'].get('id')}", names[one][:24], f"{value['label']} · {names[one]}",
            min(16.0, 6 + 1.5 * degree.get(one, 0)),
            KINDS.index(value["label"]) if value["label"] in KINDS else "other",
            front=1 if degree.get(one, 0) >= HUB else 0,
        )
        for one, value in vertices.items()
    )  # fmt: skip
    own = {one: node.id for one, node in zip(vertices, nodes, strict=True)}
    edges = tuple(Edge(own[a], own[b], f"{names[a]} {text} {names[b]}", 1.4) for (a, b), text in kept.items() if a != b)
    return nodes, edges


def _is_vertex(value: Any) -> bool:
    return isinstance(value, dict) and {"id", "label", "properties"} <= value.keys() and "start_id" not in value
