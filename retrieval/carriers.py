"""Words that stand in a message only as a quotation.

A message that is known only from a quotation has chunks of its own, so that a search finds its words; what a person can
open and cite is the mail that carries them, the earliest one. A message that is there itself is the hit, and the mail
that quotes it holds its words too. Either way a quotation counts less than words of one's own (``QUOTED``), and the hit
remembers whose words matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import psycopg

from retrieval.columns.base import Found
from retrieval.types import FoundBy

QUOTED = 0.9
QUOTING = 2  # messages that quote a hit, at most


def carried(conn: psycopg.Connection[Any], found: Sequence[Found], weight: float = 1.0) -> list[Found]:
    """The ranking with each recovered message replaced by the earliest message that quotes it, its score times
    ``weight``; each message once, at its best place."""
    return _best([_carry(f, carriers, weight) for carriers in [_carriers(conn, found)] for f in found])


def with_quoting(conn: psycopg.Connection[Any], found: Sequence[Found], weight: float = QUOTED) -> list[Found]:
    """The same, and the messages that quote a hit follow it with its score times ``weight``."""
    rows = conn.execute(
        """
        SELECT h.id, q.message FROM unnest(%s::bigint[]) AS h (id)
        JOIN mail.message h_m ON h_m.id = h.id AND NOT h_m.recovered
        CROSS JOIN LATERAL (
            SELECT DISTINCT q.message, m.sent_at FROM mail.quote q JOIN mail.message m ON m.id = q.message
            WHERE q.quoted = h.id AND m.counted ORDER BY m.sent_at NULLS LAST, q.message LIMIT %s
        ) q
        """,
        ([f.message for f in found], QUOTING),
    ).fetchall()
    quoting: dict[int, list[int]] = {}
    for hit, message in rows:
        quoting.setdefault(hit, []).append(message)
    carriers = _carriers(conn, found)
    out = []
    for rank, f in enumerate(found, 1):
        for message in quoting.get(f.message, ()):
            out.append(Found(message, f.score * weight, [FoundBy(f"quotes #{rank}", rank)]))
        out.append(_carry(f, carriers, weight))
    return _best(out)


def _carriers(conn: psycopg.Connection[Any], found: Sequence[Found]) -> dict[int, int]:
    rows = conn.execute(
        """
        SELECT DISTINCT ON (r.id) r.id, q.message
        FROM mail.message r JOIN mail.quote q ON q.quoted = r.id JOIN mail.message m ON m.id = q.message
        WHERE r.id = ANY(%s) AND r.recovered AND NOT m.recovered AND m.kind NOT IN ('draft', 'spam', 'trash')
        ORDER BY r.id, m.sent_at NULLS LAST, m.id
        """,
        ([f.message for f in found],),
    ).fetchall()
    return dict(rows)


def _carry(f: Found, carriers: dict[int, int], weight: float) -> Found:
    carrier = carriers.get(f.message)
    if carrier is None:
        return f
    return replace(f, message=carrier, quoted=f.message, span=None, score=f.score * weight)


def _best(found: list[Found]) -> list[Found]:
    """By score, each message once with all the ways in which it was found."""
    out: dict[int, Found] = {}
    for f in sorted(found, key=lambda f: -f.score):
        known = out.setdefault(f.message, f)
        if known is not f:
            known.found_by += [b for b in f.found_by if b not in known.found_by]
    return list(out.values())
