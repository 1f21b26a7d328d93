"""Sketches: what a quotation keeps of a text is in both."""

from __future__ import annotations

import random

import numpy as np

from ingest.sketch import MOST, sketch


def hashes(text: str) -> set[int]:
    return set(np.frombuffer(sketch(text)[1:], "<u4").tolist())


def words(n: int, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choices("abcdefghij", k=5)) for _ in range(n)]


def test_line_breaks_quotation_marks_and_case_do_not_matter() -> None:
    text = "We should replace the old pump before the spring tide comes."
    assert sketch(text) == sketch("> we should REPLACE the\n> old pump\n>  before the spring tide comes")


def test_the_order_of_words_matters() -> None:
    assert not hashes("one two three four") & hashes("four three two one")


def test_a_few_words_are_one_hash_and_none_are_none() -> None:
    assert len(hashes("Yes, please.")) == 1
    assert hashes("Yes, please.") == hashes("yes please")
    assert sketch("") == sketch(" -- ?! ") == b""


def test_a_long_text_is_thinned_evenly_and_its_parts_are_still_found_in_it() -> None:
    text = words(4000)
    whole = sketch(" ".join(text))
    assert MOST / 4 < (len(whole) - 1) / 4 <= MOST
    level = whole[0]
    part = {h for h in hashes(" ".join(text[1000:1150])) if h % (1 << level) == 0}
    assert part <= hashes(" ".join(text))
    other = {h for h in hashes(" ".join(words(150, seed=2))) if h % (1 << level) == 0}
    assert not other & hashes(" ".join(text))
