"""Other words for the same question, put in those that the outline reads.

"Who are the three people I wrote to" wants people named, "count what X sent" counts messages. Each rule looks at a few
neighbouring items and knows nothing of the rest.
"""

from __future__ import annotations

from dataclasses import replace

from graph.plan import Period
from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, tag_at

_BEFORE_NOUN = ("NUM", "ORD", "MAIN", "MOST", "FIRST", "LAST", "EXTERNAL", "OTHER", "MY")
_OF_MAIL = ("N:sender", "N:recipient", "N:correspondent")


def said_otherwise(items: list[Item]) -> list[Item]:
    """The items of a question in the words that the outline reads."""
    out = list(items)
    out = _messages_called_what(out)
    out = _who_are(out)
    return _until(_shared(_told_first(_outward(out))))


def _outward(items: list[Item]) -> list[Item]:
    """ "to external recipients", "from outsiders": to and from outside."""
    out: list[Item] = []
    n = 0
    while n < len(items):
        out.append(items[n])
        n += 1
        if out[-1].tag not in ("P:to", "P:from"):
            continue
        external = tag_at(items, n) == "EXTERNAL" and tag_at(items, n + 1) in (*_OF_MAIL, "N:person", "N:address")
        if external or tag_at(items, n) == "N:outsider":
            out.append(replace(items[n], tag="OUTSIDE"))
            n += 1 + external
    return out


def _who_are(items: list[Item]) -> list[Item]:
    """ "Who are the three people I wrote to most" wants people named; who "is in the thread" takes part in it."""
    for n, item in enumerate(items):
        if item.tag == "Q:who" and tag_at(items, n + 1) == "OTHER":  # "who else" is of those who are not named
            moved = replace(items[n + 1], tag="ELSE")
            end = next((m for m, i in enumerate(items) if i.tag == "END" and m > n), len(items))
            items = [*items[: n + 1], *items[n + 2 : end], moved, *items[end:]]
        if item.tag != "Q:who" or not tag_at(items, n + 1).startswith("AUX"):
            continue
        noun = next((m for m in range(n + 2, len(items)) if not items[m].tag.startswith(_BEFORE_NOUN)), len(items))
        mine = any(i.tag == "MY" for i in items[n:noun]) and tag_at(items, noun) in _OF_MAIL
        if mine or tag_at(items, noun) == "N:person":
            return [*items[:n], replace(item, tag="LIST"), *items[n + 2 :]]
        if [i.tag for i in items[n + 2 : n + 5]] == ["P:at", "P:at", "N:message"]:  # "who was on any of the messages"
            return [*items[: n + 1], replace(items[n + 1], tag="V:get"), *items[n + 4 :]]
        if tag_at(items, n + 2) == "P:at" and tag_at(items, n + 3) == "N:thread":
            return [*items[: n + 1], replace(items[n + 1], tag="V:take"), *items[n + 2 :]]
    return items


def _told_first(items: list[Item]) -> list[Item]:
    """The first rule that reads something at the first place where one does."""
    for n in range(len(items)):
        for rule in (_size, _action, _message_of, _person_of, _left_out):
            if (said := rule(items, n)) is not None:
                return said
    return items


def _size(items: list[Item], n: int) -> list[Item] | None:
    """ "How long is the thread", "what is the size of the thread": how many messages it has."""
    tags = [i.tag for i in items[n : n + 5]]
    long = items[n].text.lower() == "how long" and tags[:3] in (
        ["Q:content", "AUX", "N:thread"],
        ["Q:content", "AUX", "N:message"],
    )
    sized = tags[:1] + tags[2:] == ["Q:what", "WORD", "P:at", "N:thread"]
    if not long and not (sized and items[n + 2].text.lower() in ("size", "length")):
        return None
    asked = [replace(items[n], tag="Q:howmany"), replace(items[n], tag="N:message")]
    return [*items[:n], *asked, *items[n + (2 if long else 3) :]]


def _action(items: list[Item], n: int) -> list[Item] | None:
    """Who "is also a sender" and "took part as a writer" sent; "put Paul in copy" copied him; who "had most messages
    addressed to her" got them; messages "that went to most recipients" are with them."""
    item, tags = items[n], [i.tag for i in items[n : n + 3]]
    if n and tags in (["Q:which", "AUX", "N:sender"], ["Q:who", "AUX", "N:sender"]):
        return [*items[: n + 1], replace(items[n + 2], tag="V:send"), *items[n + 3 :]]
    if tags[:2] == ["V:take", "N:sender"]:
        return [*items[:n], replace(item, tag="V:send"), *items[n + 2 :]]
    if item.tag == "V:put" and tag_at(items, n + 1) in NAMES and tag_at(items, n + 2) == "P:cc":
        return [*items[:n], replace(item, tag="V:copy"), items[n + 1], *items[n + 3 :]]
    if item.tag == "AUX:have" and (end := _had(items, n)):
        return [*items[:n], replace(item, tag="V:get"), *items[n + 1 : end], *items[end + 2 :]]
    went = n + 1 + (tag_at(items, n + 1) == "REL")
    if item.tag == "N:message" and [i.tag for i in items[went : went + 4]] == ["V:go", "P:to", "MOST", "N:recipient"]:
        return [*items[: n + 1], replace(items[went], tag="P:with"), *items[went + 2 :]]
    return None


