"""Answers a plan: inner plans first, then the plan itself in the language that is faster for it, and exactly.

The rule: Cypher answers when all of the plan is in the graph and it can be entered where at most ``MOST_EDGES`` edges
lead on; SQL answers everything else: ranks over the whole mailbox, the owner of a big one, words, organisations of
recipients. Measured: a traversal costs 6 to 8 microseconds an edge, so the limit keeps it near 10 ms; SQL takes a half
to a third of that on the same plans, and a tenth where thousands of edges are counted. Below the limit both are fast
enough, and the traversal is the one that a person can read as a path from one name to another.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg import sql
from psycopg.rows import tuple_row

from graph import compile_cypher, compile_participation, compile_sql, current, ranking
from graph.compile_cypher import Anchor, NotInCypher
from graph.errors import PlanError, QueryCrashed
from graph.failures import failure
from graph.parameters import Parameters
from graph.plan import (
    Answer,
    AnsweredBy,
    Answers,
    Filter,
    Item,
    Messages,
    Organizations,
    People,
    Plan,
    Target,
    Threads,
)

MOST_EDGES = 1000


def answer(conn: psycopg.Connection[Any], plan: Plan, *, limit: int | None = 200) -> Answer:
    """The result of ``plan`` with at most ``limit`` items (None: all of them); counts are always complete.

    ``conn`` is a reader's. Raises PlanError for a plan without meaning, GraphMissing before the first build, and
    QueryFailed with the query when the server stops it or fails.
    """
    try:
        return _answer(conn, plan, limit)
    except (pg.InvalidSchemaName, pg.UndefinedTable):
        # a build has put a new graph into the place of this one, between reading its name and asking it
        conn.rollback()
        return _answer(conn, plan, limit)


def _answer(conn: psycopg.Connection[Any], plan: Plan, limit: int | None) -> Answer:
    resolved, steps = resolve(conn, plan)
    graph, numbers = current.graph_labels(conn)
    try:
        anchor = _cheapest(conn, graph, numbers, resolved)
        bind = Parameters()
        hits = compile_cypher.hits(resolved, graph, anchor, bind)
        because = f"the graph is entered at one of {len(resolved.filters)} filters and few edges lead from there"
        return replace(run(conn, resolved, hits, bind, "cypher", limit), steps=steps, because=because)
    except NotInCypher as reason:
        found = _by_tables(conn, resolved, limit, graph if compile_participation.fits(resolved) else None)
        return replace(found, steps=steps, because=str(reason))


def answer_sql(conn: psycopg.Connection[Any], plan: Plan, *, limit: int | None = 200) -> Answer:
    """The same by SQL over the tables of the mail alone, whatever the plan."""
    resolved, steps = resolve(conn, plan)
    return replace(_by_tables(conn, resolved, limit, None), steps=steps)


def _by_tables(conn: psycopg.Connection[Any], plan: Plan, limit: int | None, graph: str | None) -> Answer:
    """By SQL: over who takes part in what, which stands beside ``graph``, or over the tables of the mail."""
    bind = Parameters()
    if graph is None:
        hits, unique = compile_sql.hits(plan, bind), compile_sql.unique(plan)
    else:
        hits, unique = compile_participation.hits(plan, graph, bind), compile_participation.unique(plan)
    return run(conn, plan, hits, bind, "sql", limit, unique=unique)


def resolve(conn: psycopg.Connection[Any], plan: Plan) -> tuple[Plan, tuple[Answer, ...]]:
    """The plan with the ids of its inner plans' results in their place, and the answers of the inner plans."""
    steps: list[Answer] = []

    def inner(which: Any, target: Target) -> Any:
        if not isinstance(which, Plan):
            return which
        if which.target != target:
            raise PlanError(f"A plan over {which.target} stands where {target} are wanted.")
        found = answer(conn, which, limit=None)
        steps.append(found)
        return tuple(item.id for item in found.items)

    def filled(f: Filter) -> Filter:
        match f:
            case People(who=Plan() as who):
                return replace(f, who=inner(who, "people"))
            case Organizations(who=Plan() as who):
                return replace(f, who=inner(who, "organizations"))
            case Threads(which=Plan() as which):
                return replace(f, which=inner(which, "threads"))
            case Messages(which=Plan() as which) | Answers(which=Plan() as which) | AnsweredBy(which=Plan() as which):
                return replace(f, which=inner(which, "messages"))
        return f

    resolved = replace(
        plan,
        filters=tuple(filled(f) for f in plan.filters),
        not_filters=tuple(filled(f) for f in plan.not_filters),
        within=tuple(inner(which, plan.target) for which in plan.within),
        without=tuple(inner(which, plan.target) for which in plan.without),
    )
    return resolved, tuple(steps)


