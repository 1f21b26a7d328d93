"""How fast mail goes in, beside mu and notmuch on the same mail: `make bench-ingest`. And how much memory it takes.

The mail is kitchen-l of the shared data, as mbox files and as a Maildir; RUNS times in turn, medians are printed. Ours
is everything but vectors: rows, people, conversations, chunks, BM25 and graph, committed. mu and notmuch make an index
of words alone. Processor time counts all processes of a program, of ours the database's too; it is what stays the same
on a machine that does other things as well.

With --big a mailbox of some gigabytes is made, of varied texts and attachments, read with the memory of all processes
watched (proportional set size, the database included), and removed.
"""

from __future__ import annotations

import argparse
import base64
import os
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from ingest import sources
from ingest.types import RawMessage
from sql import embedded
from sql.store import drop_store, open_store
from tests.shared import SHARED
from ui.reading import read_mail

RUNS = 3


@dataclass
class Took:
    """One run: seconds of the clock and of all processors."""

    wall: float = 0.0
    cpu: float = 0.0
    most: int = 0
    of: str = ""
    phases: dict[str, float] | None = None


def main() -> None:
    """Prints the table, or with --big the memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mail", type=Path, default=SHARED / "data/enron/kitchen-l")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--big", action="store_true", help="memory over a large mailbox")
    parser.add_argument("--gigabytes", type=float, default=4.0)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where the large one is made")
    given = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="mailweave-bench-"))
    home.chmod(0o711)
    try:
        if given.big:
            big(home, given.folder, given.gigabytes, given.jobs)
        else:
            side_by_side(home, given.mail, given.runs, given.jobs)
    finally:
        embedded.start(home).close()
        shutil.rmtree(home, ignore_errors=True)


def side_by_side(home: Path, mail: Path, runs: int, jobs: int | None) -> None:
    """The table of rates."""
    maildir = home / "maildir"
    messages = as_maildir(mail, maildir)
    programs: dict[str, Callable[[], Took]] = {
        "mailweave, from mbox": lambda: ours(home, mail, jobs),
        "mailweave, from Maildir": lambda: ours(home, maildir, jobs),
    }
    if shutil.which("mu"):
        programs["mu index"] = lambda: mu(home, maildir)
    if shutil.which("notmuch"):
        programs["notmuch new"] = lambda: notmuch(home, maildir)
    times: dict[str, list[Took]] = {name: [] for name in programs}
    for _ in range(runs):
        for name, run in programs.items():
            times[name].append(run())
    print(f"{mail.name}: {messages:,} messages, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {runs} runs\n")
    print("| program | seconds | messages/s | processor seconds | messages/processor second |\n|---|---|---|---|---|")
    for name, took in times.items():
        wall, cpu = statistics.median(t.wall for t in took), statistics.median(t.cpu for t in took)
        print(f"| {name} | {wall:.2f} | {messages / wall:,.0f} | {cpu:.2f} | {messages / cpu:,.0f} |")
    for name, took in times.items():
        if took[0].phases:
            phases = {
                phase: statistics.median((t.phases or {}).get(phase, 0) for t in took) for phase in took[0].phases
            }
            print(f"\n{name}: " + ", ".join(f"{phase} {seconds:.2f} s" for phase, seconds in phases.items()))


def ours(home: Path, mail: Path, jobs: int | None) -> Took:
    """All of an ingest into a new store, without vectors."""
    drop_store("ingest", home=home)
    took = Took()
    with open_store("ingest", home=home) as store:
        server = _server(home)
        before = _cpu(server)
        with _clock(took):
            result = read_mail(store, [mail], jobs=jobs)
        took.cpu += _cpu(server) - before
        took.phases = dict(result.ingest.seconds)
        took.phases["graph"] = took.wall - sum(took.phases.values())
    return took


def mu(home: Path, maildir: Path) -> Took:
    """mu's index of words of the same messages."""
    place = home / "mu"
    shutil.rmtree(place, ignore_errors=True)
    took = Took()
    with _clock(took):
        for command in (["init", f"--maildir={maildir}"], ["index"]):
            subprocess.run(["mu", *command, f"--muhome={place}"], check=True, capture_output=True)
    return took


def notmuch(home: Path, maildir: Path) -> Took:
    """notmuch's."""
    shutil.rmtree(maildir / ".notmuch", ignore_errors=True)
    config = home / "notmuch.ini"
    config.write_text(f"[database]\npath={maildir}\n[user]\nname=A\nprimary_email=a@quay.example\n[new]\ntags=new\n")
    took = Took()
    with _clock(took):
        environment = {**os.environ, "NOTMUCH_CONFIG": str(config)}
        subprocess.run(["notmuch", "new"], check=True, capture_output=True, env=environment)
    shutil.rmtree(maildir / ".notmuch")
    return took


def as_maildir(mail: Path, to: Path) -> int:
    """Writes all messages under ``mail`` as a Maildir; returns how many."""
    for name in ("cur", "new", "tmp"):
        (to / name).mkdir(parents=True)
    n = 0
    for source in sources.find(mail).files:
        for piece in sources.read(source):
            if isinstance(piece, RawMessage):
                (to / "cur" / f"{n}.bench:2,S").write_bytes(piece.data)
                n += 1
    return n


