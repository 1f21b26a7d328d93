# ruff: noqa: S608 - the text is made of constants of this module; every value of a plan is bound
"""A plan becomes a Cypher traversal where the graph can say it; the messages it finds are counted like those of SQL.

The traversal starts at one filter of the plan, its anchor ("sent by this person"), since a pattern that begins at a
vertex with few edges is where the graph is fast. All other filters are tests on the message, with ``exists`` on edges
to vertices that are bound by their id; so each runs on two index look-ups, whatever its size. Roles with two readings
(participant: sender or recipient) become two traversals joined by UNION ALL.

Not in the graph, and so left to SQL (``NotInCypher``): words and subjects, types of files, which address of which
organisation was used by a recipient, and long lists of ids.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from graph.compile_sql import ids
from graph.parameters import Parameters
from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Domains,
    Filter,
    FirstInThread,
    HasAttachment,
    Kind,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    Role,
    Subject,
    Threads,
    Weekdays,
)

MOST_IDS = 100
MOST_BOUND = 8
PEOPLE_OF_MESSAGE = 5  # in the mean

_EDGES: dict[Role, tuple[str, ...]] = {
    "sender": ("(v:Person)-[:SENT]->(m:Message)",),
    "to": ("(m:Message)-[:TO]->(v:Person)",),
    "cc": ("(m:Message)-[:CC]->(v:Person)",),
    "bcc": ("(m:Message)-[:BCC]->(v:Person)",),
    "recipient": ("(m:Message)-[:RECIPIENT]->(v:Person)",),
}
_EDGES["participant"] = _EDGES["sender"] + _EDGES["recipient"]


class NotInCypher(Exception):
    """The plan asks for something that the graph does not hold, or holds in a form that is slow to ask for."""


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


def hits(plan: Plan, graph: str, anchor: Anchor | None, bind: Parameters) -> str:
    """The parts ``matched`` and ``hit``, as in SQL, from a traversal of ``graph`` that begins at ``anchor`` (None: at
    all messages). ``bind`` takes one value, the traversal's own parameters.

    Raises NotInCypher with the reason.
    """
    _refuse(plan)
    values = Parameters("${}")
    query = "\nUNION ALL\n".join(
        _traversal(plan, anchor, beginning, item, values)
        for beginning in _beginnings(plan, anchor, values)
        for item in items(plan)
    )
    parameter = bind(json.dumps(values.values), "graph")
    return f"""found AS MATERIALIZED (
    SELECT * FROM cypher('{graph}', $cypher$
{_indented(query)}
    $cypher$, {parameter}) AS (item bigint, message bigint, recovered bool, at text, ts bigint)
),
matched AS (SELECT message AS id, recovered FROM found),
hit AS ({_hit(plan)})"""


def steps(plan: Plan, anchor: Anchor) -> int:
    """How many edges are looked at for each one that leads from the anchor: itself, those that further filters test,
    and those to the items."""
    others = [f for place, f in enumerate(plan.filters) if place != anchor.place]
    tested = sum(_tested(f) for f in (*others, *plan.not_filters))
    return sum(
        1 + tested + (PEOPLE_OF_MESSAGE if "Person" in pattern else 1 if pattern else 0) for pattern, _ in items(plan)
    )


def _tested(f: Filter) -> int:
    match f:
        case Between() | People("participant"):
            return 2
        case People() | Labels() | Answers() | AnsweredBy() | HasAttachment():
            return 1
    return 0


@dataclass(frozen=True)
class _Beginning:
    """A pattern that leads from the anchor to ``m``, the tests on the anchor, and what else its filter asks for."""

    pattern: str
    tests: tuple[str, ...] = ()
    further: Filter | None = None


def _traversal(
    plan: Plan, anchor: Anchor | None, beginning: _Beginning, item: tuple[str, str], values: Parameters
) -> str:
    tests = _Tests(values, beginning.tests)
    if beginning.further:
        tests.add(tests.of(beginning.further)[0])
    if not any(isinstance(f, Kind) for f in plan.filters):
        tests.add("(m.counted = true OR m.recovered = true)")
    for place, f in enumerate(plan.filters):
        if anchor is None or place != anchor.place:
            tests.add(tests.of(f)[0])
    for f in plan.not_filters:
        test, absent = tests.of(f)
        tests.add(f"({absent} IS NULL OR NOT {test})" if absent else f"NOT {test}")
    where = tests.where()
    match, returned = item
    more = f"\nOPTIONAL MATCH {match}" if match else ""
    return (
        f"MATCH {', '.join([beginning.pattern, *tests.bound])}\nWHERE {where}{more}\n"
        f"RETURN {returned} AS item, m.id AS message, m.recovered AS recovered, m.date AS at, m.ts AS ts"
    )


class _Tests:
    """The tests of one traversal: conditions on the message ``m``, and the vertices they bind by id."""

    def __init__(self, values: Parameters, of_anchor: tuple[str, ...]) -> None:
        self.values = values
        self.bound: list[str] = []
        self._of_anchor = of_anchor
        self._ids: list[str] = []
        self._tests: list[str] = []

    def add(self, test: str) -> None:
        self._tests.append(test)

    def where(self) -> str:
        return "\n  AND ".join([*self._of_anchor, *self._ids, *self._tests])

    def of(self, f: Filter) -> tuple[str, str | None]:
        """The test of a filter, and the property that may be absent so that the test gives null."""
        match f:
            case People(role, who):
                return self._edge(_EDGES[role], "Person", ids(who), "people"), None
            case Between(a, b, role):
                ways = [
                    f"({self._edge(_EDGES['sender'], 'Person', x, 'people')} AND "
                    f"{self._edge(_EDGES[role], 'Person', y, 'people')})"
                    for x, y in ((a, b), (b, a))
                ]
                return f"({' OR '.join(ways)})", None
            case Labels(which):
                return self._edge(("(m)-[:HAS_LABEL]->(v:Label)",), "Label", which, "labels"), None
            case Answers(None):
                return "exists((m)-[:REPLY_TO]->(:Message))", None
            case Answers(which):
                return self._edge(("(m)-[:REPLY_TO]->(v:Message)",), "Message", ids(which), "messages"), None
            case AnsweredBy(which) if which is not None:
                return self._edge(("(v:Message)-[:REPLY_TO]->(m)",), "Message", ids(which), "messages"), None
            case HasAttachment(type=None, name=None):
                return "exists((m)-[:HAS_ATTACHMENT]->(:Attachment))", None
            case Period(start, end):
                parts = [f"m.date >= {self.values(start.isoformat(), 'start')}"] if start else []
                parts += [f"m.date < {self.values(end.isoformat(), 'end')}"] if end else []
                return (f"({' AND '.join(parts)})", "m.date") if parts else ("(m.date IS NOT NULL)", None)
            case Threads(which):
                return f"m.thread_id {_in(ids(which), 'threads', self.values)}", "m.thread_id"
            case Messages(which):
                return f"m.id {_in(ids(which), 'messages', self.values)}", None
            case Kind(kinds):
                if not kinds:
                    raise NotInCypher("no kind of mail is named")
                return f"m.kind IN [{', '.join(self.values(kind, 'kind') for kind in kinds)}]", None
            case Subject() | Mentions():
                raise NotInCypher("words and subjects are looked up in the tables")
            case Organizations() | Domains():
                raise NotInCypher("an organisation's addresses are looked up in the tables")
            case AnsweredBy() | HasAttachment() | FirstInThread() | Weekdays():
                raise NotInCypher("this is looked up in the tables")

    def _edge(self, patterns: tuple[str, ...], label: str, which: tuple[int, ...], name: str) -> str:
        """An edge of one of these forms to one of these vertices. Each vertex is bound by its id, so that ``exists``
        is one look-up in the index over both ends of the edge."""
        if not 0 < len(which) <= MOST_BOUND:
            raise NotInCypher(f"{len(which)} ids in one filter")
        ways = []
        for one in which:
            variable = f"{label[0].lower()}{len(self.bound) + 1}"
            self.bound.append(f"({variable}:{label})")
            self._ids.append(f"{variable}.id = {self.values(one, name)}")
            ways += [f"exists({p.replace('m:Message', 'm').replace(f'v:{label}', variable)})" for p in patterns]
        return f"({' OR '.join(ways)})" if len(ways) > 1 else ways[0]


def _beginnings(plan: Plan, anchor: Anchor | None, values: Parameters) -> list[_Beginning]:
    if anchor is None:
        return [_Beginning("(m:Message)")]
    match plan.filters[anchor.place]:
        case People(role, who):
            test = f"a.id {_in(ids(who), 'people', values)}"
            return [_Beginning(p.replace("v:", "a:"), (test,)) for p in _EDGES[role]]
        case Between(a, b, role):
            near, far = (a, b) if anchor.side == 0 else (b, a)
            test = f"a.id {_in(near, 'people', values)}"
            received = _EDGES[role][0].replace("v:", "a:")
            return [
                _Beginning("(a:Person)-[:SENT]->(m:Message)", (test,), People(role, far)),
                _Beginning(received, (test,), People("sender", far)),
            ]
        case Organizations("sender", who):
            test = f"g.id {_in(ids(who), 'organizations', values)}"
            path = "(g:Organization)<-[:WORKS_AT]-(:Person)-[s:SENT]->(m:Message)"
            return [_Beginning(path, (test, "s.domain = g.domain"))]
        case Threads(which):
            return [_Beginning("(m:Message)-[:IN_THREAD]->(t:Thread)", (f"t.id {_in(ids(which), 'threads', values)}",))]
        case Labels(which):
            return [_Beginning("(m:Message)-[:HAS_LABEL]->(l:Label)", (f"l.id {_in(which, 'labels', values)}",))]
        case Messages(which):
            return [_Beginning("(m:Message)", (f"m.id {_in(ids(which), 'messages', values)}",))]
        case Answers(which):
            test = f"w.id {_in(ids(which), 'messages', values)}"
            return [_Beginning("(m:Message)-[:REPLY_TO]->(w:Message)", (test,))]
        case AnsweredBy(which):
            test = f"w.id {_in(ids(which), 'messages', values)}"
            return [_Beginning("(w:Message)-[:REPLY_TO]->(m:Message)", (test,))]
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


def items(plan: Plan) -> list[tuple[str, str]]:
    """For each way an item stands in a message: the pattern from ``m`` to it, and its id."""
    match plan.target:
        case "people":
            return [
                (p.replace("m:Message", "m").replace("v:", "x:"), "x.id") for p in _EDGES[plan.role or "participant"]
            ]
        case "messages" if plan.order_by == "recipients":
            return [("(m)-[:RECIPIENT]->(x:Person)", "x.id")]
        case "labels":
            return [("(m)-[:HAS_LABEL]->(x:Label)", "x.id")]
        case "attachments":
            return [("(m)-[:HAS_ATTACHMENT]->(x:Attachment)", "x.id")]
        case "threads":
            return [("", "m.thread_id")]
        case _:
            return [("", "m.id")]


def _hit(plan: Plan) -> str:
    item, message, join = "found.item", "found.message", ""
    if plan.target == "months":
        item = "left(at, 7)"
    elif plan.target == "messages" and plan.order_by == "recipients":
        item, message = "found.message", "found.item"
    elif plan.target == "attachments":
        item = "g.id"
        join = (
            " JOIN mail.attachment f ON f.id = found.item"
            " JOIN (SELECT sha256, min(id) AS id FROM mail.attachment GROUP BY sha256) g USING (sha256)"
        )
    return (
        f"SELECT {item} AS item, {message} AS message, at::timestamp AS at, to_timestamp(ts) AS sent FROM found{join} "
        "WHERE NOT recovered"
    )


def _refuse(plan: Plan) -> None:
    if plan.target in ("organizations", "domains") or plan.only_organizations or plan.exclude_organizations:
        raise NotInCypher("which address of which organisation was used is looked up in the tables")
    if plan.persons:
        raise NotInCypher("offices and lists are told apart in the tables")


def _in(which: tuple[int, ...], name: str, values: Parameters) -> str:
    # a list of parameters is an index condition, one parameter that is a list is not
    if not 0 < len(which) <= MOST_IDS:
        raise NotInCypher(f"{len(which)} ids in one filter")
    if len(which) == 1:
        return f"= {values(which[0], name)}"
    return f"IN [{', '.join(values(one, name) for one in which)}]"


def _indented(text: str) -> str:
    return "\n".join("      " + line for line in text.splitlines())
