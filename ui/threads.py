"""A conversation as a tree: who answered whom, in the order of reading, with what joined each message to it.

A message stands under the one that it answers; where only a rule joined it (the same subject, a quotation), under the
message that the rule joined it to. What neither places stands at the root.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import psycopg


@dataclass(frozen=True)
class Node:
    """A message in the tree. ``rule``: what joined it to the thread; ``answers``: the message it is under because it
    answers it; ``level``: how many it is under. ``rails``: for each level between the first and its own whether a later
    message stands there; ``last``: none stands on its own level under the same message."""

    id: int
    sender: int | None
    rule: str
    recovered: bool
    answers: int | None
    level: int
    rails: tuple[bool, ...]
    last: bool


@dataclass(frozen=True)
class Participant:
    """A person of the thread with the number of messages of it that are theirs (0: only received)."""

    id: int
    name: str
    wrote: int


@dataclass(frozen=True)
class Thread:
    """A conversation. ``nodes`` in the order of reading; ``first`` and ``last`` on the senders' clocks."""

    id: int
    subject: str
    nodes: tuple[Node, ...]
    participants: tuple[Participant, ...]
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True)
class Quotation:
    """Where a recovered message stands: in ``message``, of ``sender``."""

    message: int
    message_id: str
    sender: str
    local_at: datetime | None


def find(conn: psycopg.Connection, thread: int | None, message: str | None) -> tuple[int | None, set[int]]:
    """The thread that an address means, and the messages in it that it points to.

    ``message`` is a Message-ID or the number of a message; different mails may bear one Message-ID, and then
    ``thread`` tells which is meant. (None, nothing) when there is no such message or thread.
    """
    if message is not None:
        found = conn.execute(_MEANT, {"text": message, "id": _number(message)}).fetchall()
        threads = {row[1] for row in found}
        chosen = thread if thread in threads else min(threads, default=None)
        return chosen, {row[0] for row in found if row[1] == chosen}
    row = conn.execute("SELECT id FROM mail.thread WHERE id = %s", (thread,)).fetchone()
    return (row[0] if row else None), set()


def ids(conn: psycopg.Connection, given: Iterable[str]) -> set[int]:
    """The messages of a parameter of the address: numbers with commas between, or Message-IDs."""
    found: set[int] = set()
    for text in given:
        numbers = [_number(part) for part in text.split(",")]
        if None not in numbers:
            found.update(number for number in numbers if number is not None)
        else:
            found.update(row[0] for row in conn.execute(_MEANT, {"text": text, "id": None}))
    return found


def thread(conn: psycopg.Connection, number: int) -> Thread:
    """The conversation of that number."""
    rows = conn.execute(_MESSAGES, (number,)).fetchall()
    replies: dict[int, int] = dict(conn.execute(_REPLIES, (number,)).fetchall())
    links: dict[int, int] = {}
    for earlier, later in conn.execute(_LINKS, (number,)):
        links.setdefault(later, earlier)
    times = [row[4] for row in rows if row[4] is not None]
    subject = conn.execute("SELECT subject FROM mail.thread WHERE id = %s", (number,)).fetchone()
    return Thread(
        id=number,
        subject=(" ".join(subject[0].split()) if subject else "") or "(no subject)",
        nodes=tuple(_ordered(rows, replies, links)),
        participants=tuple(Participant(*row) for row in conn.execute(_PARTICIPANTS, (number, number))),
        first=min(times, default=None),
        last=max(times, default=None),
    )


def quotations(conn: psycopg.Connection, recovered: Sequence[int]) -> dict[int, list[Quotation]]:
    """The messages in which each recovered message is quoted, the earliest first."""
    found: dict[int, list[Quotation]] = defaultdict(list)
    for quoted, *rest in conn.execute(_QUOTATIONS, (list(recovered),)):
        found[quoted].append(Quotation(*rest))
    return found


