"""Where the shared data stands: real mailboxes and labelled sets that are never copied into the repository."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def shared_data(*parts: str) -> Path:
    """The folder or file under ``../shared/data``; skips the test with a reason where it is absent."""
    path = SHARED.joinpath("data", *parts)
    if not path.exists():
        pytest.skip(f"the shared data is not on this machine: {path}")
    return path
