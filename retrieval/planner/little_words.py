"""Little words whose neighbours tell what they mean: "only", "exactly", "nobody", "answers", "turns up in Cc"."""

from __future__ import annotations

import re
from itertools import pairwise

from graph.plan import RecipientCount
from retrieval.planner.items import Item, Tagged
from retrieval.planner.look import tag_at

_NAMED = (["PERSON"], ["ME"], ["ME:obj"])
_YEAR = re.compile(r"(?:the )?(?:19|20)\d\d", re.IGNORECASE)
_OWN = ("N:message", "N:reply", "N:thread", "N:label")
_COUNTED = ("MOST", "LEAST", "NUM", "NEG", "N:message", "Q:howmany")
_PLACES = {"N:thread": ("QUOTED",), "N:month": ("PERIOD",), "N:label": ("LABEL",)}


def nobody(out: Tagged) -> None:
    """French "n'ont personne": a person is nobody behind "ne", which says nothing by itself."""
    denied = False
    for item in out.items:
        if item.tag == "NE":
            denied, item.tag = True, "SKIP"
        elif item.tag in ("END", "COMMA"):
            denied = False
        elif denied and item.tag == "N:person" and item.text.lower() == "personne":
            item.tag = "NEG"


def answering(out: Tagged) -> None:
    """ "who answers my mails", "who never answered me": somebody does it, to somebody."""
    items = [Item("BEGIN", "", 0, 0), *out.said, Item("END", "", 0, 0)]
    for n, (before, item, behind) in enumerate(zip(items, items[1:], items[2:], strict=False)):
        if behind.tag == "P:at" and n + 3 < len(items):  # "any of my mails"
            behind = items[n + 3]
        acts = before.tag in ("Q:who", "ME", "HE") or (before.tag == "PERSON" and not before.possessive)
        to_name = behind.tag in ("MY", "ME", "ME:obj", "PERSON", "HE")
        answers = item.tag == "N:reply" and acts and (to_name or behind.tag in ("N:message", "P:to"))
        if (answers and " " not in item.text) or (item.tag == "ANSWERED" and to_name and before.tag == "NEG"):
            item.tag = "V:reply"


def contents(out: Tagged) -> None:
    """A folder that "contains most messages" has most, messages that it "contains" are in it; "how many messages name
    both" mention them."""
    items = out.said
    for n, item in enumerate(items):
        behind = tag_at(items, n + 1)
        bare = behind in ("END", "COMMA", "PERIOD") and item.text.lower().startswith("contain")
        bare = bare or (behind in ("END", "COMMA") and tag_at(items, n - 1) == "Q:who")  # "who occurs in the mailbox"
        if item.tag == "V:mention" and (behind.startswith(_COUNTED) or bare):
            item.tag = "AUX:have"
        since = [i.tag for i in items[n + 1 : n + 3] if i.tag != "P:from"][:1] == ["PERIOD"]
        if since and item.tag == "WORD" and item.text.lower() in ("date", "dates", "dating"):
            item.tag = "AUX:be"  # "messages that date from May"
        told = n > 0 and items[n - 1].tag in ("N:message", "REL")
        if item.tag == "LIST" and item.text.lower() in ("name", "names") and told:
            lines = [i.tag for i in items[n + 2 : n + 3]]  # "that name Paul in the To line"
            item.tag = "AUX:have" if lines in (["ROLE:to"], ["ROLE:cc"], ["P:cc"]) else "V:mention"


def begins_with_fw(out: Tagged) -> None:
    """ "a subject that begins with FW:": it is passed on."""
    items = out.said
    for n, item in enumerate(items):
        if item.tag != "WORD" or item.text.lower() not in ("fw", "fwd") or n < 3:
            continue
        before = [
            i
            for i in items[max(0, n - 4) : n]
            if i.tag in ("TITLED", "INSUBJECT", "REL", "Q:whose", "V:start", "P:with")
        ]
        if any(i.tag == "V:start" for i in before):
            for i in before:
                i.tag = "SKIP"
            item.tag = "FORWARD"


def exchange(out: Tagged) -> None:
    """ "the exchange titled X" is a conversation."""
    for noun, title in pairwise(out.said):
        if noun.tag == "BACKFORTH" and noun.text.lower() == "exchange" and title.tag in ("TITLED", "QUOTED"):
            noun.tag = "N:thread"


def after_whom(out: Tagged) -> None:
    """ "who, after Paul, wrote most", "which people in addition to Paul": Paul is left out. "To me in addition to Paul"
    means both."""
    items = out.said
    people = any(i.tag in ("Q:who", "Q:whom", "WHOEVER") for i in items)
    ranked = any(i.tag in ("MOST", "MAIN") for i in items)
    for n, (word, name) in enumerate(pairwise(items)):
        if word.tag == "INADDITION":
            word.tag = "BESIDES" if n and items[n - 1].tag in ("N:person", "Q:who") else "AND"
        after = word.tag == "WORD" and word.text.lower() == "after" and people and ranked
        if after and name.tag in ("PERSON", "ME", "ME:obj"):
            word.tag = "BESIDES"


