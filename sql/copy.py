"""Copies the rows of one store into another, empty one: for trying something on a mailbox without touching it.

Not CREATE DATABASE … TEMPLATE: pg_textsearch keeps what is in memory by an index's number alone, and a database made
from a template has the same numbers, so that writing into the copy would damage the index of the original. It also
works while others use the source.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from sql import bm25
from sql.store import Store

# Rows that describe the source's own indexes or how its graph is behind, and what building an index makes anew.
_NOT_COPIED = ("index_state", "graph_change", "whole_message")


def copy_rows(source: Store, target: Store) -> int:
    """Copies every table of schema mail, vector tables included, and returns the number of rows.

    ``target`` is freshly opened and empty. The graph is not copied: build it. Raises psycopg.Error; then nothing
    was written.
    """
    rows = 0
    with source.owner() as reading, target.owner() as writing:
        reading.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # References are satisfied when all tables are there, whatever their order; triggers only follow later changes.
        writing.execute("SET LOCAL session_replication_role = replica")
        for table in tables(reading):
            _make_like(reading, writing, table)
            names = sql.SQL(", ").join(map(sql.Identifier, columns(reading, table)))
            name = sql.Identifier("mail", table)
            out = sql.SQL("COPY {} ({}) TO STDOUT (FORMAT binary)").format(name, names)
            into = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(name, names)
            cursor = writing.cursor()
            with reading.cursor().copy(out) as taking, cursor.copy(into) as giving:
                for block in taking:
                    giving.write(block)
            rows += cursor.rowcount
            follow_sequence(writing, table)
        for name, fingerprint, relation, counts in reading.execute(
            "SELECT name, fingerprint, relation, counts::text FROM mail.index_state WHERE name <> 'graph'"
        ):
            writing.execute(
                "INSERT INTO mail.index_state (name, fingerprint, relation, counts) VALUES (%s, %s, %s, %s::jsonb) "
                "ON CONFLICT (name) DO NOTHING",
                (name, fingerprint, relation, counts),
            )
    with target.owner() as conn:
        conn.execute("ANALYZE")
        bm25.rebuild(conn)
    return rows


def tables(conn: psycopg.Connection) -> list[str]:
    """The tables of schema mail whose rows are worth keeping."""
    rows = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'mail' ORDER BY tablename").fetchall()
    return [name for (name,) in rows if name not in _NOT_COPIED]


def columns(conn: psycopg.Connection, table: str) -> list[str]:
    """All columns but generated ones, which the target computes itself."""
    rows = conn.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = format('mail.%%I', %s::text)::regclass AND attnum > 0 "
        "AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
        (table,),
    ).fetchall()
    return [name for (name,) in rows]


def _make_like(reading: psycopg.Connection, writing: psycopg.Connection, table: str) -> None:
    """Tables that no migration makes, one for each embedding model."""
    if writing.execute("SELECT to_regclass(format('mail.%%I', %s::text))", (table,)).fetchone() != (None,):
        return
    rows = reading.execute(
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
        "WHERE attrelid = format('mail.%%I', %s::text)::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        (table,),
    ).fetchall()
    columns = [sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(kind)) for name, kind in rows]
    key = sql.SQL("PRIMARY KEY ({})").format(sql.Identifier(rows[0][0]))
    writing.execute(
        sql.SQL("CREATE TABLE {} ({})").format(sql.Identifier("mail", table), sql.SQL(", ").join([*columns, key]))
    )


def follow_sequence(conn: psycopg.Connection, table: str) -> None:
    """The next id comes after those that were copied."""
    row = conn.execute(
        "SELECT pg_get_serial_sequence(format('mail.%%I', %s::text), 'id') FROM pg_attribute "
        "WHERE attrelid = format('mail.%%I', %s::text)::regclass AND attname = 'id' AND attidentity <> ''",
        (table, table),
    ).fetchone()
    if row is not None:
        conn.execute(
            sql.SQL("SELECT setval(%s, coalesce((SELECT max(id) FROM {}), 0) + 1, false)").format(
                sql.Identifier("mail", table)
            ),
            row,
        )
