"""sources, forget, ingest --sync and accounts at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ingest import imap_server
from tests.ingest.mailboxes import mail, mbox
from tests.ui.test_cli import program, says  # noqa: F401
from ui.cli import run


def test_sources_are_listed_moved_and_forgotten(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]  # noqa: F811
) -> None:  # fmt: skip
    mbox(tmp_path / "old" / "a.mbox", [mail(id_="a@x"), mail("Other words.", id_="b@x")])
    keep = mbox(tmp_path / "keep.mbox", [mail(id_="a@x")])
    assert run(["ingest", str(tmp_path / "old"), str(keep), "--no-embed"]) == 0
    (tmp_path / "old").rename(tmp_path / "new")
    capsys.readouterr()
    assert run(["sources", "list"]) == 0
    assert "NOT THERE ANY MORE" in capsys.readouterr().out
    assert run(["ingest", "--no-embed"]) == 0
    assert "sources relocate" in capsys.readouterr().out
    assert run(["sources", "relocate", str(tmp_path / "old"), str(tmp_path / "new"), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1
    assert run(["forget", str(tmp_path / "old"), "--yes"]) == 1
    says(capsys, "No mail was read from", "sources list")
    assert run(["forget", str(tmp_path / "new"), "--yes"]) == 0
    assert "1 messages left" in capsys.readouterr().out
    assert run(["sources", "list", "--json"]) == 0
    assert [source["path"] for source in json.loads(capsys.readouterr().out)] == [str(keep)]
    assert run(["check"]) == 0


def test_with_sync_what_has_gone_is_forgotten_in_the_same_job(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]  # noqa: F811
) -> None:  # fmt: skip
    mbox(tmp_path / "mail" / "a.mbox", [mail(id_="a@x")])
    gone = mbox(tmp_path / "mail" / "b.mbox", [mail("Other words.", id_="b@x")])
    assert run(["ingest", str(tmp_path / "mail"), "--no-embed"]) == 0
    gone.unlink()
    capsys.readouterr()
    assert run(["ingest", str(tmp_path / "mail"), "--no-embed", "--sync", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ingest"]["forgotten"], told["graph"]["Message"]) == (1, 1)
    assert run(["check"]) == 0


def test_an_account_is_read_with_a_password_from_a_file_that_is_shown_nowhere(
    program: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]  # noqa: F811
) -> None:  # fmt: skip
    if not imap_server.installed():
        pytest.skip("there is no dovecot here, or no right to start it (apt-get install dovecot-imapd, as root)")
    secret = tmp_path / "secret"
    secret.write_text(imap_server.PASSWORD + "\n")
    with imap_server.running() as server:
        server.put(mail(id_="a@x"), "a")
        command = ["ingest", server.address, "--no-embed", "--ca-file", str(server.ca), "--password-file"]
        assert run([*command, str(secret)]) == 0
        secret.write_text("wrong\n")
        assert run([*command, str(secret)]) == 1
    assert run(["sources", "list"]) == 0
    told = capfd.readouterr()
    assert f"{server.address}INBOX (imap)" in told.out and "refuses the login" in told.err
    assert imap_server.PASSWORD not in told.out + told.err


def test_an_address_of_an_account_with_a_password_in_it_is_refused(
    program: str, capsys: pytest.CaptureFixture[str]  # noqa: F811
) -> None:  # fmt: skip
    assert run(["ingest", "imaps://ada:sesame@quay.example/"]) == 1
    captured = capsys.readouterr()
    assert "does not belong" in captured.err and "sesame" not in captured.err
