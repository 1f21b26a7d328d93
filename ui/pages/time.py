"""Time: when mail was written, by month, by weekday and hour, and by sender, organisation or label.

What is chosen in one chart filters all the others and the list below; each choice stands in the address.
"""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import cast

import streamlit as st

from graph import activity
from graph.activity import By, Chosen, Selection
from ui import workspace
from ui.components import column, grid
from ui.components.bar_rows import bar_row
from ui.components.choice import choice
from ui.components.head import head
from ui.components.markup import clickable, html, join, show
from ui.components.message import count
from ui.components.message_list import message_list
from ui.workspace import Workspace

DAYS = list(calendar.day_name)
HOURS = [f"{hour}" for hour in range(24)]
BY = {"sender": "Sender", "organization": "Organisation", "label": "Folder or label"}
FILTERS = ("from", "to", "days", "hours", "sender", "organization", "label", "automated")


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space)
    chosen = _chosen()
    whole = space.read(store, "months of all", lambda conn: activity.span(activity.months(conn, Chosen())))
    if not whole:
        show(column.empty(f"There is no dated mail in “{store}” yet. Read mail with: {column.reading(store)}"))
        return
    found = space.read(store, ("months", chosen), lambda conn: activity.months(conn, chosen))
    total = sum(n for month, n in found.items() if _within(month, chosen))
    _summary(space, store, chosen, total)
    _months([(month, found.get(month, 0)) for month in whole], chosen)
    if strays := sum(n for month, n in found.items() if not whole[0] <= month <= whole[-1]):
        st.caption(f"{count(strays, 'message')} with a date far away from all others (a wrong clock) not drawn here.")
    left, right = st.columns([11, 9], gap="large")
    with left:
        _hours(space, store, chosen)
    with right:
        _ranked(space, store, chosen)
    st.subheader("Messages", anchor=False)
    message_list(
        space, store, Selection(space.store(store).reader, chosen, total),
        empty="No message fits all of these choices. Take one of them back above.",
    )  # fmt: skip


