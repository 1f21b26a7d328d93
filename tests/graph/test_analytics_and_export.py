"""Figures counted by hand, communities that are there, and files that other programs can read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from lxml import etree

from graph import build, schema
from graph.analytics import PersonFigures, communities, figures
from graph.errors import GraphMissing
from graph.export import GEXF, GRAPHML, export
from sql.store import Store
from tests.graph.mailboxes import Mail, Mailbox, load

START = datetime(2001, 1, 1)


def built(store: Store, people: Mapping[str, tuple[str, ...]], mail: list[Mail]) -> Store:
    with store.owner() as conn:
        load(conn, Mailbox(dict(people), mail))
    build.build(store)
    return store


def test_figures_are_degrees_mutuality_and_median_hours(store: Store) -> None:
    people = {"Ada": ("a@x.example",), "Bo": ("b@x.example",), "Cleo": ("c@x.example",)}
    a, b, c = "a@x.example", "b@x.example", "c@x.example"
    mail = [
        Mail(1, a, to=(b, c), sent=START, thread=1),
        Mail(2, b, to=(a,), sent=START + timedelta(hours=2), thread=1, parents=(1,)),
        Mail(3, b, to=(a,), sent=START + timedelta(hours=6), thread=1, parents=(1,)),
        Mail(4, a, to=(a,), sent=START, thread=4),
        Mail(5, c, to=(b,), sent=START, thread=5, kind="draft"),
    ]
    with built(store, people, mail).reader() as conn:
        found = figures(conn)
    assert found == [
        PersonFigures(1, "Ada", 2, 2, 2, 1, 0.5, None, 4.0),
        PersonFigures(2, "Bo", 2, 1, 1, 1, 1.0, 4.0, None),
        PersonFigures(3, "Cleo", 0, 1, 0, 1, 0.0, None, None),
    ]


def test_two_circles_that_only_the_owner_connects_are_two_communities(store: Store) -> None:
    names = [f"p{n}@x.example" for n in range(9)]
    people = {f"Person {n}": (address,) for n, address in enumerate(names)}
    circles = (names[1:5], names[5:9])
    mail: list[Mail] = []
    for circle in circles:
        for sender in circle:
            others = tuple(address for address in (*circle, names[0]) if address != sender)
            mail.append(Mail(len(mail) + 1, sender, to=others, sent=START, thread=len(mail) + 1))
    with built(store, people, mail).reader() as conn:
        found = communities(conn)
        assert found == communities(conn)
    assert sorted(sorted(c.people) for c in found if c.level == 0) == [[2, 3, 4, 5], [6, 7, 8, 9]]
    assert {c.messages for c in found} == {12}


def test_a_store_without_correspondence_has_no_communities(store: Store) -> None:
    with built(store, {"Ada": ("a@x.example",)}, []).reader() as conn:
        assert communities(conn) == []
        assert figures(conn) == []


@pytest.fixture
def nasty(store: Store) -> Store:
    subject = 'a <b> & "c" \x01\x0b ]]> ::vertex 😀'
    mail = [Mail(1, "a@x.example", to=("b@x.example",), sent=START, subject=subject, thread=1, labels=("inbox",))]
    return built(store, {"Ada <x>": ("a@x.example",), "Bo": ("b@x.example",)}, mail)


@pytest.mark.parametrize(("name", "namespace"), [("graph.graphml", GRAPHML), ("graph.gexf", GEXF)])
def test_the_file_is_xml_with_every_vertex_and_edge(nasty: Store, tmp_path: Path, name: str, namespace: str) -> None:
    with nasty.reader() as conn:
        counts = export(conn, tmp_path / name)
    root = etree.parse(tmp_path / name).getroot()
    nodes, edges = root.findall(f".//{{{namespace}}}node"), root.findall(f".//{{{namespace}}}edge")
    # 2 people, 1 organisation, 1 message, 1 thread, 1 label; SENT, TO, IN_THREAD, HAS_LABEL, WORKS_AT twice, WROTE_TO
    assert (len(nodes), len(edges)) == (counts["vertices"], counts["edges"]) == (6, 7)
    ids = {node.get("id") for node in nodes}
    assert all(edge.get("source") in ids and edge.get("target") in ids for edge in edges)
    text = etree.tostring(root, encoding="unicode")
    assert "::vertex 😀" in text and "Ada &lt;x&gt;" in text
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_graphml_declares_every_property(nasty: Store, tmp_path: Path) -> None:
    with nasty.reader() as conn:
        export(conn, tmp_path / "g.graphml")
    root = etree.parse(tmp_path / "g.graphml").getroot()
    declared = {(key.get("for"), key.get("attr.name")) for key in root.findall(f"{{{GRAPHML}}}key")}
    expected = {("node", p) for v in schema.VERTICES for p in v.properties}
    expected |= {("edge", p) for e in schema.EDGES for p in e.properties} | {("node", "label"), ("edge", "label")}
    assert declared == expected


def test_without_a_graph_nothing_is_written(store: Store, tmp_path: Path) -> None:
    with store.reader() as conn, pytest.raises(GraphMissing):
        export(conn, tmp_path / "g.graphml")
    assert list(tmp_path.iterdir()) == []
