"""Answers a plan: inner plans first, then the plan itself in the language that is faster for it, and exactly.

The rule: Cypher answers when all of the plan is in the graph and it can be entered where a traversal follows at most
``MOST_EDGES`` edges in all; SQL answers everything else: ranks over the whole mailbox, the owner of a big one, words,
organisations of recipients. Measured: a traversal costs 7 to 20 microseconds an edge, so the limit keeps it near 3 ms;
SQL takes a half to a tenth of that on the same plans. Below the limit both are fast enough, and the traversal is the
one that a person can read as a path from one name to another.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import datetime
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg import sql
from psycopg.rows import tuple_row

from graph import compile_cypher, compile_participation, compile_sql, current, participation, ranking
from graph.anchors import Anchor, anchors
from graph.conditions import NotInCypher
from graph.errors import PlanError, QueryCrashed
from graph.failures import failure
from graph.parameters import Parameters
from graph.plan import (
    Answer,
    AnsweredBy,
    Answers,
    Filter,
    Item,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    Subject,
    Target,
    Threads,
    Weekdays,
)

MOST_EDGES = 300
# Messages, of them recovered, in the whole mailbox, by database and version of the graph: a rank over everything would
# count them each time, which takes as long as the rank.
_whole: dict[tuple[str, str, str, datetime], tuple[int, int]] = {}


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
        taken = compile_participation.fits(resolved) and not _about_words(resolved)
        found = _by_tables(conn, resolved, limit, graph if taken else None)
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
        return run(conn, plan, hits, bind, "sql", limit, unique=unique)
    hits, unique = compile_participation.hits(plan, graph, bind), compile_participation.unique(plan)
    whole = None if plan.filters or plan.not_filters else _size(conn, graph)
    return run(conn, plan, hits, bind, "sql", limit, unique=unique, whole=whole)


def _about_words(plan: Plan) -> bool:
    """Words lead to rows of the mail, which tell sender and date themselves: nothing else has to be looked up."""
    filters = (*plan.filters, *plan.not_filters)
    return (
        plan.target in ("messages", "threads", "months")
        and plan.order_by != "recipients"
        and any(isinstance(f, Mentions | Subject) for f in plan.filters)
        and all(isinstance(f, Mentions | Subject | Period | Weekdays) for f in filters)
    )


def _size(conn: psycopg.Connection[Any], graph: str) -> tuple[int, int] | None:
    """Messages, and of them recovered, in the whole mailbox; None where another graph has taken this one's place."""
    state = current.state(conn)
    if state is None or state.name != graph:
        return None
    key = (conn.info.host, conn.info.dbname, graph, state.built_at)
    if key not in _whole:
        counted = sql.SQL(
            "SELECT count(*) FILTER (WHERE NOT recovered), count(*) FILTER (WHERE recovered) FROM {} WHERE lead"
        )
        table = sql.Identifier(graph, participation.TABLE)
        row = conn.cursor(row_factory=tuple_row).execute(counted.format(table)).fetchone()
        assert row is not None
        _whole[key] = (row[0], row[1])
    return _whole[key]


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
    whole: tuple[int, int] | None = None,
) -> Answer:
    """Runs a compiled plan; ``unique`` and ``whole`` as in ``graph.ranking``. One row more than the plan's own limit is
    asked for, to see a tie."""
    wanted = min((n for n in (plan.limit, limit) if n is not None), default=None)
    query = ranking.ranked(plan, hits, bind, None if wanted is None else wanted + 1, unique=unique, whole=whole)
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
        total=total if plan.limit is None else max(0, min(total - plan.skip, plan.limit)),
        messages=messages,
        recovered=recovered,
        query=query,
        parameters={name: json.loads(str(v)) if name == "graph" else v for name, v in bind.values.items()},
        language=language,
        milliseconds=milliseconds,
        next=items[plan.limit] if cut and plan.limit is not None else None,
    )


def _cheapest(conn: psycopg.Connection[Any], graph: str, numbers: dict[str, int], plan: Plan) -> Anchor:
    """The filter with the fewest edges. Raises NotInCypher when too many are followed from there."""
    possible = anchors(plan)
    if not possible:
        raise NotInCypher("nothing in the plan is a place to enter the graph: the whole mailbox is read")
    counts = sql.SQL(", ").join(_edges(graph, numbers, anchor) for anchor in possible)
    row = conn.cursor(row_factory=tuple_row).execute(sql.SQL("SELECT {}").format(counts)).fetchone()
    assert row is not None
    fewest, anchor = min(zip(row, possible, strict=True), key=lambda pair: (pair[0], pair[1].place, pair[1].side))
    if fewest * compile_cypher.steps(plan, anchor) > MOST_EDGES:
        raise NotInCypher(f"more than {MOST_EDGES} edges would be followed from where the graph is entered")
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
