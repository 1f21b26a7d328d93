"""Messages as a person reads them: a line in a list, or the whole with its history folded.

Read by the reader's login. The text is what the tables hold; nothing here turns it into HTML.
"""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

import psycopg

from retrieval.quoted import instructs

SNIPPET = 220
LOOKED_AT = 8_000  # characters of a message in which orders to a program are looked for
# What hidden text is called; everything else is history, with the line above it that says who wrote when.
CALLED = {"signature": "signature", "disclaimer": "disclaimer", "list_footer": "list footer"}


@dataclass(frozen=True)
class Headline:
    """A message as a line of a list. ``snippet``: the part that matched, else the beginning, on one line; it names the
    attachment that it stands in. ``instructs``: its text seems to give instructions to a program."""

    id: int
    message_id: str
    subject: str
    sender: str
    local_at: datetime | None
    snippet: str
    thread: int | None
    recovered: bool
    kind: str
    attachments: int
    instructs: bool = False


@dataclass(frozen=True)
class Piece:
    """A part of a body: ``hidden`` is None for new text, else what it is called."""

    text: str
    hidden: str | None


@dataclass(frozen=True)
class File:
    """An attachment as it is named in the mail. ``bytes``: its decoded size; ``id``: of mail.attachment."""

    name: str
    type: str
    bytes: int
    id: int = 0


@dataclass(frozen=True)
class FullMessage:
    """A whole message. ``recipients``: to, cc and bcc, each a list of texts. ``places``: where its copies lie."""

    headline: Headline
    sender_address: str
    recipients: Mapping[str, list[str]]
    pieces: tuple[Piece, ...]
    files: tuple[File, ...]
    labels: tuple[str, ...]
    places: tuple[str, ...]
    thread_messages: int


def headlines(
    conn: psycopg.Connection, ids: Iterable[int], spans: Mapping[int, tuple[int, int]] | None = None
) -> dict[int, Headline]:
    """The lines of these messages by id. ``spans``: the part of the new text, or of an attachment's
    behind it, that matched, where one did."""
    wanted, spans = list(ids), spans or {}
    starts = [spans.get(one, (0, 0))[0] for one in wanted]
    rows = conn.execute(
        """
        SELECT m.id, m.message_id, m.subject, coalesce(nullif(m.sender_name, ''), p.name, a.address, 'unknown sender'),
               m.local_at, substr(mail.searched_text(m.id, m.new_text), w.start + 1, %s), m.thread, m.recovered, m.kind,
               (SELECT count(*) FROM mail.attachment t WHERE t.message = m.id), w.start,
               (SELECT coalesce(nullif(t.name, ''), 'without a name') FROM mail.chunk c
                JOIN mail.attachment t ON t.id = c.attachment WHERE c.message = m.id AND c.start = w.start LIMIT 1),
               left(m.new_text, %s)
        FROM unnest(%s::bigint[], %s::int[]) AS w(id, start)
        JOIN mail.message m ON m.id = w.id
        LEFT JOIN mail.address a ON a.id = m.sender
        LEFT JOIN mail.person_address pa ON pa.address = a.id
        LEFT JOIN mail.person p ON p.id = pa.person
        """,
        (SNIPPET * 2, LOOKED_AT, wanted, starts),
    ).fetchall()
    return {
        row[0]: Headline(
            row[0],
            row[1],
            _subject(row[2]),
            row[3],
            row[4],
            (f"in attachment {row[11]}: " if row[11] else "") + _snippet(row[5], row[10] > 0),
            row[6],
            row[7],
            row[8],
            row[9],
            instructs(f"{row[3]}\n\n{row[2]}\n\n{row[12]}"),
        )
        for row in rows
    }


def by_message_id(conn: psycopg.Connection, message_ids: Iterable[str]) -> dict[str, int]:
    """Ids of the store for Message-IDs of any copy."""
    rows = conn.execute(
        "SELECT message_id, min(message) FROM mail.occurrence WHERE message_id = ANY(%s) GROUP BY 1",
        (list(message_ids),),
    ).fetchall()
    return {row[0]: row[1] for row in rows}


def full(conn: psycopg.Connection, message: int) -> FullMessage | None:
    """The whole message, or None when there is none with this id."""
    return fulls(conn, [message]).get(message)


