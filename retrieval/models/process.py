"""The parent's end of a worker process: starting it, handing it requests, noticing that it died.

Each request has its own queue of replies, filled by one thread per worker, so any number of threads (a page's, a
command's) may ask at once; the worker works the requests off in order. A request that was being served when the worker
died fails with ModelCrashed; those that waited behind it go to a new worker and notice nothing. The same rule covers a
worker that ended because it was idle.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from retrieval.models import errors
from retrieval.models.errors import ModelCancelled, ModelCrashed, ModelEngineMissing, ModelError, ModelTimeout

IDLE_SECONDS = 900.0
SILENCE_SECONDS = 300.0
"""A prompt of 8,000 tokens takes a slow machine two minutes; a worker that is silent for longer hangs."""
LOAD_SECONDS = 120.0
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from retrieval.models.worker import main; main({}, {})"
ROOT = str(Path(__file__).parents[2])

Reply = dict[str, Any]


class WorkerProcess:
    """One model's worker; started at the first request and again after it died. For use by several threads."""

    def __init__(self, options: Mapping[str, object], *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._options = {**options, "idle_seconds": idle_seconds}
        self._starting = threading.Lock()
        self._running: _Running | None = None

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        running = self._running
        return running.process.pid if running and running.alive else None

    def facts(self) -> Mapping[str, int]:
        """What the loaded model says of itself; starts the worker when it does not run. Raises ModelError."""
        return self._start().wait_until_loaded()

    @property
    def known_facts(self) -> Mapping[str, int]:
        """The same, empty while no model is loaded."""
        return self._running.facts if self._running is not None else {}

    def ask(self, request: Mapping[str, object], stop: threading.Event | None = None) -> Reply:
        """The last reply to a request that has one. Raises like `stream`."""
        *_, last = self.stream(request, stop)
        return last

    def stream(self, request: Mapping[str, object], stop: threading.Event | None = None) -> Iterator[Reply]:
        """Replies as they come: `{text}` and at last `{done}` (with `raw` for vectors).

        Raises ModelCancelled as soon as `stop` is set, ModelCrashed, ModelTimeout, or the worker's own ModelError.
        Leaving the iterator early cancels the request.
        """
        for attempt in range(3):
            running = self._start()
            try:
                yield from running.exchange(request, stop)
                return
            except _NotBegun:
                if attempt == 2:
                    raise ModelCrashed(f"The model's worker ends before it answers. {running.last_words()}") from None

    def close(self) -> None:
        """End the worker. A later request starts it again."""
        with self._starting:
            if self._running is not None:
                self._running.end()
                self._running = None

    def _start(self) -> _Running:
        with self._starting:
            if self._running is None or not self._running.alive:
                if self._running is not None:
                    self._running.end()
                self._running = _Running(self._options)
            return self._running


class _NotBegun(Exception):
    """The worker died before it began to serve this request."""


class _Running:
    """A worker process that runs, or ran."""

    def __init__(self, options: Mapping[str, object]) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the process)
        requests_in, requests_out = os.pipe()
        replies_in, replies_out = os.pipe()
        try:
            self.process = subprocess.Popen(
                # -P: a json.py in the current directory must not be imported. Own session: Ctrl-C is for the parent.
                [sys.executable, "-P", "-c", BOOT.format(requests_in, replies_out), ROOT],
                stdin=subprocess.DEVNULL,
                stdout=self._errors,
                stderr=self._errors,
                pass_fds=(requests_in, replies_out),
                start_new_session=True,
            )
        finally:
            os.close(requests_in)
            os.close(replies_out)
        self._requests = Connection(requests_out, readable=False)
        self._replies = Connection(replies_in, writable=False)
        self._sending = threading.Lock()
        self._pending: dict[int, queue.SimpleQueue[Reply | None]] = {}
        self._numbers = itertools.count(1)
        self.alive, self.facts = True, dict[str, int]()
        self._loaded = threading.Event()
        self._failure: tuple[str, str] | None = None
        self._started = time.monotonic()
        self._send(options)
        threading.Thread(target=self._listen, name="model replies", daemon=True).start()

    def exchange(self, request: Mapping[str, object], stop: threading.Event | None) -> Iterator[Reply]:
        """Send a request and yield its replies."""
        number, replies = next(self._numbers), queue.SimpleQueue[Reply | None]()
        self._pending[number] = replies
        finished, begun, heard = False, False, time.monotonic()
        try:
            self._send({**request, "id": number})
            while not finished:
                if stop is not None and stop.is_set():
                    raise ModelCancelled
                try:
                    reply = replies.get(timeout=0.02 if stop is not None else 1.0)
                except queue.Empty:
                    if not self.alive:
                        reply = None
                    elif not self._loaded.is_set():
                        self._check_loading_time()
                        continue
                    elif begun and time.monotonic() - heard > SILENCE_SECONDS:
                        self.end()
                        raise ModelTimeout(
                            f"The model said nothing for {SILENCE_SECONDS:.0f} seconds and was ended. Ask again, with "
                            "less text, or choose a smaller model."
                        ) from None
                    else:
                        continue
                if reply is None:
                    finished = True
                    self._raise_if_not_loaded()
                    if not begun:
                        raise _NotBegun
                    raise ModelCrashed(f"The model's process died while it worked on this. {self.last_words()}")
                heard = time.monotonic()
                if "begun" in reply:
                    begun = True
                elif "error" in reply:
                    finished = True
                    raise _as_error(reply["error"], reply["message"])
                else:
                    finished = "done" in reply
                    yield reply
        finally:
            self._pending.pop(number, None)
            if not finished:
                self._send({"cancel": number})

    def end(self) -> None:
        """End the process; it notices that its pipe is closed, and is killed if it does not."""
        self.alive = False
        with self._sending:
            self._requests.close()
        try:
            self.process.wait(2.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def last_words(self) -> str:
        """What the process wrote before it died, and what to do."""
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors.read()[-4000:].decode("utf-8", "replace").splitlines()]
        said = " / ".join([line for line in lines if line][-3:])
        return f"Ask again; if it happens again, choose a smaller model.{f' It said: {said}' if said else ''}"

    def wait_until_loaded(self) -> Mapping[str, int]:
        """What the model says of itself. Raises ModelTimeout, ModelCrashed or the error that loading ended with."""
        while not self._loaded.wait(1.0):
            self._check_loading_time()
        self._raise_if_not_loaded()
        return self.facts

    def _check_loading_time(self) -> None:
        if time.monotonic() - self._started > LOAD_SECONDS:
            self.end()
            raise ModelTimeout(f"The model was not loaded within {LOAD_SECONDS:.0f} seconds. Choose a smaller one.")

    def _raise_if_not_loaded(self) -> None:
        if self._failure is not None:
            raise _as_error(*self._failure)
        if not self.facts:
            raise ModelCrashed(f"The model's process died while it loaded the model. {self.last_words()}")

    def _listen(self) -> None:
        """Hand out replies until the process is gone, then tell everybody who still waits."""
        try:
            while True:
                if not self._replies.poll(1.0):
                    # A process forked from this one may hold the other end open, so the pipe alone does not tell.
                    if self.process.poll() is not None:
                        break
                    continue
                reply = json.loads(self._replies.recv_bytes())
                if "ready" in reply:
                    self.facts = reply["ready"]
                    self._loaded.set()
                elif "failed" in reply:
                    self._failure = (reply["failed"], reply["message"])
                    break
                else:
                    if "shape" in reply.get("done", ()):
                        reply["raw"] = self._replies.recv_bytes()
                    if waiting := self._pending.get(reply["id"]):
                        waiting.put(reply)
        except (EOFError, OSError):
            pass
        self.alive = False
        self._loaded.set()
        for waiting in list(self._pending.values()):
            waiting.put(None)
        self._replies.close()
        self.process.wait()

    def _send(self, message: Mapping[str, object]) -> None:
        with self._sending:
            with contextlib.suppress(OSError):  # it is dead; the thread that listens says so to whoever waits
                self._requests.send_bytes(json.dumps(message).encode())


def _as_error(name: str, message: str) -> ModelError:
    """The error that the worker named."""
    kind = getattr(errors, name, None)
    if kind is ModelCancelled:
        return ModelCancelled()
    if name in ("ImportError", "ModuleNotFoundError"):
        return ModelEngineMissing()
    if isinstance(kind, type) and issubclass(kind, ModelError):
        return kind(message)
    return ModelCrashed(f"The model failed with {name}: {message}. Ask again; if it stays, choose another model.")
