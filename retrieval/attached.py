"""Hits whose words stand in an attachment, and in which: what is cited is the message and the file.

The texts of attachments stand behind the new text of the message that carries them (mail.searched_text), so the part of
a message that matched tells by its place whether it is one of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import psycopg

from retrieval.types import Hit

UNNAMED = "without a name"


def with_attachments(conn: psycopg.Connection[Any], hits: Sequence[Hit]) -> list[Hit]:
    """The same hits, each with the name of the attachment in which its words were found, where they were."""
    found = {hit.message: hit.span[0] for hit in hits if hit.span is not None}
    names = dict(
        conn.execute(
            """
            SELECT DISTINCT c.message, coalesce(nullif(a.name, ''), %s)
            FROM unnest(%s::bigint[], %s::int[]) AS h (message, start)
            JOIN mail.chunk c ON c.message = h.message AND c.start = h.start
            JOIN mail.attachment a ON a.id = c.attachment
            """,
            (UNNAMED, list(found), list(found.values())),
        ).fetchall()
    )
    return [replace(hit, attachment=names.get(hit.message)) for hit in hits]
