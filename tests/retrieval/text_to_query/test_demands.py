"""What questions demand, read from their words over the fictional mailbox; and what a query leaves of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from retrieval.names import names
from retrieval.text_to_query.demands import Demands, left_out, unused
from retrieval.text_to_query.examples import Example, load
from retrieval.text_to_query.values import Values, find
from sql.store import Store

Read = Callable[[str], Values]
OWN = ("tarnbridge.example",)


@pytest.fixture
def read(demo_store: Store) -> Read:
    def values(question: str) -> Values:
        with demo_store.reader() as conn:
            return find(conn, question, names(conn, demo_store).index, date(2025, 11, 28))

    return values


@pytest.mark.parametrize(
    ("question", "demanded"),
    [
        ("How many messages mention the lantern?", Demands(texts=("lantern",))),
        ("How often does 'wet sand' come up?", Demands(texts=("wet sand",), unknown=("wet sand",))),
        ("How many messages mention Ilse Brandt?", Demands(texts=("ilse brandt",))),
        ("Did anybody at Zubrowka write in May 2025?", Demands(unknown=("zubrowka",))),
        ("How many invoices did Ilse Brandt send?", Demands(unknown=("invoices",))),
        ("How many messages did even Ilse Brandt send?", Demands()),
        ("Which two people besides me wrote most?", Demands(apart=("Maren Holt",))),
        ("Ilse Brandt aside, who wrote to me in May 2025?", Demands(apart=("Ilse Brandt",), me=True)),
        ("Who outside our company wrote most?", Demands(away=OWN)),
        ("Which outsider wrote most?", Demands(away=OWN)),
        ("Who outside caldertest.example wrote most?", Demands(away=("caldertest.example",))),
        ("How many mails went back and forth between Ilse Brandt and Jonah Feld?", Demands(both_ways=True)),
        ("Who got at least five messages from Ilse Brandt?", Demands(least=5)),
        ("Who got more than 12 messages from Ilse Brandt?", Demands(least=13)),
        ("Who at nordkai.example sent nothing in May 2025?", Demands(denied=True)),
        ("How many messages of Ilse Brandt have an attachment?", Demands(attached=True)),
        ("How many messages of Ilse Brandt were answered?", Demands(answered=True)),
        ("How many messages did Ilse Brandt send?", Demands()),
    ],
)
def test_cues_tell_what_a_query_has_to_hold(read: Read, question: str, demanded: Demands) -> None:
    assert read(question).demands == demanded


@pytest.mark.parametrize(
    ("question", "owner"),
    [
        ("How many of the messages did Ilse Brandt send?", ""),
        ("How many messages except drafts did Ilse Brandt send?", ""),
        ("How many messages of my own mention the lantern?", "Maren Holt"),
        ("How many messages mention the lantern, not counting mine?", "Maren Holt"),
        ("Combien de messages ai-je reçus ?", "Maren Holt"),
        ("Sin contar los míos, ¿cuántos correos hay?", "Maren Holt"),
    ],
)
def test_the_owner_is_a_value_only_where_the_question_speaks_of_itself(read: Read, question: str, owner: str) -> None:
    assert read(question).owner == owner


@pytest.mark.parametrize("example", load(), ids=lambda one: one.question[:60])
def test_no_example_leaves_out_what_its_question_demands(read: Read, example: Example) -> None:
    values = read(example.question)
    assert [left_out(query, values) for query in (example.cypher, example.sql) if query] == [""] * (
        bool(example.cypher) + bool(example.sql)
    )


ASKED = Values(
    owner="Maren Holt", people=("Ilse Brandt",), domains=("nordkai.example", "caldertest.example"), here=OWN,
    periods=(("2025-05-01", "2025-06-01"),),
    said=(("Ilse Brandt", "Ilse"), ("nordkai.example", "Nordkai"), ("caldertest.example", "Calder")),
)  # fmt: skip
WHOLE = "p.name = 'Ilse Brandt' AND s.domain = 'nordkai.example' OR s.domain = 'caldertest.example' AND m.date >= '2025-05-01'"


@pytest.mark.parametrize(
    ("demanded", "query", "missing"),
    [
        (Demands(), WHOLE, ""),
        (Demands(), WHOLE.replace("Ilse Brandt", "Maren Holt"), "'Ilse Brandt'"),
        (Demands(), WHOLE.replace("caldertest", "other"), "'caldertest.example'"),
        (Demands(), WHOLE.replace("2025", "2024"), "the period"),
        (Demands(unknown=("zubrowka",)), WHOLE, "'zubrowka'"),
        (Demands(texts=("sensors",)), WHOLE, "'sensors'"),
        (Demands(me=True), WHOLE, "'Maren Holt'"),
        (Demands(apart=("Maren Holt",)), f"{WHOLE} AND q.name = 'Maren Holt'", "does not count"),
        (Demands(apart=("Maren Holt",)), f"{WHOLE} AND q.name <> 'Maren Holt'", ""),
        (Demands(away=OWN), WHOLE, "outside of tarnbridge.example"),
        (Demands(away=OWN), f"{WHOLE} AND NOT e.domain IN ['tarnbridge.example']", ""),
        (Demands(away=OWN), f"{WHOLE} AND sender_domain NOT IN ('tarnbridge.example')", ""),
        (Demands(both_ways=True), WHOLE, "the other direction"),
        (Demands(denied=True, away=OWN), f"{WHOLE} AND NOT e.domain IN ['tarnbridge.example']", "not done"),
        (Demands(denied=True), f"{WHOLE} WITH DISTINCT p WHERE NOT exists {{ MATCH (p) }}", ""),
        (Demands(least=5), f"{WHOLE} WITH q, count(DISTINCT m) AS n WHERE n >= 2", "the least number 5"),
    ],
)
def test_what_a_query_does_not_hold_is_named(demanded: Demands, query: str, missing: str) -> None:
    told = left_out(query, replace(ASKED, demands=demanded))
    assert missing in told
    assert bool(told) == bool(missing)


def test_words_in_passing_that_a_query_does_not_use_are_told() -> None:
    values = Values(words=("timesheets", "even"))
    assert unused(
        "MATCH (m:Message) WHERE toLower(m.subject) CONTAINS 'timesheet' RETURN count(DISTINCT m)", values
    ) == ["even"]
