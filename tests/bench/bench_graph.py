"""Figures of the graph at a size: build, update, plan shapes, neighbours, memory. `make bench-graph SIZE=50000`.

Fills a store of its own with made-up mail (`tests.bench.made_up_mail`), or takes a filled one with --store. Prints one
table; times are medians and 95th percentiles of RUNS calls in milliseconds, connections warm. "cpu" is the mean
processor time of the server's process for a call: it stays the same on a machine that does other things as well.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import psutil
import psycopg

from graph import build, current, execute, mentions, neighbours, update
from graph.names import gazetteer
from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    FirstInThread,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    Threads,
)
from sql.store import Store, open_store
from tests.bench.made_up_mail import fill

RUNS = 15


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--store", help="name of a filled store in --home, which is only read and gets a new graph")
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    if given.store:
        with open_store(given.store, home=given.home) as store:
            measure(store)
        return
    home = Path(tempfile.mkdtemp(prefix="mailweave-bench-"))
    home.chmod(0o711)
    with open_store("bench", home=home) as store:
        with store.owner() as conn:
            fill(conn, given.size)
        measure(store)


def measure(store: Store) -> None:
    """Builds, updates and asks the store; prints a line for each figure."""
    print("| what | median | p95 | cpu | result |\n|---|---|---|---|---|")
    once("index of words", lambda: words(store))
    once("build", lambda: build.build(store))
    with store.owner() as conn:
        state = current.state(conn)
        assert state is not None
        row = conn.execute(
            "SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))), pg_size_pretty(pg_database_size("
            "current_database())) FROM pg_class c WHERE relnamespace = %s::regnamespace AND relkind = 'r'",
            (state.name,),
        ).fetchone()
        assert row is not None
        print(f"| size of the graph; of the database | | | | {row[0]}; {row[1]}, {sum(state.counts.values()):,} rows |")
    with store.reader() as conn:
        names = gazetteer(conn)
        conn.execute("SET statement_timeout = 0")
        line("gazetteer", timed(conn, lambda: gazetteer(conn), 3), f"{len(names.people):,} people")
        shapes(conn, names)
    once("update, nothing changed", lambda: update.update(store))
    updates(store)


def shapes(conn: psycopg.Connection[Any], names: Any) -> None:
    """Every shape of plan, anchored at the owner, at a person of many and of few messages, and at nothing."""
    by_mail = sorted(names.people, key=lambda p: -(p.sent + p.received))
    owner = next((p for p in by_mail if p.is_owner), by_mail[0])
    busy = next(p for p in by_mail[1:] if p.sent > 20)
    usual = by_mail[len(by_mail) // 10]
    month = Period(date(2001, 10, 1), date(2001, 11, 1))
    for who, person in (("owner", owner), ("busy person", busy), ("person", usual)):
        sent, part = People("sender", (person.id,)), People("participant", (person.id,))
        show(conn, f"{who}: to whom", Plan("people", role="to", filters=(sent,), limit=10))
        show(conn, f"{who}: to whom, month", Plan("people", role="recipient", filters=(sent, month), limit=10))
        show(conn, f"{who}: who wrote", Plan("people", role="sender", filters=(People("to", (person.id,)),), limit=10))
        show(conn, f"{who}: messages", Plan(filters=(part,)))
        show(conn, f"{who}: messages, month", Plan(filters=(part, month)))
        show(conn, f"{who}: months", Plan("months", filters=(sent,)))
        show(conn, f"{who}: threads", Plan("threads", filters=(part,), limit=10))
        show(conn, f"{who}: organisations", Plan("organizations", role="recipient", filters=(sent,)))
        show(conn, f"{who}: not to the owner", Plan(filters=(sent,), not_filters=(People("to", (owner.id,)),)))
        show(
            conn,
            f"{who}: between the two",
            Plan(filters=(Between((person.id,), (busy.id if person is owner else owner.id,)),)),
        )
        show(conn, f"{who}: unanswered", Plan(filters=(sent,), not_filters=(AnsweredBy(),)))
        show(conn, f"{who}: answers to", Plan("people", role="sender", filters=(Answers(Plan(filters=(sent, month))),)))
        most = Plan("people", role="to", filters=(sent,), exclude_people=(owner.id,), limit=1)
        show(conn, f"{who}: two hops", Plan("people", role="to", filters=(People("sender", most),), limit=10))
    thread = max(names.threads, key=lambda t: t.messages)
    show(conn, "thread: messages", Plan(filters=(Threads((thread.id,)),)))
    show(conn, "thread: people", Plan("people", role="sender", filters=(Threads((thread.id,)),)))
    show(conn, "folder: writers", Plan("people", role="sender", filters=(Labels((names.labels[0].id,)),), limit=10))
    organization = sorted(names.organizations, key=lambda o: -o.n)[len(names.organizations) // 5]
    show(
        conn,
        "organisation: writers",
        Plan("people", role="sender", filters=(Organizations("sender", (organization.id,)),)),
    )
    show(conn, "message: people", Plan("people", filters=(Messages((thread.id,)),)))
    show(conn, "all: senders", Plan("people", role="sender", limit=10))
    show(conn, "all: recipients", Plan("people", role="recipient", limit=10))
    show(conn, "all: organisations", Plan("organizations", role="sender", limit=10))
    show(conn, "all: months", Plan("months"))
    show(conn, "all: threads", Plan("threads", limit=10))
    show(conn, "all: most recipients", Plan(order_by="recipients", limit=1))
    show(conn, "all: who opens threads", Plan("people", role="sender", filters=(FirstInThread(),), limit=10))
    show(conn, "all: a month's messages", Plan(filters=(month,)))
    for term in ("word19999", "word300", "word19 word15"):
        show(conn, f"mention of {term}", Plan(filters=(Mentions((term,)),)))
    ids = [row[0] for row in conn.execute("SELECT id FROM mail.message ORDER BY content_key LIMIT 8")]
    line("siblings of 8", timed(conn, lambda: neighbours.siblings(conn, ids)), "")
    line("replies and quotes of 8", timed(conn, lambda: neighbours.links(conn, ids)), "")
    line("two hops from 8", timed(conn, lambda: neighbours.two_hops(conn, ids)), "")
    line("path", timed(conn, lambda: neighbours.path(conn, usual.id, by_mail[-1].id), 5), "")


def updates(store: Store) -> None:
    """One hundred new messages, then the same removed."""
    with store.owner() as conn:
        first = conn.execute("SELECT max(id) + 1 FROM mail.message").fetchone()
        assert first is not None
        conn.execute(
            """
            INSERT INTO mail.message (id, content_key, message_id, sender, subject, sent_at, local_at, body, thread)
            SELECT %(first)s + nth, sha256(nth::text::bytea), 'new' || nth, sender, subject, sent_at, local_at, body, thread
            FROM (SELECT *, row_number() OVER (ORDER BY content_key) AS nth FROM mail.message WHERE sender IS NOT NULL
                  ORDER BY content_key LIMIT 100) m;
            """.replace("%(first)s", str(first[0]))
        )
        conn.execute(
            """
            INSERT INTO mail.recipient SELECT f.first + m.nth, r.kind, r.address
            FROM (SELECT id, row_number() OVER (ORDER BY content_key) AS nth FROM mail.message
                  WHERE sender IS NOT NULL AND id < f ORDER BY content_key LIMIT 100) m
            JOIN mail.recipient r ON r.message = m.id CROSS JOIN (SELECT f AS first) f
            """.replace("id < f ", f"id < {first[0]} ").replace("SELECT f AS", f"SELECT {first[0]} AS")
        )
    once("update, 100 new messages", lambda: update.update(store))
    with store.owner() as conn:
        conn.execute("DELETE FROM mail.message WHERE id >= %s", first)
    once("update, 100 messages gone", lambda: update.update(store))


def words(store: Store) -> None:
    """The index for mentions, apart from the build that would make it."""
    with store.owner() as conn:
        mentions.ensure_index(conn)


def show(conn: psycopg.Connection[Any], name: str, plan: Plan) -> None:
    """A line for a plan: the language chosen, its time, and that of SQL where Cypher was chosen."""
    found = execute.answer(conn, plan)
    times = timed(conn, lambda: execute.answer(conn, plan))
    other = ""
    if found.language == "cypher":
        by_sql = timed(conn, lambda: execute.answer_sql(conn, plan))
        other = f"; by SQL {statistics.median(by_sql.wall):.1f}, cpu {by_sql.cpu:.1f}"
    line(name, times, f"{found.language}, {found.total:,} of {found.messages:,}{other}")


@dataclass(frozen=True)
class Times:
    """Milliseconds: of each call, and of the server's processor in the mean."""

    wall: list[float]
    cpu: float


def timed(conn: psycopg.Connection[Any], call: Callable[[], object], runs: int = RUNS) -> Times:
    """The times of some calls, after one to warm up."""
    call()
    server = psutil.Process(conn.info.backend_pid)
    before = server.cpu_times()
    wall = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        wall.append((time.perf_counter() - started) * 1000)
    after = server.cpu_times()
    return Times(wall, (after.user + after.system - before.user - before.system) * 1000 / runs)


def line(name: str, times: Times, result: str) -> None:
    """One line of the table."""
    ordered = sorted(times.wall)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"| {name} | {statistics.median(ordered):.1f} | {p95:.1f} | {times.cpu:.1f} | {result} |", flush=True)


def once(name: str, call: Callable[[], object], result: str = "") -> None:
    """A line for something that takes long and is done once: seconds."""
    started = time.perf_counter()
    call()
    print(f"| {name} | {time.perf_counter() - started:.2f} s | | | {result} |", flush=True)


if __name__ == "__main__":
    main()
