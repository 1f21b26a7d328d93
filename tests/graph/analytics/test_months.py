"""Months say how much there was, who is new, and with whom it became more or less."""

from __future__ import annotations

from datetime import date, datetime

from graph import build
from graph.analytics import current
from graph.analytics.months import Month, changes
from sql.store import Store
from tests.graph.mailboxes import Mail, Mailbox, load


def test_changes_are_counted_against_the_month_before(store: Store) -> None:
    people = {who: (f"{who.lower()}@x.example",) for who in ("Owner", "Ada", "Bo", "Cleo")}
    owner, a, b, c = (owned[0] for owned in people.values())
    rows = [(1, a, owner), (1, a, owner), (1, a, b), (2, a, owner), (2, c, owner), (2, c, owner), (4, b, owner)]
    mail = [
        Mail(n, sender, to=(to,), sent=datetime(2001, month, 10), thread=n)
        for n, (month, sender, to) in enumerate(rows, 1)
    ]
    with store.owner() as conn:
        load(conn, Mailbox(people, mail))
    build.build(store)
    current(store)
    with store.reader() as conn:
        assert changes(conn) == [
            Month(date(2001, 1, 1), 3, 1, 3, ((2, "Ada", 3), (3, "Bo", 1)), ()),
            Month(date(2001, 2, 1), 3, 2, 1, ((4, "Cleo", 2),), ((2, "Ada", -2), (3, "Bo", -1))),
            Month(date(2001, 4, 1), 1, 1, 0, ((3, "Bo", 1),), ()),
        ]
