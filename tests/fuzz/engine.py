"""One process that fuzzes one target, led by what code an input reaches (atheris); started by ``__main__``.

Its count, the processor time at which the present input began and the input itself stand in a file that the parent
reads too: so an input that hangs or kills the process is known. What a target raises is kept once for each place in
the program and does not end the process.
"""

from __future__ import annotations

import hashlib
import mmap
import random
import struct
import sys
import time
import traceback
from pathlib import Path

import atheris

from tests.fuzz.mutate import mutate

with atheris.instrument_imports(include=["ingest"]):
    from tests.fuzz.corpus import SIZE, corpus
    from tests.fuzz.targets import TARGETS

# count, seconds of processor time at which the present input began, slowest input, length of the present input
HEAD = struct.Struct("<QddQ")
MAX_SECONDS = 5.0


def main(name: str, runs: int, seed: int, out: Path, made: Path) -> None:
    target = TARGETS[name]
    inputs = corpus(name, made)
    folder = out / "corpus" / name
    folder.mkdir(parents=True, exist_ok=True)
    for each in inputs:
        (folder / hashlib.sha1(each).hexdigest()).write_bytes(each)
    with (out / f"{name}.state").open("r+b") as file:
        state = mmap.mmap(file.fileno(), HEAD.size + SIZE)
    count, slowest = 0, 0.0

    def one(data: bytes) -> None:
        nonlocal count, slowest
        began = time.process_time()
        state[HEAD.size : HEAD.size + len(data)] = data
        HEAD.pack_into(state, 0, count, began, slowest, len(data))
        try:
            target(data)
        except Exception as error:
            keep(out, name, data, _place(error), traceback.format_exc())
        took = time.process_time() - began
        if took > MAX_SECONDS:
            keep(out, name, data, "slow", f"{took:.1f} s of processor time")
        slowest = max(slowest, took)
        count += 1
        HEAD.pack_into(state, 0, count, began, slowest, len(data))

    def changed(data: bytes, size: int, number: int) -> bytes:
        chance = random.Random(number)
        return mutate(data, chance.choice(inputs), chance, min(size, SIZE))

    # no clock of its own: the readers of attachments set one, and the parent watches
    limits = [f"-runs={runs}", f"-seed={seed}", f"-max_len={SIZE}", "-rss_limit_mb=1024", "-timeout=1000"]
    # what kills the process is in the state file
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={out}/", str(folder)], one, custom_mutator=changed)
    atheris.Fuzz()


def keep(out: Path, name: str, data: bytes, place: str, words: str) -> None:
    """Keeps an input with what it did, unless one of that place is there."""
    digest = hashlib.sha1(f"{name} {place}".encode()).hexdigest()[:10]
    path = out / "findings" / f"{name}-{digest}.bin"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(f"{place}\n{words}")


def _place(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].name}:{frames[-1].lineno}"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), Path(sys.argv[5]))
