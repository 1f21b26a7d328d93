"""How columns differ, counted by hand on a few records and once over a store."""

from __future__ import annotations

from retrieval.evaluation.comparison import compare
from retrieval.evaluation.questions import GoldQuestion
from retrieval.evaluation.run import run
from retrieval.evaluation.score import Record
from sql.store import Store
from tests.retrieval.evaluation.test_report import about, counting, made


def test_shared_messages_unique_finds_and_their_distribution() -> None:
    run = made(
        {
            "1": {"vector": Record("retrieved", [1, 2, 3]), "graph": Record("retrieved", [3, 4])},
            "2": {"vector": Record("retrieved", [1, 2]), "graph": Record("nothing_retrieved")},
        },
        [about("1", 1), counting("2", 3)],
    )
    out = compare(run)
    (pair,) = out["pairs"]
    assert (pair["a"], pair["b"], pair["of"], pair["shared"]) == ("vector", "graph", 12, 0.5)
    assert (pair["both_found"], pair["shared_where_both_found"]) == (1, 1.0)
    assert pair["distribution"] == {0: 1, 1: 1}
    assert pair["by_kind"] == {"lookup": 1.0, "aggregate_count": 0.0}
    assert out["columns"]["vector"]["unique"] == 2.0
    assert out["columns"]["graph"]["unique"] == 0.5
    assert out["columns"]["graph"]["outcomes"] == {"retrieved": 1, "nothing_retrieved": 1}


def test_only_the_first_twelve_are_compared() -> None:
    many = Record("retrieved", list(range(40)))
    (pair,) = compare(made({"1": {"vector": many, "graph": many}}, [about("1", 1)]))["pairs"]
    assert pair["shared"] == 12


def test_time_is_given_by_step(lock: Store, questions: list[GoldQuestion]) -> None:
    out = compare(run(lock, questions, ["lexical", "graph"], name="three"))
    assert out["questions"] == 2
    assert out["columns"]["lexical"]["step_ms"]["search"] > 0
    assert out["columns"]["lexical"]["context_characters"] > 0
    assert "traverse" in out["columns"]["graph"]["step_ms"]
