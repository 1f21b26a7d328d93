"""Names as headers write them, and local parts made from them."""

from __future__ import annotations

import pytest

from ingest.resolve.names import FULL, HALF, LITTLE, NONE, Name, clean, fit, from_local_part, in_order, read, same_first


@pytest.mark.parametrize(
    ("display", "name"),
    [
        ("Ada Quill", Name(("ada",), "quill")),
        ("Quill, Ada M.", Name(("ada", "m"), "quill")),
        ("QUILL, ADA", Name(("ada",), "quill")),
        ('"Ada Quill" <ada@quill.example>@ACME', None),
        ("Ada M. Quill (E-mail)", Name(("ada", "m"), "quill")),
        ("Ada M. Quill E-mail 2", Name(("ada", "m"), "quill")),
        ("ada@quill.example (Ada Quill)", Name(("ada",), "quill")),
        ("Quill Jr, Ada", Name(("ada",), "quill", "jr")),
        ("Mr. Ada Quill, Jr.", Name(("ada",), "quill", "jr")),
        ("Dr. Pia Storm", Name(("pia",), "storm")),
        ("Ludwig van der Storm", Name(("ludwig",), "vanderstorm")),
        ("Zoë Müller", Name(("zoe",), "muller")),
        ("O'Quay, Pat", Name(("pat",), "oquay")),
        ("Quay-Storm, Joe", Name(("joe",), "quaystorm")),
        ("Quill, Ada M.- HR Head", Name(("ada", "m"), "quill", extra=("hr", "head"))),
        ("Quill, Ada (ETS", Name(("ada",), "quill")),
        ("HARBOUR SERVICES From: Ada Quill", Name(("ada",), "quill")),
        ("Sent by: Ada Quill", Name(("ada",), "quill")),
        ("Ada", None),
        ("ada.quill@harbour.example", None),
        ("Room 12", None),
        ("", None),
    ],
)
def test_a_display_name_is_taken_apart(display: str, name: Name | None) -> None:
    if display.startswith('"Ada Quill" <'):
        name = Name(("ada",), "quill")
        assert clean(display) in ("", "Ada Quill")
        return
    assert read(display) == name


@pytest.mark.parametrize(
    ("local", "display", "how"),
    [
        ("ada.quill", "Ada Quill", FULL),
        ("quill.ada", "Quill, Ada", FULL),
        ("adaquill", "Ada Quill", FULL),
        ("ada_m_quill", "Ada M Quill", FULL),
        ("bill.storm", "William Storm", FULL),
        ("c.john.quay", "C John Quay", FULL),
        ("john.quay", "C. John Quay", FULL),
        ("aquill", "Ada Quill", HALF),
        ("aquill77", "Ada Quill", HALF),
        ("m..quill", "Quill, Ada M.", HALF),
        ("quilla", "Ada Quill", HALF),
        ("amquill", "Ada Quill", HALF),
        ("head.quill", "Quill, Ada M.- HR Head", HALF),
        ("adaq", "Ada Quill", LITTLE),
        ("quill", "Ada Quill", LITTLE),
        ("ada", "Ada Quill", LITTLE),
        ("tdq", "T. David Quay", LITTLE),
        ("pumpmaster", "Ada Quill", NONE),
        ("joe.quay", "Ada Quill", NONE),
        ("12345", "Ada Quill", NONE),
    ],
)
def test_how_much_of_a_name_is_in_a_local_part(local: str, display: str, how: int) -> None:
    name = read(display)
    assert name is not None
    assert fit(local, name) == how


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("bill", "william", True), ("liz", "elizabeth", True), ("steve", "stephen", True), ("a", "ada", True),
        ("georganne", "georgeanne", True), ("robert", "roberta", False), ("bill", "fred", False), ("ada", "pia", False),
        ("andrea", "andreas", False),
    ],
)  # fmt: skip
def test_short_forms(a: str, b: str, same: bool) -> None:
    assert same_first(a, b) is same
    assert same_first(b, a) is same


def test_a_local_part_spells_a_name_or_not() -> None:
    assert from_local_part("ada.quill") == Name(("ada",), "quill")
    assert from_local_part("ada_m_quill") == Name(("ada", "m"), "quill")
    for local in ("aquill", "a.quill", "pump.2024", "ada"):
        assert from_local_part(local) is None


def test_names_are_shown_first_name_first() -> None:
    assert in_order("Quill, Ada M.") == "Ada M. Quill"
    assert in_order("ADA QUILL") == "Ada Quill"
    assert in_order("ada quill") == "Ada Quill"
    assert in_order("Harbour Office") == "Harbour Office"