def run(
    conn: psycopg.Connection[Any],
    plan: Plan,
    hits: str,
    bind: Parameters,
    language: Any,
    limit: int | None,
    *,
    unique: bool = False,
) -> Answer:
    """Runs a compiled plan; ``unique`` as in ``graph.ranking``. One row more than the plan's own limit is asked for, to
    see a tie."""
    wanted = min((n for n in (plan.limit, limit) if n is not None), default=None)
    query = ranking.ranked(plan, hits, bind, None if wanted is None else wanted + 1, unique=unique)
    started = time.perf_counter()
    try:
        # never prepared: a plan of the server's for anybody would be used for the owner, who is in most of the mail
        rows = conn.cursor(row_factory=tuple_row).execute(query, bind.values, prepare=False).fetchall()
    except (pg.InvalidSchemaName, pg.UndefinedTable):
        raise
    except psycopg.Error as error:
        failed = failure(error, query)
        if isinstance(failed, QueryCrashed):
            conn.close()
        raise failed from None
    milliseconds = (time.perf_counter() - started) * 1000
    messages, recovered, total = rows[0][:3]
    items = [Item(row[3], row[4], row[5], tuple(row[8]), row[6], row[7]) for row in rows if row[3] is not None]
    cut = plan.limit is not None and plan.limit == wanted and len(items) > plan.limit
    return Answer(
        items=tuple(items[:wanted]),
        total=total if plan.limit is None else min(total, plan.limit),
        messages=messages,
        recovered=recovered,
        query=query,
        parameters={name: json.loads(str(v)) if name == "graph" else v for name, v in bind.values.items()},
        language=language,
        milliseconds=milliseconds,
        next=items[plan.limit] if cut and plan.limit is not None else None,
    )


def _cheapest(conn: psycopg.Connection[Any], graph: str, numbers: dict[str, int], plan: Plan) -> Anchor:
    """The filter with the fewest edges. Raises NotInCypher when all of them have too many."""
    anchors = compile_cypher.anchors(plan)
    if not anchors:
        raise NotInCypher("nothing in the plan is a place to enter the graph: the whole mailbox is read")
    counts = sql.SQL(", ").join(_edges(graph, numbers, anchor) for anchor in anchors)
    row = conn.cursor(row_factory=tuple_row).execute(sql.SQL("SELECT {}").format(counts)).fetchone()
    assert row is not None
    fewest, anchor = min(zip(row, anchors, strict=True), key=lambda pair: (pair[0], pair[1].place, pair[1].side))
    if fewest * len(compile_cypher.items(plan)) > MOST_EDGES:
        raise NotInCypher(f"more than {MOST_EDGES} edges lead from where the graph would be entered")
    return anchor


def _edges(graph: str, numbers: dict[str, int], anchor: Anchor) -> sql.Composable:
    """How many edges lead from the anchor, counted up to the limit."""
    parts = [
        sql.SQL("(SELECT count(*) FROM (SELECT FROM {} WHERE {} = ANY({}::text[]::graphid[]) LIMIT {}) e)").format(
            sql.Identifier(graph, label),
            sql.Identifier(end),
            sql.Literal([str((numbers[vertex] << 48) + one) for one in which]),
            MOST_EDGES + 1,
        )
        for label, end, vertex, which in anchor.edges
    ]
    return sql.SQL(" + ").join(parts)
