"""A build gives the whole graph under a new name, equal to the tables, and readers never see half of it."""

from __future__ import annotations

import psycopg
import pytest

from graph import current, schema
from graph.build import build
from graph.check import check
from graph.errors import GraphMissing, GraphStale
from sql.store import Store
from tests.graph.mailboxes import Mailbox, load, odd_mailbox

LABELS = [label.label for label in (*schema.VERTICES, *schema.EDGES)]


def count(conn: psycopg.Connection, pattern: str) -> int:
    name = current.graph_name(conn)
    row = conn.execute(
        f"SELECT n FROM cypher('{name}', $q$ MATCH {pattern} RETURN count(*) $q$) AS (n bigint)"
    ).fetchone()
    assert row is not None
    return int(row[0])


def test_the_graph_equals_the_tables(odd: tuple[Store, Mailbox]) -> None:
    store, _ = odd
    with store.reader() as conn:
        assert check(conn) == []


def test_every_label_has_rows_in_the_odd_mailbox(odd: tuple[Store, Mailbox]) -> None:
    store, _ = odd
    with store.reader() as conn:
        state = current.state(conn)
    assert state is not None
    assert {label: n > 0 for label, n in state.counts.items()} == dict.fromkeys(LABELS, True)


def test_edges_are_those_of_the_mail_counted_in_python(odd: tuple[Store, Mailbox]) -> None:
    store, box = odd
    wrote = {
        (box.person[m.sender], box.person[a])
        for m in box.mail
        if m.counted and m.sender
        for a in m.received("recipient")
    }
    with store.reader() as conn:
        assert count(conn, "(:Person)-[:SENT]->(:Message)") == sum(m.sender is not None for m in box.mail)
        for role in ("to", "cc", "bcc"):
            expected = sum(len({box.person[a] for a in m.received(role)}) for m in box.mail)
            assert count(conn, f"(:Message)-[:{role.upper()}]->(:Person)") == expected
        assert count(conn, "(:Person)-[:WROTE_TO]->(:Person)") == len(wrote)
        assert count(conn, "(:Message)-[:REPLY_TO]->(:Message)") == sum(len(set(m.parents)) for m in box.mail)
        assert count(conn, "(:Message)-[:HAS_LABEL]->(:Label)") == sum(len(m.labels) for m in box.mail)


def test_recipient_finds_the_edges_of_to_cc_and_bcc_and_has_none_of_its_own(odd: tuple[Store, Mailbox]) -> None:
    store, _ = odd
    with store.reader() as conn:
        parts = [count(conn, f"(:Message)-[:{label}]->(:Person)") for label in schema.RECIPIENT_OF]
        assert count(conn, f"(:Message)-[:{schema.RECIPIENT}]->(:Person)") == sum(parts)
        assert count(conn, "(:Message)-[]->(:Person)") == sum(parts)


@pytest.fixture
def built(store: Store) -> tuple[Store, Mailbox]:
    box = odd_mailbox(seed=3, size=20)
    with store.owner() as conn:
        load(conn, box)
    build(store)
    return store, box


DAMAGE = {
    "participation": """UPDATE {graph}.participation SET person_roles = 15
                        WHERE (message, address) = (SELECT message, min(address) FROM {graph}.participation
                                                    WHERE address > 0 GROUP BY 1 ORDER BY 1 LIMIT 1)""",
    "TO": 'DELETE FROM {graph}."TO" WHERE id = (SELECT id FROM {graph}."TO" ORDER BY id LIMIT 1)',
    "WROTE_TO": """UPDATE {graph}."WROTE_TO" SET properties = agtype_build_map('n', 99)
                   WHERE id = (SELECT id FROM {graph}."WROTE_TO" ORDER BY id LIMIT 1)""",
    "Message": 'DELETE FROM {graph}."Message" WHERE id = (SELECT id FROM {graph}."Message" ORDER BY id LIMIT 1)',
    "HAS_LABEL": """INSERT INTO {graph}."HAS_LABEL" (start_id, end_id)
                    SELECT start_id, _graphid(9, 9) FROM {graph}."HAS_LABEL" LIMIT 1""",
}


@pytest.mark.parametrize("label", DAMAGE)
def test_check_finds_a_row_that_is_missing_changed_or_too_much(odd: tuple[Store, Mailbox], label: str) -> None:
    store, _ = odd
    with store.owner() as conn:
        conn.execute(DAMAGE[label].format(graph=current.graph_name(conn)))
        (found,) = check(conn)
        conn.rollback()
    assert found.label == label
    assert found.different == 1
    assert found.examples


def test_a_second_build_takes_a_new_name_and_drops_the_old_graph(built: tuple[Store, Mailbox]) -> None:
    store, _ = built
    again = build(store)
    with store.reader() as conn:
        assert current.graph_name(conn) == again.name == "mailbox_v2"
        assert current.all_names(conn) == ["mailbox_v2"]
        assert check(conn) == []


def test_a_graph_that_is_being_read_is_kept_until_the_next_build(built: tuple[Store, Mailbox]) -> None:
    store, box = built
    with store.reader() as reading:
        before = count(reading, "(:Message)")
        build(store)
        assert before == len(box.mail)
        assert current.all_names(reading) == ["mailbox_v1", "mailbox_v2"]
    build(store)
    with store.reader() as conn:
        assert current.all_names(conn) == ["mailbox_v3"]


def test_before_the_first_build_and_after_an_upgrade_the_errors_say_what_to_do(store: Store) -> None:
    with store.owner() as conn:
        with pytest.raises(GraphMissing, match="ingest"):
            current.graph_name(conn)
        current.put(conn, "mailbox_v1", "other", {})
        with pytest.raises(GraphStale, match="rebuilds"):
            current.graph_name(conn)


def test_an_empty_store_builds_an_empty_graph(store: Store) -> None:
    state = build(store)
    assert set(state.counts.values()) == {0}
    with store.reader() as conn:
        assert check(conn) == []


def test_the_reader_can_read_the_graph_and_not_write_it(built: tuple[Store, Mailbox]) -> None:
    store, _ = built
    with store.owner() as conn:
        name = current.graph_name(conn)
    with (
        store.reader() as conn,
        pytest.raises((psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.InsufficientPrivilege)),
    ):
        conn.execute(f'DELETE FROM {name}."TO"')


def test_the_description_names_every_label_and_property() -> None:
    text = schema.describe()
    for label in (*schema.VERTICES, *schema.EDGES):
        assert label.label in text
        for name in label.properties:
            assert f"{name}:" in text
