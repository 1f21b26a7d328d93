"""One person: the numbers at the head, correspondents, and what holds their addresses together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from graph.ego import EgoPerson
from graph.plan import Item
from ingest.duplicates import Likely
from ui.components.charts import COLOURS
from ui.components.markup import html, join
from ui.components.message import count
from ui.components.people_table import hours, month, some
from ui.links import address
from ui.people import Address, Link, Listed, Month

if TYPE_CHECKING:
    import altair as alt

# What the rules of identity are called; the evidence follows.
RULES = {
    "x500": "one header names both",
    "x500_local_part": "a directory name fits the address",
    "name_in_organization": "one full name at one organisation",
    "rare_name": "one rare full name",
    "gmail": "Gmail takes both for one",
    "same_mailbox": "one mailbox",
}

_MONTH = "timeFormat(datetime(+slice(datum.value, 0, 4), +slice(datum.value, 5, 7) - 1, 1), '%b %Y')"


def head(person: Listed, addresses: Sequence[Address], is_answered_after: float | None, store: str) -> Markup:
    """Name, addresses with their organisations, and the numbers."""
    organizations = list(dict.fromkeys(one.organization for one in addresses if one.organization))
    marks = [
        word for word, yes in (("owner of this mailbox", person.is_owner), ("office or list", person.is_role)) if yes
    ]
    figures = [
        ("wrote", f"{person.sent:,}"),
        ("received", f"{person.received:,}"),
        ("from", month(person.first)),
        ("to", month(person.last)),
        ("answers after", hours(person.answers_after)),
        ("is answered after", hours(is_answered_after)),
    ]
    return html(
        '<div class="mw-person-head"><h2>{}{}</h2><p>{}{}</p><dl class="mw-figures">{}</dl>'
        '<p class="go"><a class="mw-small" href="{}">Network of {}</a><a class="mw-small" href="{}">All people</a></p>'
        "</div>",
        person.name,
        join(html('<span class="mw-badge">{}</span>', mark) for mark in marks),
        ", ".join(person.addresses[:3])
        + (f" and {len(person.addresses) - 3} more" if len(person.addresses) > 3 else ""),
        html(" · {}", ", ".join(organizations)) if organizations else "",
        join(html("<div><dt>{}</dt><dd>{}</dd></div>", label, value) for label, value in figures),
        address("graph", store=store, person=person.id),
        person.name,
        address("people", store=store),
    )


def timeline(months: Sequence[Month]) -> alt.Chart:
    """Messages by month, written and received. A click on a month selects it as ``month.label``."""
    import altair as alt
    import pandas as pd

    first, last = months[0].month, months[-1].month
    known = {one.month: one for one in months}
    rows = []
    for number in range(first.year * 12 + first.month - 1, last.year * 12 + last.month):
        at = first.replace(year=number // 12, month=number % 12 + 1)
        one = known.get(at, Month(at, 0, 0))
        rows += [
            {"label": f"{at:%Y-%m}", "what": what, "messages": n}
            for what, n in (("wrote", one.sent), ("received", one.received))
        ]
    picked = alt.selection_point(name="month", fields=["label"])
    chart: alt.Chart = (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar(cornerRadiusTopLeft=2, cornerRadiusTopRight=2)
        .encode(
            x=alt.X("label:O", title=None, axis=alt.Axis(labelAngle=0, labelOverlap=True, labelExpr=_MONTH)),
            y=alt.Y("messages:Q", title="messages"),
            color=alt.Color(
                "what:N", title=None, legend=alt.Legend(orient="top"),
                scale=alt.Scale(domain=["wrote", "received"], range=[COLOURS["graph"], COLOURS["lexical"]]),
            ),
            opacity=alt.condition(picked, alt.value(1.0), alt.value(0.35)),
            tooltip=[alt.Tooltip("label:N", title="month"), "what:N", "messages:Q"],
        )
        .add_params(picked)
        .properties(height=260)
    )  # fmt: skip
    return chart


def correspondents(centre: Listed, others: Sequence[EgoPerson], store: str) -> Markup:
    """Who they write with, most mail first: a link to each, and one to the messages between the two."""
    most = max((one.there + one.back for one in others), default=1)
    rows = [
        html(
            '<tr><td class="name"><a href="{}">{}</a><small>{}</small></td>'
            '<td class="n">{:,}</td><td class="n">{:,}</td>'
            '<td class="opt"><span class="mw-share" title="{:,} messages"><i class="w{}"></i></span></td>'
            '<td><a class="mw-small" href="{}">messages</a></td></tr>',
            address("people", store=store, person=one.id),
            one.name,
            one.domain or "",
            one.there,
            one.back,
            one.there + one.back,
            round(10 * (one.there + one.back) / most),
            address("people", store=store, person=centre.id, view="messages", **{"with": one.id}),
        )
        for one in others
    ]
    return html(
        '<div class="mw-scroll"><table class="mw-table"><thead><tr><th scope="col">Writes with</th>'
        '<th scope="col" class="n">to them</th><th scope="col" class="n">from them</th>'
        '<th scope="col" class="opt"></th><th scope="col"></th></tr></thead><tbody>{}</tbody></table></div>',
        join(rows),
    )


def threads(items: Sequence[Item], store: str) -> Markup:
    """Conversations with this person's number of messages in each."""
    rows = [
        html(
            '<a class="mw-row" href="{}"><span class="when">{}</span><span class="who">{} with them</span>'
            '<span class="what"><b>{}</b></span></a>',
            address("thread", store=store, thread=one.id),
            f"{one.last:%-d %b %Y}" if one.last else "no date",
            count(one.n, "message"),
            one.label or "(no subject)",
        )
        for one in items
    ]
    return html('<div class="mw-list">{}</div>', join(rows))