def _message_of(items: list[Item], n: int) -> list[Item] | None:
    """What tells nothing more: messages "that Ken keeps" in a folder, most "of her mail", in copy "when a message is"
    addressed to somebody."""
    tags = [i.tag for i in items[n : n + 4]]
    if tags[:3] in (["REL", "PERSON", "V:file"], ["REL", "ME", "V:file"]):
        return [*items[:n], *items[n + 2 :]]
    if tags == ["MOST", "P:at", "HE", "N:message"]:
        return [*items[: n + 1], *items[n + 4 :]]
    if n and tags[:2] == ["Q:when", "N:message"] and any(i.tag.startswith(("LIST", "Q:")) for i in items[:n]):
        return [*items[:n], *items[n + 1 :]]
    return None


def _person_of(items: list[Item], n: int) -> list[Item] | None:
    """Who is told by mail: "whose message mentions X" mentions it, "X is mentioned by whom" asks who does, people
    "whose addresses are outside" are."""
    item, ahead = items[n], [i.tag for i in items[n + 1 : n + 3]]
    if item.tag == "Q:whose" and ahead == ["N:message", "V:mention"]:
        return [*items[:n], replace(item, tag="Q:who"), *items[n + 2 :]]
    if item.tag == "N:person" and ahead == ["Q:whose", "N:address"] and tag_at(items, n + 4) in ("OUTSIDE", "P:at"):
        return [*items[: n + 1], *items[n + 4 :]]
    if item.tag == "P:by" and ahead == ["Q:whom", "END"] and any(i.tag == "V:mention" for i in items[:n]):
        rest = items[: n - 2] if [i.tag for i in items[n - 2 : n]] == ["P:at", "N:message"] else items[:n]
        return [replace(items[n + 1], tag="Q:who"), *rest, *items[n + 2 :]]
    return None


def _left_out(items: list[Item], n: int) -> list[Item] | None:
    """Who is not meant: "without Paul among the recipients" is not to him, "Paul's own mail left out" leaves him out,
    "by somebody else" is by nobody who is named."""
    item, ahead = items[n], [i.tag for i in items[n + 1 : n + 3]]
    if item.tag in NAMES and ahead == ["P:between", "N:recipient"]:
        return [*items[:n], replace(items[n + 1], tag="P:to"), item, *items[n + 3 :]]
    if item.tag in ("PERSON", "ME", "MY") and ahead == ["N:message", "ASIDE"]:
        name = replace(item, tag="ME" if item.tag == "MY" else item.tag, possessive=False)
        return [*items[:n], replace(items[n + 2], tag="BESIDES"), name, *items[n + 3 :]]
    names = [i for i in items if i.tag in ("PERSON", "ME")]
    if item.tag in ("P:from", "P:by") and ahead == ["N:person", "OTHER"] and len(names) == 1:
        rest = [*items[:n], *items[n + 3 :]]
        end = next((m for m, i in enumerate(rest) if i.tag == "END" and m > n), len(rest))
        return [*rest[:end], replace(items[n + 2], tag="BESIDES"), replace(names[0]), *rest[end:]]
    return None


def _had(items: list[Item], n: int) -> int:
    """Where "to her" stands behind "had ten messages"; 0 where it does not."""
    end = n + 1
    while tag_at(items, end) in ("MOST", "LEAST", "ATLEAST", "MORETHAN", "ORMORE") or tag_at(items, end).startswith(
        "NUM"
    ):
        end += 1
    told = [i.tag for i in items[end : end + 3]] == ["N:message", "P:to", "HE"]
    return end + 1 if told else 0


def _shared(items: list[Item]) -> list[Item]:
    """ "sent mail to and got mail from Paul": to Paul and from Paul."""
    for n, item in enumerate(items):
        if n and item.tag == items[n - 1].tag == "V:send" and item.text.lower() == "mail to":
            items = [*items[:n], replace(item, tag="N:message"), replace(item, tag="P:to"), *items[n + 1 :]]
            break
    for n, item in enumerate(items):
        if item.tag in ("P:to", "P:from", "P:by") and tag_at(items, n + 1) in ("AND", "OR"):
            ahead = items[n + 2 : n + 6]
            place = next((m for m, i in enumerate(ahead) if i.tag in ("P:to", "P:from", "P:by")), None)
            if place is not None and tag_at(ahead, 0).startswith("V:") and tag_at(ahead, place + 1) in NAMES:
                return [*items[: n + 1], replace(ahead[place + 1]), *items[n + 1 :]]
    return items


def _messages_called_what(items: list[Item]) -> list[Item]:
    """ "Count what X sent me", "show me what is in the X folder": what was sent or lies there are messages."""
    for n, item in enumerate(items):
        if item.tag != "Q:what":
            continue
        begin = n + 1
        while tag_at(items, begin).startswith("AUX"):
            begin += 1
        at = begin + (tag_at(items, begin) == "V:file") + (tag_at(items, begin + 1) == "P:at")
        at += tag_at(items, at) == "P:at"
        if begin > n + 1 and tag_at(items, at) == "LABEL" and at > begin:
            return [*items[:n], replace(item, tag="Q:which"), replace(item, tag="N:message"), *items[begin:]]
        sent = tag_at(items, n + 1) in NAMES and any(i.tag in ("V:send", "V:get") for i in items[n + 2 : n + 4])
        if sent and tag_at(items, n - 1) in ("LIST", "Q:howmany"):
            return [*items[:n], replace(item, tag="N:message"), *items[n + 1 :]]
    return items


def _until(items: list[Item]) -> list[Item]:
    """ "by March 2001": until its end."""
    out: list[Item] = []
    for n, item in enumerate(items):
        if item.tag == "PERIOD" and tag_at(items, n - 1) == "P:by" and item.value.end is not None and not item.parts:
            out[-1] = replace(item, value=Period(None, item.value.end), vague=False)
        else:
            out.append(item)
    return out
