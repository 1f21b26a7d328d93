"""The people of a mailbox as a person looks for them: listed with their mail, and found by id, address or name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from ingest.errors import AmbiguousPerson, UnknownPerson
from ingest.resolve import names

# A name of two letters fits half of a mailbox: so many are shown of those it may mean.
CANDIDATES = 12


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody. ``addresses``: the most used first. ``sent`` and ``received``: counted messages. ``organization``:
    the domain of the most used address that belongs to one."""

    id: int
    name: str
    addresses: tuple[str, ...]
    sent: int
    received: int
    organization: str
    is_owner: bool
    is_role: bool

    def said(self) -> str:
        """Name and most used address."""
        main = self.addresses[0]
        return main if self.name in ("", main) else f"{self.name} <{main}>"


def known(conn: Connection[Any]) -> list[Known]:
    """Everybody, those with most mail first."""
    return [
        Known(id_, name, tuple(addresses), sent, received, organization or "", is_owner, is_role)
        for id_, name, addresses, sent, received, organization, is_owner, is_role in conn.execute(_KNOWN)
    ]


def named(people: list[Known], text: str) -> list[Known]:
    """Those whose name or address holds all words of ``text``, in their order."""
    words = names.fold(text).replace(",", " ").split()
    return [each for each in people if all(word in _searched(each) for word in words)]


def find(people: list[Known], text: str) -> Known:
    """The one whom an id, an address or a name means. Raises UnknownPerson, and AmbiguousPerson where a name may be
    that of several; a whole name goes before a part of one."""
    wanted = text.strip().lower()
    exact = [each for each in people if wanted in each.addresses or wanted == str(each.id)]
    whole = names.fold(names.in_order(text.strip()))
    found = exact or [each for each in people if whole and names.fold(each.name) == whole] or named(people, text)
    if not wanted or not found:
        raise UnknownPerson(text)
    if len(found) > 1:
        shown = [f"{each.id}  {each.said()}" for each in found[:CANDIDATES]]
        raise AmbiguousPerson(text, shown, len(found))
    return found[0]


def _searched(person: Known) -> str:
    return names.fold(" ".join((person.name, *person.addresses)))


_KNOWN = """
WITH sent AS (
    SELECT sender AS address, count(*) AS n FROM mail.message WHERE counted AND sender IS NOT NULL GROUP BY 1
), received AS (
    SELECT pa.person, count(DISTINCT r.message) AS n FROM mail.recipient r
    JOIN mail.message m ON m.id = r.message AND m.counted JOIN mail.person_address pa ON pa.address = r.address
    GROUP BY 1
), reached AS (
    SELECT r.address, count(*) AS n FROM mail.recipient r JOIN mail.message m ON m.id = r.message AND m.counted
    GROUP BY 1
), used AS (
    SELECT pa.person, a.address, o.domain, coalesce(s.n, 0) AS sent, coalesce(s.n, 0) + coalesce(r.n, 0) AS n
    FROM mail.person_address pa JOIN mail.address a ON a.id = pa.address LEFT JOIN mail.organization o
        ON o.id = a.organization
    LEFT JOIN sent s ON s.address = a.id LEFT JOIN reached r ON r.address = a.id
), person AS (
    SELECT person, array_agg(address ORDER BY n DESC, address) AS addresses, sum(sent)::integer AS sent,
        (array_agg(domain ORDER BY n DESC, address) FILTER (WHERE domain IS NOT NULL))[1] AS organization
    FROM used GROUP BY 1
)
SELECT p.id, p.name, w.addresses, w.sent, coalesce(r.n, 0)::integer, w.organization, p.is_owner, p.is_role
FROM mail.person p JOIN person w ON w.person = p.id LEFT JOIN received r ON r.person = p.id
ORDER BY w.sent + coalesce(r.n, 0) DESC, p.name, p.id
"""
