"""Reads the text of a Cypher query before it runs: what it must not do, what it calls things, what it returns.

The reader login and the read-only transaction are the walls; this is the door in front of them. It refuses what those
do not stop (functions of the server, variable-length patterns, which never end in this version of the graph
extension), and it finds mistakes that the extension answers with an empty result instead of an error: labels and
properties that do not exist.
"""

from __future__ import annotations

import re

from graph import schema
from graph.errors import QueryRefused, QuerySyntax, UnknownName, WritingRefused

_QUOTED = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|//[^\n]*|/\*.*?\*/""",
    re.DOTALL,
)
_WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|DETACH|REMOVE|DROP|LOAD|COPY|FOREACH)\b", re.IGNORECASE)
_CASTS = {"int", "integer", "float", "numeric", "bool", "boolean", "string", "vertex", "edge", "path"}
_LABELS = {label.label: label for label in (*schema.VERTICES, *schema.EDGES)}
_NODE = re.compile(r"\(\s*(\w*)\s*:\s*(\w+)")
_RELATION = re.compile(r"\[\s*(\w*)\s*:\s*(\w+)")
_RETURN = re.compile(r"\bRETURN\s+(DISTINCT\s+)?", re.IGNORECASE)
_AFTER_RETURN = re.compile(r"\b(ORDER\s+BY|SKIP|LIMIT|UNION)\b", re.IGNORECASE)


def skeleton(query: str) -> str:
    """The query with strings, quoted names and comments blanked, so that every character stays at its place."""

    def blank(found: re.Match[str]) -> str:
        text = found.group()
        if text[0] == "`":
            return "_" * len(text)
        if text[0] in "'\"":
            return text[0] + "_" * (len(text) - 2) + text[0]
        return re.sub(r"[^\n]", " ", text)

    return _QUOTED.sub(blank, query)


def check(query: str) -> str:
    """Refuses what must not run. Returns the skeleton. Raises QueryRefused or UnknownName, with the position."""
    if not query.strip():
        raise QuerySyntax(
            "The query is empty.", query=query, hint="For example: MATCH (p:Person) RETURN p.name LIMIT 5"
        )
    bare = skeleton(query)
    if found := _WRITES.search(bare):
        word = found.group().upper()
        _refuse(WritingRefused, query, found.start(), f"{word} would change the graph, which is only read here.")
    for pattern, why, hint in _REFUSED:
        if found := pattern.search(bare):
            _refuse(QueryRefused, query, found.start(), why, hint)
    if (place := _variable_length(bare)) is not None:
        why = "Patterns of variable length are refused: this version of the graph extension may never end one."
        hint = "Write the steps out, such as (a)-[:REPLY_TO]->(b)-[:REPLY_TO]->(c)."
        _refuse(QueryRefused, query, place, why, hint)
    for found in re.finditer(r"::\s*(\w+)", bare):
        if found.group(1).lower() not in _CASTS:
            _refuse(QueryRefused, query, found.start(), f"The type {found.group(1)} is not one of the graph language.")
    _check_names(query, bare)
    return bare


def columns(bare: str) -> list[str] | None:
    """The names of what the query returns, from its first RETURN; None where only the server can tell (``*``)."""
    found = _RETURN.search(bare)
    if not found:
        return None
    text = bare[found.end() :]
    end = _AFTER_RETURN.search(text)
    parts = _split(text[: end.start()] if end else text)
    if not parts or "*" in parts:
        return None
    return [_name(part, number) for number, part in enumerate(parts, 1)]


def with_names_first(query: str) -> str | None:
    """The query with ``RETURN a AS x ORDER BY x`` written as ``WITH a AS x RETURN x ORDER BY x``, which Apache AGE 1.5
    needs: it knows the names of RETURN only behind it. None where it does not end so, or orders by anything else."""
    bare = skeleton(query)
    returns = list(_RETURN.finditer(bare))
    if not returns or returns[-1].group(1):
        return None
    begin, body = returns[-1].start(), returns[-1].end()
    ordered = re.search(r"\bORDER\s+BY\b", bare[body:], re.IGNORECASE)
    if ordered is None:
        return None
    stop = body + ordered.start()
    parts = _split(query[body:stop])
    if len(parts) != len(_split(bare[body:stop])):  # a comma stands in a string
        return None
    given = [re.search(r"\bAS\s+(\w+)$|^\w+\.(\w+)$", part, re.IGNORECASE) for part in parts]
    names = [found and (found.group(1) or found.group(2)) for found in given]
    known = {name for name in names if name}
    order = re.split(r"\b(?:SKIP|LIMIT)\b", bare[body + ordered.end() :], flags=re.IGNORECASE)[0]
    by = {re.sub(r"\s+(ASC|DESC|ASCENDING|DESCENDING)$", "", part, flags=re.IGNORECASE) for part in _split(order)}
    if len(known) != len(parts) or not by <= known:
        return None
    named = [
        part if found and found.group(1) else f"{part} AS {name}"
        for part, found, name in zip(parts, given, names, strict=True)
    ]
    return f"{query[:begin]}WITH {', '.join(named)} RETURN {', '.join(n for n in names if n)} {query[stop:]}"


