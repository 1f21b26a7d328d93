"""Names of people as headers write them, and whether the local part of an address was made from one.

``read`` takes "Last, First M. (E-mail)", "First M Last", "LAST, FIRST" and so on apart into given names and last name.
``fit`` tells how much of a name stands in a local part: "first.last" names a person, "flast" or "m..last" says a good
deal, "first" alone or initials say little.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from nicknames import NickNamer

FULL, HALF, LITTLE, NONE = 3, 2, 1, 0

_QUOTES = "\"'`\\ \t\r\n,;\u2018\u2019\u201c\u201d"
_ASIDE = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|<[^<>]{0,500}>?(?:@\w+)?")
_CUT_OFF = re.compile(r"\s\([^()]*\Z|\A(?:.{0,80}\s)?(?:from|sent by|gesendet von|envoyé par|enviado por)\s*:", re.I)
# what Outlook puts behind the names of contacts
_CONTACT = re.compile(r"\s+E-mail(?:\s+\d)?\Z")
_BEHALF = re.compile(r"\s+(?:via|on behalf of|im auftrag von|pour le compte de|namens|por)\s+", re.I)
_TITLES = {
    "mr", "mrs", "ms", "miss", "dr", "prof", "sir", "herr", "frau", "mme", "mlle", "monsieur", "madame", "ing", "dipl",
    "phd", "md", "mba", "esq", "cpa", "pe", "msc", "bsc", "rev", "hon", "capt", "lt", "col", "sen", "rep",
    "dott", "sra",
}  # fmt: skip
_SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "junior", "senior"}
_PARTICLES = {
    "van",
    "von",
    "de",
    "der",
    "den",
    "del",
    "della",
    "di",
    "da",
    "dos",
    "du",
    "la",
    "le",
    "ter",
    "ten",
    "zu",
    "bin",
    "al",
    "el",
    "st",
}
_NO_NAME = re.compile(r"[@\d/_=|]|https?:|www\.")


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in lower case without accents: given names or initials in order, last name, generation.

    ``extra`` are words that stood with the given names and are none ("Last, First M.- HR Head"); some mail systems made
    addresses from them.
    """

    given: tuple[str, ...]
    last: str
    suffix: str = ""
    extra: tuple[str, ...] = ()

    @property
    def first(self) -> str:
        """The first given name or initial."""
        return self.given[0]

    @property
    def middles(self) -> tuple[str, ...]:
        """The other given names."""
        return self.given[1:]


@lru_cache(maxsize=100_000)
def clean(display: str) -> str:
    """A display name without quotes, asides such as "(E-mail)", and a trailing address; "" when nothing is left."""
    text = _BEHALF.split(display, maxsplit=1)[0] if " via " in display.lower() else display
    text = text.replace("\\", "")
    comment = re.search(r"@\S+\s+\(([^()@]{3,80})\)\s*$", text)  # "local@domain (First Last)"
    text = comment[1] if comment else _CUT_OFF.sub("", _ASIDE.sub(" ", text))
    text = _CONTACT.sub("", re.sub(r"\s+", " ", text).strip(_QUOTES))
    text = text.removeprefix("*").strip(_QUOTES)
    return "" if "@" in text or not any(c.isalpha() for c in text) else text


@lru_cache(maxsize=100_000)
def read(display: str) -> Name | None:
    """The name of a person, or None when it is not the name of one (one word, an address, digits)."""
    text = clean(display)
    if not text or len(text) > 80 or _NO_NAME.search(text):
        return None
    text, *cut_off = re.split(r"\s*[-–:]\s+|\s+[-–]\s*|\.-\s*", text)
    extra = tuple(_words(" ".join(cut_off)))
    if text.count(",") > 1:
        head, _, rest = text.partition(",")
        second, _, third = rest.partition(",")
        text = f"{head},{second}" if fold(third) in _TITLES | _SUFFIXES else text
    if text.count(",") == 1:
        last, _, first = text.partition(",")
        if fold(first) in _TITLES | _SUFFIXES:
            text = f"{last} {first}"
        else:
            return _build(_words(first), _words(last), extra)
    elif "," in text:
        return None
    words = _words(text)
    suffixes = [word for word in words if word in _SUFFIXES]
    words = [word for word in words if word not in _SUFFIXES and word not in _TITLES]
    if len(words) < 2 or len(words) > 5:
        return None
    cut = len(words) - 1
    while cut > 1 and words[cut - 1] in _PARTICLES:
        cut -= 1
    return _build(words[:cut], words[cut:] + suffixes)


