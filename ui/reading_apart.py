"""Reads mail in a process of its own, on behalf of the page, which goes on answering meanwhile.

The process is started as a command is, since workers that parse mail begin by running their parent's main module, and
that of a page's process is the page. It is told what to do on its standard input and tells where it is on its standard
output, a JSON object a line. An interrupt ends it after a batch, as Ctrl-C ends the command.
"""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from ingest.progress import Progress
from ui.errors import ReadingFailed

BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from ui.reading_apart import main; main()"
ROOT = str(Path(__file__).parents[1])
TELL_EVERY = 0.2


def read_apart(
    store: str, dsn: str | None, home: Path, paths: Sequence[Path], owner: Sequence[str], mailbox: str, *,
    progress: Progress, stopped: Callable[[], bool],
) -> list[str]:  # fmt: skip
    """Reads ``paths`` (none: the known sources again) into ``store`` and builds the graph; as ``ui.reading.read_mail``,
    whose words it returns. Raises ReadingFailed."""
    # Own session: Ctrl-C is for the page, which asks for the end of it. -P: not a json.py of the current directory.
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", BOOT, ROOT],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    job = {"store": store, "dsn": dsn, "home": str(home), "paths": [str(path) for path in paths],
           "owner": list(owner), "mailbox": mailbox}  # fmt: skip
    with process.stdin as given:
        json.dump(job, given)
    told: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_listen, args=(process.stdout, told), daemon=True).start()
    interrupted = False
    while True:
        if stopped() and not interrupted:
            interrupted = True
            process.send_signal(signal.SIGINT)
        try:
            line = told.get(timeout=TELL_EVERY)
        except queue.Empty:
            continue
        if line is None:
            raise ReadingFailed(f"The process that reads mail ended with code {process.wait()}. Read again to go on.")
        match json.loads(line):
            case {"step": [name, total, unit]}:
                progress.step(name, total, unit)
            case {"advance": n}:
                progress.advance(n)
            case {"failed": text}:
                process.wait()
                raise ReadingFailed(text)
            case {"done": lines}:
                process.wait()
                return list(lines)


def main() -> None:
    """The process itself."""
    from sql.store import open_store
    from ui.reading import read_mail, stop_on_interrupt

    with stop_on_interrupt() as stopped:
        job = json.load(sys.stdin)
        try:
            with open_store(job["store"], dsn=job["dsn"], home=Path(job["home"])) as store:
                result = read_mail(
                    store, [Path(path) for path in job["paths"]], owner=job["owner"], mailbox=job["mailbox"],
                    progress=_Told(), stopped=stopped,
                )  # fmt: skip
        except Exception as error:  # told to the page, which shows it
            _tell({"failed": f"{type(error).__name__}: {error}"})
            return
    _tell({"done": result.words()})


class _Told:
    """Tells the other process where the job is, some times a second."""

    def __init__(self) -> None:
        self._done, self._at = 0, 0.0

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        """A new step begins."""
        self._done = 0
        _tell({"step": [name, total, unit]})

    def advance(self, n: int = 1) -> None:
        """``n`` more units are done."""
        self._done += n
        if time.monotonic() - self._at > TELL_EVERY:
            _tell({"advance": self._done})
            self._done, self._at = 0, time.monotonic()


def _tell(what: dict[str, object]) -> None:
    print(json.dumps(what), flush=True)


def _listen(lines: IO[str], told: queue.Queue[str | None]) -> None:
    for line in lines:
        told.put(line)
    told.put(None)
