"""Persons who are likely one and whom no rule has joined, with what speaks for it and what a merge would do."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from psycopg import Connection

from ingest.known_people import Known, known
from ingest.resolve import names
from ingest.resolve.address import one_person
from ingest.resolve.identity import DECIDED
from ingest.resolve.names import Name


@dataclass(frozen=True, slots=True)
class Likely:
    """Two persons who may be one. ``messages``: counted messages each wrote or received; ``joined``: how many one
    person of both would have. ``evidence`` says why."""

    a: Known
    b: Known
    messages: tuple[int, int]
    joined: int
    evidence: str


def duplicates(conn: Connection[Any], limit: int = 100) -> list[Likely]:
    """Persons who bear one name, those with most mail first. Whom somebody decided to be two is not asked again."""
    by_id = {person.id: person for person in known(conn) if not person.is_role and person.sent + person.received}
    borne: dict[int, set[Name]] = {id_: set(filter(None, [names.read(each.name)])) for id_, each in by_id.items()}
    for person, display in conn.execute(_DISPLAYS):
        if person in by_id and (read := names.read(display)):
            borne[person].add(read)
    apart = {frozenset(pair) for pair in conn.execute(_APART)}
    by_last: dict[str, set[int]] = defaultdict(set)
    for person, read_names in borne.items():
        for name in read_names:
            by_last[name.last].add(person)
    found = {}
    for bearers in by_last.values():
        for x, y in combinations(sorted(bearers, key=lambda each: by_id[each].addresses[0]), 2):
            if (x, y) not in found and frozenset((x, y)) not in apart and (why := _one_name(borne[x], borne[y])):
                found[x, y] = why
    pairs = sorted(((by_id[x], by_id[y], why) for (x, y), why in found.items()), key=_little_mail)
    return [
        Likely(a, b, (effect(conn, a), effect(conn, b)), effect(conn, a, b), why)
        for a, b, why in reversed(pairs[-limit:])
    ]


def effect(conn: Connection[Any], *persons: Known) -> int:
    """How many counted messages these persons wrote or received, each counted once."""
    row = conn.execute(_MESSAGES, {"addresses": [address for each in persons for address in each.addresses]}).fetchone()
    assert row is not None
    return int(row[0])


def _little_mail(pair: tuple[Known, Known, str]) -> tuple[int, int, str]:
    a, b = (person.sent + person.received for person in pair[:2])
    return min(a, b), a + b, pair[0].addresses[0]


def _one_name(some: set[Name], others: set[Name]) -> str:
    for x in sorted(some, key=repr):
        for y in sorted(others, key=repr):
            if one_person(x, y) and min(len(x.first), len(y.first)) > 1:
                first, second = (" ".join((*name.given, name.last, name.suffix)).strip().title() for name in (x, y))
                return f"both are called {first}" if first == second else f"{first} may be {second}"
    return ""


_DISPLAYS = "SELECT pa.person, n.name FROM mail.person_address pa JOIN mail.address_name n USING (address)"

# Pairs of persons of whom the latest decision about a pair of their addresses says that they are two.
_APART = f"""
SELECT x.person, y.person FROM ({DECIDED}) AS l
JOIN mail.person_address x ON x.address = l.a JOIN mail.person_address y ON y.address = l.b
WHERE NOT l.same
"""  # noqa: S608 - a constant

_MESSAGES = """
WITH theirs AS (SELECT id FROM mail.address WHERE address = ANY (%(addresses)s))
SELECT count(*) FROM (
    SELECT m.id FROM mail.message m JOIN theirs t ON t.id = m.sender WHERE m.counted
    UNION
    SELECT m.id FROM mail.recipient r JOIN theirs t ON t.id = r.address JOIN mail.message m ON m.id = r.message
    WHERE m.counted
) AS each
"""
