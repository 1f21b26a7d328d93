"""A message that is known only from a quotation is found through the message that quotes it.

Its words have chunks of their own, so that a search finds them; what a person can open and cite is the mail that
carries them, the earliest one. The hit is that mail, and remembers whose words matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from retrieval.columns.base import Found


def carried(conn: psycopg.Connection[Any], found: Sequence[Found]) -> list[Found]:
    """The ranking with each recovered message replaced by the earliest message that quotes it; each message once, at
    its best place."""
    carriers = dict(
        conn.execute(
            """
            SELECT DISTINCT ON (r.id) r.id, q.message
            FROM mail.message r JOIN mail.quote q ON q.quoted = r.id JOIN mail.message m ON m.id = q.message
            WHERE r.id = ANY(%s) AND r.recovered AND NOT m.recovered AND m.kind NOT IN ('draft', 'spam', 'trash')
            ORDER BY r.id, m.sent_at NULLS LAST, m.id
            """,
            ([f.message for f in found],),
        ).fetchall()
    )
    out: dict[int, Found] = {}
    for f in found:
        carrier = carriers.get(f.message)
        if carrier is not None:
            f.quoted, f.message, f.span = f.message, carrier, None
        known = out.get(f.message)
        if known is None:
            out[f.message] = f
        else:
            known.found_by += [b for b in f.found_by if b not in known.found_by]
    return list(out.values())
