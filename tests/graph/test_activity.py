"""Counts over time, counted a second time in plain Python over the odd mailbox."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from graph import activity
from graph.activity import Chosen, Selection
from sql.store import Store
from tests.graph.mailboxes import Mail, Mailbox


def fits(box: Mailbox, mail: Mail, chosen: Chosen) -> bool:
    at = mail.local
    if not mail.counted or at is None:
        return False
    sender = mail.sender or ""
    return (
        (chosen.start is None or at.date() >= chosen.start)
        and (chosen.stop is None or at.date() < chosen.stop)
        and (chosen.days is None or chosen.days[0] <= at.weekday() <= chosen.days[1])
        and (chosen.hours is None or chosen.hours[0] <= at.hour <= chosen.hours[1])
        and (chosen.sender is None or box.person.get(sender) == chosen.sender)
        and (chosen.organization is None or box.organization_of(sender) == chosen.organization)
        and (chosen.label is None or chosen.label in {box.label[name] for name in mail.labels})
        and (chosen.automated or mail.kind != "automated")
    )


def choices(box: Mailbox) -> list[Chosen]:
    sender = Counter(box.person[m.sender] for m in box.mail if m.sender and m.counted).most_common(1)[0][0]
    organization = Counter(box.organization_of(m.sender) for m in box.mail if m.sender).most_common(1)[0][0]
    label = Counter(box.label[name] for m in box.mail for name in m.labels).most_common(1)[0][0]
    return [
        Chosen(),
        Chosen(automated=False),
        Chosen(start=date(2001, 2, 1), stop=date(2001, 4, 1)),
        Chosen(days=(0, 4), hours=(8, 18)),
        Chosen(sender=sender),
        Chosen(organization=organization, hours=(0, 12)),
        Chosen(label=label, start=date(2001, 1, 15)),
    ]


@pytest.mark.parametrize("which", range(7))
def test_each_count_leaves_out_the_choice_of_its_own_kind(odd: tuple[Store, Mailbox], which: int) -> None:
    store, box = odd
    chosen = choices(box)[which]

    def mail(**without: Any) -> list[Mail]:
        return [one for one in box.mail if fits(box, one, replace(chosen, **without))]

    with store.reader() as conn:
        months = activity.months(conn, chosen)
        hours = activity.hours(conn, chosen)
        by = {kind: activity.ranked(conn, chosen, kind, 1000) for kind in ("sender", "organization", "label")}
    wanted = Counter(one.local.date().replace(day=1) for one in mail(start=None, stop=None) if one.local)
    assert months == wanted
    assert hours == Counter((one.local.weekday(), one.local.hour) for one in mail(days=None, hours=None) if one.local)
    assert {r.id: r.n for r in by["sender"]} == Counter(box.person[m.sender] for m in mail(sender=None) if m.sender)
    organizations = Counter(box.organization_of(m.sender) for m in mail(organization=None) if m.sender)
    assert {r.id: r.n for r in by["organization"]} == organizations
    labels = Counter(box.label[name] for m in mail(label=None) for name in set(m.labels))
    assert {r.id: r.n for r in by["label"]} == labels
    assert [r.n for r in by["sender"]] == sorted((r.n for r in by["sender"]), reverse=True)


@pytest.mark.parametrize("which", range(7))
def test_the_list_holds_what_was_chosen_newest_first(odd: tuple[Store, Mailbox], which: int) -> None:
    store, box = odd
    chosen = choices(box)[which]
    mail = sorted((m for m in box.mail if fits(box, m, chosen)), key=lambda m: (m.local, m.id), reverse=True)
    selection = Selection(store.reader, chosen, len(mail))
    assert mail and list(selection) == [one.id for one in mail]
    assert selection[1:3] == [one.id for one in mail[1:3]] and selection[-1] == mail[-1].id
    assert selection[len(mail) :] == []


def test_every_month_is_there_and_dates_of_wrong_clocks_are_not() -> None:
    months = {date(1970, 1, 1): 2, date(2001, 1, 1): 400, date(2001, 3, 1): 300, date(2040, 7, 1): 1}
    assert activity.span(months) == (date(2001, 1, 1), date(2001, 2, 1), date(2001, 3, 1))
    assert activity.span({date(2001, 12, 1): 1, date(2002, 1, 1): 1}) == (date(2001, 12, 1), date(2002, 1, 1))
    assert activity.span({}) == ()


def test_things_are_called_by_their_names(odd: tuple[Store, Mailbox]) -> None:
    store, box = odd
    with store.reader() as conn:
        person, owned = next(iter(box.people.items()))
        assert activity.name(conn, "sender", box.person[owned[0]]) == person
        label, number = next(iter(box.label.items()))
        assert activity.name(conn, "label", number) == label
        assert activity.name(conn, "organization", 10**9) is None
