"""Names and neighbours of a small mailbox whose numbers are counted by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import psycopg
import pytest

from graph import neighbours
from graph.build import build
from graph.execute import answer
from graph.names import gazetteer
from graph.neighbours import PathStep
from graph.plan import Mentions, People, Period, Plan
from sql import embedded
from sql.store import Store, open_store
from tests.graph.mailboxes import Mail, Mailbox, load

ADA, BO, CLEO, DOV = "ada@north.example", "bo@north.example", "cleo@south.example", "dov@south.example"


def day(n: int, month: int = 3) -> datetime:
    return datetime(2001, month, n, 12)


MAIL = [
    Mail(1, BO, to=(ADA,), sent=day(1), subject="Kite plans", thread=1, labels=("inbox",)),
    Mail(2, ADA, to=(BO,), cc=(CLEO,), sent=day(2), subject="Re: Kite plans", thread=1, parents=(1,), labels=("sent",)),
    Mail(
        3, BO, to=(ADA,), sent=day(3), subject="Re: Kite plans", thread=1, parents=(2,), quotes=(2,), labels=("inbox",)
    ),
    Mail(4, CLEO, to=(BO,), sent=day(4), subject="Lunch", thread=4, labels=("inbox", "plans")),
    Mail(
        5, DOV, to=(CLEO,), sent=day(5), subject="Harbour", body="the Harbour-wall", thread=5, files=(("a.PDF", "x/y"),)
    ),
    Mail(6, ADA, to=(BO, BO), sent=day(6, 4), subject="Kites", thread=6, kind="draft"),
    Mail(7, CLEO, to=(DOV,), sent=day(9), subject="Harbour", thread=5, recovered=True),
    Mail(8, CLEO, to=(ADA,), sent=None, subject="Undated", thread=8),
]


@pytest.fixture(scope="module")
def small(home: Path, template: str) -> Iterator[Store]:
    people = {"Ada Quill": (ADA,), "Bo Marsh": (BO, "bo@webmail.example"), "Cleo Finch": (CLEO,), "Dov Lind": (DOV,)}
    maintenance = embedded.start(home).dsn("postgres")
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE mailweave_small TEMPLATE {template} STRATEGY file_copy")
    with open_store("small", home=home) as store:
        with store.owner() as conn:
            load(conn, Mailbox(people, MAIL))
        build(store)
        yield store
    with psycopg.connect(maintenance, autocommit=True) as conn:
        conn.execute("DROP DATABASE mailweave_small WITH (FORCE)")


def test_the_gazetteer_holds_everything_that_can_be_named(small: Store) -> None:
    with small.reader() as conn:
        names = gazetteer(conn)
    # ids are those of the first address: Ada 1, Bo 2 (and 3), Cleo 4, Dov 5
    assert [(p.id, p.name, p.addresses, p.sent, p.received) for p in names.people] == [
        (1, "Ada Quill", (ADA,), 1, 3),
        (2, "Bo Marsh", (BO, "bo@webmail.example"), 2, 2),
        (4, "Cleo Finch", (CLEO,), 2, 2),
        (5, "Dov Lind", (DOV,), 1, 0),
    ]
    assert names.people[1].names == (("Bo Marsh", 2),)
    assert [(o.domain, o.n, o.people) for o in names.organizations] == [
        ("north.example", 3, 2),
        ("south.example", 3, 2),
    ]
    assert [(label.name, label.n) for label in names.labels] == [("inbox", 3), ("plans", 1), ("sent", 1)]
    assert [(t.base, t.messages) for t in names.threads][:2] == [("kite plans", 3), ("lunch", 1)]
    assert names.types == (("pdf", 1),)
    assert (names.owner, names.owner_organizations) == ((1,), (1,))
    assert (names.first, names.last) == (date(2001, 3, 1), date(2001, 3, 5))


def test_the_gazetteer_of_an_empty_store_is_empty(store: Store) -> None:
    with store.reader() as conn:
        names = gazetteer(conn)
    assert names.people == () and names.first is None and names.version == ""


def test_dates_of_wrong_clocks_do_not_stretch_the_mailbox(store: Store) -> None:
    many = [Mail(n, ADA, sent=day(1 + n % 28, 1 + n % 6), thread=n) for n in range(1, 401)]
    strays = [
        Mail(401, ADA, sent=datetime(1979, 1, 1), thread=401),
        Mail(402, ADA, sent=datetime(2044, 1, 4), thread=402),
    ]
    with store.owner() as conn:
        load(conn, Mailbox({"Ada Quill": (ADA,)}, many + strays))
        names = gazetteer(conn)
    assert names.first == min(m.sent for m in many if m.sent).date()
    assert names.last == max(m.sent for m in many if m.sent).date()


def test_siblings_are_those_next_in_the_thread_and_given_messages_do_not_come_back(small: Store) -> None:
    with small.reader() as conn:
        assert [(n.message, n.distance) for n in neighbours.siblings(conn, [1])] == [(2, 1), (3, 2)]
        assert [n.message for n in neighbours.siblings(conn, [2], per_message=1)] == [3]
        assert [n.message for n in neighbours.siblings(conn, [1, 2, 3, 4])] == []
        assert [n.message for n in neighbours.siblings(conn, [5])] == [7]
        assert neighbours.siblings(conn, []) == []


def test_links_are_replies_and_quotes_both_ways(small: Store) -> None:
    with small.reader() as conn:
        assert [(n.message, n.how) for n in neighbours.links(conn, [2])] == [
            (3, "answered"),
            (1, "answers"),
            (3, "quoted"),
        ]


def test_two_hops_reach_mail_of_the_same_people_but_not_over_the_owner(small: Store) -> None:
    with small.reader() as conn:
        reached = [n.message for n in neighbours.two_hops(conn, [4])]
    # Cleo and Bo lead from 4 to the thread of 1 and to 5 and 7; 6 is a draft, 8 has no date
    assert sorted(reached) == [1, 2, 3, 5, 7]


def test_a_path_is_a_shortest_chain_of_correspondence(small: Store) -> None:
    with small.reader() as conn:
        assert neighbours.path(conn, 2, 5) == [PathStep(2, 4, 1), PathStep(4, 5, 1)]
        assert neighbours.path(conn, 1, 2) == [PathStep(1, 2, 3)]
        assert neighbours.path(conn, 1, 1) == []
        assert neighbours.path(conn, 1, 5, longest=1) is None


def test_an_answer_says_what_it_counted_and_what_its_limit_cut(small: Store) -> None:
    with small.reader() as conn:
        found = answer(conn, Plan("people", role="to", filters=(People("sender", (2,)),)))
        assert [(i.label, i.n, i.keys) for i in found.items] == [("Ada Quill", 2, (ADA,))]
        assert found.language == "cypher" and "$cypher$" in found.query
        assert found.parameters["graph"] == {"people": 2}
        top = answer(conn, Plan("people", role="sender", limit=1))
        assert top.next is not None and top.next.n == top.items[0].n == 2
        assert (top.total, top.messages, top.recovered) == (1, 6, 1)


def test_an_inner_plan_is_a_step_with_its_own_answer(small: Store) -> None:
    most = Plan("people", role="to", filters=(People("sender", (2,)),), limit=1)
    with small.reader() as conn:
        found = answer(conn, Plan("messages", filters=(People("sender", most),)))
    assert [step.items[0].label for step in found.steps] == ["Ada Quill"]
    assert [(item.id, item.label) for item in found.items] == [(2, "2001-03-02 Re: Kite plans")]


def test_nothing_found_is_an_answer_of_none(small: Store) -> None:
    with small.reader() as conn:
        found = answer(conn, Plan(filters=(Mentions(("zeppelin",)), Period(date(2001, 1, 1), None))))
    assert (found.items, found.total, found.messages) == ((), 0, 0)


@pytest.mark.parametrize(
    ("term", "ids"),
    [
        ("harbour", {5}),
        ("HARBOUR-WALL", {5}),
        ("harbour wall", set()),
        ("arbour", set()),
        ("kite", {1, 2, 3}),
        ("?!", set()),
    ],
)
def test_a_mention_is_a_whole_word_in_any_case(small: Store, term: str, ids: set[int]) -> None:
    with small.reader() as conn:
        assert {item.id for item in answer(conn, Plan(filters=(Mentions((term,)),))).items} == ids