def from_local_part(local: str) -> Name | None:
    """The name that a local part spells out: "first.last", "first_m_last"; None for any other form."""
    words = [fold(word) for word in re.split(r"[._]+", local) if word]
    if len(words) not in (2, 3) or not all(re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", word) for word in words):
        return None
    initial_first = len(words[0]) < 2 and not (len(words) == 3 and len(words[1]) > 1)
    if initial_first or len(words[-1]) < 2:
        return None
    return Name(tuple(words[:-1]), words[-1].replace("-", ""))


def fit(local: str, name: Name) -> int:
    """How much of ``name`` the local part holds: FULL, HALF, LITTLE or NONE."""
    local = local.partition("+")[0]
    words = [fold(word) for word in re.split(r"[^\w]+|_", local) if word]
    words = [word for word in (word.strip("0123456789") for word in words) if word]
    if not words:
        return NONE
    joined, last = "".join(words), name.last
    firsts = {form for given in name.given for form in forms(given) if len(form) > 1}
    initials = {given[0] for given in name.given}
    if joined in {first + last for first in firsts} | {last + first for first in firsts}:
        return FULL
    given = words[1:] if words[0] == last and words[-1] != last else words[:-1]
    if last in (words[0], words[-1]) and given and given[0] in firsts:
        return FULL
    if words[-1] == last and any(w in firsts for w in given) and all(w in firsts | initials for w in given):
        return FULL
    if any(joined.startswith(f) and joined.endswith(last) and len(joined) - len(f) - len(last) <= 2 for f in firsts):
        return FULL
    if joined.endswith(last) and len(last) > 2 and 0 < len(joined) - len(last) <= 3 and joined[0] in initials:
        return HALF
    if joined.startswith(last) and len(last) > 2 and joined[len(last) :] in initials:
        return HALF
    if any(joined == word + last for word in name.extra):
        return HALF
    if any(joined == f + last[: len(joined) - len(f)] for f in firsts if len(f) >= 3 and len(joined) > len(f)):
        return LITTLE
    if joined == last or joined in firsts or joined == "".join(g[0] for g in name.given) + last[0]:
        return LITTLE
    if any(len(f) >= 3 and joined.startswith(f) for f in firsts):
        return LITTLE
    return NONE


def same_first(a: str, b: str) -> bool:
    """Whether two given names can be one: equal, one a short form of the other, or one the other's initial."""
    if a == b:
        return True
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    return b in forms(a) or a in forms(b) or bool(_long_forms(a) & _long_forms(b)) or _one_slip(a, b)


def _one_slip(a: str, b: str) -> bool:
    """Two long spellings that differ by one letter inside; the ends, which tell gender, are the same."""
    if min(len(a), len(b)) < 7 or abs(len(a) - len(b)) > 1 or a[:3] != b[:3] or a[-1] != b[-1]:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    return longer[start + 1 :] == shorter[start + (len(a) == len(b)) :]


@cache
def forms(given: str) -> frozenset[str]:
    """A given name, its short forms, and the names that it is a short form of."""
    short = {name for name in _NICKNAMES.nicknames_of(given) if _plausible(name, given)}
    return frozenset({given}) | short | _long_forms(given)


@cache
def _long_forms(given: str) -> frozenset[str]:
    return frozenset(name for name in _NICKNAMES.canonicals_of(given) if _plausible(given, name))


def _plausible(short: str, long: str) -> bool:
    """The list of nicknames holds far-fetched pairs; one is kept when the forms sound alike or it is well known."""
    return short[0] == long[0] or short[:3] in long or long[:3] in short or long in _IRREGULAR.get(short, ())


@lru_cache(maxsize=100_000)
def in_order(display: str) -> str:
    """A display name for people to read: "First M. Last", without asides, not all in capitals."""
    text = clean(display)
    if text.count(",") == 1 and read(display):
        last, _, first = text.partition(",")
        if fold(first) not in _TITLES | _SUFFIXES:
            text = f"{first.strip()} {last.strip()}"
    shouted, whispered = len(text) > 4 and text.isupper(), " " in text and text.islower()
    return text.title() if shouted or whispered else text


@lru_cache(maxsize=100_000)
def fold(text: str) -> str:
    """Lower case without accents, apostrophes and dots."""
    text = unicodedata.normalize("NFKD", text.strip().casefold().replace("ß", "ss").replace("ø", "o").replace("ł", "l"))
    return "".join(c for c in text if c not in ".'`’ʼ" and not unicodedata.combining(c))


def _words(text: str) -> list[str]:
    return [word for word in (fold(word) for word in re.split(r"[\s.,]+", text)) if word]


def _build(given: list[str], last: list[str], extra: tuple[str, ...] = ()) -> Name | None:
    suffix = next((word for word in [*last, *given] if word in _SUFFIXES), "")
    given = [word for word in given if word not in _TITLES and word not in _SUFFIXES]
    last = [word for word in last if word not in _TITLES and word not in _SUFFIXES]
    if not given or not last or len(given) > 4 or len(last) > 3:
        return None
    whole = "".join(last).replace("-", "")
    if len(whole) < 2 or not whole.isalpha() or not all(word.replace("-", "").isalpha() for word in given):
        return None
    return Name(tuple(given), whole, suffix, extra)


_NICKNAMES = NickNamer()
_IRREGULAR = {
    "bill": ("william",), "billy": ("william",), "bob": ("robert",), "bobby": ("robert",), "dick": ("richard",),
    "peggy": ("margaret",), "peg": ("margaret",), "daisy": ("margaret",), "ted": ("edward", "theodore", "edmund"),
    "ned": ("edward",), "jack": ("john",), "hank": ("henry",), "chuck": ("charles",), "tony": ("anthony", "antonio"),
    "nancy": ("ann", "anne"), "polly": ("mary",), "betty": ("elizabeth",), "betsy": ("elizabeth",),
    "bess": ("elizabeth",), "becky": ("rebecca",), "sandy": ("alexander", "sandra", "alexandra"), "pepe": ("jose",),
    "paco": ("francisco",), "pancho": ("francisco",), "nacho": ("ignacio",), "sasha": ("alexander", "alexandra"),
}  # fmt: skip
