"""Points in time in a question: a day, a month, a feast, "last March", "the week before Christmas".

Each becomes a half-open interval of local dates. A period without a year is the latest one that began by ``as_of``.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta

from retrieval.planner.calendar_units import Point, add, around, feast, with_year, years
from retrieval.planner.date_words import DateWords

_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?!\d)")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})(?!\d)")
_QUARTER = re.compile(r"q([1-4])$|([1-4])q$")


class Points(DateWords):
    """Reads points in time."""

    def _point(self, i: int, *, alone: bool = False) -> Point | None:
        """A period at token i. ``alone``: no word of a range stood before it, so that a bare number or year needs a
        reason to be one."""
        start, i = i, self._skip(i)
        if i >= len(self.tokens):
            return None
        for parse in (
            self._numeric,
            self._offset,
            self._ordinal,
            self._relative,
            self._part,
            self._quarter,
            self._named,
        ):
            if (p := parse(i)) is not None:
                return p
        year = self._year(i)
        if year is not None and (not alone or self._year_has_reason(start, i)):
            return Point(date(year, 1, 1), date(year + 1, 1, 1), i + 1)
        return None

    def _numeric(self, i: int) -> Point | None:
        text, at = self._source(i)
        if m := _ISO.match(text, at):
            y, mo, d = int(m[1]), int(m[2]), m[3]
            return self._span(y, mo, int(d) if d else None, self._after(i, at + m.end() - m.start()))
        if m := _SLASHED.match(text, at):
            a, b, y = int(m[1]), int(m[2]), int(m[3])
            y += (1900 if y >= 70 else 2000) if y < 100 else 0
            month, day = (b, a) if self.language.day_first or a > 12 else (a, b)
            return self._span(y, month, day, self._after(i, at + m.end() - m.start()))
        return None

    def _offset(self, i: int) -> Point | None:
        """the week before Christmas, two days after 5 October, the week of 8 October, first week of January"""
        n, j = self._number(i)
        j = self._skip(j)
        unit, k = self._value("U", j)
        if unit is None or k is None:
            return None
        if (b := self._tag("BEFORE", k)) is not None and (p := self._point(b)) is not None:
            return Point(add(p.start, unit, -n), p.start, p.next, p.yearless)
        if (a := self._tag("AFTER", k)) is not None and (p := self._point(a)) is not None:
            return Point(p.stop, add(p.stop, unit, n), p.next, p.yearless)
        if unit == "week" and (p := self._day_of(k)) is not None:
            monday = p.start - timedelta(days=p.start.weekday())
            return Point(monday, monday + timedelta(days=7), p.next, p.yearless)
        return None

    def _day_of(self, i: int) -> Point | None:
        j = self._skip(i)
        if j == i:
            return None
        p = self._numeric(j) or self._named(j)
        return p if p is not None and (p.stop - p.start).days == 1 else None

    def _ordinal(self, i: int) -> Point | None:
        """first week of January, last two weeks of 2001, second half of October, third quarter of 2001"""
        which, j = self._value("O", i)
        if which is None or j is None:
            return None
        n, j = self._number(j)
        unit, k = self._value("U", j)
        if unit is None or k is None:
            return self._first_of(int(which), j)
        inner = self._point(self._skip(k))
        if inner is None and unit == "quarter" and int(which) > 0:  # of the latest year in which it has begun
            start = date(self.as_of.year, 3 * int(which) - 2, 1)
            start = start if start <= self.as_of else years(start, -1)
            return Point(start, add(start, "quarter", 1), k, yearless=True)
        if inner is None or (k == self._skip(k) and self._year(k) is None):
            return None
        nth = int(which)
        if unit in ("quarter", "half"):
            months = 3 if unit == "quarter" else 6
            if (inner.stop - inner.start).days < 40 and unit == "half":
                middle = inner.start + timedelta(days=15)
                a, b = (inner.start, middle) if nth == 1 else (middle, inner.stop)
            else:
                index = nth - 1 if nth > 0 else 12 // months - 1
                a = add(inner.start, "month", months * index)
                b = add(a, "month", months)
        elif nth > 0:
            a = add(inner.start, unit, (nth - 1) * n)
            b = add(a, unit, n)
        else:
            a, b = add(inner.stop, unit, -n), inner.stop
        return Point(a, b, inner.next, inner.yearless)

    def _first_of(self, day: int, j: int) -> Point | None:
        """the first of November, le premier mai: an ordinal that is a day of the month behind it"""
        month, k = self._value("M", self._skip(j))
        if day < 1 or month is None or k is None or not self._is_month(self._skip(j), k):
            return None
        return self._with_optional_year(int(month), day, k)

    def _relative(self, i: int) -> Point | None:
        if (j := self._tag("TODAY", i)) is not None:
            return Point(self.as_of, self.as_of + timedelta(days=1), j)
        if (j := self._tag("YESTERDAY", i)) is not None:
            return Point(self.as_of - timedelta(days=1), self.as_of, j)
        if (j := self._tag("AGO", i)) is not None:  # vor drei Wochen, il y a trois semaines, hace tres semanas
            n, k = self._number(j)
            unit, after = self._value("U", k)
            if unit is not None and after is not None and k > j:
                return self._ago(n, unit, after)
        n, k = self._number(i)
        unit, after = self._value("U", k)
        if k > i and unit is not None and after is not None:
            if (j := self._tag("AGO", after)) is not None:
                return self._ago(n, unit, j)
            if (j := self._tag("PAST", after)) is not None and n > 1:
                return Point(add(self.as_of, unit, -n), self.as_of + timedelta(days=1), j)
        for tag in ("THIS", "PAST", "NEXT"):
            if (j := self._tag(tag, i)) is None:
                continue
            n, k = self._number(j)
            unit, after = self._value("U", k)
            if unit is not None and after is not None:
                if self._has_year(after):
                    continue
                if k > j and tag == "PAST":  # the last three weeks
                    return Point(add(self.as_of, unit, -n), self.as_of + timedelta(days=1), after)
                return self._unit(tag, unit, after)
            if (p := self._named(j)) is not None and p.yearless:
                return self._shifted(tag, p)
            weekday, after = self._value("D", j)
            if weekday is not None and after is not None:
                return self._weekday(tag, int(weekday), after)
        month, after = self._value("M", i)  # mars dernier: what stands behind tells that "mars" is a month
        if month is not None and after is not None and (j := self._tag("PAST", after)) is not None:
            named = self._with_optional_year(int(month), None, after)
            return replace(self._shifted("PAST", named), next=j) if named is not None else None
        unit, after = self._value("U", i)
        if unit is not None and after is not None and (j := self._tag("PAST", after)) is not None:
            return self._unit("PAST", unit, j)  # la semaine dernière
        return None

    def _ago(self, n: int, unit: str, j: int) -> Point:
        there = add(self.as_of, unit, -n)
        start, stop = around(there, unit)
        return Point(start, stop, j)

    def _unit(self, tag: str, unit: str, j: int) -> Point:
        start, stop = around(self.as_of, unit)
        step = {"THIS": 0, "PAST": -1, "NEXT": 1}[tag]
        return Point(add(start, unit, step), add(stop, unit, step) if step else stop, j)

    def _weekday(self, tag: str, weekday: int, j: int) -> Point:
        back = (self.as_of.weekday() - weekday) % 7
        day = self.as_of - timedelta(days=back if back or tag == "THIS" else 7)
        if tag == "NEXT":
            day += timedelta(days=7)
        return Point(day, day + timedelta(days=1), j)

    def _shifted(self, tag: str, p: Point) -> Point:
        """ "last March": the latest that is over; "this March": in the year of as_of; "next": the first to come."""
        p = with_year(p, self.as_of.year)
        if tag == "PAST" and p.stop > self.as_of:
            p = with_year(p, self.as_of.year - 1)
        if tag == "NEXT" and p.start <= self.as_of:
            p = with_year(p, self.as_of.year + 1)
        return replace(p, yearless=False)

    def _part(self, i: int) -> Point | None:
        """early October 2001, end of 2001, mid-January"""
        for tag in ("EARLY", "MID", "LATE"):
            if (j := self._tag(tag, i)) is None:
                continue
            if j < len(self.tokens) and self.tokens[j].text == "-":
                j += 1
            p = self._point(self._skip(j))
            if p is None:
                continue
            if (p.stop - p.start).days > 40:
                a = {"EARLY": 0, "MID": 4, "LATE": 8}[tag]
                start = add(p.start, "month", a)
                return Point(start, min(p.stop, add(start, "month", 4)), p.next, p.yearless, vague=True)
            a = {"EARLY": 0, "MID": 10, "LATE": 19}[tag]
            stop = p.stop if tag == "LATE" else p.start + timedelta(days=a + 12)
            return Point(p.start + timedelta(days=a), stop, p.next, p.yearless, vague=True)
        return None

    def _quarter(self, i: int) -> Point | None:
        m = _QUARTER.match(self.tokens[i].key)
        year = self._year(self._skip(i + 1))
        if m is None or year is None:
            return None
        start = date(year, 3 * int(m[1] or m[2]) - 2, 1)
        return Point(start, add(start, "month", 3), self._skip(i + 1) + 1)

    def _named(self, i: int) -> Point | None:
        """A month, a day of a month, a season, a feast: with or without a year."""
        name, j = self._value("H", i)
        if name is not None and j is not None:
            year = self._year(self._skip(j))
            day = feast(name, year or self.as_of.year)
            if year is None and day > self.as_of:
                day = feast(name, self.as_of.year - 1)
            return Point(day, day + timedelta(days=1), self._skip(j) + 1 if year else j, year is None)
        season, j = self._value("S", i)
        if season is not None and j is not None:
            year = self._year(self._skip(j))
            start = date(year or self.as_of.year, int(season), 1)
            if year is None and start > self.as_of:
                start = date(start.year - 1, int(season), 1)
            if year is None and not self._reason_before(i):
                return None
            return Point(start, add(start, "month", 3), self._skip(j) + 1 if year else j, year is None)
        day_first = self._day(i)
        if day_first is not None:
            j = i + 1
            while j < len(self.tokens) and (self.tokens[j].text == "." or j != self._skip(j)):
                j = j + 1 if self.tokens[j].text == "." else self._skip(j)
            month, k = self._value("M", j)
            if month is not None and k is not None:
                return self._with_optional_year(int(month), day_first, k)
            return None
        month, j = self._value("M", i)
        if month is None or j is None or not self._is_month(i, j):
            return None
        if j < len(self.tokens) and self.tokens[j].text == "." and j + 1 < len(self.tokens):
            j += 1
        of_month = self._day(j) if j < len(self.tokens) and self._year(j) is None else None
        if of_month is not None:
            return self._with_optional_year(int(month), of_month, j + 1)
        return self._with_optional_year(int(month), None, j)

    def _with_optional_year(self, month: int, day: int | None, j: int) -> Point | None:
        k = j
        if k < len(self.tokens) and self.tokens[k].text in ",.":
            k += 1
        k = self._skip(k)
        year = self._year(k)
        if year is not None:
            return self._span(year, month, day, k + 1)
        p = self._span(self.as_of.year, month, day, j)
        if p is None:
            return None
        if p.start > self.as_of:
            p = with_year(p, self.as_of.year - 1)
        return replace(p, yearless=True)

    def _span(self, year: int, month: int, day: int | None, j: int) -> Point | None:
        if not 1 <= month <= 12 or not 1 <= year <= 9998:
            return None
        if day is None:
            return Point(date(year, month, 1), add(date(year, month, 1), "month", 1), j)
        if not 1 <= day <= monthrange(year, month)[1]:
            return None
        return Point(date(year, month, day), date(year, month, day) + timedelta(days=1), j)

    def _is_month(self, i: int, j: int) -> bool:
        """May and March are also verbs: they need a capital and something beside them that speaks of time."""
        if self.tokens[i].key not in ("may", "march", "mars", "sep", "mar", "set", "jan"):
            return True
        near = j < len(self.tokens) and (self._year(j) is not None or self._day(j) is not None)
        whispered = not any(t.capital for t in self.tokens) and i > 0 and self._tag("IN", i - 1) == i
        return near or ((self.tokens[i].capital or whispered) and self._reason_before(i))

    def _reason_before(self, i: int) -> bool:
        for back in range(1, 5):
            if i - back < 0:
                break
            for tag in ("IN", "THIS", "PAST", "NEXT", "BETWEEN", "EARLY", "MID", "LATE", "AND"):
                if self._tag(tag, i - back) == i:
                    return True
        return False

    def _year_has_reason(self, start: int, i: int) -> bool:
        before = self.tokens[i - 1].text if i else ""
        return start < i or before == "(" or self._reason_before(i)

    def _has_year(self, i: int) -> bool:
        j = self._skip(i)
        return j > i and self._point(j) is not None
