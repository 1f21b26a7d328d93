"""Questions over any mailbox whose right answers are computed, so that columns can be measured without labelling.

Values come from SQL over the ordinary tables, written here and sharing nothing with the queries that answer
questions: a fault in those cannot hide itself. A question is dropped when its value hangs on a reading that its
words do not fix (ties, automated senders, Bcc, names that two people bear).
"""

from __future__ import annotations

import random
from collections.abc import Callable

import psycopg

from retrieval.evaluation.generate import hops, lists, mentions, numbers
from retrieval.evaluation.generate.box import Box, Made

ATTEMPTS = 12
MAKERS: tuple[Callable[[Box], Made | None], ...] = (*numbers.MAKERS, *lists.MAKERS, *mentions.MAKERS, *hops.MAKERS)


def generate(conn: psycopg.Connection, n: int, *, seed: int = 1, prefix: str = "G") -> list[dict[str, object]]:
    """At most ``n`` questions in the format of question files, all kinds in turn; ``seed`` chooses people, months,
    words and wording. Fewer when the mailbox has not enough to ask about."""
    box = Box(conn, random.Random(seed))  # noqa: S311 - a choice of questions, nothing secret
    made: list[Made] = []
    texts: set[str] = set()
    idle = 0
    while len(made) < n and idle < ATTEMPTS:
        idle += 1
        for maker in MAKERS:
            one = maker(box)
            if one is not None and one.text not in texts and len(made) < n:
                texts.add(one.text)
                made.append(one)
                idle = 0
    return [one.to_json(f"{prefix}{number:03}", box) for number, one in enumerate(made, 1)]
