"""Which graph is current: its name stands in ``mail.index_state``, since each build makes a new one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from graph import schema
from graph.errors import GraphMissing, GraphStale

PREFIX = "mailbox_v"


@dataclass(frozen=True)
class GraphState:
    """``name``: the graph's name; ``counts``: rows of each label; ``built_at`` changes with every build and update,
    so (name, built_at) can key what others cache."""

    name: str
    fingerprint: str
    counts: dict[str, int]
    built_at: datetime

    @property
    def stale(self) -> bool:
        """Built by a version whose graph looks otherwise."""
        return self.fingerprint != schema.FINGERPRINT


def state(conn: psycopg.Connection[Any]) -> GraphState | None:
    """The current graph, or None before the first build."""
    row = conn.execute(
        "SELECT relation, fingerprint, counts, built_at FROM mail.index_state WHERE name = 'graph'"
    ).fetchone()
    return GraphState(*row) if row else None


def graph_name(conn: psycopg.Connection[Any]) -> str:
    """The name of the current graph. Raises GraphMissing before the first build, GraphStale after an upgrade."""
    found = state(conn)
    if found is None:
        raise GraphMissing
    if found.stale:
        raise GraphStale
    return found.name


def graph_labels(conn: psycopg.Connection[Any]) -> tuple[str, dict[str, int]]:
    """The current graph's name and its labels' numbers, in one round trip. Raises as ``graph_name`` does."""
    rows = conn.execute(
        """
        SELECT i.relation, i.fingerprint, l.name::text, l.id
        FROM mail.index_state i JOIN ag_catalog.ag_graph g ON g.name = i.relation
        JOIN ag_catalog.ag_label l ON l.graph = g.graphid
        WHERE i.name = 'graph'
        """
    ).fetchall()
    if not rows:
        raise GraphMissing
    if rows[0][1] != schema.FINGERPRINT:
        raise GraphStale
    return rows[0][0], {row[2]: row[3] for row in rows}


def put(conn: psycopg.Connection[Any], name: str, fingerprint: str, counts: dict[str, int]) -> GraphState:
    """Makes ``name`` the current graph."""
    row = conn.execute(
        """
        INSERT INTO mail.index_state (name, fingerprint, relation, counts, built_at)
        VALUES ('graph', %s, %s, %s, clock_timestamp())
        ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, relation = excluded.relation,
            counts = excluded.counts, built_at = excluded.built_at
        RETURNING relation, fingerprint, counts, built_at
        """,
        (fingerprint, name, Jsonb(counts)),
    ).fetchone()
    assert row is not None
    return GraphState(*row)


def all_names(conn: psycopg.Connection[Any]) -> list[str]:
    """The names of all graphs that mailweave has built in this store, oldest first."""
    rows = conn.execute("SELECT name::text FROM ag_catalog.ag_graph WHERE starts_with(name::text, %s)", (PREFIX,))
    return sorted((row[0] for row in rows if row[0][len(PREFIX) :].isdigit()), key=_version)


def next_name(conn: psycopg.Connection[Any]) -> str:
    """The name for the next build."""
    names = all_names(conn)
    return f"{PREFIX}{_version(names[-1]) + 1 if names else 1}"


def label_ids(conn: psycopg.Connection[Any], name: str) -> dict[str, int]:
    """Label name → number. They differ between builds: read them each time, never keep them."""
    rows = conn.execute(
        """
        SELECT l.name::text, l.id FROM ag_catalog.ag_label l JOIN ag_catalog.ag_graph g ON g.graphid = l.graph
        WHERE g.name = %s
        """,
        (name,),
    )
    return dict(rows.fetchall())


def _version(name: str) -> int:
    return int(name[len(PREFIX) :])
