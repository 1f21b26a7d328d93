"""The conditions of a plan on one message, in Cypher: what the graph can say of it, and what it cannot.

Filters on people, labels and answers are ``exists`` on edges to vertices that are bound by their id, so each is two
index look-ups, whatever the size of the graph.
"""

from __future__ import annotations

from graph.compile_sql import ids
from graph.parameters import Parameters
from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Domains,
    Filter,
    FirstInThread,
    Forwarded,
    HasAttachment,
    Kind,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    RecipientCount,
    Role,
    Subject,
    Threads,
    Weekdays,
)

MOST_IDS = 100
MOST_BOUND = 8


EDGES: dict[Role, tuple[str, ...]] = {
    "sender": ("(v:Person)-[:SENT]->(m:Message)",),
    "to": ("(m:Message)-[:TO]->(v:Person)",),
    "cc": ("(m:Message)-[:CC]->(v:Person)",),
    "bcc": ("(m:Message)-[:BCC]->(v:Person)",),
    "recipient": ("(m:Message)-[:RECIPIENT]->(v:Person)",),
}
EDGES["participant"] = EDGES["sender"] + EDGES["recipient"]


class NotInCypher(Exception):
    """The plan asks for something that the graph does not hold, or holds in a form that is slow to ask for."""


class Conditions:
    """The tests of one traversal: conditions on the message ``m``, and the vertices they bind by id."""

    def __init__(self, values: Parameters, of_anchor: tuple[str, ...]) -> None:
        self.values = values
        self.bound: list[str] = []
        self._of_anchor = of_anchor
        self._ids: list[str] = []
        self._tests: list[str] = []

    def add(self, test: str) -> None:
        """One more condition, in Cypher."""
        self._tests.append(test)

    def where(self) -> str:
        """All conditions, those on the anchor and on bound vertices first."""
        return "\n  AND ".join([*self._of_anchor, *self._ids, *self._tests])

    def of(self, f: Filter) -> tuple[str, str | None]:
        """The test of a filter, and the property that may be absent so that the test gives null."""
        match f:
            case People(role, who):
                return self._edge(EDGES[role], "Person", ids(who), "people"), None
            case Between(a, b, role):
                ways = [
                    f"({self._edge(EDGES['sender'], 'Person', x, 'people')} AND "
                    f"{self._edge(EDGES[role], 'Person', y, 'people')})"
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
                return f"m.thread_id {one_of(ids(which), 'threads', self.values)}", "m.thread_id"
            case Messages(which):
                return f"m.id {one_of(ids(which), 'messages', self.values)}", None
            case Kind(kinds):
                if not kinds:
                    raise NotInCypher("no kind of mail is named")
                return f"m.kind IN [{', '.join(self.values(kind, 'kind') for kind in kinds)}]", None
            case Subject() | Mentions():
                raise NotInCypher("words and subjects are looked up in the tables")
            case Organizations() | Domains():
                raise NotInCypher("an organisation's addresses are looked up in the tables")
            case AnsweredBy() | HasAttachment() | FirstInThread() | Forwarded() | RecipientCount() | Weekdays():
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


def one_of(which: tuple[int, ...], name: str, values: Parameters) -> str:
    """The condition that an id is one of these. Raises NotInCypher for too many."""
    # a list of parameters is an index condition, one parameter that is a list is not
    if not 0 < len(which) <= MOST_IDS:
        raise NotInCypher(f"{len(which)} ids in one filter")
    if len(which) == 1:
        return f"= {values(which[0], name)}"
    return f"IN [{', '.join(values(one, name) for one in which)}]"
