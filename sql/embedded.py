"""The embedded server: a Postgres of our own in the data directory, started when needed, stopped by the last to leave.

The package's own starter is not used: it keeps process ids that go stale when a program is killed, opens up every
parent directory when run as root, and moves the socket to a shared place when the path is long. Here:

* who uses the server is told by shared ``flock`` locks, which the kernel drops when a process dies in any way: the
  last process to leave stops the server;
* it listens on a Unix socket in a private directory only, never on a network address;
* run by root, the server itself runs as another user (``sql.server_programs``), and nothing outside the data
  directory changes its mode;
* the log never holds statements or values, since those hold mail.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil
import psycopg

from sql.errors import DataDirectoryUnusable, EmbeddedServerFailed
from sql.server_programs import SERVER_USER, can_pass, is_root, run, server_user

# A Unix socket's path may hold 107 bytes, of which Postgres adds "/.s.PGSQL.5432.lock".
LONGEST_SOCKET_DIRECTORY = 85

CONFIGURATION = """\
# Written anew at every start by mailweave; own settings belong into postgresql.auto.conf (ALTER SYSTEM).
listen_addresses = ''
unix_socket_permissions = 0700
shared_preload_libraries = 'pg_textsearch'
max_connections = 50
shared_buffers = 512MB
work_mem = 32MB
maintenance_work_mem = 256MB
effective_cache_size = 2GB
random_page_cost = 1.1
jit = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 2GB
checkpoint_timeout = 15min
# Statements and their values hold mail: none of them may reach the log.
log_min_messages = warning
log_min_error_statement = panic
log_statement = none
log_parameter_max_length_on_error = 0
log_error_verbosity = terse
"""


@dataclass
class EmbeddedServer:
    """A running embedded server. ``dsn(database)`` is the owner's connection string for one of its databases."""

    home: Path
    socket_directory: Path
    _users: IO[str]

    def dsn(self, database: str, user: str = "postgres") -> str:
        """Connection string over the private socket."""
        return f"host={self.socket_directory} port=5432 user={user} dbname={database}"

    def revive(self) -> None:
        """Starts the server again when it has died: killed for memory, or stopped by somebody."""
        with _locked(self.home):
            _bring_up(self)

    def close(self) -> None:
        """Leaves the server; the last process to leave stops it."""
        if self._users.closed:
            return
        _running.pop(self.home, None)
        with _locked(self.home):
            try:
                fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                pass  # somebody else still uses it
            else:
                _pg_ctl(self.home, "stop", "-m", "fast")
            self._users.close()


_running: dict[Path, EmbeddedServer] = {}


