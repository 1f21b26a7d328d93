"""What a question says in several ways is put in one, before it is read: each step changes the items alone.

"Which mails did nobody answer" has an answer that is denied, "the weekly reports from X" names a part of subjects, "no
newsletters" leaves out a kind of mail. Said in one way, they need no further cases where claims are read.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from graph.plan import Kind
from retrieval.planner.heads import HEADS, Head
from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, tag_at

_TITLE = ("WORD", "PERSON", "ORG", "NUM", "QUOTED")
_DENIALS = ("NEG", "WITHOUT", "BESIDES")
_PLACE_OF_ITS_OWN = ("END", "COMMA", "OPEN", "AUX", "BUT")


def of_kind(items: list[Item], head: Head) -> list[Item]:
    """ "automated", "no newsletters please", "real mail only": the kind of mail that is asked for (KIND), or left out
    of all that is counted (NOTKIND).

    "Which months had no newsletters" denies that there were some, which the claim says by itself."""
    out: list[Item] = []
    n = 0
    while n < len(items):
        item = items[n]
        if item.tag not in ("AUTOMATED", "BYHAND"):
            out.append(item)
            n += 1
            continue
        if tag_at(out, len(out) - 1) in ("V:mention", "P:about", "THEWORD"):  # "that mention newsletters"
            item.tag = "WORD"
            out.append(item)
            n += 1 + (tag_at(items, n + 1) == "N:message" and items[n + 1].start == item.start)
            continue
        denied = item.tag == "BYHAND"
        begin = len(out) - 1
        while begin >= 0 and out[begin].tag in ("OTHER", "P:from"):
            begin -= 1
        before = out[begin].tag if begin >= 0 else "END"
        own = before == "BESIDES" or tag_at(out, begin - 1) in _PLACE_OF_ITS_OWN or head.sort == "message"
        if before in _DENIALS and own and item is not head.item:
            del out[begin:]
            denied = not denied
        n += 1
        while tag_at(items, n) in ("AUTOMATED", "N:message", "AND", "OR") and items[n] is not head.item:
            if items[n].tag in ("AND", "OR") and tag_at(items, n + 1) != "AUTOMATED":
                break
            n += 1
        if tag_at(items, n) == "ASIDE":
            denied, n = True, n + 1
        item.tag, item.value = ("NOTKIND" if denied else "KIND"), Kind(("automated",))
        out.append(item)
    return out


def subject_words(items: list[Item]) -> list[Item]:
    """ "how many of the weekly steel reports came from X": words between a number that is asked for and how mail moved
    are a part of subjects, if the mailbox has such."""
    for n, item in enumerate(items):
        if item.tag != "Q:howmany":
            continue
        begin = n + 1 + (tag_at(items, n + 1) == "P:at")
        end = begin
        while tag_at(items, end) == "WORD":
            end += 1
        moved = tag_at(items, end) in ("V:send", "V:get", "V:go", "P:from", "P:to") or (
            tag_at(items, end).startswith("AUX") and tag_at(items, end + 1) in ("V:send", "V:get", "V:go"))  # fmt: skip
        if end > begin and moved:
            text = " ".join(i.text for i in items[begin:end])
            words = Item("SUBJECTWORDS", text, items[begin].start, items[end - 1].stop, text)
            return [*items[: n + 1], words, *items[end:]]
    return items


def titled(items: list[Item]) -> list[Item]:
    """ "the conversation Steel Offer": capital words right behind the noun are its title."""
    out: list[Item] = []
    n = 0
    while n < len(items):
        out.append(items[n])
        n += 1
        if out[-1].tag != "N:thread":
            continue
        if tag_at(items, n) == "P:about":  # "the conversation about the weekly report"
            end = n + 1
            while tag_at(items, end) in _TITLE or (tag_at(items, end) == "PERIOD" and items[end].text.isdecimal()):
                end += 1
            if end > n + 1:
                text = " ".join(i.text for i in items[n + 1 : end])
                tag = "QUOTED" if items[n + 1].tag == "QUOTED" else "SUBJECTWORDS"
                out.append(Item(tag, text, items[n + 1].start, items[end - 1].stop, text))
                n = end
            continue
        end = n
        while end < len(items) and items[end].tag in ("WORD", "PERSON", "ORG", "NUM") and (end > n or items[n].capital):
            end += 1
        after = items[end].tag if end < len(items) else "END"
        if end > n and not (after.startswith(("V:", "AUX")) and items[end - 1].tag == "PERSON"):
            out.append(Item("QUOTED", " ".join(i.text for i in items[n:end]), items[n].start, items[end - 1].stop))
            n = end
    return out


def _describes(before: list[Item]) -> bool:
    """ "mails from X where ...": nothing was asked before, and no verb came since the noun."""
    for item in reversed(before):
        if item.tag in HEADS:
            return True
        if item.tag.startswith(("V:", "AUX", "Q:")) or item.tag in ("END", "COMMA"):
            return False
    return False


def one_of_messages(items: list[Item], head: Head) -> bool:
    """ "who answered the first message from X": one message is described that is not what is asked for. In "Who sent
    the last message to X?" (``sender_of_one``) the last is asked for who did."""
    return any(a.tag in ("FIRST", "LAST") and b.tag == "N:message" and b is not head.item for a, b in pairwise(items))


