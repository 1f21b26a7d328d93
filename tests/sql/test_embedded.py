"""The embedded server's life: who stops it, what a kill leaves behind, long paths, closed parents, crashes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from sql import embedded
from sql.errors import ConnectionLost, DataDirectoryUnusable
from sql.store import open_store

pytestmark = pytest.mark.embedded

HOLD = """
import sys, time
from pathlib import Path
from sql import embedded
embedded.start(Path(sys.argv[1]))
print("up", flush=True)
time.sleep(60)
"""


def holder(home: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(home)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "up\n"
    return process


def test_the_last_process_to_leave_stops_the_server_even_after_another_was_killed(own_home: Path) -> None:
    other = holder(own_home)
    server = embedded.start(own_home)
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert embedded._is_running(own_home)
    server.close()
    assert not embedded._is_running(own_home)


def test_the_server_stays_while_another_process_uses_it(own_home: Path) -> None:
    other = holder(own_home)
    embedded.start(own_home).close()
    assert embedded._is_running(own_home)
    other.kill()
    other.wait()


def test_nothing_above_the_data_directory_is_opened_up_and_the_data_is_private(own_home: Path) -> None:
    above = own_home / "private"
    above.mkdir(mode=0o700)
    home = above / "data"
    if os.geteuid() == 0:
        with pytest.raises(DataDirectoryUnusable, match="MAILWEAVE_HOME"):
            embedded.start(home)
    else:
        embedded.start(home).close()
        assert home.stat().st_mode & 0o077 == 0
    assert above.stat().st_mode & 0o777 == 0o700


def test_the_server_listens_on_a_private_socket_only(own_home: Path) -> None:
    server = embedded.start(own_home)
    with psycopg.connect(server.dsn("postgres")) as conn:
        assert conn.execute("SHOW listen_addresses").fetchone() == ("",)
    assert server.socket_directory.stat().st_mode & 0o077 == 0
    server.close()


def test_a_long_path_gets_a_short_private_socket_directory(own_home: Path) -> None:
    home = own_home / ("d" * 60) / ("e" * 60)
    home.parent.mkdir()
    own_home.chmod(0o711)
    server = embedded.start(home)
    assert server.socket_directory.stat().st_mode & 0o077 == 0
    with psycopg.connect(server.dsn("postgres")) as conn:
        assert conn.execute("SELECT 1").fetchone() == (1,)
    server.close()
    shutil.rmtree(server.socket_directory, ignore_errors=True)


def test_a_data_directory_of_another_postgres_is_named(own_home: Path) -> None:
    own_home.chmod(0o711)
    embedded.start(own_home).close()
    (own_home / "postgres" / "PG_VERSION").write_text("15\n")
    with pytest.raises(DataDirectoryUnusable, match="made by Postgres 15"):
        embedded.start(own_home)
    (own_home / "postgres" / "PG_VERSION").write_text("18\n")


def test_a_server_that_dies_under_an_open_store_is_started_again(own_home: Path) -> None:
    with open_store(home=own_home) as store:
        for _ in range(2):
            with pytest.raises(ConnectionLost, match="Run the same again"), store.owner() as conn:
                conn.execute("SELECT 1")
                os.kill(int((own_home / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
                for _ in range(100):
                    conn.execute("SELECT pg_sleep(0.1)")
            for connection in (store.reader, store.owner, store.session):
                with connection() as conn:
                    assert conn.execute("SELECT count(*) FROM mail.message").fetchone() == (0,)
            with store.writer_lock("ingest"):
                pass


def test_a_killed_server_recovers_and_finds_every_committed_chunk_by_words(own_home: Path) -> None:
    own_home.chmod(0o711)
    with open_store(home=own_home) as store, store.owner() as conn:
        conn.execute("INSERT INTO mail.message (content_key, message_id) VALUES ('', '<a@b.example>')")
        conn.execute(
            "INSERT INTO mail.chunk (message, position, text, start, stop, sha256) "
            "SELECT m.id, n, 'heliotrope number ' || n, 0, 1, sha256(n::text::bytea) FROM mail.message m, generate_series(1, 50) n"
        )
        conn.commit()
        pid = int((own_home / "postgres" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.3)
    embedded._running.pop(own_home).close()
    with open_store(home=own_home) as store, store.reader() as conn:
        found = conn.execute(
            "SELECT count(*) FROM (SELECT id FROM mail.chunk ORDER BY text <@> to_bm25query('heliotrope', 'mail.chunk_bm25') LIMIT 100) x"
        ).fetchone()
        assert found == (50,)
