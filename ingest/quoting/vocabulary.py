"""The language data compiled once into the sets and expressions that the recognisers look things up in."""

from __future__ import annotations

import re
from typing import Final

from ingest.quoting.languages import LANGUAGES, OTHER_LABELS


def _words(column: str) -> list[str]:
    """All words of one column over all languages, longest first, so that an alternation prefers the longest."""
    found = {word for language in LANGUAGES for word in getattr(language, column).split("|") if word}
    return sorted(found, key=lambda word: (-len(word), word))


def _labels() -> dict[str, str]:
    labels: dict[str, str] = {}
    # "from" first: "de" and "od" open header blocks, and a word that is a label in two roles opens one as sender.
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


def _alternation(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in words)


#: label in lower case -> sender, sent, to, cc, bcc, subject, other
LABELS: Final[dict[str, str]] = _labels()
#: month name or its short form in lower case -> 1..12
MONTHS: Final[dict[str, int]] = _months()
#: banners in lower case without dashes and colon
ORIGINAL: Final[frozenset[str]] = frozenset(_words("original"))
FORWARDED: Final[frozenset[str]] = frozenset(_words("forwarded"))

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WROTE_LATIN = [word for word in _words("wrote") if not re.match(f"[{_CJK}]", word)]
_WROTE_CJK = [word for word in _words("wrote") if re.match(f"[{_CJK}]", word)]

#: a verb of writing at the very end: "… wrote", "… a écrit", "…写道"
WROTE_AT_END: Final = re.compile(
    rf"(?:(?:^|(?<=[\s>\"')\],;*.]))(?:{_alternation(_WROTE_LATIN)})|(?:{_alternation(_WROTE_CJK)}))[\s*_]*$"
)
#: a verb of writing with the name or the date still to come: "schrieb NAME"
WROTE_INSIDE: Final = re.compile(rf"(?:^|(?<=[\s>\"')\],;*.]))(?:{_alternation(_words('wrote_then'))})(?=\s|$)")
#: a word that programs put before the date
OPENS: Final = re.compile(rf"(?:{_alternation(_words('opens'))})(?![^\W\d_])")
WEEKDAY: Final = re.compile(rf"(?:{_alternation(_words('weekdays'))})(?![^\W\d_])")
#: day and month name in either order
DAY_AND_MONTH: Final = re.compile(
    rf"(?:\b\d{{1,2}}\b\W{{0,3}}(?:de |d'|of )?(?:{_alternation(sorted(MONTHS, key=len, reverse=True))})(?![^\W\d_])"
    rf"|(?<![^\W\d_])(?:{_alternation(sorted(MONTHS, key=len, reverse=True))})\W{{1,3}}\d{{1,2}}\b)"
)
