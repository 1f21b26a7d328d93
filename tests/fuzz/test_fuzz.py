"""A short part of the fuzzing (``make fuzz`` is the long one, led by coverage): the same targets and changes."""

from __future__ import annotations

import random
import time
import zlib
from pathlib import Path

import pytest

from tests.fuzz.corpus import SIZE, corpus
from tests.fuzz.mutate import mutate
from tests.fuzz.targets import TARGETS
from ui.demo.build import build

SECONDS = 3.0
MOST = 400


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    build(folder)
    return folder


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_do_no_harm(name: str, made: Path) -> None:
    inputs = corpus(name, made)
    begun, tried = time.process_time(), 0
    while tried < MOST and time.process_time() - begun < SECONDS:
        chance = random.Random(zlib.crc32(name.encode()) + tried)
        data = mutate(chance.choice(inputs), chance.choice(inputs), chance, SIZE)
        before = time.process_time()
        try:
            TARGETS[name](data)
        except Exception as error:
            error.add_note(f"input {tried} of {name}")
            raise
        assert time.process_time() - before < 5, f"input {tried} of {name} takes too long"
        tried += 1
    assert tried >= 20
