"""Column ``graph_rerank``: the graph picks the neighbourhood, the embedding picks the messages.

Structure first limits the mailbox to where the question's people, organisations, period, folders and conversations
meet; within it the chunks nearest to the question win. The filtered search of vector databases, with the filter made by
the planner. It is good for "what did A say to B about X in May". It fails when nothing links, and when a name in the
question is only talked about and neither sent nor received the message.
"""

from __future__ import annotations

from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.columns.graph import nothing_linked
from retrieval.columns.vector import best_of_message, embedded, nearest, vector_table
from retrieval.structure import find_facts, neighbourhood
from retrieval.types import FoundBy, Question, Retrieved

NEIGHBOURHOOD = 1_500
NEAREST = 40
LOST_CONDITION = 0.12  # cosine that a message must be nearer by to make up for one condition it does not meet


class GraphRerank:
    """Structure filters, vectors rank."""

    name = "graph_rerank"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """Facts by structure; of the neighbourhood the nearest messages. Raises what `graph` and `vector` raise."""
        trace = Trace()
        with self.tools.store.reader() as conn:
            planned = self.tools.planner.plan(conn, question)
            trace.steps += planned.steps
            if planned.question.plan is None:
                return Retrieved(trace=trace.steps, outcome_note=nothing_linked(planned.question.reason))
            facts, around = find_facts(conn, planned, trace)
            if not facts:
                around = neighbourhood(conn, planned, trace, NEIGHBOURHOOD)
            if not around:
                return Retrieved(facts=facts, trace=trace.steps, outcome_note="" if facts else "no message meets them")
            vector = embedded(self.tools, question, trace)
            with trace.step("rerank", f"{len(around)} messages of the neighbourhood") as notes:
                chunks = nearest(conn, vector_table(conn, self.tools), vector, NEAREST * 3, [f.message for f in around])
                found = _weighted(best_of_message(chunks, "rerank"), {f.message: f for f in around})
                notes.output, notes.size = f"{len(found)} messages", len(found)
        return Retrieved(hits(found, limit), facts, trace.steps)


def _weighted(found: list[Found], around: dict[int, Found]) -> list[Found]:
    """By nearness, less a little for each condition not met; with the step that brought a message in."""
    for f in found:
        origin = around[f.message]
        f.score -= LOST_CONDITION * (1 - origin.score) * 2
        f.found_by += [FoundBy(o.step, o.rank) for o in origin.found_by]
    return sorted(found, key=lambda f: (-f.score, f.message))
