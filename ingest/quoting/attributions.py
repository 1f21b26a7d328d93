"""Attributions: the sentence that a mail program puts before a quotation, "On … wrote:" in many languages.

They are told by their parts, not by one pattern a language: a date or an address, a verb of writing at the end or in
the middle, a colon, and how they open.
"""

from __future__ import annotations

import re
from typing import Final

from ingest.quoting.lines import Lines
from ingest.quoting.marker import LONGEST, REACH, Marker
from ingest.quoting.vocabulary import (
    ANNOUNCES,
    OPENS,
    WEEKDAYS,
    WROTE,
    begins_with,
    names_day_and_month,
    wrote_at_end,
    wrote_inside,
)

_SHORT: Final = 120  # characters of "NAME wrote:" without a date
# begins only where a word does, else a long word is read once from each of its characters
_ADDRESS: Final = re.compile(r"(?<![^\s<>@\"',;:()\[\]])[^\s<>@\"',;:()\[\]]+@[^\s<>@\"',;:()\[\]]+")
_TIME: Final = re.compile(r"\b\d{1,2}\s?[:.hH時시点點]\s?\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE)
_DAY: Final = re.compile(
    r"\b(?:19|20)\d{2}\b|(?<!\d)\d{1,2}([/.-])\s?\d{1,2}\1\s?\d{2,4}(?!\d)|\d{4}\s?[年년/.-]\s?\d{1,2}"
)
_ISO_START: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?(?: (?:GMT|UTC)[+-]?[\d:]*)?", re.IGNORECASE
)
_STARTS_WITH_DATE: Final = re.compile(r"\d{1,2}[:.]\d{2}|\d{1,4}[-/.年년]\s?\d{1,2}|\d{1,2}\.? [^\W\d_]{3,}")


def attribution(lines: Lines, i: int, stop: int, level: int) -> Marker | None:
    """ "On … wrote:" and its like, starting at line ``i`` and up to ``REACH`` lines long."""
    body = lines.body[i]
    lower = body.lstrip("-*_ ").casefold()
    strong = _opens_with_date(lower)
    if not strong and "@" not in body and body[-1] not in ":：*":
        # Nothing but a verb in the middle can make it one, and then a line close by ends with a colon.
        if not any(lines.body[j][-1:] in {":", "："} for j in range(i + 1, min(stop, i + 3))):
            return None
        if wrote_inside(lower) is None:
            return None
    joined = ""
    blanks = tries = 0
    for j in range(i, min(stop, i + REACH + 2)):
        if lines.depth[j] != level or tries > 2:
            break
        part = lines.body[j]
        if not part:
            blanks += 1
            # Only a sentence that is plainly unfinished goes on after a blank line.
            unfinished = joined.count("<") > joined.count(">") or lines.body[min(j + 1, stop - 1)][:1] in {"<", "("}
            if blanks > 1 or not strong or not unfinished:
                break
            continue
        joined = f"{joined} {part}" if joined else part
        if len(joined) > LONGEST:
            break
        sure = None
        if _may_end(part, i, j):
            tries += 1
            sure = _says_who_wrote(joined, strong, j == i and _alone(lines, i, stop, level))
        if sure is None:
            if part[-1] in ".!?。" and not part[-2:-1].isdigit() and len(part) > 20:
                break
            continue
        if not sure:
            following = j + 1
            while following < stop and not lines.body[following] and following < j + 3:
                following += 1
            if following >= stop or lines.depth[following] <= level:
                continue
        return Marker(i, j + 1, "quoted", attribution=joined, sure=sure)
    return None


def _opens_with_date(lower: str) -> bool:
    """Does it start with a date, or with a word that programs put before one and a number behind it?"""
    if _STARTS_WITH_DATE.match(lower):
        return True
    word = begins_with(lower, OPENS) or begins_with(lower, WEEKDAYS)
    return word > 0 and any(character.isdigit() for character in lower[word:])


def _may_end(part: str, first: int, here: int) -> bool:
    """A cheap look at the last line of what may be an attribution: a colon, or a verb of writing."""
    ending = part.rstrip("*_ \t-)]")
    return ending[-1:] in {":", "："} or here == first or ending.casefold().endswith(WROTE)


def _alone(lines: Lines, i: int, stop: int, level: int) -> bool:
    before = i == 0 or not lines.body[i - 1]
    after = i + 1 >= stop or not lines.body[i + 1] or lines.depth[i + 1] > level
    return before and after


def _says_who_wrote(joined: str, strong: bool, alone: bool) -> bool | None:
    """True for an attribution, False for one only if a quotation follows at once, None for neither.

    ``strong``: it starts with a date or a word that programs put before one. ``alone``: a paragraph of its own.
    """
    text = joined.strip("-*_ \t").casefold().replace("\u202f", " ").replace("\xa0", " ")
    colon = text.endswith((":", "："))
    wrote = wrote_at_end(text.rstrip(":： )]*_")) >= 0
    if not colon and not wrote:
        found = _ISO_START.match(text) if alone and strong else None
        return True if found and ("@" in text or "gmt" in found.group()) else None
    address = "@" in text and _ADDRESS.search(text) is not None
    time = _TIME.search(text) is not None
    dated = time or _DAY.search(text) is not None or names_day_and_month(text)
    inside = None if wrote else wrote_inside(text)
    verb = wrote or inside is not None or begins_with(text, ANNOUNCES) > 0
    if verb and (dated or address) and (colon or (wrote and strong)):
        return strong or address or (inside is not None and text[inside[1] :].strip()[:1].isdigit())
    if colon and address and strong and dated:
        return True
    if colon and ((verb and len(text) < _SHORT) or (dated and (address or (time and strong)))):
        return False
    return None
