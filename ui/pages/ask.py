"""Ask: one question, two to five ways of looking for it, side by side, and what they share.

What is retrieved shows at once; answers are written when asked for. Question, columns, day and store stand in the
URL, so that a comparison can be kept and shown again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import streamlit as st

from retrieval.planning import PlannerMode
from retrieval.types import Fact, Question
from ui import lanes, messages, workspace
from ui.answers import Job
from ui.components import answer, column, coverage, message, overlap, trace
from ui.components.markup import clickable, html, show
from ui.components.names import title
from ui.links import address, linked
from ui.messages import Headline
from ui.question import checked
from ui.workspace import Asked, Look, Workspace, outcome

FEWEST, MOST = 2, 5
DEFAULT = ["vector", "graph"]
ROWS_SHOWN = 200
POLL = 0.25
PLANNERS: dict[PlannerMode, str] = {"rules": "rules, at once", "auto": "rules, and the model where they are unsure"}


def page() -> None:
    """Draws the page."""
    with column.errors_shown():
        _page()


def _page() -> None:
    space = workspace.current()
    store = _head(space)
    if space.coverage(store).messages == 0:
        flag = "" if store == "default" else f" --store {store}"
        show(column.empty(f"The store “{store}” holds no mail yet. Read some with: mailweave ingest PATH{flag}"))
        return
    question, columns, planner = _form(space)
    if question is None:
        _invitation(space, store)
    elif not FEWEST <= len(columns) <= MOST:
        st.info(f"Choose {FEWEST} to {MOST} columns to compare.", icon=":material/view_column:")
    else:
        _comparison(space, Asked(store, question, planner), columns)


def _head(space: Workspace) -> str:
    left, right = st.columns([1, 3], vertical_alignment="center")
    with left:
        show(coverage.brand())
    names = space.store_names()
    given = st.query_params.get("store", space.settings.store)
    store = given if given in names else space.settings.store
    if given != store:
        show(column.empty(f"There is no store “{given}” here; this is “{store}”."))
    with right:
        if len(names) > 1:
            store = _choose_store(names, store)
        _coverage(space, store)
    return store


def _choose_store(names: Sequence[str], store: str) -> str:
    chosen = st.segmented_control(
        "Store", names, default=store, key="chosen_store", required=True, label_visibility="collapsed"
    )
    if chosen and st.query_params.get("store") != chosen:
        st.query_params["store"] = chosen
    return str(chosen or store)


def _coverage(space: Workspace, store: str) -> None:
    lanes.begin_once(space, store)
    busy = space.background.busy

    @st.fragment(run_every=2.0 if busy else None)
    def strip() -> None:
        with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
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


def _form(space: Workspace) -> tuple[Question | None, list[str], PlannerMode]:
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
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        columns = st.pills(
            "Columns",
            space.columns(),
            selection_mode="multi",
            default=[name for name in DEFAULT if name in space.columns()],
            key="with",
            bind="query-params",
            format_func=title,
            label_visibility="collapsed",
            wrap=True,
        )
        with st.popover("Options", icon=":material/tune:", type="tertiary"):
            as_of = st.date_input(
                "Asked on", value=None, key="as_of", bind="query-params",
                help="The day that words like “this year” start from. Empty: the last day of the mailbox.",
            )  # fmt: skip
            planner = st.radio(
                "Planned by", list(PLANNERS), key="planner", bind="query-params", format_func=PLANNERS.__getitem__,
            )  # fmt: skip
            show(column.legend(space.columns()))
    question = Question(checked(text), as_of if isinstance(as_of, date) else None) if text and text.strip() else None
    return question, [name for name in space.columns() if name in columns], planner


def _invitation(space: Workspace, store: str) -> None:
    def take(number: str) -> None:
        st.session_state["q"] = offered[int(number)].text

    offered = space.examples(store)
    show(html('<p class="mw-lead">Ask one question, see what each way of looking finds. For example:</p>'))
    clickable(column.examples(offered), key="examples", on_open=take)


def _comparison(space: Workspace, asked: Asked, columns: Sequence[str]) -> None:
    with st.spinner("Looking …", show_time=True):
        looks = space.look_all(asked, columns)
    found = {name: [hit.message for hit in look.column.retrieved.hits] for name, look in looks.items()}
    lines = space.headlines(asked.store, looks.values())
    also: dict[int, list[str]] = defaultdict(list)
    for name, ids in found.items():
        for one in ids:
            also[one].append(name)
    plan = next(iter(looks.values())).plan
    with st.container(horizontal=True, vertical_alignment="center"):
        if plan:
            show(column.understood(plan))
        _plan_by_model(space, asked, plan)
        _answer_all(space, asked, columns)
    for place, name in zip(st.columns(len(columns), gap="medium"), columns, strict=True):
        with place:
            _column(space, asked, looks[name], lines, also)
    _shared(space, asked.store, found, lines)


def _column(
    space: Workspace,
    asked: Asked,
    look: Look,
    lines: Mapping[int, Headline],
    also: Mapping[int, Sequence[str]],
) -> None:
    name, retrieved = look.name, look.column.retrieved
    job = space.answer(asked, name)
    milliseconds = look.column.timing_ms.get("retrieve")
    note = "" if look.column.outcome == "nothing_retrieved" else look.column.note  # it stands in the empty place then
    show(column.head(name, outcome(look, job), note, milliseconds, look.because))
    for error in look.column.errors:
        show(column.error(error))
    if retrieved.facts:
        show(column.facts(name, retrieved.facts))
        _queries(retrieved.facts)
    if look.column.outcome == "retrieved":
        _answer(space, asked, name)
    if retrieved.hits:

        @st.fragment(key=f"hits-{name}")
        def hits() -> None:
            opened = clickable(column.hits(name, retrieved.hits, lines, also), key=f"list-{name}")
            _open(space, asked.store, opened, found=[hit.message for hit in retrieved.hits])

        hits()
    elif not look.column.errors and not retrieved.facts:
        show(column.empty(look.column.note or "The query ran and found no message."))
    written = job.column.trace[len(look.column.trace) :] if job and job.column else []
    steps = (*look.column.trace, *written)
    if steps:
        with st.expander(f"How it looked, step by step ({len(steps)})"):
            show(trace.waterfall(name, steps))


def _queries(facts: Sequence[Fact]) -> None:
    with st.expander("The query that ran, and its rows"):
        for fact in facts:
            st.code(fact.query, language="sql", wrap_lines=True)
            if fact.rows:
                st.dataframe(fact.rows[:ROWS_SHOWN], hide_index=True)
                if len(fact.rows) > ROWS_SHOWN:
                    st.caption(f"The first {ROWS_SHOWN} of {len(fact.rows)} rows.")


def _plan_by_model(space: Workspace, asked: Asked, plan: Mapping[str, Any] | None) -> None:
    """Offers the model where the rules left something open: it takes seconds, so it is the person's choice."""
    if plan is None or plan["sure"] or asked.planner != "rules" or space.models.chat_or_none() is None:
        return

    def choose() -> None:
        st.session_state["planner"] = "auto"

    st.button("Let the model plan", icon=":material/psychology:", on_click=choose, help=str(plan["reason"]))


