"""Brings a database to the schema of this program: extensions first, then the numbered SQL files in order.

The files are idempotent. Each is remembered with the hash of its text, so that an unchanged one costs a comparison at
opening and a changed one runs again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import psycopg
from psycopg import sql

from sql.errors import ExtensionMissing, StoreError

READER = "mailweave_reader"
MIGRATIONS = Path(__file__).parent / "migrations"

GET_EXTENSIONS = (
    "Debian trixie has them as postgresql-17-age and postgresql-17-pgvector; elsewhere see the pages of Apache AGE and "
    "pgvector. Without MAILWEAVE_DSN mailweave starts a server of its own that has both."
)


def migrate(conn: psycopg.Connection) -> None:
    """Runs what is missing, in one transaction. ``conn`` is the owner's, in autocommit mode.

    Raises ExtensionMissing when the server has no AGE or pgvector, StoreError when the owner may not prepare it.
    """
    with conn.transaction():
        # Two programs that open a new store at once: the second waits and finds it done.
        conn.execute("SELECT pg_advisory_xact_lock(7463001)")
        conn.execute(
            "CREATE TABLE IF NOT EXISTS public.mailweave_migration (name text PRIMARY KEY, sha256 text NOT NULL)"
        )
        _extensions(conn)
        done: dict[str, str] = dict(conn.execute("SELECT name, sha256 FROM public.mailweave_migration").fetchall())
        for path in sorted(MIGRATIONS.glob("*.sql")):
            text = path.read_text()
            digest = hashlib.sha256(text.encode()).hexdigest()
            if done.get(path.name) == digest:
                continue
            conn.execute(text.encode())
            conn.execute(
                "INSERT INTO public.mailweave_migration VALUES (%s, %s) "
                "ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256",
                (path.name, digest),
            )


def _extensions(conn: psycopg.Connection) -> None:
    """AGE, pgvector, and pg_textsearch where the server has it; and what each connection needs for AGE."""
    available: dict[str, str] = dict(
        conn.execute("SELECT name, default_version FROM pg_available_extensions").fetchall()
    )
    installed: dict[str, str] = dict(conn.execute("SELECT extname, extversion FROM pg_extension").fetchall())
    missing = [title for name, title in (("age", "Apache AGE"), ("vector", "pgvector")) if name not in available]
    if missing:
        raise ExtensionMissing(f"This Postgres server lacks {' and '.join(missing)}. {GET_EXTENSIONS}")
    try:
        for name in ("age", "vector", "pg_textsearch"):
            if name not in available:
                continue
            if name not in installed:
                if name == "pg_textsearch" and not _preloaded(conn, name):
                    continue
                conn.execute(sql.SQL("CREATE EXTENSION {}").format(sql.Identifier(name)))
            elif installed[name] != available[name]:
                _update(conn, name)
        if not _prepared_for_age(conn):
            _prepare_for_age(conn)
        if not conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (READER,)).fetchone():
            conn.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(READER)))
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreError(
            f"The login of MAILWEAVE_DSN may not prepare this database ({error.diag.message_primary}). Let an "
            "administrator open it with mailweave once, or give the login the right to make extensions and roles."
        ) from None


def _preloaded(conn: psycopg.Connection, library: str) -> bool:
    row = conn.execute("SELECT current_setting('shared_preload_libraries')").fetchone()
    return row is not None and library in row[0]


def _update(conn: psycopg.Connection, name: str) -> None:
    """The server's library is another version than the database was made with: AGE's catalogue then cannot be read.

    The graph is derived data, so the extension is made anew and the graph is marked as gone.
    """
    if name != "age":
        conn.execute(sql.SQL("ALTER EXTENSION {} UPDATE").format(sql.Identifier(name)))
        return
    conn.execute("DROP EXTENSION age CASCADE")
    conn.execute("CREATE EXTENSION age")
    if conn.execute("SELECT to_regclass('mail.index_state')").fetchone() != (None,):
        conn.execute("DELETE FROM mail.index_state WHERE name = 'graph'")
    # The reader's rights on ag_catalog went with it.
    conn.execute("DELETE FROM public.mailweave_migration WHERE name LIKE '%reader%'")


def _prepared_for_age(conn: psycopg.Connection) -> bool:
    row = conn.execute(
        "SELECT setconfig FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase "
        "WHERE d.datname = current_database() AND s.setrole = 0"
    ).fetchone()
    return row is not None and any(str(setting).startswith("session_preload_libraries=") for setting in row[0])


def _prepare_for_age(conn: psycopg.Connection) -> None:
    # Set for the database, so that every login has AGE ready; ag_catalog last, or new tables would land in it.
    row = conn.execute("SELECT current_database()").fetchone()
    assert row is not None
    database = sql.Identifier(row[0])
    conn.execute(sql.SQL("ALTER DATABASE {} SET session_preload_libraries = 'age'").format(database))
    conn.execute(sql.SQL('ALTER DATABASE {} SET search_path = "$user", public, ag_catalog').format(database))