def of_mine(out: Tagged) -> None:
    """ "messages of mine" are from me, "of my own mails" are my mails; "a colleague of mine" is anybody."""
    items = out.said
    for n, (of, me) in enumerate(pairwise(items)):
        if of.tag != "P:from" or me.tag not in ("ME", "HE") or of.start != me.start:
            continue
        if n + 2 < len(items) and items[n + 2].tag in _OWN:  # whose own is told by who acts
            of.tag, me.tag = "P:at", "MY" if me.tag == "ME" else "SKIP"
        elif not n or items[n - 1].tag not in _OWN:
            of.tag = me.tag = "SKIP"


def spoken_of(out: Tagged) -> None:
    """ "mention the average price", "about working alone": what is mentioned are words, whatever they say elsewhere."""
    said = False
    for item, behind in pairwise([*out.items, Item("END", "", 0, 0)]):
        if item.tag in ("V:mention", "P:about", "THEWORD"):
            said = True
        elif said and item.tag == "PERIOD" and behind.tag == "WORD" and _YEAR.fullmatch(item.text):
            item.tag, item.text = "WORD", item.text.split()[-1]  # "the 2020 report"
        elif said and item.tag in ("SHARE", "ALONE", "FORWARD", "ANYBODY"):
            item.tag = "WORD"
        elif item.tag not in ("WORD", "SKIP", "AND", "OR", "COMMA", "QUOTED"):
            said = False


def in_a_line(out: Tagged) -> None:
    """ "who turns up in Cc": that is where somebody stands, no word that is mentioned."""
    for verb, line in pairwise(out.said):
        stands = verb.tag == "WORD" and verb.text.lower() in ("stand", "stands", "stood")
        if (verb.tag == "V:mention" or stands) and line.tag in ("P:cc", "P:bcc", "ROLE:cc", "ROLE:to", "V:copy"):
            verb.tag = "AUX:be"


def exactness(out: Tagged) -> None:
    """ "only in May", "only to X" say that nothing else is; "exactly once" is a number. Elsewhere they say nothing."""
    items = out.said
    for no, other, noun in zip(items, items[1:], items[2:], strict=False):  # "in 'Quay' and in no other conversation"
        if no.tag == "NEG" and other.tag == "OTHER" and noun.tag in _PLACES:
            named = next((i for i in reversed(items[: items.index(no)]) if i.tag in _PLACES[noun.tag]), None)
            if named is not None:
                named.only = True
                no.tag = other.tag = noun.tag = "SKIP"
    items = out.said
    for n, item in enumerate(items):
        if item.tag in ("NOBODYELSE", "ALONE"):
            named = next((i for i in reversed(items[:n]) if i.tag in ("PERSON", "ME", "ME:obj")), None)
            if named is not None:
                item.tag, named.only = "SKIP", True
        if item.tag not in ("ONLY", "EXACTLY"):
            continue
        after = tag_at(items, n + 1)
        if item.tag == "ONLY" and after == "N:recipient" and n and [items[n - 1].tag] in _NAMED:
            # "have Paul as the only recipient"
            item.tag, item.value = "RECIPIENTS", RecipientCount("recipient", 1, 1)
            continue
        if item.tag == "ONLY" and items[n + 1 : n + 2] and items[n + 1].tag in ("V:copy", "P:cc", "ROLE:cc"):
            item.tag, items[n + 1].only = "SKIP", True  # "was only copied": not addressed
            continue
        behind = items[n + 1 : n + 5]
        while behind and (behind[0].tag.startswith("V:") or behind[0].tag == "N:message"):
            behind = behind[1:]
        tags = [i.tag for i in behind]
        if tags[:1] and tags[0].startswith("NUM") and tags[1:2] != ["N:person"] and items[n + 1] is behind[0]:
            item.tag = "EXACTLY"
        elif item.tag == "ONLY" and n and items[n - 1].tag == "PERIOD" and tags[:1] in ([], ["END"]):
            item.tag, items[n - 1].only = "SKIP", True
        elif item.tag == "ONLY" and n and items[n - 1].tag == "PERIOD" and tags[:1] == ["COMMA"]:
            item.tag = "SKIP"  # "Looking at 2000 only, ..."
        elif item.tag == "ONLY" and tags[:1] == ["PERIOD"]:
            item.tag, behind[0].only = "SKIP", True
        elif (
            item.tag == "ONLY"
            and tags[:1] in (["P:to"], ["P:from"], ["P:with"])
            and tags[1:2] in (["PERSON"], ["ME"], ["ME:obj"])
        ):
            item.tag, behind[1].only = "SKIP", True
        elif item.tag == "ONLY" and n and items[n - 1].tag in ("P:to", "P:with") and tags[:1] in _NAMED:
            item.tag, behind[0].only = "SKIP", True  # "to nobody but X"
        elif item.tag == "EXACTLY" or n == 0 or items[n - 1].tag in ("END", "COMMA") or _narrows(tags[:1]):
            item.tag = "SKIP"


def _narrows(tags: list[str]) -> bool:
    """ "only the messages", "only show me", "only people at X": said of what is asked for anyway."""
    return (
        not tags or tags[0].startswith("N:") or tags[0] in ("LIST", "END", "COUNTING", "P:to", "P:cc", "V:copy", "P:at")
    )
