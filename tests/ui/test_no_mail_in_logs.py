"""A word of a mail stands in the database and in what a person asked for, and nowhere else: not in errors, logs or
temporary files, whatever fails. Nor does the password of a connection string."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from sql import embedded
from sql.store import open_store
from tests.ingest.mailboxes import mail, mbox
from ui.cli import run

ROOT = Path(__file__).parents[2]
WORD = "zirconquagga"
SECRET = "hunter2swordfish"
PROGRAM = "import sys; from ui.cli import main; main()"

pytestmark = pytest.mark.embedded


@pytest.fixture
def box(tmp_path: Path) -> Path:
    mails = [
        mail(
            f"The {WORD} of pump {n}.",
            id_=f"{n}{WORD}@x",
            subject=f"{WORD} {n}",
            sender=f"{WORD} <{WORD}{n}@a.example>",
        )
        for n in range(300)
    ]
    return mbox(tmp_path / "box.mbox", mails)


def start(home: Path, temporary: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "MAILWEAVE_HOME": str(home), "TMPDIR": str(temporary)},
    )  # fmt: skip


def files_with_the_word(*folders: Path) -> list[str]:
    """Files that hold it, but for the tables and the write-ahead log themselves."""
    data = {"base", "pg_wal", "global", "pg_xact"}
    found = []
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and not data & set(path.parts) and WORD.encode() in path.read_bytes():
                found.append(str(path))
    return found


def test_no_word_of_a_mail_is_in_errors_logs_or_temporary_files(own_home: Path, box: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir(mode=0o777)
    temporary.chmod(0o777)
    said = []

    def done(program: subprocess.Popen[str]) -> None:
        out, err = program.communicate(timeout=400)
        said.append(out + err)

    # the program is killed, then its server, while mail is read
    for victim in ("program", "server"):
        program = start(own_home, temporary, "ingest", str(box), "--no-embed", "--jobs", "2", "--debug")
        pid = own_home / "postgres" / "postmaster.pid"
        while program.poll() is None and not (pid.exists() and _reading(own_home)):
            time.sleep(0.05)
        if victim == "program":
            program.kill()
        elif pid.exists():
            os.kill(int(pid.read_text().split()[0]), signal.SIGKILL)
        done(program)
    # the database refuses rows: a rule that no message keeps
    with open_store(home=own_home) as store, store.owner() as conn:
        conn.execute("TRUNCATE mail.message, mail.source CASCADE")
        conn.execute("ALTER TABLE mail.message ADD CONSTRAINT odd CHECK (subject NOT LIKE '%9') NOT VALID")
    done(start(own_home, temporary, "ingest", str(box), "--no-embed", "--jobs", "1", "--debug"))
    with open_store(home=own_home) as store, store.owner() as conn:
        conn.execute("ALTER TABLE mail.message DROP CONSTRAINT odd")
        with pytest.raises(psycopg.errors.UniqueViolation):
            conn.execute("INSERT INTO mail.address (address) SELECT address FROM mail.address")
    done(start(own_home, temporary, "ingest", str(box), "--no-embed", "--jobs", "1", "--debug"))
    for failing in ("status", "check", "doctor"):
        done(start(own_home, temporary, failing, "--debug"))
    assert not [text for text in said if WORD in text], next(text for text in said if WORD in text)[-1500:]
    embedded.start(own_home).close()
    assert files_with_the_word(own_home, temporary) == []


def _reading(home: Path) -> bool:
    try:
        with psycopg.connect(
            f"host={home / 'postgres'} user=postgres dbname=mailweave_default", connect_timeout=1
        ) as conn:
            return conn.execute("SELECT EXISTS (SELECT FROM mail.ingest_run)").fetchone() == (True,)
    except psycopg.Error:
        return False


@pytest.mark.parametrize("command", ["status", "doctor", "check", "errors", "ingest", "embed"])
@pytest.mark.parametrize(
    "dsn",
    [
        f"postgresql://ada:{SECRET}@127.0.0.1:9/mail",
        f"host=127.0.0.1 port=9 user=ada password={SECRET} dbname=mail",
        f"postgresql://ada:{SECRET}@127.0.0.1:notaport/mail",
        f"postgresql://ada:{SECRET}@[127.0.0.1/mail?sslmode=x",
    ],
    ids=["address", "words", "wrong port", "broken"],
)
def test_the_password_of_a_connection_string_is_never_shown(
    dsn: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAILWEAVE_DSN", dsn)
    monkeypatch.setenv("MAILWEAVE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "box.mbox").write_bytes(b"From - Mon Mar  4 09:00:00 2024\n" + mail())
    for flags in ([], ["--debug"], ["--json"]):
        assert run([command, *([str(tmp_path / "box.mbox")] if command == "ingest" else []), *flags]) != 0
    out, err = capfd.readouterr()
    assert SECRET not in out + err
