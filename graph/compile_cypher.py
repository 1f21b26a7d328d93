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

from graph.anchors import Anchor, Beginning, beginnings
from graph.conditions import EDGES, Conditions, NotInCypher
from graph.parameters import Parameters
from graph.plan import AnsweredBy, Answers, Between, Filter, HasAttachment, Kind, Labels, People, Plan

PEOPLE_OF_MESSAGE = 5  # in the mean


def hits(plan: Plan, graph: str, anchor: Anchor | None, bind: Parameters) -> str:
    """The parts ``matched`` and ``hit``, as in SQL, from a traversal of ``graph`` that begins at ``anchor`` (None: at
    all messages). ``bind`` takes one value, the traversal's own parameters.

    Raises NotInCypher with the reason.
    """
    _refuse(plan)
    values = Parameters("${}")
    query = "\nUNION ALL\n".join(
        _traversal(plan, anchor, beginning, item, values)
        for beginning in beginnings(plan, anchor, values)
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


def _traversal(
    plan: Plan, anchor: Anchor | None, beginning: Beginning, item: tuple[str, str], values: Parameters
) -> str:
    tests = Conditions(values, beginning.tests)
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


def items(plan: Plan) -> list[tuple[str, str]]:
    """For each way an item stands in a message: the pattern from ``m`` to it, and its id."""
    match plan.target:
        case "people":
            return [
                (p.replace("m:Message", "m").replace("v:", "x:"), "x.id") for p in EDGES[plan.role or "participant"]
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
            " JOIN mail.file f ON f.id = found.item"
            " JOIN (SELECT sha256, min(id) AS id FROM mail.file GROUP BY sha256) g USING (sha256)"
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


def _indented(text: str) -> str:
    return "\n".join("      " + line for line in text.splitlines())
