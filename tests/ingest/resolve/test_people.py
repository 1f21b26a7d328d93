"""Addresses of one person come together on evidence, and two people stay two."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ingest.pipeline import ingest
from ingest.resolve.address import Address
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows
from tests.ingest.resolve import measure

Known = tuple[str, list[str]]
JOE_AT_WORK = "Joe Quay <joe.quay@harbour.example>"


def together(a: Known, b: Known, *others: Known, wrote: bool = False, x500: dict[str, str] | None = None) -> bool:
    """Whether the first two of these addresses with their display names are one person."""
    addresses = [
        Address(i, address, Counter(displays), frozenset([x500[address]] if x500 and address in x500 else []))
        for i, (address, displays) in enumerate((a, b, *others), 1)
    ]
    person = measure.joined(addresses, {(1, 2)} if wrote else set())
    return person[1] == person[2]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (("ada.quill@harbour.example", ["Ada M Quill"]), ("m..quill@harbour.example", ["Quill, Ada M."])),
        (("ada.quill@harbour.example", ["Ada Quill"]), ("aquill@harbour.example", ["Quill, Ada"])),
        (("ada.quill@harbour.com", ["Ada Quill"]), ("ada_quill@harbour.net", [])),
        (("ada.quill@harbour.com", ["Ada Quill"]), ("aquill@mail.harbour.com", ["Ada Quill (E-mail)"])),
        (("william.storm@harbour.com", ["William Storm"]), ("bstorm@harbour.com", ["Bill Storm"])),
        (("ada.quill@harbour.com", ["Ada Quill"]), ("aquill77@gmail.com", ["ada quill"])),
        (("ada.quill@harbour.com", ["Ada Quill"]), ("ada.quill@pier.org", ["Ada Quill"])),
        (("ada.quill@gmail.com", []), ("adaquill+shop@googlemail.com", [])),
        (("ada+list@pier.org", ["Ada"]), ("ada@pier.org", ["Ada Quill"])),
        (("m.dana.quay@harbour.com", ["Quay, Mark Dana"]), ("dana.quay@harbour.com", ["Dana Quay"])),
        (("lucie@pier.org", ["Lucie Stormfield"]), ("lstormfield@harbour.com", ["Lucie Stormfield"])),
        (("ada@quillfamily.org", ["Ada Quill"]), ("ada.quill@harbour.com", ["Ada Quill"])),
    ],
)
def test_one_person(a: Known, b: Known) -> None:
    assert together(a, b)
    assert together(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        # the display name alone
        (("ada.quill@harbour.com", ["Ada Quill"]), ("pumpmaster@gmail.com", ["Ada Quill"])),
        # other first names, other middle initials, other generations
        (("ada.quill@harbour.com", ["Ada Quill"]), ("pia.quill@harbour.com", ["Pia Quill"])),
        (("ada.quill@harbour.com", ["Ada M. Quill"]), ("ada.quill@pier.org", ["Ada T. Quill"])),
        (("joe.quay@harbour.com", ["Joe Quay Jr"]), ("jquay@harbour.com", ["Joe Quay Sr", "Quay II, Joe"])),
        (("joe.quay@harbour.com", ["Joe Mark Quay"]), ("jquay@harbour.com", ["Joe Michael Quay"])),
        (("joe.quay@harbour.com", ["Joe M. Quay", "Joe Quay"]), ("jquay@harbour.com", ["Joe T. Quay", "Joe Quay"])),
        # a name that many bear, at two organisations
        (("john.smith@harbour.com", ["John Smith"]), ("jsmith@pier.org", ["John Smith"])),
        (("larry.white@harbour.com", ["Larry White"]), ("lwhite@pier.org", ["Larry White"])),
        # addresses of an office, a list, a machine
        (("info@harbour.com", ["Ada Quill"]), ("ada.quill@harbour.com", ["Ada Quill"])),
        (("postmaster@harbour.com", ["System Administrator"]), ("postmaster@pier.org", ["System Administrator"])),
        (("123456789012@pager.example", ["adaquill"]), ("ada.quill@harbour.com", ["Ada Quill"])),
        # the same first name at one organisation
        (("ada.quill@harbour.com", ["Ada Quill"]), ("ada.storm@harbour.com", ["Ada Storm"])),
    ],
)
def test_two_people(a: Known, b: Known) -> None:
    assert not together(a, b)
    assert not together(b, a)


def test_who_write_to_one_another_from_two_organisations_are_two() -> None:
    father, daughter = ("aquill@pier.com", ["Ada Quill"]), ("ada.quill@harbour.com", ["Ada Quill"])
    assert together(father, daughter)
    assert not together(father, daughter, wrote=True)
    between = ("aquill@gmail.com", ["Ada Quill"])
    assert not together(father, daughter, between, wrote=True), "nor through a third address"


def test_one_directory_name_is_one_person() -> None:
    ada, short = ("ada.quill@harbour.com", ["Ada Quill"]), ("e17@harbour.com", ["Quill, Ada"])
    dn = "/o=harbour/ou=na/cn=recipients/cn=aquill"
    assert not together(ada, short)
    assert together(ada, short, x500={"ada.quill@harbour.com": dn, "e17@harbour.com": dn})
    assert together(ada, ("aquill@harbour.com", []), x500={"ada.quill@harbour.com": dn})
    wrong = {"ada.quill@harbour.com": dn, "joe.quay@harbour.com": dn}
    assert not together(ada, ("joe.quay@harbour.com", ["Joe Quay"]), x500=wrong), "two columns that did not match"


def test_a_name_without_initial_is_not_given_to_one_of_two_rivals() -> None:
    plain = ("ada.quill@harbour.com", ["Ada Quill"])
    assert together(plain, ("m..quill@harbour.com", ["Quill, Ada M."]))
    rival = ("t..quill@harbour.com", ["Quill, Ada T."])
    assert not together(plain, ("m..quill@harbour.com", ["Quill, Ada M."]), rival)


def test_an_address_under_which_several_people_write_is_nobodys() -> None:
    shared = ("desk@harbour.com", ["Ada Quill", "Joe Quay", "Pia Storm"])
    assert Address(1, shared[0], Counter(shared[1])).is_role


def test_decisions_by_hand_hold(store: Store, tmp_path: Path) -> None:
    path = mbox(tmp_path / "a.mbox", [
        mail("One.", sender="Ada Quill <ada.quill@harbour.example>", to="Ada Quill <aquill@harbour.example>"),
        mail("Two.", sender="Pumps <pumps9@pier.example>", to="Joe Quay <joe.quay@harbour.example>"),
    ])  # fmt: skip
    ingest(store, [path])
    assert _person(store, "ada.quill@harbour.example") == _person(store, "aquill@harbour.example")
    _by_hand(store, "ada.quill@harbour.example", "aquill@harbour.example", same=False)
    _by_hand(store, "pumps9@pier.example", "joe.quay@harbour.example", same=True)
    ingest(store, [path])
    assert _person(store, "ada.quill@harbour.example") != _person(store, "aquill@harbour.example")
    assert _person(store, "pumps9@pier.example") == _person(store, "joe.quay@harbour.example")


def test_links_carry_rule_and_evidence(store: Store, tmp_path: Path) -> None:
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail(sender="Ada M Quill <ada.quill@harbour.example>", to='"Quill, Ada M." <m..quill@harbour.example>'),
    ])])  # fmt: skip
    assert rows(store, "SELECT rule, evidence, by_hand FROM mail.person_link") == [
        ("name_in_organization", "ada m quill = ada m quill", False)
    ]
    assert rows(store, "SELECT name, is_role FROM mail.person") == [("Ada M Quill", False)]
    assert rows(store, "SELECT domain FROM mail.organization") == [("harbour.example",)]


def test_the_owner_is_proposed_with_a_reason_until_named(store: Store, tmp_path: Path) -> None:
    received = [
        mail(f"Word {n}", sender=f"P{n} <p{n}@pier.example>", to="Ada Quill <ada@harbour.example>") for n in range(6)
    ]
    mbox(tmp_path / "Inbox.mbox", received)
    mbox(tmp_path / "Sent.mbox", [mail(f"Answer {n}", sender="Ada Quill <ada@harbour.example>") for n in range(3)])
    ingest(store, [tmp_path])
    assert rows(store, "SELECT owner_addresses, owner_confirmed, owner_evidence FROM mail.mailbox") == [
        (["ada@harbour.example"], False,
         "Ada Quill wrote 3 (3 of them lie in folders of sent mail) and received 6 of 9 messages"),
    ]  # fmt: skip
    assert rows(store, "SELECT name FROM mail.person WHERE is_owner") == [("Ada Quill",)]
    ingest(store, [tmp_path], owner=["P1@pier.example"])
    assert rows(store, "SELECT name FROM mail.person WHERE is_owner") == [("P1",)]
    assert one(store, "SELECT owner_confirmed FROM mail.mailbox") is True


def test_judged_pairs_of_real_mailboxes() -> None:
    found = measure.judged_people()
    assert found.precision >= 0.98
    assert found.recall >= 0.85


def _person(store: Store, address: str) -> int:
    query = "SELECT p.person FROM mail.person_address p JOIN mail.address a ON a.id = p.address WHERE a.address = %s"
    return int(one(store, query, address))


def _by_hand(store: Store, a: str, b: str, same: bool) -> None:
    with store.owner() as conn:
        conn.execute(
            "INSERT INTO mail.person_link (a, b, same, rule, evidence, by_hand)"
            " SELECT min(id), max(id), %s, 'by_hand', 'said so', true FROM mail.address WHERE address IN (%s, %s)",
            (same, a, b),
        )


def test_the_name_shown_is_the_one_used_most(store: Store, tmp_path: Path) -> None:
    often = [mail(f"Text {n}.", sender="ada.quill@harbour.example", to=JOE_AT_WORK) for n in range(5)]
    once = mail("Hello.", sender="Addie Quill <ada.quill+boat@harbour.example>", to=JOE_AT_WORK)
    ingest(store, [mbox(tmp_path / "a.mbox", [*often, once])])
    assert rows(store, "SELECT name FROM mail.person WHERE name ~ 'Quill'") == [("Ada Quill",)]
