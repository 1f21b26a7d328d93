"""Queries to begin with on the query page: each shows something of its own and runs over any mailbox."""

from __future__ import annotations

from ui.console import Language

EXAMPLES: dict[Language, tuple[tuple[str, str], ...]] = {
    "cypher": (
        (
            "Who wrote to me most",
            "MATCH (p:Person)-[w:WROTE_TO]->(me:Person)\nWHERE me.is_owner = true AND p.is_owner = false\n"
            "RETURN p, w.n AS messages ORDER BY w.n DESC LIMIT 20",
        ),
        (
            "Who writes with whom, as a graph",
            "MATCH (a:Person)-[w:WROTE_TO]->(b:Person)\nWHERE a.is_owner = false AND b.is_owner = false\n"
            "RETURN a, w, b ORDER BY w.n DESC LIMIT 60",
        ),
        (
            "Longest conversations",
            "MATCH (t:Thread)\nRETURN t, t.messages AS messages, t.participants AS people\n"
            "ORDER BY t.messages DESC LIMIT 20",
        ),
        (
            "Who works where",
            "MATCH (p:Person)-[w:WORKS_AT]->(o:Organization)\nRETURN p, w, o ORDER BY w.n DESC LIMIT 60",
        ),
        (
            "Latest answers and what they answer",
            "MATCH (b:Message)-[r:REPLY_TO]->(a:Message)\nWHERE b.counted = true\n"
            "RETURN b, b.date AS date, r, a ORDER BY b.ts DESC LIMIT 25",
        ),
        (
            "Files and the mail they came with",
            "MATCH (m:Message)-[:HAS_ATTACHMENT]->(f:Attachment)\n"
            "RETURN m, f.name AS file, f.bytes AS bytes ORDER BY f.bytes DESC LIMIT 25",
        ),
    ),
    "sql": (
        ("Messages by month", "SELECT month, count(*) AS messages\nFROM messages GROUP BY month ORDER BY month"),
        (
            "Organisations that write most",
            "SELECT sender_domain, count(*) AS messages, count(DISTINCT sender) AS people\n"
            "FROM messages GROUP BY sender_domain ORDER BY messages DESC LIMIT 20",
        ),
        (
            "Written late at night",
            "SELECT message_id, date, sender, subject\nFROM messages WHERE extract(hour FROM date) >= 23\n"
            "ORDER BY date DESC LIMIT 25",
        ),
        (
            "Latest mail",
            "SELECT message_id, date, sender, subject, recipients\nFROM messages ORDER BY date DESC LIMIT 25",
        ),
        (
            "Conversations of many people",
            "SELECT thread_id, subject, messages, participants, first_date, last_date\n"
            "FROM threads ORDER BY participants DESC LIMIT 20",
        ),
        (
            "Largest files",
            "SELECT message_id, name, type, bytes, sender, date\nFROM attachments ORDER BY bytes DESC LIMIT 20",
        ),
    ),
}
