"""What a server runs, which versions mailweave knows, and what it says of others.

Read once where a store is opened. What differs between the versions is dealt with where it arises, for all of them
alike: graph/build.py (arguments without a type, indexes made by us, sessions that end with the graph they made),
sql/bm25.py and the lexical column (words by Postgres' own index).
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

import psycopg

from sql.errors import ServerTooOld

# Postgres 17 brings the collation that mail.words is made with; Apache AGE 1.5 is the oldest that was made for it.
OLDEST_POSTGRES = 17
OLDEST_AGE = (1, 5)
TESTED_AGE = ((1, 5), (1, 7), (1, 8))

Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Server:
    """``postgres``, ``vector``, ``textsearch``: versions as text, the last None without pg_textsearch; ``age``: such as
    (1, 7, 0). ``reader_closed``: functions that wait or lock are closed to the reader."""

    postgres: str
    age: Version
    vector: str
    textsearch: str | None
    reader_closed: bool

    def __str__(self) -> str:
        words = f"pg_textsearch {self.textsearch}" if self.textsearch else "words by Postgres' own index"
        return f"Postgres {self.postgres}, Apache AGE {dotted(self.age)}, pgvector {self.vector}, {words}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know and do about this server; empty for one that mailweave is tested with."""
        found = []
        if self.age[:2] not in TESTED_AGE:
            tested = ", ".join(map(dotted, TESTED_AGE))
            found.append(
                f"mailweave is tested with Apache AGE {tested}, not with {dotted(self.age)}: after reading mail, "
                "mailweave check tells whether the graph is right."
            )
        if not self.reader_closed:
            found.append(
                "This login may not close functions such as pg_sleep to the login that only reads: an administrator "
                "who opens the store once with mailweave does."
            )
        return tuple(found)


def read(conn: psycopg.Connection, reader: str) -> Server:
    """What the server of ``conn`` runs, in a database that is migrated."""
    versions: dict[str, str] = dict(conn.execute("SELECT extname, extversion FROM pg_extension").fetchall())
    row = conn.execute(
        "SELECT current_setting('server_version'), "
        "NOT has_function_privilege(%s, 'pg_sleep(double precision)', 'EXECUTE')",
        (reader,),
    ).fetchone()
    assert row is not None
    return Server(
        str(row[0]).split()[0], parse(versions["age"]), versions["vector"], versions.get("pg_textsearch"), bool(row[1])
    )


def require(conn: psycopg.Connection, age: str) -> None:
    """Raises ServerTooOld when Postgres, or Apache AGE of the version ``age``, is older than mailweave can use."""
    old = []
    if conn.info.server_version < OLDEST_POSTGRES * 10000:
        old.append(f"Postgres {conn.info.server_version // 10000}, which has to be {OLDEST_POSTGRES} or newer")
    if parse(age)[:2] < OLDEST_AGE:
        old.append(f"Apache AGE {age}, which has to be {dotted(OLDEST_AGE)} or newer")
    if old:
        raise ServerTooOld(
            f"This server runs {' and '.join(old)}. Update it (Debian trixie has Postgres 17 with Apache AGE 1.5), or "
            "unset MAILWEAVE_DSN: mailweave then starts a server of its own."
        )


def embedded() -> str | None:
    """Version of Apache AGE in the package of the embedded server, without starting it; None where it is not found."""
    package = importlib.util.find_spec("pgserver")
    if package is None or package.origin is None:
        return None
    for control in Path(package.origin).parent.rglob("age.control"):
        found = re.search(r"default_version\s*=\s*'([^']+)'", control.read_text())
        return found[1] if found else None
    return None


def parse(version: str) -> Version:
    """(1, 7, 0) of 1.7.0, whatever stands behind it."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def dotted(version: Version) -> str:
    """1.7.0 of (1, 7, 0)."""
    return ".".join(map(str, version))
