"""A filled store of any earlier version becomes one of today: no row is lost, and its schema is that of a new store.

Earlier versions are what the history of the migrations holds, and, where there is no history (a shallow copy of the
repository), stores to which the later files have not come yet.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

import sql.migrate as migrating
from graph.build import build
from graph.check import check
from sql import embedded
from sql.store import Store, drop_store, open_store
from tests.graph.mailboxes import load, odd_mailbox

ROOT = Path(__file__).parents[2]
FOLDER = "sql/migrations"
NAMES = sorted(path.name for path in migrating.MIGRATIONS.glob("*.sql"))
# judgement is compared by its meaning, the others are written anew at opening
APART = {"judgement", "index_state", "whole_message"}
# Rows of what the mailbox above does not fill, where a version has the table.
MORE = {
    "asked": "INSERT INTO mail.asked (question, columns) VALUES ('Who?', '{graph,lexical}')",
    "attachment_text": "INSERT INTO mail.attachment_text SELECT DISTINCT sha256, 'A text.', 'read', '' FROM mail.attachment",
    "chunk": "INSERT INTO mail.chunk (message, position, text, start, stop, sha256) "
    "SELECT id, 0, 'A text', 0, 6, sha256(id::text::bytea) FROM mail.message",
    "evaluation_record": "INSERT INTO mail.evaluation_record SELECT id, 'q', 'graph', '{}' FROM mail.evaluation_run",
    "evaluation_run": "INSERT INTO mail.evaluation_run (questions, sha256, columns, settings) VALUES ('q', 'x', '{graph}', '{}')",
    "person_link": "INSERT INTO mail.person_link (a, b, same, rule, evidence, by_hand) VALUES (1, 2, false, 'by_hand 1', '', true)",
    "vote": "INSERT INTO mail.vote (question, columns, better, answers) VALUES ('Who?', '{graph,lexical}', 'graph', true)",
}  # fmt: skip


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def versions() -> list[str]:
    """Commits with other migrations than today's, oldest first (the first one had tables, and no program that opened a
    store); without them today's first files alone, by their number."""
    commits = git("log", "--format=%h", "--reverse", "--", FOLDER).split()[1:-1]
    return [*commits, *(str(n) for n in range(1, len(NAMES)) if not commits)]


def files(version: str) -> dict[str, str]:
    """The migrations of a version by name."""
    if version.isdigit() and len(version) < 3:
        return {name: (migrating.MIGRATIONS / name).read_text() for name in NAMES[: int(version)]}
    names = git("ls-tree", "--name-only", version, f"{FOLDER}/").split()
    return {Path(name).name: git("show", f"{version}:{name}") for name in names}


@pytest.fixture
def empty(home: Path) -> Iterator[tuple[str, str]]:
    """Name and address of a database without anything."""
    server = embedded.start(home)
    with psycopg.connect(server.dsn("postgres"), autocommit=True) as conn:
        conn.execute("CREATE DATABASE mailweave_earlier")
    yield "earlier", server.dsn("mailweave_earlier")
    drop_store("earlier", home=home)


