"""What the planner knows of a language, as data: cue phrases by tag, and the words of dates.

The grammar itself knows tags only. A question is read in one language, found by its function words, since the same
letters mean different things ("an" is an article in English and "to" in German).

Tags of cues (``CUES``):

==============  =================================================================================
``N:x``         a noun for x: message, person, sender, recipient, org, domain, thread, month, label, attachment,
                outsider, address (an address stands for its person), correspondent
``V:x``         a verb: send (write, send, mail), get (receive), mention (mention, come up), go (go to, be addressed
                to), copy (cc), reply, file (filed under), have
``P:x``         a preposition: to, from, by, at (at, of, in), with, between, about, cc
``Q:x``         a question word: who, whom, whose, which, what, when, howmany, content (why, how, how much)
``LIST``        an imperative that asks for a list (show me, list, name)
``NEG``         never, not, nothing; ``NE`` the French half of a denial; ``BESIDES`` except; ``OUTSIDE``
``MOST``        most, most often; ``MAIN`` the main, the busiest; ``FIRST`` / ``LAST``; ``ATLEAST`` / ``MORETHAN``
``BOTH`` ``AND`` ``OR`` ``BUT`` ``OTHER`` ``SAME`` ``AUX`` (``AUX:have``) ``BACKFORTH`` ``TITLED`` ``INSUBJECT``
``REL``         a relative pronoun that is no question word
``ME``          the owner ("me", "my" as ``MY``, "I"); ``HE`` a pronoun for somebody named before
``WHOEVER``     a person described by what follows ("whoever", "derjenige")
``FORWARD``     it was passed on
``INADDITION``  "in addition to": besides, or as well
``SHARE``       a share or a mean, which no plan can say
``FIRSTTIME``   for the first time: nothing like it was before
``OWNFIRM``     the owner's organisation; ``N:colleague`` a person there
``NOBODYELSE``  to nobody besides who was named; ``ALONE`` the same behind the name
``THENAFTER``   after the period that was named; ``THENBEFORE`` before it; ``THENNEXT`` the month after
``OFTHOSE``     of what a sentence before told ("of those", "davon")
``THEWORD``     "the word": what follows or stands before is mentioned; ``N:list`` a mailing list
``N:reply``     a message that answers; ``ANSWERED`` it was answered; ``ATTACHED`` it has a file
``ORD:n``       the second, the runner-up: a ranking that deep; ``LEAST`` the fewest; ``COUNTING`` "counting To"
``AUTOMATED``   mail that a program sent; ``BYHAND`` mail that a person wrote; ``ANYBODY`` offices,
                lists and programs count as people
``FILETYPE:x``  a family of files: word, excel, powerpoint, image
``A+B``         two items in one phrase: ``ME+V:send`` (escribí), ``NEG+ANSWERED`` (unanswered)
``SKIP``        words that carry nothing for the plan
==============  =================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from retrieval.planner.tokens import Token, keys

CODES = ("en", "de", "fr", "es")

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Language:
    """Cues and date words of one language. ``cues``: phrase -> tag; ``..._by_first``: first key -> phrases, longest
    first, of dates with all their tags; ``function_words``: words that are never content; ``stopwords``: these and all
    cues of one word, but for what automated mail is called, which may be what a text is about;
    ``file_words``: what a kind of file is called beside its kind;
    ``telling``: stopwords that a reading must not pass over."""

    code: str
    cues: dict[Phrase, str]
    stopwords: frozenset[str]
    function_words: frozenset[str]
    file_words: frozenset[str]
    telling: frozenset[str]
    cues_by_first: dict[str, list[Phrase]] = field(default_factory=dict)
    dates_by_first: dict[str, list[tuple[Phrase, list[str]]]] = field(default_factory=dict)
    date_words: frozenset[str] = frozenset()
    day_first: bool = True


@cache
def load(code: str) -> Language:
    """The data of a language by its ISO 639-1 code (one of :data:`CODES`)."""
    module = import_module(f"retrieval.planner.languages.{code}")
    cues = _phrases(module.CUES)
    words = {phrase[0] for phrase, tag in cues.items() if len(phrase) == 1 and not tag.startswith("AUTOMATED")}
    words |= set(module.STOPWORDS.split())
    return Language(
        code,
        cues,
        frozenset(words),
        frozenset(module.STOPWORDS.split()),
        frozenset(keys(module.FILE_WORDS)),
        frozenset(keys(module.TELLING)),
        _by_first(cues),
        _dates_by_first(module.DATES),
        date_words=frozenset(
            word
            for tag, phrases in module.DATES.items()
            if tag.partition(":")[0] in ("M", "D", "S", "EARLY", "MID", "LATE")
            for word in keys(phrases)
        )
        - frozenset(keys(module.FUNCTION_WORDS)),
        day_first=code != "en",
    )


def detect(tokens: list[Token]) -> Language:
    """The language whose function words occur most often in the question, then whose cues do; English where nothing
    tells."""
    if any(t.text in ("¿", "¡") for t in tokens):
        return load("es")
    words = [t.key for t in tokens if t.kind == "word"]

    def evidence(code: str) -> tuple[int, int, int]:
        known = load(code).stopwords
        return sum(w in _function_words(code) for w in words), sum(w in known for w in words), -CODES.index(code)

    return load(max(CODES, key=evidence))


@cache
def _function_words(code: str) -> frozenset[str]:
    return frozenset(import_module(f"retrieval.planner.languages.{code}").FUNCTION_WORDS.split())


def _phrases(table: dict[str, str]) -> dict[Phrase, str]:
    """``table``: tag -> phrases separated by commas."""
    return {keys(phrase): tag for tag, phrases in table.items() for phrase in phrases.split(",") if keys(phrase)}


def _by_first(table: dict[Phrase, str]) -> dict[str, list[Phrase]]:
    out: dict[str, list[Phrase]] = {}
    for phrase in table:
        out.setdefault(phrase[0], []).append(phrase)
    for phrases in out.values():
        phrases.sort(key=len, reverse=True)
    return out


def _dates_by_first(table: dict[str, str]) -> dict[str, list[tuple[Phrase, list[str]]]]:
    """Words of dates may have several tags: "until" opens a range and closes one."""
    tags: dict[Phrase, list[str]] = {}
    for tag, phrases in table.items():
        for phrase in phrases.split(","):
            if key := keys(phrase):
                tags.setdefault(key, []).append(tag)
    out: dict[str, list[tuple[Phrase, list[str]]]] = {}
    for key in sorted(tags, key=len, reverse=True):
        out.setdefault(key[0], []).append((key, tags[key]))
    return out
