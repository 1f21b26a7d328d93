"""Where a traversal of the graph can begin: the anchors of a plan, and the patterns that lead from one to messages.

A pattern that begins at a vertex with few edges is where the graph is fast; so each filter that names vertices is a
possible beginning, and who runs the plan counts the edges of each before it chooses.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph.compile_sql import ids
from graph.conditions import EDGES, MOST_IDS, NotInCypher, one_of
from graph.parameters import Parameters
from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Filter,
    Labels,
    Messages,
    Organizations,
    People,
    Plan,
    Role,
    Threads,
)


@dataclass(frozen=True)
class Anchor:
    """A filter at which the traversal can begin: its place in ``plan.filters``; for a filter with two sides, at which
    side; and the edges it would follow first: (edge label, start or end, vertex label, ids)."""

    place: int
    side: int
    edges: tuple[tuple[str, str, str, tuple[int, ...]], ...]


def anchors(plan: Plan) -> list[Anchor]:
    """The filters that can be the beginning, with the edges to count for choosing the cheapest."""
    found = []
    for place, f in enumerate(plan.filters):
        for side, edges in enumerate(_first_edges(f)):
            if all(0 < len(which) <= MOST_IDS for *_, which in edges):
                found.append(Anchor(place, side, edges))
    return found


@dataclass(frozen=True)
class Beginning:
    """A pattern that leads from the anchor to ``m``, the tests on the anchor, and what else its filter asks for."""

    pattern: str
    tests: tuple[str, ...] = ()
    further: Filter | None = None


def beginnings(plan: Plan, anchor: Anchor | None, values: Parameters) -> list[Beginning]:
    """The patterns that lead from ``anchor`` to the messages, one for each way (None: one, which begins at all
    messages). Raises NotInCypher."""
    if anchor is None:
        return [Beginning("(m:Message)")]
    match plan.filters[anchor.place]:
        case People(role, who):
            test = f"a.id {one_of(ids(who), 'people', values)}"
            return [Beginning(p.replace("v:", "a:"), (test,)) for p in EDGES[role]]
        case Between(a, b, role):
            near, far = (a, b) if anchor.side == 0 else (b, a)
            test = f"a.id {one_of(near, 'people', values)}"
            received = EDGES[role][0].replace("v:", "a:")
            return [
                Beginning("(a:Person)-[:SENT]->(m:Message)", (test,), People(role, far)),
                Beginning(received, (test,), People("sender", far)),
            ]
        case Organizations("sender", who):
            test = f"g.id {one_of(ids(who), 'organizations', values)}"
            path = "(g:Organization)<-[:WORKS_AT]-(:Person)-[s:SENT]->(m:Message)"
            return [Beginning(path, (test, "s.domain = g.domain"))]
        case Threads(which):
            return [
                Beginning("(m:Message)-[:IN_THREAD]->(t:Thread)", (f"t.id {one_of(ids(which), 'threads', values)}",))
            ]
        case Labels(which):
            return [Beginning("(m:Message)-[:HAS_LABEL]->(l:Label)", (f"l.id {one_of(which, 'labels', values)}",))]
        case Messages(which):
            return [Beginning("(m:Message)", (f"m.id {one_of(ids(which), 'messages', values)}",))]
        case Answers(which):
            test = f"w.id {one_of(ids(which), 'messages', values)}"
            return [Beginning("(m:Message)-[:REPLY_TO]->(w:Message)", (test,))]
        case AnsweredBy(which):
            test = f"w.id {one_of(ids(which), 'messages', values)}"
            return [Beginning("(w:Message)-[:REPLY_TO]->(m:Message)", (test,))]
    raise NotInCypher("the graph cannot be entered here")


_FirstEdges = tuple[tuple[str, str, str, tuple[int, ...]], ...]


def _first_edges(f: Filter) -> list[_FirstEdges]:
    """For each side at which a filter can be entered, the edges followed first."""
    match f:
        case People(role, tuple(who)):
            return [_edges_of(role, who)]
        case Between(a, b, role):
            return [(*_edges_of("sender", who), *_edges_of(role, who)) for who in (a, b)]
        case Organizations("sender", tuple(who)):
            return [(("WORKS_AT", "end_id", "Organization", who),)]
        case Threads(tuple(which)):
            return [(("IN_THREAD", "end_id", "Thread", which),)]
        case Labels(which):
            return [(("HAS_LABEL", "end_id", "Label", which),)]
        case Messages(tuple(which)):
            return [(("IN_THREAD", "start_id", "Message", which),)]
        case Answers(tuple(which)):
            return [(("REPLY_TO", "end_id", "Message", which),)]
        case AnsweredBy(tuple(which)):
            return [(("REPLY_TO", "start_id", "Message", which),)]
    return []


def _edges_of(role: Role, who: tuple[int, ...]) -> _FirstEdges:
    sent, received = ("SENT", "start_id", "Person", who), (role.upper(), "end_id", "Person", who)
    if role == "participant":
        return (sent, ("RECIPIENT", "end_id", "Person", who))
    return (sent,) if role == "sender" else (received,)
