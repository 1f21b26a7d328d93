"""One column's record of one question becomes its scores; a score that does not apply is absent, not zero."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from retrieval.evaluation import metrics
from retrieval.evaluation.facts_found import fact_found, share_found
from retrieval.evaluation.gold import Gold
from retrieval.evaluation.values import Comparison, compare, path_recall
from retrieval.types import Fact

MEANS = (
    "recall@5",
    "recall@12",
    "recall@40",
    "thread_recall@12",
    "mrr",
    "ndcg@10",
    "map",
    "value_correct",
    "value_partial",
    "path_recall",
    "facts_found",
    "facts_judged",
    "refused_right",
)


@dataclass
class Record:
    """What one column did with one question, as it is stored. ``messages`` best first; ``threads`` of them (None where
    a message has none); ``deep``: up to 40 messages, where they were asked for; ``values``: of the facts, in order;
    ``judged``: whether a judge model finds each gold fact in the answer (None: it failed, see ``judge_errors``), None
    as a whole where no judge was asked."""

    outcome: str
    messages: list[int] = field(default_factory=list)
    threads: list[int | None] = field(default_factory=list)
    deep: list[int] | None = None
    values: list[Any] = field(default_factory=list)
    errors: list[dict[str, str]] = field(default_factory=list)
    milliseconds: dict[str, float] = field(default_factory=dict)
    answer: str | None = None
    cited: list[int] = field(default_factory=list)
    unknown_citations: int = 0
    context_characters: int = 0
    tokens: int = 0
    retries: int = 0
    route: str | None = None
    judged: list[bool | None] | None = None
    judge_errors: list[dict[str, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As a row of ``mail.evaluation_record``."""
        return asdict(self)


def value_of(values: list[Any], value_type: str) -> Any:
    """The value that answers a question of ``value_type``: the first of that shape, else the first of any."""
    wanted = int if value_type == "number" else list
    return next((value for value in values if isinstance(value, wanted)), values[0] if values else None)


def compared(gold: Gold, record: Record) -> Comparison | None:
    """The value comparison of a question that has one."""
    q = gold.question
    if q.value_type is None:
        return None
    return compare(q.value, q.value_type, q.item_type, value_of(record.values, q.value_type))


def score(gold: Gold, record: Record, *, answered: bool) -> dict[str, float]:
    """All scores that apply to this question, by the names in ``MEANS``.

    ``answered``: the run let the model write. A column that then wrote nothing, since it found nothing or failed,
    told no fact; whether that was right is asked of questions without an answer in the mailbox."""
    scores: dict[str, float] = {}
    if gold.groups:
        groups = [[str(m) for m in group] for group in gold.groups]
        found = metrics.gains([[str(m)] for m in record.messages], groups, gold.grades)
        n = len(groups)
        scores["recall@5"] = metrics.recall(found, n, 5)
        scores["recall@12"] = metrics.recall(found, n, 12)
        if record.deep is not None:
            deep = metrics.gains([[str(m)] for m in record.deep], groups, gold.grades)
            scores["recall@40"] = metrics.recall(deep, n, 40)
            scores["map"] = metrics.average_precision(deep, n)
        scores["thread_recall@12"] = _thread_recall(gold, record)
        everything = groups + [[str(m) for m in group] for group in gold.also_ok]
        scores["mrr"] = metrics.reciprocal_rank(metrics.gains([[str(m)] for m in record.messages], everything))
        scores["ndcg@10"] = metrics.ndcg(found, gold.grades, 10)
    if (comparison := compared(gold, record)) is not None:
        scores["value_correct"] = comparison.right
        scores["value_partial"] = comparison.partial
    if gold.question.path:
        scores["path_recall"] = path_recall(gold.question.path, record.values)
    if answered:
        if gold.question.unanswerable:
            scores["refused_right"] = float(record.outcome in ("declined", "nothing_retrieved"))
        elif (share := share_found(gold.question.facts, record.answer or "")) is not None:
            scores["facts_found"] = share
            if verdicts := [verdict for verdict in record.judged or () if verdict is not None]:
                scores["facts_judged"] = sum(verdicts) / len(verdicts)
    return scores


def agreement(gold: Gold, record: Record) -> list[bool]:
    """For each fact that a judge was asked about: whether matching strings and numbers comes to the same."""
    facts = zip(gold.question.facts, record.judged or (), strict=False)
    if record.outcome != "answered":
        return []  # nothing was told, so nobody was asked
    return [fact_found(fact, record.answer or "") == verdict for fact, verdict in facts if verdict is not None]


def recall_at(gold: Gold, record: Record, k: int) -> float | None:
    """Share of the gold groups among the first ``k`` messages; None for a question without gold messages."""
    if not gold.groups:
        return None
    groups = [[str(m) for m in group] for group in gold.groups]
    return metrics.recall(metrics.gains([[str(m)] for m in record.messages], groups), len(groups), k)


def _thread_recall(gold: Gold, record: Record) -> float:
    """Share of the groups of which a message of the same thread is among the first 12. A group without a thread is
    found by itself alone."""
    messages, threads = set(record.messages[:12]), set(record.threads[:12]) - {None}
    found = sum(bool(group & messages or own & threads) for group, own in zip(gold.groups, gold.threads, strict=True))
    return found / len(gold.groups)


def fact_values(facts: list[Fact]) -> list[Any]:
    """The values of a column's facts, as they are stored with the run."""
    return [fact.value for fact in facts]
