"""Each figure is what a second, independent way of counting says."""

from __future__ import annotations

import statistics
from collections import defaultdict
from datetime import datetime, timedelta

import networkx
import pytest

from graph import build
from graph.analytics import PersonFigures, current
from sql.store import Store
from tests.graph.mailboxes import Mail, Mailbox, load

START = datetime(2001, 1, 1)


def test_figures_counted_by_hand(store: Store) -> None:
    people = {"Ada": ("a@x.example",), "Bo": ("b@x.example",), "Cleo": ("c@x.example",), "Dan": ("d@x.example",)}
    a, b, c, d = (owned[0] for owned in people.values())
    mail = [
        Mail(1, a, to=(b, c), sent=START, thread=1),
        Mail(2, b, to=(a,), sent=START + timedelta(hours=2), thread=1, parents=(1,)),
        Mail(3, b, to=(a,), sent=START + timedelta(hours=6), thread=1, parents=(1,)),
        Mail(4, a, to=(a,), sent=START, thread=4),
        Mail(5, c, to=(b,), sent=START, thread=5, kind="draft"),
        Mail(6, b, to=(c,), sent=START, thread=6),
        Mail(7, d, to=(c,), sent=START, thread=6, parents=(6,)),
    ]
    with store.owner() as conn:
        load(conn, Mailbox(people, mail))
    build.build(store)
    assert current(store).people == (
        PersonFigures(1, "Ada", 2, 2, 2, 1, 0.5, None, 0, 4.0, 2, None),
        PersonFigures(2, "Bo", 3, 1, 2, 1, 0.5, 4.0, 2, 0.0, 1, 0.0),
        PersonFigures(3, "Cleo", 0, 3, 0, 3, 0.0, None, 0, None, 0, 1.0),
        PersonFigures(4, "Dan", 1, 0, 1, 0, 0.0, 0.0, 1, None, 0, 0.0),
    )


@pytest.fixture(scope="module")
def written(made: Store) -> list[tuple[int, int, int]]:
    """(message, sender, recipient) of counted messages, people as ids."""
    with made.reader() as conn:
        return conn.execute(
            """
            SELECT m.id, s.person, o.person FROM mail.message m, mail.recipient r, mail.person_address s, mail.person_address o
            WHERE NOT m.recovered AND m.kind NOT IN ('draft', 'spam', 'trash') AND r.message = m.id
              AND s.address = m.sender AND o.address = r.address
            """
        ).fetchall()


def test_degrees_and_reciprocity_are_those_of_the_tables(made: Store, written: list[tuple[int, int, int]]) -> None:
    sent, received = defaultdict(set), defaultdict(set)
    to, of = defaultdict(set), defaultdict(set)
    for message, a, b in written:
        if a != b:
            sent[a].add((message, b))
            received[b].add((message, a))
            to[a].add(b)
            of[b].add(a)
    found = {
        p.person: (p.sent_to, p.received_from, p.writes_to, p.written_by, p.reciprocity) for p in current(made).people
    }
    assert len(found) > 300
    assert found == {
        p: (len(sent[p]), len(received[p]), len(to[p]), len(of[p]), len(to[p] & of[p]) / len(to[p] | of[p]))
        for p in set(sent) | set(received)
    }


def test_latencies_are_medians_over_the_reply_links(made: Store) -> None:
    with made.reader() as conn:
        rows = conn.execute(
            """
            SELECT (SELECT person FROM mail.person_address WHERE address = m.sender),
                   (SELECT person FROM mail.person_address WHERE address = p.sender), m.sent_at - p.sent_at
            FROM mail.reply y, mail.message m, mail.message p
            WHERE y.message = m.id AND y.parent = p.id AND NOT m.recovered AND NOT p.recovered
              AND m.kind NOT IN ('draft', 'spam', 'trash') AND p.kind NOT IN ('draft', 'spam', 'trash')
            """
        ).fetchall()
    by, to = defaultdict(list), defaultdict(list)
    for person, other, after in rows:
        if person != other and after >= timedelta(0):
            by[person].append(after.total_seconds() / 3600)
            to[other].append(after.total_seconds() / 3600)
    people = current(made).people
    assert sum(p.answers for p in people) == sum(map(len, by.values())) > 300
    for p in people:
        assert (p.answers, p.answered) == (len(by[p.person]), len(to[p.person]))
        for hours, found in ((by[p.person], p.answers_after), (to[p.person], p.is_answered_after)):
            assert found == (pytest.approx(statistics.median(hours)) if hours else None)


def test_betweenness_is_that_of_the_correspondence_without_the_owner(
    made: Store, written: list[tuple[int, int, int]]
) -> None:
    graph = networkx.Graph((a, b) for _, a, b in written if a != b and 1 not in (a, b))
    expected = networkx.betweenness_centrality(graph)
    found = current(made)
    assert found.pivots is None
    assert {p.person: p.betweenness for p in found.people if p.betweenness is not None} == pytest.approx(expected)
    assert next(p for p in found.people if p.person == 1).betweenness is None


def test_months_count_messages_of_each_person(made: Store, written: list[tuple[int, int, int]]) -> None:
    current(made)
    with made.reader() as conn:
        month = dict(conn.execute("SELECT id, to_char(local_at, 'YYYY-MM') FROM mail.message").fetchall())
        sender = conn.execute(
            "SELECT m.id, o.person FROM mail.message m JOIN mail.person_address o ON o.address = m.sender WHERE m.counted"
        ).fetchall()
        found = {
            (person, at): (sent, received)
            for person, at, sent, received in conn.execute(
                "SELECT person, to_char(month, 'YYYY-MM'), sent, received FROM mail.person_month"
            ).fetchall()
        }
    sent, received = defaultdict(set), defaultdict(set)
    for message, person in sender:
        sent[person, month[message]].add(message)
    for message, a, b in written:
        if a != b:
            received[b, month[message]].add(message)
    assert found == {key: (len(sent[key]), len(received[key])) for key in set(sent) | set(received)}
