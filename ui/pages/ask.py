"""Ask: one question, two to five ways of looking for it, side by side, and what they share.

What is retrieved shows at once; answers are written when asked for. Question, columns, day and store stand in the
URL, so that a comparison can be kept and shown again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby

import streamlit as st

from retrieval.types import Fact, Question
from ui import examples, messages, workspace
from ui.answers import Job
from ui.components import answer, column, coverage, message, overlap, trace
from ui.components.markup import clickable, html, show
from ui.components.names import HOW, title
from ui.messages import Headline
from ui.workspace import Look, Workspace

FEWEST, MOST = 2, 5
DEFAULT = ["vector", "graph"]
ROWS_SHOWN = 200
POLL = 0.25


def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = _head(space)
    question, columns = _form(space, store)
    if question is None:
        _invitation(space, store)
    elif not FEWEST <= len(columns) <= MOST:
        st.info(f"Choose {FEWEST} to {MOST} columns to compare.", icon=":material/view_column:")
    else:
        _comparison(space, store, question, columns)


def _head(space: Workspace) -> str:
    left, right = st.columns([1, 3], vertical_alignment="center")
    with left:
        show(coverage.brand())
    names = space.store_names()
    given = st.query_params.get("store", space.settings.store)
    store = given if given in names else space.settings.store
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
    busy = space.background.busy

    @st.fragment(run_every=2.0 if busy else None)
    def strip() -> None:
        show(coverage.strip(space.coverage(store), space.background.tasks()))
        if busy and not space.background.busy:
            st.rerun()

    strip()


def _form(space: Workspace, store: str) -> tuple[Question | None, list[str]]:
    box, button = st.columns([8, 1], vertical_alignment="bottom")
    with box:
        text = st.text_input(
            "Question",
            key="q",
            bind="query-params",
            placeholder="Ask your mailbox: who, when, how many, what was decided …",
            label_visibility="collapsed",
            icon=":material/search:",
        )
    with button:
        st.button("Ask", type="primary", width="stretch")
    chosen, day = st.columns([5, 1], vertical_alignment="center")
    with chosen:
        columns = st.pills(
            "Columns",
            space.columns(),
            selection_mode="multi",
            default=[name for name in DEFAULT if name in space.columns()],
            key="with",
            bind="query-params",
            format_func=title,
            label_visibility="collapsed",
            help="\n\n".join(f"**{title(name)}**: {HOW[name]}" for name in space.columns() if name in HOW),
        )
    with day:
        as_of = st.date_input(
            "As of",
            value=None,
            key="as_of",
            bind="query-params",
            label_visibility="collapsed",
            help="The day that words like “this year” start from; empty is the mailbox's last day.",
        )
    question = Question(text.strip(), as_of if isinstance(as_of, date) else None) if text and text.strip() else None
    return question, [name for name in space.columns() if name in columns]


def _invitation(space: Workspace, store: str) -> None:
    show(html('<p class="mw-lead">Ask one question and see what each way of looking finds. For example:</p>'))
    kinds = [(kind, list(group)) for kind, group in groupby(space.examples(store), key=lambda one: one.kind)]
    for start in range(0, len(kinds), 3):
        for place, (kind, group) in zip(st.columns(3), kinds[start : start + 3], strict=False):
            with place:
                show(html('<p class="mw-kind">{}</p>', kind))
                for number, one in enumerate(group):
                    _example(one, f"example-{kind}-{number}")


def _example(one: examples.Example, key: str) -> None:
    def take() -> None:
        st.session_state["q"] = one.text

    st.button(_plain(one.text), key=key, on_click=take, width="stretch")


def _comparison(space: Workspace, store: str, question: Question, columns: Sequence[str]) -> None:
    with st.spinner("Looking …", show_time=True):
        looks = space.look_all(store, question, columns)
    found = {name: [hit.message for hit in look.retrieved.hits] for name, look in looks.items()}
    lines = space.headlines(store, looks)
    also: dict[int, list[str]] = defaultdict(list)
    for name, ids in found.items():
        for one in ids:
            also[one].append(name)
    _answer_all(space, store, question, looks)
    for place, name in zip(st.columns(len(columns), gap="medium"), columns, strict=True):
        with place:
            _column(space, store, question, looks[name], lines, also)
    _shared(space, store, found, lines)


def _column(
    space: Workspace,
    store: str,
    question: Question,
    look: Look,
    lines: Mapping[int, Headline],
    also: Mapping[int, Sequence[str]],
) -> None:
    name, retrieved = look.column, look.retrieved
    job = space.answers.look(space.answer_key(store, question, look))
    outcome = space.outcome(look, job)
    show(column.head(name, outcome, retrieved.outcome_note, look.milliseconds, look.because))
    for error in retrieved.errors:
        show(column.error(error))
    if retrieved.facts:
        show(column.facts(name, retrieved.facts))
        _queries(retrieved.facts)
    _answer(space, store, question, look)
    if retrieved.hits:

        @st.fragment(key=f"hits-{name}")
        def hits() -> None:
            _open(space, store, clickable(column.hits(name, retrieved.hits, lines, also), key=f"list-{name}"))

        hits()
    elif not retrieved.errors and not retrieved.facts:
        show(column.empty(retrieved.outcome_note or "The query ran and found no message."))
    steps = (*retrieved.trace, *(job.steps if job else ()))
    if steps:
        with st.expander(f"How it looked: {len(steps)} steps"):
            show(trace.waterfall(name, steps))


def _queries(facts: Sequence[Fact]) -> None:
    with st.expander("The query that ran, and its rows"):
        for fact in facts:
            st.code(fact.query, language="sql", wrap_lines=True)
            if fact.rows:
                st.dataframe(fact.rows[:ROWS_SHOWN], hide_index=True)
                if len(fact.rows) > ROWS_SHOWN:
                    st.caption(f"The first {ROWS_SHOWN} of {len(fact.rows)} rows.")


def _answer_all(space: Workspace, store: str, question: Question, looks: Mapping[str, Look]) -> None:
    jobs = [space.answers.look(space.answer_key(store, question, look)) for look in looks.values()]
    if all(jobs):
        return
    if st.button(
        "Write all answers",
        icon=":material/edit_note:",
        help="One after the other, from the same prompt by the same model.",
    ):
        for look in looks.values():
            space.ask_answer(store, question, look)
        st.rerun()


def _answer(space: Workspace, store: str, question: Question, look: Look) -> None:
    key = space.answer_key(store, question, look)
    job = space.answers.look(key)

    @st.fragment(run_every=POLL if job and not job.ended else None, key=f"answer-{look.column}")
    def part() -> None:
        now = space.answers.look(key)
        if now is None:
            if st.button("Write an answer", key=f"write-{look.column}", icon=":material/edit:"):
                space.ask_answer(store, question, look)
                st.rerun()
            return
        _draw_answer(space, store, look, now)
        if now.ended and job is not None and not job_was_ended:
            st.rerun()

    job_was_ended = job is None or job.ended
    part()


def _draw_answer(space: Workspace, store: str, look: Look, job: Job) -> None:
    name = look.column
    if job.state == "waiting":
        show(column.empty("Waiting for the answer before this one …"))
    elif job.claims is not None:
        _open(space, store, clickable(answer.finished(name, job.claims), key=f"answer-text-{name}"))
    elif job.text or job.state == "running":
        show(answer.running(name, job.text) if job.state == "running" else answer.stopped(name, job.text))
    if job.error is not None:
        show(column.error(job.error))
    if not job.ended:
        st.button("Stop", key=f"stop-{name}", icon=":material/stop_circle:", on_click=job.stop)
    elif job.state in ("stopped", "failed"):
        if st.button("Try again", key=f"again-{name}", icon=":material/refresh:"):
            space.ask_again(job)
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
                _open(space, store, clickable(overlap.only(found, name, lines), key=f"only-list-{name}"))

            only()


def _open(space: Workspace, store: str, opened: str | None) -> None:
    """Opens the message that was clicked."""
    if opened is None or not opened.isdigit():
        return

    @st.dialog("Message", width="medium")
    def dialog() -> None:
        with space.store(store).reader() as conn:
            whole = messages.full(conn, int(opened))
        show(message.whole(whole) if whole else column.empty("This message is no longer in the store."))

    dialog()


def _plain(text: str) -> str:
    """A text for a button, where Streamlit would read Markdown."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()<>#+-.!|~:$" else letter for letter in text)


_ = replace
