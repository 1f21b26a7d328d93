"""Read the date a program wrote into an attribution or a header block, in whatever language it speaks.

Only the clock's own reading is returned (naive): the zone is seldom written, and a quoting program writes its own. The
reading is by parts (year, month name, time) in any order, not by formats, since every program and language orders
them differently. ``03/04/2001`` is ambiguous: month first unless the first number is above 12, the separator is a dot,
or it is padded and the clock runs to 24 hours.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from ingest.quoting.vocabulary import MONTHS, WEEKDAYS, begins_with

_TIME: Final = re.compile(
    r"(?<![\d.])(\d{1,2})(?:[:.]|\s?h\s?|時|시\s?|点|點)(\d{2})(?![\d/-])(?:[:.](\d{2}))?(?:分)?\s*([ap]\.?\s?m\.?\b)?",
    re.IGNORECASE,
)
_HOUR_ONLY: Final = re.compile(r"(?<!\d)(\d{1,2})\s*([ap])\.?m\.?\b", re.IGNORECASE)
_ISO: Final = re.compile(r"(?<!\d)(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)")
_NUMERIC: Final = re.compile(r"(?<!\d)(\d{1,2})([/.-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?!\d)")
_YEAR: Final = re.compile(r"(?<!\d)((?:19|20)\d{2})(?!\d)")
_DAY: Final = re.compile(r"(?<![\d:.])(\d{1,2})(?![\d:])")
_WORD: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|\.(?=[^\W\d_]))*\.?")
_DAY_AFTER: Final = re.compile(r"\W{0,3}\d")
_DAY_BEFORE: Final = re.compile(r"\d\W{0,6}(?:de |of )?$")
# Vietnamese numbers its months and its days of the week, in figures or in words, and writes the halves of a day CH, SA.
_VIETNAMESE: Final = dict(
    zip("giêng một hai ba tư bốn năm sáu bảy tám chín mười chạp".split(), (1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 12),
        strict=True),
    **{"mười một": 11, "mười hai": 12},
)  # fmt: skip
_NUMBERED_MONTH: Final = re.compile(
    rf"\b(?:thg|tháng)\.?\s?(\d{{1,2}}|{'|'.join(sorted(_VIETNAMESE, key=len, reverse=True))})\b", re.IGNORECASE
)
_NUMBERED_WEEKDAY: Final = re.compile(r"\b(?:th?\.?\s?[2-7]\b|thứ\s\w+)", re.IGNORECASE)
_VIETNAMESE_HALF: Final = re.compile(r"\d\s*(CH|SA)\b")
_VIETNAMESE_DATE: Final = re.compile(r"\b(?:ngày|lúc|vào)\s", re.IGNORECASE)
# The Polish and Czech November is the Croatian October; of Poles and Croats only the latter write the day with a dot.
_OCTOBER_AFTER_DOT: Final = {"listopada": 10, "lis": 10}
_ORDINAL_BEFORE: Final = re.compile(r"\d\.\s?$")
_AFTERNOON: Final = ("下午", "晚上", "오후", "午後", "μμ", "μ.μ", "nachm", "p. m", "em.")
_MORNING: Final = ("上午", "오전", "午前", "πμ", "π.μ", "vorm", "a. m")
# No mail program existed before, and a date far ahead is a misreading.
_FIRST_YEAR: Final = 1970
_LAST_YEAR: Final = 2100


def read_date(raw: str) -> datetime | None:
    """The naive local date and time written in ``raw`` (an attribution, or a header's value), or None."""
    text = raw[:400]
    day = _calendar_day(text)
    if day is None:
        return None
    hour, minute, second = _clock(text)
    try:
        return datetime(*day, hour, minute, second)
    except ValueError:
        return None


def _calendar_day(text: str) -> tuple[int, int, int] | None:
    if found := _ISO.search(text):
        year, month, day = (int(part) for part in found.groups())
        return _valid(year, month, day)
    if found := _NUMERIC.search(text):
        first, mark, second, written = found.groups()
        year = int(written) + (0 if len(written) == 4 else 2000 if int(written) < 70 else 1900)
        a, b = int(first), int(second)
        padded = len(first) == len(second) == 2
        european = mark == "." or (padded and _is_on_24_hours(text)) or _VIETNAMESE_DATE.search(text) is not None
        month, day = (b, a) if a > 12 or (european and b <= 12) else (a, b)
        return _valid(year, month, day)
    named = _month_name(text)
    found = _YEAR.search(text)
    if named is None or found is None:
        return None
    year = int(found.group(1))
    without = text[: found.start()] + " " + text[found.end() :]
    without = _TIME.sub(" ", without) if _TIME.search(without) else without
    if _NUMBERED_MONTH.search(without):
        without = _NUMBERED_WEEKDAY.sub(" ", _NUMBERED_MONTH.sub(" ", without))
    for candidate in _DAY.finditer(without):
        if valid := _valid(year, named, int(candidate.group(1))):
            return valid
    return None


def _is_on_24_hours(text: str) -> bool:
    """A clock of two digits without a half of the day: who writes so writes the day before the month."""
    found = _TIME.search(_NUMERIC.sub(" ", text))
    return found is not None and not found.group(4) and len(found.group(1)) == 2


def _valid(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    return (year, month, day) if _FIRST_YEAR <= year < _LAST_YEAR and 0 < month < 13 and 0 < day < 32 else None


def _month_name(text: str) -> int | None:
    lower = text.casefold()
    named: list[tuple[str, int]] = []
    for found in _WORD.finditer(lower):
        word = found.group().rstrip(".") if found.group() not in MONTHS else found.group()
        before = lower[max(0, found.start() - 10) : found.start()]
        if word in MONTHS and (_DAY_AFTER.match(lower, found.end()) or _DAY_BEFORE.search(before)):
            october = _OCTOBER_AFTER_DOT.get(word) if _ORDINAL_BEFORE.search(before) else None
            named.append((word, october or MONTHS[word]))
    if named:
        # A day of the week may look like a month's short form ("mar." is a French Tuesday): it counts if nothing else.
        return next((number for word, number in named if not begins_with(word, WEEKDAYS)), named[0][1])
    if numbered := _NUMBERED_MONTH.search(lower):
        month = numbered.group(1)
        return _VIETNAMESE.get(month) or int(month)
    # Scripts whose vowel signs are no letters to a regular expression.
    return next((number for name, number in MONTHS.items() if name[0] > "\u0500" and name in lower), None)


def _clock(text: str) -> tuple[int, int, int]:
    rest = _NUMERIC.sub(" ", _ISO.sub(" ", text))
    times = (found for found in _TIME.finditer(rest) if int(found.group(1)) < 24 and int(found.group(2)) < 60)
    clock = next(times, None)
    if clock is None:
        only = _HOUR_ONLY.search(rest)
        if not only or not 0 < int(only.group(1)) < 13:
            return 0, 0, 0
        return int(only.group(1)) % 12 + (12 if only.group(2).lower() == "p" else 0), 0, 0
    hour, minute, second = int(clock.group(1)), int(clock.group(2)), int(clock.group(3) or 0)
    half = (clock.group(4) or "").lower()[:1]
    if written := _VIETNAMESE_HALF.search(text):
        half = "p" if written.group(1) == "CH" else "a"
    lower = text.casefold()
    if half == "p" or (not half and any(word in lower for word in _AFTERNOON)):
        hour = hour + 12 if hour < 12 else hour
    elif half == "a" or (not half and any(word in lower for word in _MORNING)):
        hour = hour % 12
    return hour, minute, min(second, 59)
