"""Messages that were answered or not, however it is said: by whom, by nobody, "left unanswered", "got no reply".

What answers a message is another one, so "the mails that X answered" are told by the mail of X's that follows them.
"""

from __future__ import annotations

from dataclasses import replace

from graph.plan import People, Plan
from retrieval.planner.descriptions import Descriptions
from retrieval.planner.heads import Head
from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, tag_at


class Answered(Descriptions):
    """Puts ANSWERED, with the answers that are meant, in the place of what is said of answers."""

    def _answered_by(self, items: list[Item], head: Head) -> list[Item]:
        """ "Which mails did X answer?", "were answered by X", "have I never answered": of messages, those that an
        answer of X's follows; where it is denied of X, those that X got and none of X's follows."""
        if head.sort == "person":  # "whom have I never answered": never replied to
            for n, verb in enumerate(items):
                denied = n and items[n - 1].tag == "NEG" and items[n - 1].start == verb.start
                if verb.tag == "ANSWERED" and denied and self._answering(items, n) is not None:
                    verb.tag = "V:reply"
        if head.sort != "message" or head.item is None or not head.item.tag.startswith("N:"):
            return items
        for n, verb in enumerate(items):
            if verb.tag not in ("V:reply", "ANSWERED"):
                continue
            denied = any(i.tag == "NEG" and i.start <= verb.start for i in items[max(0, n - 4) : n])
            behind = tag_at(items, n + 1)
            passive = next((m for m in (n + 2, n - 1) if self._answers_in_passive(items, m, n)), None)
            if passive is not None:
                by = items[passive]
                if by.tag == "HE":  # "were answered by her": who was named last
                    by = next(i for i in reversed(items[:passive]) if i.tag == "PERSON")
                if self._ids(by) is None:  # a mailbox without an owner
                    continue
                answered = replace(verb, tag="ANSWERED", value=self._mail_of(by))
                return [answered if i is verb else i for m, i in enumerate(items) if m not in (passive, passive - 1)]
            if tag_at(items, n + 1 + (behind == "P:to")) in NAMES or (verb.tag == "ANSWERED" and not denied):
                continue
            who = self._answering(items, n)
            if who is None:
                continue
            verb.tag, verb.value = "ANSWERED", self._mail_of(items[who])
            got = [Item("P:to", "", items[who].start, items[who].start), items[who]] if denied else []
            said = min(who, next((m for m in range(max(0, n - 4), n) if items[m].tag == "NEG"), who))
            return [*items[:said], *got, *items[said:who], *items[who + 1 :]]
        return items

    def _mail_of(self, item: Item) -> Plan:
        ids = self._ids(item)
        assert ids is not None
        return Plan(filters=(People("sender", ids),))

    def _answers_in_passive(self, items: list[Item], who: int, verb: int) -> bool:
        """ "answered by X", "wurden von X beantwortet"."""
        known = tag_at(items, who) != "HE" or any(i.tag == "PERSON" for i in items[: max(who, 0)])
        named = (
            known
            and tag_at(items, who) in ("PERSON", "ME", "ME:obj", "HE")
            and tag_at(items, who - 1) in ("P:by", "P:from")
        )
        before = [i.tag for i in items[: who - 1]]
        return named and (who > verb or "AUX" in before[-1:])

    def _answering(self, items: list[Item], verb: int) -> int | None:
        """The name that is the subject of an answer: right before it, or that of "X got ... and never answered"."""
        who = verb - 1
        while tag_at(items, who).startswith("AUX") or tag_at(items, who) in ("NEG", "WORD", "BOTH", "FIRST"):
            who -= 1
        if tag_at(items, who) in ("AND", "BUT"):
            got = next((n for n, i in enumerate(items[:who]) if i.tag == "V:get" and n), 0)
            who = got - 1
        acts = tag_at(items, who) in ("PERSON", "ME", "HE") and not items[who].possessive
        return who if acts and not tag_at(items, who - 1).startswith("P:") and self._ids(items[who]) else None


def unanswered(items: list[Item], head: Head) -> list[Item]:
    """Of messages "nobody ever answered", "that were never replied to": an answer that is denied."""
    if head.sort != "message":
        return items
    for n, item in enumerate(items):
        behind = next((i for i in items[n + 1 : n + 3] if i.tag not in ("AUX", "AUX:be", "AUX:have")), None)
        after = items.index(behind) + 1 if behind is not None else 0
        if (
            item.tag == "NEG"
            and behind is not None
            and behind.tag == "V:reply"
            and tag_at(items, after + (tag_at(items, after) == "P:to")) not in NAMES
        ):
            behind.tag = "ANSWERED"
    return items
