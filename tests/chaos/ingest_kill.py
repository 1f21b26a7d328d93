"""Kills an ingest with SIGKILL at random moments, runs it again, and compares with a run that nobody disturbed.

    python -m tests.chaos.ingest_kill [--kills 30] [--mail PATH] [--seed 1]

Every kill hits a run on a store that was filled anew: reading, connecting, cutting chunks or building the graph, its
workers included or not. Then the same command runs to its end. Compared by natural keys: every table that ingest
writes, and the graph's vertices and edges counted and checked against the tables.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from graph.check import check as check_graph
from ingest.check import check
from sql import embedded
from sql.store import drop_store, open_store
from tests.ingest.mailboxes import mail, mbox, snapshot

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from pathlib import Path
from ingest import pipeline
from sql.store import open_store
from ui.reading import read_mail

if __name__ == "__main__":
    pipeline.BATCH_MESSAGES = 40
    with open_store(sys.argv[1], home=Path(sys.argv[2])) as store:
        print("begins", flush=True)
        read_mail(store, [Path(sys.argv[3])], jobs=int(sys.argv[4]))
"""
QUOTED = (
    "\n\n-----Original Message-----\nFrom: Storm, Pia\nSent: Monday, March 04, 2024 {0}:00 AM\nTo: Quill, Ada\n"
    "Subject: Pump\n\nShall we replace pump {0} at the quay before the spring tide comes, or wait for the autumn?\n"
)


def main() -> None:
    """Exits with 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mail", type=Path, help="any export; made-up mail without it")
    given = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="mailweave-chaos-"))
    home.chmod(0o711)
    try:
        kills = Kills(home, given.mail or made_up(home / "mail"), given.seed)
        for number in range(given.kills):
            print(f"{number + 1}: {kills.once()}", flush=True)
        print(f"{given.kills} kills, each followed by the result of an undisturbed run ({kills.seconds:.1f} s).")
    finally:
        embedded.start(home).close()
        shutil.rmtree(home, ignore_errors=True)


class Kills:
    """Kills runs over one export. ``seconds``: how long an undisturbed one takes."""

    def __init__(self, home: Path, export: Path, seed: int) -> None:
        self._home, self._export = home, export
        self._chance = random.Random(seed)
        self._program = home / "run.py"
        self._program.write_text(PROGRAM)
        self._run("calm")  # so that everything is in the memory of the machine
        drop_store("calm", home=home)
        started = time.monotonic()
        self._run("calm")
        self.seconds = time.monotonic() - started
        self._expected = self._state("calm")

    def once(self) -> str:
        """One kill and the run after it; tells what was hit. Raises AssertionError for a difference."""
        hit = None
        while hit is None:  # a run that had ended was not killed
            drop_store("killed", home=self._home)
            moment = self._chance.uniform(0.0, self.seconds)
            hit = self._kill("killed", moment, workers_too=self._chance.random() < 0.5)
        self._run("killed")
        found = self._state("killed")
        for part, rows in self._expected.items():
            assert found[part] == rows, f"{part} differ after a kill at {moment:.2f} s ({hit})"
        return f"{moment:.2f} s, {hit}"

    def _start(self, store: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(self._program), store, str(self._home), str(self._export), "2"]
        child = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "begins\n"
        return child

    def _run(self, store: str) -> None:
        assert self._start(store).wait() == 0

    def _kill(self, store: str, moment: float, workers_too: bool) -> str | None:
        child = self._start(store)
        time.sleep(moment)
        if child.poll() is not None:
            return None
        workers = psutil.Process(child.pid).children(recursive=True)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        if workers_too:
            for worker in workers:
                if "multiprocessing" in " ".join(worker.cmdline() if worker.is_running() else []):
                    worker.kill()
        with open_store(store, home=self._home) as opened, opened.owner() as conn:
            row = conn.execute(
                "SELECT (SELECT count(*) FROM mail.occurrence), (SELECT count(*) FROM mail.thread),"
                " (SELECT count(*) FROM mail.chunk), (SELECT count(*) FROM mail.index_state WHERE name = 'graph')"
            ).fetchone()
        assert row is not None
        return "{} copies, {} threads, {} chunks, {} graph were there".format(*row)

    def _state(self, store: str) -> dict[str, Any]:
        with open_store(store, home=self._home) as opened:
            state: dict[str, Any] = dict(snapshot(opened))
            with opened.owner() as conn:
                assert check(conn) == []
                assert check_graph(conn) == []
                state["graph"] = conn.execute("SELECT counts FROM mail.index_state WHERE name = 'graph'").fetchall()
        return state


def made_up(folder: Path, messages: int = 600) -> Path:
    """A mailbox with copies, quotations, conversations and attachments."""
    mails = [
        mail(
            f"Report {n % (messages // 4)} on the quay.\n\nAll is well." + (QUOTED.format(n % 6) if n % 5 == 0 else ""),
            id_=f"{n}@x", hours=n, sender=f"P{n % 19} <p{n % 19}@org{n % 4}.example>",
            headers=f"In-Reply-To: <{n - 1}@x>" if n % 3 else "",
        )
        for n in range(messages)
    ]  # fmt: skip
    for part in range(3):
        mbox(folder / f"{part}.mbox", mails[part::3])
    (folder / "single").mkdir()
    for n in range(0, messages, 10):
        (folder / "single" / f"{n}.eml").write_bytes(mails[n])
    return folder


if __name__ == "__main__":
    main()
