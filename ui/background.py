"""What goes on while the page is open already: the model engine is installed, models are fetched, chunks embedded.

A first look must not wait for a gigabyte. Two lanes run beside each other, since one waits for the network and the
other for the processor: engine, embedding model, vectors; and the chat model. One program at a time does this for a
data directory (a lock file); what it is doing stands in a small file there, so that ``mailweave status`` in another
window can tell. That file holds names and numbers, never anything of a mail.
"""

from __future__ import annotations

import fcntl
import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Literal

VECTORS = "vectors"  # what the task is called that embeds
LOCK, STATE = "background.lock", "background.json"
WRITE_EVERY = 0.5
ENGINE = ("llama-cpp-python>=0.3.16", "gguf>=0.17", "safetensors>=0.5")
# In a checkout the versions are locked, with hashes.
LOCKED = Path(__file__).parents[1] / "requirements" / "models.txt"
_OF = re.compile(r"\[(\d+)/(\d+)\]")


@dataclass
class Task:
    """One thing to be done. ``total`` 0: not known. ``words``: what is being done, or why it failed."""

    name: str
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    done: int = 0
    total: int = 0
    unit: str = ""
    words: str = ""
    started: float = 0.0
    run: Callable[[Task], None] | None = field(default=None, repr=False, compare=False)

    def line(self) -> str:
        """Where it is, in words."""
        if self.state in ("failed", "waiting") or (self.state == "running" and not self.total):
            since = f", {int(time.time() - self.started) // 60} min so far" if self.state == "running" else ""
            return f"{self.state}{': ' + self.words if self.words else ''}{since}"
        if self.state == "done":
            return "done"
        if self.unit == "bytes":
            return f"{self.done / 1e6:,.0f} of {self.total / 1e6:,.0f} MB, {self.words}"
        return f"{self.done:,} of {self.total:,} {self.unit} {self.words}".rstrip()

    def as_json(self) -> dict[str, object]:
        """For the state file and ``mailweave status --json``."""
        values = asdict(self)
        del values["run"]
        return values


class Stopped(Exception):
    """Raised inside a task that was asked to end."""


class Background:
    """The lanes of one program over one data directory."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._tasks: list[Task] = []
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._teller: threading.Thread | None = None
        self._lock_file: IO[str] | None = None

    def start(self, lanes: Sequence[Sequence[Task]]) -> bool:
        """Begins the lanes, each in a thread of its own. False when another program does this in the same place."""
        if self._teller is not None and not self._alive():
            self._teller.join(2 * WRITE_EVERY)  # it gives the lock back
        self._home.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (self._home / LOCK).open("a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return False
        self._lock_file = lock
        self._stop.clear()
        self._tasks = [task for lane in lanes for task in lane]
        self._threads = [threading.Thread(target=self._work, args=(lane,), daemon=True) for lane in lanes if lane]
        for thread in self._threads:
            thread.start()
        self._teller = threading.Thread(target=self._tell, daemon=True)
        self._teller.start()
        return True

    def tasks(self) -> list[Task]:
        """What is being done, also when another program does it; else what was done last."""
        mine = list(self._tasks)
        return mine if self._lock_file is not None else tasks_elsewhere(self._home) or mine

    @property
    def busy(self) -> bool:
        """Whether anything is being done, here or by another program."""
        return self._alive() or (self._lock_file is None and bool(tasks_elsewhere(self._home)))

    def stopping(self) -> bool:
        """Asked by long jobs."""
        return self._stop.is_set()

    @property
    def here(self) -> bool:
        """Whether it is this program that does it, so that it can be stopped."""
        return self._alive()

    def halt(self) -> None:
        """Asks all lanes to end where what was done is kept: at the end of a batch, of a piece of a file."""
        self._stop.set()

    def stop(self, seconds: float = 5.0) -> None:
        """The same, and waits a little."""
        self.halt()
        for thread in self._threads:
            thread.join(seconds)

    def report(self, task: Task, done: int, total: int, words: str = "") -> None:
        """Where ``task`` is. Raises :class:`Stopped` when it was asked to end."""
        if self.stopping():
            raise Stopped
        task.done, task.total, task.words = done, total, words

    def _alive(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def _work(self, lane: Sequence[Task]) -> None:
        for task in lane:
            if self.stopping():
                return
            assert task.run is not None
            task.state, task.started = "running", time.time()
            try:
                task.run(task)
                task.state, task.words = "done", ""
            except Stopped:
                task.state, task.words = "waiting", "stopped; goes on from here at the next start"
                return
            except Exception as error:  # shown in the page; the other lane goes on
                task.state, task.words = "failed", str(error) or type(error).__name__
                return

    def _tell(self) -> None:
        """Writes the state file until all lanes are done, then lets another program begin."""
        while any(thread.is_alive() for thread in self._threads):
            self._write()
            time.sleep(WRITE_EVERY)
        self._write()
        if self._lock_file is not None:
            self._lock_file.close()  # which gives the lock back
            self._lock_file = None

    def _write(self) -> None:
        new = (self._home / STATE).with_suffix(".new")
        new.write_text(json.dumps({"process": os.getpid(), "tasks": [task.as_json() for task in self._tasks]}))
        new.replace(self._home / STATE)


def tasks_elsewhere(home: Path) -> list[Task]:
    """What another program is doing in the background for this data directory; empty when there is none."""
    try:
        with (home / LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            fcntl.flock(lock, fcntl.LOCK_UN)
            return []
    except BlockingIOError:
        pass
    except OSError:
        return []
    try:
        return [Task(**values) for values in json.loads((home / STATE).read_text())["tasks"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def engine_present() -> bool:
    """Whether local models can run here."""
    importlib.invalidate_caches()
    return importlib.util.find_spec("llama_cpp") is not None


def install_engine(task: Task, background: Background) -> None:
    """Installs the engine for local models into this environment; it is compiled, which takes minutes.

    Raises RuntimeError with the last lines of the installer when it fails.
    """
    if engine_present():
        return
    program = _installer()
    last: list[str] = []
    what = ("--require-hashes", "-r", str(LOCKED)) if LOCKED.is_file() else ENGINE
    gently = ["nice", "-n", "10"] if shutil.which("nice") else []  # the page comes first
    process = subprocess.Popen(
        [*gently, *program, *what], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            last = [*last[-14:], line.rstrip()]
            step = _OF.search(line)
            done, total = (int(step[1]), int(step[2])) if step else (task.done, task.total)
            background.report(task, done, total, "compiling" if total else "preparing")
    except Stopped:
        process.terminate()
        raise
    if process.wait() != 0:
        reason = next((line for line in reversed(last) if "error" in line.lower()), last[-1] if last else "no output")
        raise RuntimeError(
            f"The model engine could not be installed ({reason.strip()[:200]}). mailweave doctor says what is missing; "
            "an OpenAI-compatible address as the model needs no engine."
        )


def _installer() -> list[str]:
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "-v"]
    if uv := shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv"):
        return [uv, "pip", "install", "--python", sys.executable, "-v"]
    raise RuntimeError(
        "Neither pip nor uv is here to install the model engine with. Install pip into this environment."
    )
