"""What a question asks for: the noun that its question word belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from graph.plan import Role
from retrieval.planner.items import Item
from retrieval.planner.look import alternatives, number, tag_at

# The sort of thing that a noun means, and the role that it gives.
HEADS: dict[str, tuple[str, Role | None]] = {
    "N:message": ("message", None),
    "N:person": ("person", None),
    "N:sender": ("person", "sender"),
    "N:recipient": ("person", "recipient"),
    "N:correspondent": ("person", "participant"),
    "N:outsider": ("person", None),
    "N:address": ("person", None),
    "N:org": ("org", None),
    "N:domain": ("org", None),
    "N:thread": ("thread", None),
    "N:month": ("month", None),
    "N:label": ("label", None),
    "N:attachment": ("attachment", None),
}
_BETWEEN = ("MAIN", "MOST", "LONGEST", "FIRST", "LAST", "EXTERNAL", "OTHER", "ORD", "MY", "ORG", "P:at", "SELF", "BOTH",
            "SAME", "ATTACHED", "AUTOMATED", "BYHAND")  # fmt: skip
_DESCRIBING = ("ORG", "P:at", "P:from", "LABEL", "PERIOD", "BESIDES", "PERSON", "ME", "AND", "OUTSIDE")
_MORE = ("MOST", "LEAST")
_DOING = ("did", "does", "do", "will", "would", "can", "could")
_ASKS = ("Q:which", "Q:what", "Q:howmany")


@dataclass
class Head:
    """``sort``: of noun; ``item``: the item it stands in; ``count``: a number is wanted; ``number``: how many items,
    ``skip``: behind how many; ``preposition``: before the question word ("to whom"); ``whole``: it is only asked where
    all words are understood ("Did A write to B?" is about mail, "Did A agree?" is not)."""

    sort: str
    item: Item | None
    begin: Item | None = None
    count: bool = False
    role: Role | None = None
    number: int | None = None
    skip: int = 0
    most: bool = False
    first: bool = False
    last: bool = False
    external: bool = False
    domain: bool = False
    preposition: str = ""
    inside: list[Item] = field(default_factory=list)
    other: bool = False
    whole: bool = False

    def begin_in(self, items: list[Item]) -> int:
        """Where the phrase of the head begins."""
        start = self.begin or self.item
        wanted = (start, self.item)
        return next((n for n, i in enumerate(items) if any(i is w for w in wanted)), 0)


def find_head(items: list[Item]) -> Head | None:
    """The noun that is asked for; None in a question about content."""
    head = _asked(items)
    told = _told(items)
    if told is None:
        return head
    if head is None:
        return told
    if head.whole and told.sort == "message":  # "Does anybody talk about docker? Show the mails"
        head.count = False
    head.domain = head.domain or (told.domain and head.sort == "org")
    return head


def _told(items: list[Item]) -> Head | None:
    """What a last sentence wants listed: "When did she write? Give me the months", "... Dame los dominios"."""
    for n in range(1, len(items) - 1):
        if items[n].tag != "LIST" or items[n - 1].tag not in ("END", "COMMA"):
            continue
        noun = next((i for i in items[n + 1 :] if i.tag not in _BETWEEN), None)
        if noun is not None and noun.tag in HEADS:
            head = Head("", None, begin=items[n])
            _noun(head, noun)
            return head
    return None


def _asked(items: list[Item]) -> Head | None:
    said = [i.tag for i in items if i.tag not in ("END", "CLOSE")]
    if said and said[-1] == "P:about" and "Q:what" in said:  # "what was the last message about?"
        return None
    heads = [h for n, i in enumerate(items) if i.tag in _ASKS and (h := _behind(items, n)) is not None]
    counting = [h for h in heads if h.count]
    bare_count = any(i.tag == "Q:howmany" and _behind(items, n) is None for n, i in enumerate(items))
    often = next((i for i in items if i.tag == "Q:howoften"), None)
    if counting and heads[0] is not counting[0] and _second(items, counting[0]):
        return _numbered(heads[0], items)  # "which person wrote most, and how many messages?"
    if counting:
        return _numbered(counting[0], items)
    if heads and not bare_count:
        return _numbered(heads[0], items)
    if bare_count and (phrase := next((i for i in items if i.tag == "SUBJECTWORDS"), None)) is not None:
        return Head("message", phrase, count=True, inside=[phrase])
    if often is not None:
        return Head("message", often, count=True)
    if bare_count and [i.tag for i in items[:2]] == ["P:at", "N:message"]:  # "of the messages in X, how many are ...?"
        return Head("message", next(i for i in items if i.tag == "Q:howmany"), count=True)
    for n, item in enumerate(items):  # "how many did that person send?"
        sent = any(i.tag in ("V:send", "V:get") for i in items[n:])
        if item.tag == "Q:howmany" and tag_at(items, n + 1) in ("AUX", "AUX:have") and sent:
            among = [i.tag for i in items[:2]] == ["P:at", "N:person"]  # "of those who wrote to me, how many did ...?"
            return Head("person" if among else "message", item, begin=item, count=True)
    first = next((i.tag for i in items if i.tag.startswith("Q:")), "")
    if (
        not first
        and items
        and items[0].tag in ("AUX", "AUX:have")
        and _chosen(items)
        and any(i.tag in _MORE for i in items)
    ):
        return Head("org" if _chosen(items) == "ORG" else "person", items[0], begin=items[0])
    if not first and items and items[0].tag in ("AUX", "AUX:have"):  # "Did Paul ever write to Lee?"
        return Head("message", None, begin=items[0], count=True, whole=True)
    when = next((i for i in items if i.tag == "Q:when"), None)
    if when is not None and not heads and any(i.tag in ("FIRST", "FIRSTTIME", "LAST") for i in items):
        # "When did Paul first write to me?", "When was the last message?"
        item = next((b for a, b in pairwise(items) if a.tag in ("FIRST", "LAST") and b.tag == "N:message"), when)
        last = any(i.tag == "LAST" for i in items)
        return Head("message", item, begin=when, first=not last, last=last, whole=True)
    most = [tag_at(items, n + 1) for n, i in enumerate(items) if i.tag in (*_MORE, "MAIN")]
    asks_when = next((i.tag for i in items if i.tag not in ("PERIOD", "COMMA")), "") == "Q:when"
    if asks_when and not heads and most and "N:person" not in most:
        # "When did Paul write most?", "When, by month, was I busiest?"
        month = next((b for a, b in pairwise(items) if a.tag == "P:by" and b.tag == "N:month"), when)
        return Head("month", month, begin=when)
    content = first == "Q:when" or any(i.tag == "Q:content" for i in items)
    if content and not (heads or bare_count):
        return None
    if heads:
        return _numbered(heads[0], items)
    for item in items:
        if item.tag == "Q:whose":  # "whose message was the first ...?"
            return _numbered(Head("person", item, begin=item, role="sender"), items)
    for n, item in enumerate(items):
        if item.tag in ("Q:who", "Q:whom") and not _relative(items, n):
            return _numbered(_who(items, n), items)
    for n, item in enumerate(items):
        if item.tag == "Q:which" and not _relative(items, n) and any(i.tag == "OR" for i in items):
            sort = "org" if _chosen(items) == "ORG" else "person"
            return _numbered(Head(sort, item, begin=item), items)  # "A or B: which of the two"
    return _fragment(items, bare_count)


def _chosen(items: list[Item]) -> str:
    """PERSON or ORG where the question names two among which is chosen, else nothing."""
    return next((items[first].tag for first, _ in alternatives(items)), "")


def _second(items: list[Item], head: Head) -> bool:
    n = head.begin_in(items)
    return n > 0 and items[n - 1].tag in ("AND", "COMMA")


def _who(items: list[Item], n: int) -> Head:
    head = Head("person", items[n], begin=items[n])
    before = items[n - 1].tag if n else "END"
    if before in ("P:to", "P:from", "P:by", "P:cc", "P:bcc"):
        head.preposition, head.begin = before, items[n - 1]
    elif items[n].tag == "Q:whom":
        head.preposition = "P:to"
    return head


def _relative(items: list[Item], n: int) -> bool:
    """The pronoun describes the noun before it."""
    j = n - 1
    if j >= 0 and items[j].tag.startswith("P:"):
        j -= 1
    while j >= 0 and items[j].tag in _DESCRIBING and j > n - 7:
        j -= 1
    return j >= 0 and (items[j].tag in HEADS or items[j].tag == "WHOEVER")


def _behind(items: list[Item], n: int) -> Head | None:
    """The noun behind a question word."""
    head = Head("", None, begin=items[n], count=items[n].tag == "Q:howmany")
    words = 0
    j = n + 1
    if j < len(items) and items[j].tag.startswith("AUX"):
        if items[n].tag == "Q:what" and items[j].text.lower() in _DOING:
            return None  # "what did the person who ... send?" asks for what was said
        j += 1
    while j < len(items):
        item = items[j]
        if item.tag in HEADS or item.tag == "N:reply":
            _noun(head, item)
            break
        if item.tag.startswith("NUM"):
            head.number = number(item)
        elif item.tag == "WORD":
            words += 1
            if words > 1 or head.count:
                return None
        elif item.tag == "OUTSIDE" and j + 1 < len(items) and items[j + 1].tag == "ORG":
            head.inside.append(item)
        elif item.tag == "OUTSIDE" and j + 1 < len(items) and items[j + 1].tag in HEADS:
            head.external = True
        elif item.tag == "PERSON" and item.possessive:
            head.inside.append(item)
        elif item.tag not in _BETWEEN:
            return None
        _modify(head, item)
        j += 1
    if head.item is None:
        return None
    if words:
        return None
    if [i.tag for i in items[j + 1 : j + 3]] == ["OPEN", "N:domain"]:
        head.domain = True
    before = items[n - 1].tag if n else "END"
    if before.startswith("P:"):
        head.begin = items[n - 1]
        if before in ("P:to", "P:from", "P:by", "P:cc", "P:bcc"):
            head.preposition = before
    return head


def _noun(head: Head, item: Item) -> None:
    sort, role = HEADS.get(item.tag, ("message", None))
    head.sort, head.item = sort, item
    head.role = role
    head.external = head.external or item.tag == "N:outsider"
    head.domain = item.tag == "N:domain"


def _modify(head: Head, item: Item) -> None:
    if item.tag in ("MAIN", "MOST", "LONGEST"):
        head.most = True
    elif item.tag == "FIRST":
        head.first = True
    elif item.tag == "LAST":
        head.last = True
    elif item.tag in ("EXTERNAL", "OTHER"):
        head.external = head.external or item.tag == "EXTERNAL"
        head.other = head.other or item.tag == "OTHER"
    elif item.tag in ("MY", "ORG", "AUTOMATED", "BYHAND"):
        head.inside.append(item)


def _fragment(items: list[Item], counted: bool) -> Head | None:
    """ "top 3 senders at X", "everyone I put in cc": the first noun, unless a verb or a question word came before."""
    head = Head("", None, count=counted)
    asked = any(i.tag == "Q:what" for i in items)
    for n, item in enumerate(items):
        if item.tag in HEADS or item.tag == "N:reply":
            if asked and n and items[n - 1].tag not in ("END", "BEGIN"):
                continue
            _noun(head, item)
            head.begin = head.begin or item
            return _numbered(head, items)
        if asked:
            continue
        if item.tag.startswith("NUM"):
            head.number = number(item)
            head.begin = head.begin or item
        elif item.tag in _BETWEEN:
            _modify(head, item)
            if item.tag not in ("ORG", "P:at"):
                head.begin = head.begin or item
        elif item.tag.startswith(("V:", "AUX", "Q:")):
            if item.tag != "Q:howmany":
                return None
        elif item.tag not in ("LIST", "COMMA", "ME", "WORD", "END"):
            head.begin, head.number = None, None
    return None


def _numbered(head: Head, items: list[Item]) -> Head:
    """ "most, and who second": two are wanted; of "the second most", "the runner-up" that one alone."""
    if head.number is None and head.item is not None and head.item.tag.startswith("Q:who"):
        head.number = next((number(i) for n, i in enumerate(items) if _numbers_people(items, n)), None)
    order = [number(i) for i in items if i.tag.startswith("ORD:")]
    if order and head.number is None:
        head.number, head.most = max(order), True
        first_too = any(
            i.tag in (*_MORE, "MAIN") and not tag_at(items, n - 1).startswith("ORD:") for n, i in enumerate(items)
        )
        if len(order) == 1 and not first_too:
            head.number, head.skip = 1, order[0] - 1
    return head


def _numbers_people(items: list[Item], n: int) -> bool:
    """ "who are the five most frequent senders": the number of a noun that says more of who is asked for."""
    j = n + 1
    while tag_at(items, j) in ("MAIN", "MOST"):
        j += 1
    return items[n].tag.startswith("NUM") and HEADS.get(tag_at(items, j), ("", None))[0] == "person"
