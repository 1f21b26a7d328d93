"""The report has the form that is documented, and its numbers are those of the records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from retrieval.evaluation.gold import Gold
from retrieval.evaluation.questions import GoldQuestion
from retrieval.evaluation.report import report
from retrieval.evaluation.run import Run, run
from retrieval.evaluation.score import Record
from sql.store import Store

METRICS = {
    "recall@5", "recall@12", "thread_recall@12", "mrr", "ndcg@10", "value_correct", "facts_found", "facts_judged",
    "refused_right",
    "median_ms", "retries",
}  # fmt: skip


def made(records: Mapping[str, Mapping[str, Record]], gold: list[Gold], **settings: Any) -> Run:
    columns = tuple(next(iter(records.values())))
    kept = {i: dict(by_column) for i, by_column in records.items()}
    return Run(1, columns, {"answer": False, "fingerprint": {}, **settings}, gold, [], kept, True)


def about(i: str, message: int, kind: str = "lookup") -> Gold:
    return Gold(GoldQuestion(i, kind, "?"), (frozenset({message}),), (1,), (), (frozenset(),))


def counting(i: str, value: int) -> Gold:
    return Gold(GoldQuestion(i, "aggregate_count", "?", value_type="number", value=value), (), (), (), ())


def test_a_run_over_a_store_has_the_documented_form(lock: Store, questions: list[GoldQuestion]) -> None:
    out = report(run(lock, questions, ["lexical", "graph", "auto"], name="three"))
    assert {"run", "questions", "excluded", "fingerprint", "retrievers", "pairs", "router"} <= out.keys()
    assert out["questions"] == 2 and out["excluded"][0]["id"] == "gone"
    assert set(out["retrievers"]) == {"lexical", "graph", "auto"}
    for column in out["retrievers"].values():
        assert set(column) == {"overall", "by_kind"} and set(column["by_kind"]) == {"lookup", "aggregate_count"}
        for metrics in (column["overall"], *column["by_kind"].values()):
            assert metrics.keys() >= METRICS | {"questions", "outcomes"}
            for name in METRICS:
                value = metrics[name]
                assert value is None or value.keys() == {"value", "low", "high", "n"}
                assert value is None or value["low"] <= value["value"] <= value["high"]
    graph = out["retrievers"]["graph"]
    assert graph["overall"]["value_correct"]["value"] == 1.0 and graph["overall"]["value_correct"]["n"] == 1
    assert graph["by_kind"]["lookup"]["value_correct"] is None
    assert graph["by_kind"]["aggregate_count"]["recall@12"] is None
    assert out["router"]["chosen"]["graph"] == 1
    assert {"a", "b", "metric", "difference", "p"} <= out["pairs"][0].keys()


def test_few_questions_carry_a_warning() -> None:
    few = made({"1": {"vector": Record("retrieved")}}, [about("1", 1)])
    assert "too few" in report(few)["warnings"][0]
    many = {str(i): {"vector": Record("retrieved")} for i in range(30)}
    assert report(made(many, [about(i, 1) for i in many]))["warnings"] == []


def test_pairs_are_compared_over_the_questions_that_both_can_be_scored_on() -> None:
    found, missed = Record("retrieved", [1]), Record("retrieved", [2])
    records = {str(i): {"vector": found, "graph": missed} for i in range(6)}
    (pair,) = report(made(records, [about(i, 1) for i in records]))["pairs"]
    assert (pair["a"], pair["b"], pair["metric"], pair["difference"], pair["n"]) == (
        "vector",
        "graph",
        "recall@12",
        1.0,
        6,
    )
    assert pair["p"] == pytest.approx(2 / 2**6, abs=1e-4)


def test_the_routers_regret_is_what_the_best_column_would_have_gained() -> None:
    right, wrong = Record("retrieved", [1], values=[3]), Record("retrieved", [2], values=[4])
    records = {
        "good choice": {"graph": right, "hybrid": wrong, "auto": Record("retrieved", [1], values=[3], route="graph")},
        "bad choice": {"graph": right, "hybrid": wrong, "auto": Record("retrieved", [2], values=[4], route="hybrid")},
        "no difference": {"graph": right, "hybrid": right, "auto": Record("retrieved", [1], route="hybrid")},
    }
    gold = [counting("good choice", 3), counting("bad choice", 3), about("no difference", 1)]
    router = report(made(records, gold))["router"]
    assert router["chosen"] == {"graph": 1, "hybrid": 2}
    assert router["oracle"] == {"graph": 2}
    assert (router["regret"]["value"], router["regret"]["n"]) == (0.5, 2)
    assert router["regret_of_always_hybrid"]["value"] == 1.0
    assert (router["gain_over_always_hybrid"]["difference"], router["gain_over_always_hybrid"]["n"]) == (0.5, 2)
    assert report(made({"q": {"graph": right}}, [about("q", 1)]))["router"] is None


def test_what_changed_since_another_run_is_named() -> None:
    before = made(
        {"1": {"vector": Record("retrieved", [2])}, "2": {"vector": Record("retrieved", [1])}},
        [about("1", 1), about("2", 1)],
    )
    after = made(
        {"1": {"vector": Record("retrieved", [1])}, "2": {"vector": Record("retrieved", [1])}},
        [about("1", 1), about("2", 1)],
    )
    against = report(after, before)["against"]["columns"]["vector"]
    assert against["changed"] == [{"id": "1", "was": 0.0, "is": 1.0}]
    assert against["answers_that_differ"] == 1
    assert against["difference"]["difference"] == 0.5
    assert report(after, after)["against"]["columns"]["vector"]["changed"] == []
    other = made({"1": {"graph": Record("retrieved", [1])}}, [about("1", 1)])
    assert report(after, other)["against"]["columns"]["vector"]["answers_that_differ"] is None


def test_the_judge_stands_beside_strings_and_numbers_with_its_errors() -> None:
    gold = Gold(GoldQuestion("1", "lookup", "?", facts=("840 a day", "three days")), (), (), (), ())
    alike = Record("answered", answer="840 a day [1].", judged=[True, False])
    other = Record("answered", answer="840 a day [1].", judged=[False, None], judge_errors=[{"kind": "NoVerdict"}])
    nothing = Record("nothing_retrieved", judged=[False, False])
    records = {"1": {"vector": alike, "graph": other, "lexical": nothing}}
    out = report(made(records, [gold], answer=True, judge="smollm2-135m", chat="qwen2.5-coder-1.5b"))
    scores = {name: column["overall"] for name, column in out["retrievers"].items()}
    assert [scores[name]["facts_found"]["value"] for name in records["1"]] == [0.5, 0.5, 0.0]
    assert [scores[name]["facts_judged"]["value"] for name in records["1"]] == [0.5, 0.0, 0.0]
    judge = out["judge"]
    assert judge["model"] == "smollm2-135m" and not any("judge" in warning for warning in out["warnings"])
    assert (judge["columns"]["vector"]["verdicts"], judge["columns"]["vector"]["agreement"]["value"]) == (2, 1.0)
    assert (judge["columns"]["graph"]["verdicts"], judge["columns"]["graph"]["agreement"]["value"]) == (1, 0.0)
    assert judge["columns"]["graph"]["errors"] == {"NoVerdict": 1}
    assert (judge["columns"]["lexical"]["verdicts"], judge["columns"]["lexical"]["agreement"]) == (0, None)
    itself = report(made(records, [gold], answer=True, judge="qwen2.5-coder-1.5b", chat="qwen2.5-coder-1.5b"))
    assert any("itself" in warning for warning in itself["warnings"])
    assert report(made(records, [gold], answer=True))["judge"] is None


def test_the_cost_of_answers_is_told_by_kind() -> None:
    records = {
        "1": {"vector": Record("answered", [1], answer="So [1].", cited=[1], tokens=400, context_characters=900)},
        "2": {"vector": Record("answered", [1], answer="So [1][2].", cited=[1, 2], tokens=500, retries=2)},
        "3": {"vector": Record("nothing_retrieved")},
    }
    column = report(made(records, [about("1", 1), about("2", 1), about("3", 1)], answer=True))["retrievers"]["vector"]
    for metrics in (column["overall"], column["by_kind"]["lookup"]):
        assert (metrics["tokens"]["value"], metrics["tokens"]["n"]) == (450, 2)
        assert (metrics["citations"]["value"], metrics["citations"]["n"]) == (1.5, 2)
        assert metrics["context_characters"]["value"] == 900
        assert metrics["retries"]["value"] == pytest.approx(2 / 3, abs=1e-3)
