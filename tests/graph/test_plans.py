"""Every plan has one value: by Cypher, by SQL, and by plain Python over the same mail."""

from __future__ import annotations

from datetime import date
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, example, given, settings

from graph import compile_cypher, compile_participation, current, execute
from graph.anchors import anchors
from graph.conditions import NotInCypher
from graph.errors import QueryTimeout
from graph.parameters import Parameters
from graph.plan import (
    Answer,
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
    Plan,
    RecipientCount,
    Subject,
    Threads,
    Weekdays,
)
from sql.store import Store
from tests.graph.mailboxes import Mailbox, evaluate

SLOW = """SELECT a.id, a.recovered, 1 AS item, 1 AS message, a.local_at AS at, a.sent_at AS sent
    FROM mail.message a, mail.message b, mail.message c"""
ROLES = st.sampled_from(["sender", "to", "cc", "bcc", "recipient", "participant"])
PEOPLE = st.sampled_from([1, 3, 4, 6, 7, 8, 9])
DAYS = st.none() | st.dates(date(2001, 1, 1), date(2001, 5, 1))
DOMAINS = ["north.example", "webmail.example", "example", "nowhere.example"]
TERMS = st.sampled_from(["harbour", "Kite-Mill", "weekly report", "LEDGER", "straße", "émile", "x", "kite", "no such"])


def few(of: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, min_size=0, max_size=most, unique=True).map(tuple)


def filters(plans: st.SearchStrategy[Plan] | None) -> st.SearchStrategy[Filter]:
    def ids(of: st.SearchStrategy[int], target: str) -> st.SearchStrategy[Any]:
        return few(of) | plans.map(lambda p: _of(p, target)) if plans is not None else few(of)

    messages = ids(st.integers(1, 70), "messages")
    return st.one_of(
        st.builds(People, ROLES, ids(PEOPLE, "people")),
        st.builds(People, ROLES, ids(PEOPLE, "people")),
        st.builds(Between, few(PEOPLE), few(PEOPLE), st.sampled_from(["to", "cc", "recipient"])),
        st.builds(Organizations, ROLES, ids(st.integers(1, 3), "organizations")),
        st.builds(Domains, ROLES, few(st.sampled_from(DOMAINS))),
        st.builds(Period, DAYS, DAYS),
        st.builds(Subject, st.sampled_from(["harbour ledger", "weekly report", "x weekly"])),
        st.builds(Subject, st.sampled_from(["ledger", "ledgers", "report"]), st.just(True)),
        st.builds(Labels, few(st.integers(1, 3))),
        st.builds(Threads, ids(st.integers(1, 25), "threads")),
        st.builds(Messages, messages),
        st.builds(Mentions, few(TERMS, 2), st.booleans(), st.sampled_from(["anywhere", "subject"])),
        st.builds(Kind, few(st.sampled_from(["mail", "automated", "draft", "spam"]))),
        st.builds(HasAttachment, st.sampled_from([None, "pdf", "png"])),
        st.builds(HasAttachment, name=st.sampled_from(["Plan.PDF", "no such.pdf"])),
        st.builds(Weekdays, few(st.integers(0, 6))),
        st.builds(Answers, st.none() | messages),
        st.builds(AnsweredBy, st.none() | messages),
        st.just(FirstInThread()),
        st.just(Forwarded()),
        st.builds(
            RecipientCount, st.sampled_from(["to", "cc", "recipient"]), st.integers(0, 3), st.sampled_from([None, 1, 3])
        ),
    )


def _of(plan: Plan, target: str) -> Plan:
    kept = all(isinstance(w, Plan) for w in (*plan.within, *plan.without)) and plan.target == target
    order = plan.order_by if target == "messages" or plan.order_by != "recipients" else None
    made: dict[str, Any] = {f: getattr(plan, f) for f in plan.__dataclass_fields__} | {
        "target": target,
        "order_by": order,
    }
    return Plan(**(made if kept else made | {"within": (), "without": ()}))


