"""Reads the text of an SQL query over the views before it runs: one SELECT, of known words only.

Every word must be known: a view or a column of the views, a name that the query itself gives, a word of SELECT, or a
function that only computes. So what is not thought of here (functions of the server, catalogues, other tables,
locking, writing) is refused without being named. The role that can read nothing but the views is the wall behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from graph.errors import QueryRefused, QuerySyntax, UnknownName, WritingRefused

KEYWORDS = frozenset(
    "select distinct from where and or not in is null as group by order having limit offset asc desc nulls first last "
    "join left inner on union all exists like ilike between any case when then else end true false date timestamp "
    "interval filter with over partition unnest except intersect".split()
)
FUNCTIONS = frozenset(
    "count min max sum avg lower upper coalesce length round extract date_trunc to_char array_agg string_agg left "
    "right split_part replace unnest cardinality greatest least nullif row_number rank abs now".split()
)
_PARTS = frozenset("year month day dow isodow hour week quarter epoch".split())
_WRITES = frozenset("insert update delete merge create alter drop truncate grant revoke copy call do into set".split())
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<string>'(?:[^']|'')*')|(?P<number>\d+(?:\.\d+)?)|(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator><>|!=|<=|>=|!~\*|~\*|!~|\|\||::|[-=<>~+*/%,().\[\]])"
)
_BEFORE_PARENTHESIS = frozenset(
    "in and or not exists any as where on from select having by filter over when then else with except union all "
    "intersect distinct between like ilike is case join".split()
)


def check(query: str, views: Mapping[str, Sequence[str]]) -> None:
    """Refuses what is not one SELECT over ``views`` (columns by name of view).

    Raises QuerySyntax, UnknownName, WritingRefused or QueryRefused, with the position.
    """
    tokens = list(_tokens(query))
    if not tokens:
        raise QuerySyntax("The query is empty.", query=query, hint="For example: SELECT count(*) FROM messages")
    if tokens[0][1].lower() not in ("select", "with"):
        refused = WritingRefused if tokens[0][1].lower() in _WRITES else QueryRefused
        raise refused("Only SELECT runs here.", query=query, position=0, hint="Begin with SELECT.")
    columns = {column for names in views.values() for column in names}
    known = KEYWORDS | FUNCTIONS | _PARTS | columns | set(views) | _given(tokens, views)
    for n, (kind, text, place) in enumerate(tokens):
        if kind != "word":
            continue
        word = text.lower()
        after = tokens[n + 1] if n + 1 < len(tokens) else ("", "", 0)
        if word in _WRITES:
            raise WritingRefused(f"{word.upper()} cannot stand in a query.", query=query, position=place)
        if word not in known:
            hint = f"Views: {', '.join(views)}. Columns: {', '.join(sorted(columns))}."
            raise UnknownName(f"There is no {text} in the views.", query=query, position=place, hint=hint)
        if after[1] == "(" and word not in FUNCTIONS | _BEFORE_PARENTHESIS:
            raise QueryRefused(f"{text} is no function that can be used here.", query=query, position=place)
        if after[0] == "string" and word not in KEYWORDS:
            raise QueryRefused("A text has nothing before its first quote.", query=query, position=place)
        reads = word in ("from", "join") and after[0] == "word" and not _in_extract(tokens, n)
        if reads and after[1].lower() not in (*views, *_named_by_with(tokens), "lateral", "unnest"):
            raise UnknownName(f"There is no view {after[1]}.", query=query, position=after[2])


def _tokens(query: str) -> list[tuple[str, str, int]]:
    found, place = [], 0
    while place < len(query):
        token = _TOKEN.match(query, place)
        if token is None or query.startswith("--", place):
            what = "comments" if query.startswith("--", place) else repr(query[place])
            raise QueryRefused(
                f"{what} cannot stand in a query.", query=query, position=place, hint="One SELECT, without semicolon."
            )
        if token.lastgroup != "space":
            found.append((token.lastgroup or "", token.group(), place))
        place = token.end()
    return found


def _given(tokens: Sequence[tuple[str, str, int]], views: Mapping[str, Sequence[str]]) -> set[str]:
    """Names that the query gives itself: behind AS, behind a view in FROM or JOIN, by WITH. None of the server's."""
    given = _named_by_with(tokens)
    for (_, a, _), (kind, b, _) in pairwise(tokens):
        if kind == "word" and b.lower() not in KEYWORDS and (a.lower() == "as" or a.lower() in views or a == ")"):
            given.add(b.lower())
    return {name for name in given - _WRITES if not name.startswith("pg_")}


def _named_by_with(tokens: Sequence[tuple[str, str, int]]) -> set[str]:
    """What stands before "AS (" in a query that begins with WITH."""
    if tokens[0][1].lower() != "with":
        return set()
    three = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return {a.lower() for (_, a, _), (_, b, _), (_, c, _) in three if b.lower() == "as" and c == "("}


def _in_extract(tokens: Sequence[tuple[str, str, int]], n: int) -> bool:
    return n >= 3 and tokens[n - 2][1] == "(" and tokens[n - 3][1].lower() == "extract"
