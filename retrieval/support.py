"""Whether a sentence of an answer stands in what it cites.

Every number of the sentence must occur in the cited messages (or, without a citation, in a fact), and half of its
content words, compared by their beginnings so that "offered" and "offer" are one. It is a cheap check that finds
invented figures and names; that a sentence passes does not prove it, and a true one in quite other words may fail, so
it is marked, never removed. Where a second model is set as judge, it says of each sentence that cites something whether
the cited messages state it; its verdict stands beside, since a small judge errs too.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from retrieval.answer import Citation
from retrieval.fence import letter
from retrieval.planner.languages import detect
from retrieval.planner.tokens import keys, tokenize

if TYPE_CHECKING:
    from retrieval.judge import Judge

Support = Literal["supported", "unsupported", "uncited"]

ENOUGH = 0.5
STEM = 5
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*(?:\s*\[[\d,; ]+\])*")
_NUMBER = re.compile(r"\d+(?:[.,' ]\d{3})*(?:[.,]\d+)?")
CITED = re.compile(r"\[[\d,; ]+\]")


@dataclass(frozen=True)
class Sentence:
    """A sentence of an answer (``start``/``stop`` in its text). ``uncited``: it cites nothing and no fact holds it.
    ``cited``: the messages that it cites; ``judged``: the judge's verdict, None where none was asked."""

    start: int
    stop: int
    support: Support
    cited: tuple[int, ...] = ()
    judged: bool | None = None


def sentences(
    text: str, citations: Sequence[Citation], texts: Mapping[int, str], facts: Sequence[str]
) -> tuple[Sentence, ...]:
    """The sentences of an answer with their support. ``texts``: what each cited message id says, header included."""
    common = detect(tokenize(text)).function_words
    known_facts = _Evidence(facts)
    out = []
    for found in _SENTENCE.finditer(text):
        claim = CITED.sub(" ", found.group())
        if not keys(claim):
            continue
        cited = {c.message for c in citations if found.start() <= c.start < found.end() and c.message is not None}
        evidence = _Evidence([texts[i] for i in cited if i in texts])
        if known_facts.holds(claim, common) or (cited and evidence.holds(claim, common)):
            support: Support = "supported"
        else:
            support = "unsupported" if cited else "uncited"
        out.append(Sentence(found.start(), found.end(), support, tuple(sorted(cited))))
    return tuple(out)


def judged(
    found: Sequence[Sentence],
    text: str,
    texts: Mapping[int, str],
    judge: Judge,
    question: str,
    stop: threading.Event | None = None,
) -> tuple[Sentence, ...]:
    """The sentences of the answer ``text`` with the judge's verdict on those that cite a message. ``texts``: of each
    message id its header, and on the next line its text. Raises a ModelError, and NoVerdict."""
    out = []
    for one in found:
        evidence = "\n\n".join(letter(*texts[i].split("\n", 1)) for i in one.cited if i in texts)
        if evidence:
            claim = CITED.sub("", text[one.start : one.stop]).strip()
            one = replace(one, judged=judge.holds(evidence, claim, question, stop=stop))
        out.append(one)
    return tuple(out)


class _Evidence:
    def __init__(self, texts: Iterable[str]) -> None:
        whole = "\n".join(texts)
        self.numbers = numbers(whole)
        self.stems = {word[:STEM] for word in keys(whole)}

    def holds(self, claim: str, common: frozenset[str]) -> bool:
        """All numbers of the claim, and enough of its words."""
        if not self.stems or not numbers(claim) <= self.numbers:
            return False
        words = [w for w in keys(claim) if w not in common and not w.isdecimal()]
        return not words or sum(w[:STEM] in self.stems for w in words) >= ENOUGH * len(words)


def numbers(text: str) -> set[str]:
    """The numbers of a text without their separators: 1,850 and 1850 are one."""
    return {re.sub(r"\D", "", n.group()).lstrip("0") for n in _NUMBER.finditer(text)} - {""}