def sender_of_one(items: list[Item], head: Head) -> bool:
    """ "who sent me the last message about X", "whose message was the first": the sender of one message, be it a
    person, an office or a service."""
    at = next((n for n, i in enumerate(items) if i is head.item), None)
    if at is None or head.sort != "person":
        return False
    behind = [i.tag for i in items[at + 1 :] if not i.tag.startswith(("AUX", "ME"))]
    if items[at].tag == "Q:whose":
        return behind[:1] == ["N:message"] and behind[1:2] in (["FIRST"], ["LAST"])
    sent = items[at].tag == "Q:who" and behind[:1] == ["V:send"]
    came = tag_at(items, at - 1) in ("P:from", "P:by") and behind[:1] == ["V:get"]
    return (sent or came) and behind[1:3] in (["FIRST", "N:message"], ["LAST", "N:message"])


def first_time(items: list[Item], head: Head) -> list[Item]:
    """ "Who wrote to me for the first time in May?" asks for all whose first mail is of that month (NEWLY); without a
    period, and of messages, for the first."""
    dated = any(i.tag == "PERIOD" and i.value.start is not None for i in items)
    for item in items:
        if item.tag == "FIRSTTIME":
            item.tag = "NEWLY" if dated and head.sort in ("person", "org") else "FIRST"
    return items


def whose(items: list[Item]) -> list[Item]:
    """ "Whose mails do I answer most?": whom I answer."""
    at = next((n for n, i in enumerate(items) if i.tag == "Q:whose"), None)
    if at is None or tag_at(items, at + 1) != "N:message":
        return items
    verb = next((n for n, i in enumerate(items) if n > at and i.tag.startswith("V:")), None)
    acting = verb is not None and any(i.tag in ("PERSON", "ME", "HE") for i in items[at + 2 : verb])
    if verb is None or items[verb].tag != "V:reply" or not (acting or tag_at(items, verb + 1) in NAMES):
        return items
    return [*items[:at], replace(items[at], tag="Q:whom"), *items[at + 2 :]]


def left_out(items: list[Item]) -> list[Item]:
    """ "not me" in a place of its own leaves out; "where" behind a noun is a relative pronoun."""
    for n, item in enumerate(items):
        before, after = items[n - 1].tag if n else "END", items[n + 2].tag if n + 2 < len(items) else "END"
        mentions = any(i.tag == "V:mention" for i in items[:n])  # "mention A but not B"
        alone = before in ("END", "OPEN", "COMMA", *(() if mentions else ("BUT",))) and after in (
            "END",
            "CLOSE",
            "COMMA",
        )
        if item.tag == "NEG" and n + 1 < len(items) and items[n + 1].tag in NAMES and alone:
            item.tag = "BESIDES"
        if item.tag == "N:person" and n + 1 < len(items) and items[n + 1].tag.startswith("N:"):
            item.tag = "BOTH"  # "alle Nachrichten": a determiner
        if item.tag == "Q:content" and _describes(items[:n]):
            item.tag = "REL"
    return items
