"""Who is who, decided at the command line: counts follow at once, decisions hold, and are taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph.check import check
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox

# Ana Ruiz is two to every rule: nothing of her name stands in the private address. Another Ana Ruiz wrote once.
WORK, PRIVATE, OTHER = "ana.ruiz@tidal.example", "boat7@pier.example", "quite.else@shore.example"
QUESTION = f"How many messages did {WORK} send?"
Mailweave = Callable[..., Any]


@pytest.fixture
def mailweave(in_store: Mailweave, tmp_path: Path) -> Mailweave:
    """Runs a command over a small mailbox of its own."""
    senders = [(WORK, 3), (PRIVATE, 2), (OTHER, 1)]
    path = mbox(tmp_path / "a.mbox", [
        mail(f"Text {n} of {sender}.", sender=f"Ana Ruiz <{sender}>", to="Ben Okoro <ben@tidal.example>")
        for sender, times in senders for n in range(times)
    ])  # fmt: skip
    in_store("ingest", str(path), "--no-embed")
    return in_store


def sent(mailweave: Mailweave) -> Any:
    """What the graph column counts for the address at work."""
    asked = mailweave("ask", QUESTION, "--with", "graph", "--planner", "rules", "--no-answer", "--json")
    return asked["columns"][0]["facts"][0]["value"]


def people(mailweave: Mailweave) -> list[tuple[str, list[str], int]]:
    listed = mailweave("people", "--json")["people"]
    return sorted((each["name"], each["addresses"], each["sent"]) for each in listed)


def test_a_merge_changes_counts_at_once_holds_through_an_ingest_and_is_undone(
    mailweave: Mailweave, store: Store, tmp_path: Path
) -> None:
    before = people(mailweave)
    assert sent(mailweave) == 3
    said = mailweave("people", "merge", WORK, PRIVATE)
    assert "Decided, number 1" in said
    assert "is  Ana Ruiz: 5 sent" in said
    assert sent(mailweave) == 5
    assert "Everything agrees" in mailweave("check")

    more = mbox(tmp_path / "b.mbox", [mail("Later.", sender=f"Ana Ruiz <{PRIVATE}>", to="ben@tidal.example")])
    mailweave("ingest", str(more), "--no-embed")
    assert sent(mailweave) == 6

    said = mailweave("people", "undo", "--json")
    assert said["undone"] is True
    assert [each["sent"] for each in said["after"]] == [3, 3]
    assert sent(mailweave) == 3
    assert [addresses for _, addresses, _ in people(mailweave)] == [addresses for _, addresses, _ in before]
    with store.reader() as conn:
        assert check(conn) == []


def test_a_decision_outlives_a_source_that_is_read_anew(mailweave: Mailweave, tmp_path: Path) -> None:
    mailweave("people", "merge", WORK, PRIVATE)
    path = tmp_path / "a.mbox"
    path.write_bytes(path.read_bytes().replace(b"Text 0", b"Text zero"))  # the source is read anew as a whole
    mailweave("ingest", str(path), "--no-embed")
    assert sent(mailweave) == 5


def test_a_split_gives_an_address_a_person_of_its_own(mailweave: Mailweave) -> None:
    mailweave("people", "merge", WORK, PRIVATE)
    mailweave("people", "merge", WORK, OTHER)
    refused = mailweave("people", "split", "Ana Ruiz", code=1)
    assert all(address in refused for address in (WORK, PRIVATE, OTHER))
    mailweave("people", "split", OTHER)
    assert sent(mailweave) == 5
    assert f"3  {OTHER} is not Ana Ruiz" in mailweave("people", "decisions")
    mailweave("people", "undo", "1")
    assert sent(mailweave) == 3


def test_likely_pairs_come_with_evidence_and_effect(mailweave: Mailweave) -> None:
    said = mailweave("people", "duplicates")
    assert "both are called Ana Ruiz; 3 and 2 messages, joined 5" in said
    assert f"mailweave people merge {WORK} {PRIVATE}" in said
    mailweave("people", "merge", WORK, PRIVATE)
    assert len(mailweave("people", "duplicates", "--json")) == 1


def test_an_ambiguous_name_lists_whom_it_may_mean_and_changes_nothing(mailweave: Mailweave) -> None:
    refused = mailweave("people", "merge", "Ana Ruiz", "ben", code=1)
    assert "any of 3" in refused
    assert all(address in refused for address in (WORK, PRIVATE, OTHER))
    assert "Nobody here is meant by 'carla'" in mailweave("people", "merge", "carla", "ben", code=1)
    assert "Nothing has been decided" in mailweave("people", "decisions")
    assert "Nothing has been decided" in mailweave("people", "undo", code=1)


def test_people_are_listed_by_name_order_and_number(mailweave: Mailweave) -> None:
    first = mailweave("people").splitlines()[1]
    assert "Ben Okoro" in first
    assert "tidal.example" in first
    assert mailweave("people", "list", "ruiz", "--by", "sent", "--limit", "1").count("Ana Ruiz") == 1
    assert mailweave("people", "list", "ruiz", "--json")["of"] == 3
    assert "No such command" in mailweave("people", "mrge", code=2)
