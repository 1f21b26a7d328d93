"""Quoted history as rows: blocks are linked to their messages, and messages known only from quotations are stored.

A recovered message has no occurrence, since no copy of it is there; it is marked, stands outside counts, and leaves
again when its original comes in.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

from psycopg import Connection

from ingest.resolve import names, quotes, recovered
from ingest.resolve.quotes import Block, Clock, Original
from ingest.resolve.who import Who
from ingest.subjects import read_subject

_EPOCH = datetime(1970, 1, 1)


@dataclass(slots=True)
class _Written:
    """How a block is written; what the rules do not need."""

    author_name: str
    author_address: str
    local_at: datetime | None
    subject: str
    recipients: list[tuple[str, str, str]]
    length: int
    digest: str


@dataclass(slots=True)
class _Recovered:
    """A message to store. ``sender`` and ``recipients`` are addresses (or names where nobody knows an address)."""

    key: bytes
    sender: str | None
    sender_name: str
    subject: str
    local_at: datetime | None
    sent_at: datetime | None
    recipients: list[tuple[str, str]]
    # the block whose text is the fullest
    fullest: Block
    blocks: list[Block] = field(default_factory=list)


def rebuild(conn: Connection[Any]) -> bool:
    """Write quote.quoted and quote.rule, and the recovered messages. Returns whether addresses came or went, so that
    people have to be computed again. Owners have to be known."""
    who = Who(conn)
    originals = [
        Original(id_, at, subject, person, names.fold(names.in_order(name)), bytes(mark))
        for id_, at, subject, person, name, mark in conn.execute(_ORIGINALS)
    ]
    blocks, written = _read_blocks(conn, who)
    clock = quotes.link(blocks, originals)
    found = [_compose(group, written, who, clock) for group in recovered.group(blocks)]
    return _write(conn, blocks, found)


def _read_blocks(conn: Connection[Any], who: Who) -> tuple[list[Block], dict[tuple[int, int], _Written]]:
    near: dict[int, set[int]] = defaultdict(set)
    for message, person in conn.execute(_NEAR):
        near[message].add(person)
    blocks, written = [], {}
    for (
        message, position, name, address, local_at, subject, recipients, length, digest, mark, at, bare, person, sender,
        owner,
    ) in conn.execute(_BLOCKS):  # fmt: skip
        shown = names.clean(name)
        authors = who.find(shown, address, near[message]) if shown or address else frozenset()
        local = (local_at - _EPOCH).total_seconds() if local_at else None
        base = read_subject(subject).base
        key = names.fold(names.in_order(shown)) if shown else address
        named = bool(shown or address)
        again = not owner and (person in authors or key == names.fold(names.in_order(sender)))
        blocks.append(
            Block(message, position, authors, key, named, local, base, at, bytes(mark), bare and (again or not named))
        )
        people = [(kind, where, names.clean(display)) for kind, where, display in recipients]
        written[message, position] = _Written(shown, address, local_at, subject, people, length, digest)
    return blocks, written


def _compose(group: Sequence[Block], written: dict[tuple[int, int], _Written], who: Who, clock: Clock) -> _Recovered:
    """One message out of its quotations: the fullest text, the best naming of everybody."""
    every = [(block, written[block.message, block.position]) for block in group]
    # the fullest text; of equal ones the first by content, so that the choice does not hang on numbering
    block, best = max(every, key=lambda each: (len(each[0].sketch), each[1].length, each[1].digest))
    sender_name = _most(names.in_order(w.author_name) for _, w in every if w.author_name)
    sender = _most(w.author_address for _, w in every if w.author_address)
    if not sender:
        persons = Counter(person for b, _ in every for person in b.authors)
        certain = [person for person, n in persons.items() if n == max(persons.values())]
        sender = who.address(certain[0]) if len(certain) == 1 else sender_name.lower()
    dated = [(b, w) for b, w in every if w.local_at is not None and b.local is not None]
    local_at = sent_at = None
    if dated:
        b, w = next((each for each in dated if each[0] is block), min(dated, key=lambda each: each[0].local or 0.0))
        assert b.local is not None
        local_at, sent_at = w.local_at, _utc(clock.moment(b.local))
    subject = best.subject or _most(w.subject for _, w in every if w.subject)
    _, fullest = max(every, key=lambda each: (len(each[1].recipients), str(each[1].recipients)))
    near = {person for b, _ in every for person in b.authors}
    reached = ((kind, _reach(who, address, name, near)) for kind, address, name in fullest.recipients)
    recipients = {(kind, address) for kind, address in reached if address}
    digest = hashlib.sha256(
        "\x00".join(("recovered", sender, subject, str(local_at), best.digest)).encode("utf-8", "replace")
    )
    return _Recovered(
        digest.digest(),
        sender or None,
        sender_name,
        subject,
        local_at,
        sent_at,
        sorted(recipients),
        block,
        list(group),
    )


def _reach(who: Who, address: str, name: str, near: set[int]) -> str:
    """The address of a recipient; the name where nobody known has it, "" where several people do."""
    if address:
        return address
    found = who.find(name, "", near)
    if found:
        return who.address(next(iter(found))) if len(found) == 1 else ""
    return names.in_order(name).lower() if names.read(name) else ""


def _most(values: Iterable[str]) -> str:
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], -len(value), value)) if counts else ""


def _utc(at: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=at)  # noqa: UP017


def _write(conn: Connection[Any], blocks: Sequence[Block], found: Sequence[_Recovered]) -> bool:
    unique = {message.key: message for message in found}
    with conn.cursor() as cur:
        cur.execute(
            "DELETE FROM mail.message WHERE recovered AND NOT content_key = ANY (%s)", ([bytes(key) for key in unique],)
        )
        cur.execute("SELECT content_key, id FROM mail.message WHERE recovered")
        stored = {bytes(key): id_ for key, id_ in cur.fetchall()}
        addresses = {m.sender for m in unique.values() if m.sender} | {
            a for m in unique.values() for _, a in m.recipients
        }
        cur.execute(
            "INSERT INTO mail.address (address, domain) SELECT a, nullif(substring(a FROM '@([^@]+)$'), '')"
            " FROM unnest(%s::text[]) AS a WHERE a <> '' ORDER BY a ON CONFLICT DO NOTHING",
            (sorted(addresses),),
        )
        came = cur.rowcount
        for message in unique.values():
            if message.key not in stored:
                stored[message.key] = _insert(cur, message)
        for message in found:
            for block in message.blocks:
                block.quoted, block.rule = stored[message.key], "recovered"
        cur.execute(
            "CREATE TEMP TABLE linked (message bigint, position integer, quoted bigint, rule text) ON COMMIT DROP"
        )
        with cur.copy("COPY linked FROM STDIN") as copy:
            for block in blocks:
                copy.write_row((block.message, block.position, block.quoted, block.rule or None))
        cur.execute(_WRITE_LINKS)
        cur.execute("DROP TABLE linked")
        cur.execute(_ORPHANS)
        return came + cur.rowcount > 0


def _insert(cur: Any, m: _Recovered) -> int:
    subject = read_subject(m.subject)
    cur.execute(
        _INSERT,
        {
            "key": m.key, "message_id": f"<{m.key.hex()[:40]}@recovered.invalid>", "sender": m.sender,
            "sender_name": m.sender_name, "subject": m.subject, "base": subject.base, "is_reply": subject.is_reply,
            "is_forward": subject.is_forward, "sent_at": m.sent_at, "local_at": m.local_at,
            "date_from": "quotation" if m.local_at else None, "sketch": m.fullest.sketch,
            "message": m.fullest.message, "position": m.fullest.position,
            "people": json.dumps(m.recipients),
        },
    )  # fmt: skip
    return int(cur.fetchone()[0])


_ORIGINALS = """
SELECT m.id, extract(epoch FROM m.sent_at)::float8, m.subject_base, pa.person, m.sender_name, m.sketch
FROM mail.message m LEFT JOIN mail.person_address pa ON pa.address = m.sender
WHERE NOT m.recovered
ORDER BY m.sent_at, m.message_id COLLATE "C", m.id
"""

_BLOCKS = """
SELECT q.message, q.position, q.author_name, q.author_address, q.local_at, q.subject, q.recipients, length(q.text),
    md5(q.text), q.sketch, extract(epoch FROM m.sent_at)::float8, m.sketch = '' AND q.position = 0, pa.person,
    m.sender_name, coalesce(p.is_owner, false)
