"""Everybody in one table: who wrote and received how much, since when, and how fast they answer. Heads sort it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from markupsafe import Markup

from ui.components.markup import html, join
from ui.links import address
from ui.people import Listed, Sort

# Head, what it means, and whether a narrow screen can do without.
HEADS: dict[Sort, tuple[str, str, bool]] = {
    "name": ("Name", "By name", False),
    "wrote": ("Wrote", "Messages they wrote", False),
    "received": ("Received", "Messages they got, in To, Cc or Bcc", False),
    "first": ("First", "Month of the first message", True),
    "last": ("Last", "Month of the last message", False),
    "answers": ("Answers after", "Median time until they answer, where a message is an answer to a known one", True),
}


def table(
    people: Sequence[Listed], bars: Mapping[int, Sequence[int]], store: str, sort: Sort, *, descending: bool
) -> Markup:
    """One page of people. A click on a head opens ``sort:NAME``, a name is a link to the person. ``bars``: mail over
    the time of the mailbox."""
    heads = [_head(name, sort, descending=descending) for name in HEADS]
    return html(
        '<div class="mw-scroll"><table class="mw-table"><thead><tr>{}<th scope="col" class="opt">Over time</th></tr>'
        "</thead><tbody>{}</tbody></table></div>",
        join(heads),
        join(_row(one, bars.get(one.id, ()), store) for one in people),
    )


def some(texts: Sequence[str], most: int) -> tuple[str, str]:
    """The first ones, and how many more there are."""
    return ", ".join(texts[:most]), f" and {len(texts) - most} more" if len(texts) > most else ""


def hours(value: float | None) -> str:
    """A duration as a person says it."""
    if value is None:
        return "–"
    if value < 1:
        return f"{max(1, round(value * 60))} min"
    return f"{value:.0f} h" if value < 48 else f"{value / 24:.0f} days"


def month(at: date | None) -> str:
    """A month of a year."""
    return f"{at:%b %Y}" if at else "–"


def _head(name: Sort, sort: Sort, *, descending: bool) -> Markup:
    label, meaning, optional = HEADS[name]
    here = name == sort
    return html(
        '<th scope="col" class="{}" aria-sort="{}"><button type="button" data-open="sort:{}" title="{}">{}{}</button>'
        "</th>",
        f"{'opt' if optional else ''} {'n' if name in ('wrote', 'received') else ''}",
        ("descending" if descending else "ascending") if here else "none",
        name,
        meaning,
        label,
        html('<span class="dir">{}</span>', "↓" if descending else "↑") if here else "",
    )


def _row(one: Listed, bars: Sequence[int], store: str) -> Markup:
    marks = [word for word, yes in (("owner", one.is_owner), ("office or list", one.is_role)) if yes]
    return html(
        '<tr><td class="name"><a href="{}">{}</a>{}<small>{}{}</small></td>'
        '<td class="n">{:,}</td><td class="n">{:,}</td>'
        '<td class="opt">{}</td><td>{}</td><td class="opt" title="{}">{}</td>'
        '<td class="opt"><span class="mw-spark" data-bars="{}"></span></td></tr>',
        address("people", store=store, person=one.id),
        one.name,
        join(html('<span class="mw-badge">{}</span>', mark) for mark in marks),
        *some(one.addresses, 1),
        one.sent,
        one.received,
        month(one.first),
        month(one.last),
        f"over {one.answers:,} answers" if one.answers else "no answer of theirs is known",
        hours(one.answers_after),
        " ".join(str(value) for value in bars),
    )
