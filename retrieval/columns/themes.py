"""Column ``themes``: what communities of correspondents write about, for questions about the whole mailbox.

The idea is GraphRAG's global search (Edge et al., From Local to Global, 2024): "what were the main topics?" is answered
by no single message, so the communities of the graph are summarised ahead of time; each community gives a partial
answer with a mark of how much it helps, and the best are combined. Here the communities are those of people who write
each other (hierarchical Leiden), their sizes are counted in the question's period, and a community that holds another
is never asked beside it. It fails on everything particular: a figure, a name, one message that the summary does not
mention; on matters that cut across the groups; on mail with the owner alone, who is in no community; and a small
model's summaries leave out or confuse, which no later step can mend.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from graph.analytics import Community, current
from graph.plan import Period
from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.columns.vector import best_of_message, embedded_all, nearest, vector_table
from retrieval.errors import ColumnUnavailable, NoSummary, NoVectors, as_query_error
from retrieval.models.errors import ModelCancelled, ModelError
from retrieval.themes import counts, material, partial, relevance
from retrieval.themes.batch import due, useful
from retrieval.types import FoundBy, QueryError, Question, Retrieved

ASKED = 6  # communities put to the model: some seconds each
KEPT = 4  # partial answers that go on
NEAREST = 24  # chunks looked at in each community

Answered = tuple[int, Community, str]
"""How much it helps (1 to 100), the community, and its partial answer."""


class Themes:
    """Partial answers of communities."""

    name = "themes"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """The communities that help, as facts with their counts and partial answers, and messages of them. Raises
        ColumnUnavailable, GraphMissing, GraphStale and ModelCancelled."""
        if self.tools.chat is None:
            raise ColumnUnavailable("This column asks a chat model about each community, and none is here yet.")
        trace, errors = Trace(), list[QueryError]()
        with trace.step("communities", "those of the present graph") as notes:
            communities = useful(current(self.tools.store).communities)
            written = [c for c in communities if c.summary]
            notes.output, notes.size = f"{len(written)} of {len(communities)} with a summary", len(written)
        if not written:
            return Retrieved(trace=trace.steps, outcome_note=_missing(communities))
        with self.tools.store.reader() as conn:
            period = self._period(conn, question, trace)
            with trace.step("count", "messages of each community") as notes:
                counted = counts.count(conn, communities, period)
                notes.output, notes.size = f"{len(counted.rows)} communities", len(counted.rows)
            inside = [c for c in written if c.id in counted.messages]
            asked = relevance.order(question.text, inside, counted.messages, self.tools.embedder, trace)[:ASKED]
            about = {c.id: material.about(conn, c, material.figures(conn, c.id, period)) for c in asked}
        answered = self._ask(question, asked, about, trace, errors)
        if not answered:
            note = "" if errors else "no community's summary says anything about it"
            return Retrieved(trace=trace.steps, errors=errors, outcome_note=note or _missing(communities))
        facts = counts.facts(counted, communities, answered, self.tools.chat.name)
        found = self._messages(answered, period, limit, trace)
        return Retrieved(hits(found, limit), facts, trace.steps, errors, _missing(communities))

    def _period(self, conn: psycopg.Connection[Any], question: Question, trace: Trace) -> material.Period:
        """The question's period, where its plan has one."""
        planned = self.tools.planner.plan(conn, question)
        trace.steps += planned.steps
        filters = planned.question.plan.filters if planned.question.plan else ()
        return next((material.Period(f.start, f.end) for f in filters if isinstance(f, Period)), material.ALWAYS)

    def _ask(
        self,
        question: Question,
        communities: Sequence[Community],
        about: dict[int, str],
        trace: Trace,
        errors: list[QueryError],
    ) -> list[Answered]:
        """The partial answers of the communities that help, the most helpful first."""
        assert self.tools.chat is not None
        found: list[Answered] = []
        for community in communities:
            with trace.step("partial answer", str(community.name)) as notes:
                try:
                    helps, said = partial.ask(
                        self.tools.chat, question.text, community, about[community.id], self.tools.planner.stop
                    )
                except ModelCancelled:
                    raise
                except (NoSummary, ModelError) as error:
                    notes.output = f"{type(error).__name__}: {error}"
                    errors.append(as_query_error(error))
                    if isinstance(error, ModelError):
                        break  # the next one would not go better
                    continue
                notes.output, notes.size = f"{helps}: {said}", helps
            if helps:
                found.append((helps, community, said))
        return sorted(found, key=lambda one: -one[0])[:KEPT]

    def _messages(self, answered: Sequence[Answered], period: material.Period, limit: int, trace: Trace) -> list[Found]:
        """Messages of the communities that help, in turn: those nearest to the partial answer, or, without vectors,
        some spread over the period."""
        vectors: list[str] = []
        if self.tools.embedder is not None:
            vectors = embedded_all(self.tools, [said for _, _, said in answered], trace)
        rankings: list[list[Found]] = []
        with self.tools.store.reader() as conn:
            try:
                table = vector_table(conn, self.tools) if vectors else ""
            except NoVectors:
                table = ""
            for place, (helps, community, _) in enumerate(answered):
                with trace.step("search", f"messages of {community.name}") as notes:
                    step = f"theme #{place + 1}"
                    if table:
                        among = material.message_ids(conn, community.id, period)
                        ranking = best_of_message(nearest(conn, table, vectors[place], NEAREST, among), step)
                    else:
                        ids = material.spread(conn, community.id, limit, period)
                        ranking = [Found(one, helps / 100, [FoundBy(step, n)]) for n, one in enumerate(ids, 1)]
                    how = "nearest to its partial answer" if table else "spread over its time"
                    notes.output, notes.size = f"{len(ranking)} messages, {how}", len(ranking)
                rankings.append(ranking)
        longest = max(map(len, rankings))
        return [ranking[n] for n in range(longest) for ranking in rankings if n < len(ranking)]


def _missing(communities: Sequence[Community]) -> str:
    """What to do about summaries that are not there, or are of another content; nothing where all are there."""
    if not communities:
        return "there is no community large enough for a summary"
    left = len(due(communities))
    if left == 0:
        return ""
    return f"{left} of {len(communities)} communities have no summary of their present mail: mailweave themes summarise"
