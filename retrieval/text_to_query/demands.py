"""What a question demands of a query beside its values, and what a query that was written leaves of it.

A small model drops what it cannot place, and its query then runs and counts something else: a wrong number that looks
sure. The cues that the planner knows of tell what must not be dropped - who is left out ("besides me"), outside of
what, both directions, a denial, a least number, words that texts mention. The grammars admit only what agrees with
them, and a query that leaves one of them out is no answer. Nothing here says how a query has to look.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.planner.items import Item, Tagged
from retrieval.planner.look import number, tag_at
from retrieval.planner.mentioned import phrases, phrases_before

if TYPE_CHECKING:
    from retrieval.text_to_query.values import Values

_OUTSIDE = ("OUTSIDE", "EXTERNAL", "N:outsider")
_ATTACHED = ("N:attachment", "ATTACHED", "WITHATTACH")
_COPIES = ("P:cc", "ROLE:cc", "COUNTING")
_ASKS = ("Q:howmany", "Q:which", "LIST")
_CAPITALS = ("en", "fr", "es")  # in German every noun has one
_OWN = re.compile(r"NOT \w+\.domain IN \[[^\]]*\]|domain NOT IN \('[^)]*\)|domain <> (?:\w+\.)?\w*domain")


@dataclass(frozen=True)
class Demands:
    """``texts``: words that the question says are mentioned; ``unknown``: quoted words, names and what is counted, that
    nothing of the mailbox is called by; ``apart``: names of those left out; ``away``: domains outside of which; ``me``:
    the owner takes part; ``both_ways``: mail in both directions; ``denied``: something was not done; ``least``: at
    least so many messages (0: no such number); ``attached``, ``answered``, ``copies``: files, answers, Cc are
    spoken of."""

    texts: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    me: bool = False
    both_ways: bool = False
    denied: bool = False
    least: int = 0
    attached: bool = False
    answered: bool = False
    copies: bool = False


def demands(tagged: Tagged, linked: Mapping[int, tuple[str, ...]], owner: str, here: tuple[str, ...]) -> Demands:
    """What the cues of a question demand. ``linked``: the values of its items by their place; ``here``: domains of the
    owner's organisations."""
    items = tagged.items
    aside = _aside(items)
    meant = {place: values for place, values in linked.items() if items[place].tag == "PERSON"}
    meant |= {n: (owner,) for n, i in enumerate(items) if _is_me(i.tag) and tag_at(items, n + 1) != "AUX:have"}
    others = {name for place, names in meant.items() if place not in aside for name in names}
    apart = [name for place in sorted(aside) for name in meant.get(place, (owner,)) if name and name not in others]
    return Demands(
        texts=_texts(tagged),
        unknown=tuple(i.text.lower() for n, i in enumerate(items) if n not in linked and _is_name(tagged, n)),
        apart=tuple(dict.fromkeys(apart)),
        away=_away(items, linked, here),
        me=bool(owner) and owner in others and any(_is_me(items[n].tag) for n in meant if n not in aside),
        both_ways=any(i.tag == "BACKFORTH" for i in items),
        denied=any(i.tag == "NEG" or i.tag.startswith("NEG+") or i.tag == "WITHOUT" for i in items),
        least=_least(items),
        attached=any(i.tag in _ATTACHED or i.tag.startswith("FILE") for i in items),
        copies=any(i.tag in _COPIES or i.tag.endswith("V:copy") or "cc" in i.text.lower().split() for i in items),
        answered=any(i.tag in ("V:reply", "N:reply") or i.tag.endswith("ANSWERED") for i in items),
    )


def left_out(query: str, values: Values) -> str:
    """What the question demands and the query does not hold, in words; "" where it holds all."""
    asked, small = values.demands, query.lower()
    for kind in ("people", "labels", "titles", "files", "types", "domains"):
        for said, group in _by_words(values, kind).items():
            if not any(v in query or v.split(".")[0] in small for v in group) and said.lower() not in small:
                return f"'{group[0]}'"
    for word in (*asked.unknown, *asked.texts):
        if word.removesuffix("s") not in small:
            return f"'{word}'"
    for start, end in values.periods:
        if not any(day and day in query for day in (start, end)):
            return f"the period from '{start or 'the beginning'}' to '{end or 'the end'}'"
    if asked.me and f"'{values.owner}'" not in query:
        return f"'{values.owner}' (I, me)"
    if missing := next((name for name in asked.apart if f"<> '{name}'" not in query), ""):
        return f"that '{missing}' does not count (<>)"
    if asked.away and not _OWN.search(query):
        return f"that it is about those outside of {', '.join(asked.away)} (NOT ... IN)"
    if asked.both_ways and any(query.count(f"'{name}'") < 2 for name in values.people):
        return "the other direction"
    if asked.denied and "NOT " not in _OWN.sub("", query):
        return "that something was not done (NOT)"
    if asked.least and f">= {asked.least}" not in query:
        return f"the least number {asked.least}"
    return ""


