"""The steps that a model may take, as a grammar and as what is read back: ``count(sender=P1, since="2001-05-01")``.

A step is one call of one tool. People, organisations and messages are named by handles (P1, O1, M1) that earlier
results gave out, so that a step can speak of nothing that is not there: the grammar of each step holds the handles
known by then, and leaves out tools that have nothing to work on. Texts are values of a query and never a part of one.
Where a grammar cannot be enforced (a model behind an address) the same rules are checked while reading.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from retrieval.errors import BadStep
from retrieval.text_to_query.gbnf import Rules, literal, literals

Type = Literal["text", "person", "who", "message", "day", "by"]
Value = str | int | date | tuple[str, int]

BY = ("sender", "recipient", "organization", "month", "thread")
FILTERS: Mapping[str, Type] = {
    "sender": "who",
    "recipient": "who",
    "participant": "who",
    "since": "day",
    "before": "day",
    "subject": "text",
}
LONGEST_TEXT = 60
MOST_TERMS = 3


@dataclass(frozen=True)
class Tool:
    """What a tool takes. ``places``: types of its arguments by place; ``many``: the last of them up to so many times;
    ``named``: optional arguments by name."""

    places: tuple[Type, ...] = ()
    many: int = 1
    named: Mapping[str, Type] | None = None


TOOLS: Mapping[str, Tool] = {
    "find_person": Tool(("text",)),
    "find_organization": Tool(("text",)),
    "count": Tool(named={"by": "by", **FILTERS}),
    "messages": Tool(named=FILTERS),
    "mentions": Tool(("text",), many=MOST_TERMS, named=FILTERS),
    "mentions_all": Tool(("text",), many=MOST_TERMS, named=FILTERS),
    "search": Tool(("text",)),
    "read": Tool(("message",)),
    "thread": Tool(("message",)),
    "neighbours": Tool(("message",)),
    "path": Tool(("person", "person")),
    "answer": Tool(),
}


@dataclass(frozen=True)
class Call:
    """A step. ``values`` by place and ``named`` ones; people and organisations are ("P", 1), messages ("M", 1)."""

    tool: str
    values: tuple[Value, ...] = ()
    named: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        parts = [_written(value) for value in self.values]
        return f"{self.tool}({', '.join([*parts, *(f'{name}={_written(value)}' for name, value in self.named)])})"

    @property
    def arguments(self) -> str:
        """What stands between the brackets."""
        return str(self).partition("(")[2][:-1]


@dataclass(frozen=True)
class Known:
    """How many handles were given out: people P0 (the owner) to P``people``; organisations and messages from 1."""

    people: int = 0
    organizations: int = 0
    messages: int = 0

    def handles(self, type: Type) -> list[str]:
        """Those that an argument of ``type`` may be."""
        people = [f"P{n}" for n in range(self.people + 1)]
        if type == "who":
            return people + [f"O{n}" for n in range(1, self.organizations + 1)]
        return people if type == "person" else [f"M{n}" for n in range(1, self.messages + 1)]


def grammar(known: Known, without: Collection[str] = ()) -> str:
    """The grammar (GBNF) of one step. ``without``: tools that are no choice now."""
    rules = Rules()
    rules.add("day", '"\\"" [12] [0-9]{3} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [12] [0-9] | "3" [01]) "\\""')
    rules.add("text", f'"\\"" [^"\\\\\\x00-\\x1F]{{1,{LONGEST_TEXT}}} "\\""')
    rules.add("by", literals([f'"{by}"' for by in BY]))
    for type in ("person", "who", "message"):
        if handles := known.handles(type):
            rules.add(type, literals(handles))
    offered = []
    for name, tool in TOOLS.items():
        if all(type in rules for type in tool.places) and name not in without:
            offered.append(_rule(rules, name, tool))
    rules.add("root", " | ".join(offered))
    return rules.text()


def _rule(rules: Rules, name: str, tool: Tool) -> str:
    own = name.replace("_", "-")
    places = ' ", " '.join(tool.places)
    places += f' (", " {tool.places[-1]})?' * (tool.many - 1) if places else ""
    if tool.named:
        first = _named(rules, list(tool.named.items()))
        named = f'(", " {first})?' if places else f"{first}?"
        places = f"{places} {named}".strip()
    return rules.add(f"{own}-call", f'{literal(f"{name}(")} {places} ")"')


def _named(rules: Rules, left: Sequence[tuple[str, Type]]) -> str:
    """A rule for at least one of the named arguments, each at most once, in their order."""
    name, type = left[0]
    rule = f"from-{name}"
    if rule in rules:
        return rule
    one = f"{literal(f'{name}=')} {type}"
    if len(left) == 1:
        return rules.add(rule, one)
    rest = _named(rules, left[1:])
    return rules.add(rule, f'{one} (", " {rest})? | {rest}')


def parse(text: str, known: Known) -> Call:
    """The call that ``text`` writes. Raises BadStep, in words that a model can use."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadStep("That is no call of a tool.") from None
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.func.id not in TOOLS:
        raise BadStep(f"That is no call of a tool. The tools are: {', '.join(TOOLS)}.")
    name = tree.func.id
    tool = TOOLS[name]
    least, most = len(tool.places), len(tool.places) + (tool.many - 1 if tool.places else 0)
    if not least <= len(tree.args) <= most:
        raise BadStep(f"{name} takes {least}{f' to {most}' if most > least else ''} values, not {len(tree.args)}.")
    types = [*tool.places, *[tool.places[-1]] * (len(tree.args) - least)] if tool.places else []
    values = tuple(_value(node, type, known) for node, type in zip(tree.args, types, strict=True))
    named = []
    for keyword in tree.keywords:
        if keyword.arg is None or keyword.arg not in (tool.named or {}):
            raise BadStep(f"{name} takes no '{keyword.arg}'.")
        named.append((keyword.arg, _value(keyword.value, (tool.named or {})[keyword.arg], known)))
    return Call(name, values, tuple(named))


def _value(node: ast.expr, type: Type, known: Known) -> Value:
    if type in ("person", "who", "message"):
        if not isinstance(node, ast.Name) or node.id not in known.handles(type):
            raise BadStep("People, organisations and messages are named as results name them: P1, O1, M1.")
        return node.id[0], int(node.id[1:])
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or not node.value.strip():
        raise BadStep("A text stands between double quotes.")
    text = node.value.strip()[:LONGEST_TEXT]
    if type == "day":
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            raise BadStep("A day is written as 2001-05-31.")
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise BadStep(f"There is no day {text}.") from None
    if type == "by" and text not in BY:
        raise BadStep(f"It can be counted by {', '.join(BY)}.")
    return text


def _written(value: Value) -> str:
    if isinstance(value, tuple):
        return f"{value[0]}{value[1]}"
    return f'"{value}"'
