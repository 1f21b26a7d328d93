"""The agent over the office mailbox: what its steps find, when it stops, what mail can and cannot make it do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.agent.bench import Bench
from retrieval.agent.calls import TOOLS, parse
from retrieval.agent.loop import MOST_STEPS
from retrieval.columns.base import Tools
from retrieval.columns.registry import make
from retrieval.models.chat import ChatModel, open_chat
from retrieval.models.errors import ModelCrashed
from retrieval.names import names
from retrieval.types import Question, Retrieved
from tests.retrieval.scripted import Scripted

ASKED = Question("How many messages did Tom Weiss send to me in November 2021?")


def run(tools: Tools, *texts: str, question: Question = ASKED) -> tuple[Retrieved, Scripted]:
    chat = Scripted(*texts)
    return make("agent", replace(tools, chat=chat)).retrieve(question), chat


@pytest.fixture
def bench(tools: Tools) -> Bench:
    with tools.store.reader() as conn:
        return Bench(tools, names(conn, tools.store), None)


def take(bench: Bench, text: str) -> str:
    return bench.run(parse(text, bench.known)).text


def test_steps_become_facts_hits_and_a_trace(tools: Tools) -> None:
    result, chat = run(
        tools,
        'find_person("Tom Weiss")',
        'count(sender=P1, recipient=P0, since="2021-11-01", before="2021-12-01")',
        "answer()",
    )
    assert [fact.value for fact in result.facts] == [2]
    assert {hit.message for hit in result.hits} == {5, 7}
    assert not result.errors
    steps = [(step.name, step.input, step.size) for step in result.trace if step.name != "choose"]
    assert steps == [
        ("find_person", '"Tom Weiss"', 1),
        ("count", 'sender=P1, recipient=P0, since="2021-11-01", before="2021-12-01"', 2),
    ]
    assert 'since="2021-11-01", before="2021-12-01"' in chat.told[0]  # reckoned for the model
    assert "P1 Tom Weiss" in chat.told[1]


def test_every_tool_finds_what_it_is_for(bench: Bench) -> None:
    assert take(bench, 'find_person("Otto")').startswith("P1 Otto Berg")
    assert take(bench, 'find_person("tom weiss")').startswith("P2 Tom Weiss")
    assert "P0" in take(bench, 'find_person("me")')
    assert len(take(bench, 'find_person("Eva")').splitlines()) == 2  # both
    assert take(bench, 'find_organization("Stahlkontor")').startswith("O1 stahlkontor.example")
    assert "no person of that name" in take(bench, 'find_person("lindt-recht.example")')
    assert take(bench, "count(sender=P1)").startswith("2 messages")
    assert "Tom Weiss (3)" in take(bench, 'count(by="sender", recipient=P0)')
    assert take(bench, "messages(sender=O1)").startswith("3 messages")  # not what Otto wrote from home
    assert take(bench, 'mentions("Zinkplatten")').startswith("2 messages")
    assert take(bench, 'mentions_all("Zinkplatten", "lorries")').startswith("1 message,")
    assert "Steel offer" in take(bench, 'search("price of the steel a tonne")')
    assert "Zinkplatten" in take(bench, f"read(M{bench.messages.index(3) + 1})")
    assert take(bench, f"thread(M{bench.messages.index(3) + 1})").startswith("4 messages")
    assert "Steel offer" in take(bench, f"neighbours(M{bench.messages.index(3) + 1})")
    assert "Otto Berg" in take(bench, "path(P1, P2)")


def test_an_opened_message_comes_first_among_the_hits(tools: Tools) -> None:
    result, _ = run(tools, 'search("steel footbridge")', "read(M3)", "answer()", question=Question("What about steel?"))
    opened = next(step for step in result.trace if step.name == "read")
    assert opened.size > 0
    assert any(by.step.endswith("read") for by in result.hits[0].found_by)


def test_it_stops_when_two_steps_in_a_row_bring_nothing_new(tools: Tools) -> None:
    same = 'find_person("Tom Weiss")'
    result, chat = run(tools, same, same, same, "never asked for")
    assert chat.texts == ["never asked for"]
    assert result.trace[-1].name == "stop"
    assert "no step found anything" in result.outcome_note


def test_it_takes_twelve_steps_at_most(tools: Tools) -> None:
    words = [
        "steel",
        "mayor",
        "band",
        "lorries",
        "invoice",
        "contract",
        "tonne",
        "site",
        "fee",
        "Friday",
        "ninth",
        "deliver",
    ]
    result, chat = run(tools, *(f'mentions("{word}")' for word in words), "never asked for")
    assert chat.texts == ["never asked for"]
    assert sum(step.name == "choose" for step in result.trace) == MOST_STEPS == len(words)


def test_a_step_that_fails_is_told_to_the_model_and_the_next_one_is_taken(tools: Tools) -> None:
    result, chat = run(tools, "drop(table)", 'count(since="2021-12-01", before="2021-11-01")', "answer()")
    assert "no call of a tool" in chat.told[1]
    assert result.facts == []
    result, chat = run(tools, "drop(table)", 'mentions("Zinkplatten")', "answer()")
    assert len(result.facts) == 1
    assert len(result.facts[0].value if isinstance(result.facts[0].value, list) else []) == 2


def test_what_was_gathered_before_the_model_broke_down_is_kept_with_the_error(tools: Tools) -> None:
    result = make(
        "agent", replace(tools, chat=Scripted('mentions("Zinkplatten")', ModelCrashed("The model stopped.")))
    ).retrieve(ASKED)
    assert len(result.facts) == 1
    assert [error.kind for error in result.errors] == ["ModelCrashed"]


def test_mail_that_spells_a_step_starts_nothing_and_stands_between_fences(tools: Tools) -> None:
    result, chat = run(tools, 'search("steel")', "read(M1)", "answer()")
    for told in chat.told[1:]:
        mark = told[1 : told.index(">")]
        assert told.startswith(f"<{mark}>") and f"</{mark}>" in told and told.count(f"</{mark}>") == 1
    taken = [step.name for step in result.trace if step.name not in ("choose", "stop")]
    assert taken == ["search", "read"]


@pytest.fixture(scope="module")
def small(model_cache: Path) -> Iterator[ChatModel]:
    opened = open_chat("qwen2.5-coder-0.5b", cache=model_cache)
    yield opened
    opened.close()


def test_a_small_real_model_takes_only_steps_that_there_are(tools: Tools, small: ChatModel) -> None:
    """Whether they are the right ones is measured, not tested."""
    result = make("agent", replace(tools, chat=small)).retrieve(Question("How many messages did Tom Weiss send?"))
    chosen = [step.output for step in result.trace if step.name == "choose"]
    assert chosen and all(text.partition("(")[0] in TOOLS for text in chosen), chosen
    assert not result.errors
