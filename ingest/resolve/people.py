"""Which addresses belong to one person: pairwise rules with their evidence, then connected components.

A display name alone never joins two addresses, since many people share a name and programs write anything there.
What joins is a name *and* a trace of it in both local parts, or a pair of forms that one header wrote for one person:

* the same mailbox in another spelling (dots and googlemail.com at Gmail, plus tags);
* one X.500 name for two addresses, or an X.500 common name that is a local part of the same organisation;
* the same full name (short forms, "Last, First", middle names) at one organisation, when both local parts fit it;
* the same full name anywhere, when both local parts fit it and it is not a common one; the more people bear a name,
  the more is asked of the local parts. Two addresses at different organisations that write to one another are two
  people (a parent and a child with one name), and so are different middle initials.

Addresses of roles are never joined. What a person decided by hand comes first, and a decision that two addresses are
two people holds against everything. The result does not depend on the order of anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from ingest.resolve import names
from ingest.resolve.common_names import COMMON_FIRST_NAMES, COMMON_SURNAMES
from ingest.resolve.domains import family, is_provider
from ingest.resolve.names import FULL, HALF, LITTLE, NONE, Name
from ingest.resolve.roles import is_role

RULES = ("by_hand", "same_mailbox", "x500", "x500_local_part", "name_in_organization", "rare_name")
# Display names rarer than this share of an address's names are slips (a wrong pairing of two header fields).
CREDIBLE = 0.1
# So many first names with one last name make the last name common in this mailbox.
COMMON, RARE = 12, 4


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


def link(
    addresses: Sequence[Address], exchanged: Callable[[Set[tuple[int, int]]], Set[tuple[int, int]]]
) -> tuple[list[Link], Set[tuple[int, int]]]:
    """All links between ``addresses``, the surest rules first, and the pairs (smaller id first) that look like one
    person and are two because they write to one another. ``exchanged`` tells which pairs of ids have done so."""
    found: list[Link] = []
    found += _same_mailbox(addresses)
    own = [address for address in addresses if not address.is_role]
    by_name, writers = _same_name(own, exchanged)
    named = [*_same_x500(own), *by_name]
    found += _one_side(named, {address.id: address for address in own})
    place = {address.id: address.address for address in addresses}
    ordered = sorted(set(found), key=lambda each: (RULES.index(each.rule), place[each.a], place[each.b], each.evidence))
    return ordered, writers


def components(
    ids: Iterable[int],
    by_hand: Iterable[tuple[int, int]],
    links: Iterable[tuple[int, int]],
    never: Callable[[int, int], bool],
    apart: Callable[[int, int], bool],
) -> dict[int, int]:
    """Connected components as {id: smallest id of its component}. Links are taken in the order given, those made by
    hand first. One that would bring two ids together that are ``never`` one person is left out, and one that is not
    made by hand also when they are ``apart``."""
    parent = {id_: id_ for id_ in ids}
    members = {id_: {id_} for id_ in parent}

    def find(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b, barred in [*((a, b, (never,)) for a, b in by_hand), *((a, b, (never, apart)) for a, b in links)]:
        a, b = sorted((find(a), find(b)))
        if a == b or any(bar(x, y) for x in members[a] for y in members[b] for bar in barred):
            continue
        parent[b] = a
        members[a] |= members.pop(b)
    return {id_: find(id_) for id_ in parent}


def one_person(x: Name, y: Name) -> bool:
    """Whether two names can be one person's."""
    return x.last == y.last and _match(x, y) != DIFFERENT


def contradict(a: Address, b: Address) -> bool:
    """Whether the names of two addresses say two people: one last name, and no first and middle names that agree."""
    if a.implied or b.implied:
        return False
    lasts = {name.last for name in a.names} & {name.last for name in b.names}
    return bool(lasts) and not _alike(a, b)


def _same_mailbox(addresses: Sequence[Address]) -> list[Link]:
    groups: dict[tuple[str, str], list[Address]] = defaultdict(list)
    for address in addresses:
        if address.local:
            local = address.local.partition("+")[0] or address.local
            gmail = address.domain in ("gmail.com", "googlemail.com")
            groups[local.replace(".", "") if gmail else local, "gmail.com" if gmail else address.domain].append(address)
    return [
        _link(a, b, "same_mailbox", "one mailbox in two spellings")
        for group in groups.values()
        for a, b in _chain(group)
    ]


