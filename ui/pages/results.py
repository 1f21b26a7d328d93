"""Results: what runs of the evaluation measured, from the headline down to the single question.

Runs are made at the command line (`mailweave evaluate`, `mailweave compare`), since they may take long; here they are
looked at. A click on a question opens it side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from retrieval.evaluation.report import report
from retrieval.evaluation.run import Kept, Run, finished_runs, load
from ui import asked, results, workspace
from ui.asked import Standing
from ui.components import charts, column
from ui.components.head import head, part
from ui.components.markup import html, show
from ui.components.names import colour, title
from ui.workspace import Workspace


@column.errors_shown()
def page(open_question: Callable[[dict[str, Any]], None]) -> None:
    """Draws the page. ``open_question`` shows a question side by side; it gets the parameters of the address."""
    space = workspace.current()
    store = head(space)
    with space.store(store).reader() as conn:
        runs, votes = finished_runs(conn), asked.standings(conn)
    if not runs:
        flag = column.store_flag(store)
        show(column.empty(
            f"Nothing was measured over the store “{store}” yet. Questions with known answers are written by: "
            f"mailweave questions generate mine.jsonl{flag}; and measured by: "
            f"mailweave evaluate mine.jsonl --no-answer{flag}"
        ))  # fmt: skip
        _votes(votes)
        return
    several = next((place for place, run in enumerate(runs) if len(run.columns) > 1), 0)
    kept = st.selectbox("Run", runs, several, format_func=_named, key="run", label_visibility="collapsed")
    run, made = _loaded(space, store, kept)
    if run.records:
        _overlap(run)
        _right(run, made)
        _chosen(made)
        _judged(made)
        _votes(votes)
        _questions(run, store, open_question)


def _named(run: Kept) -> str:
    answers = "" if run.settings.get("answer") else ", without answers"
    return (
        f"{run.finished:%Y-%m-%d %H:%M} · {run.questions}, {run.size} questions · {', '.join(run.columns)}{answers} "
        f"(run {run.id})"
    )


def _loaded(space: Workspace, store: str, kept: Kept) -> tuple[Run, dict[str, Any]]:
    @st.cache_resource(max_entries=20, show_spinner="Reading the run …")
    def read(store: str, number: int, finished: str) -> tuple[Run, dict[str, Any]]:
        with space.store(store).reader() as conn:
            run = load(conn, number)
        assert run is not None
        return run, report(run)

    result: tuple[Run, dict[str, Any]] = read(store, kept.id, str(kept.finished))
    return result


def _overlap(run: Run) -> None:
    if (pair := results.least_alike(run)) is None:
        return
    a, b, shared = pair
    show(
        html(
            '<p class="mw-headline"><em class="{}">{}</em> and <em class="{}">{}</em> share <b>{}</b> of 12 messages, '
            "on average over {} questions.</p>",
            colour(a), title(a), colour(b), title(b), f"{shared:.1f}", len(run.records),
        )
    )  # fmt: skip
    left, right = st.columns(2, gap="large")
    with left:
        part("Shared messages")
        st.altair_chart(charts.overlap(results.overlap_rows(run), run.columns))
        st.caption("Mean number of messages that both columns have among their first 12; on the diagonal all found.")
    with right:
        part("Who finds what")
        st.altair_chart(charts.combinations(results.combination_rows(run), run.columns))
        st.caption("Messages a question that exactly these columns found.")


def _right(run: Run, made: dict[str, Any]) -> None:
    kinds, times = results.kind_rows(made), results.time_rows(made)
    if not kinds:
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        part("Right, by kind of question")
        st.altair_chart(charts.by_kind(kinds, run.columns))
        st.caption("Computed values where there is one to compute, else recall@12; lines are 95 % intervals.")
    with right:
        part("Recall against time")
        if times:
            st.altair_chart(charts.against_time(times, run.columns))
        for warning in made["warnings"]:
            st.caption(warning)
        if made["excluded"]:
            with st.expander(f"{len(made['excluded'])} questions are excluded, or in part"):
                st.dataframe(made["excluded"], hide_index=True)


def _chosen(made: dict[str, Any]) -> None:
    router = made["router"]
    if router is None:
        return
    part("The router's choice")
    if regret := router["regret"]:
        always, gain = router["regret_of_always_hybrid"], router["gain_over_always_hybrid"]
        left, middle, right = st.columns(3)
        left.metric("Regret against the best column", f"{regret['value']:.2f}")
        left.caption(f"{regret['low']:.2f} to {regret['high']:.2f}, {regret['n']:.0f} questions where columns differ")
        if always and gain:
            middle.metric("Regret of always hybrid", f"{always['value']:.2f}")
            middle.caption(f"{always['low']:.2f} to {always['high']:.2f}")
            right.metric("What choosing gains over it", f"{gain['difference']:+.2f}")
            right.caption(f"{gain['low']:+.2f} to {gain['high']:+.2f}, p = {gain['p']:.4f}")
    with st.expander("Chosen by kind of question"):
        st.dataframe(results.router_rows(made), hide_index=True)


def _judged(made: dict[str, Any]) -> None:
    if rows := results.judge_rows(made):
        part("Facts found in answers")
        numbers = ("strings and numbers", "judge", "agreement")
        config = {name: st.column_config.NumberColumn(format="%.2f") for name in numbers}
        st.dataframe(rows, hide_index=True, column_config=config)
        st.caption(f"The judge is {made['judge']['model']}. Facts that it was asked about are its verdicts.")


def _votes(votes: Sequence[Standing]) -> None:
    if votes:
        part("Blind comparisons")
        st.dataframe([{**asdict(one), "column": title(one.column)} for one in votes], hide_index=True, width="content")
        st.caption("How often a column was chosen on the page Ask while names were hidden.")


def _questions(run: Run, store: str, open_question: Callable[[dict[str, Any]], None]) -> None:
    part("Questions")
    rows = _filtered(results.question_rows(run), run.columns)
    if not rows:
        show(column.empty("No question is like that."))
        return
    config = {
        "question": st.column_config.TextColumn(width="large"),
        **{name: st.column_config.NumberColumn(title(name), format="%.2f", width="small") for name in run.columns},
    }
    chosen = st.dataframe(
        rows, hide_index=True, column_config=config, on_select="rerun", selection_mode="single-row",
        key="chosen_question",
    )  # fmt: skip
    picked = chosen["selection"]["rows"]
    if picked and picked[0] < len(rows):
        gold = next(g for g in run.gold if g.question.id == rows[picked[0]]["id"])
        st.markdown("**Known answer**")
        st.text(gold.question.answer or "none is written down")
        if st.button("Open side by side", type="primary", icon=":material/view_column:"):
            open_question(results.parameters(gold.question.text, gold.question.as_of, list(run.columns), store))


def _filtered(rows: list[dict[str, Any]], columns: Sequence[str]) -> list[dict[str, Any]]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kinds = st.multiselect("Kinds", sorted({row["kind"] for row in rows}), placeholder="all kinds", key="kinds")
        wrong = st.multiselect("Wrong in", list(columns), placeholder="any column", key="wrong", format_func=title)
        right = st.multiselect("Right in", list(columns), placeholder="any column", key="right", format_func=title)
    return [
        row
        for row in rows
        if (not kinds or row["kind"] in kinds)
        and all(row[name] is not None and row[name] < 1 for name in wrong)
        and all(row[name] == 1 for name in right)
    ]
