"""Cypher as models write it becomes Cypher that this version of the graph extension runs, where the sense is certain.

Each rewrite is named, so that it can be shown beside the query. What has no certain equivalent (patterns of variable
length, edges without direction between two nodes of one kind) is left as it is: the check that follows refuses it with
the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from graph import schema
from graph.cypher_text import skeleton

_SPANS = re.compile(
    r"\bMATCH\b(?P<pattern>.*?)(?:\bWHERE\b(?P<where>.*?))?(?=\bMATCH\b|\bOPTIONAL\b|\bWITH\b|\bRETURN\b|\bUNWIND\b|"
    r"\bUNION\b|\bexists\s*\{|\bORDER\b|\}|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def rewrite(query: str) -> tuple[str, list[str]]:
    """The query as it can run, and what was changed, in words."""
    done = []
    query = query.strip()
    for what, change in _REWRITES:
        changed = change(query)
        if changed != query:
            done.append(what)
            query = changed
    return query, done


def _outside_strings(pattern: str, replacement: str | Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    """A replacement that leaves strings alone: it is made where the pattern fits the skeleton."""
    compiled = re.compile(pattern, re.IGNORECASE)

    def change(query: str) -> str:
        out, place = [], 0
        for found in compiled.finditer(skeleton(query)):
            own = compiled.match(query, found.start())
            if own is None or own.end() != found.end():
                continue
            new = own.expand(replacement) if isinstance(replacement, str) else replacement(own)
            out += [query[place : found.start()], new]
            place = found.end()
        return "".join([*out, query[place:]])

    return change


def _recipients(found: re.Match[str]) -> str:
    names = {name.strip().lstrip(":") for name in found.group("names").split("|")}
    if names <= {*schema.RECIPIENT_OF, schema.RECIPIENT}:
        return f"[{found.group('variable')}:{schema.RECIPIENT}]"
    return found.group()


_DIRECTION = {edge.label: (edge.start, edge.end) for edge in schema.EDGES}
_DIRECTION[schema.RECIPIENT] = ("Message", "Person")


def _directed(query: str) -> str:
    """An edge without direction gets the one of the schema, where that follows from the labels beside it."""
    labels = dict(re.findall(r"\(\s*(\w+)\s*:\s*(\w+)", skeleton(query)))
    node = r"\(\s*(\w*)\s*(?::\s*(\w+))?[^()]*\)"
    pattern = re.compile(rf"(?P<a>{node})\s*-\s*(?P<edge>\[\s*\w*\s*:\s*(?P<name>\w+)\s*\])\s*-(?!>)\s*(?P<b>{node})")

    def turned(found: re.Match[str]) -> str:
        ends = _DIRECTION.get(found.group("name"))
        left = found.group(3) or labels.get(found.group(2), "")
        right = found.group(8) or labels.get(found.group(7), "")
        if ends is None or ends[0] == ends[1] or {left, right} - {""} - set(ends) or left == right:
            return found.group()
        if left == ends[0] or right == ends[1]:
            return f"{found.group('a')}-{found.group('edge')}->{found.group('b')}"
        if left == ends[1] or right == ends[0]:
            return f"{found.group('a')}<-{found.group('edge')}-{found.group('b')}"
        return found.group()

    return pattern.sub(turned, query)


def _counted(query: str) -> str:
    """Each pattern asks of its messages that they are counted, unless the query asks about that itself."""
    if re.search(r"\.\s*(counted|recovered)\b", skeleton(query)) or re.search(r"'(draft|spam|trash)'", query):
        return query
    return _with_conditions(query, r"\(\s*(\w+)\s*:\s*Message\b", "{}.counted = true")


def _with_conditions(query: str, variables: str, condition: str) -> str:
    """The query with a condition more, in each MATCH, for each of the variables that its pattern binds."""
    bare = skeleton(query)
    out, place = [], 0
    for found in _SPANS.finditer(bare):
        bound = re.findall(variables, found.group("pattern"))
        if not bound:
            continue
        tests = " AND ".join(condition.format(v) for v in dict.fromkeys(bound))
        if found.group("where") is None:
            end = found.end("pattern")
            end -= len(query[place:end]) - len(query[place:end].rstrip())
            out += [query[place:end], f" WHERE {tests}"]
            place = end
        else:
            start, end = found.span("where")
            own = query[start:end].strip()
            own = f"({own})" if re.search(r"\bOR\b", bare[start:end], re.IGNORECASE) else own
            out += [query[place:start], f" {tests} AND {own}", query[start:end][len(query[start:end].rstrip()) :]]
            place = end
    return "".join([*out, query[place:]])


def _own_domain(query: str) -> str:
    """In conditions, the domain of an address that belongs to no organisation (webmail) is taken from the address."""
    edges = "|".join(sorted({v for v, n in re.findall(r"\[\s*(\w+)\s*:\s*(\w+)", skeleton(query))
                             if "domain" in dict(_properties(n))}))  # fmt: skip
    if not edges:
        return query
    condition = re.compile(rf"(NOT\s+)(?<![\w.])({edges})\.domain(?=\s+IN\b)|(?<![\w.])({edges})\.domain(?=\s*<>)")

    def whole(found: re.Match[str]) -> str:
        v = found.group(2) or found.group(3)
        return f"{found.group(1) or ''}coalesce({v}.domain, split({v}.address, '@')[1])"

    return condition.sub(whole, query)


def _titled(query: str) -> str:
    """A subject that is compared as a whole is the title of a conversation, which also stands behind Re: and Fw:."""

    def whole(found: re.Match[str]) -> str:
        title = re.sub(r"([.*+?^${}()|\[\]])", r"[\1]", found.group(2)).replace("[^]", r"\\^")
        return f"{found.group(1)} =~ '(?i)^([[][^]]*[]] *|[[:alpha:]]{{2,4}}: *)*{title} *$'"

    messages = "|".join(dict.fromkeys(re.findall(r"\(\s*(\w+)\s*:\s*Message\b", skeleton(query))))
    condition = re.compile(rf"(?<![\w.])((?:{messages})\.subject)\s*=\s*'([^'\\]*)'") if messages else None
    return condition.sub(whole, query) if condition else query


def _to_and_cc(query: str) -> str:
    """Recipients are those in To and Cc, unless Bcc is named."""
    if re.search(r"\bbcc\b", query, re.IGNORECASE):
        return query
    return _with_conditions(query, rf"\[\s*(\w+)\s*:\s*{schema.RECIPIENT}\s*\]", "type({}) <> 'BCC'")


def _organisations(query: str) -> str:
    """Where organisations are returned, webmail is none of them."""
    returned = re.search(r"RETURN (?:DISTINCT )?(\w+)\.domain\b", skeleton(query))
    return _last_with(query, f"{returned.group(1)}.domain IS NOT NULL") if returned else query


def _persons(query: str) -> str:
    """Where people are returned or ranked by what they wrote, automated mail is nobody's."""
    bare = skeleton(query)
    if re.search(r"'automated'|\.kind\b", query):
        return query
    named = set(re.findall(r"\b(?:RETURN|WITH)\s+(?:DISTINCT\s+)?(\w+)(?:\.name\b|\s*,\s*count)", bare, re.IGNORECASE))
    for person, message in re.findall(r"\((\w+)(?::Person)?\)-\[\w*:SENT\]->\((\w+):Message\)", bare):
        if person in named:
            query = _with_conditions(query, rf"\(({message}):Message\)", "{}.kind <> 'automated'")
            named.discard(person)
    return query


