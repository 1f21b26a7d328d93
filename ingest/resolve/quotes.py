"""Which message a quoted or forwarded block was taken from.

Three witnesses: the words (runs of four shared with the sender's own words of a message), the author as the block
names him, and the date as the block gives it. The date is what the quoting program's clock said, so it may differ
from the message's by the whole offset of a time zone; which offsets occur in a mailbox is learned from blocks that
words and author already prove. No witness is enough alone: two must agree, or the words must agree well where the
block names no author.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ingest.resolve.overlap import Overlap, Shared

# How far apart two clocks may show the same moment, less their time zones.
SLACK = 150
HALF_HOUR = 1800
FARTHEST_ZONE = 14 * 3600
# An offset is the mailbox's when at least this share of proven blocks has it.
USUAL = 0.04
# A message is not written after its quotation, but clocks may be wrong.
WRONG_CLOCK = 86_400


@dataclass(slots=True)
class Original:
    """A message that may be quoted. ``at``: epoch seconds; ``persons`` and ``names`` tell who wrote it."""

    message: int
    at: float | None
    subject: str
    person: int | None
    name: str
    sketch: bytes


@dataclass(slots=True)
class Block:
    """A quoted block. ``authors``: who may be meant by its author; empty with ``named`` true when nobody known is.
    ``local``: the block's date as if it were UTC; ``at``: when the quoting message was sent. ``alone``: the
    quoting message holds nothing but these words and no more is known of them: its sender is their author, or nobody is
    named. The owner's own mail is left out: what he sent before he forwarded it belongs in his mailbox."""

    message: int
    position: int
    authors: frozenset[int]
    name: str
    named: bool
    local: float | None
    subject: str
    at: float | None
    sketch: bytes
    alone: bool = False
    quoted: int | None = None
    rule: str = ""


@dataclass(slots=True)
class Clock:
    """Offsets of quoted dates from the moment itself: usual ones, and the most usual of each month."""

    usual: set[int] = field(default_factory=set)
    by_month: dict[int, int] = field(default_factory=dict)
    default: int = 0

    def moment(self, local: float) -> float:
        """The likely moment of a quoted date, epoch seconds."""
        return local - self.by_month.get(_month(local), self.default)


def link(blocks: Sequence[Block], originals: Sequence[Original]) -> Clock:
    """Set ``quoted`` and ``rule`` of every block whose message is among ``originals``; returns what was learned of the
    clocks."""
    index = Overlap([o.sketch for o in originals], [o.person or -o.message for o in originals])
    by_person: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for place, original in enumerate(originals):
        if original.person is not None and original.at is not None:
            by_person[original.person].append((original.at, place))
    for mail in by_person.values():
        mail.sort()
    shared = [index.shared(block.sketch) for block in blocks]
    clock = _learn(blocks, originals, shared)
    for block, found in zip(blocks, shared, strict=True):
        candidates = {each.other: each for each in found}
        for place in _at_that_time(block, by_person, clock):
            candidates.setdefault(place, Shared(place, 0, 0.0, 0.0))
        best = max(
            (
                (*verdict, -abs((block.at or 0.0) - (originals[place].at or 0.0)), -originals[place].message)
                for place, each in candidates.items()
                if (verdict := _judge(block, originals[place], each, clock))
            ),
            default=None,
        )
        if best:
            block.rule, block.quoted = best[1], -int(best[-1])
    return clock


def same_writer(block: Block, original: Original) -> bool | None:
    """Whether the block names the writer of the message; None when it names nobody."""
    if not block.named:
        return None
    return original.person in block.authors or (block.name != "" and block.name == original.name)


def _judge(block: Block, original: Original, shared: Shared, clock: Clock) -> tuple[float, str] | None:
    """How well a message fits a block and by which rule, None when it does not."""
    if original.message == block.message:
        return None
    if block.at is not None and original.at is not None and original.at > block.at + WRONG_CLOCK:
        return None
    writer = same_writer(block, original)
    offset = whole_offset(block.local, original.at)
    usual = offset is not None and offset in clock.usual
    # two dates that say different moments; a few hours may be a wrong clock or a slow server
    apart = block.local is not None and original.at is not None and not usual
    near = not apart or abs(clock.moment(block.local or 0.0) - (original.at or 0.0)) <= WRONG_CLOCK
    words = max(shared.of_mine, shared.of_theirs if shared.runs >= 3 else 0.0)
    few = min(len(block.sketch), len(original.sketch)) < 4 * 8
    if writer and usual and (words > 0 or few or block.subject == original.subject):
        return 4 + words, "author and date"
    if writer and not apart and (words >= 0.5 or (words >= 0.25 and shared.runs >= 6)):
        return 3 + words, "author and words"
    if writer and near and shared.of_mine >= 0.6 and shared.runs >= 6:
        return 3 + words, "author and words"
    if usual and shared.of_mine >= 0.5 and shared.runs >= 3:
        return 2 + words, "date and words"
    # the whole mail, word for word, at that moment by some clock: whoever sent it for the one who is named
    if offset is not None and min(shared.of_mine, shared.of_theirs) >= 0.9 and shared.runs >= 6:
        return 2 + words, "date and words"
    if writer is None and not apart and shared.of_mine >= 0.6 and shared.runs >= 4:
        return 1 + words, "words"
    return None


def _learn(blocks: Sequence[Block], originals: Sequence[Original], shared: Sequence[list[Shared]]) -> Clock:
    """The offsets of blocks that words and author prove."""
    seen: Counter[int] = Counter()
    monthly: dict[int, Counter[int]] = defaultdict(Counter)
    for block, found in zip(blocks, shared, strict=True):
        if block.local is None:
            continue
        for each in found:
            original = originals[each.other]
            if (
                each.of_mine >= 0.6
                and each.runs >= 6
                and same_writer(block, original)
                and original.message != block.message
            ):
                offset = whole_offset(block.local, original.at)
                if offset is not None:
                    seen[offset] += 1
                    monthly[_month(block.local)][offset] += 1
    total = seen.total()
    if not total:
        # nothing to learn from: the clock of most mail programs shows whole hours off
        return Clock(set(range(-12 * 3600, 12 * 3600 + 1, 3600)))
    clock = Clock({offset for offset, n in seen.items() if n >= max(2, USUAL * total)} | {seen.most_common(1)[0][0]})
    clock.default = seen.most_common(1)[0][0]
    clock.by_month = {month: offsets.most_common(1)[0][0] for month, offsets in monthly.items() if offsets.total() >= 3}
    return clock


def _at_that_time(block: Block, by_person: dict[int, list[tuple[float, int]]], clock: Clock) -> Iterable[int]:
    """Messages that the block's author sent when the block says."""
    if block.local is None:
        return
    for person in block.authors:
        mail = by_person.get(person, [])
        for offset in clock.usual:
            at = block.local - offset
            i = bisect_left(mail, (at - SLACK, -1))
            while i < len(mail) and mail[i][0] <= at + SLACK:
                yield mail[i][1]
                i += 1


def whole_offset(local: float | None, at: float | None) -> int | None:
    """A quoted date less a moment, when that is the whole offset of a time zone."""
    if local is None or at is None:
        return None
    difference = local - at
    offset = round(difference / HALF_HOUR) * HALF_HOUR
    return offset if abs(difference - offset) <= SLACK and abs(offset) <= FARTHEST_ZONE else None


def _month(at: float) -> int:
    return int(at // (30.44 * 86_400))
