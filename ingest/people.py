"""What a person decides about people by hand: these are one, this address is another's, take that back.

A decision is a set of rows of mail.person_link that no rule touches, one for each pair of addresses it is about, under
a number of its own; of several decisions about a pair the latest holds. So it stands through every later ingest, and
taking it back brings back what held before it. After a decision ``ingest.resolve.resolve`` brings everything that
follows from people up to date, and the graph follows the tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from ingest.errors import OneAddress, SamePerson, UnknownDecision
from ingest.known_people import Known


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. ``number`` names it for ``undo``; ``what`` says it in words."""

    number: int
    what: str


def merge(conn: Connection[Any], a: Known, b: Known) -> Decision:
    """Decide that two persons are one. Raises SamePerson where they are one already."""
    if a.id == b.id:
        raise SamePerson(a.said())
    pairs = [(x, y) for x in a.addresses for y in b.addresses]
    return _decide(conn, pairs, same=True, what=f"{a.said()} and {b.said()} are one person")


def split(conn: Connection[Any], person: Known, address: str) -> Decision:
    """Decide that ``address``, one of ``person``'s, is somebody else's. Raises OneAddress where it is the only one."""
    others = [each for each in person.addresses if each != address]
    if not others:
        raise OneAddress(address)
    return _decide(conn, [(address, other) for other in others], same=False, what=f"{address} is not {person.name}")


def undo(conn: Connection[Any], number: int | None = None) -> Decision:
    """Take back the decision with this number, by default the latest. Raises UnknownDecision."""
    known = decisions(conn)
    found = [each for each in known if number in (None, each.number)]
    if not found:
        raise UnknownDecision(number, [each.number for each in known])
    conn.execute("DELETE FROM mail.person_link WHERE by_hand AND rule = %s", (_rule(found[-1].number),))
    return found[-1]


def decisions(conn: Connection[Any]) -> list[Decision]:
    """What was decided and not taken back, the latest last."""
    rows = conn.execute(
        "SELECT substring(rule FROM '[0-9]+')::integer, min(evidence) FROM mail.person_link WHERE by_hand"
        " GROUP BY 1 ORDER BY 1"
    )
    return [Decision(number, what) for number, what in rows]


def _decide(conn: Connection[Any], pairs: Iterable[tuple[str, str]], *, same: bool, what: str) -> Decision:
    number = max((each.number for each in decisions(conn)), default=0) + 1
    first, second = zip(*pairs, strict=True)
    conn.execute(
        "INSERT INTO mail.person_link (a, b, same, rule, evidence, by_hand, at)"
        # later than every other decision, whatever was done to the clock in between
        " SELECT least(x.id, y.id), greatest(x.id, y.id), %s, %s, %s, true, greatest(clock_timestamp(),"
        " (SELECT max(at) + interval '1 microsecond' FROM mail.person_link WHERE by_hand))"
        " FROM unnest(%s::text[], %s::text[]) AS p (a, b)"
        " JOIN mail.address x ON x.address = p.a JOIN mail.address y ON y.address = p.b",
        (same, _rule(number), what, list(first), list(second)),
    )
    return Decision(number, what)


def _rule(number: int) -> str:
    return f"by_hand {number}"
