"""Organisations are found by what their domains spell."""

from __future__ import annotations

import pytest

from retrieval.name_forms import Named
from retrieval.name_places import Place, place
from retrieval.names_of_firms import FirmNames
from retrieval.planner.languages import load
from retrieval.planner.tokens import tokenize

OWN, FERRY, PORT, UNITED = range(1, 5)
FIRMS = FirmNames(
    [
        Named(OWN, "keller-werke.example", (), ("keller-werke.example",), 1000),
        Named(FERRY, "ferry-lines.example", (), ("ferry-lines.example",), 10),
        Named(PORT, "Puerto Vallmar", (), ("puertovallmar.example",), 10),
        Named(UNITED, "uhb.example", (), ("uhb.example",), 10),
    ],
    (OWN,),
)


def at(text: str) -> Place:
    return place(tokenize(text), 0, load("en").stopwords)


@pytest.mark.parametrize(
    ("domain", "ids"),
    [("ferry-lines.example", {FERRY}), ("mail.ferry-lines.example", {FERRY}), ("lines.example", set())],
)
def test_a_domain_is_its_organisations_and_so_is_what_is_under_it(domain: str, ids: set[int]) -> None:
    assert FIRMS.of_domain(domain) == ids


@pytest.mark.parametrize(
    ("text", "id", "how"),
    [
        ("Ferry Lines", FERRY, "exact"),
        ("Ferry", FERRY, "alias"),
        ("Puerto Vallmar", PORT, "exact"),
        ("Vallmar", PORT, "alias"),
        ("United Harbour Board", UNITED, "alias"),
    ],
)
def test_a_name_is_compared_with_the_domain_as_one_word(text: str, id: int, how: str) -> None:
    found = FIRMS.at(at(text), whispered=False)
    assert found is not None
    assert (found.ids, found.how) == ({id}, how)


@pytest.mark.parametrize("text", ["Ferry Park", "ferry", "Harbour"])
def test_no_organisation_is_found_in_another_name_or_a_small_word(text: str) -> None:
    assert FIRMS.at(at(text), whispered=False) is None
