"""Label: a question, and one message after the other; is it needed for the answer?

The messages come from several columns, without their names and in a mixed order, so that nobody is led to favour the
way of looking that they like. Every word is kept at once; labelled questions gather in a file that
`mailweave evaluate` measures with.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from retrieval.evaluation.pool import NEEDED, NOT, RESTATES, keep, kept, pool
from retrieval.evaluation.writing import read_lines
from retrieval.types import Question
from ui import gold, messages, workspace
from ui.components import column, message
from ui.components.head import head
from ui.components.markup import clickable, html, show
from ui.question import checked
from ui.workspace import Asked, Workspace

POOLED = ("vector", "lexical", "hybrid", "graph", "combined")
WORDS = {"Needed for the answer": NEEDED, "Restates or quotes it": RESTATES, "No": NOT}


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space, keeps=["question"])
    if space.coverage(store).messages == 0:
        show(column.no_mail(store))
        return
    path = gold.questions_file(space.settings, store)
    text = st.text_input(
        "Question to label", key="question", bind="query-params", icon=":material/rule:", label_visibility="collapsed",
        placeholder="A question whose answer stands in your mail …",
    )  # fmt: skip
    if text and text.strip():
        _judge(space, store, checked(text), path)
    else:
        _invitation(space, store, path)


def _invitation(space: Workspace, store: str, path: Path) -> None:
    offered = space.examples(store)

    def take(number: str) -> None:
        st.session_state["question"] = offered[int(number)].text

    show(html('<p class="mw-lead">Ask something that you know to be answered in your mail. For example:</p>'))
    clickable(column.examples(offered), key="label_examples", on_open=take)
    if known := read_lines(path):
        st.caption(f"{len(known)} questions are labelled. Measure with them: mailweave evaluate {path} --store {store}")


def _judge(space: Workspace, store: str, text: str, path: Path) -> None:
    with st.spinner("Looking …", show_time=True):
        looks = space.look_all(Asked(store, Question(text)), POOLED)
    mixed = pool(text, [look.column for look in looks.values()])
    with space.store(store).reader() as conn:
        grades = kept(conn, text)
    left = [one for one in mixed if one not in grades]
    judged = len(mixed) - len(left)
    st.progress(judged / max(len(mixed), 1), f"{judged} of {len(mixed)} messages judged")
    if left:
        _one(space, store, text, left[0])
    else:
        show(column.empty("Every message that was found is judged."))
    _finish(space, store, text, path, whole=not left)


def _one(space: Workspace, store: str, text: str, number: int) -> None:
    def say(grade: int) -> None:
        with space.store(store).owner() as conn:
            keep(conn, text, number, grade)

    with st.container(horizontal=True):
        for words, grade in WORDS.items():
            st.button(
                words, key=f"grade-{grade}", on_click=say, args=(grade,), type="primary" if grade else "secondary"
            )
    with space.store(store).reader() as conn:
        found = messages.full(conn, number)
    show(message.whole(found) if found else column.empty("This message is no longer in the store."))


def _finish(space: Workspace, store: str, text: str, path: Path, *, whole: bool) -> None:
    with st.form("finish", border=False):
        answer = st.text_input("The answer in words (may be left empty)", key="label_answer")
        words = "Add to the labelled questions" if whole else "That is enough: add it to the labelled questions"
        if not st.form_submit_button(words):
            return
    with space.store(store).reader() as conn:
        id = gold.add(conn, path, text, as_of=None, answer=answer.strip())
    st.success(f"Added as {id}. Measure with: mailweave evaluate {path} --store {store} --no-answer")
