"""What two addresses say of their people is compared name by name."""

from __future__ import annotations

from collections import Counter

import pytest

from ingest.resolve.address import Address, alike, contradict, linked, one_person, surnames_meet
from ingest.resolve.names import read


def address(id: int, written: str, *displays: str) -> Address:
    return Address(id, written, Counter(displays))


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Ada Quill", "Quill, Ada M.", True),
        ("Bill Storm", "William Storm", True),
        ("Mark Dana Quay", "Dana Quay", True),
        ("Ada M. Quill", "Ada T. Quill", False),
        ("Joe Quay Jr", "Joe Quay Sr", False),
        ("Ada Quill", "Ada Storm", False),
    ],
)
def test_two_names_are_one_persons_where_nothing_speaks_against_it(a: str, b: str, same: bool) -> None:
    x, y = read(a), read(b)
    assert x is not None
    assert y is not None
    assert one_person(x, y) is same
    assert one_person(y, x) is same


def test_names_contradict_only_where_both_were_written() -> None:
    ada = address(1, "ada.quill@harbour.example", "Ada Quill")
    assert contradict(ada, address(2, "pia@harbour.example", "Pia Quill"))
    assert not contradict(ada, address(2, "pia.quill@harbour.example")), "spelt by an address alone"
    assert not contradict(ada, address(2, "joe@harbour.example", "Joe Quay")), "another last name may be a marriage"


def test_agreeing_middle_names_are_told_apart_from_equal_names() -> None:
    plain, full = address(1, "aquill@pier.example", "Ada Quill"), address(2, "ada@pier.example", "Ada M Quill")
    assert alike(plain, full) == ("ada quill = ada m quill", False, False)
    assert alike(full, full) == ("ada m quill = ada m quill", True, False)
    assert alike(plain, full, "storm") is None


def test_a_rare_display_name_is_a_slip() -> None:
    assert [n.last for n in address(1, "ada@pier.example", *["Ada Quill"] * 20, "Joe Quay").names] == ["quill"]


def test_unknown_last_names_meet_any() -> None:
    ada = address(1, "ada@pier.example", "Ada Quill")
    assert surnames_meet(ada, address(2, "e17@pier.example"))
    assert not surnames_meet(ada, address(2, "joe@pier.example", "Joe Quay"))


def test_a_link_is_the_same_whichever_address_comes_first() -> None:
    a, b = address(1, "ada@pier.example"), address(2, "aq@pier.example")
    assert linked(a, b, "x500", "") == linked(b, a, "x500", "")
