"""Gold Message-IDs become messages of this store; what is not here is named and left out, never scored as a miss.

A document id of a question is the Message-ID of any copy; for judgements over files it may also be the file's name
without its ending, which is how document collections name theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from retrieval.evaluation.questions import GoldQuestion


@dataclass(frozen=True)
class Gold:
    """A question with its groups as message ids of the store. ``threads``: the threads of each group."""

    question: GoldQuestion
    groups: tuple[frozenset[int], ...]
    grades: tuple[int, ...]
    also_ok: tuple[frozenset[int], ...]
    threads: tuple[frozenset[int], ...]


@dataclass
class Resolved:
    """``excluded``: {id, why} for each question, or part of one, that the store cannot answer for."""

    gold: list[Gold] = field(default_factory=list)
    excluded: list[dict[str, str]] = field(default_factory=list)


def resolve(conn: psycopg.Connection, questions: Sequence[GoldQuestion]) -> Resolved:
    """Finds the gold messages of all questions in one query."""
    wanted = sorted({name for q in questions for group in (*q.groups, *q.also_ok) for name in group})
    messages: dict[str, set[int]] = {}
    threads: dict[int, int] = {}
    for name, message, thread in conn.execute(_FIND, {"names": wanted}):
        messages.setdefault(name, set()).add(message)
        if thread is not None:
            threads[message] = thread
    result = Resolved()
    for question in questions:
        groups = [frozenset(m for name in group for m in messages.get(name, ())) for group in question.groups]
        present = [number for number, group in enumerate(groups) if group]
        missing = len(groups) - len(present)
        if groups and not present:
            why = "none of its gold messages is in the mailbox"
            result.excluded.append({"id": question.id, "why": why})
            continue
        if missing:
            why = f"{missing} of its {len(groups)} gold messages are not in the mailbox; scored over the others"
            result.excluded.append({"id": question.id, "why": why})
        kept = tuple(groups[number] for number in present)
        also = (frozenset(m for name in group for m in messages.get(name, ())) for group in question.also_ok)
        result.gold.append(
            Gold(
                question,
                kept,
                tuple(question.grades[number] for number in present),
                tuple(group for group in also if group),
                tuple(frozenset(threads[m] for m in group if m in threads) for group in kept),
            )
        )
    return result


# A key is "folder/name.eml" for files; names as (name, file's stem) are both looked up by equality.
_FIND = r"""
SELECT n.name, o.message, m.thread
FROM unnest(%(names)s::text[]) AS n(name)
JOIN mail.occurrence o ON o.message_id = n.name
JOIN mail.message m ON m.id = o.message
UNION
SELECT f.stem, f.message, m.thread
FROM (SELECT regexp_replace(regexp_replace(o.key, '^.*/', ''), '\.[^.]*$', '') AS stem, o.message
      FROM mail.occurrence o JOIN mail.source s ON s.id = o.source WHERE o.place_offset IS NULL OR o.key !~ '^\d+$') f
JOIN mail.message m ON m.id = f.message
WHERE f.stem = ANY(%(names)s)
"""
