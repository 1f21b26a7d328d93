"""Decisions about people: they take effect, hold, and can be taken back, each bringing back what held before it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from psycopg import Connection

from ingest.duplicates import duplicates, effect
from ingest.errors import AmbiguousPerson, OneAddress, SamePerson, UnknownDecision, UnknownPerson
from ingest.known_people import find, known, named
from ingest.people import Decision, decisions, merge, split, undo
from ingest.pipeline import ingest
from ingest.resolve import resolve
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows

ADA, SHORT, PRIVATE = "ada.quill@harbour.example", "aquill@harbour.example", "pumps9@pier.example"
JOE = "joe.quay@harbour.example"
AS_BEFORE = [[ADA, SHORT], [JOE], [PRIVATE]]


@pytest.fixture
def filled(store: Store, tmp_path: Path) -> Store:
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail("One.", sender=f"Ada Quill <{ADA}>", to=f"Ada Quill <{SHORT}>"),
        mail("Two.", sender=f"Ada Quill <{PRIVATE}>", to=f"Joe Quay <{JOE}>"),
    ])])  # fmt: skip
    return store


def persons(store: Store) -> list[list[str]]:
    found = rows(
        store,
        "SELECT array_agg(a.address ORDER BY a.address) FROM mail.person_address p JOIN mail.address a"
        " ON a.id = p.address GROUP BY p.person ORDER BY 1",
    )
    return [addresses for (addresses,) in found]


def decided(store: Store, decide: Callable[[Connection[Any]], Decision]) -> Decision:
    with store.owner() as conn:
        taken = decide(conn)
        assert resolve(conn)
    return taken


def merged(store: Store, a: str, b: str) -> Decision:
    return decided(store, lambda conn: merge(conn, find(known(conn), a), find(known(conn), b)))


def parted(store: Store, address: str) -> Decision:
    return decided(store, lambda conn: split(conn, find(known(conn), address), address))


def test_likely_duplicates_are_shown_with_what_a_merge_would_do(filled: Store) -> None:
    with filled.owner() as conn:
        (pair,) = duplicates(conn)
    assert (pair.a.addresses, pair.b.addresses) == ((ADA, SHORT), (PRIVATE,))
    assert (pair.messages, pair.joined, pair.evidence) == ((1, 1), 2, "both are called Ada Quill")


def test_a_message_between_two_counts_once_for_both(filled: Store) -> None:
    with filled.owner() as conn:
        everybody = known(conn)
        assert effect(conn, find(everybody, PRIVATE), find(everybody, JOE)) == 1


def test_a_merge_takes_effect_and_can_be_undone(filled: Store) -> None:
    assert persons(filled) == AS_BEFORE
    merged(filled, ADA, PRIVATE.upper())
    with filled.owner() as conn:
        assert duplicates(conn) == []
    assert persons(filled) == [[ADA, SHORT, PRIVATE], [JOE]]
    decided(filled, undo)
    assert persons(filled) == AS_BEFORE


def test_a_split_holds_against_the_rules_and_through_another_ingest(filled: Store, tmp_path: Path) -> None:
    parted(filled, SHORT)
    assert [ADA] in persons(filled)
    ingest(filled, [mbox(tmp_path / "b.mbox", [mail("Three.", sender=f"Ada Quill <{SHORT}>", to=PRIVATE)])])
    assert [ADA] in persons(filled)
    assert one(filled, "SELECT count(*) FROM mail.person_link WHERE by_hand AND NOT same") == 1


def test_the_latest_decision_about_two_addresses_holds_and_undo_brings_back_the_one_before(filled: Store) -> None:
    parted(filled, SHORT)
    merged(filled, SHORT, ADA)
    assert persons(filled) == AS_BEFORE
    decided(filled, undo)
    assert [SHORT] in persons(filled)
    decided(filled, undo)
    assert persons(filled) == AS_BEFORE


def test_a_decision_is_taken_back_by_its_number(filled: Store) -> None:
    first, second = parted(filled, SHORT), merged(filled, PRIVATE, JOE)
    with filled.owner() as conn:
        assert decisions(conn) == [first, second]
    decided(filled, lambda conn: undo(conn, first.number))
    assert persons(filled) == [[ADA, SHORT], [JOE, PRIVATE]]
    with filled.owner() as conn, pytest.raises(UnknownDecision, match=f"no decision {first.number}. There are: 2"):
        undo(conn, first.number)


def test_people_are_found_by_number_address_and_name(filled: Store) -> None:
    with filled.owner() as conn:
        everybody = known(conn)
    joe = find(everybody, JOE)
    assert (joe.name, joe.sent, joe.received, joe.organization) == ("Joe Quay", 0, 1, "harbour.example")
    assert joe == find(everybody, str(joe.id)) == find(everybody, "Quay, Joe") == find(everybody, "quay")
    assert [each.name for each in named(everybody, "quill ada")] == ["Ada Quill", "Ada Quill"]
    with pytest.raises(AmbiguousPerson, match=r"(?s)any of 2.*" + PRIVATE):
        find(everybody, "Ada Quill")
    for nobody in ("nobody@nowhere.example", "99999", " "):
        with pytest.raises(UnknownPerson):
            find(everybody, nobody)


def test_what_changes_nothing_is_refused(filled: Store) -> None:
    with filled.owner() as conn:
        everybody = known(conn)
        with pytest.raises(SamePerson):
            merge(conn, find(everybody, ADA), find(everybody, SHORT))
        with pytest.raises(OneAddress):
            split(conn, find(everybody, JOE), JOE)
        with pytest.raises(UnknownDecision, match="Nothing has been decided"):
            undo(conn)
