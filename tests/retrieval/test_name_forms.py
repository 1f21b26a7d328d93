"""One person's name, however it is written, has one form."""

from __future__ import annotations

import pytest

from retrieval.name_forms import in_address, ordered, same_first, trigrams, under, without_initials


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("Robert J. Milton", ("robert", "j", "milton")),
        ("Milton, Robert J. (Legal)", ("robert", "j", "milton")),
        ("'Milton, Robert'", ("robert", "milton")),
        ("Milton,", ("milton",)),
        ("José Núñez", ("jose", "nunez")),
        ("robert@quay.example", ()),
        ("", ()),
    ],
)
def test_a_written_name_is_ordered_first_name_first(written: str, form: tuple[str, ...]) -> None:
    assert ordered(written) == form


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("robert.milton@quay.example", ("robert", "milton")),
        ("robert_milton+lists@quay.example", ("robert", "milton")),
        ("robert.milton2@quay.example", ("robert",)),
        ("rmilton@quay.example", ()),
    ],
)
def test_an_address_spells_a_name_where_its_words_are_parted(address: str, form: tuple[str, ...]) -> None:
    assert in_address(address) == form


def test_only_middle_initials_are_left_out() -> None:
    assert without_initials(("robert", "j", "milton")) == ("robert", "milton")
    assert without_initials(("r", "de", "milton")) == ("r", "de", "milton")


@pytest.mark.parametrize(("a", "b"), [("r", "robert"), ("rob", "robert"), ("bob", "robert"), ("bill", "william")])
def test_first_names_one_may_go_by_are_the_same(a: str, b: str) -> None:
    assert same_first(a, b)
    assert same_first(b, a)


@pytest.mark.parametrize(("a", "b"), [("anna", "robert"), ("j", "robert"), ("bob", "william")])
def test_other_first_names_are_not(a: str, b: str) -> None:
    assert not same_first(a, b)


def test_trigrams_know_where_a_word_ends() -> None:
    assert trigrams("lee") == {"  l", " le", "lee", "ee "}


def test_a_domain_is_under_itself_and_its_parents_not_under_one_that_merely_ends_alike() -> None:
    assert under("quay.example", "quay.example")
    assert under("mail.quay.example", "quay.example")
    assert not under("blue-quay.example", "quay.example")
