"""Figures of the graph at a size: build, update, plan shapes, search, memory. `make bench-graph SIZE=50000`.

Fills a store of its own with made-up mail (`tests.bench.made_up_mail`), or takes a filled one with --store. Prints one
table, and a second one with the row of this size for a table of growth. Times are medians and 95th percentiles in
milliseconds, connections warm; "cpu" is the mean processor time of the server for a call, see `tests.bench.server`.

    python -m tests.bench.bench_graph --size 325000 --keep /var/lib/mailweave-bench

With --keep the filled store stays in that directory and the next run with it begins at the measuring.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

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
from sql import embedded
from sql.store import Store, open_store
from tests.bench import bench_search
from tests.bench.made_up_mail import fill
from tests.bench.server import Times, memory, server_cpu_seconds, timed

# What stands in the row of growth: (name, value as text), in order.
_row: list[tuple[str, str]] = []
# The slowest shape of each kind so far: (milliseconds in the median, its name).
_slowest: dict[str, tuple[float, float, str]] = {}


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=5000, help="messages")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the filled store stays; without it none does")
    parser.add_argument("--store", help="name of a filled store in --home, which gets a new graph and nothing else")
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    if given.store:
        with open_store(given.store, home=given.home) as store:
            measure(store)
        return
    home = given.keep or Path(tempfile.mkdtemp(prefix="mailweave-bench-"))
    home.mkdir(exist_ok=True)
    home.chmod(0o711)
    # its name is that of a finished filling: what was interrupted is not taken for a mailbox
    name = f"made_up_{given.size}"
    with open_store(name, home=home) as store:
        with store.owner() as conn:
            if conn.execute("SELECT FROM mail.message LIMIT 1").fetchone() is None:
                fill(conn, given.size)
        bench_search.fill(store)
        measure(store)
    if not given.keep:
        embedded.start(home).close()


def measure(store: Store) -> None:
    """Builds, updates and asks the store; prints a line for each figure, then the row of growth."""
    print("| what | median | p95 | cpu | result |\n|---|---|---|---|---|")
    with store.owner() as conn:
        made = conn.execute("SELECT to_regclass('mail.message_words') IS NULL").fetchone() == (True,)
    if made:
        once(store, "index of words, once", lambda: words(store))
    once(store, "build", lambda: build.build(store))
    with store.owner() as conn:
        sizes(conn)
    with store.reader() as conn:
        names = gazetteer(conn)
        conn.execute("SET statement_timeout = 0")
        line("names for linking", timed(conn, lambda: gazetteer(conn), 3), f"{len(names.people):,} people")
        shapes(conn, names)
        if conn.execute("SELECT to_regclass('mail.vector_made_up')").fetchone() != (None,):
            search(conn)
    once(store, "update, nothing changed", lambda: update.update(store))
    updates(store)
    with store.owner() as conn:
        _row.append(("memory of the server", f"{memory(conn) / 1e6:,.0f} MB"))
    for kind, (wall, cpu, name) in _slowest.items():
        _row.append((f"slowest {kind}", f"{wall:.0f} ms, cpu {cpu:.0f} ({name})"))
    print("\n| " + " | ".join(name for name, _ in _row) + " |\n" + "|---" * len(_row) + "|")
    print("| " + " | ".join(value for _, value in _row) + " |")


def sizes(conn: psycopg.Connection[Any]) -> None:
    """How much the graph and the whole database hold."""
    state = current.state(conn)
    assert state is not None
    row = conn.execute(
        "SELECT (SELECT count(*) FROM mail.message), pg_size_pretty(sum(pg_total_relation_size(c.oid))), "
        "pg_size_pretty(pg_total_relation_size(format('%%I.participation', %(graph)s::text)::regclass)), "
        "pg_size_pretty(pg_database_size(current_database())) FROM pg_class c "
        "WHERE relnamespace = (%(graph)s::text)::regnamespace AND relkind = 'r'",
        {"graph": state.name},
    ).fetchone()
    assert row is not None
    rows = f"{sum(state.counts.values()):,}"
    print(f"| graph, of it who takes part; database | | | | {row[1]}, {row[2]}; {row[3]}, {rows} rows |")
    _row.insert(0, ("messages", f"{row[0]:,}"))
    _row.append(("graph", f"{rows} rows, {row[1]}"))
    _row.append(("database", row[3]))


def search(conn: psycopg.Connection[Any]) -> None:
    """The forty nearest chunks by vectors and by words."""
    vectors, by_words, recall = bench_search.measure(conn)
    line("forty nearest by vectors", vectors, f"recall {recall:.3f}")
    line("forty best by words (BM25)", by_words, "")
    _row.append(("vectors", f"{vectors.median:.1f} ms, recall {recall:.3f}"))
    _row.append(("BM25", f"{by_words.median:.1f} ms"))


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
        show(conn, f"{who}: with whom", Plan("people", filters=(part,), limit=10))
        show(conn, f"{who}: with whom, month", Plan("people", filters=(part, month), limit=10))
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
    show(conn, "all: domains", Plan("domains", role="sender", limit=10))
    show(conn, "all: persons who write", Plan("people", role="sender", persons=True, limit=10))
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
        row = conn.execute("SELECT max(id) FROM mail.message").fetchone()
        assert row is not None
        newest = row[0]
        copied = "SELECT id, row_number() OVER (ORDER BY content_key) AS nth FROM mail.message WHERE sender IS NOT NULL"
        conn.execute(
            f"""
            INSERT INTO mail.message (id, content_key, message_id, sender, subject, sent_at, local_at, body, thread)
            SELECT {newest} + c.nth, sha256(c.nth::text::bytea), 'new' || c.nth, sender, subject, sent_at, local_at,
                   body, thread
            FROM ({copied} AND id <= {newest} ORDER BY content_key LIMIT 100) c JOIN mail.message m USING (id)
            """
        )
        conn.execute(
            f"""
            INSERT INTO mail.recipient SELECT {newest} + c.nth, r.kind, r.address
            FROM ({copied} AND id <= {newest} ORDER BY content_key LIMIT 100) c JOIN mail.recipient r ON r.message = c.id
            """
        )
    once(store, "update, 100 new messages", lambda: update.update(store))
    with store.owner() as conn:
        conn.execute("DELETE FROM mail.message WHERE id > %s", (newest,))
    once(store, "update, 100 messages gone", lambda: update.update(store))


def words(store: Store) -> None:
    """The index for mentions, which a build makes where it is missing."""
    with store.owner() as conn:
        mentions.ensure_index(conn)


def show(conn: psycopg.Connection[Any], name: str, plan: Plan) -> None:
    """A line for a plan: the language chosen and its time; and that of SQL over the tables of the mail, called once,
    whose value has to be the same."""
    found, plain = execute.answer(conn, plan), execute.answer_sql(conn, plan)
    for what in ("items", "total", "messages", "recovered", "next"):
        if getattr(found, what) != getattr(plain, what):
            raise SystemExit(f"{name}: {what} by {found.language} is not that of the tables of the mail.")
    times = timed(conn, lambda: execute.answer(conn, plan))
    by_tables = plain.milliseconds + sum(step.milliseconds for step in plain.steps)
    line(name, times, f"{found.language}, {found.total:,} of {found.messages:,}; over the mail {by_tables:.0f}")
    kind = name.partition(":")[0]
    kind = kind if kind in ("owner", "all") else "mention" if kind.startswith("mention") else "other anchor"
    _slowest[kind] = max(_slowest.get(kind, (0.0, 0.0, "")), (times.median, times.cpu, name))


def line(name: str, times: Times, result: str) -> None:
    """One line of the table."""
    print(f"| {name} | {times.median:.1f} | {times.p95:.1f} | {times.cpu:.1f} | {result} |", flush=True)


def once(store: Store, name: str, call: Callable[[], object]) -> None:
    """A line for something that takes long and is done once: seconds."""
    with store.owner() as conn:
        before, started = server_cpu_seconds(conn), time.perf_counter()
        call()
        wall, cpu = time.perf_counter() - started, server_cpu_seconds(conn) - before
    print(f"| {name} | {wall:.2f} s | | {cpu:.2f} s | |", flush=True)
    _row.append((name, f"{wall:.2f} s, cpu {cpu:.2f}"))


if __name__ == "__main__":
    main()
