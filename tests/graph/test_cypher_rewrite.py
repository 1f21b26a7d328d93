"""Cypher as models write it becomes Cypher that runs, and what changes is told; what is uncertain stays as it is."""

from __future__ import annotations

import pytest

from graph import cypher
from graph.cypher_rewrite import rewrite
from graph.errors import QueryFailed, QueryRefused
from sql.store import Store
from tests.graph.mailboxes import Mailbox

Odd = tuple[Store, Mailbox]

REWRITTEN = [
    ("MATCH (p:Person) RETURN p.name ;", "MATCH (p:Person) RETURN p.name"),
    ("MATCH (p:Person) WHERE p.name = 'O''Hara' RETURN p.id", "MATCH (p:Person) WHERE p.name = 'O\\'Hara' RETURN p.id"),
    ("MATCH (p:Person) WHERE lower(p.name) != 'x' RETURN p.id",
     "MATCH (p:Person) WHERE toLower(p.name) <> 'x' RETURN p.id"),
    ("MATCH (t:Thread) RETURN t.subject, count(*) AS count ORDER BY count DESC",
     "MATCH (t:Thread) RETURN t.subject, count(*) AS n ORDER BY n DESC"),
    ("MATCH (m:Message)-[:TO|CC]->(p:Person) RETURN p.name",
     "MATCH (m:Message)-[:RECIPIENT]->(p:Person) WHERE m.counted = true RETURN p.name"),
    ("MATCH (m:Message)-[e:RECIPIENT]->(p:Person) RETURN p.name",
     "MATCH (m:Message)-[e:RECIPIENT]->(p:Person) WHERE m.counted = true AND type(e) <> 'BCC' RETURN p.name"),
    ("MATCH (m:Message) WHERE m.subject = 'Ice (north)?' RETURN count(m)",
     "MATCH (m:Message) WHERE m.counted = true AND m.subject =~ '(?i)^([[][^]]*[]] *|[[:alpha:]]{2,4}: *)*"
     "Ice [(]north[)][?] *$' RETURN count(m)"),
    ("MATCH (p:Person)-[s:SENT]->(m:Message) RETURN s.domain, count(DISTINCT m) AS n",
     "MATCH (p:Person)-[s:SENT]->(m:Message) WHERE m.counted = true AND s.domain IS NOT NULL "
     "RETURN s.domain, count(DISTINCT m) AS n"),
    ("MATCH (p:Person)-[s:SENT]->(m:Message) RETURN p.name, count(DISTINCT m) AS n",
     "MATCH (p:Person)-[s:SENT]->(m:Message) WHERE m.counted = true AND m.kind <> 'automated' "
     "RETURN p.name, count(DISTINCT m) AS n"),
    ("MATCH (p:Person)-[:SENT]-(m:Message) RETURN count(m)",
     "MATCH (p:Person)-[:SENT]->(m:Message) WHERE m.counted = true RETURN count(m)"),
    ("MATCH (m:Message)-[:SENT]-(p:Person) RETURN count(m)",
     "MATCH (m:Message)<-[:SENT]-(p:Person) WHERE m.counted = true RETURN count(m)"),
    ("MATCH (m:Message) WHERE m.ts >= '2001-10-01' OR m.date < date('2001-01-01') RETURN count(m)",
     "MATCH (m:Message) WHERE m.counted = true AND (m.date >= '2001-10-01' OR m.date < '2001-01-01') RETURN count(m)"),
    ("MATCH (p:Person)-[s:SENT]->(m:Message) WHERE NOT s.domain IN ['a.example'] RETURN count(m)",
     "MATCH (p:Person)-[s:SENT]->(m:Message) WHERE m.counted = true AND NOT coalesce(s.domain, "
     "split(s.address, '@')[1]) IN ['a.example'] RETURN count(m)"),
]  # fmt: skip


@pytest.mark.age17
@pytest.mark.parametrize(("written", "runs"), REWRITTEN, ids=[w[:50] for w, _ in REWRITTEN])
def test_what_has_one_meaning_is_written_so_that_it_runs(odd: Odd, written: str, runs: str) -> None:
    query, told = rewrite(written)
    assert query == runs
    assert told
    with odd[0].reader() as conn:
        cypher.run(conn, query)


def test_texts_are_left_alone() -> None:
    query = "MATCH (t:Thread) WHERE t.subject = 'MATCH (m:Message) != lower(x) AS count [:TO|CC]' RETURN t.id"
    assert rewrite(query) == (query, [])


def test_a_query_that_asks_for_other_mail_gets_no_condition() -> None:
    for query in ("MATCH (m:Message) WHERE m.kind = 'draft' RETURN count(m)",
                  "MATCH (m:Message) WHERE m.recovered = true RETURN count(m)"):  # fmt: skip
        assert rewrite(query) == (query, [])


@pytest.mark.age17
def test_each_pattern_asks_for_counted_messages_and_inner_ones_too(odd: Odd) -> None:
    query, _ = rewrite(
        "MATCH (p:Person)-[s:SENT]->(m:Message) WITH DISTINCT p WHERE NOT exists { MATCH (p)-[:SENT]->(k:Message) "
        "WHERE k.date < '2001-01-01' } MATCH (p)<-[e:TO]-(m:Message) RETURN count(DISTINCT m)"
    )
    assert query.count("m.counted = true") == 2
    assert query.count("k.counted = true") == 1
    with odd[0].reader() as conn:
        cypher.run(conn, query)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:Message)-[:REPLY_TO*1..4]->(b:Message) RETURN count(a)",
        "MATCH (a:Message)-[:SENT|HAS_LABEL]->(b) RETURN count(a)",
        # known to AGE 1.8
        pytest.param(
            "MATCH (p:Person) WHERE any(x IN p.addresses WHERE x = 'a') RETURN p.id", marks=pytest.mark.embedded
        ),
    ],
)
def test_what_cannot_be_said_otherwise_fails_with_a_reason(odd: Odd, query: str) -> None:
    with odd[0].reader() as conn, pytest.raises(QueryFailed) as told:
        cypher.run(conn, rewrite(query)[0])
    assert told.value.hint
    if "*" in query:
        assert isinstance(told.value, QueryRefused)
