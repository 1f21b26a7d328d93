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
from retrieval.text_to_query.demands import left_out
from retrieval.text_to_query.examples import Example
from retrieval.text_to_query.values import Values

if TYPE_CHECKING:
    from retrieval.models.chat import ChatModel

TOKENS = 240
RETRIES = 2
SHOWN = 3
FURTHER = 2


@dataclass(frozen=True)
class Language:
    """A query language as the loop needs it. ``system``: the constant part of the prompt; ``grammar``: for one
    question; ``rewrite``: the text as it can run and what was changed; ``run``: raises QueryFailed; ``texts``: what it
    asks holds the texts of messages."""

    name: str
    system: str
    grammar: str
    rewrite: Callable[[str], tuple[str, list[str]]]
    run: Callable[[str], Rows]
    texts: bool = True


@dataclass
class Asked:
    """What came of it: the query that ran and its rows (None where none is an answer), the failures, the last one last,
    and what was wrong with the last query that ran and is no answer."""

    query: str = ""
    rows: Rows | None = None
    failures: list[QueryFailed] = field(default_factory=list)
    doubt: str = ""


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

    ``examples``: the nearest last; the nearest three come first, the others with a retry. A query that leaves out what
    the question names, or returns whom it names, is no answer, whatever it gives; of the others a later result is taken
    before an earlier one unless that is full and the later one empty. Raises the model's errors.
    """
    system = ChatMessage("system", language.system)
    shown, further = examples[-SHOWN:], examples[:-SHOWN]
    out = Asked()
    written: dict[str, str] = {}
    complaint = ""
    for attempt in range(RETRIES + 1):
        told = f"{complaint}\n\n" * bool(complaint) + _user(question, shown, values, language.name)
        with trace.step("write" if attempt == 0 else f"retry {attempt}", told) as notes:
            pieces = list(
                chat.complete(
                    [system, ChatMessage("user", told)], max_tokens=TOKENS, grammar=language.grammar, stop=stop
                )
            )
            text = bare("".join(pieces))
            notes.output, notes.size = text, len(pieces)
        if text not in written:
            written[text] = _run(language, text, values, trace, out)
        complaint = written[text]
        if not complaint:
            break
        # other examples, and not the query itself: a small model repeats what it reads
        shown, further = further[-FURTHER:] or shown, further[:-FURTHER]
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
            return f"A query for this failed: {error} {error.hint} Write it differently."
        notes.output, notes.size = f"{len(rows.rows)} rows{' and more' if rows.cut else ''}", len(rows.rows)
    if doubt := _doubt(text, values):
        out.doubt = doubt
        return f"A query for this was wrong: it {doubt}. Write one that answers the question."
    empty = is_empty(rows)
    if out.rows is None or not empty or is_empty(out.rows):
        out.query, out.rows = query, rows
    return f"A query for this found nothing{_because(language, query)}. Write another one." if empty else ""


def _doubt(text: str, values: Values) -> str:
    """Why a query cannot be the answer, whatever it gives; "" where nothing tells."""
    if forgotten := left_out(text, values):
        return f"leaves out {forgotten}, which the question names"
    if fixed := _fixed(text):
        return f"returns {fixed}, whom its own condition names"
    return ""


def _because(language: Language, query: str) -> str:
    """The condition without which the query would find something, where one alone is to blame."""
    for condition in dict.fromkeys(_CONDITION.findall(query)):
        without = query.replace(f" AND {condition}", "", 1)
        if without == query:
            without = query.replace(f" WHERE {condition} AND ", " WHERE ", 1)
        if without == query or ".counted" in condition:
            continue
        try:
            if not is_empty(language.run(without)):
                return f"; without {condition} it would"
        except QueryFailed:
            continue  # that condition cannot be left out
    return ": check the direction of the edges and each condition"


def is_empty(rows: Rows) -> bool:
    """No rows, or nothing but a count of zero."""
    return all(all(value in (0, None) for value in row) for row in rows.rows)


def bare(text: str) -> str:
    """The query alone: models that write without a grammar like to put it into a fence."""
    fenced = re.search(r"```\w*\n(.*?)```", text, re.DOTALL)
    return " ".join((fenced.group(1) if fenced else text).split())


def _fixed(text: str) -> str:
    """A person whom the query returns or counts although a condition says who it is: the roles were mixed up."""
    last = text[text.rfind("MATCH (") :] if "MATCH (" in text else ""
    asked = re.search(r"RETURN (?:DISTINCT )?(\w)\.name|count\(DISTINCT (\w)\)", last)
    person = (asked.group(1) or asked.group(2)) if asked else ""
    return f"or counts {person}" if person and f"{person}.name = '" in last else ""


# A condition without parentheses of its own.
_CONDITION = re.compile(r" (?:AND|WHERE) ([^(){}]+?)(?= AND | WITH | RETURN | GROUP BY | ORDER BY |\)| \}|$)")


def _user(question: str, examples: list[Example], values: Values, language: str) -> str:
    shown = [f"Q: {one.question}\n{getattr(one, language)}" for one in examples]
    return "\n\n".join([*shown, f"{_values(values)}Q: {question}"])


def _values(values: Values) -> str:
    """The values of this mailbox that the question names, as they have to be copied."""
    said = dict(values.said)
    linked = (*values.people, *values.asked_domains, *values.labels, *values.titles, *values.files)
    lines = [f"I, me, my = '{values.owner}'"] if values.owner else []
    lines += [f"{said[value]} = '{value}'" for value in linked if value in said]
    lines += [f"not counted: {name}" for name in values.demands.apart]
    if values.demands.away:
        lines.append(f"outside = NOT IN {', '.join(values.demands.away)}")
    lines += [f"{start or 'the beginning'} to before {end or 'the end'}" for start, end in values.periods]
    return f"Names and dates: {'; '.join(lines)}\n" if lines else ""
