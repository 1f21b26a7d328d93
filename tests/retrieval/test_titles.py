"""Titles without quotation marks are found in the mailbox, and titles that are not there are told."""

from __future__ import annotations

import pytest

from graph.plan import Mentions, People, Plan, Subject, Threads
from retrieval import titles
from retrieval.columns.base import Tools
from retrieval.names import names
from retrieval.types import Question


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Who wrote in the thread steel offer in October?", 'Who wrote in the thread "steel offer" in October?'),
        (
            "Bridges of the week - how long is that conversation?",
            '"Bridges of the week" - how long is that conversation?',
        ),
        ("Wer schrieb in der Unterhaltung Opening day?", 'Wer schrieb in der Unterhaltung "Opening day"?'),
        ("Qui a écrit dans la conversation Site meeting ?", 'Qui a écrit dans la conversation "Site meeting" ?'),
        ("Who wrote in the Invoice thread?", 'Who wrote in the "Invoice" thread?'),
        ("¿Quién escribió en el hilo Invoice?", '¿Quién escribió en el hilo "Invoice"?'),
    ],
)
def test_the_longest_stretch_that_is_a_subject_is_put_in_quotation_marks(
    tools: Tools, question: str, read: str
) -> None:
    with tools.store.reader() as conn:
        assert titles.quoted(conn, question, names(conn, tools.store).index) == read


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote about the steel offer?",  # of no conversation
        "How many messages are in the conversation 'Steel offer'?",
        "How many messages are in the thread Roof garden?",
        "Which threads did Tom write in?",
    ],
)
def test_other_questions_stay_as_they_are(tools: Tools, question: str) -> None:
    with tools.store.reader() as conn:
        assert titles.quoted(conn, question, names(conn, tools.store).index) == question


def test_titles_inside_a_plan_that_no_message_has_are_told(tools: Tools) -> None:
    inner = Plan("people", role="sender", filters=(Subject("Roof  garden"),))
    plan = Plan(filters=(People("sender", inner), Subject("STEEL offer"), Subject("roof", contains=True)),
                not_filters=(Threads(Plan("threads", filters=(Mentions(("x",)), Subject("Bell tower")))),))  # fmt: skip
    with tools.store.reader() as conn:
        assert titles.unknown(conn, plan) == ["Roof  garden", "Bell tower"]
        assert titles.unknown(conn, Plan()) == []


@pytest.mark.parametrize(
    ("question", "sure"),
    [
        ("How many messages are in the conversation 'Steel offer'?", True),
        ("How many messages are in the conversation 'Roof garden'?", False),
        ("How many messages are in the thread about the offer?", True),
        ("How many messages are in the thread about the roof?", False),
    ],
)
def test_a_count_of_a_conversation_that_is_not_there_is_in_doubt(tools: Tools, question: str, sure: bool) -> None:
    with tools.store.reader() as conn:
        planned = tools.planner.plan(conn, Question(question)).question
    assert planned.sure == sure, planned.reason
