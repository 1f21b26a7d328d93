"""An update gives the graph of a rebuild, after any sequence of changes to the tables, and touches only what changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from graph import build, current, execute, schema, update
from graph.check import check
from graph.plan import Plan
from sql.store import Store
from tests.graph.mailboxes import Mailbox, links, load, message, odd_mailbox

Change = Callable[[psycopg.Connection, random.Random, Mailbox], None]


def dump(conn: psycopg.Connection, name: str) -> dict[str, list[Any]]:
    """All rows of a graph by the ids of the tables, which do not depend on the build."""
    numbers = {number: label for label, number in current.label_ids(conn, name).items()}

    def key(graphid: str) -> str:
        return f"{numbers[int(graphid) >> 48]} {int(graphid) & (1 << 48) - 1}"

    found: dict[str, list[Any]] = {}
    for label in (*schema.VERTICES, *schema.EDGES):
        columns = "id::text" if isinstance(label, schema.Vertex) else "start_id::text, end_id::text"
        rows = conn.execute(f'SELECT {columns}, properties FROM "{name}"."{label.label}"').fetchall()
        found[label.label] = sorted((*map(key, row[:-1]), row[-1]) for row in rows)
    found["participation"] = sorted(conn.execute(f'SELECT * FROM "{name}".participation').fetchall(), key=repr)
    return found


def add(conn: psycopg.Connection, chance: random.Random, box: Mailbox) -> None:
    newest = conn.execute("SELECT coalesce(max(id), 0) FROM mail.message").fetchone()
    assert newest is not None
    kept = {row[0] for row in conn.execute("SELECT id FROM mail.message")}
    for number in range(newest[0] + 1, newest[0] + 1 + chance.randrange(1, 4)):
        mail = chance.choice(box.mail)
        thread = chance.choice([number, mail.thread])
        conn.execute("INSERT INTO mail.thread VALUES (%s, 'new', 1, 1) ON CONFLICT DO NOTHING", (thread,))
        mail = replace(
            mail,
            id=number,
            thread=thread,
            parents=tuple(kept & set(mail.parents)),
            quotes=tuple(kept & set(mail.quotes)),
        )
        message(conn, box, mail)
        links(conn, mail)


def remove(conn: psycopg.Connection, chance: random.Random, box: Mailbox) -> None:
    gone = [row[0] for row in conn.execute("SELECT id FROM mail.message ORDER BY random() LIMIT 3")]
    conn.execute("DELETE FROM mail.occurrence WHERE message = ANY(%s)", (gone,))
    conn.execute("DELETE FROM mail.message WHERE id = ANY(%s)", (gone,))


def merge(conn: psycopg.Connection, chance: random.Random, box: Mailbox) -> None:
    rows = conn.execute("SELECT id FROM mail.person ORDER BY random() LIMIT 2").fetchall()
    if len(rows) == 2:
        (kept,), (gone,) = sorted(rows)
        conn.execute("UPDATE mail.person_address SET person = %s WHERE person = %s", (kept, gone))
        conn.execute("DELETE FROM mail.person WHERE id = %s", (gone,))


def split(conn: psycopg.Connection, chance: random.Random, box: Mailbox) -> None:
    row = conn.execute(
        "SELECT address FROM mail.person_address WHERE address <> person ORDER BY random() LIMIT 1"
    ).fetchone()
    if row:
        conn.execute("INSERT INTO mail.person VALUES (%s, 'split off') ON CONFLICT DO NOTHING", row)
        conn.execute("UPDATE mail.person_address SET person = address WHERE address = %s", row)


def resolve_again(conn: psycopg.Connection, chance: random.Random, box: Mailbox) -> None:
    """As the second phase of an ingest does: everything deleted and written again as it was."""
    people = conn.execute("SELECT * FROM mail.person").fetchall()
    owned = conn.execute("SELECT address, person FROM mail.person_address").fetchall()
    replies = conn.execute("DELETE FROM mail.reply RETURNING *").fetchall()
    conn.execute("DELETE FROM mail.person_address")
    conn.execute("DELETE FROM mail.person")
    conn.cursor().executemany("INSERT INTO mail.person VALUES (%s, %s, %s, %s)", people)
    conn.cursor().executemany("INSERT INTO mail.person_address VALUES (%s, %s)", owned)
    conn.cursor().executemany("INSERT INTO mail.reply VALUES (%s, %s, %s)", replies)


def statement(text: str) -> Change:
    def change(conn: psycopg.Connection, chance: random.Random, box: Mailbox) -> None:
        conn.execute(text)

    return change


ONE = "(SELECT id FROM mail.message ORDER BY random() LIMIT 1)"
CHANGES: dict[str, Change] = {
    "add": add,
    "remove": remove,
    "merge": merge,
    "split": split,
    "resolve again": resolve_again,
    "kind": statement(f"UPDATE mail.message SET kind = 'draft' WHERE id = {ONE}"),
    "counted again": statement("UPDATE mail.message SET kind = 'mail', recovered = false WHERE id % 3 = 0"),
    "date": statement(f"UPDATE mail.message SET sent_at = sent_at - interval '40 days' WHERE id = {ONE}"),
    "subject": statement(f"UPDATE mail.message SET subject = 'changed' WHERE id = {ONE}"),
    "recipients": statement(f"DELETE FROM mail.recipient WHERE message = {ONE}"),
    "organisation": statement("UPDATE mail.address SET organization = NULL WHERE id = 3"),
    "organisation's name": statement("UPDATE mail.organization SET name = name || '!'"),
    "label": statement("DELETE FROM mail.occurrence_label WHERE occurrence % 4 = 0"),
    "label's name": statement("UPDATE mail.label SET name = name || '!' WHERE id = 1"),
    "person's name": statement(
        "UPDATE mail.person SET name = name || '!' WHERE id = (SELECT min(id) FROM mail.person)"
    ),
    "thread": statement(f"UPDATE mail.message SET thread = (SELECT min(id) FROM mail.thread) WHERE id = {ONE}"),
    "thread's numbers": statement("UPDATE mail.thread SET messages = messages + 1 WHERE id % 2 = 0"),
    "reply": statement("DELETE FROM mail.reply WHERE message % 2 = 0"),
    "file": statement(f"DELETE FROM mail.attachment WHERE message = {ONE}"),
    "quote": statement(f"UPDATE mail.quote SET quoted = {ONE} WHERE message % 3 = 0"),
    "nothing": statement("UPDATE mail.message SET thread_rule = thread_rule"),
}


def same_as_rebuilt(store: Store) -> None:
    with store.owner() as conn:
        name = current.graph_name(conn)
        state = current.state(conn)
        assert state is not None
        build._fill(conn, "mailbox_v999", lambda label, done, of: None)
        found, rebuilt = dump(conn, name), dump(conn, "mailbox_v999")
        conn.rollback()
    for label, rows in rebuilt.items():
        assert found[label] == rows, label
    assert state.counts == {label: len(rows) for label, rows in rebuilt.items() if label != "participation"}


@pytest.fixture
def built(store: Store) -> tuple[Store, Mailbox]:
    box = odd_mailbox(seed=11, size=50)
    with store.owner() as conn:
        load(conn, box)
    build.build(store)
    return store, box


def test_every_change_alone_and_any_sequence_of_them_equals_a_rebuild(
    built: tuple[Store, Mailbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, box = built
    monkeypatch.setattr(build, "build", None)  # nothing here is large enough for a rebuild
    chance = random.Random(5)
    names = [*CHANGES, *chance.choices(list(CHANGES), k=6)]
    for names_now in [[name] for name in names] + [chance.choices(list(CHANGES), k=4) for _ in range(8)]:
        with store.owner() as conn:
            conn.execute(f"SELECT setseed({chance.random()})")
            for name in names_now:
                CHANGES[name](conn, chance, box)
        before = current_name(store)
        update.update(store)
        assert current_name(store) == before
        try:
            same_as_rebuilt(store)
        except AssertionError as error:
            raise AssertionError(f"after {names_now}") from error
    with store.reader() as conn:
        assert check(conn) == []


def current_name(store: Store) -> str:
    with store.reader() as conn:
        return current.graph_name(conn)


def pending(store: Store) -> int:
    with store.reader() as conn:
        row = conn.execute("SELECT count(*) FROM mail.graph_change").fetchone()
    assert row is not None
    return int(row[0])


def test_what_did_not_change_is_not_written_again(built: tuple[Store, Mailbox]) -> None:
    store, box = built
    with store.owner() as conn:
        before = dict(conn.execute(f'SELECT id::text, xmin::text FROM {current.graph_name(conn)}."Message"').fetchall())
        conn.execute("UPDATE mail.message SET subject = 'changed' WHERE id = 7")
        resolve_again(conn, random.Random(1), box)
    update.update(store)
    with store.owner() as conn:
        after = dict(conn.execute(f'SELECT id::text, xmin::text FROM {current.graph_name(conn)}."Message"').fetchall())
    assert sum(after[key] != xmin for key, xmin in before.items()) == 1


def test_nothing_changed_leaves_everything_as_it_is(built: tuple[Store, Mailbox]) -> None:
    store, box = built
    with store.reader() as conn:
        before = current.state(conn)
    assert update.update(store) == before
    with store.owner() as conn:
        resolve_again(conn, random.Random(1), box)
    update.update(store)
    assert pending(store) == 0


def test_the_size_of_the_whole_mailbox_follows_an_update(built: tuple[Store, Mailbox]) -> None:
    store, _ = built
    rank = Plan("people", role="sender")
    sizes = []
    for _ in range(2):
        with store.reader() as conn:
            found, counted = execute.answer(conn, rank), execute.answer_sql(conn, rank)
        assert (found.messages, found.recovered) == (counted.messages, counted.recovered)
        sizes.append(found.messages)
        with store.owner() as conn:
            conn.execute("UPDATE mail.message SET kind = 'draft' WHERE id <= 20")
        update.update(store)
    assert sizes[0] > sizes[1]


def test_without_a_graph_an_update_builds_it_and_nothing_was_written_down_before(store: Store) -> None:
    with store.owner() as conn:
        load(conn, odd_mailbox(size=5))
    assert pending(store) == 0
    assert update.update(store).counts["Message"] == 5


def test_a_large_change_is_built_anew(built: tuple[Store, Mailbox], monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = built
    monkeypatch.setattr(update, "_SMALL", 10)
    with store.owner() as conn:
        conn.execute("UPDATE mail.message SET subject = 'all new'")
    assert update.update(store).name == "mailbox_v2"
    assert pending(store) == 0
    same_as_rebuilt(store)
