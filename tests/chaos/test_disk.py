"""A full disk, a directory that cannot be written, a clock that goes back: a clear message, and no work by hand after."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ingest import people
from ingest.check import check
from ingest.known_people import find, known
from ingest.pipeline import ingest
from sql import embedded
from sql.errors import DataDirectoryUnusable
from sql.store import Store, open_store
from tests.ingest.mailboxes import mail, mbox, one, rows

ROOT = Path(__file__).parents[2]
INGEST = """
import sys
from pathlib import Path
from ui.cli import run
sys.exit(run(["ingest", sys.argv[1], "--no-embed", "--jobs", "1"]))
"""


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A data directory on a disk of its own of 800 MB, which only root can make."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("a disk of its own is made by root alone")
    path = Path(tempfile.mkdtemp(prefix="mailweave-disk-"))
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=800M", "tmpfs", path], capture_output=True, text=True)
    if done.returncode:
        path.rmdir()
        pytest.skip(f"no disk can be made here: {done.stderr.strip()}")
    yield path
    if server := embedded._running.get(path):
        server.close()
    embedded._pg_ctl(path, "stop", "-m", "immediate")
    subprocess.run(["umount", "--lazy", path], check=True)
    path.rmdir()


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Mail of 6 MB that does not shrink."""
    chance = random.Random(1)
    mails = [mail(chance.randbytes(20_000).hex(), id_=f"{n}@x", hours=n) for n in range(150)]
    return mbox(tmp_path / "large.mbox", mails)


def command(home: Path, path: Path) -> subprocess.CompletedProcess[str]:
    """Ingest as a person runs it."""
    return subprocess.run(
        [sys.executable, "-c", INGEST, str(path)], cwd=ROOT, env={**os.environ, "MAILWEAVE_HOME": str(home)},
        capture_output=True, text=True, timeout=500,
    )  # fmt: skip


def test_a_full_disk_is_named_and_the_same_command_goes_on_when_there_is_room(small_disk: Path, large: Path) -> None:
    open_store(home=small_disk).close()
    embedded.start(small_disk).close()
    ballast = small_disk / "ballast"
    room = shutil.disk_usage(small_disk).free - 6_000_000
    with ballast.open("wb") as file:
        for _ in range(room // 1_000_000):
            file.write(b"\x01" * 1_000_000)
    first = command(small_disk, large)
    assert first.returncode == 1
    assert "fault of mailweave" not in first.stderr and "Traceback" not in first.stderr, first.stderr
    assert any(word in first.stderr for word in ("Free space", "Free disk space", "went away")), first.stderr
    ballast.unlink()
    second = command(small_disk, large)
    assert second.returncode == 0, second.stderr
    with open_store(home=small_disk) as store:
        assert one(store, "SELECT count(*) FROM mail.message") == 150
        with store.owner() as conn:
            assert check(conn) == []


def test_a_directory_that_cannot_be_written_is_named(small_disk: Path, large: Path) -> None:
    open_store(home=small_disk).close()
    embedded.start(small_disk).close()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    try:
        done = command(small_disk, large)
        assert done.returncode == 1
        assert f"The data directory {small_disk} cannot be written" in done.stderr
        with pytest.raises(DataDirectoryUnusable):
            open_store(home=small_disk)
    finally:
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    with open_store(home=small_disk) as store:
        assert one(store, "SELECT count(*) FROM mail.message") == 0


def test_the_latest_decision_holds_although_the_clock_went_back(store: Store, tmp_path: Path) -> None:
    box = mbox(
        tmp_path / "box.mbox",
        [mail(id_=f"{n}@x", hours=n, sender=f"P <p{n}@org{n}.example>", body=f"Report {n}.") for n in range(2)],
    )
    ingest(store, [box], jobs=1)
    with store.owner() as conn:
        everybody = known(conn)
        people.merge(conn, find(everybody, "p0@org0.example"), find(everybody, "p1@org1.example"))
        conn.execute("UPDATE mail.person_link SET at = at + %s WHERE by_hand", (timedelta(days=400),))
    ingest(store, [box], jobs=1)
    with store.owner() as conn:
        people.split(conn, find(known(conn), "p1@org1.example"), "p1@org1.example")
    ingest(store, [box], jobs=1)
    assert len(rows(store, "SELECT FROM mail.person WHERE name = 'P'")) == 2


def test_a_file_that_grows_is_read_although_the_clock_went_back(store: Store, tmp_path: Path) -> None:
    box = mbox(tmp_path / "box.mbox", [mail(id_="1@x")])
    ingest(store, [box], jobs=1)
    before = box.stat().st_mtime
    mbox(box, [mail(id_="1@x"), mail(id_="2@x", body="Another.")])
    os.utime(box, (before - 4000, before - 4000))
    assert ingest(store, [box], jobs=1).messages == 1
