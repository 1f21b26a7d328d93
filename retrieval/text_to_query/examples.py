"""Worked examples, and which of them stand nearest to a question.

What makes two questions alike here is their form and not their names: "How many messages did X send in March?" is near
to the same question about Y in May. So names, organisations and periods are masked in both before they are compared,
by their shared words and, where there is an embedding model, by meaning as well: words tell "who" from "which month",
meaning "wrote most often" from "never wrote".
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from retrieval.text_to_query.values import Values

if TYPE_CHECKING:
    from retrieval.models.embed import Embedder

FILE = Path(__file__).with_name("examples.toml")
NEAREST = 7
SHAPE = 0.5
_LITERAL = re.compile(r"'((?:[^'\\]|\\.)*)'")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_PERIOD = re.compile(rf"\b(?:{_MONTHS})(?: \d{{4}})?\b")


@dataclass(frozen=True)
class Example:
    """A question about the fictional mailbox with the query that answers it; "" where a language cannot."""

    kind: str
    question: str
    cypher: str = ""
    sql: str = ""
    counted: str = ""

    @property
    def wants(self) -> str:
        """A number or items."""
        return "number" if self.question.startswith("How many") else "items"

    @property
    def masked(self) -> str:
        """The question without what is only its own."""
        text = self.question
        for value in sorted(_LITERAL.findall(self.sql), key=len, reverse=True):
            text = re.sub(re.escape(value), _mask(value), text, flags=re.IGNORECASE) if len(value) > 2 else text
        return _PERIOD.sub("a month", text)


@cache
def load() -> tuple[Example, ...]:
    """All examples, in the order of the file."""
    return tuple(Example(**one) for one in tomllib.loads(FILE.read_text(encoding="utf-8"))["example"])


def mask(question: str, values: Values) -> str:
    """The question with what was linked in it replaced by words for its kind."""
    people, domains = set(values.people), set(values.all_domains)
    for value, said in sorted(values.said, key=lambda pair: -len(pair[1])):
        if value in people or value in domains or value in values.labels or value in values.titles:
            kind = "a company" if value in domains else "somebody" if value in people else "a title"
            question = question.replace(said, kind)
    return _PERIOD.sub("a month", question.replace("a company (a company)", "a company"))


def nearest(question: str, values: Values, language: str, embedder: Embedder | None) -> list[Example]:
    """The examples of ``language`` (cypher or sql) nearest to the question, the nearest last: beside the question.
    Only those that ask for a number, or for items, as the question does."""
    usable = [one for one in load() if getattr(one, language) and values.wants in ("", one.wants)]
    masked = mask(question, values)
    scores = [a + SHAPE * _alike(one, values) for a, one in zip(_by_words(masked, usable), usable, strict=True)]
    if embedder:
        scores = [a + b for a, b in zip(scores, _by_meaning(masked, usable, embedder), strict=True)]
    order = sorted(range(len(usable)), key=lambda n: (-scores[n], n))[:NEAREST]
    return [usable[n] for n in reversed(order)]


def _alike(example: Example, values: Values) -> float:
    """The share of demands that an example and the question both have, or both have not."""
    asked = values.demands
    pairs = (
        ("domain NOT IN ('" in example.sql, bool(asked.away)),
        ("<> '" in example.sql, bool(asked.apart)),
        ("NOT IN (SELECT" in example.sql or "NOT answered" in example.sql, asked.denied),
        ("sender <> recipient" in example.sql, asked.both_ways),
        ("HAVING" in example.sql, bool(asked.least)),
    )
    return sum(one == other for one, other in pairs) / len(pairs)


_vectors: WeakKeyDictionary[Embedder, dict[str, np.ndarray]] = WeakKeyDictionary()


def _by_meaning(masked: str, usable: list[Example], embedder: Embedder) -> list[float]:
    known = _vectors.setdefault(embedder, {})
    missing = [text for text in (*(one.masked for one in usable), masked) if text not in known]
    if missing:
        known.update(zip(missing, embedder.embed(missing), strict=True))
    vector = known[masked] if masked in {one.masked for one in usable} else known.pop(masked)
    return [float(known[one.masked] @ vector) for one in usable]


def _by_words(masked: str, usable: list[Example]) -> list[float]:
    asked = _words(masked)
    return [len(asked & words) / len(asked | words) for words in (_words(one.masked) for one in usable)]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _mask(value: str) -> str:
    if value.endswith(".example"):
        return "a company"
    return "a title" if re.search(r"[/.,\d]|\b[a-z]", value) else "somebody"