@st.composite
def plans(draw: st.DrawFn, depth: int = 1) -> Plan:
    target = draw(
        st.sampled_from(
            ["messages", "people", "organizations", "domains", "threads", "months", "labels", "attachments"]
        )
    )
    inner: st.SearchStrategy[Plan] | None = plans(depth - 1) if depth else None
    others = few(inner.map(lambda p: _of(p, target)), 1) if inner is not None else st.just(())
    limit = draw(st.sampled_from([None, None, 1, 3]))
    orders = ["count", "date", None, *(["recipients"] if target == "messages" else [])]
    return Plan(
        target=target,  # type: ignore[arg-type]
        role=draw(st.one_of(st.none(), ROLES)),
        filters=draw(few(filters(inner))),
        not_filters=draw(few(filters(inner), 2)),
        exclude_people=draw(few(PEOPLE, 1)),
        exclude_organizations=draw(few(st.integers(1, 3), 1)),
        only_organizations=draw(few(st.integers(1, 3), 1)),
        within=draw(others),
        without=draw(others),
        persons=draw(st.sampled_from([False] * 5 + [True])),
        at_least=draw(st.sampled_from([1, 1, 2])),
        at_most=draw(st.sampled_from([None, None, None, 1, 3])),
        order_by=draw(st.sampled_from(orders)),
        descending=draw(st.booleans()),
        limit=limit,
        skip=draw(st.sampled_from([0, 0, 1])) if limit else 0,
    )


def by_cypher(conn: Any, plan: Plan) -> list[Answer]:
    """The plan by Cypher from every place where it can begin, the whole mailbox among them; empty when it cannot."""
    resolved, _ = execute.resolve(conn, plan)
    graph = current.graph_name(conn)
    found = []
    for anchor in [None, *anchors(resolved)]:
        bind = Parameters()
        try:
            hits = compile_cypher.hits(resolved, graph, anchor, bind)
        except NotInCypher:
            continue
        found.append(execute.run(conn, resolved, hits, bind, "cypher", None))
    return found


def by_participation(conn: Any, plan: Plan) -> list[Answer]:
    """The plan over the participation table, unless it asks for what that leaves out."""
    resolved, _ = execute.resolve(conn, plan)
    if not compile_participation.fits(resolved):
        return []
    return [execute._by_tables(conn, resolved, None, current.graph_name(conn))]


@given(plan=plans())
@example(plan=Plan(role="sender", order_by="recipients"))
@example(plan=Plan("domains", role="sender"))
@example(plan=Plan("people", role="sender", persons=True, limit=2))
@example(plan=Plan("people", persons=True, limit=1, descending=False))
@example(plan=Plan("months", filters=(Mentions(("harbour",)), Period(date(2001, 1, 1), None))))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_cypher_participation_tables_and_python_give_the_same_value(odd: tuple[Store, Mailbox], plan: Plan) -> None:
    store, box = odd
    rows, messages, recovered = evaluate(box, plan)
    with store.reader() as conn:
        answers = [execute.answer_sql(conn, plan, limit=None), *by_participation(conn, plan), *by_cypher(conn, plan)]
        chosen = execute.answer(conn, plan, limit=None)
    for found in [*answers, chosen]:
        assert [(item.id, item.n) for item in found.items] == rows, found.language
        assert (found.total, found.messages, found.recovered) == (len(rows), messages, recovered), found.language
    assert len({(a.items, a.next) for a in answers}) == 1


def test_a_good_part_of_the_random_plans_is_in_the_graph(odd: tuple[Store, Mailbox]) -> None:
    store, _ = odd
    languages = []

    @given(plan=plans())
    @settings(max_examples=100, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def collect(plan: Plan) -> None:
        with store.reader() as conn:
            languages.append(bool(by_cypher(conn, plan)))

    collect()
    assert sum(languages) >= 10


def test_an_answer_that_takes_too_long_is_a_named_error_with_its_query(odd: tuple[Store, Mailbox]) -> None:
    with odd[0].reader() as conn:
        conn.execute("SET LOCAL statement_timeout = '1ms'")
        with pytest.raises(QueryTimeout) as error:
            execute.run(conn, Plan(), f"matched AS ({SLOW}), hit AS ({SLOW})", Parameters(), "sql", 1)
    assert error.value.sqlstate == "57014"
    assert SLOW in error.value.query
