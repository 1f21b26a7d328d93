"""The graph as files that other programs can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import networkx
import pytest
from lxml import etree

from graph import build, schema
from graph.errors import GraphMissing
from graph.export import GEXF, GRAPHML, PERSON, export
from sql.store import Store
from tests.graph.mailboxes import Mail, Mailbox, load

START = datetime(2001, 1, 1)


def built(store: Store, people: Mapping[str, tuple[str, ...]], mail: list[Mail]) -> Store:
    with store.owner() as conn:
        load(conn, Mailbox(dict(people), mail))
    build.build(store)
    return store


@pytest.fixture
def nasty(store: Store) -> Store:
    subject = 'a <b> & "c" \x01\x0b ]]> ::vertex 😀'
    mail = [Mail(1, "a@x.example", to=("b@x.example",), sent=START, subject=subject, thread=1, labels=("inbox",))]
    return built(store, {"Ada <x>": ("a@x.example",), "Bo": ("b@x.example",)}, mail)


@pytest.mark.parametrize(("name", "namespace"), [("graph.graphml", GRAPHML), ("graph.gexf", GEXF)])
def test_the_file_is_xml_with_every_vertex_and_edge(nasty: Store, tmp_path: Path, name: str, namespace: str) -> None:
    counts = export(nasty, tmp_path / name)
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
    export(nasty, tmp_path / "g.graphml")
    root = etree.parse(tmp_path / "g.graphml").getroot()
    declared = {(key.get("for"), key.get("attr.name")) for key in root.findall(f"{{{GRAPHML}}}key")}
    expected = {("node", p) for v in schema.VERTICES for p in v.properties}
    expected |= {("node", p) for p in PERSON}
    expected |= {("edge", p) for e in schema.EDGES for p in e.properties} | {("node", "label"), ("edge", "label")}
    assert declared == expected


def test_without_a_graph_nothing_is_written(store: Store, tmp_path: Path) -> None:
    with pytest.raises(GraphMissing):
        export(store, tmp_path / "g.graphml")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "read"), [("g.graphml", networkx.read_graphml), ("g.gexf", networkx.read_gexf)])
def test_people_carry_degree_and_community(
    store: Store, tmp_path: Path, name: str, read: Callable[[Path], networkx.MultiDiGraph]
) -> None:
    people = {who: (f"{who.lower()}@x.example",) for who in ("Owner", "Ada", "Bo", "Cleo")}
    owner, a, b, c = (owned[0] for owned in people.values())
    mail = [
        Mail(1, a, to=(b, owner), sent=START, thread=1),
        Mail(2, b, to=(a,), sent=START, thread=1),
        Mail(3, owner, to=(c,), sent=START, thread=3),
    ]
    built(store, people, mail)
    export(store, tmp_path / name)
    found = {d["name"]: d for _, d in read(tmp_path / name).nodes(data=True) if "sent_to" in d}
    assert {who: (d["sent_to"], d["received_from"]) for who, d in found.items()} == {
        "Owner": (1, 1), "Ada": (2, 1), "Bo": (1, 1), "Cleo": (0, 1),
    }  # fmt: skip
    assert found["Ada"]["community"] == found["Bo"]["community"] == found["Bo"]["part"]
    assert "community" not in found["Owner"] and "community" not in found["Cleo"]
