"""Which messages are one conversation. Headers first; where they are missing, the subject under strict conditions.

1. References and In-Reply-To: everything that names, or is named by, the same Message-ID belongs together, also when
   the message of that id is not in the mailbox (the containers of Jamie Zawinski's algorithm, jwz.org/doc/threading).
2. The conversation that Outlook (first 22 bytes of Thread-Index) or Gmail (X-GM-THRID) says.
3. Messages that one quotes (ingest.resolve.quotes).
4. A message with a reply or forward mark that nothing else has placed follows the latest earlier message of the same
   subject that shares a participant and is at most 30 days older. A recurring report without marks therefore never
   becomes a thread, and a chain of such steps ends when it spans a year.

Every message carries the rule that joined it. The result does not depend on the order of anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg import Connection

SUBJECT_DAYS = 30
LONGEST_SUBJECT_CHAIN_DAYS = 365
DAY = 86_400


@dataclass(slots=True)
class Node:
    """What threads are made of. ``ids``: the Message-IDs of all copies; ``at``: epoch seconds or None;
    ``participants``: persons who wrote or received it; ``order``: breaks ties between messages of one second."""

    message: int
    ids: tuple[str, ...]
    at: float | None
    subject: str
    marked: bool
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    thread_index: bytes | None = None
    gm_thread: str | None = None
    participants: frozenset[int] = frozenset()
    order: str = ""


@dataclass(slots=True)
class Threads:
    """``thread``: message → smallest message of its thread; ``rule``: message → what joined it ("start" for the first);
    ``links``: the joining pairs; ``replies``: (message, parent, rule) for direct answers."""

    thread: dict[int, int] = field(default_factory=dict)
    rule: dict[int, str] = field(default_factory=dict)
    links: list[tuple[int, int, str]] = field(default_factory=list)
    replies: list[tuple[int, int, str]] = field(default_factory=list)


def join(
    nodes: Sequence[Node], quotes: Iterable[tuple[int, int]] = (), answered: Iterable[tuple[int, int]] = ()
) -> Threads:
    """Thread ``nodes``. ``quotes``: (message, a message it quotes), which join too; ``answered``: (message, the message
    whose quotation it answers), which stands in for headers that are missing."""
    nodes = sorted(nodes, key=_in_time)
    found = Threads()
    sets = _Sets(node.message for node in nodes)
    by_id: dict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        for id_ in node.ids:
            by_id[id_].append(node)
    found.replies = _replies(nodes, by_id, dict(answered))
    # Some programs give the same id to many mails. It says nothing then, but for the answer to the latest of them.
    ambiguous = {id_ for id_, bearers in by_id.items() if len(bearers) > 1}

    for message, parent, rule in found.replies:
        if sets.join(parent, message):
            found.links.append((parent, message, "quote" if rule == "quote" else "references"))
    for rule, keys in (("references", _mentioned), ("thread_index", _outlook), ("gm_thread", _gmail)):
        first: dict[object, int] = {}
        for node in nodes:
            for key in keys(node):
                if key in ambiguous:
                    continue
                other = first.setdefault(key, node.message)
                if other != node.message and sets.join(other, node.message):
                    found.links.append((other, node.message, rule))
    placed = {message for message, _, _ in found.replies}
    for message, quoted in sorted(quotes):
        placed.add(message)
        if sets.join(message, quoted):
            found.links.append((quoted, message, "quote"))
    _by_subject([node for node in nodes if node.message not in placed], nodes, sets, found.links)

    found.thread = {node.message: sets.find(node.message) for node in nodes}
    joined_by: dict[int, str] = {}
    for a, b, rule in found.links:
        joined_by.setdefault(b, rule)
        joined_by.setdefault(a, "")
    started: set[int] = set()
    for node in nodes:
        thread = found.thread[node.message]
        found.rule[node.message] = joined_by.get(node.message) or "" if thread in started else "start"
        started.add(thread)
    _name_the_rest(nodes, found)
    return found


def _replies(
    nodes: Sequence[Node], by_id: dict[str, list[Node]], answered: dict[int, int]
) -> list[tuple[int, int, str]]:
    """The message each message answers: In-Reply-To's, else the last of References, else the one it quotes. Cycles are
    cut where time runs backwards, since nobody answers what is not written yet."""
    parents: dict[int, tuple[int, str]] = {}
    for node in nodes:
        for rule, id_ in (
            *(("in_reply_to", i) for i in node.in_reply_to[:1]),
            *(("references", i) for i in node.references[-1:]),
        ):
            candidates = [other for other in by_id.get(id_, ()) if other.message != node.message]
            if candidates:
                earlier = [other for other in candidates if _in_time(other) <= _in_time(node)]
                parents[node.message] = (earlier[-1] if earlier else candidates[0]).message, rule
                break
        else:
            if node.message in answered and not node.in_reply_to and not node.references:
                parents[node.message] = answered[node.message], "quote"
    place = {node.message: i for i, node in enumerate(nodes)}
    for node in nodes:
        seen: list[int] = []
        message = node.message
        while message in parents and message not in seen:
            seen.append(message)
            message = parents[message][0]
        if message in parents:  # the walk came back to where it had been
            cycle = seen[seen.index(message) :]
            del parents[min(cycle, key=lambda each: place[each])]
    return [(message, parent, rule) for message, (parent, rule) in sorted(parents.items())]


def _by_subject(loose: Sequence[Node], nodes: Sequence[Node], sets: _Sets, links: list[tuple[int, int, str]]) -> None:
    """Join marked messages of ``loose``, which nothing surer has placed, to messages of ``nodes``."""
    waiting = {node.message for node in loose if node.marked}
    begins: dict[int, float] = {}
    ends: dict[int, float] = {}
    for node in nodes:
        if node.at is not None:
            root = sets.find(node.message)
            begins[root] = min(begins.get(root, node.at), node.at)
            ends[root] = max(ends.get(root, node.at), node.at)
    earlier: dict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        if not node.subject or node.at is None:
            continue
        if node.message in waiting:
            for other in reversed(earlier[node.subject]):
                assert other.at is not None
                if node.at - other.at > SUBJECT_DAYS * DAY:
                    break
                if not node.participants & other.participants:
                    continue
                a, b = sets.find(other.message), sets.find(node.message)
                if a == b:
                    break
                span = max(ends[a], ends[b]) - min(begins[a], begins[b])
                if span > LONGEST_SUBJECT_CHAIN_DAYS * DAY:
                    continue
                sets.join(other.message, node.message)
                links.append((other.message, node.message, "subject"))
                root = sets.find(node.message)
                begins[root], ends[root] = min(begins[a], begins[b]), max(ends[a], ends[b])
                break
        earlier[node.subject].append(node)


def _name_the_rest(nodes: Sequence[Node], found: Threads) -> None:
    """A message that another one was joined to, but that is not the first of its thread, takes that link's rule."""
    rules = {a: rule for a, _, rule in reversed(found.links)}
    for node in nodes:
        if not found.rule[node.message]:
            found.rule[node.message] = rules.get(node.message, "references")


