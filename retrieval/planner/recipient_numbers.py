"""How many people a message went to: "with more than ten recipients", "that name two or more people in the To line".

The number stands beside a message and no verb of its own; "who wrote to more than ten people" counts over all mail.
"""

from __future__ import annotations

from collections.abc import Callable

from graph.plan import RecipientCount, Role
from retrieval.planner.heads import Head
from retrieval.planner.items import Item
from retrieval.planner.look import number, tag_at
from retrieval.planner.role_words import LINES

_HAVING = ("P:with", "AUX:have", "V:get", "V:mention")
_PEOPLE = ("N:recipient", "N:address", "N:person")


def recipient_numbers(items: list[Item]) -> list[Item]:
    """The items with such a number as one item, RECIPIENTS: behind "with" or "have", for it says what a message has."""
    return _replaced(items, lambda n: items[n].tag in _HAVING, "RECIPIENTS")


def numbers_written_to(items: list[Item], head: Head) -> list[Item]:
    """The same behind "to", where messages are asked for. Of people asked for it counts over all their mail, which no
    plan can say: it becomes a WORD that nothing is made of."""
    went = any(i.tag in ("V:send", "V:go") for i in items) or head.sort == "message"
    tag = "RECIPIENTS" if head.sort == "message" else "WORD"
    return _replaced(items, lambda n: went and items[n].tag == "P:to", tag)


def _replaced(items: list[Item], begins: Callable[[int], bool], tag: str) -> list[Item]:
    for n, item in enumerate(items):
        found = _number(items, n + 1) if begins(n) else None
        if found is None:
            continue
        least, most, end = found
        role: Role = LINES.get(tag_at(items, end + 1), "recipient")
        noun = tag_at(items, end)
        told = noun in ("N:recipient", "N:address") or role != "recipient" or item.tag == "P:to"
        if noun not in _PEOPLE or not told:
            continue
        end += 1 + (role != "recipient")
        text = " ".join(i.text for i in items[n:end])
        value = RecipientCount("recipient" if role == "bcc" else role, least, most)
        return [*items[:n], Item(tag, text, item.start, items[end - 1].stop, value), *items[end:]]
    return items


def _number(items: list[Item], n: int) -> tuple[int, int | None, int] | None:
    """At least, at most, and where the noun stands."""
    first, second = tag_at(items, n), tag_at(items, n + 1)
    if first == "NEG" and second == "OTHER":  # "had no other recipient"
        return 1, 1, n + 2
    if first in ("MORETHAN", "ATLEAST", "EXACTLY") and second.startswith("NUM"):
        many = number(items[n + 1]) + (first == "MORETHAN")
        return many, many if first == "EXACTLY" else None, n + 2
    if first.startswith("NUM"):
        many = number(items[n])
        return (many, None, n + 2) if second == "ORMORE" else (many, many, n + 1)
    return None
