"""Several periods at once: "in May, June and August", "on the 5th or the 7th" are one stretch of time with gaps.

A plan holds conditions that must all be met, so that two periods would leave nothing. It can hold the whole stretch and
leave out what lies between its parts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from graph.plan import Period
from retrieval.planner.calendar_units import years
from retrieval.planner.items import Item
from retrieval.planner.look import tag_at


def one_period(items: list[Item], gap: str) -> list[Item]:
    """Periods joined by commas, "and" or "or" as one item with parts. Two that are joined by "and" are each meant for
    itself where people, months or folders are asked for ("who wrote in May and in June"), and so are denied ones."""
    items = _narrowest(items)
    out: list[Item] = []
    n = 0
    while n < len(items):
        end, links = n + 1, []
        while _closed(items, n) and tag_at(items, end) in ("COMMA", "AND", "OR"):
            after = end + 1 + (tag_at(items, end + 1) in ("AND", "OR"))
            if not _closed(items, after):
                break
            links.append(items[after - 1])
            end = after + 1
        each = gap != "message" and ([i.tag for i in links] == ["AND"] or any(i.vague for i in links))
        if links and not each:
            out.append(_whole([i for i in items[n:end] if i.tag == "PERIOD"]))
            n = end
        else:
            out.append(items[n])
            n += 1
    return out


def _narrowest(items: list[Item]) -> list[Item]:
    """Without a period that holds another ("in 2000, ... from June to December") or that was said before."""
    closed = {n: i.value for n, i in enumerate(items) if _closed(items, n)}
    return [
        i
        for n, i in enumerate(items)
        if n not in closed
        or not any(holds(i.value, other) and (other != i.value or m < n) for m, other in closed.items())
    ]


def holds(whole: Period, part: Period) -> bool:
    """Whether all of a period lies in another, which may be the same."""
    begins = whole.start is None or (part.start is not None and whole.start <= part.start)
    ends = whole.end is None or (part.end is not None and part.end <= whole.end)
    return begins and ends


def in_the_year(items: list[Item]) -> None:
    """ "In the year 2000, which month from June to December": months without a year are of the only year that is named,
    where the latest ones would lie outside of it. Changes the items in place."""
    for n in range(2, len(items)):  # "the first half of 2000, January through June"
        if items[n - 1].tag == "COMMA" and _closed(items, n - 2) and _closed(items, n) and not _has_year(items[n]):
            moved = _moved(items[n].value, _sides(items[n - 2].value)[0].year)
            if holds(items[n - 2].value, moved):
                _move(items[n], moved)
    named = [i.value for i in items if i.tag == "PERIOD" and _is_year(i.value)]
    if len(named) != 1:
        return
    for n, item in enumerate(items):
        if _closed(items, n) and not (_is_year(item.value) or item.vague or _has_year(item)):
            _move(item, _moved(item.value, named[0].start.year))


def _has_year(item: Item) -> bool:
    return re.search(r"\d{3}", item.text) is not None


def _move(item: Item, to: Period) -> None:
    """The item with its parts, as many years away as ``to`` is from what it was."""
    shift = _sides(to)[0].year - _sides(item.value)[0].year
    item.parts = tuple(_moved(part, _sides(part)[0].year + shift) for part in item.parts)
    item.value = to


def _moved(p: Period, year: int) -> Period:
    start, end = _sides(p)
    return Period(years(start, year - start.year), years(end, year - start.year))


def _is_year(p: Period) -> bool:
    return p.start is not None and p.end is not None and years(p.start, 1) == p.end


def gaps(item: Item) -> list[Period]:
    """What lies between the parts of a period."""
    sides = sorted(_sides(p) for p in item.parts)
    return [Period(a[1], b[0]) for a, b in pairwise(sides) if a[1] < b[0]]


def months(period: Period) -> list[Period]:
    """The whole months of a period with both ends; none of another."""
    if period.start is None or period.end is None:
        return []
    out = []
    start = period.start.replace(day=1)
    while start < period.end:
        end = (start + timedelta(days=32)).replace(day=1)
        out.append(Period(start, end))
        start = end
    return out


def _closed(items: list[Item], n: int) -> bool:
    return tag_at(items, n) == "PERIOD" and None not in (items[n].value.start, items[n].value.end)


def _sides(period: Period) -> tuple[date, date]:
    assert period.start is not None
    assert period.end is not None
    return period.start, period.end


def _whole(joined: list[Item]) -> Item:
    """From the first start to the last end. Months without a year are of the year that the last one has."""
    year = _sides(joined[-1].value)[0].year
    parts: list[tuple[date, date]] = []
    for item in joined:
        said = [_sides(p) for p in item.parts or (item.value,)]
        shift = 0 if any(c.isdigit() for c in item.text) else year - said[0][0].year
        parts += [(years(start, shift), years(end, shift)) for start, end in said]
    whole = Period(min(start for start, _ in parts), max(end for _, end in parts))
    text = " ".join(i.text for i in joined)
    periods = tuple(Period(start, end) for start, end in parts)
    return replace(joined[0], text=text, stop=joined[-1].stop, value=whole, parts=periods)
