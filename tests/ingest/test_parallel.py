"""Parsing in worker processes: in order, and one bad message costs only itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest import parallel
from ingest.parallel import parse_all
from ingest.rows import Row
from ingest.types import RawMessage, Unreadable
from tests.ingest.mailboxes import mail

ROOT = Path(__file__).parents[2]


class Deadly(bytes):
    """Bytes that end the process that receives them, as a fault in a library would."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (3,)


def raw(n: int, data: bytes | None = None) -> RawMessage:
    return RawMessage(str(n), data or mail(f"Number {n}.", id_=f"{n}@x"), offset=n * 10, length=10)


def test_results_come_in_the_order_of_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ALONE_BYTES", 1)
    monkeypatch.setattr(parallel, "PARCEL_MESSAGES", 7)
    pieces = [(n % 3, raw(n)) for n in range(60)]
    found = list(parse_all(iter(pieces), jobs=2))
    assert [(source, message.key) for source, _, message in found] == [(n % 3, str(n)) for n in range(60)]
    assert all(isinstance(message, Row) for _, _, message in found)
    assert found == list(parse_all(iter(pieces), jobs=1))


def test_a_piece_that_is_no_message_passes_through() -> None:
    hole = Unreadable("k", "UnreadableMessage", "nothing here")
    assert list(parse_all(iter([(1, hole)]))) == [(1, 0, hole)]


def test_what_the_parser_cannot_do_goes_to_the_ledger() -> None:
    ((_, _, found),) = parse_all(iter([(1, raw(1, b"\n\n"))]))
    assert isinstance(found, Unreadable)
    assert (found.error, found.offset, found.length) == ("UnreadableMessage", 10, 10)


def test_a_worker_that_dies_takes_only_the_message_it_died_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ALONE_BYTES", 1)
    monkeypatch.setattr(parallel, "PARCEL_MESSAGES", 4)
    pieces = [(1, raw(n, Deadly(b"x") if n == 5 else None)) for n in range(12)]
    found = [message for _, _, message in parse_all(iter(pieces), jobs=2)]
    assert [message.key for message in found] == [str(n) for n in range(12)]
    assert [message.key for message in found if isinstance(message, Unreadable)] == ["5"]


def test_only_a_few_parcels_are_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ALONE_BYTES", 1)
    monkeypatch.setattr(parallel, "PARCEL_MESSAGES", 5)
    read = 0

    def reading() -> Iterator[tuple[int, RawMessage]]:
        nonlocal read
        for n in range(200):
            read += 1
            yield 1, raw(n)

    results = parse_all(reading(), jobs=2)
    next(results)
    assert read <= 5 * (2 * 2 + 1)
    results.close()  # type: ignore[attr-defined]


PROGRAM_WITHOUT_A_FILE = """
from ingest.errors import WorkersCannotStart
from ingest.parallel import parse_all
from ingest.types import RawMessage

pieces = [(1, RawMessage(str(n), b"Subject: x\\n\\n" + b"word " * 60_000)) for n in range(12)]
try:
    list(parse_all(pieces, jobs=2))
except WorkersCannotStart as error:
    print(error)
"""


def test_workers_that_cannot_start_are_an_error_and_make_no_message_unreadable() -> None:
    done = subprocess.run([sys.executable, "-"], input=PROGRAM_WITHOUT_A_FILE, capture_output=True, text=True, cwd=ROOT)
    assert "--jobs 1" in done.stdout, done.stderr[-500:]