def addresses(given: Sequence[Address]) -> Markup:
    """The addresses with the names they were seen with."""
    rows = [
        html(
            '<tr><td class="name">{}<small>{}</small></td><td>{}</td>'
            '<td class="n">{:,}</td><td class="n">{:,}</td></tr>',
            one.address,
            "".join(some([f"“{name}”" for name in one.names], 4)),
            one.organization or "private",
            one.sent,
            one.received,
        )
        for one in given
    ]  # fmt: skip
    return html(
        '<div class="mw-scroll"><table class="mw-table"><thead><tr><th scope="col">Address</th><th scope="col">'
        'Organisation</th><th scope="col" class="n">wrote</th><th scope="col" class="n">received</th></tr></thead>'
        "<tbody>{}</tbody></table></div>",
        join(rows),
    )


def evidence(given: Sequence[Link]) -> Markup:
    """Why the addresses are one person, pair by pair."""
    rows = [
        html(
            '<li><span class="pair">{} = {}</span><span class="why"><b>{}</b>{}</span></li>',
            one.a,
            one.b,
            "decided by hand" if one.by_hand else RULES.get(one.rule, one.rule.replace("_", " ")),
            "" if one.by_hand else f": {one.evidence}",
        )
        for one in given
    ]
    return html('<ul class="mw-evidence">{}</ul>', join(rows))


def effect(before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> Markup:
    """What a decision would change: (who, what they have) before and after."""

    def side(title: str, rows: Sequence[tuple[str, str]]) -> Markup:
        return html(
            '<div><div class="mw-kind">{}</div>{}</div>',
            title,
            join(html('<div class="one"><b>{}</b><span>{}</span></div>', who, what) for who, what in rows),
        )

    return html('<div class="mw-effect">{}{}</div>', side("Now", before), side("Then", after))


def likely(pairs: Sequence[Likely], store: str) -> Markup:
    """Pairs who may be one person, each with a link to the preview of a merge."""
    rows = [
        html(
            '<div class="mw-pair"><div><a href="{}">{}</a><small>{} · {}</small></div>'
            '<div><a href="{}">{}</a><small>{} · {}</small></div>'
            '<div class="why">{}; together {}</div><a class="mw-small" href="{}">Look at a merge</a></div>',
            address("people", store=store, person=one.a.id), one.a.name, one.a.addresses[0],
            count(one.messages[0], "message"),
            address("people", store=store, person=one.b.id), one.b.name, one.b.addresses[0],
            count(one.messages[1], "message"),
            one.evidence, count(one.joined, "message"),
            address("people", store=store, person=one.a.id, view="addresses", **{"with": one.b.id}),
        )
        for one in pairs
    ]  # fmt: skip
    return html('<div class="mw-pairs">{}</div>', join(rows))
