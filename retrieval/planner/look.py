"""Looking at a row of tagged items: what stands at a place, before it, behind it."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.planner.items import Item

NAMES = ("PERSON", "ME", "ME:obj", "HE", "ORG")
LINKS = ("AND", "OR", "COMMA", "BOTH", "SELF")


def tag_at(items: list[Item], n: int) -> str:
    """The tag at a place; END outside of the row."""
    return items[n].tag if 0 <= n < len(items) else "END"


def before(items: list[Item], n: int) -> Item:
    """The item before a name and its modifiers."""
    j = n - 1
    while j > 0 and items[j].tag in ("BOTH", "SELF", "OTHER", "N:person", "N:address", "SAME", "N:org"):
        j -= 1
    return items[j] if j >= 0 else Item("END", "", 0, 0)


def message_behind(items: list[Item], n: int) -> bool:
    """A message stands behind the name or pronoun at n: "Paul's mails", "their replies"."""
    j = n + 1
    while tag_at(items, j) in ("WORD", "OTHER", "SELF", "MAIN") and j < n + 3:
        j += 1
    return tag_at(items, j) in ("N:message", "N:reply", "GAP")


def joined(items: list[Item], a: int, b: int) -> bool:
    """Two names with nothing between them but "and", "or" and a preposition."""
    return all(i.tag in (*LINKS, "P:to", "P:from", "P:by", "P:with") for i in items[a + 1 : b])


def alternatives(items: list[Item]) -> Iterator[tuple[int, int]]:
    """The places of two people or two organisations among which may be chosen: "A or B", "to A or to B"."""
    for n in range(1, len(items) - 1):
        last = n + 1 + items[n + 1].tag.startswith("P:")
        if items[n].tag == "OR" and items[n - 1].tag == tag_at(items, last) in ("PERSON", "ORG"):
            yield n - 1, last


def verb_of(items: list[Item], place: int) -> str:
    """The verb that a name goes with: the next one before another name, else the one before."""
    for item in items[place + 1 :]:
        if item.tag.startswith("V:"):
            return item.tag[2:]
        if item.tag in NAMES:
            break
    return next((i.tag[2:] for i in reversed(items[:place]) if i.tag.startswith("V:")), "")


def number(item: Item) -> int:
    """The number that an item says."""
    return int(item.tag.partition(":")[2]) if ":" in item.tag else int(item.text)


def denies(items: list[Item]) -> bool:
    """Something is denied."""
    return any(i.tag in ("NEG", "WITHOUT") for i in items)


def busiest(items: list[Item], i: int) -> bool:
    """The noun has nothing but "busiest" before it, behind a preposition or whose it is."""
    begin = i
    while begin and items[begin - 1].tag in ("MAIN", "MOST"):
        begin -= 1
    place = begin - 1
    while place >= 0 and items[place].tag in ("BOTH", "AND", "PERIOD", "N:sender", "MAIN"):  # "and the busiest of June"
        place -= 1
    before = items[place] if place >= 0 else Item("END", "", 0, 0)
    return begin < i and (
        before.tag in ("P:from", "P:by", "P:to", "P:cc") or (before.tag == "ORG" and before.possessive)
    )


def candidates(items: list[Item]) -> tuple[int, int] | None:
    """Where three or more people stand behind "among"."""
    for n, item in enumerate(items):
        if item.tag != "P:between":
            continue
        end = n + 1
        while tag_at(items, end) == "PERSON" or (
            tag_at(items, end) in ("COMMA", "AND", "OR") and tag_at(items, end + 1) in ("PERSON", "AND", "OR")
        ):
            end += 1
        if sum(i.tag == "PERSON" for i in items[n + 1 : end]) > 2:
            return n + 1, end
    return None
