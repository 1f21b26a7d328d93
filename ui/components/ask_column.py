"""One column of a comparison on the page: facts, answer, hits, and how it looked.

In a blind comparison a letter stands for the name, and what would give the name away is not there: how the column
looks for things, its steps, its times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from retrieval.result import ColumnResult
from retrieval.types import Fact, Step
from ui import asking, messages
from ui.answers import Job
from ui.components import answer, column, message, trace
from ui.components.markup import clickable, show
from ui.components.overlap import alone
from ui.links import address, linked
from ui.messages import Headline
from ui.workspace import Asked, Look, Workspace, outcome

ROWS_SHOWN = 200
POLL = 0.25


@dataclass(frozen=True)
class View:
    """What all columns of a comparison share. ``shown``: by column the name that is shown, its own or a letter;
    ``found``: what each found; ``only``: columns of which only what no other found is shown."""

    space: Workspace
    asked: Asked
    shown: Mapping[str, str]
    blind: bool
    found: Mapping[str, Sequence[int]]
    lines: Mapping[int, Headline]
    only: Sequence[str]


def draw(view: View, look: Look) -> None:
    """Draws a column that has looked."""
    name, retrieved = look.name, look.column.retrieved
    shown = view.shown[name]
    job = view.space.answer(view.asked, name)
    note = "" if look.column.outcome == "nothing_retrieved" else look.column.note  # it stands in the empty place then
    milliseconds = None if view.blind else look.column.timing_ms.get("retrieve")
    because = "" if view.blind else look.because
    show(column.head(shown, outcome(look, job), note, milliseconds, because))
    for error in look.column.errors:
        show(column.error(error, with_query=not view.blind))
    if retrieved.facts:
        show(column.facts(shown, retrieved.facts))
    if look.column.disagreements:
        show(column.doubts(look.column.disagreements))
    if look.column.outcome == "retrieved":
        _answer(view, look.column)
    if retrieved.hits:
        _hits(view, look.column)
    elif not look.column.errors and not retrieved.facts:
        show(column.empty(look.column.note or "The query ran and found no message."))
    written = job.column.trace[len(look.column.trace) :] if job and job.column else []
    if not view.blind:
        _how(shown, (*look.column.trace, *written), retrieved.facts)


def draw_looking(view: View, name: str, state: str, job: Job) -> None:
    """Draws a column that the model still looks with, or that was stopped."""
    outcome = "failed" if job.error else "not_run" if job.state == "stopped" else "looking"
    show(column.head(view.shown[name], outcome, "", None))
    if job.error:
        show(column.error(job.error))
    elif job.state == "stopped":
        show(column.empty("Stopped before it found anything."))
    else:
        waits = "Waits for the model …" if job.state == "waiting" else "The model is at work; it may take minutes …"
        show(column.empty(waits))
        st.button("Stop looking", key=f"stop-look-{name}", icon=":material/stop_circle:", on_click=job.stop)
        return
    if st.button("Look again", key=f"look-again-{name}", icon=":material/refresh:"):
        asking.look(view.space, view.asked, name, state, again=True)
        st.rerun()


def _hits(view: View, found: ColumnResult) -> None:
    name, hits = found.retriever, found.retrieved.hits
    if name in view.only:
        own = set(alone(view.found, name))
        hits = [hit for hit in hits if hit.message in own]
    also: dict[int, list[str]] = {hit.message: [] for hit in hits}
    for other, ids in view.found.items():
        for one in ids:
            if one in also:
                also[one].append(view.shown[other])

    @st.fragment(key=f"hits-{name}")
    def part() -> None:
        shown = view.shown[name]
        if not hits:
            show(column.empty("Every message of this column was found by another one too."))
            return
        opened = clickable(column.hits(shown, hits, view.lines, also, steps=not view.blind), key=f"list-{name}")
        _open(view, opened, found=view.found[name])

    part()


def _how(shown: str, steps: Sequence[Step], facts: Sequence[Fact]) -> None:
    if not steps and not facts:
        return
    queries = "" if not facts else " and its query" if len(facts) == 1 else " and its queries"
    with st.expander(f"How it looked, step by step{queries}"):
        if steps:
            show(trace.waterfall(shown, steps))
        for fact in facts:
            st.code(fact.query, language="sql", wrap_lines=True)
            if fact.rows:
                st.dataframe(fact.rows[:ROWS_SHOWN], hide_index=True)
                if len(fact.rows) > ROWS_SHOWN:
                    st.caption(f"The first {ROWS_SHOWN} of {len(fact.rows)} rows.")


def _answer(view: View, found: ColumnResult) -> None:
    name = found.retriever
    job = view.space.answer(view.asked, name)
    running = job is not None and not job.ended

    @st.fragment(run_every=POLL if running else None, key=f"answer-{name}")
    def part() -> None:
        now = view.space.answer(view.asked, name)
        if now is None:
            if st.button("Write an answer", key=f"write-{name}", icon=":material/edit:"):
                asking.write(view.space, view.asked, found)
                st.rerun()
            return
        _draw_answer(view, found, now)
        if now.ended and running:
            st.rerun()

    part()


def _draw_answer(view: View, found: ColumnResult, job: Job) -> None:
    name, shown = found.retriever, view.shown[found.retriever]
    claims = job.column.claims if job.column else None
    told = [one for one in job.column.disagreements if one not in found.disagreements] if job.column else []
    if job.state == "waiting":
        show(column.empty("Waiting for the answer before this one …"))
    elif job.state == "running":
        show(answer.running(shown, job.text))
    elif job.state == "stopped":
        show(answer.stopped(shown, job.text))
    elif job.column is not None and claims is not None:
        cited = [one.message for one in claims.citations if one.message is not None]
        opened = clickable(
            answer.finished(shown, claims, job.column.sentences, counted=bool(found.retrieved.facts)),
            key=f"answer-text-{name}",
        )
        _open(view, opened, found=view.found[name], cited=cited)
        if told:
            show(column.doubts(told))
    for error in [job.error] if job.error else job.column.errors if job.column and job.state == "done" else []:
        if error not in found.errors:  # those stand above
            show(column.error(error))
    if not job.ended:
        st.button("Stop", key=f"stop-{name}", icon=":material/stop_circle:", on_click=job.stop)
    elif job.state in ("stopped", "failed") and st.button("Try again", key=f"again-{name}", icon=":material/refresh:"):
        asking.write(view.space, view.asked, found)
        st.rerun()


def _open(view: View, opened: str | None, *, found: Sequence[int], cited: Sequence[int] = ()) -> None:
    """Opens the message that was clicked. ``found`` and ``cited``: what its conversation marks."""
    if opened is None or not opened.isdigit():
        return

    @st.dialog("Message", width="medium")
    def dialog() -> None:
        with column.errors_shown():
            with view.space.store(view.asked.store).reader() as conn:
                whole = messages.full(conn, int(opened))
            if whole is None:
                show(column.empty("This message is no longer in the store."))
                return
            marks = {
                name: ",".join(str(one) for one in dict.fromkeys(ids)) or None
                for name, ids in (("found", found), ("cited", cited))
            }
            at = address("thread", store=view.asked.store, message=opened, **marks)
            linked(message.whole(whole, at), key="opened-message")

    dialog()
