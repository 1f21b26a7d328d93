"""Calendar arithmetic: adding units, the unit that holds a day, feasts, and a period in another year."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from dateutil.easter import easter


@dataclass(frozen=True)
class Point:
    """A parsed period before its year is known: ``month``/``year`` tell what was said."""

    start: date
    stop: date
    next: int
    yearless: bool = False
    vague: bool = False


def with_year(p: Point, year: int) -> Point:
    """The same period, with its start in ``year``."""
    shift = year - p.start.year
    return replace(p, start=years(p.start, shift), stop=years(p.stop, shift), yearless=False)


def years(d: date, n: int) -> date:
    """The same day ``n`` years later; the last of February for the 29th."""
    return date(d.year + n, d.month, min(d.day, monthrange(d.year + n, d.month)[1]))


def add(d: date, unit: str, n: int) -> date:
    """``n`` units later: day, week, weekend, month, quarter, half or year."""
    if unit in ("day", "week", "weekend"):
        return d + timedelta(days=n * (1 if unit == "day" else 7))
    months = n * {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit]
    total = d.year * 12 + d.month - 1 + months
    year, month = total // 12, total % 12 + 1
    return date(year, month, min(d.day, monthrange(year, month)[1]))


def around(d: date, unit: str) -> tuple[date, date]:
    """The calendar unit that holds a day. A weekend is Saturday and Sunday of the week of that day."""
    if unit == "day":
        return d, d + timedelta(days=1)
    if unit in ("week", "weekend"):
        monday = d - timedelta(days=d.weekday())
        return (monday if unit == "week" else monday + timedelta(days=5)), monday + timedelta(days=7)
    if unit == "year":
        start = date(d.year, 1, 1)
    else:
        size = {"month": 1, "quarter": 3, "half": 6}[unit]
        start = date(d.year, (d.month - 1) // size * size + 1, 1)
    return start, add(start, unit, 1)


def feast(name: str, year: int) -> date:
    """The day of a feast in a year."""
    if name == "easter":
        return easter(year)
    if name == "thanksgiving":  # the fourth Thursday of November
        first = date(year, 11, 1)
        return first + timedelta(days=(3 - first.weekday()) % 7 + 21)
    if name == "labor":  # the first Monday of September
        first = date(year, 9, 1)
        return first + timedelta(days=-first.weekday() % 7)
    month, day = {
        "christmas": (12, 25),
        "christmaseve": (12, 24),
        "newyear": (1, 1),
        "newyearseve": (12, 31),
        "halloween": (10, 31),
        "independence": (7, 4),
        "valentine": (2, 14),
    }[name]
    return date(year, month, day)
