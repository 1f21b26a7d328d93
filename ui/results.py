"""A run of the evaluation as rows for charts and tables: nothing is drawn here, so that it can be tested."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from retrieval.evaluation.report import main_value
from retrieval.evaluation.run import Run
from retrieval.evaluation.score import compared, score

FIRST = 12
COMBINATIONS = 16


def overlap_rows(run: Run) -> list[dict[str, Any]]:
    """For each ordered pair of columns the mean number of shared messages; on the diagonal what the column found."""
    rows = []
    for a in run.columns:
        for b in run.columns:
            shared = [len(_first(run, i, a) & _first(run, i, b)) for i in _asked(run)]
            rows.append({"a": a, "b": b, "shared": _mean(shared)})
    return rows


def least_alike(run: Run) -> tuple[str, str, float] | None:
    """The pair of columns that shares least, and how much; vector and graph where both were asked."""
    means = {(r["a"], r["b"]): r["shared"] for r in overlap_rows(run)}
    pairs = list(combinations(run.columns, 2))
    if not pairs:
        return None
    known = next((pair for pair in pairs if set(pair) == {"vector", "graph"}), None)
    a, b = known or min(pairs, key=means.__getitem__)
    return a, b, means[a, b]


def combination_rows(run: Run) -> list[dict[str, Any]]:
    """How many messages a question were found by exactly this combination of columns, the largest first (UpSet)."""
    counts: Counter[tuple[str, ...]] = Counter()
    asked = _asked(run)
    for i in asked:
        found = {column: _first(run, i, column) for column in run.columns}
        for message in set().union(*found.values()):
            counts[tuple(column for column in run.columns if message in found[column])] += 1
    return [
        {"combination": " + ".join(columns), "columns": list(columns), "messages": n / len(asked), "place": place}
        for place, (columns, n) in enumerate(counts.most_common(COMBINATIONS))
    ]


def kind_rows(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The main number of each kind of question and column with its interval; kinds without one are left out."""
    rows = []
    for column, made in report["retrievers"].items():
        for kind, metrics in made["by_kind"].items():
            if (value := main_value(metrics)) is not None:
                n = int(value["n"])
                rows.append({"column": column, "kind": kind, "label": f"{kind.replace('_', ' ')} ({n})", **value})
    return rows


def time_rows(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Recall@12 with its interval against the median time of each column."""
    rows = []
    for column, made in report["retrievers"].items():
        recall, ms = made["overall"]["recall@12"], made["overall"]["median_ms"]
        if recall is not None and ms is not None:
            rows.append({"column": column, "ms": ms["value"], **recall})
    return rows


def router_rows(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What the router chose by kind of question, the most frequent first; empty where it was not asked."""
    router = report["router"]
    if router is None:
        return []
    return [
        {
            "kind": kind.replace("_", " "),
            "chosen": ", ".join(f"{name} {n}" for name, n in Counter(routes).most_common()),
        }
        for kind, routes in router["chosen_by_kind"].items()
    ]


def judge_rows(report: dict[str, Any]) -> list[dict[str, Any]]:
    """By column the share of facts found in answers, by strings and numbers and by the judge model, how often the two
    agree, and the judge's errors; empty where no judge was asked."""
    judge = report["judge"]
    if judge is None:
        return []
    rows = []
    for column, made in judge["columns"].items():
        overall = report["retrievers"][column]["overall"]
        values = {"strings and numbers": overall["facts_found"], "judge": overall["facts_judged"]}
        values["agreement"] = made["agreement"]
        errors = ", ".join(f"{kind} {n}" for kind, n in made["errors"].items())
        row: dict[str, Any] = {name: value and value["value"] for name, value in values.items()}
        rows.append({"column": column, **row, "verdicts": made["verdicts"], "errors": errors or "none"})
    return rows


def question_rows(run: Run) -> list[dict[str, Any]]:
    """A row a question: its kind and text, and for each column the main score (1 right, 0 wrong), the rank of the
    first needed message, the outcome, and the time."""
    rows = []
    for gold in run.gold:
        records = run.records.get(gold.question.id)
        if records is None:
            continue
        row: dict[str, Any] = {"id": gold.question.id, "kind": gold.question.kind, "question": gold.question.text}
        for column in run.columns:
            record = records[column]
            scores = score(gold, record, answered=bool(run.settings["answer"]))
            value = compared(gold, record)
            row[column] = (
                float(value.right) if value is not None else scores.get("recall@12", scores.get("refused_right"))
            )
        rows.append(row)
    return rows


def parameters(text: str, as_of: object, columns: list[str], store: str) -> dict[str, Any]:
    """What the page that asks reads from its address; it shows at most five columns."""
    wanted = [column for column in columns if column != "auto"][:5]
    if len(wanted) < 2:
        wanted = list(dict.fromkeys([*wanted, "vector", "graph"]))[:2]
    given: dict[str, Any] = {"q": text, "with": wanted, "store": store}
    return given | ({"as_of": str(as_of)} if as_of else {})


def _asked(run: Run) -> list[str]:
    return [g.question.id for g in run.gold if g.question.id in run.records]


def _first(run: Run, question: str, column: str) -> set[int]:
    return set(run.records[question][column].messages[:FIRST])


def _mean(values: list[int]) -> float:
    return sum(values) / len(values) if values else 0.0
