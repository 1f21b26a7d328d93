"""Addresses with one full name: when the name is enough to be one person, and when it is not.

How much is asked depends on how many people bear the name, on whether both addresses are of one organisation, and on
how much of the name each local part spells. What would join one address with two different people is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import combinations

from ingest.resolve import names
from ingest.resolve.address import Address, Link, alike, linked
from ingest.resolve.common_names import COMMON_FIRST_NAMES, COMMON_SURNAMES
from ingest.resolve.domains import family, is_provider
from ingest.resolve.names import FULL, HALF, LITTLE, NONE

# So many first names with one last name make the last name common in this mailbox.
COMMON, RARE = 12, 4


def same_name(
    addresses: Sequence[Address], exchanged: Callable[[Set[tuple[int, int]]], Set[tuple[int, int]]]
) -> tuple[list[Link], Set[tuple[int, int]]]:
    """The links between ``addresses`` that one name makes, and the pairs (smaller id first) that would be linked but
    have written to one another, as ``exchanged`` tells."""
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
            if not (match := alike(a, b, surname)):
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
    found = [linked(a, b, "name_in_organization", evidence) for a, b, evidence in _without_rivals(inside)]
    strangers = {
        _pair(a, b)
        for a, b, _ in outside
        if a.local != b.local and not is_provider(a.domain) and not is_provider(b.domain)
    }
    writers = exchanged(strangers)
    found += [linked(a, b, "rare_name", evidence) for a, b, evidence in outside if _pair(a, b) not in writers]
    return found, writers


def without_torn(found: Iterable[Link], by_id: Mapping[int, Address]) -> list[Link]:
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


def _without_rivals(found: list[tuple[Address, Address, str, bool]]) -> list[tuple[Address, Address, str]]:
    """Leave out links of a name without middle initial to two people whose initials differ: it may be either."""
    partners: dict[int, list[tuple[Address, bool]]] = defaultdict(list)
    for a, b, _, agree in found:
        partners[a.id].append((b, agree))
        partners[b.id].append((a, agree))
    torn = {
        id_
        for id_, others in partners.items()
        if any(not alike(x, y) and not (mine or yours) for (x, mine), (y, yours) in combinations(others, 2))
    }
    return [(a, b, evidence) for a, b, evidence, agree in found if agree or not {a.id, b.id} & torn]


def _common_first(address: Address, surname: str) -> bool:
    return any(
        names.forms(given) & COMMON_FIRST_NAMES
        for name in address.names
        if name.last == surname
        for given in name.given[:1]
    )


def _first_words(address: Address) -> str:
    return names.fold(address.local.replace("_", ".").partition(".")[0])


def _pair(a: Address, b: Address) -> tuple[int, int]:
    return min(a.id, b.id), max(a.id, b.id)