def _mentioned(node: Node) -> Iterable[object]:
    return dict.fromkeys((*node.ids, *node.references, *node.in_reply_to))


def _outlook(node: Node) -> Iterable[object]:
    return (node.thread_index[:22],) if node.thread_index and len(node.thread_index) >= 22 else ()


def _gmail(node: Node) -> Iterable[object]:
    return (node.gm_thread,) if node.gm_thread else ()


def _in_time(node: Node) -> tuple[bool, float, str]:
    return node.at is None, node.at or 0.0, node.order


class _Sets:
    """Disjoint sets whose representative is their smallest member."""

    def __init__(self, members: Iterable[int]) -> None:
        self.parent = {member: member for member in members}

    def find(self, x: int) -> int:
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def join(self, a: int, b: int) -> bool:
        a, b = sorted((self.find(a), self.find(b)))
        self.parent[b] = a
        return a != b


def rebuild(conn: Connection[Any]) -> None:
    """Thread all stored messages: writes thread, thread_link, reply, message.thread and message.thread_rule."""
    nodes = [
        Node(
            message, tuple(ids), at, subject, marked, tuple(answers), tuple(refs), index, gm, frozenset(people), ids[0]
        )
        for message, ids, at, subject, marked, answers, refs, index, gm, people in conn.execute(_NODES)
    ]
    found = join(nodes, conn.execute(_JOINING_QUOTES).fetchall(), conn.execute(_QUOTED_PARENTS).fetchall())
    with conn.cursor() as cur:
        cur.execute("DELETE FROM mail.thread_link")
        with cur.copy("COPY mail.thread_link (a, b, rule) FROM STDIN") as copy:
            for link in dict.fromkeys(found.links):
                copy.write_row(link)
        cur.execute("DELETE FROM mail.reply")
        with cur.copy("COPY mail.reply (message, parent, rule) FROM STDIN") as copy:
            for reply in found.replies:
                copy.write_row(reply)
        cur.execute("CREATE TEMP TABLE threaded (message bigint PRIMARY KEY, thread bigint, rule text) ON COMMIT DROP")
        with cur.copy("COPY threaded FROM STDIN") as copy:
            for node in nodes:
                copy.write_row((node.message, found.thread[node.message], found.rule[node.message]))
        cur.execute("ANALYZE threaded")
        cur.execute(_WRITE_MESSAGES)
        cur.execute("DELETE FROM mail.thread")
        cur.execute(_WRITE_THREADS)
        cur.execute("DROP TABLE threaded")


