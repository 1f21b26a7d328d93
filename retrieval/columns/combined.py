"""Column ``combined``: facts of the graph and messages of the hybrid search in one context.

Facts for counts and lists, messages for what was said; where the question is about structure the messages behind the
fact come first. It also adds a *mention* fact: how many messages hold the question's rarest words, by a complete scan.
It fails where either half is wrong and the model believes the wrong one.
"""

from __future__ import annotations

from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.columns.hybrid import fused, two_forms, with_threads
from retrieval.errors import RetrievalError, as_query_error
from retrieval.fusion import fuse
from retrieval.mentions import mention_facts
from retrieval.structure import find_facts
from retrieval.types import Fact, QueryError, Question, Retrieved


class Combined:
    """Facts and messages together."""

    name = "combined"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """Facts where structure is asked for; messages by both searches. One half may fail: its error is told."""
        trace = Trace()
        errors: list[QueryError] = []
        facts: list[Fact] = []
        behind: list[Found] = []
        with self.tools.store.reader() as conn:
            planned = self.tools.planner.plan(conn, question)
            trace.steps += planned.steps
            facts, behind = find_facts(conn, planned, trace)
            if not facts:
                facts = mention_facts(conn, planned, trace)
        found: list[Found] = []
        try:
            vectors = two_forms(self.tools, question, trace)
            with self.tools.store.reader() as conn:
                found = with_threads(conn, fused(conn, self.tools, question, vectors, trace), trace)
        except RetrievalError as error:
            errors.append(as_query_error(error))
        ranked = fuse([behind[:limit], found], [2.0, 1.0]) if behind else found
        note = "" if ranked or facts else "nothing was found by structure, words or meaning"
        return Retrieved(hits(ranked, limit), facts, trace.steps, errors, note)
