"""A run as rows for charts: counted by hand."""

from __future__ import annotations

from datetime import date

from retrieval.evaluation.gold import Gold
from retrieval.evaluation.questions import GoldQuestion
from retrieval.evaluation.report import report
from retrieval.evaluation.score import Record
from tests.retrieval.evaluation.test_report import about, counting, made
from ui import results
from ui.components import charts

RUN = made(
    {
        "1": {
            "vector": Record("retrieved", [1, 2, 3], milliseconds={"total": 20.0}),
            "graph": Record("retrieved", [3, 4]),
        },
        "2": {"vector": Record("retrieved", [5]), "graph": Record("retrieved", values=[3])},
    },
    [about("1", 1), counting("2", 3)],
)


def test_what_exactly_a_combination_of_columns_found() -> None:
    found = {row["combination"]: row["messages"] for row in results.combination_rows(RUN)}
    assert found == {"vector": 1.5, "vector + graph": 0.5, "graph": 0.5}
    assert [row["place"] for row in results.combination_rows(RUN)] == [0, 1, 2]


def test_the_matrix_holds_shared_messages_and_on_its_diagonal_all() -> None:
    shared = {(row["a"], row["b"]): row["shared"] for row in results.overlap_rows(RUN)}
    assert shared == {
        ("vector", "vector"): 2.0,
        ("vector", "graph"): 0.5,
        ("graph", "vector"): 0.5,
        ("graph", "graph"): 1.0,
    }
    assert results.least_alike(RUN) == ("vector", "graph", 0.5)


def test_a_question_is_right_by_its_value_else_by_its_messages() -> None:
    first, second = results.question_rows(RUN)
    assert (first["vector"], first["graph"]) == (1.0, 0.0)
    assert (second["vector"], second["graph"]) == (0.0, 1.0)


def test_kinds_have_their_number_and_interval() -> None:
    rows = {(row["column"], row["kind"]): row for row in results.kind_rows(report(RUN))}
    assert rows["graph", "aggregate_count"]["value"] == 1.0 and rows["graph", "aggregate_count"]["n"] == 1
    assert rows["vector", "lookup"]["label"] == "lookup (1)"
    assert [row["column"] for row in results.time_rows(report(RUN))] == ["vector", "graph"]


def test_a_question_opens_side_by_side_in_two_to_five_columns() -> None:
    given = results.parameters("Who?", date(2024, 3, 1), ["auto", "graph"], "work")
    assert given == {"q": "Who?", "with": ["graph", "vector"], "store": "work", "as_of": "2024-03-01"}
    many = ["vector", "lexical", "hybrid", "graph", "graph_rerank", "combined", "auto"]
    assert len(results.parameters("Who?", None, many, "work")["with"]) == 5


def test_charts_are_made_of_the_rows() -> None:
    columns = RUN.columns
    for chart in (
        charts.overlap(results.overlap_rows(RUN), columns),
        charts.combinations(results.combination_rows(RUN), columns),
        charts.by_kind(results.kind_rows(report(RUN)), columns),
        charts.against_time(results.time_rows(report(RUN)), columns),
    ):
        assert chart.to_dict()["$schema"].startswith("https://vega.github.io/schema/vega-lite/")


def test_the_routers_choice_and_the_judges_verdicts_are_rows() -> None:
    right, wrong = Record("retrieved", values=[3]), Record("retrieved", values=[4])
    routed = made(
        {
            "1": {"graph": right, "auto": Record("retrieved", values=[3], route="graph")},
            "2": {"graph": right, "auto": Record("retrieved", values=[4], route="hybrid")},
            "3": {"graph": wrong, "auto": Record("retrieved", values=[3], route="graph")},
        },
        [counting(i, 3) for i in "123"],
    )
    assert results.router_rows(report(routed)) == [{"kind": "aggregate count", "chosen": "graph 2, hybrid 1"}]
    assert results.router_rows(report(RUN)) == [] and results.judge_rows(report(RUN)) == []
    gold = Gold(GoldQuestion("1", "lookup", "?", facts=("840 a day",)), (), (), (), ())
    told = Record("answered", answer="840 a day.", judged=[False], judge_errors=[{"kind": "NoVerdict"}])
    (row,) = results.judge_rows(report(made({"1": {"graph": told}}, [gold], answer=True, judge="other")))
    assert row == {
        "column": "graph", "strings and numbers": 1.0, "judge": 0.0, "agreement": 0.0, "verdicts": 1,
        "errors": "NoVerdict 1",
    }  # fmt: skip
