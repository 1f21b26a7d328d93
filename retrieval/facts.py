"""The result of a plan becomes a fact: a sentence whose value was computed by the query that stands beside it.

A fact is complete. A list says how many there are and shows all of them, or says what was cut. A tie at the end of a
ranking is told, and so is a name that fits several people, and a doubt about the plan itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph.plan import Answer, Intent, Item, Plan
from retrieval import describe
from retrieval.linker import Link, NameIndex
from retrieval.types import Fact

SHOWN_IN_SENTENCE = 40
MESSAGES_BEHIND = 50


def of_answer(
    plan: Plan,
    answer: Answer,
    intent: Intent,
    index: NameIndex,
    links: Sequence[Link] = (),
    *,
    messages: Sequence[int] = (),
    doubt: str = "",
) -> Fact:
    """The fact of a plan's answer. ``messages``: ids behind it, where the plan is not about messages; ``doubt``: why
    the plan may not be what was asked."""
    described = describe.plan(plan, index)
    items = [_item(i) for i in answer.items]
    value: int | list[dict[str, Any]]
    if intent == "count":
        value = answer.messages if plan.target == "messages" and plan.limit is None else answer.total
        text = f"{value:,} {described}"
    elif intent == "span" and plan.target == "messages":
        value = items
        text = f"{answer.total:,} {described}{_span(answer)}"
    else:
        value = items
        text = f"{_head(plan, answer, described)}: {_listed(answer.items, plan)}"
        cut = answer.total - len(items)
        if cut > 0 and plan.limit is None:
            text += f" (the first {len(items)} of {answer.total:,} are given)"
    text += _tie(plan, answer) + _ambiguous(links)
    if answer.recovered and plan.target == "messages":
        text += f" (+ {answer.recovered} known only from quotations, not counted)"
    if doubt:
        text += f" (not sure that this is what was asked: {doubt})"
    behind = [int(i.id) for i in answer.items] if plan.target == "messages" else list(messages)
    return Fact(
        text=text + ".",
        value=value,
        query=answer.query,
        rows=[{**row, "first": _iso(i.first), "last": _iso(i.last)} for row, i in zip(items, answer.items, strict=True)]
        if items
        else [{"messages": answer.messages, "recovered": answer.recovered}],
        messages=tuple(behind[:MESSAGES_BEHIND]),
        rule=describe.counting_rule(plan),
    )


def of_steps(plan: Plan, answer: Answer, index: NameIndex) -> list[Fact]:
    """A fact for each plan inside the plan, in the order in which they ran: the hops of a question with several."""
    out: list[Fact] = []
    for inner, step in zip(_inner(plan), answer.steps, strict=False):
        out += of_steps(inner, step, index)
        out.append(of_answer(inner, step, "rank" if inner.limit else "list", index))
    return out


def _inner(plan: Plan) -> list[Plan]:
    values = [getattr(f, name, None) for f in (*plan.filters, *plan.not_filters) for name in ("who", "which")]
    return [v for v in (*values, *plan.within, *plan.without) if isinstance(v, Plan)]


def _head(plan: Plan, answer: Answer, described: str) -> str:
    if plan.limit is not None:
        return described[0].upper() + described[1:]
    return f"{answer.total:,} {described}"


def _listed(items: Sequence[Item], plan: Plan) -> str:
    if not items:
        return "none"
    shown = [_named(i, plan) for i in items[:SHOWN_IN_SENTENCE]]
    if len(items) > SHOWN_IN_SENTENCE:
        shown.append(f"and {len(items) - SHOWN_IN_SENTENCE} more in the rows")
    return "; ".join(shown)


def _named(item: Item, plan: Plan) -> str:
    label = item.label or (item.keys[0] if item.keys else str(item.id))
    if plan.target == "people" and item.keys and item.keys[0] not in label:
        label += f" <{item.keys[0]}>"
    if plan.target == "messages":
        return f"{label} ({item.n} recipients)" if plan.order_by == "recipients" else label
    if plan.order_by == "date":
        when = item.last if plan.descending else item.first
        return f"{label} ({when:%Y-%m-%d})" if when else label
    return f"{label} ({item.n})"


def _item(item: Item) -> dict[str, Any]:
    return {
        "label": item.label or (item.keys[0] if item.keys else ""),
        "n": item.n,
        "keys": list(item.keys),
        "id": item.id,
    }


def _span(answer: Answer) -> str:
    times = [t for i in answer.items for t in (i.first, i.last) if t]
    return f", from {min(times):%Y-%m-%d} to {max(times):%Y-%m-%d}" if times else ""


def _tie(plan: Plan, answer: Answer) -> str:
    if answer.next is None or not answer.items or plan.order_by != "count" or answer.next.n != answer.items[-1].n:
        return ""
    return f" (a tie: {answer.next.label or answer.next.id} has {answer.next.n} too)"


def _ambiguous(links: Sequence[Link]) -> str:
    parts = []
    for link in links:
        if link.ambiguous and link.kind in ("person", "organization"):
            chosen = [c for c in link.candidates if c.id in link.ids]
            names = ", ".join(f"{c.label} ({c.n} messages)" for c in chosen)
            parts.append(f" ('{link.text}' may mean {len(link.ids)}: {names}; all are taken together)")
        elif link.how == "fuzzy" and link.candidates:
            parts.append(f" ('{link.text}' was read as {link.candidates[0].label})")
    return "".join(parts)


def _iso(value: Any) -> str | None:
    return value.isoformat(sep=" ", timespec="minutes") if value else None
