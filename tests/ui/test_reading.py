"""Reading mail as one job: rows, graph and vectors follow one another, and a second call finds nothing to do."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

from graph.check import check
from ingest.errors import SourceMissing
from sql import embedded
from sql.store import Store, open_store
from tests.ui import mail
from ui.models import Models
from ui.reading import build_graph, read_mail, stop_on_interrupt
from ui.settings import Settings


def test_rows_and_graph_are_there_after_one_call_and_the_next_has_nothing_to_do(store: Store, tmp_path: Path) -> None:
    path = mail.write(tmp_path / "inbox.mbox")
    first = read_mail(store, [path], owner=[mail.OWNER])
    assert first.ingest.messages == 12
    assert first.graph is not None and first.graph["Message"] == 12
    assert read_mail(store, []).graph is None
    assert build_graph(store) is None


def test_a_graph_that_is_behind_the_tables_follows_them(store: Store, tmp_path: Path) -> None:
    read_mail(store, [mail.write(tmp_path / "inbox.mbox")])
    with store.owner() as conn:  # as after a run that was killed between people and graph
        conn.execute("UPDATE mail.person SET name = 'Ana Ruiz Vega' WHERE name = 'Ana Ruiz'")
    assert build_graph(store) is not None
    assert build_graph(store) is None
    with store.reader() as conn:
        assert check(conn) == []


def test_without_a_model_all_else_is_done_and_the_result_says_what_is_missing(store: Store, tmp_path: Path) -> None:
    models = Models(Settings(home=tmp_path, model_cache=tmp_path / "none"))
    result = read_mail(store, [mail.write(tmp_path / "inbox.mbox")], models=models)
    assert result.graph is not None
    assert result.vectors is None
    assert "mailweave models pull" in result.without_vectors
    assert any("models pull" in line for line in result.words())


def test_nothing_is_written_for_a_path_that_is_not_there(store: Store, tmp_path: Path) -> None:
    with pytest.raises(SourceMissing):
        read_mail(store, [tmp_path / "nowhere"])
    with store.reader() as conn:
        assert conn.execute("SELECT count(*) FROM mail.source").fetchone() == (0,)


def test_the_first_interrupt_asks_and_the_second_ends() -> None:
    with stop_on_interrupt() as stopped:
        assert not stopped()
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        assert stopped()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)


@pytest.mark.embedded
def test_words_are_found_after_the_server_was_stopped_and_started(tmp_path: Path) -> None:
    home = Path(tempfile.mkdtemp(prefix="mailweave-restart-"))
    home.chmod(0o711)
    try:
        with open_store(home=home) as store:
            read_mail(store, [mail.write(tmp_path / "inbox.mbox")])
        embedded.start(home).close()
        with open_store(home=home) as store, store.reader() as conn:
            found = conn.execute(
                "SELECT text FROM mail.chunk ORDER BY text <@> to_bm25query('dredging', 'mail.chunk_bm25') LIMIT 5"
            ).fetchall()
        assert len(found) == 1 and "dredging" in found[0][0]
        embedded.start(home).close()
    finally:
        shutil.rmtree(home)
