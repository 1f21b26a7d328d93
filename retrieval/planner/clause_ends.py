"""Where relative clauses and noun phrases end in a row of items."""

from __future__ import annotations

from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, tag_at

RELATIVE = ("REL", "Q:who", "Q:whom", "Q:which")


def later_pronoun(items: list[Item], j: int, *, english: bool) -> int:
    """Where a relative pronoun stands that was put behind a verb; 0 where there is none."""
    for n in range(j, min(j + 6, len(items))):
        if items[n].tag == "REL" or (english and items[n].tag == "Q:who"):
            return n
    return 0


def relative_end(items: list[Item], j: int, *, english: bool) -> int:
    """Where a relative clause ends: at a second verb, a comma, a question word, the end."""
    seen = False
    while j < len(items):
        tag = items[j].tag
        if tag in ("END", "CLOSE", "BUT", "Q:howmany", "Q:what") or (tag in RELATIVE and seen):
            break
        if tag == "OPEN" or (tag == "COMMA" and seen):
            break
        if tag.startswith("P:") and tag_at(items, j + 1) in ("Q:who", "Q:whom", "Q:which") and seen:
            break
        if tag == "ANSWERED" and seen and items[j - 1].tag == "NEG":
            return j - 1
        if (tag.startswith("V:") and tag != "V:file") or tag in ("AUX", "AUX:have"):
            trailing = tag.startswith("AUX") and j and items[j - 1].tag.startswith("V:") and not english
            joined = j > 1 and items[j - 1].tag in NAMES and items[j - 2].tag == "AND"
            joined = joined or (tag == "V:mention" and items[j - 1].tag == "N:message")  # "messages mentioning X"
            joined = joined or (tag == "V:copy" and items[j - 1].tag == "V:get")
            if seen and not trailing and not joined:
                return j - 1 if items[j - 1].tag == "NEG" and tag.startswith("V:") else j
            if tag.startswith("V:"):
                seen = True
        j += 1
    return j


def phrase_end(items: list[Item], j: int) -> int:
    """Where a noun with its modifiers ends."""
    while j < len(items):
        tag = items[j].tag
        if tag.startswith(("V:", "AUX", "Q:")) or tag in ("END", "COMMA", "CLOSE", "OPEN", "BUT", "REL", "NEG"):
            return j
        if tag in ("MOST", "ME", "ME:obj", "SELF", "PERIOD", "THATPERIOD"):
            return j
        if tag == "MAIN" and not tag_at(items, j + 1).startswith("N:"):  # "was the sender of X most active?"
            return j
        j += 1
    return j
