"""What one stretch of a question says of messages, whatever the order of its words.

A claim is read slot by slot: each name takes the role that the preposition before it, the words behind it or the verb
give; periods, days, folders, titles, files and mentioned words each become a filter. The noun that the claim is about
(who wrote, whom one wrote to) is its gap, and takes the role that is left. What nothing was made of is leftover.
"""

from __future__ import annotations

from itertools import pairwise

from graph.plan import (
    AnsweredBy,
    Answers,
    Domains,
    Filter,
    FirstInThread,
    Forwarded,
    HasAttachment,
    Labels,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    Subject,
    Threads,
    Weekdays,
)
from retrieval.linker import NameIndex
from retrieval.planner.calendar_units import add
from retrieval.planner.claim import Claim
from retrieval.planner.claim_roles import ClaimRoles
from retrieval.planner.items import Item
from retrieval.planner.look import LINKS, NAMES, number, tag_at
from retrieval.planner.mentioned import mentions
from retrieval.planner.role_words import copied, stranded_in
from retrieval.planner.several_periods import gaps, months, one_period

_OF_MAIL = (
    "V:mention",
    "V:copy",
    "N:message",
    "P:cc",
    "ROLE:cc",
    "ROLE:to",
    "BACKFORTH",
    "N:sender",
    "N:recipient",
    "N:correspondent",
)


_WORDS = ("WORD", "QUOTED", "NUM", "DOMAIN")
MOST_MONTHS = 24
_EXCLUDED = ("PERIOD", "WEEKDAY", "LABEL", "QUOTED", "FILE", "FILETYPE", "N:attachment", "WITHATTACH", "N:reply")
_BEFORE_EXCLUDED = ("P:from", "P:by", "P:to", "P:with", "P:cc", "P:about", "P:at", "V:mention", "ATTACHED")
_ENDS_EXCLUSION = ("COMMA", "END", "OPEN", "CLOSE", "BUT", "GAP", "AUX", "AUX:have", "AUX:be")
_PROVIDERS = frozenset("gmail hotmail yahoo gmx outlook aol icloud msn web.de freemail webmail free private".split())


