"""Address headers as they are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.addresses import MAX_ADDRESS, MAX_NAME, parse_addresses

X500 = "/o=acme/ou=eu/cn=recipients/cn=aquill"


def pairs(value: str) -> list[tuple[str, str]]:
    return [(m.address, m.name) for m in parse_addresses(value)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ada@quill.example", [("ada@quill.example", "")]),
        ("Ada@Quill.example, joe@quay.example", [("ada@quill.example", ""), ("joe@quay.example", "")]),
        ("Ada Quill <ada@quill.example>", [("ada@quill.example", "Ada Quill")]),
        ('"Quill, Ada" <ada@quill.example>', [("ada@quill.example", "Quill, Ada")]),
        ("Quill, Ada <ada@quill.example>", [("ada@quill.example", "Quill, Ada")]),
        (
            "Quill, Ada <ada@quill.example>, Storm, Pia M. <pia@storm.example>",
            [("ada@quill.example", "Quill, Ada"), ("pia@storm.example", "Storm, Pia M.")],
        ),
        ("ada@quill.example (Ada Quill)", [("ada@quill.example", "Ada Quill")]),
        (
            "Ada <ada@quill.example>; Joe <joe@quay.example>",
            [("ada@quill.example", "Ada"), ("joe@quay.example", "Joe")],
        ),
        ("Crew: Ed <ed@storm.example>, joe@quay.example;", [("ed@storm.example", "Ed"), ("joe@quay.example", "")]),
        ("undisclosed-recipients:;", []),
        ('"undisclosed-recipients (all of them)":;', []),
        ("Undisclosed recipients", []),
        ("", []),
        ("<>", []),
        (";", []),
        ("=?utf-8?Q?J=C3=BCrgen?= <j@kai.example>", [("j@kai.example", "Jürgen")]),
        ("=?utf-8?B?SsO8cmdlbiA8akBrYWkuZXhhbXBsZT4=?=", [("j@kai.example", "Jürgen")]),
        ("=?utf-8?Q?Kai,_J=C3=BCrgen?= <j@kai.example>", [("j@kai.example", "Kai, Jürgen")]),
        ("'ada@quill.example' <ada@quill.example>", [("ada@quill.example", "")]),
        ("'Ada Quill' <ada@quill.example>", [("ada@quill.example", "Ada Quill")]),
        (f"Quill, Ada <{X500.upper()}>", [(X500, "Quill, Ada")]),
        ("Ada Quill", [("ada quill", "Ada Quill")]),
        ("ada at quill.example (Ada Quill)", [("ada@quill.example", "Ada Quill")]),
        ("mailto:ada@quill.example", [("ada@quill.example", "")]),
        ("Ada <mailto:ada@quill.example>", [("ada@quill.example", "Ada")]),
        ("[SMTP:ada@quill.example]", [("ada@quill.example", "")]),
        ("Ada <@relay.example:ada@quill.example>", [("ada@quill.example", "Ada")]),
        ("ada @ quill . example", [("ada@quill.example", "")]),
        ("Ada <ada(comment)@quill.example>", [("ada@quill.example", "Ada")]),
        ("joe@[192.0.2.1]", [("joe@[192.0.2.1]", "")]),
        ('"ada@quill.example" <ada>', [("ada@quill.example", "")]),
        ('"Ada Quill" <ada@quill.example>@GATE', [("ada@quill.example", "Ada Quill")]),
        ("Ada <ada@quill.example> Joe <joe@quay.example>", [("ada@quill.example", "Ada"), ("joe@quay.example", "Joe")]),
        (
            "IMCEANOTES-+22Quill+2C+20Ada+22+20+3Cada+40quill+2Eexample+3E@ACME.example",
            [("ada@quill.example", "Quill, Ada")],
        ),
        ("Ada <IMCEAEX-_O=ACME_OU=EU_cn=Recipients_cn=aquill@acme.example>", [(X500, "Ada")]),
        ('Giant; "Big" Box <box@giant.example>', [("giant", "Giant"), ("box@giant.example", "Big Box")]),
        ("Ada Quill/BER/ACME@ACME", [("ada quill/ber/acme@acme", "Ada Quill")]),
        ("Ada Quill <Ada Quill/BER/ACME@gate@ACME>", [("ada quill/ber/acme@gate@acme", "Ada Quill")]),
        ("Ada Quill@ACME, joe@quay.example", [("ada quill@acme", "Ada Quill"), ("joe@quay.example", "")]),
        ("Ada O'Hare <ada@quill.example>", [("ada@quill.example", "Ada O'Hare")]),
        ('"Ada \\"Q\\" Quill" <ada@quill.example>', [("ada@quill.example", 'Ada "Q" Quill')]),
    ],
)
def test_addresses(value: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(value) == expected


def test_a_broken_header_of_any_length_gives_what_an_index_can_hold() -> None:
    for value in ("x" * 20_000, "x" * 20_000 + "@y.example", "<" + "y" * 9000 + ">", '"' + "q" * 50_000):
        for found in parse_addresses(value):
            assert 0 < len(found.address) <= MAX_ADDRESS
            assert len(found.name) <= MAX_NAME


@given(st.text(alphabet="ab@<>\"'(),:;=?_ \\[]./\tü", max_size=60))
def test_nothing_raises_and_no_address_is_empty(value: str) -> None:
    for found in parse_addresses(value):
        assert found.address
        assert found.address == found.address.lower()


@pytest.mark.timeout(20)
def test_long_headers_take_linear_time() -> None:
    for value in ("(" * 50_000, "<" * 50_000, '"\\' * 50_000, "a " * 50_000, "=?" * 50_000, "@ . " * 20_000):
        parse_addresses(value)
