"""The language data compiled once into what the recognisers look up.

Sets and tuples rather than long alternations: a regular expression of three hundred words is tried at every character,
a set is asked once.
"""

from __future__ import annotations

import re
from typing import Final

from ingest.quoting.languages import LANGUAGES, OTHER_LABELS


def _words(column: str) -> list[str]:
    """All words of one column over all languages, longest first, so that an alternation prefers the longest."""
    found = {word for language in LANGUAGES for word in getattr(language, column).split("|") if word}
    return sorted(found, key=lambda word: (-len(word), word))


def _by_initial(words: list[str]) -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for word in words:
        table[word[0]] = (*table.get(word[0], ()), word)
    return table


def _labels() -> dict[str, str]:
    labels: dict[str, str] = {}
    # Sender first: a word that is a label in two roles ("de", "od") opens a header block as sender.
    for role in ("sender", "sent", "to", "cc", "subject"):
        for word in _words(role):
            labels.setdefault(word, role)
    labels.update(OTHER_LABELS)
    # An abbreviation that starts a common sentence ("Re: your mail") is no header label.
    labels.pop("re", None)
    return labels


def _months() -> dict[str, int]:
    months: dict[str, int] = {}
    for language in LANGUAGES:
        for number, names in enumerate(language.months.split(), start=1):
            for name in names.split(","):
                months.setdefault(name, number)
    return months


#: label in lower case -> sender, sent, to, cc, bcc, subject, other
LABELS: Final[dict[str, str]] = _labels()
#: month name or its short form in lower case -> 1..12
MONTHS: Final[dict[str, int]] = _months()
#: banners in lower case without dashes and colon
ORIGINAL: Final[frozenset[str]] = frozenset(_words("original"))
FORWARDED: Final[frozenset[str]] = frozenset(_words("forwarded"))

#: verbs of writing as they stand at the end of an attribution: "… wrote", "… a écrit"
WROTE: Final[tuple[str, ...]] = tuple(_words("wrote"))
#: verbs of writing with the name or the date still to come: "schrieb NAME"
WROTE_THEN: Final[tuple[str, ...]] = tuple(_words("wrote_then"))
#: words that stand before a name and announce its words without a verb or a date: "Quoting NAME:"
ANNOUNCES: Final = _by_initial("zitat von|citando a|citat från|quoting|citando|selon|cytuję".split("|"))
#: words that programs put before the date, and the days of the week, by their first letter
OPENS: Final = _by_initial(_words("opens"))
WEEKDAYS: Final = _by_initial(_words("weekdays"))

_DAY_BY_WORD: Final = re.compile(
    r"\b\d{1,2}\b\W{0,3}(?:de |d'|of )?([^\W\d_]{1,20}(?:\.[^\W\d_]{1,5})*\.?)"
    r"|(?<![^\W\d_])([^\W\d_]{3,20})\W{1,3}\d{1,2}\b"
)


def begins_with(lower: str, words: dict[str, tuple[str, ...]]) -> int:
    """The length of the word of ``words`` with which ``lower`` begins, 0 if with none. ``lower`` is in lower case."""
    for word in words.get(lower[:1], ()):
        if lower.startswith(word) and not lower[len(word) : len(word) + 1].isalpha():
            return len(word)
    return 0


def wrote_at_end(lower: str) -> int:
    """Where the verb of writing begins with which ``lower`` ends, -1 if it ends with none."""
    if not lower.endswith(WROTE):
        return -1
    for word in WROTE:
        at = len(lower) - len(word)
        if lower.endswith(word) and (at == 0 or not lower[at - 1].isalnum() or _is_cjk(word[0])):
            return at
    return -1


def wrote_inside(lower: str) -> tuple[int, int] | None:
    """Start and end of the first verb of writing inside ``lower``, or None."""
    best: tuple[int, int] | None = None
    for word in WROTE_THEN:
        at = lower.find(word)
        end = at + len(word)
        if at < 0 or lower[at - 1 : at].isalnum() or lower[end : end + 1].isalnum():
            continue
        if best is None or at < best[0]:
            best = (at, end)
    return best


def names_day_and_month(lower: str) -> bool:
    """Does a number stand beside the name of a month?"""
    for found in _DAY_BY_WORD.finditer(lower):
        word = found.group(1) or found.group(2)
        if word in MONTHS or word.rstrip(".") in MONTHS:
            return True
    return False


def _is_cjk(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af"
