"""Questions to begin with, a few of each kind, about the mail that is really in the store.

Somebody in front of an empty box does not know what can be asked. The fictional mailbox has written questions; for
other mail they are made from its own people, organisations, threads and months.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

WRITTEN = Path(__file__).with_name("demo") / "questions.jsonl"
A_KIND = 2

KINDS = {
    "aggregate_count": "Counting",
    "aggregate_rank": "Ranking",
    "list_all": "All of something",
    "negation": "What is missing",
    "multi_hop": "Step by step",
    "mention_count": "Mentions",
    "mention_list": "Mentions",
    "lookup": "What was said",
    "entity": "Who and what",
    "multi_message": "Across messages",
    "thread": "How it was decided",
    "summary": "In short",
    "unanswerable": "Not in the mailbox",
}


@dataclass(frozen=True)
class Example:
    """A question with the kind it stands for, in words."""

    kind: str
    text: str


def written() -> list[Example]:
    """The questions of the fictional mailbox, at most two of each kind; none where the file is missing."""
    if not WRITTEN.is_file():
        return []
    chosen: dict[str, list[Example]] = {}
    for line in WRITTEN.read_text(encoding="utf-8").splitlines():
        if line.strip():
            question = json.loads(line)
            kind = KINDS.get(question["kind"], str(question["kind"]).replace("_", " "))
            of_kind = chosen.setdefault(kind, [])
            if len(of_kind) < A_KIND and len(question["question"]) <= 110:
                of_kind.append(Example(kind, question["question"]))
    return [example for of_kind in chosen.values() for example in of_kind]


def made_from(conn: psycopg.Connection) -> list[Example]:
    """Questions about the people, organisations, threads and months of this store."""
    return list(_questions(conn))


def _questions(conn: psycopg.Connection) -> Iterator[Example]:
    people = _names(conn, _CORRESPONDENTS)
    yield Example("Ranking", "Who wrote to me most?")
    yield Example("Ranking", "Which organisations do I exchange most mail with?")
    if people:
        yield Example("Counting", f"How many messages did {people[0]} send to me?")
    if month := next(iter(_names(conn, _BUSIEST_MONTH)), None):
        yield Example("Counting", f"How many messages were sent in {month}?")
    if len(people) > 1:
        yield Example("All of something", f"List the messages from {people[1]} with an attachment.")
        yield Example("Step by step", f"Who else wrote in the threads in which {people[1]} took part?")
    if domain := next(iter(_names(conn, _ORGANISATION)), None):
        yield Example("All of something", f"Who at {domain} has written to me?")
    if subject := next(iter(_names(conn, _LONG_THREAD)), None):
        yield Example("How it was decided", f'What was decided in the thread "{subject}"?')
    if len(people) > 2:
        yield Example("What was said", f"What did {people[2]} ask me to do?")
    yield Example("Mentions", "Which messages mention an invoice?")
    yield Example("Not in the mailbox", "What is the password of the coffee machine?")


def _names(conn: psycopg.Connection, query: str) -> list[str]:
    return [str(row[0]) for row in conn.execute(query.encode())]


_CORRESPONDENTS = """
SELECT p.name
FROM mail.message m JOIN mail.person_address pa ON pa.address = m.sender JOIN mail.person p ON p.id = pa.person
WHERE m.counted AND m.kind = 'mail' AND NOT p.is_owner AND NOT p.is_role AND p.name LIKE '% %'
GROUP BY p.id, p.name ORDER BY count(*) DESC, p.id LIMIT 3
"""
_ORGANISATION = """
SELECT o.domain
FROM mail.message m JOIN mail.address a ON a.id = m.sender JOIN mail.organization o ON o.id = a.organization
WHERE m.counted AND m.kind = 'mail' AND NOT EXISTS (
    SELECT FROM mail.person p JOIN mail.person_address pa ON pa.person = p.id JOIN mail.address b ON b.id = pa.address
    WHERE p.is_owner AND b.organization = o.id)
GROUP BY o.id, o.domain ORDER BY count(*) DESC, o.id LIMIT 1
"""
_BUSIEST_MONTH = """
SELECT to_char(date_trunc('month', local_at), 'FMMonth YYYY') FROM mail.message
WHERE counted AND kind = 'mail' AND local_at IS NOT NULL GROUP BY date_trunc('month', local_at)
ORDER BY count(*) DESC LIMIT 1
"""
_LONG_THREAD = """
SELECT t.subject FROM mail.thread t JOIN mail.message m ON m.id = t.id
WHERE t.messages BETWEEN 4 AND 30 AND m.kind = 'mail' AND length(t.subject) BETWEEN 12 AND 60
ORDER BY t.participants DESC, t.messages DESC, t.id LIMIT 1
"""
