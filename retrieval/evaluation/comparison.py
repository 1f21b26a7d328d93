"""How columns differ in what they retrieve, without asking who is right.

This is the finding that the project grew from, as a number on anybody's mailbox: two columns over the same question
share few of their twelve messages. Next to it stand what each finds alone, its time by step, its context and its
outcomes, and the overlap by kind of question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from statistics import median
from typing import Any

from retrieval.evaluation.run import Run
from retrieval.evaluation.score import Record

FIRST = 12


def compare(run: Run) -> dict[str, Any]:
    """How the columns differ in what they retrieve, without asking who is right: shared messages, unique finds, time,
    context, citations, outcomes; the overlap also by kind of question.

    ``shared`` is the mean over all questions, also those for which a column found nothing (it shares nothing then);
    ``shared_where_both_found`` leaves these out. ``distribution``: how many questions have 0, 1, 2 ... in common."""
    ids = [g.question.id for g in run.gold if g.question.id in run.records]
    kinds = {g.question.id: g.question.kind for g in run.gold}
    pairs = []
    for a, b in combinations(run.columns, 2):
        shared = {i: _shared(run, i, a, b) for i in ids}
        both = [i for i in ids if _first(run, i, a) and _first(run, i, b)]
        pairs.append(
            {
                "a": a,
                "b": b,
                "of": FIRST,
                "shared": _mean(shared.values()),
                "both_found": len(both),
                "shared_where_both_found": _mean(shared[i] for i in both),
                "distribution": dict(sorted(Counter(shared.values()).items())),
                "by_kind": {
                    kind: _mean(n for i, n in shared.items() if kinds[i] == kind)
                    for kind in sorted(set(kinds.values()))
                },
            }
        )
    return {
        "questions": len(ids),
        "pairs": pairs,
        "columns": {column: _behaviour(run, ids, column) for column in run.columns},
    }


def _shared(run: Run, question: str, a: str, b: str) -> int:
    return len(_first(run, question, a) & _first(run, question, b))


def _first(run: Run, question: str, column: str) -> set[int]:
    return set(run.records[question][column].messages[:FIRST])


def _behaviour(run: Run, ids: list[str], column: str) -> dict[str, Any]:
    records = [run.records[i][column] for i in ids]
    others = [c for c in run.columns if c != column]
    unique = [
        len(
            set(run.records[i][column].messages[:FIRST]).difference(
                *(run.records[i][c].messages[:FIRST] for c in others)
            )
        )
        for i in ids
    ]

    def middle(pick: Callable[[Record], float]) -> float | None:
        return round(median(map(pick, records)), 1) if records else None

    steps = sorted({name for r in records for name in r.milliseconds if name.startswith("step ")})
    return {
        "hits": _mean(len(r.messages) for r in records),
        "unique": _mean(unique),
        "median_ms": middle(lambda r: r.milliseconds.get("total", 0.0)),
        "step_ms": {
            name.removeprefix("step "): round(
                median(r.milliseconds[name] for r in records if name in r.milliseconds), 2
            )
            for name in steps
        },
        "context_characters": middle(lambda r: r.context_characters),
        "tokens": middle(lambda r: r.tokens),
        "citations": _mean(len(r.cited) for r in records),
        "unknown_citations": sum(r.unknown_citations for r in records),
        "outcomes": dict(Counter(r.outcome for r in records)),
        "retries": sum(r.retries for r in records),
    }


def _mean(values: Iterable[int]) -> float | None:
    listed = list(values)
    return round(sum(listed) / len(listed), 2) if listed else None
