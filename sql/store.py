"""The one place that opens connections: a store is one database, with a login that owns it and one that only reads.

Both logins have their own small pool. A reader's connection is in a read-only transaction with a time-out, its
settings are reset after each use, and it is thrown away after an internal error of the server, since Apache AGE may
leave such a session in a bad state.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from sql import bm25, embedded, server
from sql.errors import DatabaseUnreachable, ReaderLoginFailed, StoreBusy, StoreError
from sql.failures import named
from sql.migrate import READER, migrate

READER_TIMEOUT = "5s"
WRITER_LOCK = 7463002
# a connection that died with its server is replaced when it is asked for
_CHECK = ConnectionPool.check_connection


def open_store(name: str = "default", *, dsn: str | None = None, home: Path) -> Store:
    """Opens the store ``name``, making it when it is new.

    Without ``dsn`` the embedded server in ``home`` is started and the store is its database ``mailweave_NAME``. With
    ``dsn`` the default store is the database that it names, another one is that name with ``_NAME`` after it.
    Raises a StoreError that says what to do.
    """
    maintenance, database = _place(name, dsn, home)
    place = make_conninfo(maintenance, dbname=database, connect_timeout=10, application_name=_program())
    store = Store(name, place, embedded.start(home) if dsn is None else None)
    store._open(maintenance, database)
    return store


def drop_store(name: str, *, dsn: str | None = None, home: Path) -> None:
    """Drops the database of a store, whoever uses it. Nothing happens when there is none."""
    maintenance, database = _place(name, dsn, home)
    with psycopg.connect(make_conninfo(maintenance, dbname="postgres"), autocommit=True) as conn:
        conn.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))


def _place(name: str, dsn: str | None, home: Path) -> tuple[str, str]:
    """Where a store is: a connection string of its server, and its database there."""
    if not name.isascii() or not name.replace("_", "").replace("-", "").isalnum():
        raise StoreError(f"A store's name is made of letters, digits, - and _, which {name!r} is not.")
    if dsn is None:
        return embedded.start(home).dsn("postgres"), f"mailweave_{name}"
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        raise DatabaseUnreachable(
            "MAILWEAVE_DSN is no connection string. It looks like postgresql://user:password@host:5432/database."
        ) from None
    base = str(given.get("dbname") or given.get("user") or "mailweave")
    return dsn, base if name == "default" else f"{base}_{name}"


class Store:
    """An open store. ``server``: what its server runs; ``has_bm25``: that has pg_textsearch."""

    name: str
    has_bm25: bool
    server: server.Server

    def __init__(self, name: str, dsn: str, own_server: embedded.EmbeddedServer | None = None) -> None:
        self.name = name
        self._dsn = dsn
        self._own_server = own_server
        self._owner = ConnectionPool(dsn, min_size=0, max_size=12, open=False, configure=_quiet, check=_CHECK)
        self._reader = ConnectionPool(
            _reader_dsn(dsn), min_size=0, max_size=12, open=False, configure=_configure_reader, reset=_reset,
            check=_CHECK,
        )  # fmt: skip

    @contextmanager
    def owner(self) -> Iterator[psycopg.Connection]:
        """A connection that may write. Commits at the end, rolls back when an exception leaves the block."""
        with self._connection(self._owner) as conn:
            yield conn

    @contextmanager
    def reader(self) -> Iterator[psycopg.Connection]:
        """A connection that can only read, with a time-out of five seconds a statement. Nothing that was done with it
        stays: the Cypher of AGE 1.5 heeds neither rights nor read-only transactions."""
        with self._connection(self._reader) as conn:
            try:
                yield conn
            except psycopg.errors.InternalError_:
                conn.close()
                raise
            if not conn.closed:
                conn.rollback()

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection]:
        """As ``owner``, but nobody uses the connection afterwards: for making and dropping graphs, after which a
        session of AGE 1.5 fails at any later change of a table ("label cache corrupted")."""
        with self._connect() as conn, named(self.name):
            _quiet(conn)
            yield conn

    @contextmanager
    def writer_lock(self, what: str) -> Iterator[None]:
        """One writing program at a time: ``what`` is shown to a second one. Raises StoreBusy when it is taken."""
        with named(self.name), self._connect(autocommit=True) as conn:
            row = conn.execute("SELECT pg_try_advisory_lock(%s)", (WRITER_LOCK,)).fetchone()
            if row != (True,):
                raise StoreBusy(
                    f"{_holder(conn)} is writing to the store '{self.name}'. Wait until it is done, or stop it."
                )
            conn.execute(
                "SELECT set_config('application_name', %s, false)", (f"mailweave {what}, process {os.getpid()}",)
            )
            try:
                yield
            finally:
                # closing gives the lock back too, but only when the server notices: the next writer may be faster
                with suppress(psycopg.Error):
                    conn.execute("SELECT pg_advisory_unlock(%s)", (WRITER_LOCK,))

    def close(self) -> None:
        """Closes all connections; the embedded server is left at the process's exit."""
        self._reader.close()
        self._owner.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _connection(self, pool: ConnectionPool) -> Iterator[psycopg.Connection]:
        """One of a pool that works; a server of our own that has died is started again."""
        with ExitStack() as held:
            try:
                conn = held.enter_context(pool.connection(timeout=5 if self._own_server else 30))
            except PoolTimeout:
                if self._own_server is not None:
                    self._own_server.revive()
                try:
                    conn = held.enter_context(pool.connection(timeout=30))
                except PoolTimeout:
                    raise DatabaseUnreachable(self._unreachable()) from None
            held.enter_context(named(self.name))
            yield conn

    def _connect(self, autocommit: bool = False) -> psycopg.Connection:
        """A connection apart from the pools. Raises DatabaseUnreachable."""
        with suppress(psycopg.OperationalError):
            return psycopg.connect(self._dsn, autocommit=autocommit)
        if self._own_server is not None:
            self._own_server.revive()
        try:
            return psycopg.connect(self._dsn, autocommit=autocommit)
        except psycopg.OperationalError:
            raise DatabaseUnreachable(self._unreachable()) from None

    def _unreachable(self) -> str:
        return f"The database of the store '{self.name}' does not answer. Is its server running?"

    def _open(self, maintenance: str, database: str) -> None:
        _create_database(maintenance, database)
        with named(self.name), self._connect(autocommit=True) as conn:
            migrate(conn)
        with named(self.name), self._connect(autocommit=True) as conn:
            _mend_words(conn)
            self.server = server.read(conn, READER)
            self.has_bm25 = self.server.textsearch is not None
            _prepare_reader_login(conn, self._dsn)
        self._owner.open()
        self._reader.open()
        try:
            with psycopg.connect(_reader_dsn(self._dsn)):
                pass
        except psycopg.OperationalError as error:
            self.close()
            raise ReaderLoginFailed(
                f"The server refuses the read-only login '{READER}' ({_one_line(error)}). Allow it in pg_hba.conf as "
                "the login of MAILWEAVE_DSN is allowed; queries never run with more rights than reading."
            ) from None


