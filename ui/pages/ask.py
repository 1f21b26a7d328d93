"""Ask: one question, two to five ways of looking for it, side by side, and what they share.

What is retrieved shows at once; columns that call the model many times follow when they are done, and answers are
written when asked for. Question, columns, day, store, blind mode and filter stand in the URL, so that a comparison can
be kept and shown again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import streamlit as st

from retrieval.types import Question
from ui import asked as kept
from ui import asking, blind, lanes, workspace
from ui.answers import Job
from ui.asked import Past
from ui.components import ask_column, ask_parts, column, coverage, overlap
from ui.components.ask_column import View
from ui.components.choice import choice, several
from ui.components.head import head
from ui.components.markup import clickable, html, show
from ui.components.names import RERANKED, SLOW, title
from ui.question import checked
from ui.workspace import Asked, Look, Workspace

FEWEST, MOST = 2, 5
DEFAULT = ["vector", "graph"]
POLL = 0.5
PLANNERS = {"rules": "rules, at once", "auto": "rules, and the model where they are unsure"}
STARRED = "* calls the model many times: from seconds to minutes. The other columns do not wait for it."
RERANKERS = {"cross-encoder": "cross-encoder", "chat": "chat model"}
# What stands in the address and means the same over other mail.
KEPT = ["q", "with", "as_of", "planner", "rerank", "blind", "only"]


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space, keeps=KEPT)
    _coverage(space, store)
    if space.coverage(store).messages == 0:
        show(column.no_mail(store))
        return
    asked, columns, hidden = _form(space, store)
    if asked is None:
        _invitation(space, store)
    elif not FEWEST <= len(columns) <= MOST:
        show(column.empty(f"Choose {FEWEST} to {MOST} columns to compare."))
    else:
        _comparison(space, asked, columns, hidden=hidden)


def _coverage(space: Workspace, store: str) -> None:
    lanes.begin_once(space, store)
    busy = space.background.busy

    @st.fragment(run_every=2.0 if busy else None)
    def strip() -> None:
        with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="coverage"):
            with column.errors_shown():
                show(coverage.strip(space.coverage(store), space.background.tasks()))
            if not busy and (wanted := lanes.missing(space.settings)):
                _fetch(space, store, wanted)
        if busy and not space.background.busy:
            st.rerun()

    strip()


def _fetch(space: Workspace, store: str, wanted: str) -> None:
    """Nothing is fetched for one's own mail before the person says so."""
    if st.button("Fetch models", icon=":material/download:", type="tertiary", help=f"Still missing: {wanted}"):
        lanes.begin(space, store, fetch=True)
        st.rerun()


