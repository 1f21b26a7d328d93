"""The SQL that a model may write, as a grammar (GBNF) made from the views' columns and the question's values.

One SELECT over one of the views: a count, a ranking, a list, or messages. Its conditions compare columns of that view
with values that stand in the mailbox, or with what an inner SELECT of the same form gives. Joins are not needed, since
the views are wide, and left out, since a small model writes them wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph.views import View
from retrieval.text_to_query.gbnf import Rules, either, literal, literals, quoted
from retrieval.text_to_query.values import Values

NUMBER = "[1-9] [0-9]?"
_PEOPLE = ("sender", "recipient")
_DOMAINS = ("sender_domain", "recipient_domain")
_KEYS = (*_PEOPLE, *_DOMAINS, "month", "thread", "folder", "name", "type", "recipient_address", "sender_address")
_OF_SORT = {"person": (*_PEOPLE, "recipient_address", "sender_address"), "organisation": _DOMAINS, "month": ("month",),
            "folder": ("folder",), "thread": ("thread",), "file": ("name",), "message": ()}  # fmt: skip
_IDS = ("message_id", "thread_id", "reply_to")
_SHOWN = "message_id, date, subject"


def grammar(values: Values, views: Sequence[View]) -> str:
    """The grammar for one question. Its root is one query."""
    rules = Rules()
    rules.add("number", NUMBER)
    rules.add("order", literals([" ORDER BY n DESC", " ORDER BY n"]))
    rules.add("limit", f"{literal(' LIMIT ')} number")
    if values.names:
        rules.add("name", literals(quoted(values.names)))
    if values.demands.least:
        rules.add("least", literal(f" >= {values.demands.least}"))
    whole: list[str] = []
    for view in views:
        rules.add(f"plain-{view.name}", either([*_plain(list(view.columns), values)] or [literal("true")]))
        whole.append(_select(rules, view, values))
    for column in (*_PEOPLE, *_DOMAINS, *_IDS):
        inner = [_inner(view, column) for view in views if column in view.columns]
        rules.add(f"some-{column}".replace("_", ""), either(inner))
    rules.add("root", either(one for one in whole if one))
    return rules.text()


def _select(rules: Rules, view: View, values: Values) -> str:
    """A whole query over one view; "" where it holds nothing of the sort that is asked for."""
    columns = list(view.columns)
    source, where = literal(f" FROM {view.name}"), _where(_conditions(rules, view, values))
    if "message_id" not in columns:
        by = f"{literal(' ORDER BY ')} {literals(['messages', 'participants', 'first_date', 'last_date'])}"
        subjects = ["SELECT subject, messages", "SELECT subject"] * (values.sort in ("", "thread"))
        what = literals(_either_way(values, ["SELECT count(*)"], subjects))
        return "" if what == "()" else f"{what} {source} {where} ({by} {literal(' DESC')}? limit?)?"
    # where a message has several rows, counting rows is counting something else
    counts = ["count(DISTINCT message_id)"] + ["count(*)"] * (view.name == "messages")
    number = [*counts, *(f"count(DISTINCT {key})" for key in columns if key in _KEYS)]
    counted = f"{literals(f'SELECT {c}' for c in number)} {source} {where}"
    items = []
    for key in (key for key in columns if key in _OF_SORT.get(values.sort, _KEYS)):
        where = _where(_conditions(rules, view, values, key))
        having = f"({literal(' HAVING ')} {literals(counts)} least)?" if "least" in rules else ""
        group = f"{literal(f' GROUP BY {key}')} {having} order? limit?"
        items.append(f"{literal(f'SELECT {key}, ')} {literals(counts)} {literal(' AS n')} {source} {where} {group}")
        items.append(f"{literal(f'SELECT DISTINCT {key}')} {source} {where}")
        items.append(
            f"{literal(f'SELECT {key}')} {source} {where} {literal(' ORDER BY date')} {literal(' DESC')}? limit"
        )
    where = _where(_conditions(rules, view, values))
    if values.sort not in ("", "message"):
        options = _either_way(values, [counted], items)
        return either(options) if options else ""
    shown = literals([f"SELECT {_SHOWN}", f"SELECT DISTINCT {_SHOWN}"])
    items.append(f"{shown} {source} {where} ({literal(' ORDER BY date')} {literal(' DESC')}? limit?)?")
    if "recipients" in columns:
        most = literal(" ORDER BY recipients") + f" {literal(' DESC')}? limit"
        items.append(f"{literal(f'SELECT {_SHOWN}, recipients')} {source} {where} {most}")
    return either(_either_way(values, [counted], items))


def _either_way(values: Values, number: list[str], items: list[str]) -> list[str]:
    """What may be selected, by what the question asks for."""
    return number if values.wants == "number" else items if values.wants == "items" else [*number, *items]


def _conditions(rules: Rules, view: View, values: Values, key: str = "") -> str:
    """The rule for one condition. ``key``: the column that is selected; to fix it to a value would make no sense."""
    name = f"if-{view.name}-{key}".replace("_", "").rstrip("-")
    if rules.begin(name):
        columns = list(view.columns)
        plain = [p for p in _plain(columns, values) if not (key and p.startswith(f'"{key} = '))]
        if key in _PEOPLE and values.names:
            plain.append(f"{literal(f'{key} <> ')} name")
        rules.add(name, either([*plain, *_inner_conditions(columns)]))
    return name


def _inner(view: View, column: str) -> str:
    """A SELECT of one column inside a condition: all, the first by date, or the first by number."""
    source, condition = literal(f"SELECT {column} FROM {view.name}"), f"plain-{view.name}"  # noqa: S608 - a grammar
    if column in _IDS and "sender" in view.columns:  # the messages or conversations of somebody who has to be found
        condition = f"({condition} | {literal('sender IN (')} some-sender {literal(')')})"
    where = _where(condition)
    options = []
    if "message_id" in view.columns:
        most = f" GROUP BY {column} ORDER BY count(DISTINCT message_id) DESC"
        options += [f"{literal(' ORDER BY date')} {literal(' DESC')}? limit", f"{literal(most)} limit"]
    if "recipients" in view.columns:
        options.append(f"{literal(' ORDER BY recipients DESC')} limit")
    if "messages" in view.columns:
        options.append(f"{literal(' ORDER BY messages DESC')} limit")
    return f"{source} {where} {either(options)}?"


def _where(condition: str) -> str:
    return f"({literal(' WHERE ')} {condition} ({literal(' AND ')} {condition}){{0,4}})?"


def _inner_conditions(columns: list[str]) -> Iterator[str]:
    """Columns compared with an inner SELECT of the same sort of thing."""
    for group in (_PEOPLE, _DOMAINS, ("message_id", "reply_to"), ("thread_id",)):
        inner = either(f"some-{column}".replace("_", "") for column in group)
        for column in (c for c in columns if c in group):
            yield f"{literal(column)} {literal(' NOT')}? {literal(' IN (')} {inner} {literal(')')}"


def _plain(columns: list[str], values: Values) -> Iterator[str]:
    """Conditions of one view without an inner SELECT."""
    people, domains = [c for c in columns if c in _PEOPLE], [c for c in columns if c in _DOMAINS]
    taking_part = quoted(values.taking_part)
    if values.demands.both_ways and len(taking_part) > 1:
        both = f"IN ({', '.join(taking_part)})"
        if people == list(_PEOPLE):
            yield literal(f"sender {both} AND recipient {both} AND sender <> recipient")
    else:
        yield from (literal(f"{c} = {name}") for c in people for name in taking_part)
        yield from (literal(f"{c} <> {name}") for c in people for name in quoted(values.names))
        yield from (literal(f"{c} IN ({', '.join(taking_part)})") for c in people if len(taking_part) > 1)
    own = ", ".join(quoted(values.own))
    for c in domains:
        yield from (literal(f"{c} {how} {d}") for d in quoted(values.asked_domains) for how in ("=", "<>"))
        if own:
            yield literal(f"{c} NOT IN ({own})")
            yield from [literal(f"{c} IN ({own})")] * bool(set(values.own) & set(values.asked_domains))
    yield from (literal(f"{a} <> {b}") for a, b in (_PEOPLE, _DOMAINS) if a in columns and b in columns)
    if "date" in columns:
        yield from map(literal, _periods(values))
    if "folder" in columns:
        yield from (literal(f"folder = {name}") for name in quoted(values.labels))
        yield from (literal(f"folder ILIKE '%{word}%'") for word in values.words)
    if "title" in columns:
        yield from (literal(f"title = {title}") for title in quoted(values.titles))
    if "subject" in columns:
        yield from (literal(f"subject ILIKE '%{word.removesuffix('s')}%'") for word in values.words)
    if "text" in columns:
        yield from (literal(f"text ~* '\\y{word}\\y'") for word in values.mentioned if word.replace(" ", "").isalnum())
    if "answered" in columns and values.demands.answered:
        yield literals(["answered", "NOT answered"])
    if "role" in columns:
        yield literals([f"role = '{role}'" for role in ("to", *["cc", "bcc"] * values.demands.copies)])
    if "type" in columns:
        yield from (literal(f"name = {name}") for name in quoted(values.files))
        yield from (literal(f"lower(name) LIKE '%.{kind}'") for kind in values.types)
        yield literal("type = 'text/calendar'")
    if "participants" in columns:
        yield f"{literals(['messages >= ', 'participants >= '])} number"


def _periods(values: Values) -> Iterator[str]:
    for start, end in values.periods:
        yield " AND ".join([f"date >= '{start}'"] * bool(start) + [f"date < '{end}'"] * bool(end))
    yield from (f"date {how} '{day}'" for day in values.days for how in ("<", ">="))
