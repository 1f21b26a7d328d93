"""The server's programs run as nobody of importance, within bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sql import server_programs


def test_a_program_gives_its_exit_code_and_what_it_said(tmp_path: Path) -> None:
    done = server_programs.run(tmp_path, "postgres", "--version")
    assert done.returncode == 0
    assert done.stdout.startswith("postgres (PostgreSQL) 18")
    assert server_programs.run(tmp_path, "pg_ctl", "status", "--pgdata", str(tmp_path / "none")).returncode != 0


def test_every_program_inherits_a_bound_on_its_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = tmp_path / "shell"
    shell.symlink_to("/bin/sh")
    monkeypatch.setattr(server_programs, "_programs", lambda home: tmp_path)
    monkeypatch.setattr(server_programs, "is_root", lambda: False)  # the folders above a test's are closed to others
    bound = server_programs.run(tmp_path, "shell", "-c", "ulimit -d").stdout.strip()
    assert int(bound) * 1024 == server_programs.MOST_PRIVATE_BYTES


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as somebody else")
def test_the_servers_user_does_not_reach_what_is_closed_to_others(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    assert not server_programs.can_pass(closed)
    assert server_programs.can_pass(Path("/tmp"))