def big(home: Path, folder: Path, gigabytes: float, jobs: int | None) -> None:
    """Memory of all processes over a mailbox of some gigabytes."""
    path = folder / "mailweave-big.mbox"
    try:
        started = time.perf_counter()
        messages, large = make_big(path, int(gigabytes * 1e9))
        size = path.stat().st_size
        print(f"{size / 1e9:.2f} GB, {messages:,} messages, {large} of them over 25 MB, made in "
              f"{time.perf_counter() - started:.0f} s", flush=True)  # fmt: skip
        took = Took()
        with open_store("big", home=home) as store:
            server = _server(home)
            before = _cpu(server)
            step = Step()
            with watched(server, took, step), _clock(took):
                result = read_mail(store, [path], jobs=jobs, progress=step)
            took.cpu += _cpu(server) - before
        done = result.ingest
        print(f"{done.messages + done.copies:,} read, {done.unreadable} not readable, {took.wall:.0f} s, "
              f"{took.cpu:.0f} processor seconds, at most {took.most / 1e6:.0f} MB over all processes ({took.of})")  # fmt: skip
        print(", ".join(f"{phase} {seconds:.1f} s" for phase, seconds in done.seconds.items()))
    finally:
        path.unlink(missing_ok=True)


def make_big(path: Path, size: int) -> tuple[int, int]:
    """Writes made-up mail up to ``size`` bytes: texts of a few lines to megabytes, attachments from none to 300 MB.
    Returns how many messages, and how many over 25 MB."""
    chance = random.Random(42)
    words = [f"{a}{b}{c}" for a in ("pier", "quay", "berth", "dock") for b in ("al", "en", "ot", "um", "is")
             for c in ("", "ing", "ed", "s", "er", "ly")]  # fmt: skip
    noise = chance.randbytes(8_000_000)
    n = large = 0
    with path.open("wb") as file:
        while file.tell() < size:
            n += 1
            started = file.tell()
            file.write(_head(n, chance))
            for _ in range(min(40_000, int(chance.paretovariate(0.9)) + 2)):
                file.write((" ".join(chance.choices(words, k=12)) + f" {n}.\n").encode())
            # most mails carry nothing, some pictures and documents, a few a film
            for part in range(chance.choice((0, 0, 0, 1, 1, 2, 5))):
                kind, most = chance.choices(
                    (("image/jpeg", 4e6), ("application/pdf", 2e6), ("text/csv", 3e5), ("video/mp4", 3e8)),
                    (60, 25, 14, 1),
                )[0]
                _attach(file, kind, f"{n}-{part}", int(most * chance.random() ** 3), noise, chance)
            file.write(b"--b--\n\n")
            large += file.tell() - started > 25 * 1024 * 1024
    return n, large


def _head(n: int, chance: random.Random) -> bytes:
    sender, to = chance.randrange(300), chance.randrange(300)
    return (
        f"From - Mon Mar  4 09:00:00 2024\nFrom: Person {sender} <p{sender}@org{sender % 40}.example>\n"
        f"To: Person {to} <p{to}@org{to % 40}.example>\nSubject: Matter {chance.randrange(20_000)}\n"
        f"Date: {chance.randrange(1, 28)} Mar {chance.randrange(2005, 2025)} 09:00:00 +0100\n"
        f"Message-ID: <{n}@big.example>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n"
    ).encode()


def _attach(file: object, kind: str, name: str, size: int, noise: bytes, chance: random.Random) -> None:
    write = file.write  # type: ignore[attr-defined]
    write(f"--b\nContent-Type: {kind}; name={name}\nContent-Disposition: attachment; filename={name}\n".encode())
    write(b"Content-Transfer-Encoding: base64\n\n")
    while size > 0:
        start = chance.randrange(1_000_000)
        piece = noise[start : start + min(size, 5_700_000)]
        if kind == "text/csv":
            piece = piece[: size // 3].hex(",", 8).encode()
        size -= max(1, len(piece))
        write(base64.encodebytes(piece))


def _server(home: Path) -> psutil.Process:
    return psutil.Process(int((home / "postgres" / "postmaster.pid").read_text().split("\n")[0]))


def _cpu(server: psutil.Process) -> float:
    """Processor seconds of the database server and of all its sessions, also those that have ended."""
    total = 0.0
    for process in (server, *server.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.NoSuchProcess:
            continue
    return total


@contextmanager
def _clock(took: Took) -> Iterator[None]:
    """Clock and processor of this process and of its children that have ended."""
    started, before = time.perf_counter(), _own()
    yield
    took.wall, took.cpu = time.perf_counter() - started, took.cpu + _own() - before


def _own() -> float:
    return sum(
        used.ru_utime + used.ru_stime
        for used in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def _pss(processes: list[psutil.Process]) -> int:
    total = 0
    for process in processes:
        with suppress(psutil.Error, AttributeError):
            total += process.memory_full_info().pss
    return total


class Step:
    """Remembers which step an ingest is at."""

    name = ""

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        self.name = name

    def advance(self, n: int = 1) -> None:
        pass


@contextmanager
def watched(server: psutil.Process, took: Took, step: Step) -> Iterator[None]:
    """The most bytes that this process, its workers and the database held together (proportional share)."""
    done = threading.Event()
    me = psutil.Process()

    def watch() -> None:
        while not done.wait(0.3):
            held = [_pss([me]), _pss(me.children(recursive=True)), _pss([server, *server.children(recursive=True)])]
            if sum(held) > took.most:
                took.most = sum(held)
                took.of = f"{step.name}: {held[0] / 1e6:.0f} MB here, {held[1] / 1e6:.0f} workers, {held[2] / 1e6:.0f} database"

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


if __name__ == "__main__":
    main()
