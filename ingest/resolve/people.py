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

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from itertools import combinations, pairwise

from ingest.resolve.address import Address, Link, alike, linked, surnames_meet
from ingest.resolve.domains import family
from ingest.resolve.same_name import same_name, without_torn

RULES = ("by_hand", "same_mailbox", "x500", "x500_local_part", "name_in_organization", "rare_name")


def link(
    addresses: Sequence[Address], exchanged: Callable[[Set[tuple[int, int]]], Set[tuple[int, int]]]
) -> tuple[list[Link], Set[tuple[int, int]]]:
    """All links between ``addresses``, the surest rules first, and the pairs (smaller id first) that look like one
    person and are two because they write to one another. ``exchanged`` tells which pairs of ids have done so."""
    found: list[Link] = []
    found += _same_mailbox(addresses)
    own = [address for address in addresses if not address.is_role]
    by_name, writers = same_name(own, exchanged)
    named = [*_same_x500(own), *by_name]
    found += without_torn(named, {address.id: address for address in own})
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


def _same_mailbox(addresses: Sequence[Address]) -> list[Link]:
    groups: dict[tuple[str, str], list[Address]] = defaultdict(list)
    for address in addresses:
        if address.local:
            local = address.local.partition("+")[0] or address.local
            gmail = address.domain in ("gmail.com", "googlemail.com")
            groups[local.replace(".", "") if gmail else local, "gmail.com" if gmail else address.domain].append(address)
    return [
        linked(a, b, "same_mailbox", "one mailbox in two spellings")
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
            if surnames_meet(a, b) or not a.local or not b.local:
                found.append(linked(a, b, "x500", name))
    at: dict[tuple[str, str], list[Address]] = defaultdict(list)
    for address in addresses:
        if address.local and (organization := family(address.domain)):
            at[address.local, organization].append(address)
    for address in addresses:
        for name in address.x500:
            common_name = name.rpartition("cn=")[2]
            for other in at.get((common_name, family(address.domain) or ""), ()):
                if other.id != address.id and (not other.names or other.implied or alike(address, other)):
                    found.append(linked(address, other, "x500_local_part", name))
    return found


def _chain(group: list[Address]) -> Iterable[tuple[Address, Address]]:
    return pairwise(sorted(group, key=lambda address: address.id))
