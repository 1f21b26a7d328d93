"""What a question names, as the exact values that stand in the mailbox.

A small model copies well and recalls badly. So names, organisations, folders, conversations, files and periods are
found first, by the same linker that all columns use, and the model is given the values to copy; the grammar admits no
others. What could not be linked remains as words, to be looked for in subjects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

import psycopg

from retrieval import titles
from retrieval.linker import Link, NameIndex
from retrieval.planner.items import Tagged
from retrieval.planner.languages import detect
from retrieval.planner.tagging import tag
from retrieval.planner.tokens import tokenize
from retrieval.quoted import quoted
from retrieval.text_to_query.demands import Demands, demands

LONGEST = 80
MOST_OF_A_NAME = 3
_BETWEEN = ("OUTSIDE", "OTHER", "MOST", "MY")
_SORTS = {
    **dict.fromkeys(("N:person", "N:sender", "N:recipient", "N:correspondent", "N:address"), "person"),
    **dict.fromkeys(("N:org", "N:domain"), "organisation"),
    "N:month": "month", "N:message": "message", "N:thread": "thread", "N:label": "folder", "N:attachment": "file",
}  # fmt: skip


@dataclass(frozen=True)
class Values:
    """Values by kind. ``people``: full names; ``owner``: the mailbox's own, where the question says I or my; ``here``:
    the owner's organisations; ``words``: what could not be linked; ``mentioned``: those and the names, which may stand
    in a text as well; ``titles``: of conversations, in small letters; ``periods``: (first day, day after the last),
    either may be ""; ``said``: for each value the words of the question it was found by; ``wants``: a number or items,
    ``sort``: of which sort ("" where no cue tells), ``demands``: what else a query has to hold. A value that could not
    stand in a query (a quote, a control character) is left out."""

    owner: str = ""
    people: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()
    periods: tuple[tuple[str, str], ...] = ()
    said: tuple[tuple[str, str], ...] = ()
    wants: Literal["number", "items", ""] = ""
    sort: str = ""
    demands: Demands = field(default_factory=Demands)

    @property
    def names(self) -> tuple[str, ...]:
        """All names of people that a query may hold."""
        return _once([*self.people, self.owner])

    @property
    def all_domains(self) -> tuple[str, ...]:
        """All domains that a query may hold."""
        return _once([*self.domains, *self.here])

    @property
    def asked_domains(self) -> tuple[str, ...]:
        """Domains that a condition may ask for: not those that the question is about those outside of."""
        return tuple(d for d in self.domains if d not in self.demands.away)

    @property
    def own(self) -> tuple[str, ...]:
        """Domains outside of which a condition may ask for."""
        return self.demands.away or self.here

    @property
    def taking_part(self) -> tuple[str, ...]:
        """Names of people that a condition may ask for: not of those whom the question leaves out."""
        return tuple(name for name in self.names if name not in self.demands.apart)

    @property
    def named(self) -> int:
        """How many people of the question take part; one with several readings is one."""
        said = dict(self.said)
        return len({said.get(name, name) for name in self.people if name not in self.demands.apart}) + self.demands.me

    @property
    def days(self) -> tuple[str, ...]:
        """All days at which a period begins or ends."""
        return _once(day for period in self.periods for day in period)


def find(conn: psycopg.Connection[Any], question: str, index: NameIndex, as_of: date) -> Values:
    """The values in a question. ``as_of``: what "last month" is relative to."""
    tokens = tokenize(question)
    language = detect(tokens)
    tagged = tag(tokens, language, index, as_of)
    found: dict[str, list[str]] = {}
    said: dict[str, str] = {}

    linked: dict[int, tuple[str, ...]] = {}

    def keep(kind: str, values: Iterable[str], words: str) -> tuple[str, ...]:
        kept = tuple(filter(safe, values))
        for value in kept:
            found.setdefault(kind, []).append(value)
            said.setdefault(value, words)
        return kept

    for place, item in enumerate(tagged.items):
        if isinstance(item.value, Link):
            linked[place] = keep(*_linked(item.value, index), item.text)
        elif item.tag == "QUOTED" and titles.is_one(conn, item.text):
            linked[place] = keep("titles", [" ".join(item.text.lower().split())], item.text)
        elif item.tag == "QUOTED":
            keep("words", [" ".join(item.text.lower().split())], item.text)
        elif item.tag == "FILE":
            keep("files", [item.text], item.text)
        elif item.tag == "FILETYPE":
            keep("types", [str(item.value)], item.text)
    for phrase in _phrases(tagged, language.stopwords):
        keep("words", [phrase.lower()], phrase)
    named = [i.text.lower() for i in tagged.items if i.tag in ("PERSON", "ORG") and safe(i.text)]
    owner = next((index.people[i].name for i in index.owners if safe(index.people[i].name)), "")
    here = _once(d for o in index.owner_organizations for d in index.organizations[o].keys[:1] if safe(d))
    own = {phrase for phrase, cue in language.cues.items() if set(cue.split("+")) & {"ME", "ME:obj", "MY"}}
    mine = any((token.key,) in own for token in tokens) or any(i.tag in ("ME", "ME:obj", "MY") for i in tagged.items)
    return Values(
        owner=owner if mine else "",
        here=here,
        periods=tuple(
            dict.fromkeys((_day(p.start), _day(p.end)) for p in tagged.periods if p.start is not None or p.end)
        ),
        said=tuple(said.items()),
        wants=_wants(tagged),
        sort=_sort(tagged),
        demands=demands(tagged, linked, owner, here),
        mentioned=_once([*found.get("words", []), *named]),
        **{kind: _once(values) for kind, values in found.items()},
    )


def _wants(tagged: Tagged) -> Literal["number", "items", ""]:
    """What the first question word asks for: "How many messages ..." a number, "Which person wrote most, and how many
    messages?" persons."""
    cues = [i.tag for i in tagged.items if (i.tag.startswith("Q:") and i.tag != "Q:what") or i.tag == "LIST"]
    asked = [cue for cue in cues if cue != "LIST"] or cues
    if not asked:
        return "items" if any(i.tag == "Q:what" for i in tagged.items) else ""
    return "number" if asked[0] in ("Q:howmany", "Q:howoften") else "items"


