"""Speed and memory on a real mailbox: `make bench`. Prints one table; nothing is asserted, since a machine may be busy.

The mailbox is kitchen-l of the shared data, or the fictional one where that is absent. Times depend on the machine,
so the last column gives each as a ratio to a yardstick measured in the same run: hashing 100 MB with SHA-256.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from graph.build import build
from ingest.embed import embed
from ingest.pipeline import ingest
from retrieval.ask import ask
from retrieval.evaluation.questions import read_questions
from retrieval.models.embed import open_embedder
from sql.store import Store, open_store
from tests.shared import SHARED
from ui.demo.build import build as build_demo

MODELS = Path(os.environ.get("MAILWEAVE_TEST_MODELS", "/var/cache/mailweave-models"))
QUESTIONS = 20
EMBEDDED = 1500


def main() -> None:
    """Runs all measurements once and prints the table."""
    home = Path(tempfile.mkdtemp(prefix="mailweave-bench-"))
    home.chmod(0o711)
    mailbox, questions = SHARED / "data/enron/kitchen-l", SHARED / "data/questions/kitchen-l.jsonl"
    if not mailbox.exists():
        mailbox, questions = home / "mail", Path(__file__).parents[2] / "ui/demo/questions.jsonl"
        build_demo(mailbox)
    yard = yardstick()
    print(f"mailbox: {mailbox.name}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; yardstick {yard:.2f} s\n")
    print(f"{'what':44} {'value':>12}   {'ratio':>7}")

    def row(what: str, seconds: float, shown: str = "") -> None:
        print(f"{what:44} {shown or f'{seconds:.2f} s':>12}   {seconds / yard:7.2f}", flush=True)

    with open_store("bench", home=home) as store:
        with memory() as used, timed() as took:
            result = ingest(store, [mailbox])
        row("ingest without vectors", took[0])
        print(f"{'  messages a second':44} {(result.messages + result.copies) / took[0]:12,.0f}")
        print(f"{'  memory of all our processes, at most':44} {used[0] / 1e6:9,.0f} MB")
        with timed() as took:
            ingest(store, [mailbox])
        row("second ingest, nothing new", took[0])
        with timed() as took:
            build(store)
        row("graph build", took[0])
        columns(store, questions, row)


def columns(store: Store, questions: Path, row: object) -> None:
    """Vectors for a part of the mailbox, then medians of each column over twenty questions."""
    assert callable(row)
    embedder = open_embedder(None, cache=MODELS)
    try:
        count = [0]

        def enough() -> bool:
            count[0] += 1
            return count[0] * 64 > EMBEDDED

        result = embed(store, embedder, stop=enough)
        print(f"{'vectors a second':44} {result.made / result.seconds:12,.0f}")
        embed(store, embedder)
        asked = read_questions(questions)[:: max(1, len(read_questions(questions)) // QUESTIONS)][:QUESTIONS]
        for name in ("vector", "graph", "lexical", "hybrid", "auto"):
            for question in asked[:3]:  # warm: pools, caches, models
                ask(store, question.text, [name], planner="rules", embedder=embedder, answer=False)
            times = []
            for question in asked:
                got = ask(store, question.text, [name], planner="rules", embedder=embedder, answer=False)
                times.append(got.columns[0].timing_ms["total"] / 1000)
            middle = statistics.median(times)
            row(f"{name}: median of {len(asked)} questions", middle, f"{middle * 1000:.1f} ms")
    finally:
        embedder.close()


def yardstick() -> float:
    """Seconds to hash 100 MB, best of three."""
    block = bytes(100_000_000)
    times = []
    for _ in range(3):
        started = time.perf_counter()
        hashlib.sha256(block).digest()
        times.append(time.perf_counter() - started)
    return min(times)


@contextmanager
def timed() -> Iterator[list[float]]:
    """The seconds of the block, in the list when it ends."""
    took: list[float] = []
    started = time.perf_counter()
    yield took
    took.append(time.perf_counter() - started)


@contextmanager
def memory() -> Iterator[list[int]]:
    """Bytes that this process and its children held at most (proportional share, so that nothing counts twice)."""
    most = [0]
    done = threading.Event()
    me = psutil.Process()

    def watch() -> None:
        while not done.wait(0.2):
            total = 0
            for process in (me, *me.children(recursive=True)):
                try:
                    total += process.memory_full_info().pss
                except (psutil.Error, AttributeError):
                    continue
            most[0] = max(most[0], total)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        done.set()
        watcher.join()


if __name__ == "__main__":
    main()
