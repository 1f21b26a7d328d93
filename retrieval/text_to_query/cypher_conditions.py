"""What a Cypher query may ask of each variable, as rules of its grammar: properties against the question's values.

Names, titles, folders, files and days come from the values alone, so that nothing else can be asked for. A variable for
which there is nothing to ask has no rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.text_to_query.gbnf import Rules, either, literal, literals, quoted
from retrieval.text_to_query.values import Values

VARIABLES = {"Person": "pqr", "Message": "mk", "Thread": "t", "Attachment": "a", "Label": "l"}


def add_conditions(rules: Rules, values: Values) -> None:
    """A rule of conditions for each variable."""
    for v in VARIABLES["Person"]:
        if options := _of_person(v, values):
            rules.add(f"is-{v}", literals(options))
        rules.add(f"not-{v}", either(_never(v, values)))
    for v in VARIABLES["Message"]:
        rules.add(f"is-{v}", either([*_of_message(v, values)]))
    words = quoted(_stems(values.words))
    of_things = {
        "t": [f"toLower(t.subject) CONTAINS {w}" for w in words],
        "l": [*(f"l.name = {name}" for name in quoted(values.labels)),
              *(f"toLower(l.name) CONTAINS {w}" for w in words)],
        "a": [*(f"a.name = {name}" for name in quoted(values.files)),
              *(f"toLower(a.name) ENDS WITH '.{kind}'" for kind in values.types),
              *(f"toLower(a.name) CONTAINS {w}" for w in words)],
    }  # fmt: skip
    for v, conditions in of_things.items():
        if conditions:
            rules.add(f"is-{v}", literals(conditions))
    for v in ("s", "s2", "e", "e2"):
        if conditions := _of_edge(v, values):
            rules.add(f"is-{v}", literals(conditions))
    for w in ("w", "w2"):
        rules.add(f"is-{w}", f"{literal(f'{w}.n >= ')} number")


def between(a: str, b: str, values: Values) -> str:
    """The condition that mail went between the people of the question, in both directions; "" where it is not asked."""
    if not values.demands.both_ways or len(values.names) < 2:
        return ""
    both = f"[{', '.join(quoted(values.taking_part))}]"
    return f"{a}.name IN {both} AND {b}.name IN {both} AND {a}.name <> {b}.name"


def _of_person(v: str, values: Values) -> list[str]:
    """Who somebody is, or is not. Where both directions are asked for, one alone cannot be said."""
    if between("p", "q", values):
        return []
    taking_part = quoted(values.taking_part)
    out = [f"{v}.name = {name}" for name in taking_part] + [f"{v}.name <> {name}" for name in quoted(values.names)]
    return [*out, f"{v}.name IN [{', '.join(taking_part)}]"] if len(taking_part) > 1 else out


def _of_edge(v: str, values: Values) -> list[str]:
    out = [f"{v}.domain {how} {domain}" for domain in quoted(values.asked_domains) for how in ("=", "<>")]
    if own := ", ".join(quoted(values.own)):
        out.append(f"NOT {v}.domain IN [{own}]")
        if set(values.own) & set(values.asked_domains):
            out.append(f"{v}.domain IN [{own}]")
    return out


def _of_message(v: str, values: Values) -> Iterator[str]:
    yield from map(literal, _periods(v, values))
    words = _stems(values.words)
    yield from (literal(f"{v}.subject = {title}") for title in quoted(values.titles))
    yield from (literal(f"toLower({v}.subject) CONTAINS {word}") for word in quoted(words))
    if v == "m":
        replies = ["exists((:Message)-[:REPLY_TO]->(m))", "exists((m)-[:REPLY_TO]->(:Message))"]
        files = ["exists((m)-[:HAS_ATTACHMENT]->(:Attachment))"]
        for test in replies * values.demands.answered + files * values.demands.attached:
            yield literal(test)
            yield literal(f"NOT {test}")


def _periods(v: str, values: Values) -> list[str]:
    out = []
    for start, end in values.periods:
        parts = [f"{v}.date >= '{start}'"] * bool(start) + [f"{v}.date < '{end}'"] * bool(end)
        out.append(" AND ".join(parts))
    out += [f"{v}.date {how} '{day}'" for day in values.days for how in ("<", ">=")]
    return out


def _never(v: str, values: Values) -> Iterator[str]:
    """What somebody never did: messages from or to them that do not exist, perhaps in a period, or to a person."""
    names = quoted(values.names)
    periods = _periods("k", values)
    for name in names:
        yield literal(f"NOT exists {{ MATCH (j:Person)-[:WROTE_TO]->({v}) WHERE j.name = {name} }}")
        yield literal(f"NOT exists {{ MATCH ({v})-[:WROTE_TO]->(j:Person) WHERE j.name = {name} }}")
        yield from (
            literal(f"NOT exists {{ MATCH ({v})-[:SENT]->(k:Message)-[:RECIPIENT]->(j:Person) WHERE j.name = {name}"
                    f" AND {period} }}") for period in periods)  # fmt: skip
    yield from (literal(f"NOT exists {{ MATCH ({v})-[:SENT]->(k:Message) WHERE {period} }}") for period in periods)
    if not names and not periods:
        yield literal(f"NOT exists {{ MATCH ({v})-[:SENT]->(k:Message) WHERE k.kind = 'mail' }}")


def _stems(words: tuple[str, ...]) -> list[str]:
    """Words as parts of a subject: a plural holds its singular."""
    return [word[:-1] if word.endswith("s") and len(word) > 4 else word for word in words]