@pytest.mark.parametrize("version", versions())
def test_a_filled_store_of_an_earlier_version_becomes_one_of_today(
    version: str, empty: tuple[str, str], home: Path, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files(version).items():
        (tmp_path / name).write_text(text)
    name, address = empty
    with monkeypatch.context() as patched:
        patched.setattr(migrating, "MIGRATIONS", tmp_path)
        with psycopg.connect(address, autocommit=True) as conn:
            migrating.migrate(conn)
    with psycopg.connect(address) as conn:
        load(conn, odd_mailbox())
        known = {row[0] for row in conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'mail'")}
        for table, statement in sorted(MORE.items(), reverse=True):
            if table in known:
                conn.execute(statement.encode())
        if "judgement" in known:
            judged = "message_id" if "message_id" in columns(conn, "judgement") else "id"
            conn.execute(
                sql.SQL("INSERT INTO mail.judgement SELECT 'Who?', {}, 2 FROM mail.message WHERE id IN (3, 5)").format(
                    sql.Identifier(judged)
                )
            )
        before = {table: content(conn, table, columns(conn, table)) for table in known - APART}
    with open_store(name, home=home) as opened:
        with opened.owner() as conn:
            for table, (held, rows) in before.items():
                assert content(conn, table, held)[1] == rows, table
            judged_now = conn.execute("SELECT question, message_id, grade FROM mail.judgement ORDER BY 2").fetchall()
            assert judged_now == [("Who?", f"<{n}@made.example>", 2) for n in (3, 5) if "judgement" in known]
        with store.owner() as fresh, opened.owner() as conn:
            for what, query in SCHEMA.items():
                assert conn.execute(query.encode()).fetchall() == fresh.execute(query.encode()).fetchall(), what
        build(opened)
        with opened.owner() as conn:
            assert check(conn) == []


def test_labels_by_number_become_labels_by_message_id_and_of_two_the_later_holds(store: Store) -> None:
    with store.owner() as conn:
        load(conn, odd_mailbox())
        conn.execute("UPDATE mail.message SET message_id = '<twin@made.example>' WHERE id IN (3, 5)")
        conn.execute("DROP TABLE mail.judgement")
        conn.execute(BY_NUMBER)
        conn.execute(
            "INSERT INTO mail.judgement VALUES ('Who?', 3, 0, '2024-01-01'), ('Who?', 5, 2, '2024-01-02'), "
            "('Who?', 7, 1, '2024-01-03'), ('When?', 7, 0, '2024-01-04')"
        )
        conn.execute("DELETE FROM public.mailweave_migration WHERE name LIKE '006%'")
    with psycopg.connect(store._dsn, autocommit=True) as conn:
        migrating.migrate(conn)
    with store.reader() as conn:  # the login that reads may read it still
        assert conn.execute("SELECT question, message_id, grade, at::date::text FROM mail.judgement ORDER BY at").fetchall() == [
            ("Who?", "<twin@made.example>", 2, "2024-01-02"),
            ("Who?", "<7@made.example>", 1, "2024-01-03"),
            ("When?", "<7@made.example>", 0, "2024-01-04"),
        ]  # fmt: skip


def columns(conn: psycopg.Connection, table: str) -> list[str]:
    """Of a table of the store, in a fixed order. Not chunk_key: what it held stands in mail.chunk_state."""
    rows = conn.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'mail' AND table_name = %s "
        "AND is_generated = 'NEVER' AND column_name <> 'chunk_key' ORDER BY column_name",
        (table,),
    )
    return [row[0] for row in rows]


def content(conn: psycopg.Connection, table: str, held: list[str]) -> tuple[list[str], list[Any]]:
    """The columns, and the rows in them in a fixed order."""
    query = sql.SQL("SELECT ROW({})::text FROM {} ORDER BY 1").format(
        sql.SQL(", ").join(map(sql.Identifier, held)), sql.Identifier("mail", table)
    )
    return held, conn.execute(query).fetchall()


BY_NUMBER = """
CREATE TABLE mail.judgement (
    question text NOT NULL,
    message  bigint NOT NULL REFERENCES mail.message ON DELETE CASCADE,
    grade    smallint NOT NULL CHECK (grade BETWEEN 0 AND 2),
    at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (question, message)
)
"""
SCHEMA = {
    "columns": """
        SELECT table_schema, table_name, column_name, data_type, is_nullable, column_default, is_generated
        FROM information_schema.columns WHERE table_schema IN ('mail', 'views') ORDER BY 1, 2, 3""",
    "constraints": """
        SELECT conrelid::regclass::text, contype, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'mail'::regnamespace ORDER BY 1, 2, 3""",
    "indexes": """
        SELECT tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') FROM pg_indexes
        WHERE schemaname = 'mail' AND indexdef NOT LIKE '%bm25%' ORDER BY 1, 2""",
    "functions": """
        SELECT proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace IN ('mail'::regnamespace,
        'views'::regnamespace) ORDER BY 1, 2""",
    "triggers": """
        SELECT tgrelid::regclass::text, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
        WHERE NOT tgisinternal AND relnamespace = 'mail'::regnamespace ORDER BY 1, 2""",
    "views": "SELECT viewname, definition FROM pg_views WHERE schemaname IN ('mail', 'views') ORDER BY 1",
    "rights": """
        SELECT nspname, relname, relacl::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE nspname IN ('mail', 'views') AND relkind IN ('r', 'v') ORDER BY 1, 2""",
}
