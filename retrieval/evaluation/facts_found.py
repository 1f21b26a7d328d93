"""Does a prose answer hold a fact? Told mechanically, so that the score needs no judge and is the same each time.

A fact counts as found when every number in it stands in the answer and most of its other content words do. Numbers
are compared as values ("$12MM", "12 million" and "12,000,000" are 12 with a scale), words without case and common
endings, currencies by sign, code or name. It is a lower bound of sorts: a right answer in quite other words is missed,
and a text that merely lists the same words is taken. Where a judge model is configured its verdict stands beside this
one, never instead of it.
"""

from __future__ import annotations

import re

# Share of the content words that has to be there; facts of one or two words need them all.
WORDS_NEEDED = 0.6

SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "mm": 1e6,
    "mil": 1e6,
    "million": 1e6,
    "bn": 1e9,
    "b": 1e9,
    "billion": 1e9,
}
CURRENCIES = {
    "€": "euro", "eur": "euro", "euros": "euro", "£": "pound", "gbp": "pound", "pounds": "pound", "sterling": "pound",
    "$": "dollar", "usd": "dollar", "dollars": "dollar",
}  # fmt: skip
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
SCALE = re.compile(r"\s?([A-Za-z]+)\b")
WORD = re.compile(r"[^\W\d_]{2,}|[€£$]")
STOP = frozenset(
    "a about an and approximately are as at be been by for from had has have in into is it its not of on or over than "
    "that the their them then there they this to was were when which who will with would".split()
)


def fact_found(fact: str, answer: str) -> bool:
    """Whether ``answer`` holds ``fact``."""
    if not _numbers(fact) <= _numbers(answer):
        return False
    needed = _words(fact)
    if not needed:
        return bool(_numbers(fact))
    share = len(needed & _words(answer)) / len(needed)
    # With its numbers in place a fact is mostly told; its words need to say what they are numbers of.
    return share >= (WORDS_NEEDED / 2 if _numbers(fact) else WORDS_NEEDED)


def share_found(facts: tuple[str, ...], answer: str) -> float | None:
    """Share of the facts that the answer holds; None when there are none to hold."""
    return sum(fact_found(fact, answer) for fact in facts) / len(facts) if facts else None


def _numbers(text: str) -> set[float]:
    """All numbers as values, scales such as MM or million multiplied in."""
    values: set[float] = set()
    for match in NUMBER.finditer(text):
        digits = match.group().replace(",", "").rstrip(".")
        value = float(digits)
        scale = SCALE.match(text, match.end())
        factor = SCALES.get(scale.group(1).lower()) if scale else None
        values.add(round(value * factor, 6) if factor else value)
    return values


def _words(text: str) -> set[str]:
    words = (word.lower() for word in WORD.findall(text))
    return {CURRENCIES.get(word) or _stem(word) for word in words if word not in STOP and word not in SCALES}


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