def start(home: Path) -> EmbeddedServer:
    """Starts the server in ``home``/postgres, or joins the one that runs there; makes it when there is none.

    One handle a process and home: a second call gives the same one. It is closed at the process's exit.
    Raises EmbeddedServerMissing, DataDirectoryUnusable or EmbeddedServerFailed.
    """
    home = home.expanduser().absolute()
    if home in _running:
        return _running[home]
    _prepare_home(home)
    with _locked(home):
        users = open(home / "users.lock", "a")  # noqa: SIM115  held for as long as the server is used
        fcntl.flock(users, fcntl.LOCK_SH)
        try:
            data = home / "postgres"
            if not (data / "PG_VERSION").exists():
                _initdb(home, data)
            _check_version(home, data)
            server = EmbeddedServer(home, _socket_directory(home), users)
            _bring_up(server)
        except BaseException:
            users.close()
            raise
    _running[home] = server
    atexit.register(server.close)
    return server


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    """An exclusive lock over starting and stopping the server of one home."""
    with open(home / "server.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _prepare_home(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
        # The server's own user has to pass through it when root runs us; only the names in it could be read.
        home.chmod(0o711 if is_root() else 0o700)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        raise DataDirectoryUnusable(
            f"The data directory {home} cannot be written ({error.strerror}). "
            "Free space or mend its permissions, or choose another one with MAILWEAVE_HOME."
        ) from None


def _initdb(home: Path, data: Path) -> None:
    # A directory without PG_VERSION is what an interrupted initdb leaves behind; initdb wants it empty or absent.
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(mode=0o700)
    if is_root():
        user = server_user()
        os.chown(data, user.pw_uid, user.pw_gid)
        if not can_pass(data):
            data.rmdir()
            raise DataDirectoryUnusable(
                f"Postgres does not run as root, and the user '{SERVER_USER}' that runs it instead cannot reach "
                f"{data}: a directory above it is closed to others. Choose one such as /var/lib/mailweave with "
                "MAILWEAVE_HOME, or run mailweave as an ordinary user."
            )
    done = run(
        home,
        "initdb",
        "--pgdata",
        str(data),
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        # The same sorting and case rules on every machine, whatever its environment says.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
    )
    if done.returncode:
        shutil.rmtree(data, ignore_errors=True)
        raise EmbeddedServerFailed(f"The embedded server could not be made in {data}: {done.stderr.strip()[-500:]}")
    with open(data / "postgresql.conf", "a") as configuration:
        configuration.write("\ninclude_if_exists = 'mailweave.conf'\n")


def _check_version(home: Path, data: Path) -> None:
    made_by = (data / "PG_VERSION").read_text().strip()
    ours = run(home, "postgres", "--version").stdout.split()[-1].split(".")[0]
    if made_by != ours:
        raise DataDirectoryUnusable(
            f"{data} was made by Postgres {made_by}, this mailweave carries Postgres {ours}. Move {data} away and "
            "ingest again (or restore a backup); the mail itself is read from its sources."
        )


def _socket_directory(home: Path) -> Path:
    """``home`` where its path is short enough, else a private directory named after it."""
    inside = home / "postgres"
    if len(os.fsencode(inside)) <= LONGEST_SOCKET_DIRECTORY:
        return inside
    owner = server_user() if is_root() else pwd.getpwuid(os.getuid())
    name = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    directory = Path(tempfile.gettempdir()) / f"mailweave-{owner.pw_uid}-{name}"
    directory.mkdir(mode=0o700, exist_ok=True)
    if is_root():
        os.chown(directory, owner.pw_uid, owner.pw_gid)
    status = directory.lstat()
    # In a directory shared by all, somebody else may have made it first.
    if status.st_uid != owner.pw_uid or status.st_mode & 0o077 or directory.is_symlink():
        raise DataDirectoryUnusable(f"{directory} belongs to somebody else; choose a shorter path with MAILWEAVE_HOME.")
    return directory


def _write_configuration(data: Path, socket_directory: Path) -> None:
    path = data / "mailweave.conf"
    path.write_text(CONFIGURATION + f"unix_socket_directories = '{socket_directory}'\n")
    if is_root():
        user = server_user()
        os.chown(path, user.pw_uid, user.pw_gid)


def _bring_up(server: EmbeddedServer) -> None:
    if _is_running(server.home):
        _wait_for_recovery(server.dsn("postgres"))
    else:
        _write_configuration(server.home / "postgres", server.socket_directory)
        _start(server.home)


def _is_running(home: Path) -> bool:
    if _pg_ctl(home, "status").returncode:
        return False
    lock = home / "postgres" / "postmaster.pid"
    with suppress(OSError, ValueError, IndexError, psutil.Error):
        if psutil.Process(int(lock.read_text().split()[0])).status() == psutil.STATUS_ZOMBIE:
            # killed, and nobody has asked for it yet: to pg_ctl and Postgres that looks alive
            lock.unlink()
            (_socket_directory(home) / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
            return False
    return True


def _start(home: Path) -> None:
    log = home / "postgres" / "server.log"
    with suppress(OSError):
        if log.stat().st_size > 1_000_000:
            log.unlink()
    # Recovery after a crash may take long; ten minutes is beyond any that was seen.
    done = _pg_ctl(home, "start", "--log", str(log), "--timeout", "600")
    if done.returncode:
        said = log.read_text(errors="replace")[-800:].strip() if log.exists() else done.stderr.strip()
        raise EmbeddedServerFailed(
            f"The embedded Postgres in {home / 'postgres'} did not start. Free disk space and memory, then try again; "
            f"the end of its log:\n{said}"
        )


def _wait_for_recovery(dsn: str) -> None:
    """Waits while the server, which lost one of its processes, throws everybody out and reads its log again."""
    ends = time.monotonic() + 600
    while time.monotonic() < ends:
        try:
            psycopg.connect(dsn).close()
            return
        except psycopg.OperationalError as error:
            if not any(said in str(error) for said in ("accepting connections", "starting up", "recovery mode")):
                return  # what else is wrong is said where the database is opened
        time.sleep(0.1)


def _pg_ctl(home: Path, action: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(home, "pg_ctl", action, "--pgdata", str(home / "postgres"), "--wait", *arguments)
