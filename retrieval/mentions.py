"""Facts about words: how many messages hold the question's own rare words, by a complete scan of subjects and texts.

Search gives the best twelve; this gives all of them, counted, which is what "does it come up at all" needs: a name that
no message holds is told as such.
"""

from __future__ import annotations

from typing import Any

import psycopg

from graph import execute
from graph.plan import Mentions, Plan
from retrieval import facts
from retrieval.columns.base import Trace
from retrieval.planning import Planned
from retrieval.types import Fact

MOST_TERMS = 3
LISTED = 60


def mention_facts(conn: psycopg.Connection[Any], planned: Planned, trace: Trace) -> list[Fact]:
    """A fact for each proper-looking or quoted word of a question about content, and one for all of them together."""
    terms = [t for t in planned.question.terms if t[:1].isupper() or t.isupper() or " " in t][:MOST_TERMS]
    if not terms:
        return []
    wanted = [(t,) for t in terms] + ([tuple(terms)] if len(terms) > 1 else [])
    out: list[Fact] = []
    with trace.step("mentions", ", ".join(terms)) as notes:
        for group in wanted:
            plan = Plan("messages", filters=(Mentions(group),))
            answer = execute.answer(conn, plan, limit=LISTED)
            out.append(facts.of_answer(plan, answer, "count", planned.names.index))
        notes.output, notes.size = "; ".join(f.text for f in out), len(out)
    return out
