"""When a message was sent, out of a Date header that may be anything.

Dates that cannot be are not believed: a year before electronic mail, a year before MIME on a message that has MIME
headers (a clock that stood at 1 January 1980), a moment in the future, a time zone of 99 hours, 30 February. Then the
relays' Received headers tell, then an mbox's From_ line when a mail program wrote it on delivery; never the time
of reading.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from typing import Literal, NamedTuple

from ingest.headers import Headers

# the first network mail; the first year in which MIME is found in mail
FIRST_MAIL = datetime(1971, 1, 1, tzinfo=UTC)
FIRST_MIME = datetime(1991, 1, 1, tzinfo=UTC)
# how far ahead of ours a sender's clock may be
CLOCK_ERROR = timedelta(days=2)

# month names by their first letters, in the languages in which programs write dates although they should not: English,
# German, Dutch, French, Spanish, Italian, Portuguese, Swedish, Norwegian, Danish
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan ene gen", "feb fév fev", "mar mär maa mrt", "apr avr abr", "may mai mei mag maj", "jun jui giu",
            "jul juil lug", "aug aoû aou ago", "sep set", "oct okt ott out", "nov", "dec dez déc dic des",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_CLOCK = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?:[.,]\d+)?(?:\s*(?P<half>[AaPp])\.?[Mm]\b\.?)?"
    r"\s*(?P<zone>(?:GMT|UTC?)?\s?[+-]\d{1,2}(?::?\d{2})?(?!\d)|\(?[A-Za-z]{1,5}\)?)?(?=[\s(;]|\Z)"
)
_USUAL = re.compile(
    r"(?:[^\W\d_]{2,10}\.?,?\s+)?(?P<day>\d{1,2})[\s.-]+(?P<month>[^\W\d_]{3,10})\.?[\s,-]+(?P<year>\d{2,4}),?\s+"
    + _CLOCK
)
_ISO = re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{2})[-/](?P<day>\d{2})[T\s]+" + _CLOCK)
_DOTTED = re.compile(
    r"(?:[^\W\d_]{2,10}\.?,?\s+)?(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4}),?\s+" + _CLOCK
)
_OFFSET = re.compile(r"([+-])(\d{1,2}):?(\d{2})?\Z")
# what else relays and mailboxes write when a message passes
_ON_THE_WAY = ("x-originalarrivaltime", "delivery-date")
_COMMENT = re.compile(r"\([^()]*\)")
# hours east of Greenwich; ambiguous names have the sense they have in mail
_ZONES = {
    "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "BST": 1, "IST": 5.5, "CET": 1, "CEST": 2,
    "MET": 1, "MEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "SAST": 2, "MSK": 3, "MSD": 4, "PKT": 5,
    "ICT": 7, "HKT": 8, "SGT": 8, "AWST": 8, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "ACST": 9.5,
    "NZST": 12, "NZDT": 13, "BRT": -3, "ART": -3, "NST": -3.5, "AST": -4, "ADT": -3, "EST": -5, "EDT": -4,
    "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10,
}  # fmt: skip


class Sent(NamedTuple):
    """``at`` is aware, in UTC; ``local`` the clock of the header's own offset; ``source`` what told it."""

    at: datetime
    local: datetime
    source: Literal["header", "received", "envelope"]


def sent(headers: Headers, envelope: str = "", now: datetime | None = None) -> Sent | None:
    """When the message was sent, or None when nothing believable tells it."""
    latest = (now or datetime.now(UTC)) + CLOCK_ERROR
    mime = "mime-version" in headers.fields or "content-type" in headers.fields
    earliest = FIRST_MIME if mime else FIRST_MAIL
    for value in headers.all("date"):
        found = parse_date(value)
        if found and earliest <= found <= latest:
            return Sent(found.astimezone(UTC), found.replace(tzinfo=None), "header")
    # the lowest is the first relay, the nearest to the sender
    relays = [value.rpartition(";")[2] for value in reversed(headers.all("received"))]
    for value in (*relays, *(headers.get(name) for name in _ON_THE_WAY)):
        found = parse_date(value)
        if found and earliest <= found <= latest:
            return Sent(found.astimezone(UTC), found.replace(tzinfo=None), "received")
    found = _envelope_date(envelope)
    if found and earliest <= found <= latest:
        return Sent(found.astimezone(UTC), found.replace(tzinfo=None), "envelope")
    return None


def parse_date(value: str) -> datetime | None:
    """A date as it is written in mail: aware, in its own offset (UTC where none is written); None when it is none.

    RFC 5322 and its obsolete forms, ISO 8601, ctime. Three-digit years are years since 1900, as programs wrote them in
    the year 2000.
    """
    value = value.strip()
    for form in (_USUAL, _ISO, _DOTTED):
        match = form.match(value)
        if not match:
            continue
        written = match["month"]
        name = written.casefold()
        month = int(written) if written.isdigit() else _MONTHS.get(name[:4]) or _MONTHS.get(name[:3])
        if month:
            hour = int(match["hour"])
            if match["half"]:
                hour = hour % 12 + (12 if match["half"] in "pP" else 0)
            second = int(match["second"] or 0)
            offset = _offset(match["zone"] or "")
            return _aware(_century(match["year"]), month, int(match["day"]), hour, int(match["minute"]), second, offset)
    try:
        found = parsedate_tz(_COMMENT.sub(" ", value)[:200])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if found is None:
        return None
    offset = timedelta(seconds=found[9] or 0)
    if not offset:
        words = value.upper().split()
        offset = timedelta(hours=next((_ZONES[word] for word in words if word in _ZONES), 0))
    return _aware(*found[:6], offset)


def _offset(zone: str) -> timedelta | None:
    """East of Greenwich; None for an offset that no place on earth has."""
    signed = _OFFSET.search(zone)
    if not signed:
        return timedelta(hours=_ZONES.get(zone.strip("()").upper(), 0))
    hours, minutes = int(signed[2]), int(signed[3] or 0)
    if minutes > 59:
        return None
    offset = timedelta(hours=hours, minutes=minutes)
    return -offset if signed[1] == "-" else offset


def _aware(
    year: int, month: int, day: int, hour: int, minute: int, second: int, offset: timedelta | None
) -> datetime | None:
    if offset is None or abs(offset) > timedelta(hours=14):
        return None
    try:
        moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=timezone(offset))
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment


def _century(year: str) -> int:
    """RFC 5322, 4.3: two digits are of 1969 to 2068; three are years since 1900."""
    number = int(year)
    if len(year) == 2:
        return number + (2000 if number < 69 else 1900)
    return number + 1900 if len(year) == 3 else number


def _envelope_date(envelope: str) -> datetime | None:
    """The date of a From_ line that names a sender. Exporters fill in a made-up name and the time of the export."""
    sender, _, rest = envelope.partition(" ")
    if "@" not in sender or sender.lower().startswith(("mailer-daemon", "mboxrd@z", "???@")):
        return None
    return parse_date(rest)
