"""Parsing on all cores, in order, with flat memory.

Raw messages are read in this process, cut into parcels and parsed by worker processes; only a few parcels are under
way at once, so that memory does not grow with the mailbox. Results come back in the order of reading, which is what
lets a checkpoint be one number. A message that the parser cannot handle comes back as Unreadable. When a worker dies
(a fault in a library, out of memory), its parcel is parsed again one message at a time, so that only the message that
kills a worker goes to the ledger.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain

from ingest.errors import WorkersCannotStart
from ingest.parse import parse
from ingest.rows import Row, row_of
from ingest.types import RawMessage, Unreadable

Piece = RawMessage | Unreadable
Parsed = Row | Unreadable
Parcel = list[tuple[int, Piece]]

PARCEL_MESSAGES = 64
PARCEL_BYTES = 1_000_000
UNDER_WAY_BYTES = 8_000_000
# Below this much mail, starting workers costs more than it saves.
ALONE_BYTES = 1_500_000


def parse_all(reading: Iterable[tuple[int, Piece]], jobs: int | None = None) -> Iterator[tuple[int, int, Parsed]]:
    """Parse pieces that come with the number of their source, in order: (source, bytes, the message's row).

    ``jobs``: worker processes, by default one for each core; 1 parses in this process.
    """
    jobs = jobs or _cores()
    parcels = _parcels(reading)
    first: list[Parcel] = []
    while sum(_bytes(piece) for parcel in first for _, piece in parcel) < ALONE_BYTES:
        parcel = next(parcels, None)
        if parcel is None:
            jobs = 1
            break
        first.append(parcel)
    parcels = chain(first, parcels)
    for parcel, parsed in _here(parcels) if jobs == 1 else _with_workers(parcels, jobs):
        for (source, piece), message in zip(parcel, parsed, strict=True):
            yield source, _bytes(piece), message


def _here(parcels: Iterator[Parcel]) -> Iterator[tuple[Parcel, list[Parsed]]]:
    for parcel in parcels:
        yield parcel, _parse_parcel(parcel)


def _with_workers(parcels: Iterator[Parcel], jobs: int) -> Iterator[tuple[Parcel, list[Parsed]]]:
    pool = _pool(jobs)
    under_way: deque[tuple[Parcel, Future[list[Parsed]]]] = deque()
    try:
        while True:
            while _has_room(under_way, jobs) and (next_parcel := next(parcels, None)) is not None:
                under_way.append((next_parcel, pool.submit(_parse_parcel, next_parcel)))
            if not under_way:
                return
            parcel, future = under_way.popleft()
            try:
                parsed = future.result()
            except BrokenProcessPool:
                # every parcel under way is lost with the pool, although only one of them is to blame
                pool.shutdown(wait=True)
                _check_that_workers_start()
                parsed = _one_by_one(parcel)
                pool = _pool(jobs)
                under_way = deque((p, pool.submit(_parse_parcel, p)) for p, _ in under_way)
            yield parcel, parsed
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _has_room(under_way: Iterable[tuple[Parcel, object]], jobs: int) -> bool:
    """Whether another parcel may be read: enough to keep the workers busy, not so much that large messages add up."""
    sizes = [sum(_bytes(piece) for _, piece in parcel) for parcel, _ in under_way]
    return not sizes or (len(sizes) < 2 * jobs and sum(sizes) < UNDER_WAY_BYTES)


def _check_that_workers_start() -> None:
    """No message is to blame when a worker dies of nothing at all. Raises WorkersCannotStart."""
    with _pool(1) as pool:
        try:
            pool.submit(_parse_parcel, []).result()
        except BrokenProcessPool:
            raise WorkersCannotStart(
                "Processes that parse mail cannot be started here (too little memory, or a program without a file of "
                "its own). Nothing was taken for unreadable; try again with --jobs 1."
            ) from None


def _one_by_one(parcel: Parcel) -> list[Parsed]:
    """Parse each message of a parcel in a process that may die of it."""
    parsed: list[Parsed] = []
    pool = _pool(1)
    try:
        for source, piece in parcel:
            try:
                parsed += pool.submit(_parse_parcel, [(source, piece)]).result()
            except BrokenProcessPool:
                pool.shutdown(wait=True)
                pool = _pool(1)
                detail = "The parser's process ended while it read this message."
                parsed.append(Unreadable(piece.key, "ParserDied", detail, piece.offset, piece.length))
    finally:
        pool.shutdown(wait=True)
    return parsed


def _pool(jobs: int) -> ProcessPoolExecutor:
    # spawn: this process holds database connections and threads, which a forked child must not inherit
    context = multiprocessing.get_context("spawn")
    # Ctrl-C reaches every process of a terminal; this one decides what it means
    return ProcessPoolExecutor(jobs, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))


def _parse_parcel(parcel: Parcel) -> list[Parsed]:
    return [_parse(piece) for _, piece in parcel]


def _parse(piece: Piece) -> Parsed:
    if isinstance(piece, Unreadable):
        return piece
    try:
        return row_of(parse(piece))
    except Exception as error:  # whatever a hostile message provokes: it goes to the ledger with its reason
        detail = f"{type(error).__name__}: {error}"[:500].replace("\x00", "\N{REPLACEMENT CHARACTER}")
        detail = detail.encode("utf-8", "replace").decode()
        return Unreadable(piece.key, type(error).__name__, detail, piece.offset, piece.length)


def _parcels(reading: Iterable[tuple[int, Piece]]) -> Iterator[Parcel]:
    parcel: Parcel = []
    size = 0
    for source, piece in reading:
        parcel.append((source, piece))
        size += _bytes(piece)
        if len(parcel) >= PARCEL_MESSAGES or size >= PARCEL_BYTES:
            yield parcel
            parcel, size = [], 0
    if parcel:
        yield parcel


def _bytes(piece: Piece) -> int:
    return len(piece.data) if isinstance(piece, RawMessage) else 0


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
