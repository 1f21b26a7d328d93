"""What the graph consists of: one table of vertices and edges that all the graph's other parts read.

Each label names the rows of ``mail`` it is made of; the columns of these rows are its properties. Building inserts
them, the incremental update inserts those of the touched keys again, and the text shown to a model is written from
the same table, so that none of the three can drift from the others.

The graph holds what headers prove and every message, whatever its kind: ``counted`` marks those that counts are
about (not known from quotations only, no draft, spam or trash). It holds no body text.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

# Times are epoch seconds (integers): the graph language has no dates. Message.date is the local clock of the header.


@dataclass(frozen=True)
class Vertex:
    """A kind of vertex. ``rows``: a SELECT whose column ``id`` is the row's id and whose columns are the properties,
    described in ``properties``. ``indexed``: properties with an index beside ``id``."""

    label: str
    meaning: str
    properties: dict[str, str]
    rows: str
    indexed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edge:
    """A kind of edge. ``rows``: a SELECT with ``a`` and ``b``, the ids at its start and end, then the properties."""

    label: str
    start: str
    end: str
    meaning: str
    properties: dict[str, str]
    rows: str


def _recipients(kind: str) -> str:
    return f"""
        SELECT DISTINCT ON (r.message, o.person) r.message AS a, o.person AS b, d.address, g.domain
        FROM mail.recipient r JOIN mail.person_address o USING (address) JOIN mail.address d ON d.id = r.address
        LEFT JOIN mail.organization g ON g.id = d.organization
        WHERE r.kind = '{kind}' ORDER BY r.message, o.person, r.address"""  # noqa: S608 - one of three words


_USED = {"address": "the address that was used", "domain": "its organisation's domain; absent for webmail"}
_COUNTED = {"n": "number of messages", "first": "epoch seconds of the first", "last": "epoch seconds of the last"}

VERTICES = (
    Vertex(
        "Person",
        "somebody who sent or received mail; all addresses of one person are one vertex",
        {
            "id": "integer",
            "name": "full name",
            "addresses": "list of e-mail addresses",
            "is_owner": "true for the owner of the mailbox",
            "is_role": "true for an office or a list instead of a person",
        },
        """
        SELECT p.id, p.name, o.addresses, p.is_owner, p.is_role
        FROM mail.person p JOIN (
            SELECT person, array_agg(d.address ORDER BY d.id) AS addresses
            FROM mail.person_address JOIN mail.address d ON d.id = person_address.address GROUP BY person
        ) o ON o.person = p.id""",
        ("name",),
    ),
    Vertex(
        "Organization",
        "a company or other body, known by its mail domain",
        {"id": "integer", "domain": "such as example.com", "name": "its name"},
        "SELECT g.id, g.domain, g.name FROM mail.organization g",
        ("domain",),
    ),
    Vertex(
        "Message",
        "one distinct mail, however many folders hold a copy",
        {
            "id": "integer",
            "ts": "epoch seconds",
            "date": "local date and time as text, such as 2001-10-31T09:05:00",
            "subject": "text",
            "thread_id": "id of its thread",
            "kind": "mail, automated, draft, spam, trash or chat",
            "recovered": "true when known only from a quotation",
            "counted": "true for the messages that counts are about",
            "characters": "length of its text",
        },
        """
        SELECT m.id, extract(epoch FROM m.sent_at)::bigint AS ts,
               to_char(m.local_at, 'YYYY-MM-DD"T"HH24:MI:SS') AS date, m.subject, m.thread AS thread_id, m.kind,
               m.recovered, m.counted, char_length(m.body) AS characters
        FROM mail.message m""",
        ("ts", "date"),
    ),
    Vertex(
        "Thread",
        "a conversation",
        {
            "id": "integer",
            "subject": "text",
            "messages": "number of messages",
            "participants": "number of people",
            "first": "epoch seconds of its first message",
            "last": "epoch seconds of its last message",
        },
        """
        SELECT t.id, t.subject, t.messages, t.participants, extract(epoch FROM t.first_at)::bigint AS first,
               extract(epoch FROM t.last_at)::bigint AS last
        FROM mail.thread t""",
    ),
    Vertex(
        "Attachment",
        "a file that came with a message",
        {"id": "integer", "name": "file name", "type": "MIME type", "bytes": "size", "sha256": "hash of its content"},
        "SELECT f.id, f.name, f.type, f.bytes, encode(f.sha256, 'hex') AS sha256 FROM mail.file f",
        ("name",),
    ),
    Vertex(
        "Label",
        "a folder or label of the mailbox",
        {"id": "integer", "name": "text"},
        "SELECT l.id, l.name FROM mail.label l",
        ("name",),
    ),
)

EDGES = (
    Edge(
        "SENT",
        "Person",
        "Message",
        "wrote it",
        _USED,
        """
        SELECT o.person AS a, m.id AS b, d.address, g.domain
        FROM mail.message m JOIN mail.person_address o ON o.address = m.sender JOIN mail.address d ON d.id = m.sender
        LEFT JOIN mail.organization g ON g.id = d.organization""",
    ),
    Edge("TO", "Message", "Person", "was addressed to", _USED, _recipients("to")),
    Edge("CC", "Message", "Person", "went in copy to", _USED, _recipients("cc")),
    Edge("BCC", "Message", "Person", "went in blind copy to", _USED, _recipients("bcc")),
    Edge(
        "REPLY_TO",
        "Message",
        "Message",
        "answers",
        {},
        "SELECT y.message AS a, y.parent AS b FROM mail.reply y",
    ),
    Edge(
        "QUOTES",
        "Message",
        "Message",
        "quotes or forwards",
        {},
        """
        SELECT DISTINCT q.message AS a, q.quoted AS b FROM mail.quote q
        WHERE q.quoted IS NOT NULL AND q.quoted <> q.message""",
    ),
    Edge(
        "IN_THREAD",
        "Message",
        "Thread",
        "belongs to the conversation",
        {"rule": "what joined it"},
        "SELECT m.id AS a, m.thread AS b, m.thread_rule AS rule FROM mail.message m WHERE m.thread IS NOT NULL",
    ),
    Edge(
        "HAS_ATTACHMENT",
        "Message",
        "Attachment",
        "carries",
        {},
        "SELECT f.message AS a, f.id AS b FROM mail.file f",
    ),
    Edge(
        "HAS_LABEL",
        "Message",
        "Label",
        "lies in",
        {},
        """
        SELECT DISTINCT c.message AS a, l.label AS b
        FROM mail.occurrence_label l JOIN mail.occurrence c ON c.id = l.occurrence""",
    ),
    Edge(
        "WORKS_AT",
        "Person",
        "Organization",
        "used an address of it in n counted messages",
        _COUNTED,
        """
        SELECT a, b, count(*) AS n, extract(epoch FROM min(at))::bigint AS first,
               extract(epoch FROM max(at))::bigint AS last
        FROM (
            SELECT DISTINCT o.person AS a, d.organization AS b, u.message, u.at
            FROM (
                SELECT m.sender AS address, m.id AS message, m.sent_at AS at FROM mail.message m WHERE m.counted
                UNION ALL
                SELECT r.address, m.id, m.sent_at FROM mail.recipient r JOIN mail.message m ON m.id = r.message
                WHERE m.counted
            ) u JOIN mail.person_address o USING (address) JOIN mail.address d ON d.id = u.address
            WHERE d.organization IS NOT NULL
        ) used GROUP BY a, b""",
    ),
    Edge(
        "WROTE_TO",
        "Person",
        "Person",
        "wrote n counted messages to (To, Cc or Bcc)",
        _COUNTED,
        """
        SELECT a, b, count(*) AS n, extract(epoch FROM min(at))::bigint AS first,
               extract(epoch FROM max(at))::bigint AS last
        FROM (
            SELECT DISTINCT s.person AS a, o.person AS b, m.id, m.sent_at AS at
            FROM mail.message m JOIN mail.person_address s ON s.address = m.sender
            JOIN mail.recipient r ON r.message = m.id JOIN mail.person_address o ON o.address = r.address
            WHERE m.counted
        ) wrote GROUP BY a, b""",
    ),
)

# The graph language of this version has no [:TO|CC|BCC]. RECIPIENT is their common parent table (table inheritance):
# it has no row of its own and a pattern over it finds the edges of all three.
RECIPIENT = "RECIPIENT"
RECIPIENT_OF = ("TO", "CC", "BCC")

# The number is raised when what stands beside the labels (graph.participation) changes.
FINGERPRINT = hashlib.sha256(repr((3, VERTICES, EDGES, RECIPIENT_OF)).encode()).hexdigest()[:16]


def describe() -> str:
    """The schema as text for a model or a help page: a line for each label with its properties."""
    lines = ["Vertices:"]
    for v in VERTICES:
        lines.append(f"(:{v.label} {{{_listed(v.properties)}}})  {v.meaning}")
    lines.append("Edges:")
    for e in EDGES:
        properties = f" {{{_listed(e.properties)}}}" if e.properties else ""
        lines.append(f"(:{e.start})-[:{e.label}{properties}]->(:{e.end})  {e.meaning}")
        if e.label == RECIPIENT_OF[-1]:
            lines.append(f"(:Message)-[:{RECIPIENT}]->(:Person)  any of {', '.join(RECIPIENT_OF)}")
    return "\n".join(lines)


def _listed(properties: dict[str, str]) -> str:
    return ", ".join(f"{name}: {meaning}" for name, meaning in properties.items())
