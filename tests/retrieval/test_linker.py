"""Names become ids, ambiguity stays."""

from __future__ import annotations

import pytest

from retrieval.linker import Link, NameIndex
from retrieval.name_forms import Named
from retrieval.planner.languages import load
from retrieval.planner.tokens import tokenize
from tests.retrieval.people import ANA_R, ANA_T, BOT, DANA, FERRY, HARBOUR, MARTA, PAUL, QUAY, ROBERT, index

INDEX = index()


def link(text: str, at: int = 0, **options: bool) -> Link | None:
    return INDEX.at(tokenize(text), at, load("en").stopwords, **options)


@pytest.mark.parametrize(
    ("text", "ids", "how"),
    [
        ("Paul Ndiaye", (PAUL,), "exact"),
        ("Paul K. Ndiaye", (PAUL,), "exact"),
        ("paul ndiaye", (PAUL,), "exact"),
        ("ana@harbour.example", (ANA_R,), "address"),
        ("Bob Milton", (ROBERT,), "alias"),
        ("R. Milton", (ROBERT,), "alias"),
        ("Milton", (ROBERT,), "alias"),
        ("Paul Ndiay", (PAUL,), "fuzzy"),
        ("quay.example", (QUAY,), "domain"),
        ("mail.quay.example", (QUAY,), "domain"),
        ("Harbour", (HARBOUR,), "exact"),
        ("Ferry Lines", (FERRY,), "exact"),
        ("Harbour Notices", (BOT,), "exact"),
    ],
)
def test_a_name_links_in_each_of_its_forms(text: str, ids: tuple[int, ...], how: str) -> None:
    found = link(text)
    assert found is not None
    assert (found.ids, found.how) == (ids, how)


def test_an_address_with_an_underscore_is_one_address() -> None:
    people = [Named(1, "Eva Berg", (), ("eva_berg@quay.example",), 3)]
    found = NameIndex(people, [], []).at(tokenize("eva_berg@quay.example"), 0, frozenset())
    assert found is not None
    assert (found.ids, found.how) == ((1,), "address")


def test_two_people_of_one_name_are_both_kept_the_more_frequent_first() -> None:
    found = link("Ana")
    assert found is not None
    assert found.ids == (ANA_T, ANA_R)
    assert [c.n for c in found.candidates] == [80, 40]


def test_a_first_name_of_the_owner_means_the_owner() -> None:
    found = link("Marta")
    assert found is not None
    assert found.ids == (MARTA,)
    assert found.how == "owner"


@pytest.mark.parametrize("text", ["Paul Smithers", "price", "Price Waters", "David", "the"])
def test_a_name_that_nobody_has_links_to_nobody(text: str) -> None:
    assert link(text) is None


def test_a_last_name_that_is_also_a_word_needs_its_capital() -> None:
    question = tokenize("What did Price say about the price?")
    assert INDEX.at(question, 2, load("en").stopwords) is not None
    assert INDEX.at(question, 6, load("en").stopwords) is None


def test_the_place_behind_a_name_tells_which_one_is_meant() -> None:
    ana, harbour = link("Ana"), link("harbour.example")
    assert ana is not None
    assert harbour is not None
    assert INDEX.clarified(ana, harbour).ids == (ANA_R,)


def test_a_folder_is_found_by_the_last_part_of_its_path_before_longer_names() -> None:
    assert INDEX.label_at(("bridge",)) == (21,)
    assert INDEX.label_at(("bridge", "money")) == (22,)
    assert INDEX.label_at(("money",)) == (22,)
    assert INDEX.label_at(("tunnel",)) == ()


def test_dana_is_not_taken_for_ana() -> None:
    found = link("Dana Price")
    assert found is not None
    assert found.ids == (DANA,)
