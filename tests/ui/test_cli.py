"""The command line: what each command prints, its exit codes, and a clear message for every kind of bad input."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from sql import embedded
from tests.ui import mail
from ui.cli import cli, run

FULL = mail.TEXTS.__len__() + 2


@pytest.fixture
def program(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The program in the session's data directory, with a store of its own; gives the store's name."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("MAILWEAVE_") and name != "MAILWEAVE_TEST_MODELS":
            monkeypatch.delenv(name)
    store = f"cli{abs(hash(tmp_path)) % 10**9}"
    monkeypatch.setenv("MAILWEAVE_HOME", str(home))
    monkeypatch.setenv("MAILWEAVE_STORE", store)
    yield store
    with psycopg.connect(embedded.start(home).dsn("postgres"), autocommit=True) as conn:
        conn.execute(f"DROP DATABASE IF EXISTS mailweave_{store} WITH (FORCE)")


def test_a_mailbox_goes_in_is_checked_and_can_be_asked(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mail.write(tmp_path / "inbox.mbox")
    assert run(["ingest", str(path), "--no-embed", "--owner", mail.OWNER, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ingest"]["messages"], told["ingest"]["unreadable"], told["stopped"]) == (FULL, 0, False)

    assert run(["check"]) == 0
    assert "Everything agrees" in capsys.readouterr().out

    assert run(["ingest", str(path), "--no-embed"]) == 0
    assert "0 new messages" in capsys.readouterr().out

    assert run(["status", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert status["messages"] == FULL
    assert status["sources"][0]["read"] == FULL
    assert status["owners"][0]["addresses"] == [mail.OWNER]

    query = "MATCH (p:Person)-[:SENT]->(m:Message) RETURN p.name AS name, count(m) AS n ORDER BY n DESC"
    assert run(["cypher", query, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0] == ["Ana Ruiz", 5]

    assert run(["ask", "How many messages did Ana Ruiz send?", "--with", "graph,lexical", "--no-answer", "--json"]) == 0
    asked = json.loads(capsys.readouterr().out)
    graph = asked["columns"][0]
    assert graph["outcome"] == "retrieved"
    assert graph["facts"][0]["value"] == 5
    assert "Person" in graph["facts"][0]["query"]
    assert {"a": "graph", "b": "lexical"}.items() <= asked["overlap"][0].items()

    assert run(["errors"]) == 0
    assert "Everything could be read" in capsys.readouterr().out


def says(capsys: pytest.CaptureFixture[str], *words: str) -> None:
    """What was said to the person holds all of the words, and is no stack trace."""
    captured = capsys.readouterr()
    for word in words:
        assert word in captured.err, captured.err
    assert "Traceback" not in captured.err
    assert "Traceback" not in captured.out


def test_a_path_that_does_not_exist(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "/nowhere/mail.mbox"]) != 0
    says(capsys, "/nowhere/mail.mbox", "Check the spelling")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.mbox", b"", "empty.mbox"),
        ("paper.mbox", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", "PDF"),
    ],
)
def test_a_file_that_is_no_mail(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert run(["ingest", str(tmp_path / name)]) == 1
    says(capsys, words)


def test_a_truncated_mbox_gives_what_is_whole_and_nothing_is_half_written(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mail.write(tmp_path / "cut.mbox")
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"Subject: Berth fee") + 10])  # within the head of the ninth message
    assert run(["ingest", str(path), "--no-embed", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["ingest"]
    assert told["messages"] + told["unreadable"] == 9
    assert run(["check"]) == 0


def test_a_nul_byte_in_a_mail_is_no_hindrance(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = mail.write(tmp_path / "nul.mbox")
    path.write_bytes(path.read_bytes().replace(b"The pump test moves", b"The pump\0 test moves"))
    assert run(["ingest", str(path), "--no-embed", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ingest"]["messages"] == FULL
    assert run(["check"]) == 0


@pytest.mark.parametrize("question", ["x" * 10_000, "   "])
def test_a_question_that_cannot_be_asked(program: str, capsys: pytest.CaptureFixture[str], question: str) -> None:
    assert run(["ask", question]) == 2
    says(capsys, "question")


def test_a_column_that_does_not_exist(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "Who wrote?", "--with", "grpah"]) == 2
    says(capsys, "'grpah'", "graph")


def test_an_empty_store_says_how_to_fill_it(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "Who wrote?"]) == 1
    says(capsys, "holds no mail yet", "mailweave ingest")


def test_no_model_leaves_everything_else_working(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAILWEAVE_MODEL_CACHE", str(tmp_path / "no-models"))
    path = mail.write(tmp_path / "inbox.mbox")
    assert run(["ingest", str(path)]) == 0
    assert "mailweave models pull" in capsys.readouterr().out
    assert run(["ask", "How many messages did Ben Okoro send?", "--with", "vector,graph", "--json"]) == 0
    vector, graph = json.loads(capsys.readouterr().out)["columns"]
    assert vector["outcome"] == "not_run"
    assert "models pull" in vector["errors"][0]["hint"]
    assert graph["facts"][0]["value"] == 3
    assert run(["embed"]) == 1
    says(capsys, "mailweave models pull")


@pytest.mark.parametrize(
    "dsn",
    ["postgresql://lena:hunter2@127.0.0.1:1/mail", "host=/nowhere user=lena password=hunter2", "hunter2 is no dsn"],
)
def test_a_wrong_dsn(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], dsn: str
) -> None:
    monkeypatch.setenv("MAILWEAVE_DSN", dsn)
    for command in (["status"], ["doctor"]):
        assert run(command) == 1
        captured = capsys.readouterr()
        assert "MAILWEAVE_DSN" in captured.err + captured.out
        assert "hunter2" not in captured.err + captured.out


@pytest.mark.embedded
def test_a_server_without_age(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Path(tempfile.mkdtemp(prefix="mailweave-bare-"))
    home.chmod(0o711)
    server = embedded.start(home)
    try:
        with psycopg.connect(server.dsn("postgres"), autocommit=True) as conn:
            # The server then finds no extension at all, as a plain installation would not.
            conn.execute("ALTER SYSTEM SET extension_control_path = '/nowhere'")
            conn.execute("SELECT pg_reload_conf()")
        monkeypatch.setenv("MAILWEAVE_DSN", server.dsn("postgres"))
        monkeypatch.setenv("MAILWEAVE_STORE", "default")
        assert run(["status"]) == 1
        says(capsys, "Apache AGE", "pgvector", "postgresql-17-age")
        assert run(["doctor"]) == 1
        assert "Apache AGE" in capsys.readouterr().out
    finally:
        server.close()
        shutil.rmtree(home)


def test_a_wrong_key_in_the_settings_file(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mailweave.toml").write_text('chat_modle = "x"\n')
    assert run(["status"]) == 2
    says(capsys, "'chat_modle'", "chat_model")


def test_a_cypher_query_that_would_write_is_refused(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", str(mail.write(tmp_path / "inbox.mbox")), "--no-embed"]) == 0
    assert run(["cypher", "MATCH (m:Message) DETACH DELETE m"]) == 1
    says(capsys, "only read")
    assert run(["check"]) == 0


def test_errors_are_json_where_json_was_asked_for(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "x" * 10_000, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "QuestionRefused"


def test_a_fault_of_ours_is_called_one_and_shown_with_debug_alone(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ui.doctor.examine", lambda settings: 1 // 0)
    assert run(["doctor"]) == 1
    says(capsys, "ZeroDivisionError", "fault of mailweave", "--debug")
    assert run(["doctor", "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    help_text = capsys.readouterr().out
    assert f"Example: mailweave {command}" in help_text or "Commands:" in help_text


def test_wrong_use_ends_with_two() -> None:
    assert run(["nonsense"]) == 2
    assert run(["ingest", "--jobs", "many"]) == 2
