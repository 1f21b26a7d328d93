"""A server that goes away under a query is no failure of the query: it has one name, whoever was asking."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from graph import cypher, execute, views
from graph.build import build
from graph.plan import People, Plan
from retrieval.ask import ask
from retrieval.evaluation.questions import GoldQuestion
from retrieval.evaluation.run import run
from sql import embedded
from sql.errors import ConnectionLost, DatabaseUnreachable
from sql.store import Store, open_store
from tests.graph.mailboxes import load, odd_mailbox

pytestmark = pytest.mark.embedded

QUERIES: dict[str, Callable[[psycopg.Connection], object]] = {
    "cypher": lambda conn: cypher.run(conn, "MATCH (m:Message) RETURN count(m)"),
    "views": lambda conn: views.run(conn, "SELECT count(*) FROM messages"),
    "plan": lambda conn: execute.answer(conn, Plan("messages", filters=(People("sender", (1,)),))),
}
QUESTION = "How many messages did I send?"
LOSSES = ("the server", "a process of it", "a restart")


@pytest.fixture(scope="module")
def apart() -> Iterator[Store]:
    """A store on a server of its own, which is killed."""
    with tempfile.TemporaryDirectory(prefix="mailweave-lost-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        with open_store(home=home) as store:
            box = odd_mailbox()
            with store.owner() as conn:
                load(conn, box)
            build(store)
            yield store
        embedded.start(home).close()


@contextmanager
def lost(store: Store, how: str) -> Iterator[None]:
    """Holds all mail, and takes the server away as soon as somebody waits for it."""
    assert store._own_server is not None
    home = store._own_server.home
    holder = psycopg.connect(store._dsn)
    tables = holder.execute(
        "SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') FROM pg_tables WHERE schemaname LIKE 'mail%' "
        "AND tablename NOT IN ('index_state', 'evaluation_run', 'evaluation_record')"
    ).fetchone()
    assert tables is not None
    holder.execute(f"LOCK TABLE {tables[0]} IN ACCESS EXCLUSIVE MODE")

    def hit() -> None:
        with psycopg.connect(store._dsn, autocommit=True) as watching:
            for _ in range(400):
                if watching.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone():
                    break
                time.sleep(0.01)
            if how == "a restart":
                # a stopping server ends the one who waits in the same way, but perhaps when the lock is free already
                watching.execute(
                    "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                )
        if how == "the server":
            os.kill(int((home / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        elif how == "a process of it":
            os.kill(holder.info.backend_pid, signal.SIGKILL)
        else:
            embedded._pg_ctl(home, "restart", "-m", "fast")

    thread = threading.Thread(target=hit)
    thread.start()
    yield
    thread.join()
    holder.close()


@pytest.mark.parametrize(
    ("query", "how"), [*(("cypher", how) for how in LOSSES), ("views", "a process of it"), ("plan", "a restart")]
)
def test_a_server_that_goes_away_under_a_query_is_a_lost_connection(apart: Store, query: str, how: str) -> None:
    with apart.reader() as conn:
        before: Any = QUERIES[query](conn)
    with lost(apart, how), pytest.raises(ConnectionLost, match="went away"), apart.reader() as conn:
        QUERIES[query](conn)
    with apart.reader() as conn:
        again: Any = QUERIES[query](conn)
    assert getattr(again, "rows", None) == getattr(before, "rows", None)


@pytest.mark.parametrize("how", ["a process of it", "a restart"])
def test_a_column_says_that_the_server_went_away(apart: Store, how: str) -> None:
    ask(apart, QUESTION, ["graph"], planner="rules", answer=False)  # names are known from here on
    with lost(apart, how):
        asked = ask(apart, QUESTION, ["graph"], planner="rules", answer=False)
    assert [error.kind for error in asked.columns[0].errors] == ["ConnectionLost"]


@pytest.mark.parametrize("how", ["the server", "a process of it"])
def test_a_run_of_the_evaluation_puts_the_question_once_more(apart: Store, how: str) -> None:
    box = odd_mailbox()
    labelled = next(mail for mail in box.mail if mail.labels)
    group = (f"<{labelled.id}.0@made.example>",)
    question = GoldQuestion(id="q", kind="lookup", text=QUESTION, groups=(group,), grades=(3,))
    with ExitStack() as held:

        def progress(done: int, of: int) -> None:
            if done == 0:
                held.enter_context(lost(apart, how))

        made = run(apart, [question], ["graph"], name=how, deep=True, revision=how, progress=progress)
    assert made.finished
    assert made.records["q"]["graph"].errors == []
    assert made.records["q"]["graph"].values


def test_a_server_elsewhere_that_does_not_answer_is_unreachable(own_home: Path) -> None:
    own_home.chmod(0o711)
    server = embedded.start(own_home)
    with open_store(dsn=server.dsn("postgres"), home=own_home) as store:
        with store.session() as conn:
            conn.execute("SELECT 1")
        embedded._pg_ctl(own_home, "stop", "-m", "immediate")
        with pytest.raises(DatabaseUnreachable, match="Is its server running"), store.session():
            pass
        with pytest.raises(DatabaseUnreachable, match="Is its server running"), store.writer_lock("ingest"):
            pass
