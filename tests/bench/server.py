"""Time as a figure: the wall clock of a call, and the server's processor time for it.

The processor time stays the same on a machine that does other things as well. It is that of the session's process and
of the parallel workers that it had, which end with each query and are then counted with the server's ended children.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil
import psycopg

RUNS = 15


@dataclass(frozen=True)
class Times:
    """Milliseconds: of each call, and of the server's processors in the mean."""

    wall: list[float]
    cpu: float

    @property
    def median(self) -> float:
        """The middle of the calls."""
        return statistics.median(self.wall)

    @property
    def p95(self) -> float:
        """The time that 19 of 20 calls stay below."""
        ordered = sorted(self.wall)
        return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def timed(conn: psycopg.Connection[Any], call: Callable[[], object], runs: int = RUNS) -> Times:
    """The times of some calls, after one to warm up."""
    call()
    before = cpu_seconds(conn)
    wall = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        wall.append((time.perf_counter() - started) * 1000)
    return Times(wall, (cpu_seconds(conn) - before) * 1000 / runs)


def cpu_seconds(conn: psycopg.Connection[Any]) -> float:
    """Processor time of the session of ``conn`` and of all processes of the server that have ended."""
    session = psutil.Process(conn.info.backend_pid)
    server = session.parent()
    assert server is not None
    own, ended = session.cpu_times(), server.cpu_times()
    return own.user + own.system + ended.children_user + ended.children_system


def server_cpu_seconds(conn: psycopg.Connection[Any]) -> float:
    """Processor time of all processes of the server, running and ended: for calls with connections of their own."""
    server = psutil.Process(conn.info.backend_pid).parent()
    assert server is not None
    times = server.cpu_times()
    total = times.children_user + times.children_system
    for process in server.children():
        try:
            of = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += of.user + of.system
    return total


def memory(conn: psycopg.Connection[Any]) -> int:
    """Bytes of all processes of the server, memory that they share counted once (proportional set size)."""
    server = psutil.Process(conn.info.backend_pid).parent()
    assert server is not None
    return sum(process.memory_full_info().pss for process in (server, *server.children()))
