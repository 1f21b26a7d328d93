"""The long run: python -m tests.chaos [--kills 120] [--messages 300] [--seed 1] [--job ingest]

Every job is killed the same number of times, with all victims in turn; each kill is followed by the same command, whose
result must be that of an undisturbed run. Exits with 1 at the first difference.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from sql import embedded
from tests.chaos.ingest_kill import made_up
from tests.chaos.kill import VICTIMS, Kills, all_jobs


def main() -> None:
    """Says each kill, then how many there were of each kind."""
    options = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    options.add_argument("--kills", type=int, default=120)
    options.add_argument("--messages", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--job", choices=all_jobs(), action="append")
    given = options.parse_args()
    home = Path(tempfile.mkdtemp(prefix="mailweave-chaos-"))
    home.chmod(0o711)
    started = time.monotonic()
    hit: Counter[str] = Counter()
    try:
        mail = made_up(home / "mail", given.messages)
        jobs = given.job or all_jobs()
        for number, job in enumerate(jobs):
            kills = Kills(job, home, mail, given.seed + number)
            for turn in range(-(-given.kills // len(jobs))):
                said = kills.once(VICTIMS[turn % len(VICTIMS)])
                hit[f"{job}, {VICTIMS[turn % len(VICTIMS)]}{', ended before' if 'had ended' in said else ''}"] += 1
                print(f"{sum(hit.values())}: {said}", flush=True)
    finally:
        embedded.start(home).close()
        shutil.rmtree(home, ignore_errors=True)
    for what, times in sorted(hit.items()):
        print(f"{what}: {times}")
    print(
        f"{sum(hit.values())} kills, each followed by an undisturbed result; {(time.monotonic() - started) / 60:.0f} minutes"
    )


if __name__ == "__main__":
    main()
