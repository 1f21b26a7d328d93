"""Answers being written: one after the other, beside the page, each with a Stop.

A rerun of the page must neither start an answer again nor lose one, so an answer is a job of the server process that
the page looks at. The model does one thing at a time, so the jobs wait in a queue.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Literal

from retrieval.result import ColumnResult
from retrieval.types import QueryError

KEPT = 200


@dataclass
class Job:
    """One answer. ``text`` grows while it runs; ``column`` holds the whole when it is done, ``error`` why it failed."""

    write: Callable[[Job], None] = field(repr=False)
    state: Literal["waiting", "running", "done", "stopped", "failed"] = "waiting"
    text: str = ""
    column: ColumnResult | None = None
    error: QueryError | None = None
    stopping: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def ended(self) -> bool:
        """Nothing more will come."""
        return self.state in ("done", "stopped", "failed")

    def stop(self) -> None:
        """Ends it at the next word, or takes it out of the queue."""
        self.stopping.set()
        if self.state == "waiting":
            self.state = "stopped"


class Answers:
    """The answers of one server process, by what was asked."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._queue: SimpleQueue[Job] = SimpleQueue()
        self._guard = threading.Lock()
        threading.Thread(target=self._work, daemon=True, name="answers").start()

    def ask(self, key: Hashable, write: Callable[[Job], None]) -> Job:
        """The job for ``key``, put in the queue. A failed or stopped one is begun anew, a running one is given back.

        ``write`` runs in another thread: it fills the job, and looks at ``job.stopping``.
        """
        with self._guard:
            job = self._jobs.get(key)
            if job is None or job.state in ("failed", "stopped"):
                job = self._jobs[key] = Job(write)
                self._queue.put(job)
            self._jobs.move_to_end(key)
            while len(self._jobs) > KEPT:
                self._jobs.popitem(last=False)[1].stop()
            return job

    def look(self, key: Hashable) -> Job | None:
        """The job for ``key``, if it was ever asked."""
        return self._jobs.get(key)

    def _work(self) -> None:
        from retrieval.errors import as_query_error

        while True:
            job = self._queue.get()
            if job.stopping.is_set():
                job.state = "stopped"
                continue
            job.state = "running"
            try:
                job.write(job)
                job.state = "stopped" if job.stopping.is_set() else "done"
            except Exception as error:  # shown in its column; the next answer is written all the same
                stopped = job.stopping.is_set()
                job.error = None if stopped else as_query_error(error)
                job.state = "stopped" if stopped else "failed"
