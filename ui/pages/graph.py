"""Graph: the people around one person, how they write to each other, and the mail behind every dot and line.

Everything that is chosen stands in the address: who is in the middle, the months, who was expanded, to whom a path is
looked for, what is open.
"""

from __future__ import annotations

import calendar
from collections import Counter
from collections.abc import Mapping
from datetime import date
from functools import partial

import streamlit as st

from graph import ego as egos
from graph import neighbours
from graph.analytics import current as analytics
from graph.ego import STEP, Ego, Period
from graph.neighbours import PathStep
from graph.plan import Between, Filter, People, Plan
from graph.plan import Period as MailPeriod
from ui import ego, links, who, workspace
from ui.components import column, ego_parts
from ui.components.choice import choice
from ui.components.choose_person import choose_person
from ui.components.head import head, part
from ui.components.markup import clickable, show
from ui.components.message_list import message_list
from ui.components.network import network
from ui.workspace import Workspace

PRIVATE, ALONE = "private addresses", "no community"
COLOURED = {"organisation": "Organisation", "community": "Community"}


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space)
    people = space.read(store, "frequent people", who.frequent)
    if not people:
        show(column.empty(f"There is no correspondence in “{store}” yet. Read mail with: {column.reading(store)}"))
        return
    left, middle, right = st.columns([5, 5, 4])
    with left:
        centre = choose_person(space, store, "Around", "person", default=people[0].id)
    with middle:
        other = choose_person(space, store, "Path to (optional)", "with")
    if centre is None:
        show(column.empty("This person is not in the mailbox any more. Choose another one."))
        return
    chain = _path(space, store, centre, other) if other is not None and other != centre else None
    period = _months(space, store, centre)
    expanded = tuple(_numbers("expanded"))
    also = tuple(dict.fromkeys(one for step in chain or () for one in (step.a, step.b)))
    found = space.read(
        store,
        ("ego", centre, expanded, also, period),
        lambda conn: egos.ego(conn, centre, expanded=expanded, also=also, period=period),
    )
    if found is None:
        show(column.empty("This person is not in the mailbox any more. Choose another one."))
        return
    with right:
        coloured = choice("Colours", COLOURED, "colour", "organisation" if _mixed(found) else "community", named=True)
    _picture(space, store, found, chain, period, coloured)


def _path(space: Workspace, store: str, centre: int, other: int) -> list[PathStep] | None:
    chain = space.read(store, ("path", centre, other), lambda conn: neighbours.path(conn, centre, other))
    names = _names(space, store, [centre, other, *(one for step in chain or () for one in (step.a, step.b))])
    if chain is None:
        show(column.empty(
            f"No chain of at most four steps leads from {names[centre]} to {names[other]}: they never wrote to each "
            "other, and neither did people who wrote to both."
        ))  # fmt: skip
        return None
    clickable(ego_parts.chain(chain, names, _open()), key="chain", on_open=_picked)
    return chain


def _names(space: Workspace, store: str, people: list[int]) -> Mapping[int, str]:
    wanted = tuple(dict.fromkeys(people))
    found = space.read(store, ("names", wanted), lambda conn: who.these(conn, list(wanted)))
    return dict.fromkeys(wanted, "somebody who is gone") | {one.id: one.name for one in found}