def _sort(tagged: Tagged) -> str:
    """What sort of items is asked for: the noun beside the last "which", else persons for "who"."""
    found = ""
    for n, item in enumerate(tagged.items):
        if item.tag in ("Q:which", "LIST"):
            behind = [
                i.tag for i in tagged.items[n + 1 : n + 4] if i.tag not in _BETWEEN and not i.tag.startswith("NUM")
            ]
            found = _SORTS.get(behind[0], found) if behind else found
        elif item.tag in ("Q:who", "Q:whom") and not found:
            found = "person"
    return found


def _phrases(tagged: Tagged, stopwords: frozenset[str]) -> list[str]:
    """Words that are no cue, those beside each other as one: "white hoods"."""
    found: list[str] = []
    stop = -1
    for item in tagged.items:
        word = item.tag == "WORD" and item.text.lower() not in stopwords and len(item.text) > 2
        if word and item.start == stop:
            found[-1] += f" {item.text}"
        elif word:
            found.append(item.text)
        stop = item.stop if word else -1
    return found


def safe(value: str) -> bool:
    """Whether a value can stand in a query, a prompt and a grammar as it is: it is written by strangers."""
    if not 0 < len(value) <= LONGEST or re.search(r"['\"`\\\x00-\x1f\x7f\u2028\u2029\ue000\ue001]", value):
        return False
    return quoted(value).text == value


def _linked(link: Link, index: NameIndex) -> tuple[str, list[str]]:
    if link.kind == "person":
        return "people", [index.people[i].name for i in link.ids[:MOST_OF_A_NAME]]
    if link.kind == "organization":
        return "domains", [index.organizations[i].keys[0] for i in link.ids[:MOST_OF_A_NAME]]
    return "labels", [index.labels[i].name for i in link.ids[:MOST_OF_A_NAME]]


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""


def _once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
