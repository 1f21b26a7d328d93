"""Brings a database to the schema of this program: extensions first, then the numbered SQL files in order.

The files are idempotent. Each is remembered with the hash of its text, so that an unchanged one costs a comparison at
opening and a changed one runs again.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg import sql

from sql import server
from sql.errors import ExtensionMissing, RightsMissing

READER = "mailweave_reader"
# The login that only reads, and the role that it takes for queries over the views alone.
ROLES = {READER: "LOGIN", "mailweave_views": "NOLOGIN"}
MIGRATIONS = Path(__file__).parent / "migrations"

GET_EXTENSIONS = (
    "Debian trixie has them as postgresql-17-age and postgresql-17-pgvector; elsewhere see the pages of Apache AGE and "
    "pgvector. Without MAILWEAVE_DSN mailweave starts a server of its own that has both."
)


def migrate(conn: psycopg.Connection) -> None:
    """Runs what is missing, in one transaction. ``conn`` is the owner's, in autocommit mode.

    Raises ExtensionMissing when the server has no AGE or pgvector, ServerTooOld, and RightsMissing when the owner may
    not prepare the database. Use another connection afterwards: a session of AGE 1.5 in which the extension was made
    anew is lost with its next statement.
    """
    with conn.transaction():
        # Two programs that open a new store at once: the second waits and finds it done.
        conn.execute("SELECT pg_advisory_xact_lock(7463001)")
        conn.execute(
            "CREATE TABLE IF NOT EXISTS public.mailweave_migration (name text PRIMARY KEY, sha256 text NOT NULL)"
        )
        _prepare(conn)
        _close_more(conn)
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


def _prepare(conn: psycopg.Connection) -> None:
    """AGE, pgvector, and pg_textsearch where the server has it; what each connection needs for AGE; the reader.

    Each statement that this login has no right to is noted, so that an administrator can be given all of them at once.
    """
    available: dict[str, str] = dict(
        conn.execute("SELECT name, default_version FROM pg_available_extensions").fetchall()
    )
    installed: dict[str, str] = dict(conn.execute("SELECT extname, extversion FROM pg_extension").fetchall())
    missing = [title for name, title in (("age", "Apache AGE"), ("vector", "pgvector")) if name not in available]
    if missing:
        raise ExtensionMissing(f"This Postgres server lacks {' and '.join(missing)}. {GET_EXTENSIONS}")
    server.require(conn, available["age"])
    row = conn.execute("SELECT current_user, current_database()").fetchone()
    assert row is not None
    login, database = row
    may = _Rights(conn)
    for name in ("age", "vector", "pg_textsearch"):
        if name not in available:
            continue
        if name not in installed:
            if name != "pg_textsearch" or _preloaded(conn, name):
                may.run("CREATE EXTENSION {}", name)
        elif installed[name] != available[name]:
            _update(conn, name)
    loaded = ("age" in installed and _preloaded(conn, "age")) or _set_here(conn, "session_preload_libraries")
    if not loaded:
        may.run("ALTER DATABASE {} SET session_preload_libraries = 'age'", database)
    if not _set_here(conn, "search_path"):
        # ag_catalog last, or new tables would land in it
        may.run('ALTER DATABASE {} SET search_path = "$user", public, ag_catalog', database)
    for role, kind in ROLES.items():
        if not conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            may.run(f"CREATE ROLE {{}} {kind}", role)
    _rights_on_age(conn, may, str(login))
    _rights_on_roles(conn, may, str(login))
    if may.lacking:
        raise RightsMissing(str(login), str(database), may.lacking)


class _Rights:
    """Runs statements; those that this login has no right to are kept in ``lacking``, as text."""

    def __init__(self, conn: psycopg.Connection) -> None:
        self.conn = conn
        self.lacking: list[str] = []

    def run(self, statement: str, *names: str) -> None:
        """``statement`` with ``names`` in the place of its {}."""
        try:
            with self.conn.transaction():
                self.conn.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
        except psycopg.errors.InsufficientPrivilege:
            self.note(statement, *names)

    def note(self, statement: str, *names: str) -> None:
        """Keeps a statement for the administrator."""
        self.lacking.append(sql.SQL(statement).format(*map(sql.Identifier, names)).as_string(self.conn))


def _rights_on_age(conn: psycopg.Connection, may: _Rights, login: str) -> None:
    """Both logins read AGE's catalogue. A GRANT of what one does not own is no error but a warning: so it is looked at
    afterwards."""
    created = not any("EXTENSION" in statement or "ROLE" in statement for statement in may.lacking)
    grants = ("GRANT USAGE ON SCHEMA ag_catalog TO {}", "GRANT SELECT ON ALL TABLES IN SCHEMA ag_catalog TO {}")
    for name in (login, READER):
        if created and _reads_age(conn, name):
            continue
        for grant in grants:
            if created:
                with suppress(psycopg.errors.InsufficientPrivilege), conn.transaction():
                    conn.execute(sql.SQL(grant).format(sql.Identifier(name)))
        if not created or not _reads_age(conn, name):
            for grant in grants:
                may.note(grant, name)


def _rights_on_roles(conn: psycopg.Connection, may: _Rights, login: str) -> None:
    """The owner sets the reader's password and limits and lets it take the role of the views."""
    row = conn.execute("SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user").fetchone()
    assert row is not None
    if row[0]:
        return
    if not row[1]:
        may.note("ALTER ROLE {} CREATEROLE", login)
    for role in ROLES:
        managed = conn.execute(
            "SELECT 1 FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid JOIN pg_roles o ON o.oid = m.member "
            "WHERE r.rolname = %s AND o.rolname = current_user AND m.admin_option",
            (role,),
        ).fetchone()
        if not managed:
            may.note("GRANT {} TO {} WITH ADMIN OPTION", role, login)


