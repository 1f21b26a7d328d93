"""How well people, threads and quoted history are found on the shared data. `python -m tests.bench.bench_resolve`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ingest.pipeline import ingest
from sql import embedded
from sql.store import open_store
from tests.ingest.resolve import measure
from tests.shared import shared_data


def main() -> None:
    """Print one line for each measurement."""
    found = measure.judged_people()
    print(f"people   precision {found.precision:.3f}  recall {found.recall:.3f}  ({found.right + found.missed} pairs)")
    found = measure.list_without_headers()
    print(f"threads  F1 {found.f1:.3f}  false pairs {1 - found.precision:.4f}  ({found.right + found.missed} pairs)")
    home = Path(tempfile.mkdtemp(prefix="mailweave-bench-"))
    home.chmod(0o711)
    try:
        for user in ("lay-k", "delainey-d"):
            with tempfile.TemporaryDirectory() as work, open_store(user, home=home) as store:
                back = measure.recovery(store, user, Path(work))
            shares = "  ".join(f"{name} {getattr(back, name) / back.wanted:.3f}" for name in ("author", "text", "date"))
            print(f"recovery {user}  {shares}  ({back.wanted} messages)")
        for user in ("lay-k", "delainey-d", "kitchen-l"):
            with open_store(f"{user}-whole", home=home) as store:
                ingest(store, [shared_data("enron", user)])
                total, there = measure.existing(store)
            print(f"recovered in {user} as it is  {total}, of which {there} ({there / total:.3f}) are there already")
    finally:
        embedded.start(home).close()


if __name__ == "__main__":
    main()
