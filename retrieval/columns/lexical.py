"""Column ``lexical``: the words of the question in the words of the mail, by BM25.

Robertson and Walker's BM25: rare words count more, long texts are not preferred (which Postgres' own ``ts_rank`` does
not see to). Twice: over chunks, which hold new text and header lines and say which passage it is; and with half of the
weight over whole messages with all that they quote, since who answers leaves the words of the matter to the
quotation. Both rankings are fused by rank. It is strong on mail, where names of deals, products and places are rare
words. It fails where the question says it in other words than the mail, and where the answer is a count or an absence.
On servers without BM25 the full-text index of Postgres ranks chunks instead; the trace says which one did.
"""

from __future__ import annotations

from typing import Any

import psycopg

from retrieval.carriers import with_quoting
from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.columns.vector import best_of_message
from retrieval.fusion import fuse
from retrieval.planner.languages import detect
from retrieval.planner.tokens import tokenize
from retrieval.types import FoundBy, Question, Retrieved
from sql.bm25 import WHOLE, exists

NEAREST = 40
WHOLE_WEIGHT = 0.5


class Lexical:
    """BM25 over chunks."""

    name = "lexical"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """The messages of the best chunks."""
        trace = Trace()
        with self.tools.store.reader() as conn:
            found = fuse(search(conn, self.tools, question, trace), [1.0, WHOLE_WEIGHT])
        note = "" if found else "no message holds any of the question's words"
        return Retrieved(hits(found, limit), trace=trace.steps, outcome_note=note)


def search(
    conn: psycopg.Connection[Any], tools: Tools, question: Question, trace: Trace, n: int = NEAREST
) -> tuple[list[Found], list[Found]]:
    """The best messages by their best chunk, and by all their text (nothing without BM25), best first."""
    words = query_words(question.text)
    with trace.step("search", words) as notes:
        chunks = bm25(conn, words, n) if tools.store.has_bm25 else full_text(conn, words, n)
        found = with_quoting(conn, best_of_message(chunks, "lexical"))
        index = "BM25" if tools.store.has_bm25 else "full-text index"
        notes.output, notes.size = f"{len(found)} messages by {index}", len(found)
    if not tools.store.has_bm25 or not exists(conn, WHOLE):
        return found, []
    with trace.step("search whole messages", words) as notes:
        ids = whole(conn, words, n)
        notes.output, notes.size = f"{len(ids)} messages by BM25", len(ids)
    return found, [Found(message, 1.0, [FoundBy("whole message", rank)]) for rank, message in enumerate(ids, 1)]


def query_words(question: str) -> str:
    """The question without the words that every question has: they are in every mail too."""
    tokens = tokenize(question)
    stop = detect(tokens).function_words
    kept = [t.text for t in tokens if t.kind != "mark" and t.key not in stop]
    return " ".join(kept)


def bm25(conn: psycopg.Connection[Any], words: str, n: int) -> list[tuple[int, int, int, float]]:
    """The best chunks as (message, start, stop, score). Drafts, spam and trash are dropped after the search, so some
    more are asked for."""
    if not words:
        return []
    return conn.execute(
        """
        WITH best AS MATERIALIZED (
            SELECT id, text <@> to_bm25query(%(words)s, 'mail.chunk_bm25') AS score
            FROM mail.chunk ORDER BY text <@> to_bm25query(%(words)s, 'mail.chunk_bm25') LIMIT %(more)s
        )
        SELECT c.message, c.start, c.stop, -best.score FROM best JOIN mail.chunk c USING (id)
        JOIN mail.message m ON m.id = c.message
        WHERE m.kind NOT IN ('draft', 'spam', 'trash') AND best.score < 0
        ORDER BY best.score, c.id LIMIT %(n)s
        """,
        {"words": words, "more": n + n // 2, "n": n},
    ).fetchall()


def whole(conn: psycopg.Connection[Any], words: str, n: int) -> list[int]:
    """The best messages by all their text, quotations included. Those known only from a quotation are not among them:
    the message that quotes them holds their words.

    Ids alone: the index knows its scores, but asking for them reads every text once more. The index gives only messages
    that hold a word; a scan, which small tables may be read by otherwise, would give all."""
    if not words:
        return []
    conn.execute("SET LOCAL enable_seqscan = off")
    rows = conn.execute(
        "SELECT message FROM mail.whole_message ORDER BY text <@> to_bm25query(%s, 'mail.whole_message_bm25') LIMIT %s",
        (words, n),
    ).fetchall()
    conn.execute("SET LOCAL enable_seqscan = on")
    return [row[0] for row in rows]


def full_text(conn: psycopg.Connection[Any], words: str, n: int) -> list[tuple[int, int, int, float]]:
    """The same by the full-text index: any of the words, ranked with length taken off (normalisation 1)."""
    return conn.execute(
        """
        WITH q AS (
            SELECT to_tsquery('english', string_agg(quote_literal(word), ' | ')) AS query
            FROM regexp_split_to_table(%(words)s, '[^[:alnum:]]+') word WHERE word <> ''
        )
        SELECT c.message, c.start, c.stop, ts_rank_cd(c.words, q.query, 1)
        FROM q, mail.chunk c JOIN mail.message m ON m.id = c.message
        WHERE c.words @@ q.query AND m.kind NOT IN ('draft', 'spam', 'trash')
        ORDER BY 4 DESC, c.id LIMIT %(n)s
        """,
        {"words": words, "n": n},
    ).fetchall()
