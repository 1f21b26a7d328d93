"""Addresses, organisations and people as rows: what the headers say goes in, people with their evidence come out.

Everything is computed anew from the stored headers, which takes seconds, so that a later header can change any earlier
decision and the result depends on nothing but what is stored. What a person decided by hand stays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from typing import Any

from psycopg import Connection

from ingest.resolve import domains, names, people
from ingest.resolve.address import Address, Link, contradict


def rebuild(conn: Connection[Any]) -> None:
    """Write address_name, organization, address.is_role, person_link (but rows by hand), person and person_address."""
    addresses = _read(conn)
    _write_names(conn, addresses)
    _write_organizations(conn)
    by_id = {address.id: address for address in addresses}
    links, writers = people.link(addresses, lambda pairs: _exchanged(conn, pairs))
    by_hand = conn.execute(DECIDED).fetchall()
    apart = {(a, b) for a, b, same in by_hand if not same}
    joined = [(a, b) for a, b, same in by_hand if same]
    component = people.components(
        by_id,
        sorted(joined, key=lambda pair: (by_id[pair[0]].address, by_id[pair[1]].address)),
        [(link.a, link.b) for link in links],
        never=lambda a, b: (min(a, b), max(a, b)) in apart,
        apart=lambda a, b: (min(a, b), max(a, b)) in writers or contradict(by_id[a], by_id[b]),
    )
    _write_links(conn, [link for link in links if component[link.a] == component[link.b]])
    _write_people(conn, by_id, component)


def _read(conn: Connection[Any]) -> list[Address]:
    displays: dict[str, Counter[str]] = defaultdict(Counter)
    x500: dict[str, set[str]] = defaultdict(set)
    for address, display, n in conn.execute(_DISPLAYS):
        if display.startswith("/") and "cn=" in display.lower():
            x500[address].add(display.lower())
        elif name := names.clean(display):
            displays[address][name] += n
    return [
        Address(id_, address, displays.get(address, Counter()), frozenset(x500.get(address, ())))
        for id_, address in conn.execute("SELECT id, address FROM mail.address ORDER BY id").fetchall()
    ]


# One row for each name that stood beside an address: display names, and from address pairs also X.500 names.
_DISPLAYS = """
SELECT address, display, sum(n)::integer FROM (
    SELECT a.address, o.sender_name AS display, count(*) AS n
    FROM mail.occurrence o JOIN mail.message m ON m.id = o.message JOIN mail.address a ON a.id = m.sender
    WHERE o.sender_name <> '' GROUP BY 1, 2
    UNION ALL
    SELECT r ->> 1, r ->> 2, count(*) FROM mail.occurrence, jsonb_array_elements(recipients) AS r
    WHERE r ->> 2 <> '' GROUP BY 1, 2
    UNION ALL
    SELECT p ->> 1, p ->> 0, count(*) FROM mail.occurrence, jsonb_array_elements(address_pairs) AS p GROUP BY 1, 2
    UNION ALL
    SELECT author_address, author_name, count(*) FROM mail.quote
    WHERE author_address <> '' AND author_name <> '' GROUP BY 1, 2
) AS seen
GROUP BY 1, 2
ORDER BY 1, 2
"""


# Of several decisions about one pair the latest holds.
DECIDED = """
SELECT DISTINCT ON (a, b) a, b, same FROM mail.person_link WHERE by_hand ORDER BY a, b, at DESC
"""


def _exchanged(conn: Connection[Any], pairs: Set[tuple[int, int]]) -> set[tuple[int, int]]:
    if not pairs:
        return set()
    first, second = zip(*sorted(pairs), strict=True)
    rows = conn.execute(
        "SELECT a, b FROM unnest(%s::bigint[], %s::bigint[]) AS p (a, b) WHERE EXISTS ("
        " SELECT 1 FROM mail.message m JOIN mail.recipient r ON r.message = m.id"
        " WHERE (m.sender = p.a AND r.address = p.b) OR (m.sender = p.b AND r.address = p.a))",
        (list(first), list(second)),
    )
    return {(a, b) for a, b in rows}


def _write_names(conn: Connection[Any], addresses: Iterable[Address]) -> None:
    with conn.cursor() as cur:
        cur.execute("DELETE FROM mail.address_name")
        with cur.copy("COPY mail.address_name (address, name, n) FROM STDIN") as copy:
            for address in addresses:
                for name, n in sorted(address.displays.items()):
                    copy.write_row((address.id, name, n))
        cur.execute("CREATE TEMP TABLE role ON COMMIT DROP AS SELECT unnest(%s::bigint[]) AS id",
                    ([address.id for address in addresses if address.is_role],))  # fmt: skip
        cur.execute(
            "UPDATE mail.address a SET is_role = r.id IS NOT NULL FROM mail.address b LEFT JOIN role r USING (id)"
            " WHERE a.id = b.id AND a.is_role <> (r.id IS NOT NULL)"
        )
        cur.execute("DROP TABLE role")


def _write_organizations(conn: Connection[Any]) -> None:
    """Organisations for domains that have none yet. Which domain is one depends on the domain alone."""
    rows = conn.execute("SELECT DISTINCT domain FROM mail.address WHERE domain IS NOT NULL AND organization IS NULL")
    owner = {domain: found for (domain,) in rows if (found := domains.organization(domain))}
    conn.execute(
        "INSERT INTO mail.organization (domain, name) SELECT o, initcap(split_part(o, '.', 1))"
        " FROM unnest(%s::text[]) AS o ORDER BY o ON CONFLICT DO NOTHING",
        (sorted(set(owner.values())),),
    )
    conn.execute(
        "UPDATE mail.address a SET organization = o.id FROM unnest(%s::text[], %s::text[]) AS d (domain, owner)"
        " JOIN mail.organization o ON o.domain = d.owner WHERE a.domain = d.domain AND a.organization IS NULL",
        (list(owner), list(owner.values())),
    )


def _write_links(conn: Connection[Any], links: Iterable[Link]) -> None:
    with conn.cursor() as cur:
        cur.execute("DELETE FROM mail.person_link WHERE NOT by_hand")
        with cur.copy("COPY mail.person_link (a, b, same, rule, evidence) FROM STDIN") as copy:
            for (a, b, rule), evidence in {(x.a, x.b, x.rule): x.evidence for x in links}.items():
                copy.write_row((a, b, True, rule, evidence))


def _write_people(conn: Connection[Any], by_id: dict[int, Address], component: dict[int, int]) -> None:
    members: dict[int, list[Address]] = defaultdict(list)
    for id_, person in component.items():
        members[person].append(by_id[id_])
    uses: dict[int, int] = dict(conn.execute(_USES).fetchall())
    with conn.cursor() as cur:
        cur.execute("DELETE FROM mail.person_address")
        cur.execute("DELETE FROM mail.person")
        with cur.copy("COPY mail.person (id, name, is_role) FROM STDIN") as copy:
            for person, group in members.items():
                copy.write_row((person, _name(group, uses), all(address.is_role for address in group)))
        with cur.copy("COPY mail.person_address (address, person) FROM STDIN") as copy:
            for row in component.items():
                copy.write_row(row)


def _name(group: Iterable[Address], uses: Mapping[int, int]) -> str:
    """The name to show: the one seen most often that reads like a person's, else any, else the address used most.

    ``uses``: messages from and to each address. An address that no name ever stood beside speaks for the name that it
    spells, or a nickname that stood beside a private one
    would name somebody who is "first.last" in all other mail.
    """
    seen: Counter[str] = Counter()
    like_a_person: set[str] = set()
    for address in group:
        for display, n in address.displays.items():
            shown = names.in_order(display)
            seen[shown] += n
            if names.read(display):
                like_a_person.add(shown)
        for name in () if address.displays else address.names:
            spelled = " ".join((*name.given, name.last)).title()
            seen[spelled] += uses.get(address.id, 0)
            like_a_person.add(spelled)
    if seen:
        return min(seen, key=lambda name: (name not in like_a_person, -seen[name], name))
    return min(group, key=lambda each: (-uses.get(each.id, 0), len(each.address), each.address)).address


_USES = """
SELECT address, count(*) FROM (
    SELECT sender AS address FROM mail.message WHERE NOT recovered AND sender IS NOT NULL
    UNION ALL
    SELECT r.address FROM mail.recipient r JOIN mail.message m ON m.id = r.message WHERE NOT m.recovered
) AS used GROUP BY 1
"""
