"""People are found by whole names first, then by parts, then by what is nearly a name."""

from __future__ import annotations

import pytest

from retrieval.name_forms import Named
from retrieval.name_places import Place, place
from retrieval.names_of_people import PeopleNames
from retrieval.planner.languages import load
from retrieval.planner.tokens import tokenize

OWNER, ROBERT, ROSE, OFFICE, LIST, TITLED = range(1, 7)
PEOPLE = PeopleNames(
    [
        Named(OWNER, "Marta Keller", (), ("marta@keller-werke.example",), 900, is_owner=True),
        Named(ROBERT, "Robert J. Milton", (), ("robert.milton@quay.example",), 50),
        Named(ROSE, "Rose Milton", (), ("rose@quay.example",), 20),
        Named(OFFICE, "Rose Milton", (), ("office@quay.example",), 300, is_role=True),
        Named(LIST, "Quay Talk", (), ("quay-talk@lists.quay.example",), 40, is_role=True),
        Named(TITLED, "CPA Vera K. Sandström", (), ("vks@harbour.example",), 5),
    ]
)


def at(text: str) -> Place:
    return place(tokenize(text), 0, load("en").stopwords)


def test_an_address_is_its_person_whatever_its_case() -> None:
    assert PEOPLE.of_address("Robert.Milton@QUAY.example") == ROBERT
    assert PEOPLE.of_address("nobody@quay.example") is None


def test_a_list_answers_to_its_address_without_points() -> None:
    assert PEOPLE.of_list("quaytalk") == {LIST}
    assert PEOPLE.of_list("rose") == set()


def test_where_an_office_writes_in_a_persons_name_the_person_is_meant() -> None:
    found = PEOPLE.in_full(at("Rose Milton"))
    assert found is not None
    assert found.ids == {ROSE}


@pytest.mark.parametrize("text", ["Robert J Milton", "Robert Milton", "robert milton wrote"])
def test_a_full_name_is_exact_with_and_without_its_middle(text: str) -> None:
    found = PEOPLE.in_full(at(text))
    assert found is not None
    assert (found.ids, found.how) == ({ROBERT}, "exact")


def test_what_stands_before_a_name_may_be_left_out_where_nobody_is_called_just_so() -> None:
    found = PEOPLE.in_full(at("Vera Sandström"))
    assert found is not None
    assert (found.ids, found.how) == ({TITLED}, "alias")
    assert PEOPLE.in_full(at("vera sandström")) is None


def test_a_last_name_alone_is_everybody_of_that_name() -> None:
    found = PEOPLE.in_part(at("Milton"), whispered=False)
    assert found is not None
    assert found.ids == {ROBERT, ROSE}


def test_a_first_name_that_fits_tells_them_apart() -> None:
    found = PEOPLE.in_part(at("Bob Milton"), whispered=False)
    assert found is not None
    assert (found.ids, found.size) == ({ROBERT}, 2)
    assert PEOPLE.in_part(at("Henry Milton"), whispered=False) is None


def test_the_first_name_of_the_owner_is_called_so() -> None:
    found = PEOPLE.in_part(at("Marta"), whispered=False)
    assert found is not None
    assert found.how == "owner"


def test_a_small_word_is_a_name_only_where_one_is_expected() -> None:
    assert PEOPLE.in_part(at("milton"), whispered=False) is None
    assert PEOPLE.in_part(at("milton"), whispered=True) is not None


def test_a_misspelt_full_name_is_the_nearest_one() -> None:
    found = PEOPLE.misspelt(at("Robert Miltn"))
    assert found is not None
    assert (found.ids, found.how) == ({ROBERT}, "fuzzy")
    assert PEOPLE.misspelt(at("Walter Okonkwo")) is None
