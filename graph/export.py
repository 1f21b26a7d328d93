"""Writes the graph as GraphML or GEXF, for programs that draw and analyse graphs.

People carry their weighted degrees, betweenness and communities. Rows stream from the server into the file, so memory
does not grow with the graph. Both formats are XML: characters that XML does not have are replaced.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from lxml import etree
from psycopg import sql

from graph import agtype, analytics, current, schema
from sql.store import Store

GRAPHML = "http://graphml.graphdrawing.org/xmlns"
GEXF = "http://gexf.net/1.3"
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Row = tuple[str, str, str, dict[str, Any]]

# What a person has beside the properties of the graph. ``community`` is the coarse one, ``part`` the finest.
PERSON = ("sent_to", "received_from", "writes_to", "written_by", "betweenness", "community", "part")


def export(store: Store, path: Path) -> dict[str, int]:
    """Writes the current graph to ``path``: GEXF where its name ends in .gexf, GraphML otherwise. Returns the number
    of vertices and edges written. Raises GraphMissing before the first build, OSError."""
    analytics.current(store)
    write = _gexf if path.suffix.lower() == ".gexf" else _graphml
    counts = {"vertices": 0, "edges": 0}
    part = path.with_name(path.name + ".part")
    with store.reader() as conn:
        conn.execute("SET statement_timeout = 0")
        name = current.graph_name(conn)
        with part.open("wb") as file, etree.xmlfile(file, encoding="utf-8") as xml:
            xml.write_declaration()
            write(conn, name, xml, counts)
    part.replace(path)
    return counts


def _names(labels: tuple[schema.Vertex, ...] | tuple[schema.Edge, ...]) -> set[str]:
    """All properties of some labels."""
    names = {name for label in labels for name in label.properties}
    return names | set(PERSON) if labels is schema.VERTICES else names


def _graphml(conn: psycopg.Connection[Any], name: str, xml: Any, counts: dict[str, int]) -> None:
    keys: dict[tuple[str, str], str] = {}
    with xml.element("graphml", nsmap={None: GRAPHML}):
        for kind, labels in (("node", schema.VERTICES), ("edge", schema.EDGES)):
            for number, property_name in enumerate(sorted({"label", *_names(labels)})):
                keys[kind, property_name] = f"{kind[0]}{number}"
                attributes = {"id": keys[kind, property_name], "for": kind, "attr.name": property_name}
                xml.write(etree.Element("key", attributes | {"attr.type": _type(property_name)}))
        with xml.element("graph", id=name, edgedefault="directed"):
            for label, key, _, properties in _vertices(conn, name, counts):
                with xml.element("node", id=key):
                    _data(xml, keys, "node", {"label": label} | properties)
            for label, source, target, properties in _edges(conn, name, counts):
                with xml.element("edge", source=source, target=target):
                    _data(xml, keys, "edge", {"label": label} | properties)


def _data(xml: Any, keys: dict[tuple[str, str], str], kind: str, properties: dict[str, Any]) -> None:
    for name, value in properties.items():
        with xml.element("data", key=keys[kind, name]):
            xml.write(_text(value))


def _gexf(conn: psycopg.Connection[Any], name: str, xml: Any, counts: dict[str, int]) -> None:
    keys: dict[tuple[str, str], str] = {}
    with xml.element("gexf", nsmap={None: GEXF}, version="1.3"), xml.element("graph", defaultedgetype="directed"):
        for kind, labels in (("node", schema.VERTICES), ("edge", schema.EDGES)):
            with xml.element("attributes", {"class": kind}):
                for number, property_name in enumerate(sorted({"kind", *_names(labels)})):
                    keys[kind, property_name] = str(number)
                    attributes = {"id": str(number), "title": property_name}
                    xml.write(etree.Element("attribute", attributes | {"type": _type(property_name)}))
        with xml.element("nodes"):
            for label, key, _, properties in _vertices(conn, name, counts):
                shown = next((str(properties[p]) for p in ("name", "subject", "domain") if properties.get(p)), key)
                with xml.element("node", id=key, label=_text(shown)):
                    _values(xml, keys, "node", properties | {"kind": label})
        with xml.element("edges"):
            for label, source, target, properties in _edges(conn, name, counts):
                weight = {"weight": str(properties["n"])} if "n" in properties else {}
                with xml.element("edge", {"id": str(counts["edges"]), "source": source, "target": target} | weight):
                    _values(xml, keys, "edge", properties | {"kind": label})


def _values(xml: Any, keys: dict[tuple[str, str], str], kind: str, properties: dict[str, Any]) -> None:
    with xml.element("attvalues"):
        for name, value in properties.items():
            # "for" is the attribute's name, not a word of Python
            xml.write(etree.Element("attvalue", {"for": keys[kind, name], "value": _text(value)}))


def _vertices(conn: psycopg.Connection[Any], name: str, counts: dict[str, int]) -> Iterator[Row]:
    for vertex in schema.VERTICES:
        query = _PEOPLE if vertex.label == "Person" else "SELECT id::text, properties FROM {}"
        for key, properties, *more in _stream(conn, query, name, vertex.label):
            counts["vertices"] += 1
            known = {p: value for p, value in zip(PERSON, more, strict=False) if value is not None}
            yield vertex.label, key, "", agtype.decode(properties) | known


_PEOPLE = """
SELECT v.id::text, v.properties, f.sent_to, f.received_from, f.writes_to, f.written_by, f.betweenness, c.coarse, c.fine
FROM {} v LEFT JOIN mail.person_figures f ON f.person = (v.properties -> '"id"'::agtype)::bigint
LEFT JOIN (
    SELECT m.person, (array_agg(c.id ORDER BY c.level))[1] AS coarse, (array_agg(c.id ORDER BY c.level DESC))[1] AS fine
    FROM mail.community_member m JOIN mail.community c ON c.id = m.community GROUP BY m.person
) c ON c.person = (v.properties -> '"id"'::agtype)::bigint
"""


def _edges(conn: psycopg.Connection[Any], name: str, counts: dict[str, int]) -> Iterator[Row]:
    query = "SELECT start_id::text, end_id::text, properties FROM {}"
    for edge in schema.EDGES:
        for source, target, properties in _stream(conn, query, name, edge.label):
            counts["edges"] += 1
            yield edge.label, source, target, agtype.decode(properties)


def _stream(conn: psycopg.Connection[Any], query: str, name: str, label: str) -> Iterator[tuple[Any, ...]]:
    with conn.cursor(name="graph_export") as cursor:
        cursor.itersize = 5000
        cursor.execute(sql.SQL(query).format(sql.Identifier(name, label)))
        yield from cursor


def _type(name: str) -> str:
    if name == "betweenness":
        return "double"
    numbers = ("id", "ts", "n", "first", "last", "messages", "participants", "characters", "bytes", "thread_id")
    truths = ("is_owner", "is_role", "recovered", "counted")
    return "long" if name in numbers or name in PERSON else "boolean" if name in truths else "string"


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _NO_XML.sub("\ufffd", text)
