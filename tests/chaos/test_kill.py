"""A short part of the kills (``make chaos`` is the long one): every job once, every victim at least once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sql import embedded
from tests.chaos.ingest_kill import made_up
from tests.chaos.jobs import JOBS
from tests.chaos.kill import VICTIMS, Kills
from tests.conftest import EXTERNAL

pytestmark = pytest.mark.embedded


@pytest.fixture(scope="module")
def apart() -> Iterator[Path]:
    """A data directory apart from that of the other tests, whose server must not be killed."""
    assert EXTERNAL is None
    with tempfile.TemporaryDirectory(prefix="mailweave-chaos-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        made_up(home / "mail", 60)
        yield home
        embedded.start(home).close()


@pytest.mark.parametrize(("number", "job"), list(enumerate(JOBS)), ids=list(JOBS))
def test_after_a_kill_the_same_command_gives_what_an_undisturbed_one_does(
    number: int, job: str, apart: Path, model_cache: Path
) -> None:
    kills = Kills(job, apart, apart / "mail", seed=number)
    for turn in range(1 + (number == 0)):
        kills.once(VICTIMS[(number + 2 * turn) % len(VICTIMS)])
