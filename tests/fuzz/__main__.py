"""The long run: python -m tests.fuzz [--inputs 100000] [--jobs 2] [--out build/fuzz]

Each target has its share of the inputs and a process of its own, watched from here: an input that takes more than
HANG seconds of processor time, a process that dies, and one that grows beyond 1 GB are findings. Inputs with what they
did are kept in OUT/findings; ``--show FILE`` runs one of them again. Exit code 1 where anything was found.
"""

from __future__ import annotations

import argparse
import json
import mmap
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psutil

SHARES = {"message": 0.3, "words": 0.2, "markup": 0.15, "attachment": 0.15, "mailbox": 0.1, "export": 0.1}
HANG = 30.0
ROOM = 1 << 20
HEAD = struct.Struct("<QddQ")


@dataclass
class Outcome:
    """What became of one target: inputs, largest memory in bytes, slowest input in seconds of processor time."""

    target: str
    inputs: int = 0
    memory: int = 0
    slowest: float = 0.0
    deaths: int = 0
    hangs: int = 0


def fuzz(target: str, inputs: int, seed: int, out: Path, made: Path) -> Outcome:
    """Runs a target until that many inputs were tried, whatever ends its process in between."""
    outcome = Outcome(target)
    state_path = out / f"{target}.state"
    while outcome.inputs < inputs and outcome.deaths + outcome.hangs < 50:
        state_path.write_bytes(b"\x00" * ROOM)
        with state_path.open("r+b") as file, (out / f"{target}.log").open("ab") as log:
            state = mmap.mmap(file.fileno(), ROOM, access=mmap.ACCESS_READ)
            runs = str(inputs - outcome.inputs)
            command = [sys.executable, "-m", "tests.fuzz.engine", target, runs, str(seed), str(out), str(made)]
            process = subprocess.Popen(command, stdout=log, stderr=log)
            hung = _watch(process, state, outcome)
            count, _, slowest, length = HEAD.unpack_from(state, 0)
            present = bytes(state[HEAD.size : HEAD.size + length])
        outcome.inputs += count
        outcome.slowest = max(outcome.slowest, slowest)
        if hung or process.returncode:
            outcome.hangs += hung
            outcome.deaths += not hung
            _keep(out, target, present, "hangs" if hung else f"ended with {process.returncode}")
        seed += 1
        print(f"{target}: {outcome.inputs:,} inputs, {time.strftime('%H:%M:%S')}", flush=True)
        if not count:
            break
    return outcome


def _watch(process: subprocess.Popen[bytes], state: mmap.mmap, outcome: Outcome) -> bool:
    """Waits for the end; whether it had to be ended since an input took too long."""
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        try:
            outcome.memory = max(outcome.memory, watched.memory_info().rss)
            times = watched.cpu_times()
        except psutil.NoSuchProcess:
            break
        count, began, _, _ = HEAD.unpack_from(state, 0)
        if count and times.user + times.system - began > HANG:
            process.kill()
            process.wait()
            return True
        time.sleep(1)
    process.wait()
    return False


def _keep(out: Path, target: str, data: bytes, words: str) -> None:
    path = out / "findings" / f"{target}-{words.replace(' ', '-')}-{time.time_ns()}.bin"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main() -> int:
    """Returns the exit code."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz")
    options.add_argument("--inputs", type=int, default=100_000)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=Path("build/fuzz"))
    options.add_argument("--show", type=Path, help="an input that was kept: it is run again")
    given = options.parse_args()
    if given.show:
        from tests.fuzz.targets import TARGETS

        TARGETS[given.show.name.split("-")[0]](given.show.read_bytes())
        return 0
    from ui.demo.build import build

    out: Path = given.out
    made = out / "demo"
    made.mkdir(parents=True, exist_ok=True)
    build(made)
    started = time.monotonic()
    with ThreadPoolExecutor(given.jobs) as pool:
        jobs = [
            pool.submit(fuzz, target, round(given.inputs * share), given.seed, out, made)
            for target, share in SHARES.items()
        ]
        outcomes = [job.result() for job in jobs]
    minutes = (time.monotonic() - started) / 60
    found = sorted(path.name for path in (out / "findings").glob("*.bin"))
    for one in outcomes:
        print(
            f"{one.target:<11} {one.inputs:>8,} inputs, slowest {one.slowest:.2f} s, {one.memory / 2**20:,.0f} MB, "
            f"{one.deaths} deaths, {one.hangs} hangs"
        )
    print(f"{sum(one.inputs for one in outcomes):,} inputs in {minutes:.0f} minutes; {len(found)} findings {found}")
    report = {"minutes": minutes, "findings": found, "targets": [vars(one) for one in outcomes]}
    (out / "report.json").write_text(json.dumps(report, indent=2))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
