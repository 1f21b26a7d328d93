"""The store: two logins, what each may do, one writer, and clear words when a server cannot be used."""

from pathlib import Path

import psycopg
import pytest

from sql.errors import DatabaseUnreachable, StoreBusy, StoreError
from sql.store import Store, open_store


def test_the_owner_commits_at_the_end_and_rolls_back_on_an_exception(store: Store) -> None:
    with store.owner() as conn:
        conn.execute("INSERT INTO mail.label (name) VALUES ('kept')")
    with pytest.raises(ZeroDivisionError), store.owner() as conn:
        conn.execute("INSERT INTO mail.label (name) VALUES ('lost')")
        raise ZeroDivisionError
    with store.reader() as conn:
        assert conn.execute("SELECT array_agg(name) FROM mail.label").fetchone() == (["kept"],)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO mail.label (name) VALUES ('x')",
        "UPDATE mail.message SET subject = ''",
        "DELETE FROM mail.message",
        "CREATE TABLE mail.x (a int)",
        "CREATE TEMP TABLE x (a int)",
        "DROP TABLE mail.message",
        "COPY mail.message TO PROGRAM 'cat'",
        "SELECT pg_sleep(1)",
        "SELECT pg_advisory_lock(1)",
        "SELECT set_config('statement_timeout', '0', false)",
        "SELECT pg_read_file('PG_VERSION')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT query_to_xml('SELECT 1', true, true, '')",
    ],
)
def test_the_reader_is_refused_whatever_it_tries_besides_reading(store: Store, statement: str) -> None:
    with (
        store.reader() as conn,
        pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)),
    ):
        conn.execute(statement.encode())


def test_rights_alone_stop_the_reader_when_the_transaction_may_write(store: Store) -> None:
    with store.reader() as conn:
        conn.execute("SET transaction_read_only = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("DELETE FROM mail.message")


def test_a_setting_that_a_reader_changes_does_not_outlive_its_use(store: Store) -> None:
    with store.reader() as conn:
        conn.execute("SET SESSION statement_timeout = 0")
        conn.commit()
    with store.reader() as conn:
        assert conn.execute("SHOW statement_timeout").fetchone() == ("5s",)
        assert conn.execute("SHOW transaction_read_only").fetchone() == ("on",)


def test_both_logins_can_run_cypher(store: Store) -> None:
    with store.owner() as conn:
        conn.execute("SELECT create_graph('trial')")
    with store.reader() as conn:
        conn.execute("SELECT 1 FROM ag_catalog.ag_graph")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("SELECT * FROM cypher('trial', $$ MATCH (n) RETURN n $$) AS (n agtype)")


def test_a_second_writer_is_told_who_the_first_is(store: Store) -> None:
    with (
        store.writer_lock("ingest"),
        pytest.raises(StoreBusy, match=r"mailweave ingest, process \d+ is writing"),
        store.writer_lock("embed"),
    ):
        pass
    with store.writer_lock("embed"):
        pass


def test_opening_again_changes_nothing(store: Store, home: Path) -> None:
    with store.owner() as conn:
        before = conn.execute("SELECT array_agg(t::text ORDER BY name) FROM public.mailweave_migration t").fetchone()
    with open_store(store.name, home=home) as again, again.owner() as conn:
        assert (
            conn.execute("SELECT array_agg(t::text ORDER BY name) FROM public.mailweave_migration t").fetchone()
            == before
        )


@pytest.mark.parametrize("dsn", ["postgresql://nobody:secret@127.0.0.1:1/none", "not a dsn", "host=/nonexistent"])
def test_a_wrong_dsn_says_what_to_check_and_never_the_password(home: Path, dsn: str) -> None:
    with pytest.raises(DatabaseUnreachable, match="MAILWEAVE_DSN") as caught:
        open_store(dsn=dsn, home=home)
    assert "secret" not in str(caught.value)


def test_a_store_name_that_could_not_be_a_database_is_refused(home: Path) -> None:
    with pytest.raises(StoreError, match="letters, digits"):
        open_store("x; DROP", home=home)
