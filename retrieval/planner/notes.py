"""Notes in a question, which say how to count and change nothing of what is asked, and are taken out before it is read.

"..., and how many were they?", "himself not counted", "the outsider (not at X)", "neither in To nor in Cc".
"""

from __future__ import annotations

from dataclasses import replace

from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, tag_at
from retrieval.planner.role_words import LINES

# What may stand in such a note beside the lines.
_BESIDE_LINES = {
    "N:recipient",
    "N:person",
    "LIST",
    "NEG",
    "AND",
    "SKIP",
    "COUNTING",
    "WORD",
    "Q:howmany",
    "OR",
    "COMMA",
}
_ORDER = frozenset(
    "stronger strongest larger largest bigger higher highest top taken counted together combined".split()
)
_COPIES = ("V:copy", "P:cc", "ROLE:cc", "P:bcc")


def without_notes(items: list[Item]) -> list[Item]:
    """The items of a question without the notes in it."""
    for note in (_without_the_number, _without_order, _opened, _among_them, _without_self, _any_line, _in_messages):
        items = note(items)
    return _asked_behind(items)


def lines_said(items: list[Item]) -> tuple[list[Item], bool]:
    """The items without notes on how recipients are counted ("(To)", "Only count To"), and whether one says To only."""
    out: list[Item] = []
    to_only = False
    begin = 0
    for n, item in enumerate([*items, Item("END", "", 0, 0)]):
        if item.tag not in ("END", "OPEN", "CLOSE", "COMMA") or _between_lines(items, n):
            continue
        part = items[begin:n]
        tags = {i.tag for i in part} - _BESIDE_LINES
        if part and tags and tags <= LINES.keys():
            denied = any(i.tag == "NEG" for i in part)
            if tags <= {"P:to", "ROLE:to"} and not denied:
                to_only = True
        else:
            out += part
        if item.tag == "CLOSE" and out and out[-1].tag == "OPEN":
            out.pop()  # nothing is left in the brackets
        elif n < len(items):
            out.append(item)
        begin = n + 1
    return out, to_only


def _between_lines(items: list[Item], n: int) -> bool:
    """The comma of "To, Cc or Bcc"."""
    return tag_at(items, n) == "COMMA" and {tag_at(items, n - 1), tag_at(items, n + 1)} <= LINES.keys()


def _without_order(items: list[Item]) -> list[Item]:
    """ "..., the stronger one first", "..., her X and Y addresses taken together": how it is to be shown or counted."""
    last = max((n for n, i in enumerate(items) if i.tag == "COMMA"), default=-1)
    behind = [i for i in items[last + 1 :] if i.tag != "END"]
    tail = [i.tag for i in behind if not (i.tag == "WORD" and i.text.lower() in _ORDER)]
    ordered = tail[-1:] == ["FIRST"] and len(behind) > 1 and set(tail[:-1]) <= {"NUM:1", "MAIN", "MOST"}
    together = tail[:1] == ["HE"] and set(tail[1:]) <= {"ORG", "DOMAIN", "AND"} and behind[-1].tag == "WORD"
    return items[:last] if last > 0 and (ordered or together) else items


def _without_self(items: list[Item]) -> list[Item]:
    """ "..., herself not counted, ...": who acts is no answer anyway."""
    out: list[Item] = []
    n = 0
    while n < len(items):
        begin = n + (items[n].tag == "COMMA")
        if tag_at(items, begin) == "SELF" and tag_at(items, begin + 1) == "ASIDE":
            n = begin + 2 + (tag_at(items, begin + 2) == "COMMA")
            continue
        out.append(items[n])
        n += 1
    return out


def _opened(items: list[Item]) -> list[Item]:
    """ "the outsider (not at X) to whom ...": what stands in brackets behind a noun belongs to it, and an organisation
    there says once more which one is meant."""
    for n in range(1, len(items) - 3):
        tags = [i.tag for i in items[n : n + 4]]
        if items[n - 1].tag in ("N:outsider", "N:person", "N:sender") and tags == ["OPEN", "OUTSIDE", "ORG", "CLOSE"]:
            return [*items[:n], *items[n + 1 : n + 3], *items[n + 4 :]]
        named = any(i.tag == "ORG" for i in items[max(0, n - 3) : n])
        if items[n - 1].tag in ("N:person", "N:sender") and named and tags[:3] == ["OPEN", "ORG", "CLOSE"]:
            return [*items[:n], *items[n + 3 :]]
    return items


