"""Kills with SIGKILL at random moments, runs the same again, and compares with a run that nobody disturbed.

Hit are the program (with or without its workers), the whole server, or one process of it, which makes Postgres throw
out everybody and recover. After a kill of the server the program has to end by itself, with a named error.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from sql import embedded
from sql.store import drop_store, open_store
from tests.chaos.jobs import JOBS, PREPARE, state

ROOT = Path(__file__).parents[2]
VICTIMS = ("program", "program and workers", "server", "server process")
# a program whose server has gone ends within
PATIENCE = 180.0


class Kills:
    """Kills one job again and again. ``seconds``: how long an undisturbed run takes."""

    def __init__(self, job: str, home: Path, mail: Path, seed: int) -> None:
        self.job, self._home, self._mail = job, home, mail
        self._chance = random.Random(seed)
        self._new("calm")
        self.seconds = max(0.3, self._run(job, "calm"))
        self._expected = self._state("calm")
        drop_store("calm", home=home)

    def once(self, victim: str) -> str:
        """One kill and the run after it; says what was hit when. Raises AssertionError for a difference."""
        self._new("hurt")
        moment = self._chance.uniform(0.0, self.seconds)
        said = self._kill(victim, moment)
        self._run(self.job, "hurt")
        found = self._state("hurt")
        for part, rows in self._expected.items():
            assert found[part] == rows, f"{part} differ after a kill of the {victim} at {moment:.2f} s"
        return f"{self.job}: {victim} at {moment:.2f} of {self.seconds:.2f} s{said}"

    def _new(self, store: str) -> None:
        embedded.start(self._home).revive()
        drop_store(store, home=self._home)
        for job in PREPARE[self.job]:
            self._run(job, store)

    def _start(self, job: str, store: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.chaos.jobs", job, store, str(self._home), str(self._mail)]
        child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert child.stdout is not None
        first = child.stdout.readline()
        assert first == "begins\n", first + (child.communicate()[1] or "")
        return child

    def _run(self, job: str, store: str) -> float:
        child = self._start(job, store)
        started = time.monotonic()
        out, err = child.communicate()
        assert child.returncode == 0, f"{job} failed: {out}{err}"
        return time.monotonic() - started

    def _kill(self, victim: str, moment: float) -> str:
        child = self._start(self.job, "hurt")
        time.sleep(moment)
        if child.poll() is not None:
            child.communicate()
            return " (it had ended)"
        if victim.startswith("program"):
            hit: list[subprocess.Popen[str] | psutil.Process] = [child]
            hit += psutil.Process(child.pid).children(recursive=True) if victim.endswith("workers") else []
            for process in hit:
                process.kill()
            child.communicate()
            return ""
        postmaster = psutil.Process(int((self._home / "postgres" / "postmaster.pid").read_text().split()[0]))
        processes = postmaster.children()
        os.kill(self._chance.choice(processes).pid if victim == "server process" else postmaster.pid, signal.SIGKILL)
        out, err = child.communicate(timeout=PATIENCE)
        assert child.returncode == 0 or out.strip(), f"it ended with a fault of its own:\n{err[-3000:]}"
        return f" ({out.strip().split(':')[0] or 'it went on'})"

    def _state(self, store: str) -> dict[str, Any]:
        with open_store(store, home=self._home) as opened:
            return state(opened)


def all_jobs() -> list[str]:
    """In the order of a person's day."""
    return list(JOBS)
