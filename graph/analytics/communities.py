"""Communities: people who write each other more than others, at several levels, with an identity that lasts.

Hierarchical Leiden (Traag, Waltman, van Eck, From Louvain to Leiden, 2019) over the mutual weight of each pair. Found
communities are matched with the kept ones, so that a few new messages do not make everything new: whoever writes
summaries of them redoes only those whose people or messages are others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from graspologic_native import hierarchical_leiden
from psycopg.rows import tuple_row

# A community of more people is split further.
LARGEST = 60
_SEED = 20010101

# Two people, the smaller id first, and the weight of their mail both ways.
Pair = tuple[int, int, float]


@dataclass(frozen=True, slots=True)
class Community:
    """``level`` 0 is the coarsest; ``parent``: the community of the level above that was split, None at level 0.
    ``members``: (person, weight of their mail with other members; a mail to
    three people has a weight of 1/3 with each), most first. ``messages``: those that belong to it.
    ``content``: hash of its people and messages. ``name``, ``summary``, ``model``, ``summarised_at``: what a model
    wrote about it; ``due``: never written, or about another content."""

    id: int
    level: int
    parent: int | None
    messages: int
    content: bytes
    name: str | None
    summary: str | None
    model: str | None
    summarised_at: datetime | None
    due: bool
    members: tuple[tuple[int, float], ...]

    @property
    def people(self) -> tuple[int, ...]:
        """The members' ids."""
        return tuple(person for person, _ in self.members)


def read(conn: psycopg.Connection[Any]) -> list[Community]:
    """The kept communities, coarse levels first, those with more people first."""
    rows = conn.cursor(row_factory=tuple_row).execute(
        """
        SELECT m.people, m.weights, c.id, c.level, c.parent, c.messages, c.content_sha256, c.name, c.summary,
               c.summary_model, c.summarised_at, c.summary_of_sha256 IS DISTINCT FROM c.content_sha256
        FROM mail.community c JOIN (
            SELECT community, array_agg(person ORDER BY weight DESC, person) AS people,
                   array_agg(weight ORDER BY weight DESC, person) AS weights
            FROM mail.community_member GROUP BY community
        ) m ON m.community = c.id
        ORDER BY c.level, c.people DESC, c.messages DESC, c.id
        """
    )
    return [Community(*(*row[2:], tuple(zip(row[0], row[1], strict=True)))) for row in rows]


def messages_of(conn: psycopg.Connection[Any], community: int) -> list[int]:
    """Ids of the messages that belong to a community, oldest first. At each level a message belongs to one."""
    rows = conn.execute(
        "SELECT m.id FROM mail.community_message c JOIN mail.message m ON m.id = c.message WHERE c.community = %s "
        "ORDER BY m.sent_at NULLS LAST, m.id",
        (community,),
    )
    return [row[0] for row in rows]


def keep_summary(conn: psycopg.Connection[Any], community: Community, name: str, summary: str, model: str) -> bool:
    """Writes what a model said about ``community`` as it was read. False when it is gone meanwhile; when it has
    changed, the summary is kept and stays due."""
    return bool(
        conn.execute(
            "UPDATE mail.community SET name = %s, summary = %s, summary_model = %s, summary_of_sha256 = %s, "
            "summarised_at = clock_timestamp() WHERE id = %s",
            (name, summary, model, community.content, community.id),
        ).rowcount
    )


@dataclass(frozen=True, slots=True)
class Found:
    """A community as found: ``parent`` is its parent's place in the list."""

    level: int
    parent: int | None
    members: dict[int, float]


def find(pairs: Sequence[Pair], *, largest: int = LARGEST) -> list[Found]:
    """Communities of the graph of ``pairs`` (person, other person, weight), coarse ones first. Those of level 0 are a
    partition of the people; those with the same parent are a partition of its people. The same pairs in the same order
    give the same communities."""
    if not pairs:
        return []
    edges = [(str(a), str(b), weight) for a, b, weight in pairs]
    people: dict[tuple[int, int], list[int]] = defaultdict(list)
    parents: dict[tuple[int, int], tuple[int, int] | None] = {}
    of_person: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for entry in hierarchical_leiden(edges, max_cluster_size=largest, iterations=2, seed=_SEED):
        key = (entry.level, entry.cluster)
        people[key].append(int(entry.node))
        parents[key] = None if entry.parent_cluster is None else (entry.level - 1, entry.parent_cluster)
        of_person[int(entry.node)].add(key)
    weights: dict[tuple[int, int], dict[int, float]] = {key: dict.fromkeys(some, 0.0) for key, some in people.items()}
    for a, b, weight in pairs:
        for key in of_person[a] & of_person[b]:
            weights[key][a] += weight
            weights[key][b] += weight
    order = sorted(people, key=lambda key: (key[0], -len(people[key]), min(people[key])))
    place = {key: number for number, key in enumerate(order)}
    return [Found(key[0], None if (parent := parents[key]) is None else place[parent], weights[key]) for key in order]


