"""Finding a person by name: those who write most, to choose from, and everybody whose name or address holds a text."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg


@dataclass(frozen=True)
class Who:
    """``n``: messages the person sent or received, at most CEILING."""

    id: int
    name: str
    address: str
    is_owner: bool
    n: int


CEILING = 10_000


def frequent(conn: psycopg.Connection, limit: int = 300) -> list[Who]:
    """The owner first, then those who sent most."""
    return _read(
        conn,
        """
        SELECT o.person, sum(s.n)::bigint AS n
        FROM (SELECT sender, count(*) AS n FROM mail.message WHERE counted GROUP BY sender) s
        JOIN mail.person_address o ON o.address = s.sender GROUP BY o.person ORDER BY n DESC, o.person LIMIT %(limit)s
        """,
        {"limit": limit},
    )


def named(conn: psycopg.Connection, text: str, limit: int = 9) -> list[Who]:
    """Whose name or address holds every word of ``text``, most mail first."""
    words = [f"%{_literal(word)}%" for word in text.split()]
    if not words:
        return []
    return _read(
        conn,
        """
        SELECT p.person, (
            SELECT sum((SELECT count(*) FROM (SELECT FROM mail.message m WHERE m.sender = o.address LIMIT %(most)s) s)
                + (SELECT count(*) FROM (SELECT FROM mail.recipient r WHERE r.address = o.address LIMIT %(most)s) r))
            FROM mail.person_address o WHERE o.person = p.person)::bigint AS n
        FROM (
            SELECT p.id AS person FROM mail.person p
            WHERE p.name ILIKE ALL(%(words)s) OR p.id IN (
                SELECT o.person FROM mail.address d JOIN mail.person_address o ON o.address = d.id
                WHERE d.address ILIKE ALL(%(words)s))
            LIMIT 500
        ) p ORDER BY n DESC NULLS LAST, person LIMIT %(limit)s
        """,
        {"words": words, "limit": limit, "most": CEILING},
    )


def these(conn: psycopg.Connection, people: list[int]) -> list[Who]:
    """These people, in this order."""
    return _read(
        conn,
        "SELECT w.person, 0 AS n FROM unnest(%(people)s::bigint[]) WITH ORDINALITY w(person, n) ORDER BY w.n",
        {"people": people},
        owner_first=False,
    )


def _read(
    conn: psycopg.Connection, ranked: str, parameters: dict[str, object], *, owner_first: bool = True
) -> list[Who]:
    rows = conn.execute(
        f"""
        WITH ranked AS MATERIALIZED (SELECT *, row_number() OVER () AS place FROM ({ranked}) r)
        SELECT p.id, p.name, (SELECT d.address FROM mail.person_address o JOIN mail.address d ON d.id = o.address
                              WHERE o.person = p.id ORDER BY d.id LIMIT 1), p.is_owner, coalesce(r.n, 0)
        FROM ranked r JOIN mail.person p ON p.id = r.person
        ORDER BY {"p.is_owner DESC, " if owner_first else ""}r.place
        """,  # noqa: S608 - our own texts
        parameters,
    ).fetchall()
    return [Who(*row) for row in rows]


def _literal(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
