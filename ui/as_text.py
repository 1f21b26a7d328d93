"""A comparison as plain text: what a person pastes into a mail or a note.

Everything stands as it is: no Markdown, no HTML, the exact numbers before what a model wrote about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from retrieval.result import ColumnResult
from retrieval.types import Fact, Question
from ui.components.message import day
from ui.components.names import OUTCOMES, title
from ui.messages import Headline


def as_text(
    question: Question,
    plan: Mapping[str, Any] | None,
    columns: Mapping[str, ColumnResult],
    lines: Mapping[int, Headline],
) -> str:
    """The question, how it was understood, and each column with facts, answer and hits. ``columns``: by the name that
    is shown, those whose answer was written with it."""
    return "\n".join(_lines(question, plan, columns, lines)) + "\n"


def _lines(
    question: Question, plan: Mapping[str, Any] | None, columns: Mapping[str, ColumnResult],
    lines: Mapping[int, Headline],
) -> Iterator[str]:  # fmt: skip
    yield question.text
    if question.as_of:
        yield f"asked as on {question.as_of:%-d %B %Y}"
    if plan:
        yield f"understood as: {plan['text'] or 'a question about content'}"
    for name, column in columns.items():
        yield ""
        heading = f"{title(name)}: {OUTCOMES.get(column.outcome, column.outcome)}"
        yield heading
        yield "-" * len(heading)
        if column.note:
            yield column.note
        for fact in column.retrieved.facts:
            yield from _fact(fact)
        for error in column.errors:
            yield f"{error.kind}: {error.message} {error.hint}".rstrip()
        if column.answer:
            yield from ("Answer:", column.answer, "")
        yield from _hits(column, lines)


def _fact(fact: Fact) -> Iterator[str]:
    yield fact.text
    if isinstance(fact.value, list):
        for place, item in enumerate(fact.value, 1):
            yield f"  {place:>3}. {item.get('label', '')}" + (f": {item['n']:,}" if item.get("n") is not None else "")


def _hits(column: ColumnResult, lines: Mapping[int, Headline]) -> Iterator[str]:
    numbers: Sequence[int] = column.prompt.numbered if column.prompt and column.answer else ()
    for hit in column.retrieved.hits:
        if (line := lines.get(hit.message)) is not None:
            mark = f"[{numbers.index(hit.message) + 1}]" if hit.message in numbers else f"{hit.rank}."
            yield f"{mark:>4} {day(line.local_at)}  {line.sender}: {line.subject}"