def unused(query: str, values: Values) -> list[str]:
    """Words of the question in passing that the query does not hold: it may stand without them, and says so."""
    return [word for word in values.words if word.removesuffix("s") not in query.lower()]


def _by_words(values: Values, kind: str) -> dict[str, list[str]]:
    """Values of a kind by the words they were found by: one of each is meant. Of domains, not those outside of which,
    which are looked at by themselves."""
    said = dict(values.said)
    found: dict[str, list[str]] = {}
    for value in getattr(values, kind):
        if value in said and not (kind == "domains" and value in (*values.demands.away, *values.here)):
            found.setdefault(said[value], []).append(value)
    return found


def _is_me(tag: str) -> bool:
    return tag in ("ME", "ME:obj") or tag.startswith("ME+")


def _is_name(tagged: Tagged, n: int) -> bool:
    """Whether an unlinked item is a quoted word, a name, or what is counted or listed ("how many invoices"): what a
    question is about, and no word in passing."""
    items, item = tagged.items, tagged.items[n]
    if item.tag != "WORD" or item.text.lower() in tagged.language.stopwords:
        return item.tag == "QUOTED"
    place = n - 1
    while tag_at(items, place) in ("WORD", "P:at", "MY", "MOST") or tag_at(items, place).startswith("NUM"):
        place -= 1
    first = tag_at(items, n - 1) in ("END", "COMMA", "OPEN")
    return tag_at(items, place) in _ASKS or (item.capital and not first and tagged.language.code in _CAPITALS)


def _aside(items: list[Item]) -> set[int]:
    """Places of those who are left out: behind "besides", before "aside"."""
    found = {n for n, i in enumerate(items) if i.tag == "BESIDES+ME"}
    for n, item in enumerate(items):
        step = 1 if item.tag == "BESIDES" else -1 if item.tag == "ASIDE" else 0
        place = n + step
        while step and (tag_at(items, place) in ("PERSON", "AND", "AUX") or _is_me(tag_at(items, place))):
            found.add(place)
            place += step
    return {n for n in found if items[n].tag not in ("AND", "AUX")}


def _away(items: list[Item], linked: Mapping[int, tuple[str, ...]], here: tuple[str, ...]) -> tuple[str, ...]:
    """Domains that "outside" means: of the organisation named behind it, or the owner's."""
    out: list[str] = []
    for n, item in enumerate(items):
        if item.tag in _OUTSIDE:
            named = linked.get(n + 1, ()) if tag_at(items, n + 1) == "ORG" else ()
            out += [*named, *(here if not named or set(named) & set(here) else ())]
    return tuple(dict.fromkeys(out))


def _least(items: list[Item]) -> int:
    """The number of "at least five", "more than four", "five or more"; 0 where there is none."""
    for n, item in enumerate(items):
        if item.tag in ("ATLEAST", "MORETHAN") and (least := _number(items, n + 1)):
            return least + (item.tag == "MORETHAN")
        if item.tag == "ORMORE" and (least := _number(items, n - 1)):
            return least
    return 0


def _number(items: list[Item], n: int) -> int:
    return number(items[n]) if tag_at(items, n).startswith("NUM") else 0


def _texts(tagged: Tagged) -> tuple[str, ...]:
    """The words that are said to stand in texts: behind "mention" and "about", before "comes up"."""
    items, used, stop = tagged.items, [False] * len(tagged.items), tagged.language.stopwords
    if any(i.tag in ("INSUBJECT", "TITLED") for i in items):
        return ()
    said: list[tuple[int, int]] = []
    for tag in ("THEWORD", "V:mention", "P:about"):
        for cue in (n for n, i in enumerate(items) if i.tag == tag and not said):
            said = phrases(items, cue + 1, used, stop) or phrases_before(items, cue, used, stop)
    return tuple(" ".join(i.text for i in items[a:b]).lower() for a, b in said)
