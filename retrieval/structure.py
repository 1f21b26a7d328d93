"""What structure alone finds for a planned question: facts, and the messages where its conditions meet.

For a question about structure the messages are those behind the fact. For a question about content they are the
messages that meet all named people, organisations, folders, conversations and the period; when these are too few, those
that meet all conditions but one, and so on: each step is a query of its own and is shown. Thread siblings of what was
found fill the rest, since the answer often stands in the reply beside it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import psycopg

from graph import execute, neighbours
from graph.plan import Answer, Between, Filter, Intent, Organizations, People, Period, Plan, Threads
from retrieval import facts
from retrieval.carriers import carried
from retrieval.columns.base import Found, Trace
from retrieval.planning import Planned
from retrieval.types import Fact, FoundBy

ROWS = 2_000
BEHIND = 60  # messages behind a fact that are hits; the fact itself is complete


def find_facts(conn: psycopg.Connection[Any], planned: Planned, trace: Trace) -> tuple[list[Fact], list[Found]]:
    """The facts of a question about structure (the answer first, then its steps), and the messages behind them; nothing
    for a question about content."""
    question = planned.question
    if question.plan is None or question.intent == "content":
        return [], []
    with trace.step("traverse", "the plan") as notes:
        answer = execute.answer(conn, question.plan, limit=ROWS)
        notes.output = (
            f"{answer.total:,} items of {answer.messages:,} messages, by {answer.language} ({answer.because})"
        )
        notes.size = answer.total
    found = _behind(conn, question.plan, answer, trace)
    fact = facts.of_answer(
        question.plan,
        answer,
        question.intent,
        planned.names.index,
        question.links,
        messages=[f.message for f in found],
        doubt="" if question.sure else question.reason,
    )
    return [fact, *facts.of_steps(question.plan, answer, planned.names.index)], found


def _behind(conn: psycopg.Connection[Any], plan: Plan, answer: Answer, trace: Trace) -> list[Found]:
    """The messages that a fact rests on."""
    if plan.target == "messages":
        return [Found(int(i.id), 1.0, [FoundBy("traverse", n)]) for n, i in enumerate(answer.items[:BEHIND], 1)]
    filters: tuple[Filter, ...] = plan.filters
    ids = tuple(int(i.id) for i in answer.items[:20] if isinstance(i.id, int))
    if plan.target == "people" and ids:
        filters += (People(plan.role or "participant", ids),)
    elif plan.target == "organizations" and ids:
        filters += (Organizations(plan.role or "participant", ids),)
    elif plan.target == "threads" and ids:
        filters += (Threads(ids),)
    elif plan.target == "months" and answer.items and plan.limit:
        filters += (_month(str(answer.items[0].id)),)
    if not answer.items:
        return []
    with trace.step("messages behind it", f"{len(answer.items)} items") as notes:
        behind = execute.answer(conn, Plan("messages", filters=filters, not_filters=plan.not_filters), limit=BEHIND)
        notes.output, notes.size = f"{behind.messages:,} messages", behind.messages
    return [Found(int(i.id), 1.0, [FoundBy("behind the fact", n)]) for n, i in enumerate(behind.items, 1)]


def neighbourhood(conn: psycopg.Connection[Any], planned: Planned, trace: Trace, wanted: int) -> list[Found]:
    """Messages where the conditions of a question about content meet, those with most conditions first."""
    plan = planned.question.plan
    if plan is None:
        return []
    found: dict[int, Found] = {}
    for met, filters, name in _relaxed(plan.filters):
        with trace.step("traverse", name) as notes:
            # mail to few is about those few; circulars come last
            closest = replace(plan, filters=filters, order_by="recipients", descending=False)
            answer = execute.answer(conn, closest, limit=wanted)
            new = [int(i.id) for i in answer.items if int(i.id) not in found]
            for rank, message in enumerate(new, 1):
                found[message] = Found(message, met / len(plan.filters), [FoundBy(name, rank)])
            notes.output, notes.size = f"{answer.messages:,} messages, {len(new)} new, by {answer.language}", len(new)
        if len(found) >= wanted:
            break
    return list(found.values())


def _relaxed(filters: tuple[Filter, ...]) -> Iterator[tuple[int, tuple[Filter, ...], str]]:
    """All conditions; then in any role; then all but one, ... A period alone says too little once others failed."""
    total = len(filters)
    yield total, filters, "all conditions"
    anyhow = tuple(dict.fromkeys(_in_any_role(f) for f in filters))
    if anyhow != filters:
        yield total, anyhow, "all conditions, in any role"
    for size in range(len(anyhow) - 1, 0, -1):
        for kept in itertools.combinations(anyhow, size):
            if not all(isinstance(f, Period) for f in kept):
                yield size, kept, f"{size} of {total} conditions"


def _in_any_role(f: Filter) -> Filter:
    if isinstance(f, People):
        return replace(f, role="participant")
    return People("participant", f.a) if isinstance(f, Between) else f


def siblings(conn: psycopg.Connection[Any], found: list[Found], trace: Trace, per_message: int = 3) -> list[Found]:
    """Messages of the same conversations as ``found``, those beside each in time first, at most ``per_message`` each.

    What stands beside a message may be known only from a quotation in it, which adds nothing: some more are asked for.
    """
    ranks = {f.message: rank for rank, f in enumerate(found, 1)}
    with trace.step("expand", f"threads of {len(ranks)} messages") as notes:
        beside = neighbours.siblings(conn, list(ranks), 3 * per_message)
        places = [Found(n.message, n.score, [FoundBy(f"thread of #{ranks[n.seed]}", n.distance)]) for n in beside]
        given: Counter[str] = Counter()
        kept = []
        for f in carried(conn, places):
            seed = f.found_by[0].step
            if f.message not in ranks and given[seed] < per_message:
                given[seed] += 1
                kept.append(f)
        notes.output, notes.size = f"{len(kept)} siblings", len(kept)
    return kept


def is_about_structure(intent: Intent) -> bool:
    """The answer is a value rather than something that was said."""
    return intent != "content"


def _month(text: str) -> Period:
    year, month = (int(part) for part in text.split("-"))
    return Period(date(year, month, 1), date(year + month // 12, month % 12 + 1, 1))
