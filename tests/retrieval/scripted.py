"""A chat model that writes prepared texts, to force what a real one does by chance, errors above all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from retrieval.models.chat import ChatMessage, Usage


class Scripted:
    """Says its texts one after the other, whatever it is asked; an exception among them is raised. ``told``: the last
    message of each prompt."""

    name = "scripted"
    usage: Usage | None = None
    context_tokens = 4096

    def __init__(self, *texts: str | Exception) -> None:
        self.texts = list(texts)
        self.told: list[str] = []

    def complete(self, messages: Sequence[ChatMessage], **options: Any) -> Iterator[str]:
        """See ChatModel."""
        self.told.append(messages[-1].content)
        text = self.next()
        if isinstance(text, Exception):
            raise text
        yield text

    def next(self) -> str | Exception:
        """What it says now."""
        return self.texts.pop(0)

    def count_tokens(self, text: str) -> int:
        """About."""
        return len(text) // 4 + 1

    def reading_speed(self) -> None:
        """Not known."""

    def close(self) -> None:
        """Nothing."""
