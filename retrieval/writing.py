"""An answer written from what a column found, told piece by piece and checked at the end.

Nothing is looked for here, so an answer may be written long after the column looked. The prompt is as long as the model
reads in the seconds that somebody waits for a first word; how fast it reads is measured where it runs. Where the first
reading tells nothing and another is left (``retrieval.reading``), the model writes a second time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from retrieval.answer import check
from retrieval.checking import ask_judge, check_meaning, check_words
from retrieval.errors import as_query_error
from retrieval.prompt import build
from retrieval.reading import reading
from retrieval.result import ColumnResult

if TYPE_CHECKING:
    from retrieval.judge import Judge
    from retrieval.models.chat import ChatModel
    from retrieval.models.embed import Embedder

ANSWER_TOKENS = 320
FIRST_TOKEN_SECONDS = 7.0
SMALLEST_CONTEXT, LARGEST_CONTEXT = 600, 6_000
PROMPT_AROUND = 260  # tokens of instruction and question
UNMEASURED_SPEED = 150.0  # tokens a second

OnText = Callable[[str], None]


def write_answer(
    found: ColumnResult,
    question: str,
    as_of: date | None,
    chat: ChatModel,
    *,
    embedder: Embedder | None = None,
    judge: Judge | None = None,
    context_tokens: int | None = None,
    stop: threading.Event | None = None,
    on_text: OnText = lambda piece: None,
) -> ColumnResult:
    """``found`` with an answer; ``found`` itself stays as it is. What goes wrong stands in the result.

    ``as_of``: the day that the model is told. ``embedder`` and ``judge``: see ``retrieval.checking``.
    ``context_tokens``: room for facts and messages; None follows the model's reading speed. ``stop``: set it to stop
    writing. ``on_text`` is given each piece of the text as it is written."""
    column = replace(found, errors=[*found.errors], trace=[*found.trace], timing_ms={**found.timing_ms})
    write_into(column, question, as_of, chat, embedder, judge, context_tokens, stop, on_text)
    return column


def write_into(
    column: ColumnResult,
    question: str,
    as_of: date | None,
    chat: ChatModel,
    embedder: Embedder | None,
    judge: Judge | None,
    context_tokens: int | None,
    stop: threading.Event | None,
    on_text: OnText,
) -> None:
    """The same within the column itself, for who shows it while it is written."""
    started = time.perf_counter()
    facts, read, pieces = column.retrieved.facts, reading(column), list[str]()
    try:
        budget = context_tokens or _budget(chat)
        for texts in read.attempts(facts=bool(facts)):
            if pieces:
                on_text("\n")
                pieces.clear()
            column.prompt = prompt = build(
                question, as_of, facts, texts, budget=budget, count_tokens=chat.count_tokens, spans=read.spans
            )
            column.timing_ms.setdefault("prompt", _since(started))
            for piece in chat.complete(prompt.messages, max_tokens=ANSWER_TOKENS, grammar=prompt.grammar, stop=stop):
                column.timing_ms.setdefault("first_token", _since(started))
                pieces.append(piece)
                on_text(piece)
                if _stopped(stop):
                    break
            claims = check("".join(pieces), prompt)
            if not claims.declined or _stopped(stop):
                break
        check_words(column, claims, question, read)
    except Exception as error:
        column.errors.append(as_query_error(error))
        column.answer = "".join(pieces) or None
        if not pieces:
            column.outcome = "failed"
    length = f"{column.prompt.tokens} tokens of prompt" if column.prompt else ""
    column.timing_ms["answer"] = column.add_step("answer", length, f"{len(pieces)} pieces", len(pieces), started)
    if embedder is not None and column.outcome == "answered":
        check_meaning(column, read.said, embedder)
    if judge is not None and column.outcome == "answered":
        ask_judge(column, question, read.said, judge, stop)


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def _stopped(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()


def _budget(chat: ChatModel) -> int:
    """Tokens of context so that the first word comes in time, by the speed at which the model reads here."""
    room = int((chat.reading_speed() or UNMEASURED_SPEED) * FIRST_TOKEN_SECONDS) - PROMPT_AROUND
    fits = chat.context_tokens - ANSWER_TOKENS - PROMPT_AROUND
    return max(SMALLEST_CONTEXT, min(LARGEST_CONTEXT, room, fits))
