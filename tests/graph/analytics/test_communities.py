"""Communities are partitions, the same each time, and keep their identity and summary while they stay what they are."""

from __future__ import annotations

import functools
from collections import defaultdict
from datetime import datetime

import pytest

from graph import build, update
from graph.analytics import Community, communities, current
from graph.analytics.communities import find, keep_summary, messages_of
from sql.store import Store
from tests.bench.made_up_mail import fill
from tests.graph.mailboxes import Mail, Mailbox, load

START = datetime(2001, 1, 1)
NAMES = [f"p{n}@x.example" for n in range(10)]
CIRCLES = (NAMES[1:5], NAMES[5:9])


def two_circles(store: Store) -> Store:
    """Person 1 is the owner, 2 to 5 and 6 to 9 write each other, 10 has no mail yet."""
    mail: list[Mail] = []
    for circle in CIRCLES:
        for sender in circle:
            others = tuple(address for address in (*circle, NAMES[0]) if address != sender)
            mail.append(Mail(len(mail) + 1, sender, to=others, sent=START, thread=len(mail) + 1))
    with store.owner() as conn:
        load(conn, Mailbox({f"Person {n}": (address,) for n, address in enumerate(NAMES)}, mail))
    build.build(store)
    return store


def write(store: Store, number: int, sender: str, *to: str) -> None:
    """One more message, and the graph with it."""
    with store.owner() as conn:
        conn.execute(
            "INSERT INTO mail.message (id, content_key, message_id, sender, sent_at) "
            "SELECT %(n)s, sha256(%(n)s::text::bytea), 'new', id, '2001-02-01' FROM mail.address WHERE address = %(from)s",
            {"n": number, "from": sender},
        )
        conn.execute(
            "INSERT INTO mail.recipient SELECT %s, 'to', id FROM mail.address WHERE address = ANY(%s)",
            (number, list(to)),
        )
    update.update(store)


def by_people(store: Store) -> dict[tuple[int, ...], Community]:
    return {tuple(sorted(one.people)): one for one in current(store).communities}


def test_two_circles_that_only_the_owner_connects_are_two_communities(store: Store) -> None:
    found = by_people(two_circles(store))
    assert set(found) == {(2, 3, 4, 5), (6, 7, 8, 9)}
    assert {(one.level, one.parent, one.messages, one.due) for one in found.values()} == {(0, None, 4, True)}
    # each wrote to three of the circle and the owner: 3/4, and has 3 times 1/4
    assert {weight for one in found.values() for _, weight in one.members} == {1.5}
    with store.reader() as conn:
        assert messages_of(conn, found[2, 3, 4, 5].id) == [1, 2, 3, 4]


def test_a_community_that_did_not_change_keeps_its_summary_and_a_changed_one_is_due(store: Store) -> None:
    before = by_people(two_circles(store))
    first, second = before[2, 3, 4, 5], before[6, 7, 8, 9]
    with store.owner() as conn:
        for one in (first, second):
            assert keep_summary(conn, one, f"circle {one.id}", "They write each other.", "some-model")
    assert not any(one.due for one in current(store).communities)

    write(store, 100, NAMES[1], NAMES[2])
    after = by_people(store)
    assert (after[2, 3, 4, 5].id, after[2, 3, 4, 5].name) == (first.id, f"circle {first.id}")
    assert after[2, 3, 4, 5].due and after[2, 3, 4, 5].messages == 5
    unchanged = after[6, 7, 8, 9]
    assert (unchanged.id, unchanged.content, unchanged.due) == (second.id, second.content, False)
    assert unchanged.summary == "They write each other." and unchanged.model == "some-model"

    write(store, 101, NAMES[9], NAMES[5], NAMES[6])
    grown = by_people(store)[6, 7, 8, 9, 10]
    assert (grown.id, grown.due, grown.name) == (second.id, True, f"circle {second.id}")


def test_a_summary_of_what_has_changed_meanwhile_stays_due(store: Store) -> None:
    read = by_people(two_circles(store))[2, 3, 4, 5]
    write(store, 100, NAMES[1], NAMES[2])
    current(store)
    with store.owner() as conn:
        assert keep_summary(conn, read, "a circle", "Old news.", "some-model")
    assert by_people(store)[2, 3, 4, 5].due


def test_a_community_that_is_gone_takes_its_rows_along(store: Store) -> None:
    gone = by_people(two_circles(store))[6, 7, 8, 9]
    with store.owner() as conn:
        conn.execute("DELETE FROM mail.message WHERE id > 4")
    update.update(store)
    assert set(by_people(store)) == {(2, 3, 4, 5)}
    with store.owner() as conn:
        assert not keep_summary(conn, gone, "", "", "")
        assert conn.execute("SELECT count(*) FROM mail.community_member").fetchone() == (4,)
        assert conn.execute("SELECT count(*) FROM mail.community_message").fetchone() == (4,)


def test_each_level_is_a_partition_of_what_was_split(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.owner() as conn:
        fill(conn, 1000)
    build.build(store)
    monkeypatch.setattr(communities, "find", functools.partial(find, largest=10))
    found = current(store).communities
    parts: dict[int | None, list[Community]] = defaultdict(list)
    for one in found:
        parts[one.parent].append(one)
    assert {one.level for one in parts[None]} == {0} and {one.level for one in found} >= {0, 1}
    with store.reader() as conn:
        correspondents = conn.execute(
            """
            SELECT DISTINCT x.person FROM mail.message m JOIN mail.recipient r ON r.message = m.id,
                LATERAL (SELECT person AS a FROM mail.person_address WHERE address = m.sender) s,
                LATERAL (SELECT person AS b FROM mail.person_address WHERE address = r.address) o,
                LATERAL (VALUES (a), (b)) x(person)
            WHERE m.counted AND a <> b AND 1 NOT IN (a, b)
            """
        ).fetchall()
        for parent, children in parts.items():
            people = [person for one in children for person in one.people]
            of = next(one for one in found if one.id == parent) if parent else None
            assert sorted(people) == sorted(of.people if of else [person for (person,) in correspondents])
            assert all(one.level == (of.level + 1 if of else 0) for one in children)
            messages = [message for one in children for message in messages_of(conn, one.id)]
            assert len(messages) == len(set(messages)) == sum(one.messages for one in children)
            if of:
                assert set(messages) <= set(messages_of(conn, of.id))


def test_the_same_graph_gives_the_same_communities() -> None:
    pairs = [(a, b, 1.0 + (a * b) % 3) for a in range(200) for b in range(a + 1, 200) if (a * 31 + b * 17) % 23 == 0]
    assert find(pairs) == find(pairs)
    assert max(one.level for one in find(pairs, largest=20)) > 0
    assert find([]) == []