def fulls(conn: psycopg.Connection, ids: Sequence[int]) -> dict[int, FullMessage]:
    """Whole messages by id; of ids that are not there nothing."""
    lines = headlines(conn, ids)
    wanted = (list(lines),)
    recipients: dict[int, dict[str, list[str]]] = {one: {"to": [], "cc": [], "bcc": []} for one in lines}
    for message, kind, address, name in conn.execute(_RECIPIENTS, wanted):
        recipients[message][kind].append(f"{name} <{address}>" if name and name.lower() != address else address)
    files = _grouped(conn, _FILES, wanted)
    labels = _grouped(conn, _LABELS, wanted)
    places = _grouped(conn, _PLACES, wanted)
    return {
        row[0]: FullMessage(
            headline=lines[row[0]],
            sender_address=row[3],
            recipients=recipients[row[0]],
            pieces=pieces(row[1], row[2]),
            files=tuple(File(*one) for one in files[row[0]]),
            labels=tuple(one[0] for one in labels[row[0]]),
            places=tuple(one[0] for one in places[row[0]]),
            thread_messages=row[4],
        )
        for row in conn.execute(_BODIES, wanted)
    }


def pieces(body: str, hidden: Iterable[tuple[int, int, str]]) -> tuple[Piece, ...]:
    """The body cut at its hidden spans (start, stop, kind: ascending, not overlapping), in order, nothing left out.

    Adjacent spans that are called the same become one piece, so that ten quoted lines are folded once.
    """
    cut: list[Piece] = []
    position = 0
    for start, stop, kind in hidden:
        called = CALLED.get(kind, "history")
        between = body[position:start]
        if between.strip() or (between and not cut):
            cut.append(Piece(between, None))
            between = ""
        if cut and cut[-1].hidden == called:
            cut[-1] = Piece(cut[-1].text + between + body[start:stop], called)
        else:
            cut.append(Piece(between + body[start:stop], called))
        position = stop
    if body[position:]:
        cut.append(Piece(body[position:], None))
    return tuple(piece for piece in cut if piece.text)


def _grouped(
    conn: psycopg.Connection, query: LiteralString, wanted: tuple[list[int]]
) -> defaultdict[int, list[tuple[Any, ...]]]:
    """The rows behind their first column, a message."""
    found: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for message, *rest in conn.execute(query, wanted):
        found[message].append(tuple(rest))
    return found


def _subject(text: str) -> str:
    return " ".join(text.split()) or "(no subject)"


def _snippet(text: str, begins_inside: bool) -> str:
    """One line of at most SNIPPET characters, cut at a word."""
    flat = re.sub(r"\s+", " ", text).strip()
    if len(flat) > SNIPPET:
        ends = [match.start() for match in re.finditer(" ", flat)]
        place = bisect.bisect_right(ends, SNIPPET) - 1
        flat = flat[: ends[place] if place >= 0 else SNIPPET] + "…"
    return f"…{flat}" if begins_inside and flat else flat


_BODIES = """
SELECT m.id, m.body, m.hidden, coalesce(a.address, ''), coalesce(t.messages, 1)
FROM mail.message m LEFT JOIN mail.address a ON a.id = m.sender LEFT JOIN mail.thread t ON t.id = m.thread
WHERE m.id = ANY(%s)
"""

_RECIPIENTS = """
SELECT r.message, r.kind, a.address, coalesce(p.name, '')
FROM mail.recipient r JOIN mail.address a ON a.id = r.address
LEFT JOIN mail.person_address pa ON pa.address = a.id LEFT JOIN mail.person p ON p.id = pa.person
WHERE r.message = ANY(%s) ORDER BY r.message, r.kind, p.name, a.address
"""

_FILES = """
SELECT DISTINCT ON (message, part, sha256) message, name, type, bytes, id FROM mail.attachment
WHERE message = ANY(%s) ORDER BY message, part, sha256
"""

_LABELS = """
SELECT DISTINCT o.message, l.name FROM mail.occurrence o JOIN mail.occurrence_label ol ON ol.occurrence = o.id
JOIN mail.label l ON l.id = ol.label WHERE o.message = ANY(%s) ORDER BY 1, 2
"""

_PLACES = """
SELECT o.message, s.path || ' · ' || o.key FROM mail.occurrence o JOIN mail.source s ON s.id = o.source
WHERE o.message = ANY(%s) ORDER BY 1, 2
"""
