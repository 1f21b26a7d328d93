"""Sentences that say in other words what they cite, over 151 invented sentences about 16 invented messages.

``NEARER`` was chosen on one half of the messages ("chosen on"); what must hold is asked of the other half. Each
supported sentence is also put to the other messages of its half: it cites the wrong one there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from retrieval.answer import Citation
from retrieval.models.embed import Embedder
from retrieval.support import Sentence, sentences
from retrieval.support_meaning import by_meaning

MESSAGES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "support_pairs.json").read_text(encoding="utf-8"))
PEOPLE = [name for m in MESSAGES for name in re.split(r" to | an | à | a |, ", m["text"].split(" | ")[1])]
WRONG = "wrong message"


@dataclass(frozen=True)
class Case:
    """A sentence put to a message, with what is right and what was found by words and with the embedder."""

    kind: str
    right: bool
    words: bool
    both: bool


@pytest.fixture(scope="module")
def cases(embedder: Embedder) -> list[Case]:
    out = []
    asked = [m for m in MESSAGES if m["half"] == "checked on"]
    for about in asked:
        for claim in about["claims"]:
            for cited in asked if claim["supported"] else [about]:
                own = cited is about
                words, both = check(claim["text"], cited["text"], embedder)
                out.append(Case(claim["kind"] if own else WRONG, own and claim["supported"], words, both))
    return out


def check(claim: str, message: str, embedder: Embedder) -> tuple[bool, bool]:
    """Whether words alone, and words and meaning, find that ``message`` holds ``claim``."""
    text = f"{claim} [1]"
    found = sentences(text, [Citation(len(claim) + 1, len(text), 1, 1)], {1: message}, (), PEOPLE)
    return all_supported(found), all_supported(by_meaning(found, text, {1: message}, embedder))


def all_supported(found: Iterable[Sentence]) -> bool:
    return all(sentence.support == "supported" for sentence in found)


def of(cases: list[Case], kind: str) -> list[Case]:
    return [c for c in cases if c.kind == kind]


def precision_recall(cases: list[Case], which: str) -> tuple[float, float]:
    marked = [c for c in cases if getattr(c, which)]
    right = [c for c in cases if c.right]
    good = sum(c.right for c in marked)
    return good / len(marked), good / len(right)


def share(cases: list[Case], which: str) -> float:
    return sum(bool(getattr(c, which)) for c in cases) / len(cases)


def test_meaning_finds_more_of_what_is_supported_and_is_not_less_often_right(cases: list[Case]) -> None:
    words, both = precision_recall(cases, "words"), precision_recall(cases, "both")
    assert both[0] >= words[0]
    assert both[1] >= words[1] + 0.15


def test_other_words_are_supported_more_often_than_not_and_never_by_words_alone(cases: list[Case]) -> None:
    others = of(cases, "other words")
    assert share(others, "words") < 0.2
    assert share(others, "both") > 0.5


def test_a_sentence_beside_the_wrong_message_is_marked(cases: list[Case]) -> None:
    assert share(of(cases, WRONG), "both") < 0.03


def test_a_wrong_number_is_marked_however_near_the_sentence_is(cases: list[Case]) -> None:
    assert not any(c.both for c in of(cases, "wrong number"))


def test_a_person_who_is_not_in_the_message_is_marked(embedder: Embedder) -> None:
    steel = MESSAGES[0]["text"]
    assert check("Otto Berg offered steel at 1,850 a tonne.", steel, embedder) == (True, True)
    assert check("Tomas Weiss offered steel at 1,850 a tonne.", steel, embedder) == (False, False)
    assert check("Rosa offered steel at 1,850 a tonne.", steel, embedder) == (False, False)  # a name that is known


def test_a_month_a_first_word_and_german_nouns_are_no_names(embedder: Embedder) -> None:
    steel = MESSAGES[0]["text"]
    assert check("In October 2021 the mill holds 1,850 a tonne: Delivery in the second week.", steel, embedder)[0]
    clinic = next(m["text"] for m in MESSAGES if m["message"] == "klinik")
    assert check("Die Verschiebung der Operation auf den 21. September: der Chirurg krank.", clinic, embedder)[0]


def test_lines_that_a_mail_program_broke_are_read_as_one_sentence(embedder: Embedder) -> None:
    broken = (
        "2023-10-11 | Ines Roth to Paul Adeyemi | Budget\nTraining stays\nas it\nwas. I asked for two more\npeople."
    )
    assert check("Spending on courses was left untouched.", broken, embedder) == (False, True)
