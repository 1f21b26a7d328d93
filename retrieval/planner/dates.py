"""Periods in a question: "last March", "between June and August 2001", "the week before Christmas".

A small grammar over the tokens of the question, with the words of dates as data of the language. Everything becomes
a half-open interval of local dates. A period without a year is the latest one that began by ``as_of``; inside a
range it takes the year of its partner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from graph.plan import Period
from retrieval.planner.calendar_units import Point, with_year
from retrieval.planner.languages import Language
from retrieval.planner.points import Points
from retrieval.planner.tokens import Token


@dataclass(frozen=True)
class Found:
    """A period that stands in tokens ``start``..``stop``. ``vague``: said roughly ("end of 2001", "as of March"),
    so that it describes rather than limits. ``parts``: the two periods that a range was made of; ``several``: they are
    meant, and not what lies between them."""

    start: int
    stop: int
    period: Period
    vague: bool = False
    parts: tuple[Period, ...] = ()
    several: bool = False


def find(tokens: list[Token], language: Language, as_of: date) -> list[Found]:
    """All periods of the question, left to right, not overlapping."""
    grammar = _Ranges(tokens, language, as_of)
    out: list[Found] = []
    i = 0
    while i < len(tokens):
        # behind a comma the German article is a relative pronoun: "die Person, die im Januar ..."
        pronoun = i > 0 and tokens[i - 1].text == "," and language.cues.get((tokens[i].key,)) == "ARTICLE"
        found = None if pronoun else grammar.range_at(i)
        if found is not None and found.stop > i:
            out.append(found)
            i = found.stop
        else:
            i += 1
    return out


class _Ranges(Points):
    """Reads ranges made of points."""

    def range_at(self, i: int) -> Found | None:
        if (j := self._tag("BETWEEN", i)) is not None and (both := self._pair(j, "AND")) is not None:
            return self._closed(i, *both)
        if (j := self._tag("FROM", i)) is not None and (both := self._pair(j, "AND")) is not None:
            return replace(self._closed(i, *both), several=self._enumerated(j))
        for tag in ("SINCE", "UNTIL", "BEFORE", "AFTER"):
            if (j := self._tag(tag, i)) is None or (p := self._point(j)) is None:
                continue
            if tag == "SINCE" and self._ambiguous_since(i):
                continue
            start, stop = {
                "SINCE": (p.start, None),
                "UNTIL": (None, p.stop),
                "BEFORE": (None, p.start),
                "AFTER": (p.stop, None),
            }[tag]
            return Found(i, p.next, Period(start, stop), p.vague)
        vague = False
        begin = i
        if (j := self._tag("ASOF", i)) is not None:
            vague, i = True, j
        days = self._days(i)
        if days is not None:
            return replace(self._closed(begin, *days), several=self._enumerated(i))
        p = self._point(i, alone=True)
        if p is None:
            return None
        second = self._second(p)
        if second is not None:
            found = self._closed(begin, p, second)
            return replace(found, vague=found.vague or vague, several=self._enumerated(i))
        if (j := self._tag("ON", p.next)) is not None:
            return Found(begin, j, Period(p.start, None), p.vague)
        return Found(begin, p.next, Period(p.start, p.stop), p.vague or vague)

    def _ambiguous_since(self, i: int) -> bool:
        """ "from" without a partner is no "since": "messages from March 2001" are those of March."""
        after = self._tag("FROM", i)
        if after is None:
            return False
        p = self._point(after)
        return p is None or self._tag("ON", p.next) is None

    def _pair(self, i: int, tag: str) -> tuple[Point, Point] | None:
        first = self._point(i)
        if first is None:
            return self._days(i)
        j = self._tag(tag, first.next)
        if j is None and first.next < len(self.tokens) and self.tokens[first.next].text in "-–—":
            j = first.next + 1
        if j is None or (second := self._point(j)) is None:
            return None
        return first, second

    def _days(self, i: int) -> tuple[Point, Point] | None:
        """ "12 and 15 June", "5-7 January 2022": two days of the month that stands behind the second."""
        j = self._skip(i)
        day = self._day(j)
        k = self._behind_day(j)
        if day is None or k + 1 >= len(self.tokens):
            return None
        after = self._tag("AND", k)
        if after is None and self.tokens[k].text in "-–—":
            after = k + 1
        if (
            after is None
            or (second := self._named(self._skip(after))) is None
            or (second.stop - second.start).days != 1
        ):
            return None
        if day >= second.start.day:
            return None
        start = second.start.replace(day=day)
        return replace(second, start=start, stop=start + timedelta(days=1)), second

    def _enumerated(self, i: int) -> bool:
        """ "the 5th and 7th of May", "May or July": joined by a word that makes no range."""
        if self._days(i) is not None:
            return self._tag("ALSO", self._behind_day(self._skip(i))) is not None
        first = self._point(i)
        return first is not None and self._tag("ALSO", first.next) is not None

    def _behind_day(self, j: int) -> int:
        """Behind the number of a day and the full stop that German writes there."""
        return j + 2 if j + 1 < len(self.tokens) and self.tokens[j + 1].text == "." else j + 1

    def _second(self, first: Point) -> Point | None:
        """The partner in "June to August 2001", "January and early February 2002"."""
        j = first.next
        if j >= len(self.tokens):
            return None
        after = self._tag("AND", j)
        if after is None and self.tokens[j].text in "-–—":
            after = j + 1
        return None if after is None else self._point(after)

    def _closed(self, i: int, first: Point, second: Point) -> Found:
        if first.yearless and not second.yearless:
            year = second.start.year
            moved = with_year(first, year)
            first = moved if moved.start <= second.start else with_year(first, year - 1)
        elif second.yearless and not first.yearless:
            second = with_year(second, first.start.year)
            if second.stop <= first.start:
                second = with_year(second, first.start.year + 1)
        elif first.yearless and first.start > second.start:
            first = with_year(first, first.start.year - 1)
        parts = (Period(first.start, first.stop), Period(second.start, second.stop))
        whole = Period(first.start, max(second.stop, first.stop))
        return Found(i, second.next, whole, first.vague or second.vague, parts)
