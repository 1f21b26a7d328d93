"""A name's place ends where words no longer follow each other."""

from __future__ import annotations

import pytest

from retrieval.name_places import Place, place
from retrieval.planner.languages import load
from retrieval.planner.tokens import tokenize


def at(text: str, i: int = 0) -> Place:
    return place(tokenize(text), i, load("en").stopwords)


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("Paul Ndiaye", 2),
        ("Paul K. Ndiaye", 3),
        ("Paul, Ana", 1),
        ("Paul   Ndiaye", 1),
        ("one two three four five six seven", 6),
        ("paul@quay.example", 0),
    ],
)
def test_a_run_goes_on_to_the_next_mark(text: str, run: int) -> None:
    assert at(text).run == run


def test_its_words_are_given_as_written() -> None:
    here = at("from Paul Ndiaye in May", 1)
    assert here.word.text == "Paul"
    assert here.text(2) == "Paul Ndiaye"
    assert [t.key for t in here.words(2)] == ["paul", "ndiaye"]


def test_a_name_has_a_capital_and_is_no_common_word() -> None:
    here = at("The paul Paul")
    assert [here.is_name(t) for t in here.tokens] == [False, False, True]


@pytest.mark.parametrize(
    ("text", "i", "within"),
    [("Keller Park", 0, True), ("Keller Park", 1, True), ("from Keller", 1, False), ("Keller wrote", 0, False)],
)
def test_a_word_beside_another_name_is_within_a_longer_one(text: str, i: int, within: bool) -> None:
    assert at(text, i).within_longer_name() is within
