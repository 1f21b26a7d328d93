"""What a question says leaves a trace in its plan, or the plan is in doubt."""

from __future__ import annotations

from datetime import date

import pytest

from graph.plan import Between, HasAttachment, Kind, People, Period, Plan, Subject
from retrieval.planner import rules
from retrieval.planner.accounts import unaccounted
from retrieval.planner.items import Tagged
from retrieval.planner.languages import detect
from retrieval.planner.tagging import tag
from retrieval.planner.tokens import tokenize
from tests.retrieval.people import LEE, MARTA, PAUL, index

INDEX = index()
AS_OF = date(2022, 2, 28)
MAY = Period(date(2021, 5, 1), date(2021, 6, 1))
FROM_PAUL = People("sender", (PAUL,))


def tagged(question: str) -> Tagged:
    tokens = tokenize(question)
    return tag(tokens, detect(tokens), INDEX, AS_OF)


@pytest.mark.parametrize(
    ("question", "plan", "lost"),
    [
        ("How many messages did Paul send to Lee Okafor?", Plan(filters=(FROM_PAUL,)), ["Lee Okafor"]),
        ("How many messages did Paul send in May 2021?", Plan(filters=(FROM_PAUL,)), ["in May 2021"]),
        ("How many automated messages came in May 2021?", Plan(filters=(MAY,)), ["automated"]),
        ("Messages from Paul that were never answered", Plan(filters=(FROM_PAUL,)), ["never answered"]),
        ("Messages from Paul without attachments", Plan(filters=(FROM_PAUL, HasAttachment())), ["without"]),
        ("Which messages did I get in copy from Paul?", Plan(filters=(FROM_PAUL, People("to", (MARTA,)))), ["in copy"]),
        ("The three people who wrote to Paul most", Plan("people", filters=(People("to", (PAUL,)),), limit=2,
                                                         order_by="count"), ["three"]),
        ("Wie viele Mails hat Paul Ndiaye nicht an mich geschickt?", Plan(filters=(FROM_PAUL,)), ["nicht", "mich"]),
        ("Combien de messages de Paul Ndiaye avec une pièce jointe ?", Plan(filters=(FROM_PAUL,)), ["avec une pièce jointe"]),
        ("¿Cuántos mensajes de Paul Ndiaye con el asunto 'Puente'?", Plan(filters=(FROM_PAUL,)), ["con el asunto", "Puente"]),
    ],
)  # fmt: skip
def test_what_left_no_trace_is_told(question: str, plan: Plan, lost: list[str]) -> None:
    assert unaccounted(tagged(question), plan, INDEX) == lost


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("Show me the mail between Paul and Lee Okafor", Plan(filters=(Between((PAUL,), (LEE,)),))),
        ("mails from Paul under the subject 'Bridge steel'", Plan(filters=(FROM_PAUL, Subject("Bridge steel")))),
        ("mail of May 2021 that is not automated", Plan(filters=(MAY,), not_filters=(Kind(("automated",)),))),
        ("Who wrote more than 20 messages?", Plan("people", role="sender", at_least=21)),
        ("To whom did Paul write, To or Cc?", Plan("people", role="recipient", filters=(FROM_PAUL,))),
    ],
)
def test_what_stands_in_the_plan_is_no_doubt(question: str, plan: Plan) -> None:
    assert unaccounted(tagged(question), plan, INDEX) == []


def test_a_part_of_a_question_that_the_reading_lost_makes_its_plan_unsure() -> None:
    found = rules.plan("How many messages did Paul send to Lee Okafor and to more than three others?", INDEX, AS_OF)
    assert found.intent == "count"
    assert not found.sure
    assert "three" in found.reason


@pytest.mark.parametrize(
    ("question", "lost"),
    [
        ("How many long mails did Paul send?", "long"),
        ("How many mails per week did Paul send?", "per week"),
        ("How many mails did Paul send before I wrote to Lee Okafor?", "before"),
        ("How many of Paul's messages did I forward in May 2021?", "forward"),
        ("How many mails from Paul have more than one attachment?", "more than"),
        ("How many messages were sent by Paul after Lee Okafor?", "after"),
        ("Who replied to me after Paul?", "after"),
        ("How many messages came from Ana Torres, her boss and Quay?", "boss"),
        ("Which messages from Paul were forwarded to Lee Okafor?", "forwarded"),
        ("Who forwarded Paul's messages to Lee Okafor?", "forwarded"),
        ("How many messages did Paul send in the fall?", "fall"),
        ("In how many messages from Paul am I neither in To nor in Cc?", "neither"),
        ("Name five recipients of Paul's mails.", "five"),
        ("Exactly two senders mentioned steel. How many of their mails were sent in May 2021?", "Exactly"),
        ("Which organisation has most people in the mailbox?", "most people"),
        ("Who wrote to more than ten people?", ""),
        ("What did the person who wrote to me most in May 2021 send to Lee Okafor?", ""),
        ("Who wrote to me more than Paul did?", "more than"),
        ("Which mails from Paul have only PDF files?", "only"),
        ("Wie viele lange Mails hat Paul Ndiaye geschickt?", "lange"),
        ("Combien de messages par semaine Paul Ndiaye a-t-il envoyés ?", "semaine"),
        ("¿Cuántos correos nuevos envió Paul Ndiaye?", "nuevos"),
    ],
)
def test_what_no_plan_can_say_is_a_doubt_or_no_number(question: str, lost: str) -> None:
    found = rules.plan(question, INDEX, AS_OF)
    assert not found.sure
    assert found.intent == "content" or lost in found.reason