def _same_x500(addresses: Sequence[Address]) -> list[Link]:
    by_name: dict[str, list[Address]] = defaultdict(list)
    for address in addresses:
        for name in address.x500:
            by_name[name].append(address)
        if not address.local and address.address.startswith("/"):
            by_name[address.address].append(address)
    found = []
    for name, group in by_name.items():
        if len(group) > 6:  # a placeholder of the export, not a person
            continue
        for a, b in combinations(group, 2):
            if _surnames_meet(a, b) or not a.local or not b.local:
                found.append(_link(a, b, "x500", name))
    at: dict[tuple[str, str], list[Address]] = defaultdict(list)
    for address in addresses:
        if address.local and (organization := family(address.domain)):
            at[address.local, organization].append(address)
    for address in addresses:
        for name in address.x500:
            common_name = name.rpartition("cn=")[2]
            for other in at.get((common_name, family(address.domain) or ""), ()):
                if other.id != address.id and (not other.names or other.implied or _alike(address, other)):
                    found.append(_link(address, other, "x500_local_part", name))
    return found


def _same_name(
    addresses: Sequence[Address], exchanged: Callable[[Set[tuple[int, int]]], Set[tuple[int, int]]]
) -> tuple[list[Link], Set[tuple[int, int]]]:
    by_surname: dict[str, dict[int, Address]] = defaultdict(dict)
    for address in addresses:
        if address.local:
            for name in address.names:
                by_surname[name.last][address.id] = address
    inside: list[tuple[Address, Address, str, bool]] = []
    outside: list[tuple[Address, Address, str]] = []
    for surname, group in by_surname.items():
        firsts = {
            name.first
            for address in group.values()
            for name in address.names
            if name.last == surname and len(name.first) > 1
        }
        spread = COMMON + 1 if surname in COMMON_SURNAMES else len(firsts)
        for a, b in combinations(sorted(group.values(), key=lambda address: address.address), 2):
            if not (match := _alike(a, b, surname)):
                continue
            if match[2] and family(a.domain) != family(b.domain):
                continue  # "Mark Dana Davis" may be called Dana where all know him, but elsewhere Dana is another
            evidence, agree, _ = match
            bearers = min(spread, COMMON) if not _common_first(a, surname) else spread
            if family(a.domain) is not None and family(a.domain) == family(b.domain):
                if _one_in_organization(a, b, surname, bearers, agree):
                    inside.append((a, b, evidence, agree))
            elif _one_anywhere(a, b, surname, bearers, agree):
                outside.append((a, b, evidence))
    found = [_link(a, b, "name_in_organization", evidence) for a, b, evidence in _without_rivals(inside)]
    strangers = {
        _pair(a, b)
        for a, b, _ in outside
        if a.local != b.local and not is_provider(a.domain) and not is_provider(b.domain)
    }
    writers = exchanged(strangers)
    found += [_link(a, b, "rare_name", evidence) for a, b, evidence in outside if _pair(a, b) not in writers]
    return found, writers


def _one_in_organization(a: Address, b: Address, surname: str, bearers: int, agree: bool) -> bool:
    fits = _fit(a, b, surname), _fit(b, a, surname)
    if NONE in fits:
        return False
    if fits == (FULL, FULL) and not agree:
        # an organisation that spells names out would not give one person two of them, unless it is a slip or short form
        same_words = names.fold(a.local.replace("_", ".")) == names.fold(b.local.replace("_", "."))
        return same_words or _first_words(a) == _first_words(b) or bearers <= RARE
    return sum(fits) >= (4 if bearers > COMMON else 3)


