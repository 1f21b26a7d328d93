"""analytics: figures of the correspondence, its communities, and what changed from month to month."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options

if TYPE_CHECKING:
    from graph.analytics import Analytics, Community, PersonFigures
    from graph.analytics.months import Month

SMALLEST = 3
SHOWN = 4


@click.command(epilog="Example: mailweave analytics --communities")
@click.option("--communities", is_flag=True, help="Groups of people who write each other more than others.")
@click.option("--months", is_flag=True, help="What changed from month to month.")
@click.option("--limit", type=click.IntRange(min=1), default=25, show_default=True, help="Rows of the table.")
@options
def analytics(invocation: Invocation, communities: bool, months: bool, limit: int) -> None:
    """People by how much they write, with how many, how mutually and how fast.

    Computed once for each state of the graph, then kept. Counted messages only: no drafts, no spam, no trash.
    """
    from graph.analytics import current
    from graph.analytics.months import changes

    with invocation.store() as store:
        with Bars(quiet=invocation.json) as bars:
            bars.step("computing", None)
            found = current(store)
        if months:
            with store.reader() as conn:
                by_month = changes(conn)[-limit:]
    if months:
        if invocation.json:
            invocation.emit(by_month)
        else:
            _say_months(by_month)
        return
    groups = [one for one in found.communities if len(one.members) >= SMALLEST]
    if invocation.json:
        about = {"pivots": found.pivots, "computed_at": found.computed_at}
        invocation.emit({**about, "communities": groups} if communities else {**about, "people": found.people[:limit]})
    elif communities:
        _say_communities(groups[:limit], {one.person: one.name for one in found.people}, len(groups))
    else:
        _say_people(found, limit)


def _say_people(found: Analytics, limit: int) -> None:
    click.echo(
        f"{'person':<28} {'sent to':>9} {'from':>8} {'people':>7} {'mutual':>7} {'answers in':>11} {'answered in':>12} "
        f"{'between':>8}"
    )
    for one in found.people[:limit]:
        click.echo(_line(one))
    how = "exact" if found.pivots is None else f"estimated from the paths of {found.pivots} people"
    click.echo(
        f"\n{min(limit, len(found.people))} of {len(found.people):,} people. A mail to three counts three times.\n"
        "Mutual: share of correspondents with mail in both directions. Answers: the median time.\n"
        "Between: share of the shortest paths between others that lead through the person, without the owner "
        f"({how})."
    )


def _line(one: PersonFigures) -> str:
    people = max(one.writes_to, one.written_by)
    between = "" if one.betweenness is None else f"{100 * one.betweenness:.1f} %"
    return (
        f"{one.name[:28]:<28} {one.sent_to:>9,} {one.received_from:>8,} {people:>7,} {100 * one.reciprocity:>5.0f} % "
        f"{_hours(one.answers_after):>11} {_hours(one.is_answered_after):>12} {between:>8}"
    )


def _hours(hours: float | None) -> str:
    if hours is None:
        return ""
    return f"{60 * hours:.0f} min" if hours < 1 else f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.0f} days"


def _say_communities(groups: list[Community], names: dict[int, str], of: int) -> None:
    for one in groups:
        people = ", ".join(names[person] for person in one.people[:SHOWN])
        more = f" and {len(one.people) - SHOWN:,} more" if len(one.people) > SHOWN else ""
        part = f", part of {one.parent}" if one.parent is not None else ""
        title = f" {one.name}:" if one.name else ""
        size = f"{len(one.people):,} people, {one.messages:,} messages"
        click.echo(f"{'  ' * one.level}{one.id}{part}:{title} {size}: {people}{more}")
    click.echo(f"\n{len(groups)} of {of} communities of at least {SMALLEST} people; the owner is in none.")


def _say_months(months: list[Month]) -> None:
    for one in months:
        told = [f"{one.month:%Y-%m}: {one.messages:,} messages by {one.writers:,} people, {one.new:,} new"]
        for word, people in (("more with", one.more), ("less with", one.less)):
            if people:
                told.append(f"{word} {', '.join(f'{name} ({change:+,})' for _, name, change in people)}")
        click.echo("; ".join(told))


COMMANDS: tuple[click.Command, ...] = (analytics,)
