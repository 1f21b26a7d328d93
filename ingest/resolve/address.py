"""What an address says of the person behind it, and whether two of them say the same.

The display names that stood beside an address, or what its local part spells, are its names. Two names can be one
person's when the last names are equal and nothing of the first and middle names speaks against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from ingest.resolve import names
from ingest.resolve.names import HALF, Name
from ingest.resolve.roles import is_role

# Display names rarer than this share of an address's names are slips (a wrong pairing of two header fields).
CREDIBLE = 0.1
# How two names compare.
DIFFERENT, SHIFTED, EQUAL, AGREE = range(4)


@dataclass(slots=True)
class Address:
    """An address with what is known of it. ``displays``: display names and how often each was seen; ``x500``: X.500
    names that stood for it, in lower case."""

    id: int
    address: str
    displays: Mapping[str, int] = field(default_factory=dict)
    x500: Set[str] = frozenset()
    local: str = ""
    domain: str = ""
    names: tuple[Name, ...] = ()
    implied: bool = False
    is_role: bool = False

    def __post_init__(self) -> None:
        self.local, _, self.domain = self.address.rpartition("@")
        counts: Counter[Name] = Counter()
        for display, n in self.displays.items():
            if name := names.read(display):
                counts[name] += n
        floor = CREDIBLE * counts.total()
        self.names = tuple(
            sorted((name for name, n in counts.items() if n >= floor), key=lambda name: (-counts[name], repr(name)))
        )
        self.names = tuple(name for name in self.names if not any(_says_more(other, name) for other in self.names))
        if not self.local:
            return
        own = any(names.fit(self.local, name) >= HALF for name in self.names)
        self.is_role = is_role(self.local, self.displays, len({name.last for name in counts}), own)
        if not self.names and (name := names.from_local_part(self.local.partition("+")[0])):
            self.names, self.implied = (name,), True


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """Two addresses of one person (``a`` before ``b`` by id), the rule that says so and what it rests on."""

    a: int
    b: int
    rule: str
    evidence: str


def linked(a: Address, b: Address, rule: str, evidence: str) -> Link:
    """The link between two addresses, whichever comes first."""
    first, second = sorted((a.id, b.id))
    return Link(first, second, rule, evidence[:300])


def one_person(x: Name, y: Name) -> bool:
    """Whether two names can be one person's."""
    return x.last == y.last and _match(x, y) != DIFFERENT


def contradict(a: Address, b: Address) -> bool:
    """Whether the names of two addresses say two people: one last name, and no first and middle names that agree."""
    if a.implied or b.implied:
        return False
    lasts = {name.last for name in a.names} & {name.last for name in b.names}
    return bool(lasts) and not alike(a, b)


def alike(a: Address, b: Address, surname: str | None = None) -> tuple[str, bool, bool] | None:
    """The names that say one person (only those with the last name ``surname``, where it is given), whether middle
    names say so too, and whether one is called by a middle name; None when no pair of names is one person's."""
    best: tuple[str, bool, bool] | None = None
    for x in a.names:
        for y in b.names:
            if x.last == y.last and surname in (None, x.last) and (match := _match(x, y)):
                found = (f"{_written(x)} = {_written(y)}", match == AGREE, match == SHIFTED)
                if best is None or (found[1], not found[2]) > (best[1], not best[2]):
                    best = found
    return best


def surnames_meet(a: Address, b: Address) -> bool:
    """Whether nothing is said of the last names that speaks against one person: one in common, or none known."""
    lasts = {name.last for name in a.names}
    return not a.names or not b.names or any(name.last in lasts for name in b.names)


def _says_more(a: Name, b: Name) -> bool:
    """Whether ``a`` is ``b`` with a middle name."""
    return bool(a.middles) and not b.middles and a.last == b.last and names.same_first(a.first, b.first)


def _match(x: Name, y: Name) -> int:
    """How two names with one last name compare: AGREE when the middle names do too, SHIFTED when one is called by the
    other's middle name, DIFFERENT when they are two people's."""
    if x.suffix and y.suffix and x.suffix != y.suffix:
        return DIFFERENT
    if len(x.first) > 1 and len(y.first) > 1 and names.same_first(x.first, y.first):
        if not x.middles or not y.middles:
            return EQUAL
        return AGREE if names.same_first(x.middles[0], y.middles[0]) else DIFFERENT
    if (len(y.first) > 1 and y.first in x.middles) or (len(x.first) > 1 and x.first in y.middles):
        return SHIFTED
    if x.first[0] == y.first[0] and 1 in (len(x.first), len(y.first)):
        return AGREE if any(len(m) > 1 and m in y.middles for m in x.middles) else DIFFERENT
    return DIFFERENT


def _written(name: Name) -> str:
    return " ".join((*name.given, name.last, name.suffix)).strip()