def _ordered(rows: Sequence[tuple[Any, ...]], replies: dict[int, int], links: dict[int, int]) -> Iterable[Node]:
    """Depth first, the answers of a message in time. No recursion: a chain of answers may be long."""
    known = {row[0]: row for row in rows}
    parents: dict[int, int] = {}
    for message in known:
        parent = replies.get(message, links.get(message))
        if parent is not None and parent in known and not _leads_to(parent, message, parents):
            parents[message] = parent
    placed: set[int] = set()
    children: dict[int | None, list[int]] = defaultdict(list)
    for message in known:  # in time; what has no date stands where the first of its answers does
        at: int | None = message
        while at is not None and at not in placed:
            placed.add(at)
            children[parents.get(at)].append(at)
            at = parents.get(at)
    open_ = [_Waiting(root, 0, (), place == 0) for place, root in enumerate(reversed(children[None]))]
    while open_:
        next_ = open_.pop()
        id_, sender, rule, recovered, _ = known[next_.message]
        answers = replies.get(id_)
        yield Node(
            id_, sender, rule, recovered, answers if answers in known else None, next_.level, next_.rails, next_.last
        )
        below = (*next_.rails, not next_.last) if next_.level else ()
        open_ += [
            _Waiting(child, next_.level + 1, below, place == 0) for place, child in enumerate(reversed(children[id_]))
        ]


class _Waiting(NamedTuple):
    message: int
    level: int
    rails: tuple[bool, ...]
    last: bool


def _leads_to(start: int, message: int, parents: dict[int, int]) -> bool:
    at: int | None = start
    while at is not None:
        if at == message:
            return True
        at = parents.get(at)
    return False


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 19 else None


_MEANT = """
SELECT m.id, m.thread FROM mail.message m WHERE m.message_id = %(text)s
UNION SELECT m.id, m.thread FROM mail.occurrence o JOIN mail.message m ON m.id = o.message
WHERE o.message_id = %(text)s
UNION SELECT m.id, m.thread FROM mail.message m WHERE m.id = %(id)s
"""

_MESSAGES = """
SELECT m.id, m.sender, coalesce(m.thread_rule, ''), m.recovered, m.local_at
FROM mail.message m WHERE m.thread = %s ORDER BY m.sent_at NULLS LAST, m.message_id COLLATE "C", m.id
"""

_REPLIES = """
SELECT DISTINCT ON (r.message) r.message, r.parent
FROM mail.reply r JOIN mail.message m ON m.id = r.message JOIN mail.message p ON p.id = r.parent
WHERE m.thread = %s ORDER BY r.message, p.sent_at DESC NULLS LAST, r.parent
"""

_LINKS = """
SELECT l.a, l.b FROM mail.message m JOIN mail.thread_link l ON l.a = m.id
WHERE m.thread = %s ORDER BY l.b, l.a
"""

_PARTICIPANTS = """
WITH part AS (
    SELECT m.id, m.sender AS address, true AS wrote FROM mail.message m WHERE m.thread = %s
    UNION ALL
    SELECT m.id, r.address, false FROM mail.message m JOIN mail.recipient r ON r.message = m.id
    WHERE m.thread = %s
)
SELECT p.id, p.name, count(DISTINCT part.id) FILTER (WHERE wrote) AS n
FROM part JOIN mail.person_address pa USING (address) JOIN mail.person p ON p.id = pa.person
GROUP BY p.id ORDER BY n DESC, p.name, p.id
"""

_QUOTATIONS = """
SELECT DISTINCT q.quoted, q.message, m.message_id,
    coalesce(nullif(m.sender_name, ''), p.name, a.address, 'unknown sender'), m.local_at
FROM mail.quote q JOIN mail.message m ON m.id = q.message
LEFT JOIN mail.address a ON a.id = m.sender LEFT JOIN mail.person_address pa ON pa.address = a.id
LEFT JOIN mail.person p ON p.id = pa.person
WHERE q.quoted = ANY(%s) AND NOT m.recovered ORDER BY q.quoted, m.local_at, q.message
"""
