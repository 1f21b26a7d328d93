"""What the model reads of what a column found: first without the messages that may give it orders.

A small model obeys what it reads, fenced or not, and no filter tells every order to a program from what people write to
each other. So a doubtful message is kept back at first: nothing is lost where the others tell the answer, and where
they do not it is read after all, and whoever reads the answer is warned (``DOUBTED``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from retrieval.quoted import doubtful
from retrieval.result import ColumnResult
from retrieval.text import MessageText

DOUBTED = "A cited message may give orders to a program, and no other message tells this: read it before relying on it."


def reading(column: ColumnResult) -> Reading:
    """The messages that a column found, as they are read. Words that were found in a quotation stand behind the
    message that quotes them."""
    spans = {h.message: h.span for h in column.retrieved.hits if h.span is not None}
    texts = []
    for message in column.found:
        quoted = column.quoted.get(message.id)
        if quoted is not None:
            own = message.new_text.rstrip()
            text = f"{own}\n\nQuoted in it: {quoted.header}\n{quoted.new_text}"
            spans[message.id] = (len(own), len(text))
            message = replace(message, new_text=text)
        texts.append(message)
    return Reading(texts, spans)


@dataclass(frozen=True)
class Reading:
    """``texts``: the messages, the best first; ``spans``: by the id of one the part of its text that was found."""

    texts: list[MessageText]
    spans: dict[int, tuple[int, int]]

    @cached_property
    def said(self) -> dict[int, str]:
        """By its id what each message says: its header, and on the next lines its text."""
        return {m.id: f"{m.header}\n{m.new_text}" for m in self.texts}

    @cached_property
    def doubted(self) -> frozenset[int]:
        """The ids of messages that may give orders to a program, in whatever part of them."""
        return frozenset(m.id for m in self.texts if doubtful(f"{m.subject}\n\n{m.sender}\n\n{m.new_text}"))

    def attempts(self, *, facts: bool) -> Iterator[list[MessageText]]:
        """What to read first, and what should that tell nothing. ``facts``: there are facts to answer with."""
        kept = [m for m in self.texts if m.id not in self.doubted]
        if self.doubted and (kept or facts):
            yield kept
        yield self.texts
