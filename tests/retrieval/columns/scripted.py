"""A model that writes prepared texts without a grammar, to force what a real one does by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from retrieval.models.chat import ChatMessage
from tests.retrieval.text_to_query.test_asking import Scripted


class Writes(Scripted):
    """Says its texts one after the other, whatever it is asked."""

    def complete(self, messages: Sequence[ChatMessage], **options: Any) -> Iterator[str]:
        self.told.append(messages[-1].content)
        yield self.texts.pop(0)

    def count_tokens(self, text: str) -> int:
        return len(text) // 4