class Claims(ClaimRoles):
    """Reads claims. ``that_period``: what "that month" means; ``own_left_out``: the organisation of whom is spoken is
    not asked for; ``among``: those among whom is looked."""

    def __init__(self, index: NameIndex, stopwords: frozenset[str]) -> None:
        super().__init__(index)
        self.stopwords = stopwords
        self.that_period: Period | None = None
        self.own_left_out = False
        self.among: list[Plan | tuple[int, ...]] = []

    def claim(self, items: list[Item], gap: str, preposition: str = "", *, who: bool = False) -> Claim:
        """What ``items`` say. ``gap``: the sort of noun they are about; ``preposition``: the one before the gap
        ("to whom"); ``who``: the gap stands first and no auxiliary turns it into the object."""
        if self.to_role != "to" and any(i.tag == "ROLE:to" for i in items):
            self.to_role = "to"
            out = self.claim(items, gap, preposition, who=who)
            self.to_role = "recipient"
            return out
        out = Claim()
        items = one_period(items, gap)
        used = [False] * len(items)
        self._exclusions(items, used, out)
        out.filters += mentions(items, used, self.stopwords)
        self._things(items, used, gap, out)
        entities = self._entities(items, used, gap, out)
        verbs = [i.tag[2:] for i in items if i.tag.startswith("V:") and i.tag not in ("V:mention", "V:copy")]
        out.acts = bool(verbs) or any(i.tag in _OF_MAIL for i in items)
        got = gap == "person" and bool(entities) and _got_answer(items)
        if got:  # "who got an answer from X": whom X answered
            verbs.append("reply")
            out.acts = True
            out.filters = [f for f in out.filters if f != AnsweredBy()]
        self._unmarked(items, entities, gap, preposition, verbs, who)
        if got:
            out.role = "recipient"
        elif gap in ("person", "org"):
            out.role = self._gap_role(items, used, entities, preposition, verbs)
        if any(i.tag == "ELSE" for i in items):
            out.described += [e.ids for e in entities if isinstance(e.ids, Plan)]
        out.acting = stranded_in(items) in ("P:from", "P:by")
        if out.role == "recipient" and any(i.tag == "ROLE:to" for i in items):
            out.role = "to"
        periods = [f for f in out.filters if isinstance(f, Period)]
        every = next((n for n, i in enumerate(items) if i.tag == "EVERYMONTH"), None)
        single = [m for p in periods for m in months(p)]
        if every is not None and gap != "message" and 0 < len(single) <= MOST_MONTHS:
            out.filters = [f for f in out.filters if f not in periods]
            out.each.append([*single])
            used[every] = True
        elif gap != "message" and len(periods) > 1:  # "both in May and in June"
            out.filters = [f for f in out.filters if f not in periods]
            out.each.append([*periods])
        self._fill(items, entities, verbs, gap, out)
        if gap == "message" and not any(e.role != "sender" or e.between for e in entities):
            out.filters += [People(role, Plan("people", role=role)) for role in copied(items)]  # "nobody in Cc"
        if gap == "message" and any(i.only and i.tag in ("V:copy", "P:cc", "ROLE:cc") for i in items):
            out.only += [f for f in out.filters if isinstance(f, People) and f.role == "cc"]
        if any(i.tag == "FORWARD" for i in items) and self._sender_forwards(items, out.filters):
            out.filters.append(Forwarded())
        if "start" in verbs:
            out.filters.append(FirstInThread())
        out.answers = any(i.tag in ("N:reply", "ANSWERED", "V:reply") for i in items)
        out.inherits = not verbs and not entities
        out.gap_acted_on = out.role != "sender" and any(e.role == "sender" for e in entities) and "get" not in verbs
        out.directly = any(i.tag == "ROLE:to" for i in items)
        out.named = bool(entities) or any(i.tag == "SELF" for i in items)
        out.leftover = [
            i.text
            for i, done in zip(items, used, strict=True)
            if not done
            and (i.tag in ("EVERYMONTH", "EXACTLY") or (i.tag in _WORDS and i.text.lower() not in self.stopwords))
        ]
        return out

    def _sender_forwards(self, items: list[Item], filters: list[Filter]) -> bool:
        """Who forwards is who sent. "How many of X's messages did I forward", "were forwarded to X", "who forwarded X's
        messages" ask for what cannot be told."""
        place = next((n for n, i in enumerate(items) if i.tag == "FORWARD"), 0)
        if tag_at(items, place - 1) != "V:send":
            return True  # "are forwards"
        if tag_at(items, place + 1) in NAMES and items[place + 1].possessive:
            return False
        n = place - 2
        while n >= 0 and items[n].tag.startswith(("AUX", "NEG")):
            n -= 1
        acts = tag_at(items, n) in ("PERSON", "ME", "HE") and not tag_at(items, n - 1).startswith("P:")
        if acts:
            return any(isinstance(f, People) and f.role == "sender" and f.who == self._ids(items[n]) for f in filters)
        passive = n < place - 2
        named = any(isinstance(f, People | Organizations) for f in filters)
        return not (passive and named) or any(i.tag == "P:by" for i in items[place:])

    def _exclusions(self, items: list[Item], used: list[bool], out: Claim) -> None:
        """ "apart from me", "Maren aside", "not me": who is left out."""
        for n, item in enumerate(items):
            if used[n]:
                continue
            if item.tag in ("BESIDES", "ASIDE"):  # "leaving out gmail": they are no organisations anyway
                for j in range(max(0, n - 6), min(len(items), n + 7)):
                    used[j] = used[j] or items[j].text.lower() in _PROVIDERS
            if item.tag == "BESIDES" and (size := self._all_of(items[n + 1 :], out)):
                used[n : n + 1 + size] = [True] * (size + 1)
            elif item.tag == "BESIDES":
                if not any(i.tag in (*NAMES, "DOMAIN") for i in items[n + 1 : n + 3]):
                    self.unread += [] if any(used[n:]) else [item.text]  # who or what is left out is not known
                for j in range(n + 1, len(items)):
                    if items[j].tag == "HE" and j > n + 1:  # "other than X and his own"
                        self.own_left_out, used[j] = True, True
                    elif items[j].tag in (*NAMES, "DOMAIN"):
                        self._exclude(items[j], out)
                        used[j] = True
                    elif items[j].tag not in (*LINKS, "P:to", "P:from", "P:at"):
                        break
                used[n] = True
            elif item.tag == "ASIDE":
                if n and items[n - 1].tag == "PERIOD" and not used[n - 1]:
                    out.not_from.append(items[n - 1].value)
                    used[n - 1] = True
                    continue
                if n and items[n - 1].tag == "SELF":  # who acts is no answer anyway
                    continue
                for j in range(n - 1, max(-1, n - 4), -1):
                    if items[j].tag in NAMES and not used[j]:
                        self._exclude(items[j], out)
                        used[j] = True
                        break
                else:
                    if n + 1 < len(items) and items[n + 1].tag in NAMES:
                        self._exclude(items[n + 1], out)
                        used[n + 1] = True

    def _all_of(self, items: list[Item], out: Claim) -> int:
        """ "apart from those of April", "except for mail with attachments": messages that are left out, said as a claim
        of its own. How many items it takes; none where names follow."""
        begin = next((n for n, i in enumerate(items) if i.tag not in ("N:person", "N:message", "OFTHOSE")), len(items))
        end = next((n for n, i in enumerate(items) if n >= begin and i.tag in _ENDS_EXCLUSION), len(items))
        if begin == end or (items[begin].tag not in _EXCLUDED and not (begin and items[begin].tag in _BEFORE_EXCLUDED)):
            return 0
        out.not_from += self.claim(items[begin:end], "message").filters
        return end

    def _exclude(self, item: Item, out: Claim) -> None:
        if item.tag == "DOMAIN":
            out.not_from.append(Domains("sender", (item.value,)))
            return
        ids = self._ids(item)
        if isinstance(ids, tuple):
            (out.firms_besides if item.tag == "ORG" else out.besides).extend(ids)

    def _things(self, items: list[Item], used: list[bool], gap: str, out: Claim) -> None:
        for n, item in enumerate(items):
            if used[n]:
                continue
            made: Filter | None = None
            tag = item.tag
            if tag == "PERIOD":
                titled = any(i.tag == "QUOTED" for i in items)
                made = None if item.vague and titled else item.value
                out.gaps += gaps(item) if made is not None else []
            elif tag == "THATPERIOD":
                made = self.that_period
            elif tag == "THENAFTER" and self.that_period is not None:
                # "never again after that month": one period
                made = Period(self.that_period.end, None)
            elif tag == "THENNEXT" and self.that_period is not None and self.that_period.end is not None:
                made = Period(self.that_period.end, add(self.that_period.end, "month", 1))
            elif tag == "THENBEFORE" and self.that_period is not None:
                made = Period(None, self.that_period.start)
            elif tag == "WEEKDAY":
                days = tuple(sorted({d for i in items if i.tag == "WEEKDAY" for d in i.value}))
                made = Weekdays(days)
            elif tag == "LABEL":
                made = Labels(item.value.ids)
            elif tag == "QUOTED":
                contains = tag_at(items, n + 1) == "INSUBJECT" or tag_at(items, n - 1) == "INSUBJECT"
                made = Subject(item.text, contains=contains)
            elif tag == "DOMAIN":
                made = self._domain(items, n, gap)
                used[n] = made is not None or tag_at(items, n - 1) == "P:at"
            elif tag == "FILE":
                made = HasAttachment(name=item.text)
            elif tag == "FILETYPE":
                made = HasAttachment(type=item.value)
            elif tag in ("N:attachment", "WITHATTACH", "ATTACHED"):
                if not any(i.tag in ("FILE", "FILETYPE") for i in items):
                    made = HasAttachment()
            elif tag == "N:reply":
                made = AnsweredBy() if gap == "message" and any(i.tag == "V:get" for i in items) else Answers()
            elif tag == "ANSWERED":
                made = AnsweredBy(item.value)
            elif tag in ("THREADS", "SAMETHREADS"):
                made = Threads(item.value)
                if tag == "SAMETHREADS":  # in whose conversations is no answer to who else wrote in them
                    whose = next((f.who for f in item.value.filters if isinstance(f, People)), ())
                    out.described += [whose] if isinstance(whose, Plan) else []
                    out.counterparts += whose if isinstance(whose, tuple) else ()
            elif tag == "KIND":
                made = item.value
            elif tag == "NOTKIND":
                out.not_from.append(item.value)
            elif tag == "RECIPIENTS":
                made = item.value
            elif tag == "MESSAGES":
                made = Messages(item.value)
            elif tag == "SUBJECTWORDS":
                made = Subject(item.text, contains=True)
            elif tag in ("MOST", "MAIN", "LONGEST", "LEAST"):
                out.most = True
                out.fewest = out.fewest or tag == "LEAST"
            elif tag == "OUTSIDE" and tag_at(items, n + 1) != "ORG":
                out.outside += self.index.owner_organizations
                out.outward = out.outward or tag_at(items, n - 1) == "P:to"
            elif tag == "NEWLY":
                out.newly = True
            elif tag == "FIRST":
                out.first = True
            elif tag == "LAST":
                out.last = True
            elif tag in ("ATLEAST", "MORETHAN") and tag_at(items, n + 1).startswith("NUM"):
                out.least = number(items[n + 1]) + (tag == "MORETHAN")
                used[n + 1] = True
            elif tag == "EXACTLY" and gap != "message" and tag_at(items, n + 1).startswith("NUM"):
                out.least, out.exactly = number(items[n + 1]), True
                used[n] = used[n + 1] = True
            elif tag.startswith("NUM") and "ORMORE" in (tag_at(items, n + 1), tag_at(items, n + 2)):
                out.least, used[n] = number(item), True
            elif tag.startswith("NUM"):
                used[n] = tag != "NUM"
            if made is not None:
                used[n] = True
                if made not in out.filters:
                    out.filters.append(made)
                    out.only += [made] if item.only else []

    def _domain(self, items: list[Item], n: int, gap: str) -> Filter | None:
        """Mail from or to addresses of a domain that is no organisation. Of people asked for only what they send can
        be told by the message; the other roles are left open."""
        before = tag_at(items, n - 1)
        if gap == "person" and before == "P:at":
            self.among.append(self.index.people_under(items[n].value))
            return None
        if before == "P:to":
            return Domains(self.to_role, (items[n].value,)) if gap == "message" else None
        return Domains("sender", (items[n].value,)) if gap == "message" or before != "P:with" else None


def _got_answer(items: list[Item]) -> bool:
    """ "got an answer from X"."""
    from_name = any(a.tag in ("P:from", "P:by") and b.tag in NAMES for a, b in pairwise(items))
    return from_name and any(i.tag == "ANSWERED" for i in items)
