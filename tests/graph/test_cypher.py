"""Queries that people and models write: they read, they end, and their errors say what to write instead."""

from __future__ import annotations

from contextlib import suppress

import psycopg
import pytest

from graph import current, cypher, cypher_text
from graph.errors import (
    QueryCrashed,
    QueryFailed,
    QueryForbidden,
    QueryRefused,
    QuerySyntax,
    QueryTimeout,
    QueryValue,
    UnknownName,
    WritingRefused,
)
from sql.store import Store
from tests.graph.mailboxes import Mailbox

Odd = tuple[Store, Mailbox]


def run(odd: Odd, query: str, **keywords: object) -> cypher.Rows:
    with odd[0].reader() as conn:
        return cypher.run(conn, query, **keywords)  # type: ignore[arg-type]


def test_rows_come_with_the_names_they_were_returned_by(odd: Odd) -> None:
    found = run(odd, "MATCH (p:Person) RETURN p.id AS id, p.name ORDER BY p.id LIMIT 2")
    assert found.columns == ("id", "p.name")
    assert found.rows == ((1, "Ada Quill"), (3, "Bo Marsh"))
    assert not found.cut


def test_values_are_bound_and_never_part_of_the_text(odd: Odd) -> None:
    name = "x' OR true RETURN 1 //"
    found = run(odd, "MATCH (p:Person) WHERE p.name = $name RETURN p.id", parameters={"name": name})
    assert found.rows == ()
    assert name not in found.query


def test_more_rows_than_asked_for_are_cut_and_said_to_be(odd: Odd) -> None:
    found = run(odd, "MATCH (m:Message) RETURN m.id", limit=5)
    assert len(found.rows) == 5
    assert found.cut


def test_vertices_edges_and_nested_values_are_decoded(odd: Odd) -> None:
    ((person, nested),) = run(odd, "MATCH (p:Person) WHERE p.id = 1 RETURN p, [1, 2.5, {a: '::vertex'}, null]").rows
    assert person["label"] == "Person"
    assert person["properties"]["addresses"] == ["ada@north.example", "ada.q@webmail.example"]
    assert nested == [1, 2.5, {"a": "::vertex"}, None]


def test_return_star_and_percent_signs_work(odd: Odd) -> None:
    found = run(odd, "MATCH (p:Person) WHERE p.name <> '100 %s %' RETURN * LIMIT 1")
    assert found.columns == ("column 1",)


WRITES = ["CREATE (a:Person) RETURN a", "MATCH (p:Person) SET p.name = 'x' RETURN p", "MATCH (p) DETACH DELETE p",
          "merge (a:Person {id: 1}) return a", "MATCH (p:Person) /* x */ REMOVE p.name RETURN p"]  # fmt: skip


@pytest.mark.parametrize("query", WRITES)
def test_writing_is_refused_before_it_runs(odd: Odd, query: str) -> None:
    with pytest.raises(WritingRefused) as error:
        run(odd, query)
    assert error.value.position is not None


@pytest.mark.parametrize("query", WRITES)
def test_writing_is_impossible_even_where_the_check_is_passed_by(
    odd: Odd, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cypher_text, "check", cypher_text.skeleton)
    before = people(odd)
    if odd[0].server.age >= (1, 7):
        with pytest.raises((WritingRefused, QueryForbidden, QuerySyntax)) as error:
            run(odd, query)
        assert error.value.sqlstate in ("25006", "42501", "42601")
    else:
        # that server lets it through; nothing of it stays
        with suppress(QueryFailed):
            run(odd, query)
    assert people(odd) == before


def people(odd: Odd) -> list[tuple[object, ...]]:
    """The vertices that the queries above are about, as they stand."""
    with odd[0].reader() as conn:
        return conn.execute(f'SELECT id, properties FROM {current.graph_name(conn)}."Person" ORDER BY id').fetchall()


REFUSED = ["MATCH (a:Person)-[:WROTE_TO*1..2]->(b) RETURN b", "MATCH (a)-[e:TO {x: [1]} *]->(b) RETURN b",
           "RETURN pg_catalog.pg_read_file('x')", "RETURN `pg_catalog` . `pg_sleep` (1)", "RETURN 'a'::pg_text",
           "MATCH (a:Person) RETURN a.name; DROP TABLE x", "RETURN 1 $$) AS (a agtype) --", "CALL x()",
           "EXPLAIN MATCH (a:Person) RETURN a"]  # fmt: skip