def _last_with(query: str, condition: str) -> str:
    """The query with a condition more in the last MATCH."""
    start = skeleton(query).rfind("MATCH (")
    found = _SPANS.match(skeleton(query), start)
    if found is None:
        return query
    if found.group("where") is None:
        end = start + len(query[start : found.end("pattern")].rstrip())
        return f"{query[:end]} WHERE {condition}{query[end:]}"
    place = found.start("where")
    return f"{query[:place]} {condition} AND{query[place:]}"


def _properties(label: str) -> dict[str, str]:
    label = schema.RECIPIENT_OF[0] if label == schema.RECIPIENT else label
    return next((edge.properties for edge in schema.EDGES if edge.label == label), {})


_REWRITES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("the semicolon at the end is left out", lambda query: query.rstrip("; \n\t")),
    ("'' in a text is written \\'", lambda query: re.sub(r"(?<=\w)''(?=\w)", r"\\'", query)),
    ("!= is written <>", _outside_strings(r"!=", "<>")),
    ("lower and upper are called toLower and toUpper",
     _outside_strings(r"\b(lower|upper)\s*\(", lambda found: f"to{found.group(1).capitalize()}(")),
    ("dates are compared as text", _outside_strings(r"\b(?:date|datetime|localdatetime)\s*\(\s*('[^']*')\s*\)", r"\1")),
    ("a date is compared with date, not with the seconds of ts",
     _outside_strings(r"\b(\w+)\.ts(\s*(?:>=|<=|<|>|=)\s*'[^']*')", r"\1.date\2")),
    ("AS count is a reserved word: AS n", _outside_strings(r"\bAS\s+count\b", "AS n")),
    ("ORDER BY count is ORDER BY n", _outside_strings(r"\bORDER\s+BY\s+count\b(?!\s*\()", "ORDER BY n")),
    (f"[:TO|CC] is written [:{schema.RECIPIENT}]",
     _outside_strings(r"\[(?P<variable>\s*\w*\s*):(?P<names>\s*\w+\s*(?:\|\s*:?\w+\s*)+)\]", _recipients)),
    ("edges get the direction of the schema", _directed),
    ("the domain of webmail is taken from the address", _own_domain),
    ("a title also stands behind Re: and Fw:", _titled),
    ("recipients are those in To and Cc", _to_and_cc),
    ("webmail is no organisation", _organisations),
    ("people wrote what is not automated", _persons),
    ("counted messages only", _counted),
)  # fmt: skip
