"""What a person decides about people by hand, and what is worth deciding.

A decision is a row of mail.person_link that no rule touches: two addresses are one person, or are two. It holds through
every later ingest and is undone by taking the row away; people are computed anew from what is left. After a decision
``ingest.resolve.resolve`` brings everything that follows from people up to date, and the graph is built anew.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from psycopg import Connection

from ingest.errors import UnknownAddress
from ingest.resolve import names, people
from ingest.resolve.names import Name


@dataclass(frozen=True, slots=True)
class Likely:
    """Two persons who may be one. ``a`` and ``b`` are their main addresses, ``messages`` how many counted messages each
    wrote or received: what a merge would put together. ``evidence`` says why."""

    a: str
    b: str
    name_a: str
    name_b: str
    messages: tuple[int, int]
    evidence: str


def merge(conn: Connection[Any], a: str, b: str) -> None:
    """Decide that two addresses are one person. Raises UnknownAddress."""
    _decide(conn, a, b, same=True)


def split(conn: Connection[Any], address: str) -> list[str]:
    """Decide that an address is not the person of the other addresses it is now put together with; returns those.
    Raises UnknownAddress."""
    _id(conn, address)
    rows = conn.execute(
        "SELECT b.address FROM mail.address a JOIN mail.person_address x ON x.address = a.id"
        " JOIN mail.person_address y USING (person) JOIN mail.address b ON b.id = y.address"
        " WHERE a.address = %s AND b.id <> a.id ORDER BY 1",
        (address.lower(),),
    )
    others = [other for (other,) in rows]
    for other in others:
        _decide(conn, address, other, same=False)
    return others


def undo(conn: Connection[Any], a: str, b: str) -> bool:
    """Take back what was decided about two addresses. Returns whether there was anything. Raises UnknownAddress."""
    pair = sorted((_id(conn, a), _id(conn, b)))
    return conn.execute("DELETE FROM mail.person_link WHERE by_hand AND a = %s AND b = %s", pair).rowcount > 0


def duplicates(conn: Connection[Any], limit: int = 100) -> list[Likely]:
    """Persons who bear one name and that no rule has joined, those with most mail first."""
    found: dict[int, tuple[str, str, int, set[Name]]] = {}
    for person, address, name, n, displays in conn.execute(_PERSONS):
        read = {known for display in (*(displays or ()), name) if (known := names.read(display))}
        found[person] = address, name, n, read
    apart = {frozenset(pair) for pair in conn.execute(_APART)}
    by_last: dict[str, set[int]] = defaultdict(set)
    for person, (_, _, _, read) in found.items():
        for known in read:
            by_last[known.last].add(person)
    likely = {}
    for bearers in by_last.values():
        for x, y in combinations(sorted(bearers, key=lambda person: found[person][0]), 2):
            evidence = _one_name(found[x][3], found[y][3])
            if evidence and frozenset((x, y)) not in apart:
                (a, name_a, n_a, _), (b, name_b, n_b, _) = found[x], found[y]
                likely[x, y] = Likely(a, b, name_a, name_b, (n_a, n_b), evidence)
    return sorted(likely.values(), key=lambda each: (-min(each.messages), -sum(each.messages), each.a, each.b))[:limit]


def _one_name(some: set[Name], others: set[Name]) -> str:
    for x in sorted(some, key=repr):
        for y in sorted(others, key=repr):
            if people.one_person(x, y) and min(len(x.first), len(y.first)) > 1:
                return f"both are called {' '.join((*x.given, x.last)).title()}"
    return ""


def _decide(conn: Connection[Any], a: str, b: str, *, same: bool) -> None:
    first, second = sorted((_id(conn, a), _id(conn, b)))
    conn.execute("DELETE FROM mail.person_link WHERE by_hand AND a = %s AND b = %s", (first, second))
    conn.execute(
        "INSERT INTO mail.person_link (a, b, same, rule, evidence, by_hand) VALUES (%s, %s, %s, 'by_hand', %s, true)",
        (first, second, same, "one person, decided by hand" if same else "two people, decided by hand"),
    )


def _id(conn: Connection[Any], address: str) -> int:
    row = conn.execute("SELECT id FROM mail.address WHERE address = %s", (address.strip().lower(),)).fetchone()
    if row is None:
        raise UnknownAddress(address)
    return int(row[0])


_PERSONS = """
WITH mails AS (
    SELECT m.sender AS address, m.id AS message FROM mail.message m WHERE m.counted AND m.sender IS NOT NULL
    UNION
    SELECT r.address, r.message FROM mail.recipient r JOIN mail.message m ON m.id = r.message WHERE m.counted
), used AS (
    SELECT pa.person, a.address, count(*) AS n
    FROM mails JOIN mail.person_address pa USING (address) JOIN mail.address a ON a.id = pa.address GROUP BY 1, 2
), main AS (
    SELECT DISTINCT ON (person) person, address FROM used ORDER BY person, n DESC, address
), person AS (
    SELECT pa.person, count(DISTINCT message)::integer AS n
    FROM mails JOIN mail.person_address pa USING (address) GROUP BY 1
)
SELECT p.id, u.address, p.name, w.n,
    (SELECT array_agg(DISTINCT n.name) FROM mail.person_address pa JOIN mail.address_name n ON n.address = pa.address
     WHERE pa.person = p.id)
FROM mail.person p JOIN person w ON w.person = p.id JOIN main u ON u.person = p.id
WHERE NOT p.is_role
"""

_APART = """
SELECT x.person, y.person FROM mail.person_link l
JOIN mail.person_address x ON x.address = l.a JOIN mail.person_address y ON y.address = l.b
WHERE l.by_hand AND NOT l.same
"""
