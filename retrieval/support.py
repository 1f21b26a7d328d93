"""Whether a sentence of an answer stands in what it cites.

Every number and every name of the sentence must occur in the cited messages (or, without a citation, in a fact), and
half of its content words, compared by their beginnings so that "offered" and "offer" are one. A sentence whose numbers
and names are there but not its words may say the same in others: ``support_meaning`` asks the embedder. It is a cheap
check that finds invented figures and people; that a sentence passes does not prove it (a denial has the words of what
it denies), and a true one may fail, so it is marked, never removed. Where a second model is set as judge, it says of
each sentence that cites something whether the cited messages state it; its verdict stands beside, since a small judge
errs too.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from retrieval.answer import Citation
from retrieval.fence import letter
from retrieval.planner.languages import Language, detect
from retrieval.planner.tokens import keys, tokenize

if TYPE_CHECKING:
    from retrieval.judge import Judge

Support = Literal["supported", "unsupported", "uncited"]

ENOUGH = 0.5
STEM = 5
# A point ends no sentence within a word or number, before a small letter, after a title, or in "21. September".
_POINT = (
    r"[.!?](?!\s|$)|\.(?=\s[^\W\dA-ZÀ-Þ_])|(?<=\bMr|\bMs|\bDr|\bHr|\bFr|\bSt|\bSr)\."
    r"|(?<=\d)\.(?=\s(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))"
)
_SENTENCE = re.compile(rf"[^.!?\n]+(?:(?:{_POINT})[^.!?\n]*)*[.!?]*(?:\s*\[[\d,; ]+\])*")
_NUMBER = re.compile(r"\d+(?:[.,' ]\d{3})*(?:[.,]\d+)?")
CITED = re.compile(r"\[[\d,; ]+\]")
_WITHIN = frozenset(",-'’/&%")  # marks behind which no sentence or item begins


@dataclass(frozen=True)
class Sentence:
    """A sentence of an answer (``start``/``stop`` in its text). ``uncited``: it cites nothing and no fact holds it.
    ``cited``: the messages that it cites; ``agrees``: its numbers and names stand there; ``judged``: the judge's
    verdict, None where none was asked."""

    start: int
    stop: int
    support: Support
    cited: tuple[int, ...] = ()
    agrees: bool = False
    judged: bool | None = None


def sentences(
    text: str,
    citations: Sequence[Citation],
    texts: Mapping[int, str],
    facts: Sequence[str],
    people: Iterable[str] = (),
) -> tuple[Sentence, ...]:
    """The sentences of an answer with their support. ``texts``: what each cited message id says, header included;
    ``people``: the names of those whom a sentence may have taken one for another."""
    language = detect(tokenize(text))
    known = frozenset(key for name in people for key in keys(name))
    known_facts = _Evidence(facts)
    out = []
    for found in _SENTENCE.finditer(text):
        claim = _Claim(CITED.sub(" ", found.group()), language, known)
        if not keys(claim.text):
            continue
        cited = {c.message for c in citations if found.start() <= c.start < found.end() and c.message is not None}
        evidence = _Evidence([texts[i] for i in cited if i in texts])
        agrees = evidence.agrees(claim)
        if (known_facts.agrees(claim) and known_facts.words(claim)) or (agrees and evidence.words(claim)):
            support: Support = "supported"
        else:
            support = "unsupported" if cited else "uncited"
        out.append(Sentence(found.start(), found.end(), support, tuple(sorted(cited)), agrees))
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


class _Claim:
    """A sentence's ``numbers``, ``names`` and content ``words`` (the last two by their beginnings)."""

    def __init__(self, text: str, language: Language, known: frozenset[str]) -> None:
        self.text = text
        self.numbers = numbers(text)
        common = language.function_words
        self.words = [w[:STEM] for w in keys(text) if w not in common and not w.isdecimal()]
        self.names = set()
        begins = True
        for token in tokenize(text):
            # a capital letter tells no name at the beginning, and in German nowhere
            telling = token.key in known or not (begins or language.code == "de")
            if token.kind == "word" and token.capital and telling and token.key not in common | language.date_words:
                self.names.add(token.key[:STEM])
            begins = token.kind == "mark" and token.text not in _WITHIN


class _Evidence:
    def __init__(self, texts: Iterable[str]) -> None:
        whole = "\n".join(texts)
        self.numbers = numbers(whole)
        self.stems = {word[:STEM] for word in keys(whole)}

    def agrees(self, claim: _Claim) -> bool:
        """All numbers and names of the claim."""
        return bool(self.stems) and claim.numbers <= self.numbers and claim.names <= self.stems

    def words(self, claim: _Claim) -> bool:
        """Enough of its words."""
        return sum(word in self.stems for word in claim.words) >= ENOUGH * len(claim.words)


def numbers(text: str) -> set[str]:
    """The numbers of a text without their separators: 1,850 and 1850 are one."""
    return {re.sub(r"\D", "", n.group()).lstrip("0") for n in _NUMBER.finditer(text)} - {""}
