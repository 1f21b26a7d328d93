"""Phase 1 is a function over files: a cluster's workers give what this process gives."""

from __future__ import annotations

from pathlib import Path

import pytest

MAIL = "From {n} Mon Jan  1 00:00:00 2001\nFrom: ada@north.example\nTo: bo@south.example\nSubject: day {n}\n"
MAIL += (
    "Date: Mon, 1 Jan 2001 0{n}:00:00 +0000\nMessage-ID: <{n}.{file}@made.example>\n\nThe harbour ledger, part {n}.\n\n"
)


def test_two_workers_give_what_one_process_gives(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from tests.bench import cluster

    files = [tmp_path / f"{file}.mbox" for file in range(3)]
    for file, path in enumerate(files):
        path.write_text("".join(MAIL.format(n=n, file=file) for n in range(5)))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers,
        distributed.Client(workers) as client,
    ):
        found = dict(cluster.parsed_on(client, files))
    assert found == {path: cluster.parse_file(path) for path in files}
    assert sum(map(len, found.values())) == 15
