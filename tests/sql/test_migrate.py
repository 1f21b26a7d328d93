"""What a server must bring, and what happens when it does not or when it changes under us."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from graph.build import build
from graph.check import check
from sql import embedded
from sql.errors import ExtensionMissing, RightsMissing
from sql.migrate import migrate
from sql.store import Store, open_store
from tests.graph.mailboxes import load, odd_mailbox


@pytest.fixture
def bare(home: Path) -> Iterator[str]:
    """Connection string of an empty database on the session's server."""
    server = embedded.start(home)
    with psycopg.connect(server.dsn("postgres"), autocommit=True) as conn:
        conn.execute("CREATE DATABASE bare")
    yield server.dsn("bare")
    with psycopg.connect(server.dsn("postgres"), autocommit=True) as conn:
        conn.execute("DROP DATABASE bare WITH (FORCE)")


@pytest.mark.embedded
def test_a_server_without_the_extensions_is_named_with_how_to_get_them() -> None:
    home = Path(tempfile.mkdtemp(prefix="mailweave-bare-"))
    home.chmod(0o711)
    server = embedded.start(home)
    try:
        with psycopg.connect(server.dsn("postgres"), autocommit=True) as conn:
            # The server then finds no extension at all, as a plain installation would not.
            conn.execute("ALTER SYSTEM SET extension_control_path = '/nowhere'")
            conn.execute("SELECT pg_reload_conf()")
        with pytest.raises(ExtensionMissing, match=r"lacks Apache AGE and pgvector\. .*postgresql-17-age"):
            open_store(dsn=server.dsn("postgres"), home=home)
    finally:
        server.close()
        shutil.rmtree(home)


def test_a_dsn_opens_the_database_it_names_and_other_stores_beside_it(home: Path, bare: str) -> None:
    with open_store(dsn=bare, home=home) as store, store.reader() as conn:
        assert conn.execute("SELECT current_database()").fetchone() == ("bare",)
    with open_store("demo", dsn=bare, home=home) as store, store.reader() as conn:
        assert conn.execute("SELECT current_database()").fetchone() == ("bare_demo",)
    with psycopg.connect(embedded.start(home).dsn("postgres"), autocommit=True) as conn:
        conn.execute("DROP DATABASE bare_demo WITH (FORCE)")


def test_every_migration_can_run_again_over_a_filled_store(store: Store) -> None:
    with store.owner() as conn:
        conn.execute("INSERT INTO mail.message (content_key, message_id) VALUES ('', '<a@b.example>')")
        conn.execute("DELETE FROM public.mailweave_migration")
    with psycopg.connect(store._dsn, autocommit=True) as conn:
        migrate(conn)
    with store.reader() as conn:
        assert conn.execute("SELECT message_id FROM mail.message").fetchall() == [("<a@b.example>",)]


@pytest.fixture
def humble(bare: str) -> Iterator[str]:
    """Connection string of a login that owns the database and is no administrator."""
    # the reader's password follows from the owner's: with the same one the reader of other stores stays as it is
    password = psycopg.conninfo.conninfo_to_dict(bare).get("password")
    with psycopg.connect(bare, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE ROLE humble LOGIN PASSWORD {}").format(sql.Literal(password)))
        conn.execute("ALTER DATABASE bare OWNER TO humble")
    yield psycopg.conninfo.make_conninfo(bare, user="humble")
    with psycopg.connect(bare, autocommit=True) as conn:
        conn.execute("ALTER DATABASE bare OWNER TO CURRENT_USER")
        conn.execute("REASSIGN OWNED BY humble TO CURRENT_USER")
        conn.execute("DROP OWNED BY humble CASCADE")
        conn.execute("DROP ROLE humble")


def test_what_an_administrator_has_to_run_is_named_and_is_enough(
    home: Path, bare: str, humble: str, template: str
) -> None:
    with pytest.raises(RightsMissing, match="login humble may not prepare the database bare") as caught:
        open_store(dsn=humble, home=home)
    statements = caught.value.statements
    assert statements[:2] == ['CREATE EXTENSION "age"', 'CREATE EXTENSION "vector"']
    with psycopg.connect(bare, autocommit=True) as conn:
        for statement in statements:
            conn.execute(statement.encode())
    with open_store(dsn=humble, home=home) as store:
        assert any("pg_sleep" in warning for warning in store.server.warnings)
        with store.owner() as conn:
            load(conn, odd_mailbox())
        build(store)
        build(store)
        with store.reader() as conn:
            assert check(conn) == []
            with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)):
                conn.execute("DELETE FROM mail.message")
    with psycopg.connect(bare, autocommit=True) as conn:
        migrate(conn)
    with open_store(dsn=humble, home=home) as store:
        assert store.server.warnings == ()


def test_another_version_of_age_drops_the_graph_so_that_it_is_built_again(store: Store, home: Path) -> None:
    with store.session() as conn:
        conn.execute("SELECT create_graph('trial')")
        conn.execute("INSERT INTO mail.index_state (name, fingerprint, relation) VALUES ('graph', 'x', 'trial')")
        conn.execute("UPDATE pg_extension SET extversion = '1.6.0' WHERE extname = 'age'")
    with open_store(store.name, home=home) as again:
        assert again.server.age == store.server.age
        with again.owner() as conn:
            assert conn.execute("SELECT count(*) FROM mail.index_state WHERE name = 'graph'").fetchone() == (0,)
        build(again)
        with again.reader() as conn:
            assert check(conn) == []
