"""Words of a question and their keys: the form in which questions, names, dates and cues are compared.

A key is case-folded and without accents, and a word ends at everything that is no letter or digit, so that
"Hart-Scott", "hart scott" and "HART.SCOTT" are the same two keys. Addresses and domains stay whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

# Endings of file names. Those that are also ends of domains (.com, .pl) are left out.
_ENDINGS = (
    "pdf|docx?|xlsx?|pptx?|csv|tsv|txt|rtf|odt|ods|odp|png|jpe?g|gif|bmp|tiff?|svg|zip|gz|tgz|tar|rar|7z|py|ya?ml|json|"
    "xml|html?|ics|vcf|eml|msg|log|cfg|ini|conf|grc|cpp|hpp|dat|mat|dwg|dxf|vsd|mpp|wav|mp3|mp4|avi|sql|tex|ps|bin|hex"
)
_JOINING = frozenset("-‐‑/+'’")
_TITLES = {"st", "dr", "mr", "mrs", "ms", "jr", "sr", "prof", "hr", "fr", "mme", "sra"}
FILE_TYPES = re.compile(rf"(?:{_ENDINGS})$")

_PIECE = re.compile(
    r"(?P<file>[\w-]+(?:\.[\w-]+)*\.(?:" + _ENDINGS + r")\b(?!\.\w|@))"
    r"|(?<!\w)\.(?P<type>(?:" + _ENDINGS + r")\b)"
    r"|(?P<address>[\w.+'-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<path>[^\W\d_][\w-]*(?:/[\w-]+)+|(?<!\w)[^\W_]+(?:_[^\W_]+)+(?![\w@]|\.\w))"  # folders are written so
    r"|(?P<domain>\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b)"
    r"|(?P<word>[^\W_]+(?:&[^\W_]+)*)"  # "AT&T" is one word, and no preposition
    r"|(?P<mark>[^\w\s])",
    re.IGNORECASE,
)

# Opening mark -> closing marks. A straight ' opens only at the start of a word and closes only at its end.
_QUOTES = {
    '"': '"',
    "“": "”“",
    "„": "“”",
    "«": "»",
    "»": "«",
    "‘": "’",
    "'": "'",
    "‚": "‘",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the question. ``kind``: word, address, domain, file, type (".pdf"), path, quoted, mark. ``key`` is
    what is compared; ``text`` as written (of a quotation: what stands inside); ``start``/``stop`` in characters of the
    question; ``glue``: the mark that joins it to the word before ("Hart-Scott")."""

    text: str
    key: str
    kind: str
    start: int
    stop: int
    glue: str = ""

    @property
    def capital(self) -> bool:
        """Written with a capital letter."""
        return self.text[:1].isupper()


def fold(text: str) -> str:
    """Case-folded and without accents: the letters that are compared. The French "à" (to) keeps its accent, since
    without it it is another word (has)."""
    if text in ("à", "À"):
        return "à"
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def keys(text: str) -> tuple[str, ...]:
    """The keys of the words of a name, a cue or a phrase."""
    return tuple(fold(word) for word in re.findall(r"[^\W_]+", text))


def tokenize(text: str) -> list[Token]:
    """The tokens of a question, quotations as one token each."""
    out: list[Token] = []
    quotations = _quotations(text)
    position = 0
    for start, stop in [*quotations, (len(text), len(text))]:
        out.extend(_plain(text, position, start))
        if stop > start:
            inner = text[start + 1 : stop - 1].strip()
            out.append(Token(inner, " ".join(keys(inner)), "quoted", start, stop))
        position = stop
    return out


def _plain(text: str, start: int, stop: int) -> list[Token]:
    out: list[Token] = []
    for m in _PIECE.finditer(text, start, stop):
        if m.lastgroup == "path":
            out.append(Token(m.group(), " ".join(keys(m.group())), "path", m.start(), m.end()))
            continue
        if m.group() == "." and out and out[-1].key in _TITLES and out[-1].stop == m.start():
            continue  # "St. Clair", "Dr. Hahn"
        if m.group() == "." and out and len(out[-1].text) == 1 and out[-1].text.isalpha() and out[-1].stop == m.start():
            continue  # the point of an initial
        glue = out[-1].text if m.lastgroup == "word" and _joins(out, m.start()) else ""
        key = fold(m.group())
        key = key.replace("&", "") if m.lastgroup == "word" else key
        out.append(Token(m.group(), key, str(m.lastgroup), m.start(), m.end(), glue))
    return out


def _joins(out: list[Token], start: int) -> bool:
    """The last token is a mark between two words, without any space."""
    if len(out) < 2 or out[-1].text not in _JOINING or out[-2].kind != "word":
        return False
    return out[-2].stop == out[-1].start and out[-1].stop == start


class Word(Protocol):
    """A token, or what was made of one."""

    @property
    def text(self) -> str:
        """As written."""

    @property
    def glue(self) -> str:
        """The mark that joins it to the word before."""


def written(words: Sequence[Word]) -> str:
    """What stands one behind the other, as it was written but for white space."""
    return "".join((w.glue or " ") * (n > 0) + w.text for n, w in enumerate(words))


def _quotations(text: str) -> list[tuple[int, int]]:
    """Spans of quotations with their marks. An apostrophe inside a word never opens or closes one."""
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(text):
        closing = _QUOTES.get(text[i])
        if closing and not _inside_word(text, i, opening=True):
            for j in range(i + 2, len(text)):
                if text[j] in closing and not _inside_word(text, j, opening=False):
                    spans.append((i, j + 1))
                    i = j
                    break
        i += 1
    return spans


def _inside_word(text: str, i: int, *, opening: bool) -> bool:
    before = text[i - 1] if i else " "
    after = text[i + 1] if i + 1 < len(text) else " "
    return before.isalnum() if opening else after.isalnum()
