"""The words of a date, one by one: what a token or phrase means, where the next one begins."""

from __future__ import annotations

import re
from datetime import date

from retrieval.planner.languages import Language
from retrieval.planner.tokens import Token

_YEAR = re.compile(r"(?:19|20)\d\d$")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|o|a|te|ten)?$")


class DateWords:
    """Looks at tokens. ``as_of`` is the day that "this year" is relative to."""

    def __init__(self, tokens: list[Token], language: Language, as_of: date) -> None:
        self.tokens = tokens
        self.language = language
        self.as_of = as_of

    def _day(self, i: int) -> int | None:
        if i >= len(self.tokens) or self.tokens[i].kind != "word" or not (m := _DAY.match(self.tokens[i].key)):
            return None
        return int(m[1]) if 1 <= int(m[1]) <= 31 else None

    def _year(self, i: int) -> int | None:
        if i >= len(self.tokens) or not _YEAR.match(self.tokens[i].key):
            return None
        return int(self.tokens[i].key)

    def _number(self, i: int) -> tuple[int, int]:
        if i < len(self.tokens) and self.tokens[i].key.isdecimal() and len(self.tokens[i].key) <= 3:
            return int(self.tokens[i].key), i + 1
        n, j = self._value("NUM", i)
        return (int(n), j) if n is not None and j is not None else (1, i)

    def _skip(self, i: int) -> int:
        while (j := self._tag("THE", i)) is not None:
            i = j
        return i

    def _tag(self, tag: str, i: int) -> int | None:
        """The token after the longest phrase of ``tag`` at i; None where there is none."""
        for phrase, name in self._phrases(i):
            if name == tag:
                return i + len(phrase)
        return None

    def _value(self, tag: str, i: int) -> tuple[str | None, int | None]:
        for phrase, name in self._phrases(i):
            if name.startswith(tag + ":"):
                return name[len(tag) + 1 :], i + len(phrase)
        return None, None

    def _phrases(self, i: int) -> list[tuple[tuple[str, ...], str]]:
        if not 0 <= i < len(self.tokens):
            return []
        out: list[tuple[tuple[str, ...], str]] = []
        for phrase, names in self.language.dates_by_first.get(self.tokens[i].key, []):
            if all(i + n < len(self.tokens) and self.tokens[i + n].key == word for n, word in enumerate(phrase)):
                out.extend((phrase, name) for name in names)
        return out

    def _source(self, i: int) -> tuple[str, int]:
        """The text around token i, with single characters of marks, for the numeric forms."""
        if i >= len(self.tokens):
            return "", 0
        at = self.tokens[i].start
        parts: list[str] = []
        for token in self.tokens[i : i + 6]:
            if token.start != at + sum(len(p) for p in parts):
                break
            parts.append(token.text)
        return "".join(parts), 0

    def _after(self, i: int, length: int) -> int:
        end = self.tokens[i].start + length
        while i < len(self.tokens) and self.tokens[i].start < end:
            i += 1
        return i
