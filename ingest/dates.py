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

_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_USUAL = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?(\d{1,2})\s+([A-Za-z]{3})[a-z]*\.?\s+(\d{2,4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?"
    r"\s*(?:([+-])(\d{2}):?(\d{2})|\(?([A-Za-z]{1,5})\)?)?(?=[\s(;]|\Z)"
)
_ISO = re.compile(
    r"(\d{4})[-/](\d{2})[-/](\d{2})[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(?:([+-])(\d{2}):?(\d{2})|([A-Za-z]{1,5}))?"
)
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
    for value in reversed(headers.all("received")):
        found = parse_date(value.rpartition(";")[2])
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
    match = _USUAL.match(value)
    if match:
        day, month, year, hour, minute, second, sign, offset_hour, offset_minute, zone = match.groups()
        number = _MONTHS.get(month.lower())
        if number:
            offset = _offset(sign, offset_hour, offset_minute, zone)
            return _aware(_century(year), number, int(day), int(hour), int(minute), int(second or 0), offset)
    match = _ISO.match(value)
    if match:
        year, month, day, hour, minute, second, sign, offset_hour, offset_minute, zone = match.groups()
        offset = _offset(sign, offset_hour, offset_minute, zone)
        return _aware(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), offset)
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


def _offset(sign: str | None, hours: str | None, minutes: str | None, zone: str | None) -> timedelta | None:
    """None for an offset that no place on earth has."""
    if sign and hours and minutes:
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        if int(minutes) > 59 or offset > timedelta(hours=14):
            return None
        return -offset if sign == "-" else offset
    return timedelta(hours=_ZONES.get((zone or "").upper(), 0))


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
