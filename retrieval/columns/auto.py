"""Column ``auto``: one column, chosen from the plan before anything is retrieved.

The router is a small table over the plan, read from top to bottom; the first row that fits decides, and its reason is
shown. It fails where the plan is wrong, and where two columns together would have been better than either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.columns.base import Tools
from retrieval.planning import Planned
from retrieval.types import Question, Retrieved, Retriever, Step


@dataclass(frozen=True)
class Route:
    """A row of the router: ``when`` it fits (in words, and as a test), the column, and why."""

    when: str
    fits: Callable[[Planned], bool]
    column: str
    because: str


TABLE: tuple[Route, ...] = (
    Route(
        "a count, rank, list, first or last is asked for",
        lambda p: p.question.intent != "content" and p.question.plan is not None,
        "graph",
        "the answer is a value that the graph computes exactly; a doubt about what was asked stands beside it",
    ),
    Route(
        "anything else",
        lambda p: True,
        "hybrid",
        "the answer stands in a text that must be found by its words and its meaning",
    ),
)


def choose(planned: Planned, tools: Tools) -> Route:
    """The first row that fits. Without an embedder words alone have to do."""
    route = next(r for r in TABLE if r.fits(planned))
    if tools.embedder is None and route.column != "graph":
        return Route(route.when, route.fits, "lexical", "there is no embedding model yet: words alone")
    return route


class Auto:
    """The router's one choice."""

    name = "auto"

    def __init__(self, tools: Tools, make: Callable[[str, Tools], Retriever]) -> None:
        self.tools = tools
        self.make = make

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """What the chosen column gives, with the choice as the first step of the trace."""
        with self.tools.store.reader() as conn:
            planned = self.tools.planner.plan(conn, question)
        route = choose(planned, self.tools)
        found = self.make(route.column, self.tools).retrieve(question, limit)
        step = Step("route", route.when, f"{route.column}: {route.because}", 1, 0.0)
        return Retrieved(found.hits, found.facts, [step, *found.trace], found.errors, found.outcome_note)
