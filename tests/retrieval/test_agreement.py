"""Facts, messages and the answer contradict each other: it is said, and only then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.plan import People
from retrieval import agreement
from retrieval.ask import ask
from retrieval.columns.base import Tools
from retrieval.planning import Planned
from retrieval.text import messages
from retrieval.types import Fact, Question
from sql.store import Store

THREE = Fact("3 messages from Tom Weiss.", 3, "SELECT 3", [])


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Tom Weiss sent 4 messages.", True),
        ("Tom Weiss sent 3 messages.", False),
        ("Tom Weiss sent three messages.", False),  # words are not read, so nothing is claimed
        ("Tom Weiss sent 3 of the 12 messages.", False),
        ("Tom wrote from 2021 on [4].", False),
        ("It is 1,850 a tonne [1].", False),  # the cited message says so
    ],
)
def test_an_answer_with_another_number_than_the_fact_is_told(answer: str, told: bool) -> None:
    said = agreement.with_answer(answer, "How many did Tom send?", [THREE], ["1,850 a tonne"])
    assert bool(said) == told
    if told:
        assert "4" in said and "3 was counted" in said


def planned(tools: Tools, question: str) -> Planned:
    with tools.store.reader() as conn:
        return tools.planner.plan(conn, Question(question))


def test_more_messages_of_that_name_than_were_counted_are_told(tools: Tools) -> None:
    asked = planned(tools, "How many messages did Eva send in December 2021?").question
    assert asked.plan is not None
    with tools.store.reader() as conn:
        found = messages(conn, [1, 8, 14]).values()  # of both Evas, one of them in December
    both = Fact("1 message.", 1, "", [])
    assert agreement.with_messages(asked, [both], found) == ""
    assert "1 of the messages" in agreement.with_messages(asked, [replace(both, value=0)], found)
    whenever = planned(tools, "How many messages did Eva send?").question
    told = agreement.with_messages(whenever, [replace(both, value=2)], found)
    assert told.startswith("3 of the messages found are from somebody called Eva, and 2 were counted")


def test_other_conditions_than_sender_and_period_are_not_judged(tools: Tools) -> None:
    asked = planned(tools, "How many messages did Eva send to Tom?").question
    assert asked.plan is not None and any(isinstance(f, People) for f in asked.plan.filters)
    with tools.store.reader() as conn:
        assert agreement.with_messages(asked, [replace(THREE, value=0)], messages(conn, [1, 8, 14]).values()) == ""


def test_where_all_agrees_nothing_is_told(office: Store) -> None:
    result = ask(office, "How many messages did Tom Weiss send?", ["graph"], planner="rules", answer=False)
    assert result.columns[0].disagreements == ()
    assert result.to_json()["columns"][0]["disagreements"] == []
