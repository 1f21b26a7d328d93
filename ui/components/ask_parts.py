"""What stands around the columns of a comparison: past questions, the vote of a blind one, copying and keeping."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from retrieval.evaluation import pool
from retrieval.result import ColumnResult
from ui import asked as kept
from ui import gold
from ui.as_text import as_text
from ui.asked import Past, Vote
from ui.components import column
from ui.components.ask_column import View
from ui.components.markup import clickable, html, join, show
from ui.components.message import day
from ui.components.names import colour, title
from ui.links import address, linked
from ui.messages import Headline
from ui.workspace import Workspace

PAST_SHOWN = 60


def history(space: Workspace, store: str, again: Callable[[Past], None]) -> None:
    """Past questions of the store; ``again`` is told which one was clicked."""
    box = st.popover("History", icon=":material/history:", type="tertiary", key="history", on_change="rerun")
    if not box.open:
        return
    with space.store(store).reader() as conn:
        past = kept.past(conn)[:PAST_SHOWN]
    with box:
        if not past:
            show(column.empty("Nothing was asked of this store yet."))
            return
        rows = [
            html(
                '<button type="button" class="mw-example" data-open="{}">{}<small>{} · {}</small></button>',
                place, one.question, f"{one.at.astimezone():%-d %b %Y, %H:%M}", ", ".join(map(title, one.columns)),
            )
            for place, one in enumerate(past)
        ]  # fmt: skip

        def take(place: str) -> None:
            st.session_state["history"] = False  # which closes it
            again(past[int(place)])

        clickable(html('<div class="mw-history">{}</div>', join(rows)), key="history-list", on_open=take)

        def forget() -> None:
            with space.store(store).owner() as conn:
                kept.forget(conn)

        st.button(
            "Forget all questions", icon=":material/delete:", type="tertiary", on_click=forget,
            help="They are kept in this store alone. Votes and labelled questions stay.",
        )  # fmt: skip


def ballot(view: View, *, complete: bool) -> None:
    """Asks which column of a blind comparison is better. ``complete``: every column has ended."""
    letters = sorted(view.shown.items(), key=lambda item: item[1])
    written = any((job := view.space.answer(view.asked, name)) is not None and job.ended for name, _ in letters)

    def cast(better: str | None) -> None:
        with view.space.store(view.asked.store).owner() as conn:
            kept.vote(conn, view.asked.question.text, view.shown, Vote(better, written))

    with st.container(horizontal=True, vertical_alignment="center", key="ballot"):
        what = "Which answer is better?" if written else "Which is better? (Answers can be written first.)"
        show(html('<span class="mw-ballot" role="status">{} Names come after the vote.</span>', what), narrow=True)
        for name, letter in letters:
            st.button(letter, key=f"vote-{letter}", on_click=cast, args=(name,), disabled=not complete,
                      help=f"Column {letter} is better")  # fmt: skip
        st.button("No difference", key="vote-none", on_click=cast, args=(None,), disabled=not complete)


def revealed(view: View, vote: Vote, letters: Mapping[str, str]) -> None:
    """After the vote: whose answer it was."""

    def take_back() -> None:
        with view.space.store(view.asked.store).owner() as conn:
            kept.take_back(conn, view.asked.question.text, letters)

    said = "You saw no difference:" if vote.better is None else f"You found {letters[vote.better]} better:"
    named = join(
        (html('{} is <b class="mw-name {}">{}</b>', letter, colour(name), title(name)) for name, letter in
         sorted(letters.items(), key=lambda item: (item[0] != vote.better, item[1]))),
        ", ",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", key="ballot"):
        show(html('<span class="mw-ballot" role="status">{} {}.</span>', said, named), narrow=True)
        st.button("Vote again", key="vote-again", icon=":material/undo:", type="tertiary", on_click=take_back)


def keep_or_copy(view: View, plan: Mapping[str, Any] | None, columns: Sequence[ColumnResult]) -> None:
    """A button that opens the comparison as text, and the form that adds the question to those with known answers."""
    if not st.button("Copy or keep", icon=":material/ios_share:", help="As text, or as a question with a known answer"):
        return

    @st.dialog("Copy or keep", width="large")
    def dialog() -> None:
        with column.errors_shown():
            by_name = {view.shown[one.retriever]: one for one in columns}
            text = as_text(view.asked.question, plan, by_name, view.lines)
            show(html('<h3 class="mw-part">As text</h3>'))
            st.code(text, language=None, wrap_lines=True, height=240)
            st.download_button(
                "Download", text, "comparison.txt", "text/plain", icon=":material/download:", on_click="ignore"
            )
            _keep(view, columns)

    dialog()


def _keep(view: View, columns: Sequence[ColumnResult]) -> None:
    store, text = view.asked.store, view.asked.question.text
    path = gold.questions_file(view.space.settings, store)
    show(html('<h3 class="mw-part">Keep as a question with a known answer</h3>'))
    if (id := gold.known(path, text)) is not None:
        st.caption(f"It stands there as {id}; keeping it again replaces what is known.")
    found = list(
        dict.fromkeys(hit.message for one in columns for hit in one.retrieved.hits if hit.message in view.lines)
    )
    cited = {message for one in columns if one.claims for message in one.claims.cited}
    with view.space.store(store).reader() as conn:
        needed = {message for message, grade in pool.kept(conn, text).items() if grade == pool.NEEDED}
    numbers = list(dict.fromkeys(
        fact.value for one in columns for fact in one.retrieved.facts if isinstance(fact.value, int)
    ))  # fmt: skip
    nothing = "The mailbox does not answer it"
    ways = [f"The number {number:,} is right" for number in numbers] + ["These messages hold the answer", nothing]
    with st.form("keep", border=False):
        way = st.radio("What is known", ways)
        chosen = st.multiselect(
            "Messages that hold it", found, [message for message in found if message in (needed or cited)],
            format_func=lambda message: _named(view.lines[message]), placeholder="Choose among what was found",
        )  # fmt: skip
        answer = st.text_input("The answer in words (may be left empty)", key="gold-answer").strip()
        sent = st.form_submit_button("Keep", type="primary")
    linked(
        html('<a class="mw-small" href="{}">judge its messages one by one instead</a>',
             address("label", store=store, question=text)),
        key="to-label",
    )  # fmt: skip
    if not sent:
        return
    number = numbers[ways.index(way)] if ways.index(way) < len(numbers) else None
    if number is None and way != nothing and not chosen:
        show(
            column.empty(
                "Choose at least one message that holds the answer, or say that the mailbox does not answer it."
            )
        )
        return
    with view.space.store(store).owner() as conn:
        right = set() if way == nothing else set(chosen)
        for message in right | (needed if way == nothing else needed & set(found)):
            pool.keep(conn, text, message, pool.NEEDED if message in right else pool.NOT)
        id = gold.add(conn, path, text, as_of=view.asked.question.as_of, answer=answer, number=number)
    st.success(f"Kept as {id}. Measure with: mailweave evaluate {path} --store {store} --no-answer")


def _named(line: Headline) -> str:
    return f"{line.sender}, {day(line.local_at)}: {line.subject} (message {line.id})"
