"""What stands around the picture of a network: the chain of a path, the months, the legend, the card, the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from graph.ego import Ego, EgoPerson, Tie
from graph.neighbours import PathStep
from ui.components.bar_rows import bar_row
from ui.components.markup import html, join
from ui.components.message import count
from ui.ego import Group
from ui.links import address

TIES = 10


def chain(steps: Sequence[PathStep], names: Mapping[int, str], opened: str) -> Markup:
    """A path as a chain; each step opens its messages."""
    parts = [
        html('<button type="button" class="mw-pick" data-open="node:{}">{}</button>', steps[0].a, names[steps[0].a])
    ]
    for step in steps:
        edge = _edge(step.a, step.b)
        parts.append(
            html(
                '<button type="button" class="mw-step{}" data-open="edge:{}" title="Messages between {} and {}">{:,} '
                'messages</button><button type="button" class="mw-pick" data-open="node:{}">{}</button>',
                " on" if edge == opened else "", edge, names[step.a], names[step.b], step.n, step.b, names[step.b],
            )
        )  # fmt: skip
    parts.append(html('<span class="mw-note">over all months</span>'))
    return html('<div class="mw-chain" role="group" aria-label="Path">{}</div>', join(parts))


def month_bars(months: Sequence[tuple[str, int]], first: str, last: str) -> Markup:
    """How much mail there is in each month, above the slider; those outside its ends are faint."""
    most = max(n for _, n in months) or 1
    bars = join(
        html(
            '<i class="{}" style="height:{:.0f}%" title="{}: {:,} messages"></i>',
            "" if first <= month <= last else "out", max(4, 100 * n / most) if n else 0, month, n,
        )
        for month, n in months
    )  # fmt: skip
    return html('<div class="mw-months" aria-hidden="true">{}</div>', bars)


def legend(groups: Sequence[Group], offices: int) -> Markup:
    """Which colour is whom; the groups that share the last colour are counted together. ``offices``: squares."""
    single = [group for group in groups if group.colour != "other"]
    rest = [group for group in groups if group.colour == "other"]
    rows = [_key(group.colour, group.name, group.people) for group in single]
    if rest:
        name = rest[0].name if len(rest) == 1 else f"{len(rest)} more groups"
        rows.append(_key("other", name, sum(group.people for group in rest)))
    if offices:
        rows.append(_key("square", "lists and offices", offices))
    return html('<div class="mw-legend-row">{}</div>', join(rows))


def card(found: Ego, person: EgoPerson, opened: str) -> Markup:
    """A person: with whom they write most among those shown."""
    centre = found.people[0]
    people = {one.id: one for one in found.people}
    about = person.domain or "private address"
    if person is centre:
        line = f"{count(found.correspondents, 'correspondent')}, {found.correspondents - centre.hidden:,} shown"
    elif person.there + person.back:
        line = f"{person.there:,} messages from and {person.back:,} to {centre.name}"
    else:
        line = f"no mail with {centre.name} here"
    ties = [tie for tie in found.ties if person.id in (tie.a, tie.b)]
    most = max((tie.n for tie in ties), default=1)
    rows = join(
        _tie_row(tie, people[tie.b if tie.a == person.id else tie.a], person.id, most, opened) for tie in ties[:TIES]
    )
    return html(
        '<div class="mw-card"><div class="name">{}</div><div class="about">{}</div><div class="about">{}</div>'
        '<div class="cap">Writes most with</div>{}</div>',
        person.name, about, line, rows or html('<div class="about">nobody in these months</div>'),
    )  # fmt: skip


def table(store: str, found: Ego, groups: Mapping[int, str]) -> Markup:
    """The people of the picture as a table, which a screen reader can read; names lead to the person's page."""
    centre = found.people[0]
    strongest: dict[int, Tie] = {}
    for tie in found.ties:
        if centre.id not in (tie.a, tie.b):
            strongest.setdefault(tie.a, tie)
            strongest.setdefault(tie.b, tie)
    names = {one.id: one.name for one in found.people}
    rows = []
    for one in found.people[1:]:
        most = strongest.get(one.id)
        beside = "" if most is None else f"{names[most.b if most.a == one.id else most.a]} ({most.n:,})"
        rows.append(
            html(
                '<tr><th scope="row"><a href="{}">{}</a></th><td>{}</td><td class="n">{:,}</td><td class="n">{:,}</td>'
                '<td>{}</td><td class="n">{:,}</td></tr>',
                address("people", store=store, person=one.id), one.name, groups.get(one.id, ""), one.there, one.back,
                beside, one.hidden,
            )
        )  # fmt: skip
    return html(
        '<div class="mw-scroll"><table class="mw-table"><caption>People around {}</caption><thead><tr>'
        '<th scope="col">Name</th><th scope="col">Group</th><th scope="col" class="n">Messages from {}</th>'
        '<th scope="col" class="n">Messages to {}</th><th scope="col">Otherwise writes most with</th>'
        '<th scope="col" class="n">Not shown</th></tr></thead><tbody>{}</tbody></table></div>',
        centre.name, centre.name, centre.name, join(rows),
    )  # fmt: skip


def _tie_row(tie: Tie, other: EgoPerson, own: int, most: int, opened: str) -> Markup:
    edge = _edge(tie.a, tie.b)
    there, back = (tie.there, tie.back) if tie.a == own else (tie.back, tie.there)
    words = f"{there:,} to them, {back:,} from them"
    return bar_row(other.name, tie.n, most, f"edge:{edge}", on=edge == opened, title=words)


def _key(colour: int | str, name: str, n: int) -> Markup:
    return html('<span class="mw-key"><i class="g{}"></i>{} <small>{:,}</small></span>', colour, name, n)


def _edge(a: int, b: int) -> str:
    return f"{min(a, b)}-{max(a, b)}"