def _reads_age(conn: psycopg.Connection, login: str) -> bool:
    return conn.execute(
        "SELECT has_schema_privilege(%(login)s, 'ag_catalog', 'USAGE') "
        "AND has_table_privilege(%(login)s, 'ag_catalog.ag_label', 'SELECT') "
        "AND has_table_privilege(%(login)s, 'ag_catalog.ag_graph', 'SELECT')",
        {"login": login},
    ).fetchone() == (True,)


def _preloaded(conn: psycopg.Connection, library: str) -> bool:
    """Whether every session has the library. A login that may not read the setting finds out about AGE by a query,
    which is refused in another way where AGE does not see it."""
    row = conn.execute("SELECT setting FROM pg_settings WHERE name = 'shared_preload_libraries'").fetchone()
    if row is not None:
        return library in [one.strip() for one in str(row[0]).split(",")]
    if library != "age":
        return True
    try:
        with conn.transaction():
            conn.execute("SELECT FROM ag_catalog.cypher('no_graph', $$ RETURN 1 $$) AS (a ag_catalog.agtype)")
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedFunction):
        return False
    except psycopg.Error:
        return True
    return False


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


def _close_more(conn: psycopg.Connection) -> None:
    """An administrator may close functions to the reader that the login before could not: that file runs again."""
    conn.execute(
        "DELETE FROM public.mailweave_migration WHERE name LIKE '%%reader%%' AND (SELECT rolsuper FROM pg_roles "
        "WHERE rolname = current_user) AND has_function_privilege(%s, 'pg_sleep(double precision)', 'EXECUTE')",
        (READER,),
    )


def _set_here(conn: psycopg.Connection, setting: str) -> bool:
    """Whether the setting is made for this database: then every login has it."""
    row = conn.execute(
        "SELECT setconfig FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase "
        "WHERE d.datname = current_database() AND s.setrole = 0"
    ).fetchone()
    return row is not None and any(str(one).startswith(f"{setting}=") for one in row[0])
