"""What single tokens are before any cue is looked for: apostrophes and hyphens within words, days, kinds of files."""

from __future__ import annotations

import re
from dataclasses import replace

from retrieval.linker import NameIndex
from retrieval.planner.languages import Language
from retrieval.planner.tokens import Token, keys, tokenize

_KNOWN_TYPES = frozenset(
    "pdf doc docx xls xlsx ppt pptx csv txt rtf png jpg jpeg gif zip yml yaml json xml html ics".split()
)


def folder_or_words(token: Token, index: NameIndex) -> list[Token]:
    """ "projects/bridge", "sent_items" are folders where there is one, else two words."""
    if token.kind == "domain" and index.has_label(token.text):  # "projects.bridge"
        return [replace(token, kind="path")]
    if token.kind != "path" or index.label_at(keys(token.text)):
        return [token]
    parts = tokenize(re.sub("[/_]", " ", token.text))
    return [replace(p, start=p.start + token.start, stop=p.stop + token.start) for p in parts]


def is_file_type(token: Token) -> bool:
    """ "pdf", "PDFs": the common endings that are no words otherwise."""
    key = token.key
    return token.kind == "word" and len(key) > 2 and key.removesuffix("s") in _KNOWN_TYPES


def weekdays(tokens: list[Token], i: int, language: Language) -> tuple[int, ...] | None:
    """The days that "Friday", "Fridays" and "weekend" mean where no date was read; Monday is 0."""
    for key in (tokens[i].key, tokens[i].key.removesuffix("s"), tokens[i].key.removesuffix("en")):
        for phrase, names in language.dates_by_first.get(key, ()):
            if len(phrase) == 1 and len(key) > 3:
                for name in names:
                    if name.startswith("D:"):
                        return (int(name[2:]),)
                    if name == "U:weekend":
                        return (5, 6)
    return None


def possessive(tokens: list[Token], i: int) -> bool:
    """An "s" right after an apostrophe."""
    if i + 1 < len(tokens) and tokens[i].text in "'’" and tokens[i + 1].key == "s":
        return tokens[i].stop == tokens[i + 1].start
    return False


def hyphen(tokens: list[Token], i: int, language: Language) -> bool:
    """A hyphen within a name or a phrase ("Jean-Pierre", "a-t-il"), not one that joins dates."""
    if tokens[i].text not in ("-", "‐", "‑") or not 0 < i < len(tokens) - 1:
        return False
    before, after = tokens[i - 1], tokens[i + 1]
    joined = before.stop == tokens[i].start and tokens[i].stop == after.start
    words = before.key.isalpha() and after.key.isalpha()
    return joined and words and not {before.key, after.key} & language.date_words


def contraction(tokens: list[Token], i: int, language: Language) -> bool:
    """The apostrophe of "didn't", "I'd", "cc'd", French "d'entre"; that of "Paul's" is kept."""
    if tokens[i].text not in ("'", "’") or not 0 < i < len(tokens) - 1:
        return False
    if language.code == "fr":
        return tokens[i - 1].stop == tokens[i].start and tokens[i].stop == tokens[i + 1].start
    return tokens[i + 1].key in ("t", "d", "ll", "ve", "re", "m") and tokens[i].stop == tokens[i + 1].start
