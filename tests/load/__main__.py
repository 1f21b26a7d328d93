"""Load on the functions behind the page: python -m tests.load [--minutes 30] [--size 300000] [--askers 8] [--keep DIR]

A store of made-up mail is filled (or taken with --store and --home). First one asker is alone: the median of its times
is the measure. Then several ask in threads of one process, as visitors of the page do, each with a pause between two
questions in which a person reads (``--pause``, in seconds in the mean; 0: none at all, which measures how much the
machine can do). Every question goes through planning, linking, retrieval and facts of two columns, without a model.

Exits with 1 for an error, a 95th percentile above twice the median of a single asker, or memory that grows.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from graph import build, current
from retrieval.ask import ask
from sql import embedded
from sql.store import Store, open_store
from tests.bench import bench_search
from tests.bench.made_up_mail import fill
from tests.bench.server import memory
from ui import messages

COLUMNS = ("lexical", "graph")
ALONE = 240
MONTHS = ("January", "March", "May", "August", "October", "December")
QUESTIONS: tuple[Callable[[random.Random], str], ...] = (
    lambda r: f"Who wrote to Person {r.randrange(1, 400)} most?",
    lambda r: (
        f"How many messages did Person {r.randrange(1, 400)} send in {r.choice(MONTHS)} {r.choice((2000, 2001))}?"
    ),
    lambda r: f"Messages from Person {r.randrange(1, 400)} to Person {r.randrange(1, 400)}",
    lambda r: f"Which messages mention word{r.randrange(20_000)}?",
    lambda r: f"Who at org{r.randrange(1, 200)}.example writes most?",
    lambda r: f"When did Person {r.randrange(1, 400)} first write?",
    lambda r: f"What was said about word{r.randrange(2000)} and word{r.randrange(2000)}?",
    lambda r: f"Threads with Person {r.randrange(1, 400)} and Person {r.randrange(1, 400)} in {r.choice(MONTHS)} 2001",
)


@dataclass
class Figures:
    """Moment at which each question ended (seconds from the start), milliseconds, place in QUESTIONS; and errors."""

    times: list[tuple[float, float, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def milliseconds(self) -> list[float]:
        """Of all questions."""
        return [ms for _, ms, _ in self.times]


def one_question(store: Store, chance: random.Random, figures: Figures, begun: float) -> None:
    """Asks, and opens the first message with its conversation, as a click does."""
    kind = chance.randrange(len(QUESTIONS))
    text = QUESTIONS[kind](chance)
    started = time.perf_counter()
    try:
        result = ask(store, text, COLUMNS, answer=False)
        figures.errors += [f"{text}: {e.kind} {e.message}" for column in result.columns for e in column.errors]
        hits = [hit.message for column in result.columns for hit in column.retrieved.hits[:1]]
        with store.reader() as conn:
            messages.headlines(conn, hits, {})
    except Exception as error:  # whatever it is, it is what this run looks for
        figures.errors.append(f"{text}: {type(error).__name__}: {error}")
    figures.times.append((time.monotonic() - begun, (time.perf_counter() - started) * 1000, kind))


def load(store: Store, askers: int, seconds: float, pause: float, tell: Callable[[], None]) -> Figures:
    """Lets the askers ask until the time is over; ``tell`` is called ten times meanwhile."""
    figures = Figures()
    begun = time.monotonic()

    def visitor(number: int) -> None:
        chance = random.Random(1000 + number)
        while time.monotonic() - begun < seconds:
            if pause:
                time.sleep(min(chance.expovariate(1 / pause), seconds))
            one_question(store, chance, figures, begun)

    visitors = [threading.Thread(target=visitor, args=(number,)) for number in range(askers)]
    for each in visitors:
        each.start()
    for number in range(10):
        time.sleep(max(0.0, begun + seconds * (number + 1) / 10 - time.monotonic()))
        tell()
    for each in visitors:
        each.join()
    return figures


def main() -> int:
    """Prints the figures; returns the exit code."""
    options = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--size", type=int, default=300_000, help="messages")
    options.add_argument("--askers", type=int, default=8)
    options.add_argument("--pause", type=float, default=4.0)
    options.add_argument("--keep", type=Path, metavar="DIR", help="where the filled store stays")
    options.add_argument("--store", help="name of a filled store in --home")
    options.add_argument("--home", type=Path)
    given = options.parse_args()
    home = given.home or given.keep or Path(tempfile.mkdtemp(prefix="mailweave-load-"))
    home.mkdir(exist_ok=True)
    home.chmod(0o711)
    with open_store(given.store or f"made_up_{given.size}", home=home) as store:
        _prepare(store, given.size)
        failed = measure(store, given.askers, given.minutes * 60, given.pause)
    embedded.start(home).close()
    return int(failed)


def measure(store: Store, askers: int, seconds: float, pause: float) -> bool:
    """One asker, then several. Returns whether a limit was passed."""
    alone, chance = Figures(), random.Random(1)
    for _ in range(ALONE):
        one_question(store, chance, alone, time.monotonic())
    single = statistics.median(alone.milliseconds)
    print(
        f"alone: {ALONE} questions, median {single:.0f} ms, p95 {_p95(alone.milliseconds):.0f} ms",
        flush=True,
    )
    held: list[tuple[int, int]] = []

    def tell() -> None:
        with store.owner() as conn:
            held.append((psutil.Process().memory_info().rss, memory(conn)))
        print(
            f"  memory of the program {held[-1][0] / 1e6:,.0f} MB, of the server {held[-1][1] / 1e6:,.0f} MB",
            flush=True,
        )

    tell()
    figures = load(store, askers, seconds, pause, tell)
    p95 = _p95(figures.milliseconds)
    errors = alone.errors + figures.errors
    print(
        f"{askers} askers, {seconds / 60:.0f} minutes, pause {pause:.0f} s: {len(figures.times):,} questions, median "
        f"{statistics.median(figures.milliseconds):.0f} ms, p95 {p95:.0f} ms, {len(errors)} errors {errors[:3]}"
    )
    thirds = [[ms for at, ms, _ in figures.times if k * seconds / 3 <= at < (k + 1) * seconds / 3] for k in range(3)]
    print("p95 of each third: " + ", ".join(f"{_p95(third):.0f} ms" for third in thirds if third))
    for kind, asked in enumerate(QUESTIONS):
        before, during = (sorted(ms for _, ms, k in one.times if k == kind) for one in (alone, figures))
        if before and during:
            print(
                f"  {asked(random.Random(1))}: alone median {statistics.median(before):.0f} ms, together median "
                f"{statistics.median(during):.0f} ms, p95 {_p95(during):.0f} ms"
            )
    middle, end = held[len(held) // 2], held[-1]
    print(f"memory from the middle to the end: program {end[0] / middle[0]:.2f}, server {end[1] / middle[1]:.2f}")
    grows = any(last > 1.15 * half + 30e6 for last, half in zip(end, middle, strict=True))
    return bool(errors) or grows or (pause > 0 and p95 > 2 * single)


def _prepare(store: Store, size: int) -> None:
    with store.owner() as conn:
        empty = conn.execute("SELECT FROM mail.message LIMIT 1").fetchone() is None
        if empty:
            fill(conn, size)
    if empty:
        bench_search.fill(store)
    with store.owner() as conn:
        behind = current.state(conn) is None
    if behind:
        build.build(store)


def _p95(times: list[float]) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


if __name__ == "__main__":
    raise SystemExit(main())