def _among_them(items: list[Item]) -> list[Item]:
    """ "To which people, Paul among them, ...": Paul is one of the answer."""
    return _without_one(items, [["COMMA", "PERSON", "OFTHOSE", "COMMA"]])


def _asked_behind(items: list[Item]) -> list[Item]:
    """ "Paul sent mails in May; how many were they?", "... What is their number?", "Steel is mentioned in messages;
    list them all.": what was told of is counted or listed."""
    last = max((n for n, i in enumerate(items) if i.tag in ("COMMA", "END") and n < len(items) - 1), default=0)
    told, asked = items[:last], [i for i in items[last + 1 :] if i.tag != "END"]
    noun = next((n for n, i in enumerate(told) if i.tag == "N:message"), None)
    tags = [i.tag for i in asked]
    if noun is None or any(i.tag.startswith(("Q:", "LIST")) for i in told):
        return items
    if tags[:1] == ["LIST"] and set(tags[1:]) <= {"HE"} and asked[0].text.lower().startswith("list"):
        return [asked[0], told[noun], *told[:noun], *told[noun + 1 :], Item("END", "", 0, 0)]
    if tags in (["Q:howmany", "AUX", "HE"], ["Q:howmany", "AUX"], ["Q:what", "AUX", "HE"]):
        return [*told[:noun], replace(asked[0], tag="Q:howmany"), *told[noun:], Item("END", "", 0, 0)]
    return items


def _in_messages(items: list[Item]) -> list[Item]:
    """ "How long, in messages, is ...": in what it is counted; "Name, in order, the people": how it is to be shown."""
    return _without_one(items, [["COMMA", "P:at", "N:message", "COMMA"], ["COMMA", "P:at", "LIST", "COMMA"]])


def _without_one(items: list[Item], rows: list[list[str]]) -> list[Item]:
    """Without the first four items whose tags are one of these rows."""
    for n in range(len(items) - 3):
        if [i.tag for i in items[n : n + 4]] in rows:
            return [*items[:n], *items[n + 4 :]]
    return items


def _any_line(items: list[Item]) -> list[Item]:
    """ "neither in To nor in Cc", "in To or Cc of his mails": in any line, which is what a recipient is."""
    out: list[Item] = []
    n = 0
    while n < len(items):
        denied = n + (items[n].tag == "COMMA")
        tags = [i.tag for i in items[denied : denied + 4]]
        before = any(i.tag == "NEG" for i in out)  # it is denied already
        if before and len(tags) == 4 and tags[0] == tags[2] == "NEG" and {tags[1], tags[3]} <= LINES.keys():
            n = denied + 4
            continue
        two = items[n].tag in ("P:to", "ROLE:to") and tag_at(items, n + 1) in ("OR", "AND")
        alone = tag_at(items, n + 3) not in NAMES and tag_at(items, n - 1) == "N:person"
        if two and alone and tag_at(items, n + 2) in _COPIES:
            n += 3
            continue
        out.append(items[n])
        n += 1
    return out


def _without_the_number(items: list[Item]) -> list[Item]:
    """ "To whom did I write most, and how many messages was it?": whoever is named is named with the number."""
    for n, item in enumerate(items):
        place = n - (tag_at(items, n - 1) == "P:at")  # "and in how many messages?"
        if item.tag != "Q:howmany" or tag_at(items, place - 1) not in ("AND", "COMMA"):
            continue
        asked = any(i.tag in ("Q:who", "Q:whom", "Q:which", "Q:whose") for i in items[:n])
        noun = n + 1 + (tag_at(items, n + 1) == "N:message")
        if asked and all(i.tag in ("AUX", "AUX:be", "END", "CLOSE", "REL", "HE") for i in items[noun:]):
            begin = place
            while tag_at(items, begin - 1) in ("AND", "COMMA"):
                begin -= 1
            return items[:begin]
    return items
