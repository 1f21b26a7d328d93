"""Rows of queries as cells that lead somewhere: over the fictional mailbox, and by values."""

from __future__ import annotations

import csv
import io
from urllib.parse import parse_qs, urlsplit

import pytest

from sql.store import Store
from ui import console
from ui.console import Cell, Language, Result
from ui.console_examples import EXAMPLES


def ran(store: Store, query: str, language: Language = "cypher") -> Result:
    with store.reader() as conn:
        return console.run(conn, "demo", language, query)


@pytest.mark.parametrize(
    ("language", "name", "query"), [(lang, *one) for lang, all_ in EXAMPLES.items() for one in all_]
)
def test_every_example_gives_rows(demo_store: Store, language: Language, name: str, query: str) -> None:
    assert ran(demo_store, query, language).cells, name


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (m:Message) WHERE m.id = {id} RETURN m",
        "MATCH (m:Message) WHERE m.id = {id} RETURN m.id",
        "MATCH (m:Message) WHERE m.id = {id} RETURN m.id AS number",
        "SELECT message_id FROM messages WHERE message_id = {id}",
    ],
)
def test_a_message_leads_to_its_thread(demo_store: Store, query: str) -> None:
    with demo_store.reader() as conn:
        row = conn.execute("SELECT id, message_id FROM mail.message WHERE counted ORDER BY id LIMIT 1").fetchone()
    assert row
    ((cell,),) = ran(demo_store, query.format(id=row[0]), "sql" if query.startswith("SELECT") else "cypher").cells
    assert cell.href
    parts = urlsplit(cell.href)
    assert parts.path == "/thread" and parse_qs(parts.query) == {"store": ["demo"], "message": [row[1]]}


def test_a_person_leads_to_their_page_and_a_number_nowhere(demo_store: Store) -> None:
    query = "MATCH (p:Person)-[w:WROTE_TO]->(q:Person) WHERE p.is_owner = true RETURN p, p.id, w.n, q.name LIMIT 1"
    (cells,) = ran(demo_store, query).cells
    assert [bool(cell.href) for cell in cells] == [True, True, False, False]
    assert cells[0].text == "Maren Holt" and cells[1].number and cells[2].number
    assert cells[0].href == cells[1].href == f"/people?store=demo&person={cells[1].text}"


def test_vertices_and_edges_are_a_network(demo_store: Store) -> None:
    found = ran(demo_store, "MATCH (p:Person)-[w:WORKS_AT]->(o:Organization) RETURN p, w, o")
    people = {node.id for node in found.nodes if node.id.startswith("Person")}
    assert len(found.edges) == len(found.cells) and {edge.a for edge in found.edges} == people
    assert found.pages.keys() == people
    # an edge one of whose ends is not in the rows is not drawn
    assert ran(demo_store, "MATCH (p:Person)-[w:WORKS_AT]->(o:Organization) RETURN p, w").edges == ()
    assert ran(demo_store, "MATCH (p:Person) RETURN p.name").nodes == ()


def test_more_rows_than_are_shown_are_said_to_be(demo_store: Store) -> None:
    found = ran(demo_store, "MATCH (m:Message) RETURN m.id")
    assert found.cut and len(found.cells) == console.ROWS


def test_a_spreadsheet_runs_nothing_of_a_mail() -> None:
    rows = ((Cell("=HYPERLINK(1)"), Cell("-3", number=True)), (Cell("@a, b"), Cell('say "hi"')))
    text = console.as_csv(Result(("a", "b"), rows, (), (), {}, False, 1.0)).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text))) == [["a", "b"], ["'=HYPERLINK(1)", "-3"], ["'@a, b", 'say "hi"']]