@pytest.mark.parametrize("query", REFUSED)
def test_what_leaves_the_graph_or_never_ends_is_refused(odd: Odd, query: str) -> None:
    with pytest.raises(QueryRefused):
        run(odd, query)


@pytest.mark.parametrize(
    "query",
    ["MATCH (p:Person) WHERE p.name = 'CREATE; DELETE $$ a.b(' RETURN p.id", "MATCH (p:Person) // SET x\nRETURN p.id",
     "MATCH (p:Person) WHERE p.id = 2 * 3 RETURN [p.id * 2, 3]"],
)  # fmt: skip
def test_strings_comments_and_products_are_not_mistaken(odd: Odd, query: str) -> None:
    run(odd, query)


@pytest.mark.parametrize(
    ("query", "says"),
    [("MATCH (p:Persn) RETURN p", "Person"), ("MATCH (a)-[:SEND]->(b) RETURN a", "SENT"),
     ("MATCH (m:Message) RETURN m.sent_date", "date"), ("MATCH (a:Person)-[w:WROTE_TO]->(b) RETURN w.count", "n"),
     ("MATCH (p:Person) RETURN q.name", "MATCH"), ("RETURN nofunction(1)", "Cypher")],
)  # fmt: skip
def test_names_that_do_not_exist_are_errors_with_those_that_do(odd: Odd, query: str, says: str) -> None:
    with pytest.raises(UnknownName) as error:
        run(odd, query)
    assert says in error.value.hint


@pytest.mark.parametrize(
    ("query", "says"),
    [("MATCH (a)-[:TO|CC]->(b) RETURN b", "RECIPIENT"), pytest.param("RETURN 1 AS count", "reserved", marks=pytest.mark.embedded), ("", "MATCH"),
     ("MATCH (p:Person)", "RETURN"), ("MATCH (n) WHERE n:Person RETURN n", "pattern")],
)  # fmt: skip
def test_syntax_errors_say_what_to_write_instead(odd: Odd, query: str, says: str) -> None:
    with pytest.raises(QuerySyntax) as error:
        run(odd, query)
    assert says in error.value.hint


def test_a_syntax_error_has_its_position_in_the_query(odd: Odd) -> None:
    query = "MATCH (p:Person) RETRUN p"
    with pytest.raises(QuerySyntax) as error:
        run(odd, query)
    assert error.value.position == query.index("RETRUN")


def test_a_query_is_stopped_after_its_time_and_the_connection_goes_on(odd: Odd) -> None:
    query = "MATCH (a:Message), (b:Message), (c:Message), (d:Message) WHERE a.id + b.id < c.id - d.id RETURN count(*)"
    with odd[0].reader() as conn:
        with pytest.raises(QueryTimeout):
            cypher.run(conn, query, timeout=0.05)
        assert cypher.run(conn, "RETURN 1").rows == ((1,),)


def test_a_value_that_does_not_fit_is_named(odd: Odd) -> None:
    with pytest.raises(QueryValue, match="zero"):
        run(odd, "RETURN 1 / 0")


def test_after_a_crash_inside_the_extension_the_connection_is_thrown_away(odd: Odd) -> None:
    with odd[0].reader() as conn:
        with pytest.raises(QueryCrashed):
            cypher.run(conn, "UNWIND range(1, 100000000) AS x RETURN x", limit=1)
        assert conn.closed
    assert run(odd, "RETURN 1").rows == ((1,),)


def test_functions_that_wait_or_lock_are_closed_to_the_reader(odd: Odd) -> None:
    for call in ("pg_sleep(0)", "pg_advisory_lock(1)", "set_config('statement_timeout', '0', false)", "lo_create(0)"):
        with odd[0].reader() as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(f"SELECT {call}")


@pytest.mark.parametrize(
    ("query", "older"),
    [("MATCH (p:Person) RETURN p.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 2",
      "MATCH (p:Person) WITH p.name AS name, count(*) AS n RETURN name, n ORDER BY n DESC, name LIMIT 2"),
     ("MATCH (p:Person) RETURN p.name AS name ORDER BY p.id", None), ("MATCH (p:Person) RETURN p.name", None),
     ("MATCH (p:Person) RETURN p.name, p.id AS i ORDER BY i",
      "MATCH (p:Person) WITH p.name AS name, p.id AS i RETURN name, i ORDER BY i")],
)  # fmt: skip
def test_names_that_only_newer_servers_order_by_can_be_given_before(odd: Odd, query: str, older: str | None) -> None:
    assert cypher_text.with_names_first(query) == older
    if older is not None:
        assert run(odd, older).rows == run(odd, query).rows
