"""One column: what it is, how it ended, its exact facts, what it found, what went wrong.

The parts are separate functions, since the page puts things between them that only Streamlit can draw (a query in a
folded block, a button, a running answer).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from markupsafe import Markup

from retrieval.errors import as_query_error
from retrieval.types import Fact, Hit, QueryError
from ui.components.markup import html, join, show
from ui.components.message import line
from ui.components.names import HOW, OUTCOMES, colour, title
from ui.components.trace import milliseconds
from ui.examples import Example
from ui.messages import Headline

ITEMS_SHOWN = 8


def head(column: str, outcome: str, note: str, total_ms: float | None, because: str = "") -> Markup:
    """Name, how it looks for things, outcome and time. ``because``: why the router chose, for ``auto``."""
    return html(
        '<div class="mw-head {}"><div class="row"><span class="name">{}</span><span class="ms">{}</span></div>'
        '<div class="how">{}</div><span class="mw-outcome {}">{}</span>{}</div>',
        colour(column),
        title(column),
        "" if total_ms is None else milliseconds(total_ms),
        because or HOW.get(column, ""),
        outcome,
        OUTCOMES.get(outcome, outcome),
        html('<span class="mw-note">{}</span>', note) if note else "",
    )


def facts(column: str, given: Sequence[Fact]) -> Markup:
    """The exact facts: a number large, a list with its counts as bars."""
    return html(
        '<div class="mw-facts {}"><div class="cap"><span>Counted, exact</span></div>{}</div>',
        colour(column),
        join(_fact(fact) for fact in given),
    )


def understood(plan: Mapping[str, Any]) -> Markup:
    """How the question was understood, and which names it was taken to mean."""
    names = []
    for link in plan["links"]:
        used = [one["label"] for one in link["candidates"] if one["used"]]
        others = [one["label"] for one in link["candidates"] if not one["used"]]
        meant = " or ".join(used) or "nobody"
        names.append(f"“{link['text']}” means {meant}" + (f" (not {', '.join(others[:3])})" if others else ""))
    text = plan["text"] or "a question about content"
    return html(
        '<div class="mw-understood">Understood as <b>{}</b>{}{}</div>',
        text,
        html('<span class="names">{}</span>', "; ".join(names)) if names else "",
        "" if plan["planner"] == "rules" else html('<span class="names">planned by the {}</span>', plan["planner"]),
    )


def hits(
    column: str,
    found: Sequence[Hit],
    lines: Mapping[int, Headline],
    also: Mapping[int, Sequence[str]],
    *,
    steps: bool = True,
) -> Markup:
    """The messages of the column in its order. ``also``: which other columns found a message. ``steps``: whether it is
    said which steps found it."""
    rows = [
        line(
            lines[hit.message],
            hit.rank,
            [f"{by.step} #{by.rank}" for by in hit.found_by] if steps else [],
            [name for name in also.get(hit.message, ()) if name != column],
        )
        for hit in found
        if hit.message in lines
    ]
    return html('<div class="mw-hits {}">{}</div>', colour(column), join(rows))


def error(given: QueryError, *, with_query: bool = True) -> Markup:
    """An error in red with its query and the next step."""
    return html(
        '<div class="mw-error" role="alert"><b>{}</b>{}{}{}</div>',
        given.kind,
        given.message,
        html('<span class="hint">{}</span>', given.hint) if given.hint else "",
        html("<pre>{}</pre>", given.query) if with_query and given.query else "",
    )


def doubts(told: Sequence[str]) -> Markup:
    """Where facts, messages and answer contradict each other."""
    return join(html('<div class="mw-doubt" role="note">{}</div>', one) for one in told)


def examples(offered: Sequence[Example]) -> Markup:
    """Questions to click, by kind; what is clicked is the place in ``offered``."""
    kinds: dict[str, list[Markup]] = {}
    for number, one in enumerate(offered):
        kinds.setdefault(one.kind, []).append(
            html('<button type="button" class="mw-example" data-open="{}">{}</button>', number, one.text)
        )
    return html(
        '<div class="mw-examples">{}</div>',
        join(html('<div><div class="mw-kind">{}</div>{}</div>', kind, join(rows)) for kind, rows in kinds.items()),
    )


def legend(columns: Sequence[str]) -> Markup:
    """What each column does."""
    return join(
        html('<div class="mw-legend {}"><b>{}</b> {}</div>', colour(name), title(name), HOW.get(name, ""))
        for name in columns
    )


@contextmanager
def errors_shown() -> Iterator[None]:
    """The outermost edge of a part of the page: what fails in it stands where it would have stood, the rest goes on."""
    try:
        yield
    except Exception as failure:
        show(error(as_query_error(failure)))


def empty(text: str) -> Markup:
    """A place where something could stand, with what to do."""
    return html('<div class="mw-empty">{}</div>', text)


def no_mail(store: str) -> Markup:
    """In the place of a page that has nothing to show, since the store is empty."""
    return empty(f"The store “{store}” holds no mail yet. Read some on the page Mailbox, or with: {reading(store)}")


def reading(store: str) -> str:
    """The command that reads mail into the store."""
    return f"mailweave ingest PATH{store_flag(store)}"


def store_flag(store: str) -> str:
    """What a command needs behind it to mean this store."""
    return "" if store == "default" else f" --store {store}"


def _fact(fact: Fact) -> Markup:
    if isinstance(fact.value, int):
        return html(
            '<div class="mw-fact"><div class="big">{:,}</div><div class="text">{}</div></div>', fact.value, fact.text
        )
    largest = max((int(item.get("n") or 0) for item in fact.value), default=0)
    rows = [_item(place, item, largest) for place, item in enumerate(fact.value, 1)]
    rest = rows[ITEMS_SHOWN:]
    more = html('<details><summary>and {} more</summary><ol class="mw-rank">{}</ol></details>', len(rest), join(rest))
    return html(
        '<div class="mw-fact"><div class="text">{}</div>{}{}</div>',
        fact.text,
        html('<ol class="mw-rank">{}</ol>', join(rows[:ITEMS_SHOWN])) if rows else "",
        more if rest else "",
    )


def _item(place: int, item: Mapping[str, Any], largest: int) -> Markup:
    n = item.get("n")
    label = str(item.get("label", ""))
    keys = ", ".join(str(key) for key in item.get("keys") or () if key != label)
    bar = Markup("")
    if isinstance(n, int) and largest > 0:
        bar = html('<span class="b" style="width:{:.1f}%"></span>', 100 * n / largest)
    return html(
        '<li>{}<span class="i">{}</span><span class="l" title="{}">{}</span><span class="n">{}</span></li>',
        bar,
        place,
        keys,
        label,
        f"{n:,}" if isinstance(n, int) else "",
    )
