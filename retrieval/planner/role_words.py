"""The words around a name that tell its role: prepositions, "X was in copy", "from X who", a preposition left alone."""

from __future__ import annotations

from graph.plan import Role
from retrieval.planner.heads import HEADS
from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, tag_at

ROLES: dict[str, Role] = {
    "P:from": "sender", "P:by": "sender", "P:to": "recipient", "P:cc": "cc", "P:bcc": "bcc",
    "ROLE:cc": "cc", "V:copy": "cc", "ROLE:to": "to",
}  # fmt: skip

# The line of a message's head that a word names, where it is spoken of as such.
LINES: dict[str, Role] = {
    "P:to": "to", "ROLE:to": "to", "P:cc": "cc", "ROLE:cc": "cc", "V:copy": "cc", "P:bcc": "bcc",
}  # fmt: skip


_BE = ("am", "is", "are", "was", "were")


def of_gap(items: list[Item], n: int, gap: str, preceding: Item) -> bool:
    """The organisation says where the person works that is asked for: "who at X", "X people", "from X who"."""
    if gap != "person":
        return False
    if tag_at(items, n + 1) in ("N:person", "N:sender", "N:recipient", "GAP"):
        return True
    if preceding.tag in ("P:at", "N:person", "Q:who", "N:sender", "GAP") or n == 0:
        return True
    verb_before = any(i.tag.startswith("V:") or i.tag in ("P:cc", "N:message") for i in items[:n])
    if preceding.tag == "P:from" and any(i.tag == "V:send" for i in items[:n]):
        return not any(i.tag == "V:get" for i in items)  # "who wrote to me from X"
    return preceding.tag in ("P:from", "P:by") and not verb_before


def role_behind(items: list[Item], n: int) -> Role | None:
    """ "X was in copy", "X only got a copy", "X in Bcc"."""
    j = n + 1
    while tag_at(items, j).startswith("AUX") or tag_at(items, j) in ("NEG", "V:get", "SELF", "WORD", "P:at"):
        j += 1
    tag = tag_at(items, j)
    said = tag_at(items, n + 1).startswith("AUX") or (j == n + 1 and not items[n].possessive)
    if tag in ("N:recipient", "N:sender") and said:
        return "recipient" if tag == "N:recipient" else "sender"
    if tag == "P:to" and tag_at(items, j + 1) in ("END", "COMMA", "CLOSE", "AND"):
        return "to" if j == n + 1 or tag_at(items, n + 1).startswith("AUX") else None
    between = {tag_at(items, k) for k in range(n + 1, j)}
    if "AUX:have" in between and not (between & {"AUX:be", "V:get"}):
        return None  # "whom has X put in copy"
    if tag == "V:copy" and not (between & {"AUX", "AUX:be", "V:get"} or _is_passive(items, n)):
        return None  # "X put in copy": X did it
    if tag in ("P:cc", "ROLE:cc", "P:bcc", "V:copy") and (
        tag != "V:copy" or tag_at(items, j + 1) not in NAMES or tag_at(items, n + 1).startswith("AUX")
    ):
        return ROLES[tag] if tag_at(items, j + 1) not in NAMES else None
    return None


def stranded_in(items: list[Item]) -> str:
    """A preposition with no name behind it: "whom did he write to in May"."""
    found = ""
    for n, item in enumerate(items):
        if item.tag not in ("P:to", "P:from", "P:by"):
            continue
        j = n + 1
        while tag_at(items, j) in ("BOTH", "OTHER", "NUM", "WORD", "MY", "SELF"):
            j += 1
        behind = tag_at(items, j)
        if behind not in (*NAMES, "MY") and behind not in HEADS and not behind.startswith("V:"):
            found = found or item.tag
    return found


def _is_passive(items: list[Item], n: int) -> bool:
    """ "was X copied (by Y)": the auxiliary before the name, a form of "be" or with who did it behind."""
    turned = tag_at(items, n - 1) == "AUX"
    return turned and (items[n - 1].text.lower() in _BE or any(i.tag == "P:by" for i in items[n:]))


def means_mail(items: list[Item], n: int) -> bool:
    """ "without X getting them", "ohne dass X sie bekam": beside a name that acts, it is what was done."""
    beside = tag_at(items, n - 1) in NAMES or (tag_at(items, n - 1).startswith("V:") and tag_at(items, n - 2) in NAMES)
    return beside and any(i.tag == "V:get" for i in items)


def copied(items: list[Item]) -> list[Role]:
    """The kinds of copy that are spoken of, without a word on who received them otherwise."""
    if any(i.tag in ("P:to", "ROLE:to") for i in items):
        return []
    return list(dict.fromkeys(ROLES[i.tag] for i in items if i.tag in ("P:cc", "ROLE:cc", "V:copy", "P:bcc")))
