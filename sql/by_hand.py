"""What a person made by hand, taken out of a backup into a store that has mail already: decisions about people,
confirmed owners, judgements of labelling, and votes in blind comparisons.

All of it is matched by what does not change between machines: addresses, the name of a mailbox, Message-IDs, the words
of a question. Decisions about addresses that are not here yet are kept and hold as soon as their mail comes. What the
store knows already, or newer, stays. Runs of the evaluation are not taken over, since they were measured over another
store.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from sql.backup import Table, check, copy_in, read_manifest
from sql.store import Store

# pairs of addresses, and whether they are one person's
Said = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Taken:
    """How many came over that were not known."""

    decisions: int
    owners: int
    judgements: int
    votes: int


def take_over(store: Store, path: Path) -> Taken:
    """Takes over what is new. People, threads and graph follow with the next run of their parts. Raises NoBackup,
    BackupTooNew, BackupDamaged and StoreBusy; then nothing was written."""
    manifest = read_manifest(path)
    check(path, manifest)
    given = {table.name: table for table in manifest.tables}
    with store.writer_lock("restore"), store.owner() as conn, zipfile.ZipFile(path) as archive:
        for name in ("address", "person_link", "mailbox", "judgement", "vote"):
            _load(conn, archive, name, given.get(name))
        conn.execute(_ADDRESSES)
        decisions = _decide(conn)
        owners = conn.execute(_OWNERS).rowcount
        judgements = conn.execute(_JUDGEMENTS).rowcount
        votes = conn.execute(_VOTES).rowcount
    return Taken(decisions, owners, judgements, votes)


def _load(conn: psycopg.Connection, archive: zipfile.ZipFile, name: str, table: Table | None) -> None:
    """The table of the backup as a temporary one, its name behind ``given_``; empty where an older backup has none."""
    target = sql.Identifier(f"given_{name}")
    stored = sql.SQL(", ").join(map(sql.Identifier, table.types)) if table else sql.SQL("*")
    source = sql.Identifier("mail", name)
    conn.execute(
        sql.SQL("CREATE TEMP TABLE {} ON COMMIT DROP AS SELECT {} FROM {} WITH NO DATA").format(target, stored, source)
    )
    if table is not None:
        copy_in(conn, archive, name, sql.SQL("COPY {} ({}) FROM STDIN").format(target, stored))


def _decide(conn: psycopg.Connection) -> int:
    known = {said for _, said in _decisions(conn, sql.SQL("mail.person_link"), sql.SQL("mail.address"))}
    row = conn.execute(
        "SELECT coalesce(max(substring(rule FROM '[0-9]+')::integer), 0) FROM mail.person_link WHERE by_hand"
    ).fetchone()
    assert row is not None
    first = number = int(row[0])
    for rule, said in _decisions(conn, sql.SQL("given_person_link"), sql.SQL("given_address")):
        if said in known:
            continue
        number += 1
        conn.execute(_DECISION, {"rule": f"by_hand {number}", "given": rule})
    return number - first


def _decisions(conn: psycopg.Connection, links: sql.SQL, addresses: sql.SQL) -> list[tuple[str, Said]]:
    """Each decision's rule and what it says, in the order of deciding."""
    rows = conn.execute(sql.SQL(_ALL).format(links=links, addresses=addresses))
    return [(rule, frozenset(map(tuple, pairs))) for rule, pairs in rows.fetchall()]


_ALL = """
SELECT rule, array_agg(ARRAY[least(a.address, b.address), greatest(a.address, b.address), l.same::text])
FROM {links} l JOIN {addresses} a ON a.id = l.a JOIN {addresses} b ON b.id = l.b WHERE l.by_hand
GROUP BY rule ORDER BY min(l.at), substring(rule FROM '[0-9]+')::integer
"""

_ADDRESSES = """
INSERT INTO mail.address (address, domain, is_role)
SELECT DISTINCT g.address, g.domain, g.is_role FROM given_person_link l JOIN given_address g ON g.id IN (l.a, l.b)
WHERE l.by_hand ON CONFLICT (address) DO NOTHING
"""

_DECISION = """
INSERT INTO mail.person_link (a, b, same, rule, evidence, by_hand, at)
SELECT least(x.id, y.id), greatest(x.id, y.id), l.same, %(rule)s, l.evidence, true, l.at
FROM given_person_link l JOIN given_address a ON a.id = l.a JOIN given_address b ON b.id = l.b
JOIN mail.address x ON x.address = a.address JOIN mail.address y ON y.address = b.address
WHERE l.by_hand AND l.rule = %(given)s
"""

_OWNERS = """
INSERT INTO mail.mailbox AS known (name, owner_addresses, owner_confirmed)
SELECT name, owner_addresses, true FROM given_mailbox WHERE owner_confirmed
ON CONFLICT (name) DO UPDATE SET owner_addresses = excluded.owner_addresses, owner_confirmed = true
WHERE NOT known.owner_confirmed
"""

_JUDGEMENTS = """
INSERT INTO mail.judgement AS known (question, message_id, grade, at)
SELECT question, message_id, grade, at FROM given_judgement
ON CONFLICT (question, message_id) DO UPDATE SET grade = excluded.grade, at = excluded.at WHERE known.at < excluded.at
"""

_VOTES = """
INSERT INTO mail.vote AS known (question, columns, better, answers, at)
SELECT question, columns, better, answers, at FROM given_vote
ON CONFLICT (question, columns) DO UPDATE SET better = excluded.better, answers = excluded.answers, at = excluded.at
WHERE known.at < excluded.at
"""