def _months(space: Workspace, store: str, centre: int) -> Period | None:
    """The slider over the months in which the person has mail; None when all of them are wanted."""
    months = space.read(store, ("months", centre), lambda conn: ego.months(conn, centre))
    if len(months) < 2:
        return None
    names = [f"{month:%Y-%m}" for month, _ in months]
    first = _within(st.query_params.get("from", ""), names, names[0])
    last = max(first, _within(st.query_params.get("to", ""), names, names[-1]))
    key = _slider_key(centre, (first, last))

    def changed() -> None:
        start, stop = st.session_state[key]
        for name, value, whole in (("from", start, names[0]), ("to", stop, names[-1])):
            if value == whole:
                st.query_params.pop(name, None)
            else:
                st.query_params[name] = value

    show(ego_parts.month_bars(list(zip(names, (n for _, n in months), strict=True)), first, last))
    st.select_slider(
        "Months", names, (first, last), key=key, format_func=_month, on_change=changed, label_visibility="collapsed"
    )
    if (first, last) == (names[0], names[-1]):
        return None
    year, month = map(int, last.split("-"))
    stop = date(year + month // 12, month % 12 + 1, 1)
    return Period(date.fromisoformat(f"{first}-01"), stop)


def _slider_key(centre: int, wanted: tuple[str, str]) -> str:
    """The slider keeps what was last chosen on it; where the address says otherwise, since a link led here, another
    slider takes its place."""
    place = st.session_state.setdefault("months_slider", 0)
    if st.session_state.get(f"months-{centre}-{place}", wanted) != wanted:
        place = st.session_state["months_slider"] = place + 1
    return f"months-{centre}-{place}"


def _within(given: str, names: list[str], otherwise: str) -> str:
    """The month of the address, moved to where there is mail."""
    moved = min(max(given, names[0]), names[-1]) if given else otherwise
    return moved if moved in names else otherwise


def _month(text: str) -> str:
    return f"{calendar.month_abbr[int(text[5:])]} {text[:4]}"


def _picture(
    space: Workspace, store: str, found: Ego, chain: list[PathStep] | None, period: Period | None, coloured: str
) -> None:
    groups, none = _groups(space, store, found, coloured)
    path = [chain[0].a, *(step.b for step in chain)] if chain else []
    drawn = ego.picture(found, groups, path, none=none)
    centre, opened = found.people[0], _open()
    left, right = st.columns([11, 5], gap="medium")
    with left:
        if len(found.people) == 1:
            show(column.empty(f"{centre.name} has no correspondence in these months. Move the slider to see more."))
        else:
            network(
                drawn.nodes, drawn.edges, key="network", centre=str(found.centre), selected=opened, on_pick=_picked,
                title=f"{centre.name} and {len(found.people) - 1} people they write with. Arrow keys go from one to "
                "the next, Enter opens their messages, plus adds their correspondents. The same as a table is below.",
            )  # fmt: skip
            show(ego_parts.legend(drawn.groups, sum(person.is_role for person in found.people)))
    with right:
        _card(store, found, opened)
    if len(found.people) > 1:
        with st.expander("The same as a table", icon=":material/table:"):
            links.linked(ego_parts.table(store, found, groups), key="table")
    _messages(space, store, found, period, opened)


def _mixed(found: Ego) -> bool:
    """Whether organisations tell these people apart: at least a tenth is not of the commonest one."""
    counts = Counter(person.domain for person in found.people)
    return max(counts.values()) < 0.9 * len(found.people)


def _groups(space: Workspace, store: str, found: Ego, coloured: str) -> tuple[dict[int, str], str]:
    """Each person's group, and what those without one are called."""
    if coloured == "community":
        return _communities(space, store), ALONE
    return {person.id: person.domain for person in found.people if person.domain}, PRIVATE


def _communities(space: Workspace, store: str) -> dict[int, str]:
    """The community of each person, called by its name, or after the person with most mail in it."""

    @st.cache_resource(max_entries=8, show_spinner="Finding communities …")
    def grouped(store: str, state: str) -> dict[int, str]:
        found = [one for one in analytics(space.store(store)).communities if one.level == 0]
        first = _names(space, store, [one.people[0] for one in found])
        return {person: one.name or f"around {first[one.people[0]]}" for one in found for person in one.people}

    result: dict[int, str] = grouped(store, space.state(store))
    return result


def _card(store: str, found: Ego, opened: str) -> None:
    """Beside the picture: the person or the line that is open, else the centre."""
    people = {person.id: person for person in found.people}
    chosen = people.get(int(opened)) if opened.isdecimal() else None
    centre = found.people[0]
    person = chosen or centre
    clickable(ego_parts.card(found, person, opened), key="card", on_open=_picked)
    with st.container(horizontal=True):
        if person.hidden:
            more = min(STEP, person.hidden)
            st.button(
                f"{more} more people", icon=":material/add:", on_click=_picked, args=(f"more:{person.id}",),
                help=f"{person.hidden:,} people are not shown who wrote with this one. Adds those with most mail.",
            )  # fmt: skip
        if person is not centre:
            st.button("Put in the middle", icon=":material/center_focus_strong:", on_click=_centre, args=(person.id,))
        if st.button("Open page", icon=":material/person:", help="The page of this person"):
            links.go("people", store=store, person=person.id)
        if _numbers("expanded"):
            st.button(
                "Fold again", icon=":material/remove:", on_click=partial(_set, "expanded", ""), help="As at first."
            )


def _messages(space: Workspace, store: str, found: Ego, period: Period | None, opened: str) -> None:
    names = {person.id: person.name for person in found.people}
    wanted = [int(part) for part in opened.split("-") if part.isdecimal()]
    if not wanted or any(one not in names for one in wanted) or len(wanted) > 2:
        show(column.empty("Click a person, a line, or a name in the list: their messages stand here."))
        return
    tied = {frozenset((tie.a, tie.b)) for tie in found.ties}
    if len(wanted) == 1 and frozenset((found.centre, wanted[0])) in tied:
        wanted = [found.centre, *wanted]
    filters: list[Filter]
    if len(wanted) == 2:
        filters = [Between((wanted[0],), (wanted[1],))]
        title = f"Between {names[wanted[0]]} and {names[wanted[1]]}"
    else:
        filters = [People("participant", (wanted[0],))]
        title = f"Sent or received by {names[wanted[0]]}"
    if period is not None:
        filters.append(MailPeriod(period.start, period.stop))
    part(title)
    message_list(
        space,
        store,
        Plan(filters=tuple(filters)),
        empty="No message in these months: move the slider, or click another line.",
    )


def _picked(what: str) -> None:
    """What was clicked, in the picture or beside it."""
    kind, _, which = what.partition(":")
    if kind == "more":
        _set("expanded", ",".join(map(str, [*_numbers("expanded"), int(which)])))
        return
    _set("open", "" if _open() == which else which)
    st.query_params.pop("messages", None)


def _centre(person: int) -> None:
    st.query_params["person"] = str(person)
    for name in ("open", "expanded", "messages"):
        st.query_params.pop(name, None)


def _set(name: str, value: str) -> None:
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def _open() -> str:
    return str(st.query_params.get("open", ""))


def _numbers(name: str) -> list[int]:
    return [int(part) for part in str(st.query_params.get(name, "")).split(",") if part.isdecimal()][:40]
