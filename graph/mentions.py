"""Mentions of a term as whole words, exact and complete, over all messages in a millisecond.

Full-text search cannot answer this: it stems, drops stop words, and takes an address or a link as one token. An index
over the set of words of each message answers a single word by itself. For a term with something between its words
("Hart-Scott", "weekly report") the index finds the candidates and a regular expression decides.
"""

from __future__ import annotations

import re

import psycopg

from graph.parameters import Binder
from graph.plan import Mentions

# characters of a word in the index (004_words.sql)
LONGEST = 250
BOUNDARY_BEFORE = "(?<![[:alnum:]_])"
BOUNDARY_AFTER = "(?![[:alnum:]_])"


def ensure_index(conn: psycopg.Connection) -> None:
    """Makes the index over the words of all messages where it is not there yet. Without it answers are the same and
    take longer. A second per 8 million characters; afterwards the server keeps it."""
    conn.execute("CREATE INDEX IF NOT EXISTS message_words ON mail.message USING gin (mail.words(subject, body))")
    # the words of all messages would be taken once more for statistics that no plan needs
    conn.execute("ALTER INDEX mail.message_words ALTER COLUMN 1 SET STATISTICS 0")


def words(term: str) -> list[str]:
    """The words of a term as the index holds them."""
    return [word[:LONGEST] for word in re.findall(r"\w+", term.lower())]


def condition(mentions: Mentions, bind: Binder) -> str:
    """The mentions as an SQL condition over ``mail.message m``. A term without any letter or digit is in no message."""
    each = [_term(term, mentions.where, bind) for term in mentions.terms]
    if not each:
        return "false"
    return "(" + (" AND " if mentions.every else " OR ").join(each) + ")"


def in_subject(text: str, bind: Binder) -> str:
    """The subject holds ``text`` as whole words, the last of them in singular or plural. A scan of the subjects."""
    if not words(text):
        return "false"
    singular = re.sub(r"(?<=\w\w)s$", "", text.strip(), flags=re.IGNORECASE)
    plural = pattern(singular).removesuffix(BOUNDARY_AFTER) + "(e?s)?" + BOUNDARY_AFTER
    return f'm.subject COLLATE "pg_c_utf8" ~* {bind(plural, "pattern")}'


def pattern(term: str) -> str:
    """The term as a Postgres regular expression: its words in order, whole, any white space where it has some."""
    parts = [_escaped(part) for part in term.split()]
    return BOUNDARY_BEFORE + "[[:space:]]+".join(parts) + BOUNDARY_AFTER


def _term(term: str, where: str, bind: Binder) -> str:
    found = words(term)
    if not found:
        return "false"
    indexed = f"mail.words(m.subject, m.body) @> {bind(found, 'words')}::text[]"
    if where == "subject":
        return f'({indexed} AND m.subject COLLATE "pg_c_utf8" ~* {bind(pattern(term), "pattern")})'
    if len(found) == 1 and term.strip().lower() == found[0] and len(found[0]) < LONGEST:
        return indexed
    placeholder = bind(pattern(term), "pattern")
    text = "(m.subject || ' ' || m.body)"
    return f'({indexed} AND {text} COLLATE "pg_c_utf8" ~* {placeholder})'


def _escaped(part: str) -> str:
    return re.sub(r"([^\w])", r"\\\1", part)
