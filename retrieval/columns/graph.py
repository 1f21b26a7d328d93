"""Column ``graph``: who wrote to whom, when, in which conversation; the text itself is never looked at.

Plan (what is asked, by rules or by the model), link (names to vertices), traverse (the plan as Cypher, or as SQL where
that is faster), expand (thread siblings), with the facts computed on the way. The idea of a graph of headers without
any extraction by a model. It is exact where the question is about people, organisations, months, folders and
conversations: counts, ranks, lists, "never", several hops. It fails on questions whose answer is known only by what was
said, above all those that name nobody: when nothing links it says so, and never guesses by words of subjects.
"""

from __future__ import annotations

from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.structure import find_facts, is_about_structure, neighbourhood, siblings
from retrieval.types import Question, Retrieved

SHARE_OF_SIBLINGS = 3  # one in three places


class Graph:
    """Retrieval by structure."""

    name = "graph"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """Facts and messages by structure. Raises GraphMissing, GraphStale, QuestionTooLong and query errors."""
        trace = Trace()
        with self.tools.store.reader() as conn:
            planned = self.tools.planner.plan(conn, question)
            trace.steps += planned.steps
            if planned.question.plan is None:
                return Retrieved(trace=trace.steps, outcome_note=nothing_linked(planned.question.reason))
            if is_about_structure(planned.question.intent):
                facts, found = find_facts(conn, planned, trace)
                return Retrieved(hits(found, limit), facts, trace.steps, outcome_note=_none(found, facts))
            found = neighbourhood(conn, planned, trace, limit)
            kept = limit - limit // SHARE_OF_SIBLINGS
            beside = siblings(conn, found[:kept], trace) if found else []
            return Retrieved(hits(_mixed(found, beside, kept), limit), trace=trace.steps, outcome_note=_none(found, []))


def nothing_linked(reason: str) -> str:
    """The words of the outcome."""
    return f"nothing linked: the question names no person, organisation, folder, conversation or period ({reason})"


def _mixed(found: list[Found], beside: list[Found], kept: int) -> list[Found]:
    """The first ones, then siblings, then what is left, each message once."""
    out = {f.message: f for f in found[:kept]}
    for f in (*beside[: kept // 2], *found[kept:], *beside):
        out.setdefault(f.message, f)
    return list(out.values())


def _none(found: list[Found], facts: list[object] | list) -> str:  # type: ignore[type-arg]
    return "" if found or facts else "a query ran and no message meets any of the conditions"