def _answer_all(space: Workspace, asked: Asked, columns: Sequence[str]) -> None:
    if all(space.answer(asked, name) for name in columns):
        return
    if st.button("Write all answers", icon=":material/edit_note:", help="One after the other, by the same model."):
        for name in columns:
            space.write_answer(asked, name)
        st.rerun()


def _answer(space: Workspace, asked: Asked, name: str) -> None:
    job = space.answer(asked, name)
    running = job is not None and not job.ended

    @st.fragment(run_every=POLL if running else None, key=f"answer-{name}")
    def part() -> None:
        now = space.answer(asked, name)
        if now is None:
            if st.button("Write an answer", key=f"write-{name}", icon=":material/edit:"):
                space.write_answer(asked, name)
                st.rerun()
            return
        _draw_answer(space, asked, name, now)
        if now.ended and running:
            st.rerun()

    part()


def _draw_answer(space: Workspace, asked: Asked, name: str, job: Job) -> None:
    claims = job.column.claims if job.column else None
    if job.state == "waiting":
        show(column.empty("Waiting for the answer before this one …"))
    elif job.state == "running":
        show(answer.running(name, job.text))
    elif job.state == "stopped":
        show(answer.stopped(name, job.text))
    elif claims is not None:
        cited = [one.message for one in claims.citations if one.message is not None]
        found = [hit.message for hit in job.column.retrieved.hits] if job.column else []
        opened = clickable(answer.finished(name, claims), key=f"answer-text-{name}")
        _open(space, asked.store, opened, found=found, cited=cited)
    for error in [job.error] if job.error else job.column.errors if job.column and job.state == "done" else []:
        show(column.error(error))
    if not job.ended:
        st.button("Stop", key=f"stop-{name}", icon=":material/stop_circle:", on_click=job.stop)
    elif job.state in ("stopped", "failed") and st.button("Try again", key=f"again-{name}", icon=":material/refresh:"):
        space.write_answer(asked, name)
        st.rerun()


def _shared(space: Workspace, store: str, found: Mapping[str, Sequence[int]], lines: Mapping[int, Headline]) -> None:
    st.divider()
    show(overlap.headline(found))
    if sum(1 for ids in found.values() if ids) < FEWEST:
        return
    show(overlap.matrix(found))
    for place, name in zip(st.columns(len(found), gap="medium"), found, strict=True):
        with place:

            @st.fragment(key=f"only-{name}")
            def only(name: str = name) -> None:
                opened = clickable(overlap.only(found, name, lines), key=f"only-list-{name}")
                _open(space, store, opened, found=found[name])

            only()


def _open(space: Workspace, store: str, opened: str | None, *, found: Sequence[int], cited: Sequence[int] = ()) -> None:
    """Opens the message that was clicked. ``found`` and ``cited``: what its conversation marks."""
    if opened is None or not opened.isdigit():
        return

    @st.dialog("Message", width="medium")
    def dialog() -> None:
        with column.errors_shown():
            with space.store(store).reader() as conn:
                whole = messages.full(conn, int(opened))
            if whole is None:
                show(column.empty("This message is no longer in the store."))
                return
            marks = {
                name: ",".join(str(one) for one in dict.fromkeys(ids)) or None
                for name, ids in (("found", found), ("cited", cited))
            }
            at = address("thread", store=store, message=opened, **marks)
            linked(message.whole(whole, at), key="opened-message")

    dialog()