_NODES = """
SELECT m.id, coalesce(o.ids, ARRAY[m.message_id]), extract(epoch FROM m.sent_at)::float8, m.subject_base,
    m.is_reply OR m.is_forward, m.in_reply_to, m.reference_ids, m.thread_index, m.gm_thread, coalesce(p.people, '{}')
FROM mail.message m
JOIN LATERAL (
    SELECT array_agg(message_id ORDER BY sent_at, message_id COLLATE "C") AS ids
    FROM mail.occurrence WHERE message = m.id
) AS o ON true
LEFT JOIN (
    SELECT message, array_agg(DISTINCT person) AS people FROM (
        SELECT r.message, pa.person FROM mail.recipient r JOIN mail.person_address pa ON pa.address = r.address
        UNION ALL
        SELECT s.id, pa.person FROM mail.message s JOIN mail.person_address pa ON pa.address = s.sender
    ) AS each GROUP BY 1
) AS p ON p.message = m.id
ORDER BY m.id
"""

# Words that nobody is named for may be what a periodical repeats; they join only what is an answer or a forward.
_JOINING_QUOTES = """
SELECT DISTINCT q.message, q.quoted FROM mail.quote q JOIN mail.message m ON m.id = q.message
WHERE q.quoted IS NOT NULL
    AND (m.is_reply OR m.is_forward OR q.rule <> 'words' AND (q.author_name <> '' OR q.author_address <> ''))
"""

# What a message answers is its outermost quotation; what a quoted message answers is what it quotes in turn.
_QUOTED_PARENTS = """
SELECT DISTINCT ON (q.container) q.container, q.quoted
FROM (
    SELECT CASE WHEN q.parent IS NULL THEN q.message ELSE outer_.quoted END AS container, q.quoted, q.message,
        q.position
    FROM mail.quote q LEFT JOIN mail.quote outer_ ON outer_.message = q.message AND outer_.position = q.parent
    WHERE q.quoted IS NOT NULL AND q.kind = 'quoted'
) AS q
JOIN mail.message m ON m.id = q.container JOIN mail.message p ON p.id = q.quoted
WHERE q.container <> q.quoted AND NOT m.is_forward
ORDER BY q.container, q.message <> q.container, p.sent_at DESC NULLS LAST, p.message_id COLLATE "C", q.position
"""

_WRITE_MESSAGES = """
UPDATE mail.message m SET thread = t.thread, thread_rule = t.rule
FROM threaded t
WHERE m.id = t.message AND (m.thread, m.thread_rule) IS DISTINCT FROM (t.thread, t.rule)
"""

_WRITE_THREADS = """
WITH who AS (
    SELECT t.thread, pa.person FROM threaded t
    JOIN mail.recipient r USING (message) JOIN mail.person_address pa ON pa.address = r.address
    UNION
    SELECT t.thread, pa.person FROM threaded t
    JOIN mail.message m ON m.id = t.message JOIN mail.person_address pa ON pa.address = m.sender
), participants AS (
    SELECT thread, count(*) AS n FROM who GROUP BY 1
)
INSERT INTO mail.thread (id, subject, messages, participants, first_at, last_at)
SELECT t.thread, (array_agg(m.subject ORDER BY m.sent_at NULLS LAST, m.message_id COLLATE "C"))[1], count(*),
    coalesce(min(p.n), 0), min(m.sent_at), max(m.sent_at)
FROM threaded t JOIN mail.message m ON m.id = t.message LEFT JOIN participants p ON p.thread = t.thread
GROUP BY t.thread
"""
