"""Column ``agent``: the chat model looks around by itself, one tool at a time, and what it gathered is the result.

The idea of tool-using agents (ReAct and its followers): instead of one retrieval before the answer, a model that sees
what each step found decides about the next one. Each step is chosen under a grammar that admits the reading tools of
the mailbox with typed arguments and nothing else; twelve at most. Facts are what counting steps computed, the last one
first, since it follows from those before; messages are those that came up, first those that were opened. It can follow
a question over several hops that no plan foresaw. It fails where the model chooses badly, which small models do often:
a wrong person of two, a role mixed up, stopping too early; and it is slow, with seconds for each step.
"""

from __future__ import annotations

from retrieval.agent import loop
from retrieval.agent.bench import Bench
from retrieval.columns.base import Tools, Trace, hits
from retrieval.errors import ColumnUnavailable, as_query_error
from retrieval.fusion import fuse
from retrieval.models.errors import ModelCancelled, ModelError
from retrieval.names import names
from retrieval.types import QueryError, Question, Retrieved


class Agent:
    """Tools chosen by the chat model."""

    name = "agent"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """What the steps gathered; of a model that fails on the way what came before it. Raises ColumnUnavailable,
        GraphMissing, and ModelCancelled."""
        if self.tools.chat is None:
            raise ColumnUnavailable("This column has a chat model choose its steps, and none is here yet.")
        trace = Trace()
        with self.tools.store.reader() as conn:
            known = names(conn, self.tools.store)
        bench = Bench(self.tools, known, question.as_of)
        errors: list[QueryError] = []
        try:
            as_of = question.as_of or known.last_day
            errors = loop.look(self.tools.chat, bench, question.text, as_of, trace, self.tools.planner.stop)
        except ModelCancelled:
            raise
        except ModelError as error:
            errors.append(as_query_error(error))
        found = fuse(bench.rankings, bench.weights)
        note = "" if found or bench.facts else "no step found anything"
        return Retrieved(hits(found, limit), bench.facts[::-1], trace.steps, errors, note)
