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
    """ "the person whose message mentions X" mentions it; "X is mentioned by whom" asks who does; "Paul's own mail left
    out" leaves out Paul; "by somebody else" is by nobody who is named."""
    out = list(items)
    for n, item in enumerate(out):
        ahead = [i.tag for i in out[n + 1 : n + 3]]
        if (
            item.tag == "Q:content"
            and item.text.lower() == "how long"
            and ahead in (["AUX", "N:thread"], ["AUX", "N:message"])
        ):
            return [*out[:n], replace(item, tag="Q:howmany"), replace(item, tag="N:message"), *out[n + 2 :]]
        sized = tag_at(out, n + 2) == "WORD" and out[n + 2].text.lower() in ("size", "length")
        if item.tag == "Q:what" and sized and [i.tag for i in out[n + 3 : n + 5]] == ["P:at", "N:thread"]:
            return [*out[:n], replace(item, tag="Q:howmany"), replace(item, tag="N:message"), *out[n + 3 :]]
        if item.tag in NAMES and ahead == ["P:between", "N:recipient"]:  # "without Paul among the recipients"
            return [*out[:n], replace(out[n + 1], tag="P:to"), item, *out[n + 3 :]]
        if item.tag in ("Q:which", "Q:who") and ahead == ["AUX", "N:sender"] and n:  # "which ones are also senders"
            return [*out[: n + 1], replace(out[n + 2], tag="V:send"), *out[n + 3 :]]
        if item.tag == "V:put" and tag_at(out, n + 1) in NAMES and tag_at(out, n + 2) == "P:cc":  # "put Paul in copy"
            return [*out[:n], replace(item, tag="V:copy"), out[n + 1], *out[n + 3 :]]
        if item.tag == "AUX:have" and (end := _had(out, n)):  # "who had most messages addressed to her": got them
            return [*out[:n], replace(item, tag="V:get"), *out[n + 1 : end], *out[end + 2 :]]
        if item.tag == "REL" and tag_at(out, n + 1) in ("PERSON", "ME") and tag_at(out, n + 2) == "V:file":
            return [*out[:n], *out[n + 2 :]]  # "messages that Ken keeps in the X folder"
        if item.tag == "MOST" and [i.tag for i in out[n + 1 : n + 4]] == ["P:at", "HE", "N:message"]:
            return [*out[: n + 1], *out[n + 4 :]]  # "addressed most of her mail"
        if (
            item.tag == "Q:when"
            and n
            and tag_at(out, n + 1) == "N:message"
            and any(i.tag.startswith(("LIST", "Q:")) for i in out[:n])
        ):
            return [*out[:n], *out[n + 1 :]]  # "in copy when a message is addressed to X"
        if item.tag == "V:take" and ahead[:1] == ["N:sender"]:  # "took part as a writer"
            return [*out[:n], replace(item, tag="V:send"), *out[n + 2 :]]
        went = n + 1 + (tag_at(out, n + 1) == "REL")
        if item.tag == "N:message" and [i.tag for i in out[went : went + 4]] == ["V:go", "P:to", "MOST", "N:recipient"]:
            return [*out[: n + 1], replace(out[went], tag="P:with"), *out[went + 2 :]]
        if item.tag == "Q:whose" and ahead == ["N:message", "V:mention"]:
            return [*out[:n], replace(item, tag="Q:who"), *out[n + 2 :]]
        if item.tag == "N:person" and ahead == ["Q:whose", "N:address"] and tag_at(out, n + 4) in ("OUTSIDE", "P:at"):
            return [*out[: n + 1], *out[n + 4 :]]  # "people whose addresses are not at X"
        if item.tag == "P:by" and ahead == ["Q:whom", "END"] and any(i.tag == "V:mention" for i in out[:n]):
            rest = out[: n - 2] if [i.tag for i in out[n - 2 : n]] == ["P:at", "N:message"] else out[:n]
            return [replace(out[n + 1], tag="Q:who"), *rest, *out[n + 2 :]]
        if item.tag in ("PERSON", "ME", "MY") and ahead == ["N:message", "ASIDE"]:
            name = replace(item, tag="ME" if item.tag == "MY" else item.tag, possessive=False)
            return [*out[:n], replace(out[n + 2], tag="BESIDES"), name, *out[n + 3 :]]
        if item.tag in ("P:from", "P:by") and ahead == ["N:person", "OTHER"]:
            names = [i for i in out if i.tag in ("PERSON", "ME")]
            if len(names) == 1:
                rest = [*out[:n], *out[n + 3 :]]
                end = next((m for m, i in enumerate(rest) if i.tag == "END" and m > n), len(rest))
                return [*rest[:end], replace(out[n + 2], tag="BESIDES"), replace(names[0]), *rest[end:]]
    return out


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