def _chosen() -> Chosen:
    """The choice in the address; what does not make sense there is left out."""
    given = st.query_params
    last = _month(given.get("to", ""))
    return Chosen(
        start=_month(given.get("from", "")),
        stop=date(last.year + last.month // 12, last.month % 12 + 1, 1) if last else None,
        days=_range(given.get("days", ""), 7),
        hours=_range(given.get("hours", ""), 24),
        sender=_id("sender"),
        organization=_id("organization"),
        label=_id("label"),
        automated=given.get("automated") != "no",
    )


def _summary(space: Workspace, store: str, chosen: Chosen, total: int) -> None:
    """How many messages, and each choice with a cross to take it back."""
    words: list[tuple[str, str]] = []
    if chosen.start or chosen.stop:
        first, last = (st.query_params.get(name, "") for name in ("from", "to"))
        words.append(("from,to", _span(first, last)))
    if chosen.days:
        words.append(("days", _named(DAYS, chosen.days)))
    if chosen.hours:
        words.append(("hours", f"{chosen.hours[0]}:00 to {chosen.hours[1]}:59"))
    for by, before in (("sender", "from "), ("organization", "from "), ("label", "in ")):
        if (which := getattr(chosen, by)) is not None:
            called = space.read(store, ("name", by, which), partial(activity.name, by=cast("By", by), which=which))
            words.append((by, before + (called or "somebody who is gone")))
    if not chosen.automated:
        words.append(("automated", "without automated mail"))
    chips = [
        html(
            '<button type="button" class="mw-pick" data-open="{}" aria-label="Take back: {}">{} <b>×</b></button>',
            which, text, text,
        )
        for which, text in words
    ]  # fmt: skip
    if len(chips) > 1:
        chips.append(
            html('<button type="button" class="mw-pick plain" data-open="{}">Clear all</button>', ",".join(FILTERS))
        )
    clickable(
        html('<div class="mw-picks wide"><span class="mw-total"><b>{:,}</b> {}</span>{}</div>', total,
             "message" if total == 1 else "messages", join(chips)),
        key="choices", on_open=lambda which: _put(**dict.fromkeys(which.split(","))),
    )  # fmt: skip


def _months(months: Sequence[tuple[date, int]], chosen: Chosen) -> None:
    names = [month.strftime("%Y-%m") for month, _ in months]
    inside = [place for place, (month, _) in enumerate(months) if _within(month, chosen)]

    def choose(range_: tuple[int, int] | None) -> None:
        _put(**{"from": names[range_[0]], "to": names[range_[1]]} if range_ else {"from": None, "to": None})

    grid.bars(
        [f"{month:%b %Y}" if month.month == 1 or not nth else f"{month:%b}" for nth, (month, _) in enumerate(months)],
        [n for _, n in months],
        long=[f"{month:%B %Y}" for month, _ in months],
        selected=(inside[0], inside[-1]) if inside and (chosen.start or chosen.stop) else None,
        key="months_bars", on_choose=choose,
        title="Messages by month. Arrow keys go from month to month, with Shift they choose several, Enter takes them.",
    )  # fmt: skip


def _hours(space: Workspace, store: str, chosen: Chosen) -> None:
    found = space.read(store, ("hours", chosen), lambda conn: activity.hours(conn, chosen))
    st.markdown("**Weekday and hour**", help="By the clock of the sender, as in the mail's Date header.")
    selected = None
    if chosen.days or chosen.hours:
        selected = (*(chosen.hours or (0, 23)), *(chosen.days or (0, 6)))

    def choose(range_: grid.Range | None) -> None:
        hours, days = (range_[:2], range_[2:]) if range_ else ((0, 23), (0, 6))
        _put(
            hours=None if hours == (0, 23) else f"{hours[0]}-{hours[1]}",
            days=None if days == (0, 6) else f"{days[0]}-{days[1]}",
        )

    grid.heat(
        DAYS, HOURS, [[found.get((day, hour), 0) for hour in range(24)] for day in range(7)],
        selected=selected, key="hours_heat", on_choose=choose, hint="Drag over hours and days to choose them.",
        title="Messages by weekday and hour. Arrow keys go from hour to hour, with Shift they choose several, Enter "
        "takes them.",
    )  # fmt: skip


def _ranked(space: Workspace, store: str, chosen: Chosen) -> None:
    by = cast("By", choice("Counted by", BY, "by", "sender"))
    found = space.read(store, ("ranked", chosen, by), lambda conn: activity.ranked(conn, chosen, by))
    if not found:
        show(column.empty("Nothing is left to count here: take one of the choices back above."))
    most = max((one.n for one in found), default=1)
    own = getattr(chosen, by)
    rows = join(
        bar_row(one.name, one.n, most, None if one.id is None else str(one.id), on=one.id is not None and one.id == own)
        for one in found
    )
    clickable(
        html('<div role="group" aria-label="Messages by {}">{}</div>', BY[by].lower(), rows), key="ranked",
        on_open=lambda which: _put(**{by: None if which == str(own) else which}),
    )  # fmt: skip

    def automated() -> None:
        _put(automated=None if st.session_state["with_automated"] else "no")

    st.session_state["with_automated"] = chosen.automated
    st.checkbox(
        "With automated mail", key="with_automated", on_change=automated, help="Notifications, newsletters, bounces."
    )


def _put(**parameters: str | None) -> None:
    """Writes choices into the address; the list begins at its first page."""
    for name, value in {**parameters, "messages": None}.items():
        if value is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = value


def _id(name: str) -> int | None:
    given = st.query_params.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 18 else None


def _month(given: str) -> date | None:
    try:
        return date.fromisoformat(f"{given}-01") if len(given) == 7 else None
    except ValueError:
        return None


def _range(given: str, size: int) -> tuple[int, int] | None:
    first, _, last = given.partition("-")
    if not (first.isdecimal() and last.isdecimal() and len(given) < 6):
        return None
    return (int(first), int(last)) if int(first) <= int(last) < size else None


def _within(month: date, chosen: Chosen) -> bool:
    return (chosen.start is None or month >= chosen.start) and (chosen.stop is None or month < chosen.stop)


def _span(first: str, last: str) -> str:
    names = [f"{date.fromisoformat(one + '-01'):%b %Y}" if _month(one) else "" for one in (first, last)]
    if names[0] == names[1]:
        return names[0]
    return " to ".join(filter(None, names)) if all(names) else f"since {names[0]}" if names[0] else f"until {names[1]}"


def _named(names: Sequence[str], range_: tuple[int, int]) -> str:
    return names[range_[0]] if range_[0] == range_[1] else f"{names[range_[0]]} to {names[range_[1]]}"
