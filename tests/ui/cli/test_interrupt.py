"""Ctrl-C in a terminal reaches the program and all its workers: it ends at the batch, and the same command goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from ingest.check import check
from sql.store import drop_store, open_store
from tests.ingest.mailboxes import mail, mbox, one

ROOT = Path(__file__).parents[3]


def start(home: Path, path: Path) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAILWEAVE_")}
    return subprocess.Popen(
        [sys.executable, "-c", "from ui.cli import main; main()", "ingest", str(path), "--no-embed", "--store", "stopped",
         "--jobs", "2"],
        cwd=ROOT, env={**environment, "MAILWEAVE_HOME": str(home)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    )  # fmt: skip


def test_an_ingest_that_is_interrupted_ends_cleanly_and_is_gone_on_with(home: Path, tmp_path: Path) -> None:
    words = "The pump at the quay is fixed, and the tide comes at six. " * 60
    path = mbox(tmp_path / "a.mbox", [mail(f"Report {n}. {words}", id_=f"{n}@x", hours=n) for n in range(4000)])
    try:
        with open_store("stopped", home=home) as store:
            first = start(home, path)
            while one(store, "SELECT count(*) FROM mail.occurrence") == 0:
                assert first.poll() is None, first.communicate()[0]
                time.sleep(0.05)
            os.killpg(first.pid, signal.SIGINT)
            told, _ = first.communicate(timeout=300)
            assert first.returncode == 1, told
            assert "Stopped before the end" in told and "Traceback" not in told
            read = one(store, "SELECT count(*) FROM mail.occurrence")
            assert 0 < read < 4000
            assert one(store, "SELECT count(*) FROM mail.ingest_error") == 0
            second = start(home, path)
            told, _ = second.communicate(timeout=300)
            assert second.returncode == 0, told
            assert one(store, "SELECT count(*) FROM mail.occurrence") == 4000
            with store.reader() as conn:
                assert check(conn) == []
    finally:
        drop_store("stopped", home=home)
