"""Facts: complete, or cut openly; ties, steps and ambiguity are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from graph.plan import Answer, Item, Kind, Mentions, Organizations, People, Period, Plan
from retrieval import describe, facts
from retrieval.columns.base import Tools, Trace
from retrieval.errors import NoVectors, RetrievalError, as_query_error
from retrieval.linker import Link
from retrieval.planner.languages import load
from retrieval.planner.tokens import tokenize
from retrieval.structure import find_facts
from retrieval.types import Question
from tests.retrieval.people import MARTA, OWN, PAUL, index

INDEX = index()
WHEN = datetime(2021, 10, 5, 9, 30)


def person(id: int, label: str, n: int) -> Item:
    return Item(id, label, n, (f"{label.split()[0].lower()}@x.example",), WHEN, WHEN)


def answer(*items: Item, total: int | None = None, **more: object) -> Answer:
    return Answer(items, len(items) if total is None else total, 9, "SELECT 1", {}, "sql", 1.0, **more)  # type: ignore[arg-type]


RANK = Plan(
    "people", role="sender", filters=(People("to", (MARTA,)),), exclude_people=(MARTA,), order_by="count", limit=1
)


def test_a_rank_names_its_items_with_their_numbers_and_the_query_that_ran() -> None:
    fact = facts.of_answer(RANK, answer(person(1, "Paul Ndiaye", 7)), "rank", INDEX)
    assert fact.text == "The sender of most messages to Marta Keller: Paul Ndiaye <paul@x.example> (7)."
    assert fact.value == [{"label": "Paul Ndiaye", "n": 7, "keys": ["paul@x.example"], "id": 1}]
    assert fact.query == "SELECT 1"
    assert "drafts" in fact.rule


def test_a_tie_at_the_cut_is_told() -> None:
    tied = answer(person(1, "Paul Ndiaye", 7), next=person(2, "Lee Okafor", 7))
    assert "a tie: Lee Okafor has 7 too" in facts.of_answer(RANK, tied, "rank", INDEX).text
    clear = answer(person(1, "Paul Ndiaye", 7), next=person(2, "Lee Okafor", 6))
    assert "tie" not in facts.of_answer(RANK, clear, "rank", INDEX).text


def test_a_list_says_how_many_there_are_and_what_was_cut() -> None:
    everyone = Plan("people", role="sender")
    items = tuple(person(n, f"Person {n}", 1) for n in range(50))
    fact = facts.of_answer(everyone, answer(*items, total=620), "list", INDEX)
    assert fact.text.startswith("620 senders: Person 0")
    assert "the first 50 of 620 are given" in fact.text
    assert "and 10 more in the rows" in fact.text
    assert isinstance(fact.value, list)
    assert len(fact.value) == len(fact.rows) == 50


def test_a_count_is_the_number_of_messages_and_recovered_ones_stand_beside_it() -> None:
    fact = facts.of_answer(Plan(filters=(Mentions(("steel",)),)), answer(recovered=3), "count", INDEX)
    assert fact.value == 9
    assert fact.text == "9 messages with 'steel' in subject or text (+ 3 known only from quotations, not counted)."


def test_an_empty_list_says_none() -> None:
    assert facts.of_answer(Plan("people"), answer(), "list", INDEX).text == "0 people: none."


def test_a_name_that_fits_two_people_is_told_with_both() -> None:
    ana = INDEX.at(tokenize("Ana"), 0, load("en").stopwords)
    assert isinstance(ana, Link)
    text = facts.of_answer(Plan(filters=(People("sender", ana.ids),)), answer(), "count", INDEX, [ana]).text
    assert "'Ana' may mean 2: Ana Torres (80 messages), Ana Ruiz (40 messages)" in text


def test_a_misspelt_name_is_told_with_what_it_was_read_as() -> None:
    link = INDEX.at(tokenize("Paul Ndiay"), 0, load("en").stopwords)
    assert isinstance(link, Link)
    assert "'Paul Ndiay' was read as Paul Ndiaye" in facts.of_answer(Plan(), answer(), "count", INDEX, [link]).text


def test_a_doubt_about_the_plan_stands_beside_its_number() -> None:
    fact = facts.of_answer(Plan(), answer(), "count", INDEX, doubt="understood but for: urgent")
    assert "not sure that this is what was asked: understood but for: urgent" in fact.text
    assert "not sure" not in facts.of_answer(Plan(), answer(), "count", INDEX).text


def test_the_counting_rule_says_what_automated_mail_is() -> None:
    automated = Plan(not_filters=(Kind(("automated",)),))
    assert "newsletters" in facts.of_answer(automated, answer(), "count", INDEX).rule
    assert "newsletters" not in facts.of_answer(Plan(), answer(), "count", INDEX).rule


def test_the_hops_of_a_question_are_facts_of_their_own(tools: Tools) -> None:
    trace = Trace()
    with tools.store.reader() as conn:
        planned = tools.planner.plan(
            conn, Question("In which month was the sender of the message with the most recipients most active?")
        )
        found, _ = find_facts(conn, planned, trace)
    assert [f.value[0]["label"] for f in found if isinstance(f.value, list)] == [
        "2021-11",
        "2021-12-02 Site meeting",
        "Tom Weiss",
    ]


def test_a_plan_is_said_in_words() -> None:
    october = Period(datetime(2021, 10, 1).date(), datetime(2021, 11, 1).date())
    plan = Plan(
        "people",
        role="sender",
        filters=(Organizations("recipient", (OWN,)), october),
        exclude_organizations=(OWN,),
        at_least=3,
    )
    assert describe.plan(plan, INDEX) == (
        "senders of at least 3 messages to (To, Cc or Bcc) keller-werke.example in October 2021 outside keller-werke.example"
    )
    inner = replace(RANK, without=(Plan("people", role="sender", filters=(People("to", (PAUL,)),)),))
    assert "but not among (senders of messages to Paul Ndiaye)" in describe.plan(inner, INDEX)


def test_a_failure_becomes_data_with_its_class_and_the_next_step() -> None:
    told = as_query_error(NoVectors("Nothing was embedded yet."), "SELECT 2")
    assert (told.kind, told.message, told.query) == ("NoVectors", "Nothing was embedded yet.", "SELECT 2")
    assert told.hint == "Run: mailweave embed"
    assert as_query_error(RetrievalError("x", hint="do y")).hint == "do y"
    assert as_query_error(ValueError()).message == "ValueError"