def _form(space: Workspace, store: str) -> tuple[Asked | None, list[str], bool]:
    """The question, None where there is none yet; the columns; and whether their names are hidden."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Question",
            key="q",
            bind="query-params",
            placeholder="Ask your mailbox: who, when, how many, what was decided …",
            label_visibility="collapsed",
            icon=":material/search:",
        )
        st.button("Ask", type="primary")
    offered = space.columns()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        names = {name: title(name) + ("*" if name in SLOW else "") for name in offered}
        label = "Columns; those with a star call the model many times"
        columns = several(label, names, "with", [name for name in DEFAULT if name in offered])
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="ask-options"):
            hidden = st.toggle("Blind", key="blind", bind="query-params")
            ask_parts.history(space, store, _again)
            with st.popover("Options", icon=":material/tune:", type="tertiary"):
                as_of = st.date_input(
                    "Asked on", value=None, key="as_of", bind="query-params",
                    help="The day that words like “this year” start from. Empty: the last day of the mailbox.",
                )  # fmt: skip
                planner = choice("Planned by", PLANNERS, "planner", "rules", named=True)
                nobody = {"": space.settings.rerank or "nobody"}
                rerank = choice(
                    "What hybrid found is put in order once more by", nobody | RERANKERS, "rerank", "", named=True
                )
                show(column.legend(offered))
    if any(name in SLOW for name in columns):
        show(html('<span class="mw-note">{}</span>', STARRED))
    if not text or not text.strip():
        return None, columns, bool(hidden)
    question = Question(checked(text), as_of if isinstance(as_of, date) else None)
    return Asked(store, question, "auto" if planner == "auto" else "rules", rerank or None), columns, bool(hidden)


def _again(past: Past) -> None:
    st.session_state["q"] = past.question
    st.session_state["as_of"] = past.as_of
    st.query_params["with"] = list(past.columns)


def _invitation(space: Workspace, store: str) -> None:
    def take(number: str) -> None:
        st.session_state["q"] = offered[int(number)].text

    offered = space.examples(store)
    show(html('<p class="mw-lead">Ask one question, see what each way of looking finds. For example:</p>'))
    clickable(column.examples(offered), key="examples", on_open=take)


def _comparison(space: Workspace, asked: Asked, columns: Sequence[str], *, hidden: bool) -> None:
    state = space.state(asked.store)
    slow = (*SLOW, *RERANKED) if asked.rerank or space.settings.rerank else SLOW
    with st.spinner("Looking …", show_time=True):
        looks = space.look_all(asked, [name for name in columns if name not in slow])
    plan = next((look.plan for look in looks.values()), None)
    jobs = _slow_looks(space, asked, [name for name in columns if name in slow], state)
    waiting = [job for job in jobs.values() if not job.ended]  # looked at once, since they go on while this is drawn
    for name, job in jobs.items():
        if job not in waiting and job.state == "done" and job.column is not None:
            looks[name] = Look(job.column, plan=plan)
    with column.errors_shown():
        _remember(space, asked, columns)

    letters = blind.mixed(asked.question.text, columns) if hidden else {}
    vote = None
    if hidden:
        with space.store(asked.store).reader() as conn:
            vote = kept.voted(conn, asked.question.text, columns)
    secret = hidden and vote is None
    order = list(letters) or list(columns)
    shown = letters if secret else {name: name for name in order}
    found = {name: [hit.message for hit in looks[name].column.retrieved.hits] for name in order if name in looks}
    lines = space.headlines(asked.store, looks.values())

    _above(space, asked, plan)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="acts"):
        view = View(space, asked, shown, secret, found, lines, _only(found, shown))
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            _answer_all(view, [looks[name] for name in order if name in looks])
            ask_parts.keep_or_copy(view, plan, [_with_answer(view, looks[name]) for name in order if name in looks])
    if secret:
        ask_parts.ballot(view, complete=not waiting)
    elif vote is not None:
        ask_parts.revealed(view, vote, letters)
    for place, name in zip(st.columns(len(order), gap="medium"), order, strict=True):
        with place:
            if name in looks:
                ask_column.draw(view, looks[name])
            else:
                ask_column.draw_looking(view, name, state, jobs[name])
    st.divider()
    by_shown = {shown[name]: ids for name, ids in found.items()}
    show(overlap.headline(by_shown))
    if sum(1 for ids in found.values() if ids) >= FEWEST:
        show(overlap.matrix(by_shown))
    _wait(waiting)


def _slow_looks(space: Workspace, asked: Asked, names: Sequence[str], state: str) -> dict[str, Job]:
    """The jobs of the slow columns. Those of the question before, which nobody waits for any more, are stopped."""
    jobs = {name: asking.look(space, asked, name, state) for name in names}
    for job in st.session_state.get("looking", []):
        if not job.ended and job not in jobs.values():
            job.stop()
    st.session_state["looking"] = list(jobs.values())
    return jobs


def _wait(waiting: Sequence[Job]) -> None:
    """Draws the page again as soon as a slow column has ended."""
    if not waiting:
        return

    @st.fragment(run_every=POLL)
    def part() -> None:
        if any(job.ended for job in waiting):
            st.rerun()

    part()


def _remember(space: Workspace, asked: Asked, columns: Sequence[str]) -> None:
    if st.session_state.get("remembered") == (asked, columns):
        return
    with space.store(asked.store).owner() as conn:
        kept.remember(conn, asked.question.text, asked.question.as_of, columns)
    st.session_state["remembered"] = (asked, columns)


def _with_answer(view: View, look: Look) -> Any:
    job = view.space.answer(view.asked, look.name)
    return job.column if job is not None and job.state == "done" and job.column is not None else look.column


def _above(space: Workspace, asked: Asked, plan: Mapping[str, Any] | None) -> None:
    if plan is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        show(column.understood(plan), narrow=True)
        # the model takes seconds, so it is the person's choice where the rules left something open
        if not plan["sure"] and asked.planner == "rules" and space.models.chat_or_none() is not None:
            st.button("Let the model plan", icon=":material/psychology:", on_click=_by_model, help=str(plan["reason"]))


def _by_model() -> None:
    st.query_params["planner"] = "auto"


def _only(found: Mapping[str, Sequence[int]], shown: Mapping[str, str]) -> list[str]:
    """Asks of which columns only what no other one found is shown."""
    if sum(1 for ids in found.values() if ids) < FEWEST:
        return []
    counts = {name: len(overlap.alone(found, name)) for name in found if found[name]}
    with st.container(horizontal=True, vertical_alignment="center", width="content", key="only-found"):
        show(html('<span class="mw-total">Only what no other column found</span>'), narrow=True)
        chosen = several(
            "Only differences", {shown[n]: f"{title(shown[n])} {count}" for n, count in counts.items()}, "only"
        )
    return [name for name in counts if shown[name] in chosen]


def _answer_all(view: View, looks: Sequence[Look]) -> None:
    missing = [
        look for look in looks
        if look.column.outcome == "retrieved" and view.space.answer(view.asked, look.name) is None
    ]  # fmt: skip
    if missing and st.button(
        "Write all answers", icon=":material/edit_note:", help="One after the other, by the same model."
    ):
        for look in missing:
            asking.write(view.space, view.asked, look.column)
        st.rerun()
