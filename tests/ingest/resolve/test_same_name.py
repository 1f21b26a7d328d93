"""The more people bear a name, the more both addresses have to spell of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from ingest.resolve.address import Address
from ingest.resolve.same_name import same_name


def addresses(*known: tuple[str, str]) -> list[Address]:
    return [Address(i, address, Counter([display])) for i, (address, display) in enumerate(known, 1)]


def nobody(pairs: Set[tuple[int, int]]) -> Set[tuple[int, int]]:
    return set()


def test_links_name_the_rule_and_the_two_names() -> None:
    found, _ = same_name(
        addresses(("ada.quill@harbour.com", "Ada Quill"), ("aquill@harbour.com", "Quill, Ada")), nobody
    )
    assert [(each.rule, each.evidence) for each in found] == [("name_in_organization", "ada quill = ada quill")]


def test_only_strangers_at_two_organisations_are_asked_whether_they_wrote() -> None:
    asked: list[Set[tuple[int, int]]] = []

    def wrote(pairs: Set[tuple[int, int]]) -> Set[tuple[int, int]]:
        asked.append(pairs)
        return pairs

    found, writers = same_name(
        addresses(
            ("aquill@pier.com", "Ada Quill"),
            ("ada.quill@harbour.com", "Ada Quill"),
            ("a.quill@harbour.com", "Ada Quill"),
            ("aquill@gmail.com", "Ada Quill"),
        ),
        wrote,
    )
    assert asked == [{(1, 2), (1, 3)}], "who writes from a private mailbox writes to themselves"
    assert writers == {(1, 2), (1, 3)}
    assert (1, 2) not in {(each.a, each.b) for each in found}


def test_a_name_of_everyday_needs_both_addresses_to_spell_it_out() -> None:
    short = addresses(("john.smith@harbour.com", "John Smith"), ("jsmith@pier.org", "John Smith"))
    assert same_name(short, nobody)[0] == []
    rare = addresses(("lucie.stormfield@harbour.com", "Lucie Stormfield"), ("lstormfield@pier.org", "Lucie Stormfield"))
    assert [each.rule for each in same_name(rare, nobody)[0]] == ["rare_name"]
