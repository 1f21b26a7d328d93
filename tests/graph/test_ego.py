"""The network around a person, counted a second time in plain Python over the odd mailbox."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date

import pytest

from graph.ego import STEP, Ego, Period, ego, months
from sql.store import Store
from tests.graph.mailboxes import Mailbox

PERIODS = [None, Period(date(2001, 2, 1), date(2001, 4, 1))]


def pairs(box: Mailbox, period: Period | None) -> dict[tuple[int, int], int]:
    """Messages from one person to another."""
    found: dict[tuple[int, int], int] = defaultdict(int)
    for mail in box.mail:
        local = mail.local
        inside = period is None or (local is not None and period.start <= local.date() < period.stop)
        if mail.sender and mail.counted and inside:
            a = box.person[mail.sender]
            for b in {box.person[address] for address in mail.received("recipient")} - {a}:
                found[a, b] += 1
    return found


def correspondents(wrote: dict[tuple[int, int], int], one: int) -> dict[int, int]:
    found: dict[int, int] = defaultdict(int)
    for (a, b), n in wrote.items():
        if one in (a, b):
            found[b if a == one else a] += n
    return found


def owner(box: Mailbox) -> int:
    return box.person[next(iter(box.people.values()))[0]]


def read(odd: tuple[Store, Mailbox], centre: int, **more: object) -> Ego:
    with odd[0].reader() as conn:
        found = ego(conn, centre, **more)  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.parametrize("period", PERIODS)
def test_every_count_of_the_network_is_that_of_the_mail(odd: tuple[Store, Mailbox], period: Period | None) -> None:
    box = odd[1]
    wrote = pairs(box, period)
    assert wrote
    for centre in {box.person[owned[0]] for owned in box.people.values()}:
        found = read(odd, centre, period=period)
        shown = {person.id for person in found.people}
        assert found.people[0].id == centre
        assert shown == {centre, *correspondents(wrote, centre)}
        assert found.correspondents == len(shown) - 1
        for person in found.people:
            assert (person.there, person.back) == (
                (0, 0)
                if person.id == centre
                else (wrote.get((centre, person.id), 0), wrote.get((person.id, centre), 0))
            )
            assert person.hidden == len(set(correspondents(wrote, person.id)) - shown)
        ties = {(tie.a, tie.b): (tie.there, tie.back) for tie in found.ties}
        assert ties == {
            (a, b): (wrote.get((a, b), 0), wrote.get((b, a), 0))
            for a in shown for b in shown if a < b and ((a, b) in wrote or (b, a) in wrote)
        }  # fmt: skip


def test_the_strongest_are_shown_and_the_others_come_by_expanding(odd: tuple[Store, Mailbox]) -> None:
    box = odd[1]
    wrote, centre = pairs(box, None), owner(box)
    ranked = sorted(correspondents(wrote, centre).items(), key=lambda one: (-one[1], one[0]))
    assert len(ranked) > 3
    few = read(odd, centre, most=3)
    assert {person.id for person in few.people} == {centre, *(one for one, _ in ranked[:2])}
    assert few.people[0].hidden == len(ranked) - 2
    more = read(odd, centre, most=3, expanded=[centre])
    assert {person.id for person in more.people} == {centre, *(one for one, _ in ranked[: 2 + STEP])}
    # somebody who is not in the picture cannot be expanded
    assert read(odd, centre, most=3, expanded=[ranked[-1][0]]) == few


def test_who_is_asked_for_is_there_in_any_case(odd: tuple[Store, Mailbox]) -> None:
    box = odd[1]
    wrote, centre = pairs(box, None), owner(box)
    last = min(correspondents(wrote, centre).items(), key=lambda one: (one[1], -one[0]))[0]
    assert last not in {person.id for person in read(odd, centre, most=3).people}
    assert last in {person.id for person in read(odd, centre, most=3, also=[last]).people}


def test_nobody_has_no_network(odd: tuple[Store, Mailbox]) -> None:
    with odd[0].reader() as conn:
        assert ego(conn, 10**9) is None


def test_the_months_of_a_person_are_those_of_their_mail(odd: tuple[Store, Mailbox]) -> None:
    store, box = odd
    with store.reader() as conn:
        for one in {box.person[owned[0]] for owned in box.people.values()}:
            own = [
                mail.local
                for mail in box.mail
                if mail.counted and one in {box.person[address] for address in mail.received("participant")}
            ]
            assert months(conn, one) == Counter(at.date().replace(day=1) for at in own if at)
