"""Reading for the page: in a process of its own, with progress, stopped after a batch, and failures in words."""

from pathlib import Path

import pytest

from sql.store import Store
from tests.ui import mail
from ui.errors import ReadingFailed
from ui.reading_apart import read_apart

pytestmark = pytest.mark.embedded


class Listener:
    def __init__(self) -> None:
        self.steps: list[str] = []

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        self.steps.append(name)

    def advance(self, n: int = 1) -> None:
        pass


def test_mail_is_read_with_its_steps_told(store: Store, home: Path, tmp_path: Path) -> None:
    path, listener = mail.write(tmp_path / "inbox.mbox"), Listener()
    lines = read_apart(
        store.name, None, home, [path], [mail.OWNER], "default", progress=listener, stopped=lambda: False
    )
    assert any("12 new messages from 1 source" in line for line in lines)
    assert listener.steps[0] == "reading"
    assert {"people", "threads", "graph"} <= set(listener.steps)
    with store.reader() as conn:
        assert conn.execute("SELECT count(*) FROM mail.message").fetchone() == (12,)
        assert conn.execute("SELECT owner_addresses FROM mail.mailbox").fetchone() == ([mail.OWNER],)


def test_an_interrupt_ends_it_after_a_batch(store: Store, home: Path, tmp_path: Path) -> None:
    path, listener = mail.write(tmp_path / "inbox.mbox"), Listener()
    lines = read_apart(
        store.name, None, home, [path], [], "default", progress=listener, stopped=lambda: bool(listener.steps)
    )
    if "graph" not in listener.steps:  # a mailbox this small may be read before the interrupt comes
        assert any("goes on from here" in line for line in lines)
    again = read_apart(store.name, None, home, [path], [], "default", progress=listener, stopped=lambda: False)
    assert any("from 1 source" in line for line in again)
    with store.reader() as conn:
        assert conn.execute("SELECT count(*) FROM mail.message").fetchone() == (12,)


def test_what_fails_is_told_in_words(store: Store, home: Path, tmp_path: Path) -> None:
    with pytest.raises(ReadingFailed, match="SourceMissing: There is nothing at"):
        read_apart(
            store.name, None, home, [tmp_path / "nothing"], [], "default", progress=Listener(), stopped=lambda: False
        )
