"""What the model reads of a community: who, when, the most frequent subjects, and texts spread over its time.

Everything comes from mail and its headers, so all of it stands between fences. A community that was split is described
by the summaries of its parts instead of texts, so that each text is read for one summary alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg

from graph.analytics import Community
from retrieval.fence import fenced, letter, line
from retrieval.prompt import cut
from retrieval.text import messages

TOKENS = 900  # of the whole: some seconds of reading on two cores
PEOPLE = 8
SUBJECTS = 10
SUBJECT_CHARACTERS = 90
TEXTS = 7
SHORTEST_TEXT = 40  # characters; a thank-you says nothing of what it is about
SHORTEST_SHARE = 40  # tokens


@dataclass(frozen=True)
class Period:
    """``start`` <= local date < ``end``; an open side is None."""

    start: date | None = None
    end: date | None = None


ALWAYS = Period()


@dataclass(frozen=True)
class Figures:
    """A community's messages in a period: how many, from the first day to the last, their most frequent subjects."""

    messages: int
    first: date | None
    last: date | None
    subjects: tuple[tuple[str, int], ...]

    @property
    def span(self) -> str:
        """From the first day to the last, in words."""
        if self.first is None:
            return "no dates"
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


def read(
    conn: psycopg.Connection[Any],
    community: Community,
    parts: Sequence[Community],
    count_tokens: Callable[[str], int],
    budget: int = TOKENS,
) -> str:
    """The fenced material about ``community`` in at most about ``budget`` tokens. ``parts``: those it was split into
    that have summaries."""
    head = about(conn, community, figures(conn, community.id))
    spent = count_tokens(head)
    blocks = [head]
    if parts:
        texts = [f"Part: {line(str(one.name))}, {one.messages:,} messages. {line(str(one.summary))}" for one in parts]
    else:
        ids = spread(conn, community.id, TEXTS)
        known = messages(conn, ids)
        texts = [letter(known[one].header, known[one].new_text) for one in ids if one in known]
    for number, text in enumerate(texts):
        share = (budget - spent) // (len(texts) - number)
        if share < SHORTEST_SHARE:
            break
        shown, used = cut(text, share, count_tokens)
        blocks.append(shown)
        spent += used
    return fenced("mail", "\n\n".join(blocks))


def about(conn: psycopg.Connection[Any], community: Community, known: Figures) -> str:
    """The people, numbers and subjects of a community, as lines."""
    names = [line(name) for name in people(conn, community)]
    more = len(community.people) - len(names)
    subjects = "".join(f"\n- {line(subject)[:SUBJECT_CHARACTERS]} ({n})" for subject, n in known.subjects)
    return (
        f"People: {', '.join(names)}{f' and {more} more' if more > 0 else ''}\n"
        f"{known.messages:,} messages, {known.span}\nMost frequent subjects:{subjects or ' none'}"
    )


def people(conn: psycopg.Connection[Any], community: Community, most: int = PEOPLE) -> list[str]:
    """Names of the members, those with most mail among the others first."""
    ids = list(community.people[:most])
    known = dict(conn.execute("SELECT id, name FROM mail.person WHERE id = ANY(%s)", (ids,)).fetchall())
    return [str(known[one]) for one in ids if known.get(one)]


def message_ids(conn: psycopg.Connection[Any], community: int, period: Period = ALWAYS) -> list[int]:
    """Ids of the messages of a community in a period."""
    values = {"community": community, "start": period.start, "end": period.end}
    return [row[0] for row in conn.execute(f"SELECT m.id {_MESSAGES}", values)]


def figures(conn: psycopg.Connection[Any], community: int, period: Period = ALWAYS) -> Figures:
    """Counts the messages of a community in a period."""
    values = {"community": community, "start": period.start, "end": period.end}
    row = conn.execute(f"SELECT count(*), min(m.local_at)::date, max(m.local_at)::date {_MESSAGES}", values).fetchone()
    assert row is not None
    subjects = conn.execute(
        "SELECT min(m.subject) FILTER (WHERE m.subject <> '') AS said, count(*) "
        f"{_MESSAGES} AND m.subject_base <> '' GROUP BY m.subject_base "
        f"ORDER BY bool_and(m.kind = 'automated'), count(*) DESC, m.subject_base LIMIT {SUBJECTS}",
        values,
    ).fetchall()
    return Figures(row[0], row[1], row[2], tuple((said, n) for said, n in subjects if said))


def spread(conn: psycopg.Connection[Any], community: int, most: int, period: Period = ALWAYS) -> list[int]:
    """Ids of at most ``most`` messages spread over the community's time in a period, oldest first.

    Its conversations, by time, are cut into so many stretches, and the longest of each is there with its first text.
    Automated mail is there only where there is nothing else."""
    rows = conn.execute(
        f"""
        SELECT id, automated, n FROM (
            SELECT DISTINCT ON (m.thread) m.id, m.sent_at, m.kind = 'automated' AS automated,
                   count(*) OVER (PARTITION BY m.thread) AS n
            {_MESSAGES} AND length(m.new_text) >= %(shortest)s
            ORDER BY m.thread, m.kind = 'automated', m.sent_at NULLS LAST, m.id
        ) first_of_thread ORDER BY sent_at NULLS LAST, id
        """,  # noqa: S608 - clauses of our own
        {"community": community, "start": period.start, "end": period.end, "shortest": SHORTEST_TEXT},
    ).fetchall()
    rows = [row for row in rows if not row[1]] or rows
    if len(rows) <= most:
        return [row[0] for row in rows]
    stretches = [rows[len(rows) * k // most : len(rows) * (k + 1) // most] for k in range(most)]
    return [max(stretch, key=lambda row: row[2])[0] for stretch in stretches]


_MESSAGES = """
FROM mail.community_message c JOIN mail.message m ON m.id = c.message
WHERE c.community = %(community)s AND (%(start)s::date IS NULL OR m.local_at >= %(start)s)
  AND (%(end)s::date IS NULL OR m.local_at < %(end)s)
"""