def hint_for_syntax(query: str) -> str:
    """What to write instead, for the commonest Cypher that this graph's version does not know."""
    bare = skeleton(query)
    for pattern, hint in _HINTS:
        if pattern.search(bare):
            return hint
    return "The graph knows MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT and UNION."


def _check_names(query: str, bare: str) -> None:
    variables: dict[str, schema.Vertex | schema.Edge | None] = {}
    for pattern, kind in ((_NODE, schema.Vertex), (_RELATION, schema.Edge)):
        for found in pattern.finditer(bare):
            variable, name = found.groups()
            label = _LABELS.get(name)
            if name != schema.RECIPIENT and not isinstance(label, kind) and not name.startswith("_"):
                known = ", ".join(n for n, one in _LABELS.items() if isinstance(one, kind))
                what = "label" if kind is schema.Vertex else "edge type"
                raise UnknownName(
                    f"The graph has no {what} {name}.",
                    query=query,
                    position=found.start(2),
                    hint=f"There are: {known}.",
                )
            if name == schema.RECIPIENT:
                label = _LABELS[schema.RECIPIENT_OF[0]]
            if variable:
                # one name for two kinds of things in different parts of a query: nothing can be said about it
                variables[variable] = label if variables.get(variable, label) is label else None
    for found in re.finditer(r"\b(\w+)\s*\.\s*(\w+)", bare):
        label = variables.get(found.group(1))
        if label is not None and found.group(2) not in label.properties and not found.group(2).startswith("_"):
            raise UnknownName(
                f"{label.label} has no property {found.group(2)}.",
                query=query,
                position=found.start(2),
                hint=f"It has: {', '.join(label.properties) or 'none'}.",
            )


def _variable_length(bare: str) -> int | None:
    """Where a relationship says how often it may be repeated: a star in its brackets, outside of a property map."""
    for found in re.finditer(r"-\s*\[", bare):
        brackets, braces = 1, 0
        for place in range(found.end(), len(bare)):
            character = bare[place]
            brackets += (character == "[") - (character == "]")
            braces += (character == "{") - (character == "}")
            if brackets == 0:
                break
            if character == "*" and brackets == 1 and braces == 0:
                return place
    return None


def _refuse(kind: type[QueryRefused], query: str, place: int, why: str, hint: str = "") -> None:
    raise kind(why, query=query, position=place, hint=hint)


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += character in "([{"
        depth -= character in ")]}"
        if character == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in (*parts, text[start:])]


def _name(part: str, number: int) -> str:
    alias = re.search(r"\bAS\s+(\w+)$", part, re.IGNORECASE)
    if alias and set(alias.group(1)) != {"_"}:
        return alias.group(1)
    return re.sub(r"\s+", " ", part)[:60] if set(part) - {"_"} else f"column {number}"


_REFUSED = (
    (re.compile(r"\bCALL\b", re.IGNORECASE), "Procedures cannot be called here.", ""),
    (re.compile(r"\bEXPLAIN\b|\bPROFILE\b", re.IGNORECASE), "Only results are shown here, not query plans.", ""),
    (re.compile(r";"), "One query at a time, without a semicolon.", "Leave the semicolon out."),
    (re.compile(r"\$\$"), "$$ cannot stand in a query.", ""),
    (
        re.compile(r"\w\s*\.\s*\w+\s*\("),
        "Functions of the server cannot be called.",
        "Use the functions of Cypher, such as count, collect, toLower, split.",
    ),
)
_RESERVED = r"\bAS\s+(count|all|end|order|limit|skip|in|is|set|with|exists|contains)\b"
_HINTS = tuple(
    (re.compile(pattern, re.IGNORECASE), hint)
    for pattern, hint in (
        (r":\w+\s*\|", f"[:A|B] is not known: use [:{schema.RECIPIENT}] for TO, CC and BCC, or UNION two MATCH."),
        (_RESERVED, "The name after AS is a reserved word: choose another, such as n."),
        (r"\b(WHERE|AND|OR|NOT)\s+\w+\s*:\s*\w+", "WHERE n:Label is not known: put the label into the pattern."),
        (r"\b(any|all|none|single|reduce)\s*\(", "any, all, none, single and reduce are not known: use UNWIND."),
        (r"\b(datetime|date|duration)\s*\(", "There are no date functions: compare m.date with '2001-10-01'."),
        (r"\bshortestPath\b", "shortestPath is not known here."),
    )
)