FROM mail.quote q JOIN mail.message m ON m.id = q.message LEFT JOIN mail.person_address pa ON pa.address = m.sender
LEFT JOIN mail.person p ON p.id = pa.person
ORDER BY m.sent_at, m.message_id COLLATE "C", m.id, q.position
"""

_NEAR = """
SELECT DISTINCT each.message, pa.person FROM (
    SELECT r.message, r.address FROM mail.recipient r
    UNION ALL
    SELECT m.id, m.sender FROM mail.message m WHERE m.sender IS NOT NULL
) AS each
JOIN mail.person_address pa ON pa.address = each.address
WHERE EXISTS (SELECT 1 FROM mail.quote q WHERE q.message = each.message)
"""

_INSERT = """
WITH stored AS (
    INSERT INTO mail.message (content_key, message_id, sender, sender_name, subject, subject_base, is_reply, is_forward,
        sent_at, local_at, date_from, recovered, body, new_text, sketch)
    SELECT %(key)s::bytea, %(message_id)s::text, (SELECT id FROM mail.address WHERE address = %(sender)s::text),
        %(sender_name)s::text, %(subject)s::text, %(base)s::text, %(is_reply)s::boolean, %(is_forward)s::boolean,
        %(sent_at)s::timestamptz, %(local_at)s::timestamp, %(date_from)s::text, true, q.text, q.text, %(sketch)s::bytea
    FROM mail.quote q WHERE q.message = %(message)s AND q.position = %(position)s
    RETURNING id
), addressed AS (
    INSERT INTO mail.recipient (message, kind, address)
    SELECT DISTINCT s.id, p ->> 0, a.id
    FROM stored s, jsonb_array_elements(%(people)s::jsonb) AS p JOIN mail.address a ON a.address = p ->> 1
)
SELECT id FROM stored
"""

_WRITE_LINKS = """
UPDATE mail.quote q SET quoted = l.quoted, rule = l.rule FROM linked l
WHERE q.message = l.message AND q.position = l.position AND (q.quoted, q.rule) IS DISTINCT FROM (l.quoted, l.rule)
"""

# Addresses that only a recovered message knew, when that has gone.
_ORPHANS = """
WITH orphan AS (
    SELECT a.id FROM mail.address a
    WHERE NOT EXISTS (SELECT 1 FROM mail.message m WHERE m.sender = a.id)
      AND NOT EXISTS (SELECT 1 FROM mail.recipient r WHERE r.address = a.id)
      AND NOT EXISTS (SELECT 1 FROM mail.person_link l WHERE l.by_hand AND a.id IN (l.a, l.b))
), names AS (
    DELETE FROM mail.address_name n USING orphan o WHERE n.address = o.id
), links AS (
    DELETE FROM mail.person_link l USING orphan o WHERE o.id IN (l.a, l.b)
), persons AS (
    DELETE FROM mail.person_address p USING orphan o WHERE p.address = o.id
)
DELETE FROM mail.address a USING orphan o WHERE a.id = o.id
"""
