"""Phase 1 of an ingest on a cluster: workers anywhere parse whole files, one writer stores what they send back.

`python -m tests.bench.cluster FILES…` compares the time on two local Dask workers with that of this process alone. Where
a scheduler runs elsewhere (`Client("tcp://scheduler:8786")`), the workers need mailweave and to see the files; nothing
else changes, since a parsed message is a value and storing takes them in any order of the files.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from distributed import Client, LocalCluster, as_completed

from ingest import sources
from ingest.parallel import Parsed, parse_all


def parse_file(path: Path) -> list[Parsed]:
    """Everything that one file holds, parsed. What a worker runs: it needs no database."""
    pieces = ((0, piece) for file in sources.find(path).files for piece in sources.read(file, 0, set()))
    return [parsed for _, _, parsed in parse_all(pieces, jobs=1)]


def parsed_on(client: Client, files: Sequence[Path]) -> Iterator[tuple[Path, list[Parsed]]]:
    """The parsed messages of each file, as the workers finish: what the writer loads, batch by batch."""
    # pure: a worker that dies is replaced, and its file parsed by another one with the same result
    of_future = {client.submit(parse_file, path, pure=True): path for path in files}
    for future in as_completed(list(of_future)):
        yield of_future[future], future.result()
        future.release()


def main() -> None:
    """Prints both times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    files = parser.parse_args().files
    started = time.perf_counter()
    alone = sum(len(parse_file(path)) for path in files)
    print(f"here alone: {alone:,} messages in {time.perf_counter() - started:.1f} s")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        started = time.perf_counter()
        found = sum(len(messages) for _, messages in parsed_on(client, files))
        print(f"two workers: {found:,} messages in {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
