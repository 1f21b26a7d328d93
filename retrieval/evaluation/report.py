"""Records become the numbers of a report: each with its interval and the number of questions it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from retrieval.evaluation.gold import Gold
from retrieval.evaluation.questions import MESSAGE_KINDS
from retrieval.evaluation.run import Run
from retrieval.evaluation.score import MEANS, Record, agreement, score
from retrieval.evaluation.statistics import Difference, estimate, median_estimate, paired
from retrieval.judge import doubt

# With fewer questions a single answer moves a share by more than three points.
FEW_QUESTIONS = 30
# What a kind of question is judged by, the first that applies.
MAIN = ("value_correct", "recall@12", "refused_right")
COMPARED = ("recall@12", "value_correct", "facts_found", "facts_judged")


def report(run: Run, against: Run | None = None) -> dict[str, Any]:
    """The report of ``evaluate --json``; with ``against`` also what changed since that run.

    Every measured number is {value, low, high, n}; where a metric does not apply it is null."""
    scores = _scores(run)
    asked = [gold for gold in run.gold if gold.question.id in run.records]
    out: dict[str, Any] = {
        "run": run.id,
        "finished": run.finished,
        "questions": len(asked),
        "excluded": run.excluded,
        "fingerprint": run.settings["fingerprint"],
        "settings": {name: value for name, value in run.settings.items() if name != "fingerprint"},
        "warnings": _warnings(run, asked),
        "retrievers": {
            column: {
                "overall": _metrics(run, column, asked, scores),
                "by_kind": {
                    kind: _metrics(run, column, [g for g in asked if g.question.kind == kind], scores)
                    for kind in sorted({g.question.kind for g in asked})
                },
            }
            for column in run.columns
        },
        "pairs": _pairs(run, asked, scores),
        "router": _router(run, asked, scores),
        "judge": _judge(run, asked),
    }
    if against is not None:
        out["against"] = _against(run, scores, against)
    return out


Scores = dict[tuple[str, str], dict[str, float]]


def _scores(run: Run) -> Scores:
    gold = {g.question.id: g for g in run.gold}
    return {
        (question, column): score(gold[question], record, answered=bool(run.settings["answer"]))
        for question, columns in run.records.items()
        if question in gold
        for column, record in columns.items()
    }


def _metrics(run: Run, column: str, asked: Iterable[Gold], scores: Scores) -> dict[str, Any]:
    ids = [gold.question.id for gold in asked]
    records = [run.records[i][column] for i in ids if column in run.records[i]]
    out: dict[str, Any] = {"questions": len(records)}
    for name in MEANS:
        values = [scores[i, column][name] for i in ids if name in scores.get((i, column), {})]
        made = estimate(values)
        out[name] = made.to_json() if made else None
    for name, measures in (
        ("median_ms", [r.milliseconds.get("total", 0.0) for r in records]),
        ("context_characters", [float(r.context_characters) for r in records if r.context_characters]),
        ("tokens", [float(r.tokens) for r in records if r.tokens]),
    ):
        middle = median_estimate(measures)
        out[name] = middle.to_json() if middle else None
    out["outcomes"] = dict(Counter(r.outcome for r in records))
    out["errors"] = dict(Counter(error["kind"] for r in records for error in r.errors))
    retries = estimate([float(r.retries) for r in records])
    out["retries"] = retries.to_json() if retries else None
    cited = estimate([float(len(r.cited)) for r in records if r.outcome == "answered"])
    out["citations"] = cited.to_json() if cited else None
    out["unknown_citations"] = sum(r.unknown_citations for r in records)
    return out


def _pairs(run: Run, asked: list[Gold], scores: Scores) -> list[dict[str, Any]]:
    pairs = []
    for a, b in combinations(run.columns, 2):
        for metric in COMPARED:
            both = [
                (scores[g.question.id, a][metric], scores[g.question.id, b][metric])
                for g in asked
                if metric in scores.get((g.question.id, a), {}) and metric in scores.get((g.question.id, b), {})
            ]
            if both:
                difference = paired([x for x, _ in both], [y for _, y in both])
                pairs.append({"a": a, "b": b, "metric": metric, **difference_json(difference)})
    return pairs


def difference_json(made: Difference) -> dict[str, Any]:
    """A paired difference as it stands in reports: with its interval, p and the number of questions."""
    return {
        "difference": round(made.difference, 4),
        "low": round(made.low, 4),
        "high": round(made.high, 4),
        "p": round(made.p, 4),
        "n": made.n,
    }


def main_score(gold: Gold, scores: dict[str, float]) -> float | None:
    """The one number that a column is judged by on this question: the value where there is one to compute, else
    recall@12; None where the question has neither (it is judged by its answer alone)."""
    if gold.question.kind in MESSAGE_KINDS or gold.question.value_type is None:
        return scores.get("recall@12")
    return scores.get("value_correct")


def main_value(metrics: Mapping[str, Any]) -> dict[str, float] | None:
    """The one number that a kind of question is judged by, out of its metrics."""
    return next((metrics[name] for name in MAIN if metrics.get(name) is not None), None)


def _router(run: Run, asked: list[Gold], scores: Scores) -> dict[str, Any] | None:
    """What ``auto`` chose, and its regret: how much worse than the best column of each question, over the questions on
    which the columns differ; beside it the regret of always ``hybrid``, and what choosing gains over that."""
    if "auto" not in run.columns:
        return None
    others = [column for column in run.columns if column != "auto"]
    chosen: Counter[str] = Counter()
    by_kind: dict[str, Counter[str]] = {}
    regrets, hybrid, gains = [], [], []
    best: Counter[str] = Counter()
    for gold in asked:
        i = gold.question.id
        route = run.records[i]["auto"].route or "none"
        chosen[route] += 1
        by_kind.setdefault(gold.question.kind, Counter())[route] += 1
        own = main_score(gold, scores[i, "auto"])
        rest = {column: main_score(gold, scores[i, column]) for column in others}
        known = {column: value for column, value in rest.items() if value is not None}
        if own is None or not known or len({*known.values(), own}) == 1:
            continue
        top = max(known.values())
        best.update(column for column, value in known.items() if value == top)
        regrets.append(max(0.0, top - own))
        if "hybrid" in known:
            hybrid.append(top - known["hybrid"])
            gains.append((own, known["hybrid"]))
    regret, always = estimate(regrets), estimate(hybrid)
    return {
        "chosen": dict(chosen),
        "chosen_by_kind": {kind: dict(routes) for kind, routes in sorted(by_kind.items())},
        "oracle": dict(best),
        "regret": regret.to_json() if regret else None,
        "regret_of_always_hybrid": always.to_json() if always else None,
        "gain_over_always_hybrid": difference_json(paired([own for own, _ in gains], [other for _, other in gains]))
        if gains
        else None,
    }


def _judge(run: Run, asked: list[Gold]) -> dict[str, Any] | None:
    """The judge model, its verdicts by column: how many, how many agree with matching strings and numbers, and the
    errors by kind. None where there was none."""
    if run.settings.get("judge") is None:
        return None
    columns = {}
    for column in run.columns:
        records = [(gold, run.records[gold.question.id][column]) for gold in asked]
        agreed = [same for gold, record in records for same in agreement(gold, record)]
        made = estimate([float(same) for same in agreed])
        columns[column] = {
            "verdicts": len(agreed),
            "agreement": made.to_json() if made else None,
            "errors": dict(Counter(error["kind"] for _, record in records for error in record.judge_errors)),
        }
    return {"model": run.settings["judge"], "columns": columns}


def _against(run: Run, scores: Scores, against: Run) -> dict[str, Any]:
    """Per column: the questions whose main score changed since the other run, and the paired difference."""
    earlier = _scores(against)
    gold = {g.question.id: g for g in run.gold}
    out: dict[str, Any] = {"run": against.id, "columns": {}}
    for column in run.columns:
        changed, mine, theirs = [], [], []
        for i, g in gold.items():
            if (i, column) not in scores or (i, column) not in earlier:
                continue
            now, then = main_score(g, scores[i, column]), main_score(g, earlier[i, column])
            if now is None or then is None:
                continue
            mine.append(now)
            theirs.append(then)
            if now != then:
                changed.append({"id": i, "was": round(then, 4), "is": round(now, 4)})
        out["columns"][column] = {
            "changed": changed,
            "answers_that_differ": _different(run, against, column),
            "difference": difference_json(paired(mine, theirs)) if mine else None,
        }
    return out


def _different(run: Run, against: Run, column: str) -> int | None:
    """Over the questions that both runs put to the column; None where there are none."""
    both = [i for i in run.records if column in run.records[i] and column in against.records.get(i, {})]
    return sum(_told(run.records[i][column]) != _told(against.records[i][column]) for i in both) if both else None


def _told(record: Record) -> object:
    return record.messages, record.values, record.answer


def _warnings(run: Run, asked: list[Gold]) -> list[str]:
    warnings = []
    if len(asked) < FEW_QUESTIONS:
        step = 100 / max(len(asked), 1)
        warnings.append(
            f"{len(asked)} questions are too few to tell columns apart: one answer moves a share by {step:.1f} points."
        )
    if doubted := doubt(run.settings.get("judge"), run.settings.get("chat")):
        warnings.append(doubted)
    return warnings