def _program() -> str:
    return f"mailweave ({Path(sys.argv[0]).name or 'python'}, process {os.getpid()})"


def _create_database(maintenance: str, database: str) -> None:
    """Makes the database when it is not there. The configured one may be the only one that this login can enter."""
    try:
        try:
            with psycopg.connect(make_conninfo(maintenance, dbname=database)):
                return
        except psycopg.OperationalError as error:
            if "does not exist" not in str(error) or f'"{database}"' not in str(error):
                raise
        with psycopg.connect(make_conninfo(maintenance, dbname="postgres"), autocommit=True) as conn:
            with suppress(psycopg.errors.DuplicateDatabase):
                conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
    except psycopg.OperationalError as error:
        raise DatabaseUnreachable(
            f"The database server cannot be used ({_one_line(error)}). Check MAILWEAVE_DSN and that the server runs; "
            "without it mailweave starts a server of its own."
        ) from None
    except psycopg.errors.InsufficientPrivilege:
        raise StoreError(f"This login may not make the database {database}; let an administrator make it.") from None


def _mend_words(conn: psycopg.Connection) -> None:
    """The BM25 index is mended at opening, unless somebody is writing: then it is built anew at the end of that."""
    if conn.execute("SELECT pg_try_advisory_lock(%s)", (WRITER_LOCK,)).fetchone() == (True,):
        bm25.repair(conn)
        conn.execute("SELECT pg_advisory_unlock(%s)", (WRITER_LOCK,))


def _reader_password(dsn: str) -> str | None:
    """The reader's password follows from the owner's, so that every machine that knows one knows the other."""
    password = conninfo_to_dict(dsn).get("password")
    if not password:
        return None
    return hmac.new(str(password).encode(), b"mailweave reader", hashlib.sha256).hexdigest()


def _reader_dsn(dsn: str) -> str:
    return make_conninfo(dsn, user=READER, password=_reader_password(dsn))


def _prepare_reader_login(conn: psycopg.Connection, dsn: str) -> None:
    reader = sql.Identifier(READER)
    password = _reader_password(dsn)
    row = conn.execute("SELECT current_database()").fetchone()
    assert row is not None
    configured = conn.execute(
        "SELECT 1 FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase "
        "JOIN pg_roles r ON r.oid = s.setrole WHERE d.datname = current_database() AND r.rolname = %s",
        (READER,),
    ).fetchone()
    if configured:
        return
    with conn.transaction():
        if password is not None:
            conn.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(reader, sql.Literal(password)))
        for setting, value in (("default_transaction_read_only", "on"), ("statement_timeout", READER_TIMEOUT)):
            conn.execute(
                sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}").format(
                    reader, sql.Identifier(row[0]), sql.Identifier(setting), sql.Literal(value)
                )
            )


def _quiet(conn: psycopg.Connection) -> None:
    # CREATE … IF NOT EXISTS tells what it skipped; nobody needs to read that.
    conn.execute("SET client_min_messages = error")
    conn.commit()


def _configure_reader(conn: psycopg.Connection) -> None:
    conn.read_only = True


def _reset(conn: psycopg.Connection) -> None:
    # one statement by itself instead of four in a transaction: this happens some times for every question
    conn.autocommit = True
    conn.execute("RESET ALL")
    conn.autocommit = False


def _holder(conn: psycopg.Connection) -> str:
    row = conn.execute(
        "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
        "WHERE l.locktype = 'advisory' AND l.objid = %s AND l.granted AND l.database = "
        "(SELECT oid FROM pg_database WHERE datname = current_database())",
        (WRITER_LOCK,),
    ).fetchone()
    return str(row[0]) if row else "Another program"


def _one_line(error: Exception) -> str:
    """The server's words without connection details, on one line. libpq never puts the password into them."""
    return " ".join(str(error).split())[:300]
