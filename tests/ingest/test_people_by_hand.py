"""Decisions about people: they take effect, hold, and can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.errors import UnknownAddress
from ingest.people import Likely, duplicates, merge, split, undo
from ingest.pipeline import ingest
from ingest.resolve import resolve
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows

ADA, SHORT, PRIVATE = "ada.quill@harbour.example", "aquill@harbour.example", "pumps9@pier.example"


@pytest.fixture
def filled(store: Store, tmp_path: Path) -> Store:
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail("One.", sender=f"Ada Quill <{ADA}>", to=f"Ada Quill <{SHORT}>"),
        mail("Two.", sender=f"Ada Quill <{PRIVATE}>", to="Joe Quay <joe.quay@harbour.example>"),
    ])])  # fmt: skip
    return store


def persons(store: Store) -> list[list[str]]:
    found = rows(
        store,
        "SELECT array_agg(a.address ORDER BY a.address) FROM mail.person_address p JOIN mail.address a"
        " ON a.id = p.address GROUP BY p.person ORDER BY 1",
    )
    return [addresses for (addresses,) in found]


def test_likely_duplicates_are_shown_with_what_a_merge_would_do(filled: Store) -> None:
    with filled.owner() as conn:
        assert duplicates(conn) == [Likely(ADA, PRIVATE, "Ada Quill", "Ada Quill", (1, 1), "both are called Ada Quill")]


def test_a_merge_takes_effect_and_can_be_undone(filled: Store) -> None:
    assert persons(filled) == [[ADA, SHORT], ["joe.quay@harbour.example"], [PRIVATE]]
    with filled.owner() as conn:
        merge(conn, ADA, PRIVATE.upper())
        assert resolve(conn)
        assert duplicates(conn) == []
    assert persons(filled) == [[ADA, SHORT, PRIVATE], ["joe.quay@harbour.example"]]
    with filled.owner() as conn:
        assert undo(conn, PRIVATE, ADA)
        assert not undo(conn, PRIVATE, ADA)
        assert resolve(conn)
    assert persons(filled) == [[ADA, SHORT], ["joe.quay@harbour.example"], [PRIVATE]]


def test_a_split_holds_against_the_rules_and_through_another_ingest(filled: Store, tmp_path: Path) -> None:
    with filled.owner() as conn:
        assert split(conn, SHORT) == [ADA]
        resolve(conn)
    assert [ADA] in persons(filled)
    ingest(filled, [mbox(tmp_path / "b.mbox", [mail("Three.", sender=f"Ada Quill <{SHORT}>", to=PRIVATE)])])
    assert [ADA] in persons(filled)
    assert one(filled, "SELECT count(*) FROM mail.person_link WHERE by_hand AND NOT same") == 1


def test_an_unknown_address_is_named(filled: Store) -> None:
    with filled.owner() as conn, pytest.raises(UnknownAddress, match="nobody@nowhere"):
        merge(conn, ADA, "nobody@nowhere.example")
