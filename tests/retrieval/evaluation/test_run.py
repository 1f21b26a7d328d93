"""A run keeps what it measured, goes on where it was stopped, and can be looked at again."""

from __future__ import annotations

import threading
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.errors import UnknownColumn
from retrieval.evaluation.questions import GoldQuestion
from retrieval.evaluation.report import report
from retrieval.evaluation.run import finished_runs, load, run
from retrieval.judge import Judge
from retrieval.models.chat import open_chat
from sql.store import Store
from tests.retrieval.evaluation.conftest import id_of

COLUMNS = ["lexical", "graph"]


@pytest.fixture
def revision() -> str:
    """Of its own for each test, so that none goes on with another's run."""
    return uuid.uuid4().hex


def test_every_question_is_put_to_every_column(lock: Store, questions: list[GoldQuestion], revision: str) -> None:
    made = run(lock, questions, COLUMNS, name="three", revision=revision)
    assert made.finished
    assert {i: sorted(columns) for i, columns in made.records.items()} == {
        "price": ["graph", "lexical"],
        "count": ["graph", "lexical"],
    }
    with lock.reader() as conn:
        (crane,) = conn.execute(
            "SELECT message FROM mail.occurrence WHERE message_id = %s", (id_of("crane"),)
        ).fetchone()  # type: ignore[misc]
    assert crane in made.records["price"]["lexical"].messages
    assert made.records["count"]["graph"].values == [3]
    assert made.records["count"]["graph"].milliseconds["total"] > 0


def test_a_question_whose_gold_is_not_here_is_excluded(
    lock: Store, questions: list[GoldQuestion], revision: str
) -> None:
    made = run(lock, questions, ["lexical"], name="three", revision=revision)
    assert [one["id"] for one in made.excluded] == ["gone"]
    assert "gone" not in made.records


def test_a_stopped_run_is_gone_on_with_and_asks_nothing_twice(
    lock: Store, questions: list[GoldQuestion], revision: str
) -> None:
    stop = threading.Event()

    def after_one(done: int, of: int) -> None:
        if done == 1:
            stop.set()

    first = run(lock, questions, COLUMNS, name="three", revision=revision, stop=stop, progress=after_one)
    assert not first.finished and list(first.records) == ["price"]
    with lock.owner() as conn:  # a mark that only a record that was kept can have
        conn.execute(
            "UPDATE mail.evaluation_record SET record = record || '{\"tokens\": 4711}' WHERE run = %s", (first.id,)
        )
    second = run(lock, questions, COLUMNS, name="three", revision=revision)
    assert second.finished and second.id == first.id
    assert second.records["price"]["lexical"].tokens == 4711
    assert second.records["count"]["lexical"].tokens == 0


def test_a_finished_run_or_other_settings_begin_anew(lock: Store, questions: list[GoldQuestion], revision: str) -> None:
    first = run(lock, questions, ["graph"], name="three", revision=revision)
    assert run(lock, questions, ["graph"], name="three", revision=revision).id != first.id
    stop = threading.Event()
    stop.set()
    stopped = run(lock, questions, ["graph"], name="three", revision=revision, stop=stop)
    assert run(lock, questions, ["graph"], name="three", revision=revision + "x").id != stopped.id


def test_records_of_an_older_program_are_made_again(lock: Store, questions: list[GoldQuestion], revision: str) -> None:
    first = run(lock, questions, ["graph"], name="three", revision=revision)
    with lock.owner() as conn:
        conn.execute("UPDATE mail.evaluation_run SET finished = NULL WHERE id = %s", (first.id,))
        conn.execute(
            "UPDATE mail.evaluation_record SET record = '{\"colour\": 1}' WHERE run = %s AND question = 'count'",
            (first.id,),
        )
    again = run(lock, questions, ["graph"], name="three", revision=revision)
    assert again.id == first.id and again.records["count"]["graph"].values == [3]
    with lock.reader() as conn:
        kept = load(conn, first.id)
    assert kept is not None and kept.records["count"]["graph"].values == [3]


def test_a_kept_run_is_loaded_as_it_was(lock: Store, questions: list[GoldQuestion], revision: str) -> None:
    made = run(lock, questions, COLUMNS, name="three", revision=revision, deep=True)
    with lock.reader() as conn:
        loaded = load(conn, made.id)
        assert load(conn, 10**9) is None
        newest = finished_runs(conn)[0]
    assert loaded is not None
    assert (newest.id, newest.questions, newest.columns, newest.size) == (made.id, "three", COLUMNS, 3)
    assert loaded.records == made.records and loaded.gold == made.gold and loaded.excluded == made.excluded
    assert loaded.settings["deep"] and loaded.settings["fingerprint"]["graph"]
    assert made.records["price"]["lexical"].deep == made.records["price"]["lexical"].messages


def test_a_column_without_its_index_fails_alone(lock: Store, questions: list[GoldQuestion], revision: str) -> None:
    made = run(lock, questions, ["vector", "lexical"], name="three", revision=revision)
    assert made.records["price"]["vector"].outcome == "not_run"
    assert made.records["price"]["vector"].errors[0]["kind"] == "ColumnUnavailable"
    assert made.records["price"]["lexical"].outcome == "retrieved"


def test_an_unknown_column_is_refused(lock: Store, questions: list[GoldQuestion]) -> None:
    with pytest.raises(UnknownColumn):
        run(lock, questions, ["telepathy"], name="three")


def test_a_judge_that_cannot_be_reached_is_an_error_in_the_record_and_never_a_no(
    lock: Store, questions: list[GoldQuestion], revision: str, model_cache: Path
) -> None:
    asked = replace(questions[0], facts=("840 a day",))
    chat = open_chat("qwen2.5-coder-0.5b", cache=model_cache)
    judge = Judge(open_chat("http://127.0.0.1:9/v1#nobody", cache=model_cache))
    try:
        made = run(
            lock, [asked], ["lexical"], name="one", revision=revision, chat=chat, judge=judge, answer=True,
            context_tokens=300,
        )  # fmt: skip
    finally:
        chat.close()
    record = made.records["price"]["lexical"]
    assert made.settings["judge"] == "nobody" and record.outcome == "answered"
    assert record.judged == [None]
    assert [error["kind"] for error in record.judge_errors] == ["AddressUnreachable"]
    overall = report(made)["retrievers"]["lexical"]["overall"]
    assert overall["facts_judged"] is None and overall["facts_found"] is not None
