"""A statement's last deadline, kept by this side: some work of the server hears no time-out.

``statement_timeout`` is looked at between the server's steps. One call that fills a gigabyte, or the planner taking a
formula apart that doubles at every line, is a single step and may last many times the limit. Half a second after it
the connection is given up here: who asked gets the answer "too long", and the server's process, whose memory is
bounded, ends by itself when it next looks at its connection.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

GRACE = 0.5


@contextmanager
def deadline(conn: psycopg.Connection[Any], seconds: float) -> Iterator[None]:
    """Gives ``conn`` up when the block is not done ``seconds`` and a little after; the server's own time-out of
    ``seconds`` should come first. Raises psycopg.errors.QueryCanceled then, and leaves the connection closed."""
    passed = threading.Event()

    def give_up() -> None:
        passed.set()
        # a copy of the descriptor: the driver's own stays valid until the driver closes it
        with socket.socket(fileno=os.dup(conn.fileno())) as copy:
            copy.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds + GRACE, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    except psycopg.OperationalError:
        if not passed.is_set():
            raise
        conn.close()
        raise psycopg.errors.QueryCanceled(f"stopped: the server did not end it within {seconds:g} seconds") from None
    finally:
        timer.cancel()