def _one_anywhere(a: Address, b: Address, surname: str, bearers: int, agree: bool) -> bool:
    fits = _fit(a, b, surname), _fit(b, a, surname)
    if NONE in fits:
        return False
    if bearers > COMMON:
        return agree and sum(fits) >= 4
    if bearers > RARE:
        # two firms, a common last name, a first name of everyday: both addresses have to spell it out
        firms = not is_provider(a.domain) and not is_provider(b.domain)
        everyday = surname in COMMON_SURNAMES and any(
            len(names.forms(n.first)) > 1 for n in a.names if n.last == surname
        )
        return sum(fits) >= (2 if agree else 6 if firms and everyday else 4)
    return sum(fits) >= (2 if agree or a.local == b.local else 3)


def _fit(address: Address, other: Address, surname: str) -> int:
    """How much of the name is in the address; a first name at a domain that bears the last name is all of it."""
    best = NONE
    for name in (*address.names, *other.names):
        if name.last == surname:
            fit = names.fit(address.local, name)
            if fit == LITTLE and len(surname) > 2 and surname in (family(address.domain) or ""):
                fit = FULL
            best = max(best, fit)
    return best


def _alike(a: Address, b: Address, surname: str | None = None) -> tuple[str, bool, bool] | None:
    """The names that say one person, whether middle names say so too, and whether one is called by a middle name;
    None when no pair of names is one person's."""
    best: tuple[str, bool, bool] | None = None
    for x in a.names:
        for y in b.names:
            if x.last == y.last and surname in (None, x.last) and (match := _match(x, y)):
                found = (f"{_written(x)} = {_written(y)}", match == AGREE, match == SHIFTED)
                if best is None or (found[1], not found[2]) > (best[1], not best[2]):
                    best = found
    return best


DIFFERENT, SHIFTED, EQUAL, AGREE = range(4)


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


def _one_side(found: Iterable[Link], by_id: Mapping[int, Address]) -> list[Link]:
    """Leave out links of an address that fits its names poorly to people who share no last name: several people were
    put under that address."""
    partners: dict[int, set[int]] = defaultdict(set)
    for each in found:
        partners[each.a].add(each.b)
        partners[each.b].add(each.a)
    torn = set()
    for id_, others in partners.items():
        address = by_id[id_]
        if len({name.last for name in address.names}) > 1 and not any(
            names.fit(address.local, name) >= HALF for name in address.names
        ):
            lasts = [{name.last for name in by_id[other].names} for other in others]
            # one person under two last names: the earlier one is a middle name of the later one
            both = [{name.last, *name.given} for name in address.names]
            if any(not x & y and not any(x & z and y & z for z in both) for x, y in combinations(lasts, 2)):
                torn.add(id_)
    return [each for each in found if not {each.a, each.b} & torn]


def _without_rivals(found: list[tuple[Address, Address, str, bool]]) -> list[tuple[Address, Address, str]]:
    """Leave out links of a name without middle initial to two people whose initials differ: it may be either."""
    partners: dict[int, list[tuple[Address, bool]]] = defaultdict(list)
    for a, b, _, agree in found:
        partners[a.id].append((b, agree))
        partners[b.id].append((a, agree))
    torn = {
        id_
        for id_, others in partners.items()
        if any(not _alike(x, y) and not (mine or yours) for (x, mine), (y, yours) in combinations(others, 2))
    }
    return [(a, b, evidence) for a, b, evidence, agree in found if agree or not {a.id, b.id} & torn]


def _common_first(address: Address, surname: str) -> bool:
    return any(
        names.forms(given) & COMMON_FIRST_NAMES
        for name in address.names
        if name.last == surname
        for given in name.given[:1]
    )


def _surnames_meet(a: Address, b: Address) -> bool:
    lasts = {name.last for name in a.names}
    return not a.names or not b.names or any(name.last in lasts for name in b.names)


def _first_words(address: Address) -> str:
    return names.fold(address.local.replace("_", ".").partition(".")[0])


def _written(name: Name) -> str:
    return " ".join((*name.given, name.last, name.suffix)).strip()


def _pair(a: Address, b: Address) -> tuple[int, int]:
    return min(a.id, b.id), max(a.id, b.id)


def _chain(group: list[Address]) -> Iterable[tuple[Address, Address]]:
    return pairwise(sorted(group, key=lambda address: address.id))


def _link(a: Address, b: Address, rule: str, evidence: str) -> Link:
    first, second = sorted((a.id, b.id))
    return Link(first, second, rule, evidence[:300])