def compute(conn: psycopg.Connection[Any], pairs: Sequence[Pair]) -> None:
    """Finds the communities and writes them in the place of the kept ones."""
    found = find(pairs)
    conn.execute(
        "CREATE TEMP TABLE found (nr int PRIMARY KEY, id bigint, level int, parent int, people int) ON COMMIT DROP;"
        "CREATE TEMP TABLE found_member (nr int, level int, person bigint, weight float8) ON COMMIT DROP;"
        "CREATE TEMP TABLE found_message (nr int, level int, message bigint) ON COMMIT DROP;"
    )
    with conn.cursor().copy("COPY found (nr, level, parent, people) FROM STDIN") as copy:
        for nr, one in enumerate(found):
            copy.write_row((nr, one.level, one.parent, len(one.members)))
    with conn.cursor().copy("COPY found_member FROM STDIN") as copy:
        for nr, one in enumerate(found):
            for person, weight in one.members.items():
                copy.write_row((nr, one.level, person, weight))
    conn.execute("ANALYZE found_member")
    conn.execute(_TAKES_PART)
    for level in range(max((one.level for one in found), default=-1) + 1):
        conn.execute(_ASSIGN, {"level": level})
    conn.execute(_IDENTIFY)
    conn.execute(_WRITE)


_TAKES_PART = """
CREATE TEMP TABLE takes_part ON COMMIT DROP AS
SELECT m.id AS message, o.person FROM mail.message m JOIN mail.person_address o ON o.address = m.sender
JOIN found_member f ON f.person = o.person AND f.level = 0 WHERE m.counted
UNION
SELECT m.id, o.person FROM mail.message m JOIN mail.recipient r ON r.message = m.id
JOIN mail.person_address o ON o.address = r.address
JOIN found_member f ON f.person = o.person AND f.level = 0 WHERE m.counted;
ANALYZE takes_part;
"""

# The community with most of a message's people; among equals that of the person with the smallest id.
_ASSIGN = """
INSERT INTO found_message
SELECT DISTINCT ON (t.message) f.nr, %(level)s, t.message
FROM takes_part t JOIN found_member f ON f.person = t.person AND f.level = %(level)s JOIN found c ON c.nr = f.nr
WHERE c.parent IS NULL OR EXISTS (SELECT FROM found_message u WHERE u.message = t.message AND u.nr = c.parent)
GROUP BY t.message, f.nr ORDER BY t.message, count(*) DESC, min(t.person)
"""

# A kept community goes on when more than half of the people of both are in both: no other of its level can then say
# the same of it, since communities of a level have nobody in common.
_IDENTIFY = """
UPDATE found SET id = k.id FROM (
    SELECT f.nr, c.id, c.people, count(*) AS common
    FROM found_member f JOIN mail.community_member m ON m.person = f.person
    JOIN mail.community c ON c.id = m.community AND c.level = f.level GROUP BY 1, 2, 3
) k WHERE k.nr = found.nr AND 2 * k.common > found.people + k.people - k.common;
UPDATE found SET id = n.id FROM (
    SELECT nr, nextval(pg_get_serial_sequence('mail.community', 'id')) AS id
    FROM (SELECT nr FROM found WHERE id IS NULL ORDER BY nr) x
) n WHERE n.nr = found.nr;
"""

_WRITE = """
DELETE FROM mail.community_message;
DELETE FROM mail.community_member;
DELETE FROM mail.community c WHERE NOT EXISTS (SELECT FROM found f WHERE f.id = c.id);
INSERT INTO mail.community (id, level, parent, people, messages, members_sha256, messages_sha256)
SELECT f.id, f.level, p.id, f.people, coalesce(s.n, 0), m.hash, coalesce(s.hash, sha256(''))
FROM found f LEFT JOIN found p ON p.nr = f.parent
JOIN (
    SELECT nr, sha256(convert_to(string_agg(person::text, ',' ORDER BY person), 'UTF8')) AS hash
    FROM found_member GROUP BY nr
) m ON m.nr = f.nr
LEFT JOIN (
    SELECT u.nr, count(*) AS n, sha256(string_agg(m.content_key, ''::bytea ORDER BY m.content_key)) AS hash
    FROM found_message u JOIN mail.message m ON m.id = u.message GROUP BY u.nr
) s ON s.nr = f.nr
ON CONFLICT (id) DO UPDATE SET level = excluded.level, parent = excluded.parent, people = excluded.people,
    messages = excluded.messages, members_sha256 = excluded.members_sha256,
    messages_sha256 = excluded.messages_sha256;
INSERT INTO mail.community_member SELECT f.id, m.person, m.weight FROM found_member m JOIN found f USING (nr);
INSERT INTO mail.community_message SELECT f.id, u.message FROM found_message u JOIN found f USING (nr);
"""
