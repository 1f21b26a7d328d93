"""Column ``vector_graph``: begin with meaning, go on along people and conversations.

The nearest messages are seeds; from them two hops lead to other mail of the same conversations and of the same people
at the same time. Hubs (the owner, lists, role addresses, those in a twentieth of all mail) are not passed through, or
everything would be two hops from everything. The seeds-then-neighbours retrieval of graph-augmented systems. It helps
where the answer stands in the message beside the similar one. It fails as `vector` does when the seeds are wrong, and
it counts nothing.
"""

from __future__ import annotations

from graph import neighbours
from retrieval.carriers import carried
from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.columns.vector import best_of_message, embedded, nearest, vector_table
from retrieval.fusion import fuse
from retrieval.structure import siblings
from retrieval.types import FoundBy, Question, Retrieved

NEAREST = 40
SEEDS = 6
REACHED = 200
WEIGHTS = (1.0, 0.6, 0.6)  # nearness; threads of seeds; people of seeds, each again by nearness


class VectorGraph:
    """Vector seeds, two hops, ranked together."""

    name = "vector_graph"

    def __init__(self, tools: Tools) -> None:
        self.tools = tools

    def retrieve(self, question: Question, limit: int = 12) -> Retrieved:
        """Seeds and what two hops reach from them. Raises what `vector` raises."""
        trace = Trace()
        vector = embedded(self.tools, question, trace)
        with self.tools.store.reader() as conn:
            table = vector_table(conn, self.tools)
            with trace.step("search", f"{NEAREST} nearest chunks") as notes:
                found = carried(conn, best_of_message(nearest(conn, table, vector, NEAREST), "vector"))
                notes.output, notes.size = f"{len(found)} messages", len(found)
            seeds = found[:SEEDS]
            if not seeds:
                return Retrieved(trace=trace.steps, outcome_note="there are no chunks yet")
            beside = siblings(conn, seeds, trace, per_message=4)
            ranks = {f.message: rank for rank, f in enumerate(seeds, 1)}
            with trace.step("two hops", f"people of {len(seeds)} messages, hubs left out") as notes:
                reached = neighbours.two_hops(conn, list(ranks), REACHED)
                notes.output, notes.size = f"{len(reached)} messages", len(reached)
            with trace.step("rerank", f"{len(beside)} + {len(reached)} neighbours") as notes:
                by_people = [
                    Found(n.message, n.score, [FoundBy(f"people of #{ranks[n.seed]}", rank)])
                    for rank, n in enumerate(reached, 1)
                ]
                rankings = [found]
                for group in (beside, by_people):
                    origins = {f.message: f.found_by for f in group}
                    near = best_of_message(nearest(conn, table, vector, NEAREST, list(origins)), "rerank")
                    for f in near:
                        f.found_by = origins[f.message] + f.found_by
                    rankings.append(near)
                ranked = carried(conn, fuse(rankings, WEIGHTS))
                notes.output, notes.size = f"{len(ranked)} messages", len(ranked)
        return Retrieved(hits(ranked, limit), trace=trace.steps)
