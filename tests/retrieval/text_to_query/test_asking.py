"""The loop: what fails or finds nothing goes back with its reason, twice at most, and every attempt is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from graph.cypher import Rows
from graph.errors import QuerySyntax
from retrieval.columns.base import Trace
from retrieval.models.chat import ChatMessage
from retrieval.text_to_query.asking import Asked, Language, ask, bare
from retrieval.text_to_query.examples import load
from retrieval.text_to_query.values import Values
from tests.retrieval.scripted import Scripted


class Writer(Scripted):
    """What is the same for all questions comes first, so that a model has to read it once."""

    def complete(self, messages: Sequence[ChatMessage], **options: Any) -> Iterator[str]:
        assert messages[0].content == "constant"
        return super().complete(messages, **options)

    def count_tokens(self, text: str) -> int:
        return len(text)


ONE = Rows(("n",), ((4,),), False, 1.0, "")
NONE = Rows(("name",), (), False, 1.0, "")


def language(results: Mapping[str, Rows | QuerySyntax]) -> Language:
    def run(query: str) -> Rows:
        found = results[query]
        if isinstance(found, QuerySyntax):
            raise found
        return found

    return Language(
        "cypher", "constant", "root ::= [a-z]+", lambda text: (text.rstrip(";"), ["x"] * (";" in text)), run
    )


def asked(chat: Writer, spoken: Language, values: Values | None = None) -> tuple[Asked, list[str]]:
    trace = Trace()
    out = ask(chat, spoken, "How many?", list(load()[:3]), values or Values(), trace)
    return out, [step.name for step in trace.steps]


def test_a_query_that_runs_is_asked_for_once() -> None:
    chat = Writer("good")
    out, steps = asked(chat, language({"good": ONE}))
    assert (out.query, out.rows, out.failures) == ("good", ONE, [])
    assert steps == ["write", "run"]


def test_an_error_goes_back_with_its_words_and_its_hint() -> None:
    chat = Writer("bad", "good;")
    out, steps = asked(chat, language({"bad": QuerySyntax("no such word", hint="Say MATCH."), "good": ONE}))
    assert out.rows == ONE
    assert steps == ["write", "run", "retry 1", "rewrite", "run"]
    assert "no such word" in chat.told[1]
    assert "Say MATCH." in chat.told[1]
    assert chat.told[1].endswith("Q: How many?")


def test_after_two_retries_the_failures_are_all_that_is_left() -> None:
    failing = {text: QuerySyntax(f"{text} is wrong") for text in ("a", "b", "c")}
    out, steps = asked(Writer("a", "b", "c", "never asked for"), language(failing))
    assert out.rows is None
    assert [str(f) for f in out.failures] == ["a is wrong", "b is wrong", "c is wrong"]
    assert sum(step.startswith("retry") for step in steps) == 2


def test_an_empty_result_goes_back_and_stands_where_nothing_better_comes() -> None:
    chat = Writer("empty", "bad", "zero")
    zero = Rows(("n",), ((0,),), False, 1.0, "")
    out, _ = asked(chat, language({"empty": NONE, "bad": QuerySyntax("wrong"), "zero": zero}))
    assert "found nothing" in chat.told[1]
    assert (out.query, out.rows) == ("zero", zero)


ADA = Values(people=("Ada Quill",), said=(("Ada Quill", "Ada"),))


def test_what_leaves_out_a_name_goes_back_and_is_no_answer_even_before_an_empty_one() -> None:
    chat = Writer("without name", "to 'Ada Quill'", "of 'Ada Quill'")
    out, _ = asked(chat, language({"without name": ONE, "to 'Ada Quill'": NONE, "of 'Ada Quill'": NONE}), ADA)
    assert "leaves out 'Ada Quill'" in chat.told[1]
    assert out.rows == NONE


def test_where_the_last_attempt_leaves_it_out_too_there_is_no_answer_and_the_reason_is_told() -> None:
    out, _ = asked(Writer("a", "b", "c"), language(dict.fromkeys("abc", ONE)), ADA)
    assert out.rows is None
    assert out.failures == []
    assert "leaves out 'Ada Quill'" in out.doubt


def test_a_retry_comes_with_other_examples() -> None:
    chat = Writer("a", "b", "c")
    seven = list(load()[:7])
    ask(chat, language(dict.fromkeys("abc", ONE)), "How many?", seven, ADA, Trace())
    shown = [[one.question for one in seven if f"Q: {one.question}\n" in told] for told in chat.told]
    assert shown == [[one.question for one in seven[a:b]] for a, b in ((4, 7), (2, 4), (0, 2))]


def test_an_empty_result_is_told_the_condition_that_empties_it() -> None:
    query = "MATCH (m:Message) WHERE m.subject = 'Ada' AND m.date >= '2001' RETURN m.id"
    results = {
        query: NONE,
        query.replace("m.subject = 'Ada' AND ", ""): NONE,
        query.replace(" AND m.date >= '2001'", ""): ONE,
    }
    chat = Writer(query, "good")
    asked(chat, language({**results, "good": ONE}))
    assert "without m.date >= '2001' it would" in chat.told[1]


def test_a_query_that_counts_the_person_it_names_goes_back() -> None:
    wrong = "MATCH (m:Message)-[e:RECIPIENT]->(p:Person) WHERE p.name = 'Ada' RETURN count(DISTINCT p)"
    chat = Writer(wrong, "good")
    asked(chat, language({wrong: ONE, "good": ONE}))
    assert "its own condition names" in chat.told[1]


def test_the_same_text_again_is_not_run_again() -> None:
    out, steps = asked(Writer("bad", "bad", "bad"), language({"bad": QuerySyntax("wrong")}))
    assert len(out.failures) == 1
    assert steps == ["write", "run", "retry 1", "retry 2"]


def test_the_prompt_begins_with_examples_and_ends_with_values_and_question() -> None:
    values = Values(owner="Ada Quill", people=("Bo Marsh",), said=(("Bo Marsh", "Bo"),), periods=(("2001-01-01", ""),))
    chat = Writer("'Bo Marsh' 2001-01-01")
    asked(chat, language({"'Bo Marsh' 2001-01-01": ONE}), values)
    told = chat.told[0]
    assert told.startswith("Q: ")
    assert told.endswith("Q: How many?")
    assert "Bo = 'Bo Marsh'" in told.splitlines()[-2]
    assert "I, me, my = 'Ada Quill'" in told.splitlines()[-2]


@pytest.mark.parametrize(
    "text", ["MATCH (m)\n  RETURN m", "```cypher\nMATCH (m) RETURN m\n```", "Here:\n```\nMATCH (m) RETURN m\n```"]
)
def test_a_fence_around_the_query_is_taken_off(text: str) -> None:
    assert bare(text) == "MATCH (m) RETURN m"
