"""When a message was sent, and which dates are not believed."""

from datetime import UTC, datetime, timedelta

import pytest

from ingest.dates import parse_date, sent
from ingest.headers import Headers

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def headers(date: str = "", *received: str, mime: bool = True) -> Headers:
    fields = {"date": [date] if date else [], "received": [f"from a by b; {value}" for value in received]}
    return Headers({**fields, "mime-version": ["1.0"]} if mime else fields)


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("Tue, 12 Mar 2024 09:15:20 +0100", "2024-03-12T09:15:20+01:00"),
        ("12 Mar 2024 09:15 -0000", "2024-03-12T09:15:00+00:00"),
        ("Tue, 12 Mar 2024 09:15:20 -0800 (PST)", "2024-03-12T09:15:20-08:00"),
        ("Tue, 12 Mar 2024 09:15:20 EST", "2024-03-12T09:15:20-05:00"),
        ("Tue, 12 Mar 2024 09:15:20 CEST", "2024-03-12T09:15:20+02:00"),
        ("Tue, 12 Mar 2024 09:15:20", "2024-03-12T09:15:20+00:00"),
        ("Tue, 12 Mar 99 09:15:20 GMT", "1999-03-12T09:15:20+00:00"),
        ("Tue, 12 Mar 04 09:15:20 GMT", "2004-03-12T09:15:20+00:00"),
        ("Thu, 13 Dec 101 15:30 WET", "2001-12-13T15:30:00+00:00"),
        ("Wed, 14 Jun 100 05:41:34 -0700 (PDT)", "2000-06-14T05:41:34-07:00"),
        ("2024-03-12T09:15:20Z", "2024-03-12T09:15:20+00:00"),
        ("2024-03-12 09:15:20.123 +0530", "2024-03-12T09:15:20+05:30"),
        ("Tue Mar 12 09:15:20 2024", "2024-03-12T09:15:20+00:00"),
        ("Tue Mar 12 09:15:20 CET 2024", "2024-03-12T09:15:20+01:00"),
        ("Tuesday, March 12, 2024 09:15:20 +0100", "2024-03-12T09:15:20+01:00"),
        ("Tue, 12 Mar 2024 09:15:20 GMT+0100", "2024-03-12T09:15:20+01:00"),
        ("Tue, 12 Mar 2024 09:15:20 +1", "2024-03-12T09:15:20+01:00"),
        ("Tue, 12 Mar 2024 09:15:20 PM -0500", "2024-03-12T21:15:20-05:00"),
        ("Tue, 12 Mar 2024 12:15:20 AM", "2024-03-12T00:15:20+00:00"),
        ("12-Mar-2024 09:15:20 +0100", "2024-03-12T09:15:20+01:00"),
        ("Di, 12 Mär 2024 09:15:20 +0100", "2024-03-12T09:15:20+01:00"),
        ("Di., 12. Dezember 2023 09:15:20 +0100", "2023-12-12T09:15:20+01:00"),
        ("mar., 12 juil. 2022 09:15:20 +0200", "2022-07-12T09:15:20+02:00"),
        ("lun, 12 dic 2022 09:15:20 +0100", "2022-12-12T09:15:20+01:00"),
        ("12.03.2024 09:15 +0100", "2024-03-12T09:15:00+01:00"),
        ("05 Jan 2024 10:00:05.0123 (UTC) FILETIME=[0A0B:0C0D]", "2024-01-05T10:00:05+00:00"),
        ("Tue, 12 Mar 2024 09:15:60 +0100", "2024-03-12T09:15:59+01:00"),
    ],
)
def test_dates_as_they_are_written(value: str, iso: str) -> None:
    assert parse_date(value) == datetime.fromisoformat(iso)
    found = parse_date(value)
    assert found is not None
    assert found.isoformat() == iso


@pytest.mark.parametrize(
    "value",
    [
        "",
        "yesterday",
        "Tue, 30 Feb 2021 10:00:00 +0000",
        "Mon, 20 Nov 9999999999 12:00:00 +0000",
        "Mon, 01 Jan 2024 10:00:00 +9900",
        "Mon, 01 Jan 2024 25:00:00 +0000",
        "Mon, 01 Jan 2024 10:00:00 +0075",
        "31 Dec 9999 23:59:59 -1400",
        "\x00\xff",
    ],
)
def test_what_is_no_date_is_none(value: str) -> None:
    assert parse_date(value) is None


def test_the_clock_of_the_senders_offset_is_kept() -> None:
    found = sent(headers("Tue, 31 Dec 2024 23:30:00 -0800"), now=NOW)
    assert found is not None
    assert found.at == datetime(2025, 1, 1, 7, 30, tzinfo=UTC)
    assert found.local == datetime(2024, 12, 31, 23, 30)
    assert found.source == "header"


@pytest.mark.parametrize(
    "date",
    [
        "Thu, 01 Jan 1601 00:00:00 +0000",
        "Mon, 01 Jan 0001 00:00:00 +0000",
        "Thu, 01 Jan 1970 00:00:00 +0000",
        "Mon, 31 Dec 1979 16:00:00 -0800 (PST)",
        "Sat, 02 Jan 2044 10:00:00 +0000",
        "nonsense",
        "",
    ],
)
def test_a_date_that_cannot_be_falls_back_to_the_first_relay(date: str) -> None:
    found = sent(headers(date, "Tue, 12 Mar 2024 09:20:00 +0000", "Tue, 12 Mar 2024 09:15:00 +0000"), now=NOW)
    assert found is not None
    assert (found.at, found.source) == (datetime(2024, 3, 12, 9, 15, tzinfo=UTC), "received")
    assert sent(headers(date), now=NOW) is None


def test_what_a_mailbox_noted_on_arrival_tells_when_no_relay_does() -> None:
    fields = {"delivery-date": ["Tue, 12 Mar 2024 09:15:00 +0000"], "mime-version": ["1.0"]}
    found = sent(Headers(fields), now=NOW)
    assert found is not None
    assert (found.at, found.source) == (datetime(2024, 3, 12, 9, 15, tzinfo=UTC), "received")


def test_old_mail_without_mime_headers_keeps_its_old_date() -> None:
    found = sent(headers("26 Aug 76 14:29 EDT", mime=False), now=NOW)
    assert found is not None
    assert found.at == datetime(1976, 8, 26, 18, 29, tzinfo=UTC)


def test_the_from_line_tells_only_when_a_mail_program_wrote_it_on_delivery() -> None:
    found = sent(headers(), "ada@quill.example Tue Mar 12 09:15:20 2024", now=NOW)
    assert found is not None
    assert (found.at, found.source) == (datetime(2024, 3, 12, 9, 15, 20, tzinfo=UTC), "envelope")
    for made_up in ("MAILER-DAEMON", "mboxrd@z", "-", "a", "???@???"):
        assert sent(headers(), f"{made_up} Tue Mar 12 09:15:20 2024", now=NOW) is None


def test_a_clock_may_be_a_little_ahead() -> None:
    ahead = (NOW + timedelta(hours=20)).strftime("%d %b %Y %H:%M:%S +0000")
    assert sent(headers(ahead), now=NOW) is not None
