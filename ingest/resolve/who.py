"""Whom a quotation means by a name: the people of the mailbox, looked up by name or address."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set
from typing import Any

from psycopg import Connection

from ingest.resolve import names
from ingest.resolve.address import one_person
from ingest.resolve.names import Name


class Who:
    """The people who wrote or received mail, by every name and address under which they did."""

    def __init__(self, conn: Connection[Any]) -> None:
        self._by_address: dict[str, int] = {}
        self._by_last: dict[str, set[tuple[Name, int]]] = defaultdict(set)
        self._by_text: dict[str, set[int]] = defaultdict(set)
        self._main: dict[int, tuple[int, int, str]] = {}
        for id_, address, person, n, displays in conn.execute(_PEOPLE):
            self._by_address[address] = person
            self._main[person] = max(self._main.get(person, (0, 0, "")), (n, -id_, address))
            for display in displays or ():
                self._by_text[names.fold(names.in_order(display))].add(person)
                if name := names.read(display):
                    self._by_last[name.last].add((name, person))
            local = address.rpartition("@")[0].partition("+")[0]
            if not displays and (name := names.from_local_part(local)):
                self._by_last[name.last].add((name, person))

    def find(self, name: str, address: str, near: Set[int]) -> frozenset[int]:
        """The persons that may be meant; of several with that name those who are ``near``, in the same mail."""
        if address in self._by_address:
            return frozenset((self._by_address[address],))
        found = set(self._by_text.get(names.fold(names.in_order(name)), ())) if name else set()
        if not found and name and (wanted := names.read(name)):
            found = {person for known, person in self._by_last.get(wanted.last, ()) if one_person(known, wanted)}
        return frozenset(found & near or found)

    def address(self, person: int) -> str:
        """The address that a person used or was written to most."""
        return self._main[person][2]


# Addresses that stand in a header of a stored message, with how often they do.
_PEOPLE = """
WITH used AS (
    SELECT address, count(*) AS n FROM (
        SELECT sender AS address FROM mail.message WHERE NOT recovered AND sender IS NOT NULL
        UNION ALL
        SELECT r.address FROM mail.recipient r JOIN mail.message m ON m.id = r.message WHERE NOT m.recovered
    ) AS each GROUP BY 1
)
SELECT a.id, a.address, pa.person, u.n, d.names
FROM used u JOIN mail.address a ON a.id = u.address JOIN mail.person_address pa ON pa.address = a.id
LEFT JOIN (SELECT address, array_agg(name ORDER BY name) AS names FROM mail.address_name GROUP BY 1) AS d
    ON d.address = a.id
ORDER BY a.id
"""
