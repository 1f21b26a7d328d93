"""Texts that share words are found, formulas are not."""

from __future__ import annotations

import random

from ingest.resolve.overlap import Overlap
from ingest.sketch import sketch


def text(words: int, seed: int) -> str:
    chance = random.Random(seed)
    return " ".join("".join(chance.choices("abcdefghij", k=6)) for _ in range(words))


def test_a_part_of_a_text_is_found_in_it_with_its_share() -> None:
    texts = [text(80, seed) for seed in range(20)]
    index = Overlap([sketch(each) for each in texts], list(range(20)))
    (found,) = index.shared(sketch(" ".join(texts[7].split()[:40])))
    assert (found.other, found.of_mine) == (7, 1.0)
    assert 0.4 < found.of_theirs < 0.6


def test_what_many_people_write_shows_nothing() -> None:
    formula = "This message is for the addressee only and may hold what is nobody else's business"
    texts = [f"{text(30, seed)} {formula}" for seed in range(8)]
    index = Overlap([sketch(each) for each in texts], list(range(8)))
    assert index.shared(sketch(formula)) == []
    assert [found.other for found in index.shared(sketch(texts[3]))] == [3]


def test_a_short_text_is_found_in_a_very_long_one() -> None:
    long = text(5000, 1)
    index = Overlap([sketch(long), sketch(text(50, 2))], [1, 2])
    part = " ".join(long.split()[2000:2400])
    assert max(index.shared(sketch(part)), key=lambda each: each.of_mine).other == 0


def test_nothing_shares_nothing() -> None:
    assert Overlap([], []).shared(sketch("some words of a mail")) == []
    assert Overlap([b"", sketch("some words of a mail")], [1, 2]).shared(b"") == []
