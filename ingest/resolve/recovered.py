"""Messages that are known only from quotations: found once, however often they are quoted, with their fullest text.

Blocks that name author and date are one mail when both agree (the date up to the whole offset of a time zone) and the
words do not speak against it. A block that lacks one of them goes to the mail that it shares most words with, but
never brings two mails together, or the reports of every week would become one. A block that is one mail with a block
whose message is known was taken from that message too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import inf

from ingest.resolve.overlap import Overlap, Shared
from ingest.resolve.quotes import Block, whole_offset

# A block that names no author is kept when it has at least so many runs of four words.
NAMELESS_RUNS = 12


def group(blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks of one mail each, for mails that are not in the mailbox. Sets ``quoted`` of blocks that turn out to be
    one mail with a block that is linked already."""
    sets = _Sets(len(blocks))
    full = [block.named and block.local is not None for block in blocks]
    by_stamp: dict[tuple[object, float], int] = {}
    for i, block in enumerate(blocks):
        if full[i] and block.local is not None:
            first = by_stamp.setdefault((_author(block), block.local // 60), i)
            if blocks[first].quoted == block.quoted or None in (blocks[first].quoted, block.quoted):
                sets.join(first, i)
    index = Overlap([block.sketch for block in blocks], [_number(block) for block in blocks])
    shared = {i: index.shared(block.sketch) for i, block in enumerate(blocks) if block.quoted is None}
    for i, found in shared.items():
        for each in found:
            if full[i] and full[each.other] and each.other != i and _one_mail(blocks[i], blocks[each.other], each):
                sets.join(i, each.other)
    rest: set[int] = set()
    for i, found in shared.items():
        if full[i]:
            continue
        fitting = [
            e for e in found if (full[e.other] or blocks[e.other].quoted) and _one_mail(blocks[i], blocks[e.other], e)
        ]
        if fitting:
            sets.join(max(fitting, key=lambda e: (e.runs, e.of_theirs, -e.other)).other, i)
        else:
            rest.add(i)
    for i in sorted(rest):
        for each in shared[i]:
            alike = each.other in rest and each.other != i and min(each.of_mine, each.of_theirs) >= 0.5
            if alike and _one_mail(blocks[i], blocks[each.other], each):
                sets.join(i, each.other)
    groups: dict[int, list[Block]] = defaultdict(list)
    for i, block in enumerate(blocks):
        groups[sets.find(i)].append(block)
    return list(_unknown(groups.values()))


def _unknown(groups: Iterable[list[Block]]) -> Iterable[list[Block]]:
    for members in groups:
        known = Counter(block.quoted for block in members if block.quoted is not None)
        if known:
            message = min(known, key=lambda m: (-known[m], m))
            for block in members:
                if block.quoted is None and block.message != message:
                    block.quoted, block.rule = message, "another quotation"
        elif again := _sent_again(members):
            for block in members:
                if block.message != again:
                    block.quoted, block.rule = again, "another quotation"
        elif any(_telling(block) for block in members):
            yield members


def _sent_again(members: Sequence[Block]) -> int | None:
    """The message that holds these words and nothing else under their author's name already (he sent them again, or
    nobody knows whose they are), when no earlier one has them: to store them once more would count them twice."""
    named = any(block.named for block in members)
    again = min((block for block in members if block.alone and block.named == named), key=_when, default=None)
    return again.message if again and all(_when(again) <= _when(block) for block in members) else None


def _when(block: Block) -> float:
    return block.at if block.at is not None else inf


def _one_mail(a: Block, b: Block, shared: Shared) -> bool:
    """Whether two blocks that share words are quotations of one mail."""
    if a.named and b.named and not (a.authors & b.authors or a.name == b.name):
        return False
    if a.local is not None and b.local is not None and whole_offset(a.local, b.local) is None:
        return False
    most = max(shared.of_mine, shared.of_theirs)
    return most >= 0.3 if a.named and b.named else most >= 0.6 and shared.runs >= 4


def _telling(block: Block) -> bool:
    return len(block.sketch) > 1 and (block.named or len(block.sketch) > 4 * NAMELESS_RUNS)


def _author(block: Block) -> object:
    return min(block.authors) if block.authors else block.name


def _number(block: Block) -> int:
    """A number for the author, to tell people apart."""
    author = _author(block)
    return author if isinstance(author, int) else -1 - (hash(author) & 0xFFFFFFFF)


class _Sets:
    """Disjoint sets of the numbers below ``n``."""

    def __init__(self, n: int) -> None:
        self.parent = list(range(n))

    def find(self, x: int) -> int:
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def join(self, a: int, b: int) -> None:
        a, b = sorted((self.find(a), self.find(b)))
        self.parent[b] = a
