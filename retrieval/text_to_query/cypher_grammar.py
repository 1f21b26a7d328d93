"""The Cypher that a model may write, as a grammar (GBNF) made from the graph's schema and the question's values.

It admits read-only Cypher that this version of the graph extension runs: labelled nodes, directed edges of the schema
between the labels they join, properties that exist, values that stand in the mailbox. Variables have fixed names
(people p, q, r; messages m, k; edges s, e, w). A grammar remembers no variables, so there is one rule for each set of
them that a pattern may bind, and what comes behind the pattern can only speak of those. A query is one pattern with
its conditions and what is returned, or two with WITH between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from graph import schema
from retrieval.text_to_query.cypher_conditions import VARIABLES, add_conditions, between
from retrieval.text_to_query.gbnf import Rules, either, literal, literals
from retrieval.text_to_query.values import Values

LABELS = {variable: label for label, variables in VARIABLES.items() for variable in variables}
RECIPIENTS = (*schema.RECIPIENT_OF, schema.RECIPIENT)
# Edges with something worth asking for have a variable; IN_THREAD and the like have none.
_BINDS = {"SENT": "s", "WROTE_TO": "w", **dict.fromkeys(RECIPIENTS, "e")}
_USED = ("SENT", *RECIPIENTS, "IN_THREAD", "HAS_LABEL", "HAS_ATTACHMENT", "REPLY_TO", "WROTE_TO")
_ONCE = ("SENT", "IN_THREAD")
_COPIES = ("CC", "BCC")
MOST_EDGES = 4
NUMBER = "[1-9] [0-9]?"


@dataclass(frozen=True)
class _Place:
    """Where a pattern has got to: the last node's variable, what is bound, the edge that led here, edges so far.
    ``second``: behind WITH."""

    second: bool = False
    at: str = ""
    bound: frozenset[str] = frozenset()
    last: str = ""
    edges: int = 0

    @property
    def rule(self) -> str:
        came = self.last if LABELS[self.at] == "Message" and self.last in _ONCE else ""
        return f"p{int(self.second)}-{self.at}-{''.join(sorted(self.bound))}-{came}".lower().replace("_", "")


def grammar(values: Values) -> str:
    """The grammar for one question. Its root is one query."""
    rules = Rules(values.wants, values.sort, copies=values.demands.copies, named=values.named > 0)
    add_conditions(rules, values)
    rules.add("number", NUMBER)
    rules.add("order", literals([" ORDER BY n DESC", " ORDER BY n"]))
    if values.demands.least:
        rules.add("least", literal(f" AS n WHERE n >= {values.demands.least}"))
    if values.named > 1:
        rules.add("each", literal(f" AS n WHERE n >= {values.named}"))
    for a, b in ("pq", "qr", "pr"):
        if both := between(a, b, values):
            rules.add(f"both-{a}{b}", literal(both))
    rules.add("root", f"{literal('MATCH ')} {either(_nodes(rules, _Place()))}")
    return rules.text()


# -- patterns ---------------------------------------------------------------------------------


def _nodes(rules: Rules, place: _Place, label: str = "") -> Iterator[str]:
    """The nodes (of ``label``, or any) that may stand next, each with all that may follow."""
    for kind, variables in VARIABLES.items():
        if label and kind != label:
            continue
        free = next((v for v in variables if v not in place.bound), None)
        if free:
            there = replace(place, at=free, bound=place.bound | {free})
            yield f"{literal(f'({free}:{kind})')} {_behind(rules, there)}"


def _behind(rules: Rules, place: _Place) -> str:
    """The rule for what follows a node: an edge and another node, or the end of the pattern."""
    if rules.begin(place.rule):
        options = []
        for text, binds, edge, to in _edges(place):
            if edge in _COPIES and not rules.copies:
                continue
            there = replace(place, bound=place.bound | ({binds} if binds else set()), last=edge, edges=place.edges + 1)
            options += [f"{literal(text)} {node}" for node in _nodes(rules, there, to)]
        if place.edges or not place.second:
            options.append(_tail(rules, place))
        if "m" in place.bound and not place.second:
            options += _beside(rules, place)
        rules.add(place.rule, either(options))
    return place.rule


def _edges(place: _Place) -> Iterator[tuple[str, str, str, str]]:
    """The edges that may follow: text, variable, label, the label at their other end."""
    if place.edges == MOST_EDGES or (place.at in "la" and place.edges):
        return
    here = LABELS[place.at]
    for edge in schema.EDGES:
        names = [edge.label, schema.RECIPIENT] if edge.label == "TO" else [edge.label]
        for name in names:
            if name not in _USED or not _sensible(place, name):
                continue
            # type() of an edge fails in this graph where the variable stood for another edge before WITH
            base = "e2" if place.second and name in RECIPIENTS else _BINDS.get(name, "")
            binds = next((v for v in (base, f"{base[0]}2") if v and v not in place.bound), "") if base else ""
            inside = f"[{binds}:{name}]" if binds else f"[:{name}]"
            if base and not binds:
                continue
            if edge.start == here:
                yield f"-{inside}->", binds, name, edge.end
            if edge.end == here and not (edge.start == here and name == "WROTE_TO" and place.edges):
                yield f"<-{inside}-", binds, name, edge.start


def _sensible(place: _Place, name: str) -> bool:
    """A message has one sender and one conversation; correspondence at large and single messages do not mix."""
    if LABELS[place.at] == "Message" and name == place.last and name in _ONCE:
        return False
    messages = bool(place.bound & {"m", "k"})
    return not messages if name == "WROTE_TO" else "w" not in place.bound


def _beside(rules: Rules, place: _Place) -> list[str]:
    """A second thing that is asked of message m: its folder, file, conversation or another recipient."""
    out = []
    for text, binds in (
        (", (m)-[:HAS_LABEL]->(l:Label)", {"l"}),
        (", (m)-[:HAS_ATTACHMENT]->(a:Attachment)", {"a"}),
        (", (m)-[:IN_THREAD]->(t:Thread)", {"t"}),
    ):
        if not binds & place.bound and place.edges:
            out.append(f"{literal(text)} {_tail(rules, replace(place, bound=place.bound | binds))}")
    return out


# -- what comes behind a pattern --------------------------------------------------------------


def _tail(rules: Rules, place: _Place) -> str:
    """The rule for WHERE, then RETURN or, behind a first pattern, WITH and a second one."""
    bound = sorted(place.bound)
    name = f"t{int(place.second)}-{''.join(bound)}"
    if rules.begin(name):
        nobody = rules.named and not place.second and not set(bound) & set("pqrla")
        behind = [] if nobody else [_return(bound, rules.wants, rules.sort)]  # a name needs somebody who bears it
        if place.second and "least" in rules and set(bound) & set("mk"):
            behind += [_at_least(bound, v) for v in bound if v in "pqr"]
        if not place.second:
            behind += [_with(rules, bound, v) for v in bound if v in LABELS and v not in "la"]
        rules.add(name, f"{_where(rules, bound)} {either(behind)}")
    return name


def _where(rules: Rules, bound: list[str]) -> str:
    """Conditions on what is bound, if any can be told; not more than a question asks for."""
    condition = _any(rules, bound)
    return f"({literal(' WHERE ')} {condition} ({literal(' AND ')} {condition}){{0,4}})?" if condition else ""


def _any(rules: Rules, bound: list[str]) -> str:
    """A condition on any of the variables, or on two of them; "" where there is none."""
    two = [literal(f"{a}.name <> {b}.name") for a, b in ("pq", "qr", "pr") if a in bound and b in bound]
    two += [f"both-{a}{b}" for a, b in ("pq", "qr", "pr") if a in bound and b in bound and f"both-{a}{b}" in rules]
    two += [literal(f"s.domain <> {e}.domain") for e in ("e", "e2") if "s" in bound and e in bound]
    options = [*(f"is-{v}" for v in bound if f"is-{v}" in rules), *two]
    return rules.add(f"c-{''.join(bound)}", either(options)) if options else ""


def _with(rules: Rules, bound: list[str], carried: str) -> str:
    """WITH: one variable goes on, the first few by a number, or those that meet a condition."""
    nodes = [v for v in bound if v in LABELS and v != carried]
    measures = [f"count(DISTINCT {v}) AS n" for v in nodes]
    measures += [f"{f}({v}.date) AS n" for v in bound if v in "mk" for f in ("min", "max") if v != carried]
    further = _further(rules, carried)
    never = f"not-{carried}" if carried in "pqr" else ""
    options = []
    if measures:
        first = f"order {literal(' LIMIT ')} number"
        options.append(f"{literal(f' WITH {carried}, ')} {literals(measures)} {first} {further}")
    for enough, counted in (("least", "mk"), ("each", "pqr")):
        if enough in rules and (counts := [f"count(DISTINCT {v})" for v in nodes if v in counted]):
            denied = f" ({literal(' AND ')} {never})?" if never else ""
            options.append(f"{literal(f' WITH {carried}, ')} {literals(counts)} {enough}{denied} {further}")
    if carried in "mt":
        by = "date" if carried == "m" else "messages"
        options.append(
            f"{literal(f' WITH {carried} ORDER BY {carried}.{by}')} {literal(' DESC')}? {literal(' LIMIT 1')} {further}"
        )
    options.append(f"{literal(f' WITH DISTINCT {carried}')} "
                   f"({literal(' WHERE ')} {never} ({literal(' AND ')} {never})?)? {further}" if never
                   else f"{literal(f' WITH DISTINCT {carried}')} {further}")  # fmt: skip
    return either(options)


def _at_least(bound: list[str], v: str) -> str:
    """Behind the second pattern: those of its people who are in it often enough."""
    counts = literals(f"count(DISTINCT {w})" for w in bound if w in "mk")
    return f"{literal(f' WITH {v}, ')} {counts} least {literal(f' RETURN {v}.name, n')}"


def _further(rules: Rules, carried: str) -> str:
    """Behind WITH: the value itself, or a second pattern with it."""
    name = f"w-{carried}"
    if rules.begin(name):
        place = _Place(second=True, at=carried, bound=frozenset(carried))
        key = _KEYS[carried]
        itself = []
        if rules.wants != "number":
            itself.append(f"{literal(f' RETURN {key}')} ({literal(', n')} order? ({literal(' LIMIT ')} number)?)?")
        if rules.wants != "items":
            itself.append(literal(f" RETURN count({carried})"))
        rules.add(name, either([*itself, f"{literal(f' MATCH ({carried})')} {_behind(rules, place)}"]))
    return name


_KEYS = {
    "p": "p.name", "q": "q.name", "r": "r.name", "m": "m.id, m.date, m.subject", "k": "k.id, k.date, k.subject",
    "t": "t.subject, t.messages", "a": "a.name", "l": "l.name",
}  # fmt: skip


# What the returned value of a sort looks like, where its names tell it apart.
_SORT = {"organisation": ".domain", "month": "left(", "message": ".id, ", "thread": "t.subject"}


def _return(bound: list[str], wants: str, sort: str) -> str:
    nodes = [v for v in bound if v in LABELS]
    counts = literals(f"count(DISTINCT {v})" for v in nodes)
    keys = [_KEYS[v] for v in nodes]
    keys += [f"left({v}.date, 7) AS month" for v in nodes if v in "mk"]
    keys += [f"{v}.domain" for v in bound if v[0] in "se"] + (["t.subject"] if "t" in bound else [])
    people = [f"{v}.name" for v in nodes if v in VARIABLES["Person"]]
    keys = (people if sort == "person" else [key for key in keys if _SORT.get(sort, "") in key]) or keys
    single = [key for key in keys if ", " not in key or "left" in key]
    grouped = f"{literals(keys)} {literal(', ')} {counts} {literal(' AS n')} order? ({literal(' LIMIT ')} number)?"
    one_by_one = [
        f"{literal(f'DISTINCT {_KEYS[v]}')} ({literal(f' ORDER BY {v}.{by}')} {literal(' DESC')}? "
        f"({literal(' LIMIT ')} number)?)?"
        for v, by in (("m", "date"), ("k", "date"), ("t", "messages"))
        if v in nodes and _KEYS[v] in keys
    ]
    distinct = f"{literal('DISTINCT ')} {literals(single)}"
    plain = [literal(f"{v}.name, {w}.n ORDER BY {w}.n DESC LIMIT ") + " number"
             for w in bound if w[0] == "w" for v in nodes]  # fmt: skip
    items = [grouped, *([distinct] if single else []), *one_by_one, *plain]
    options = [counts] if wants == "number" else items if wants == "items" else [counts, *items]
    return f"{literal(' RETURN ')} {either(options)}"
