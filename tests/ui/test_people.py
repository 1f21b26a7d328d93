"""The table of people: order, search, bars; and what is said of one person's addresses."""

from datetime import date

from sql.store import Store
from ui.people import Listed, Month, addresses, bars, chosen, everybody, links, months, of_address, span


def listed(number: int, name: str, sent: int, answers: float | None = None) -> Listed:
    return Listed(number, name, (f"{number}@x.example",), False, False, sent, 0, None, None, answers, 0, name.lower())


PEOPLE = [listed(1, "Ana Ruiz", 9, 3.0), listed(2, "Ben Okoro", 5), listed(3, "Cem Ak", 2, 0.5)]


def test_people_are_sorted_and_what_is_not_known_comes_last() -> None:
    assert [one.id for one in chosen(PEOPLE, "", "answers", descending=False)] == [3, 1, 2]
    assert [one.id for one in chosen(PEOPLE, "", "answers", descending=True)] == [1, 3, 2]
    assert [one.id for one in chosen(PEOPLE, "", "name", descending=True)] == [3, 2, 1]


def test_a_filter_wants_every_word() -> None:
    assert [one.id for one in chosen(PEOPLE, "RUIZ, ana", "messages", descending=True)] == [1]
    assert chosen(PEOPLE, "ana okoro", "messages", descending=True) == []


def test_bars_cover_the_span_and_leave_out_strays() -> None:
    of = [Month(date(1979, 1, 1), 3, 0), Month(date(2025, 1, 1), 1, 1), Month(date(2025, 3, 1), 0, 4)]
    assert bars(of, (date(2025, 1, 1), date(2025, 4, 1))) == [2, 0, 4, 0]
    assert sum(bars(of, (date(1970, 1, 1), date(2025, 12, 1)))) == 9


def test_a_person_is_shown_with_addresses_and_evidence(store: Store) -> None:
    with store.owner() as conn:
        conn.execute(MAIL)
    with store.reader() as conn:
        people = everybody(conn)
        assert [(one.name, one.sent, one.received, one.first, one.last) for one in people] == [
            ("Ana Ruiz", 3, 1, date(2025, 1, 1), date(2025, 2, 1)),
            ("Ben Okoro", 0, 0, None, None),
        ]
        assert months(conn, [1, 3]) == {1: [Month(date(2025, 1, 1), 2, 0), Month(date(2025, 2, 1), 1, 1)]}
        assert span(conn) == (date(2025, 1, 1), date(2025, 2, 1))
        used = addresses(conn, 1)
        assert [(one.address, one.sent, one.names) for one in used] == [
            ("ana@x.example", 1, ("Ana", "A. Ruiz")),
            ("ruiz@y.example", 0, ()),
        ]
        assert [(one.a, one.b, one.rule) for one in links(conn, 1)] == [("ana@x.example", "ruiz@y.example", "x500")]
        assert of_address(conn, "ruiz@y.example") == 1


MAIL = """
INSERT INTO mail.address (id, address) VALUES (1, 'ana@x.example'), (2, 'ruiz@y.example'), (3, 'ben@y.example');
INSERT INTO mail.address_name (address, name, n) VALUES (1, 'A. Ruiz', 1), (1, 'Ana', 5);
INSERT INTO mail.person (id, name) VALUES (1, 'Ana Ruiz'), (3, 'Ben Okoro');
INSERT INTO mail.person_address (address, person) VALUES (1, 1), (2, 1), (3, 3);
INSERT INTO mail.person_link (a, b, same, rule, evidence) VALUES (1, 2, true, 'x500', 'a directory name');
INSERT INTO mail.message (id, content_key, message_id, sender) VALUES (1, 'a', '<a@x.example>', 1);
INSERT INTO mail.person_month (person, month, sent, received)
VALUES (1, '2025-01-01', 2, 0), (1, '2025-02-01', 1, 1);
"""
