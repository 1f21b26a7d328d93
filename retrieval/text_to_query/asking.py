"""A model writes a query, it runs, and what went wrong is told to the model: at most twice.

The prompt's constant part comes first (what there is, what is known of this language), so that the model's cache holds
it from one question to the next; then the three nearest examples, the values that the question names, the question.
What is written is the text that runs, after rewrites that are shown. Each attempt is a step of the trace.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graph.cypher import Rows
from graph.errors import QueryFailed
from retrieval.columns.base import Trace
from retrieval.models.chat import ChatMessage
from retrieval.text_to_query.examples import Example
from retrieval.text_to_query.values import Values

if TYPE_CHECKING:
    from retrieval.models.chat import ChatModel

TOKENS = 240
RETRIES = 2


@dataclass(frozen=True)
class Language:
    """A query language as the loop needs it. ``system``: the constant part of the prompt; ``grammar``: for one
    question; ``rewrite``: the text as it can run and what was changed; ``run``: raises QueryFailed."""

    name: str
    system: str
    grammar: str
    rewrite: Callable[[str], tuple[str, list[str]]]
    run: Callable[[str], Rows]


@dataclass
class Asked:
    """What came of it: the query that ran and its rows (None where none ran), and the failures, the last one last."""

    query: str = ""
    rows: Rows | None = None
    failures: list[QueryFailed] = field(default_factory=list)


def ask(
    chat: ChatModel,
    language: Language,
    question: str,
    examples: list[Example],
    values: Values,
    trace: Trace,
    stop: threading.Event | None = None,
) -> Asked:
    """Has ``chat`` write a query until one runs and gives what is not suspicious, at most three times.

    A later result is taken before an earlier one unless it is worse: none before an empty one before a full one.
    Raises the model's errors.
    """
    messages = [
        ChatMessage("system", language.system),
        ChatMessage("user", _user(question, examples, values, language.name)),
    ]
    out = Asked()
    written: set[str] = set()
    for attempt in range(RETRIES + 1):
        with trace.step("write" if attempt == 0 else f"retry {attempt}", messages[-1].content) as notes:
            pieces = list(chat.complete(messages, max_tokens=TOKENS, grammar=language.grammar, stop=stop))
            text = bare("".join(pieces))
            notes.output, notes.size = text, len(pieces)
        if text in written:
            break  # at temperature 0 it would say so for ever
        written.add(text)
        complaint = _run(language, text, values, trace, out)
        if not complaint:
            break
        # the nearest example once more, last: a small model follows what it read last
        reminder = f"{complaint}\n\n{_user(question, examples[-1:], values, language.name)}"
        messages += [ChatMessage("assistant", text), ChatMessage("user", reminder)]
    return out


def _run(language: Language, text: str, values: Values, trace: Trace, out: Asked) -> str:
    """Runs a text and keeps what it gave. Returns what to tell the model; nothing when all is well."""
    query, changes = language.rewrite(text)
    if changes:
        with trace.step("rewrite", "; ".join(changes)) as notes:
            notes.output, notes.size = query, len(changes)
    with trace.step("run", query) as notes:
        try:
            rows = language.run(query)
        except QueryFailed as error:
            out.failures.append(error)
            notes.output = f"{type(error).__name__}: {error}"
            return f"That query fails: {error} {error.hint} Write it differently."
        notes.output, notes.size = f"{len(rows.rows)} rows{' and more' if rows.cut else ''}", len(rows.rows)
    empty = is_empty(rows)
    if out.rows is None or not empty or is_empty(out.rows):
        out.query, out.rows = query, rows
    if forgotten := _forgotten(text, values):
        return f"That query leaves out {forgotten}, which the question names. Write one that uses it."
    if fixed := _fixed(text):
        return f"That query returns {fixed}, whom its own condition names. Return or count what is asked for."
    if empty:
        return (
            "That query runs and finds nothing. Check the direction of the edges and each condition; write another one."
        )
    return ""


def is_empty(rows: Rows) -> bool:
    """No rows, or nothing but a count of zero."""
    return all(all(value in (0, None) for value in row) for row in rows.rows)


def bare(text: str) -> str:
    """The query alone: models that write without a grammar like to put it into a fence."""
    fenced = re.search(r"```\w*\n(.*?)```", text, re.DOTALL)
    return " ".join((fenced.group(1) if fenced else text).split())


def _forgotten(text: str, values: Values) -> str:
    """A value of the question that the query does not hold: it was not understood, whatever it gives."""
    for group in (values.people, values.labels, values.titles, values.files, values.types):
        if group and not any(value in text for value in group):
            return f"'{group[0]}'"
    foreign = [domain for domain in values.domains if domain not in values.here]
    if foreign and not any(domain in text or domain.split(".")[0] in text.lower() for domain in foreign):
        return f"'{foreign[0]}'"
    if values.days and not any(day in text for day in values.days):
        return f"the period '{values.days[0]}'"
    return ""


def _fixed(text: str) -> str:
    """A person whom the query returns or counts although a condition says who it is: the roles were mixed up."""
    last = text[text.rfind("MATCH (") :] if "MATCH (" in text else ""
    asked = re.search(r"RETURN (?:DISTINCT )?(\w)\.name|count\(DISTINCT (\w)\)", last)
    person = (asked.group(1) or asked.group(2)) if asked else ""
    return f"or counts {person}" if person and f"{person}.name = '" in last else ""


def _user(question: str, examples: list[Example], values: Values, language: str) -> str:
    shown = [f"Q: {one.question}\n{getattr(one, language)}" for one in examples]
    return "\n\n".join([*shown, f"{_values(values)}Q: {question}"])


def _values(values: Values) -> str:
    """The values of this mailbox that the question names, as they have to be copied."""
    said = dict(values.said)
    linked = (*values.people, *values.domains, *values.labels, *values.titles, *values.files)
    lines = [f"{said[value]} = '{value}'" for value in linked if value in said]
    lines += [f"{start or 'the beginning'} to before {end or 'the end'}" for start, end in values.periods]
    return "Names and dates: " + "; ".join([f"I, me, my = '{values.owner}'", *lines]) + "\n"
