"""From a prompt to an answer whose citations are checked.

The model's text is a claim. A citation is good when it names a message that stood in the prompt; everything else in
brackets is marked. "Not in the retrieved messages" is an outcome of its own, told apart from an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.prompt import Prompt

_CITATION = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
_DECLINED = re.compile(
    r"not (?:mentioned |stated |specified |provided |given |found |contained )?in (?:the|these|any) "
    r"(?:retrieved |provided |given )?(?:messages|mailbox|context|facts)"
    r"|(?:messages|facts|context) do(?:es)? not (?:contain|hold|mention|provide|specify|say)"
    r"|cannot be (?:determined|answered)|nicht in den (?:gefundenen )?nachrichten|pas dans les messages"
    r"|no est[aá] en los mensajes",
    re.IGNORECASE,
)

_FURTHER = re.compile(r"[.!?]\s+\w")


@dataclass(frozen=True)
class Citation:
    """A citation in an answer: ``start``/``stop`` in its text, ``number`` as written, ``message`` the id it resolves
    to, None where no such message was in the prompt."""

    start: int
    stop: int
    number: int
    message: int | None


@dataclass(frozen=True)
class Claims:
    """An answer's text with what was found out about it. ``declined``: it says that the context does not hold the
    answer. ``unknown``: cited numbers that no message had."""

    text: str
    citations: tuple[Citation, ...]
    declined: bool

    @property
    def cited(self) -> tuple[int, ...]:
        """Cited message ids, each once, in the order of the text."""
        return tuple(dict.fromkeys(c.message for c in self.citations if c.message is not None))

    @property
    def unknown(self) -> tuple[int, ...]:
        """Cited numbers that no message of the prompt had."""
        return tuple(dict.fromkeys(c.number for c in self.citations if c.message is None))


def check(text: str, prompt: Prompt) -> Claims:
    """Resolves the citations of an answer against the prompt it was given."""
    text = text.strip()
    citations = tuple(_citations(text, prompt.numbered))
    decline = _DECLINED.search(text)
    return Claims(text, citations, decline is not None and not _partly(text, decline.start(), citations))


def _partly(text: str, decline: int, citations: tuple[Citation, ...]) -> bool:
    """Whether a decline (where it begins) stands beside an answer: something was cited before it, or there is a
    further sentence. Alone it is a decline, whatever it cites behind itself."""
    cited = [c.start for c in citations if c.message is not None]
    return any(start < decline for start in cited) or (bool(cited) and bool(_FURTHER.search(_CITATION.sub("", text))))


def _citations(text: str, numbered: list[int]) -> Iterator[Citation]:
    for found in _CITATION.finditer(text):
        for number in (int(n) for n in re.findall(r"\d+", found[1])):
            message = numbered[number - 1] if 1 <= number <= len(numbered) else None
            yield Citation(found.start(), found.end(), number, message)
