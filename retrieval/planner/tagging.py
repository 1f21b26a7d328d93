"""A question becomes a row of tagged items: names, periods, quotations, cues of the language, and other words.

This is where ambiguity between readings of the same words ends: dates are found first, then names (longest first),
then folders beside the word "folder", then cues (longest first). What is left is a plain WORD.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import Any

from graph.plan import Period
from retrieval.linker import Link, NameIndex
from retrieval.planner import dates
from retrieval.planner.languages import Language
from retrieval.planner.tokens import FILE_TYPES, Token, keys, tokenize


@dataclass(slots=True)
class Item:
    """A tagged stretch of the question. ``tag``: PERSON, ORG, LABEL, PERIOD, QUOTED, WORD, COMMA, OPEN, CLOSE, END or
    a cue of the language. ``value``: Link, Period or text. ``possessive``: followed by 's."""

    tag: str
    text: str
    start: int
    stop: int
    value: Any = None
    possessive: bool = False
    capital: bool = False
    vague: bool = False


@dataclass
class Tagged:
    """The items of a question with what was linked on the way. ``skipped`` words carried nothing."""

    items: list[Item]
    tokens: list[Token]
    language: Language
    links: list[Link] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)


_MARKS = {",": "COMMA", ";": "COMMA", ":": "COMMA", "(": "OPEN", ")": "CLOSE", "?": "END", ".": "END", "!": "END"}
_NAME_BEFORE = ("P:to", "P:from", "P:by", "P:with", "P:between", "P:cc", "AND", "OR", "BOTH", "BESIDES")
# Folders that are called by their name alone: "in my inbox".
STANDARD_FOLDERS = {"inbox", "outbox", "sent", "sent items", "sent mail", "deleted items", "drafts", "archive", "junk"}
_FIRM_BEFORE = ("P:at", "OUTSIDE", "P:from")


def tag(tokens: list[Token], language: Language, index: NameIndex, as_of: date) -> Tagged:
    """Tags the tokens of a question."""
    tokens = [p for t in tokens for p in _folder_or_words(t, index)]
    tokens = [t for i, t in enumerate(tokens) if not (_hyphen(tokens, i, language) or _contraction(tokens, i))]
    found = {f.start: f for f in dates.find(tokens, language, as_of)}
    out = Tagged([], tokens, language)
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if i in found and _asked_for(out, tokens, i, language):
            later = found.pop(i)
            if later.stop > i + 1:
                found[i + 1] = replace(later, start=i + 1)
        if i in found and not _named_longer(index, tokens, i, found[i].stop, language):
            f = found[i]
            if f.parts and any(x.tag == "BOTH" for x in out.items[-2:]):  # "in both May and June"
                out.items += [Item("PERIOD", _text(tokens, i, f.stop), i, f.stop, part) for part in f.parts]
                out.periods += f.parts
                i = f.stop
                continue
            out.items.append(Item("PERIOD", _text(tokens, i, f.stop), i, f.stop, f.period, vague=f.vague))
            out.periods.append(f.period)
            i = f.stop
            continue
        if token.kind == "quoted":
            out.items.append(Item("QUOTED", token.text, i, i + 1, token.text))
            i += 1
            continue
        if token.kind == "path":
            folder = index.link_label(token.text, i, i + 1, index.label_at(keys(token.text)))
            out.items.append(Item("LABEL", token.text, i, i + 1, folder))
            out.links.append(folder)
            i += 1
            continue
        if token.kind == "file":
            out.items.append(Item("FILE", token.text, i, i + 1, token.text))
            i += 1
            continue
        days = _weekdays(tokens, i, language) if token.kind == "word" else None
        if days is not None:
            out.items.append(Item("WEEKDAY", token.text, i, i + 1, days))
            i += 1
            continue
        if token.kind == "type" or _is_file_type(token):
            ending = token.key.lstrip(".")
            ending = ending if FILE_TYPES.match(ending) else ending[:-1]
            out.items.append(Item("FILETYPE", token.text, i, i + 1, ending))
            i += 1
            continue
        if token.kind == "mark":
            if token.text in _MARKS:
                out.items.append(Item(_MARKS[token.text], token.text, i, i + 1))
            i += 1
            continue
        cue = _cue(tokens, i, language, found)
        link = _link(out, tokens, i, language, index, cue)
        if link is not None:
            tag_name = {"person": "PERSON", "organization": "ORG"}[link.kind]
            item = Item(tag_name, link.text, i, link.stop, link, capital=True)
            item.possessive = _possessive(tokens, link.stop)
            out.items.append(item)
            out.links.append(link)
            i = link.stop + 2 * item.possessive
            continue
        if cue is not None:
            name, n = cue
            if "+" in name:  # two in one: "recibí" is I and a verb, "unanswered" a denial and an answer
                first, _, name = name.partition("+")
                out.items.append(Item(first, _text(tokens, i, i + n), i, i + n))
            out.items.append(Item(name, _text(tokens, i, i + n), i, i + n, capital=token.capital))
            i += n
            continue
        name = "NUM" if token.key.isdecimal() and len(token.key) < 5 else "WORD"
        item = Item(name, token.text, i, i + 1, token.key, capital=token.capital)
        item.possessive = _possessive(tokens, i + 1)
        out.items.append(item)
        i += 1 + 2 * item.possessive
    _articles(out)
    _years(out)
    _clarify(out, index)
    _namesakes(out, index)
    _lists(out, index)
    _places(out)
    _folders(out, language, index)
    out.items = [item for item in out.items if item.tag != "SKIP"]
    return out


def _link(
    out: Tagged, tokens: list[Token], i: int, language: Language, index: NameIndex, cue: tuple[str, int] | None
) -> Link | None:
    token = tokens[i]
    if cue is not None and cue[0] in ("ME", "MY"):
        return None
    before = out.items[-1].tag if out.items else ""
    link = index.at(
        tokens,
        i,
        language.stopwords,
        prefer_firm=before in _FIRM_BEFORE,
        expected=before in _NAME_BEFORE or before.startswith(("V:", "AUX")),
    )
    if link is None:
        return None
    sentence_start = not out.items or out.items[-1].tag == "END"
    if cue is not None and link.stop - i <= cue[1] and (sentence_start or not token.capital):
        return None  # "List", "Will", "May" at the beginning are what they are everywhere
    if link.stop - i == 1 and cue is not None and link.how in ("alias", "fuzzy") and not token.capital:
        return None
    if (
        link.stop - i == 1
        and sentence_start
        and not out.items
        and link.how == "alias"
        and token.key in language.stopwords
    ):
        return None
    return link


def _cue(tokens: list[Token], i: int, language: Language, found: dict[int, dates.Found]) -> tuple[str, int] | None:
    """The tag of the longest cue at token i, and its length. Cues reach over no punctuation and into no period."""
    for phrase in language.cues_by_first.get(tokens[i].key, ()):
        if len(phrase) > len(tokens) - i or any(i + n in found for n in range(1, len(phrase))):
            continue
        if all(tokens[i + n].kind == "word" and tokens[i + n].key == word for n, word in enumerate(phrase)):
            return language.cues[phrase], len(phrase)
    return None


def _named_longer(index: NameIndex, tokens: list[Token], i: int, stop: int, language: Language) -> bool:
    """ "May Alvarez" is a name, "May 2001" a month."""
    if stop - i > 1 or not tokens[i].capital:
        return False
    link = index.at(tokens, i, language.stopwords)
    return link is not None and link.stop - i > 1 and link.how == "exact"


def _articles(out: Tagged) -> None:
    """German "der, die, das" is a relative pronoun behind a comma (and perhaps a preposition), else an article. A
    relative pronoun that nothing stands before asks (Spanish "que")."""
    kept: list[Item] = []
    for item in out.items:
        before = kept[-1].tag if kept else "END"
        if item.tag == "ARTICLE":
            behind = kept[-2].tag if before.startswith("P:") and len(kept) > 1 else before
            item.tag = "REL" if behind == "COMMA" else "SKIP"
            if item.tag == "REL":
                del kept[-1 if before == "COMMA" else -2]
        elif item.tag == "AND" and before == "END":
            item.tag = "Q:content"  # Spanish "cómo"
        elif item.tag == "REL" and (before == "END" or (before.startswith("P:") and len(kept) == 1)):
            item.tag = "Q:which"
        kept.append(item)
    out.items = kept


def _clarify(out: Tagged, index: NameIndex) -> None:
    """ "UBS Warburg (ubsw.com)", "Kenny Foo of NGX": the place in brackets or after "of" says which one is meant."""
    items = out.items
    i = 0
    while i < len(items):
        if items[i].tag == "OPEN" and i + 2 < len(items) and items[i + 2].tag == "CLOSE" and i:
            inner = items[i + 1]
            if inner.tag in ("ORG", "PERSON") and inner.value.how in ("domain", "address"):
                begin = i
                while begin and (
                    items[begin - 1].tag in ("ORG", "PERSON")
                    or (items[begin - 1].tag == "WORD" and items[begin - 1].capital)
                ):
                    begin -= 1
                if begin < i and items[begin].tag == "PERSON" and begin == i - 1 and inner.tag == "ORG":
                    _narrow(out, items[begin], inner, index)
                    del items[i : i + 3]
                    continue
                if begin < i:
                    for gone in items[begin:i]:
                        if gone.value in out.links:
                            out.links.remove(gone.value)
                    text = " ".join(x.text for x in items[begin:i])
                    items[begin : i + 3] = [Item(inner.tag, text, items[begin].start, items[i + 2].stop, inner.value)]
                    i = begin
        i += 1
    i = 0
    while i + 2 < len(items):
        a, p, b = items[i : i + 3]
        if a.tag == "PERSON" and p.tag in ("P:at", "P:from") and b.tag == "ORG" and a.value.how != "owner":
            narrowed = index.clarified(a.value, b.value)
            if narrowed is not a.value and p.text.lower() in ("of", "at", "from", "von", "bei", "de", "chez", "d"):
                _narrow(out, a, b, index)
                del items[i + 1 : i + 3]
        i += 1


def _narrow(out: Tagged, person: Item, firm: Item, index: NameIndex) -> None:
    narrowed = index.clarified(person.value, firm.value)
    out.links = [narrowed if link is person.value else link for link in out.links if link is not firm.value]
    person.value = narrowed
    person.stop = firm.stop


def _folders(out: Tagged, language: Language, index: NameIndex) -> None:
    """The words before or after "folder" are its name, where a folder is called so."""
    items = out.items
    for n in range(1, len(items)):
        before = items[n - 1] if items[n - 1].tag != "SKIP" or n < 2 else items[n - 2]
        if before.tag in ("P:at", "MY", "V:file") and items[n].tag in ("WORD", "V:send"):
            words = _words(items[n : n + 2])
            for size, wanted in ((2, words), (1, words[:1])):
                if " ".join(wanted) in STANDARD_FOLDERS and (ids := index.label_at(wanted)):
                    text = " ".join(x.text for x in items[n : n + size])
                    link = index.link_label(text, items[n].start, items[n + size - 1].stop, ids)
                    out.links.append(link)
                    items[n : n + size] = [Item("LABEL", text, link.start, link.stop, link)]
                    break
    i = 0
    while i < len(items):
        if items[i].tag != "N:label":
            i += 1
            continue
        hit = _folder_beside(items, i, index)
        if hit is None:
            i += 1
            continue
        begin, end, ids = hit
        for gone in items[begin:end]:
            if gone.tag in ("PERSON", "ORG") and gone.value in out.links:
                out.links.remove(gone.value)
        text = " ".join(x.text for x in items[begin:end])
        link = index.link_label(text, items[begin].start, items[end - 1].stop, ids)
        out.links.append(link)
        items[begin:end] = [Item("LABEL", text, items[begin].start, items[end - 1].stop, link)]
        i = begin + 1


def _words(items: list[Item]) -> list[str]:
    return [w for x in items for w in keys(x.text)]


def _folder_beside(items: list[Item], i: int, index: NameIndex) -> tuple[int, int, tuple[int, ...]] | None:
    for n in range(4, 0, -1):  # before: "the NetCo credit folder"
        if i - n < 0:
            continue
        words = [w for x in items[i - n : i] for w in keys(x.text)]
        if items[i - n].tag not in ("SKIP",) and (ids := index.label_at(words)):
            return i - n, i + 1, ids
    first = i + 1
    while first < len(items) and items[first].tag in ("SKIP", "TITLED", "COMMA") and items[first].text != "?":
        first += 1
    for n in range(4, 0, -1):  # after: "the folder 'NetCo credit'", "folder called Canada"
        if first + n > len(items) or any(x.tag in ("END", "OPEN", "CLOSE") for x in items[first : first + n]):
            continue
        words = [w for x in items[first : first + n] for w in keys(x.text)]
        if ids := index.label_at(words):
            return i, first + n, ids
    return None


def _asked_for(out: Tagged, tokens: list[Token], i: int, language: Language) -> bool:
    """ "in what month of 2001": the month is asked for, the year is the period."""
    asks = bool(out.items) and out.items[-1].tag in ("Q:which", "Q:what", "Q:howmany")
    return asks and language.cues.get((tokens[i].key,)) == "N:month"


def _folder_or_words(token: Token, index: NameIndex) -> list[Token]:
    """ "projects/bridge" is a folder where there is one, else two words."""
    if token.kind != "path" or index.label_at(keys(token.text)):
        return [token]
    parts = tokenize(token.text.replace("/", " "))
    return [replace(p, start=p.start + token.start, stop=p.stop + token.start) for p in parts]


def _is_file_type(token: Token) -> bool:
    """ "pdf", "PDFs": the common endings that are no words otherwise."""
    key = token.key
    return token.kind == "word" and len(key) > 2 and key.removesuffix("s") in _KNOWN_TYPES


_KNOWN_TYPES = frozenset(
    "pdf doc docx xls xlsx ppt pptx csv txt rtf png jpg jpeg gif zip yml yaml json xml html ics".split()
)


def _weekdays(tokens: list[Token], i: int, language: Language) -> tuple[int, ...] | None:
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


def _years(out: Tagged) -> None:
    """A bare year is a period ("haben 2025 geschrieben") where no noun follows that it may number."""
    items = out.items
    for n, item in enumerate(items):
        before, after = items[n - 1].tag if n else "END", items[n + 1].tag if n + 1 < len(items) else "END"
        if item.tag != "NUM" or not _YEAR.match(item.text) or before in ("V:mention", "P:about", "WORD", "THEWORD"):
            continue
        if after.startswith(("V:", "AUX", "P:", "NEG", "REL")) or after in (
            "END",
            "COMMA",
            "MOST",
            "BUT",
            "AND",
            "CLOSE",
        ):
            year = int(item.text)
            item.tag, item.value = "PERIOD", Period(date(year, 1, 1), date(year + 1, 1, 1))
            out.periods.append(item.value)


_YEAR = re.compile(r"(?:19|20)\d\d$")


def _namesakes(out: Tagged, index: NameIndex) -> None:
    """ "both Anas": the two who are called so, each for herself."""
    items = out.items
    for n in range(len(items) - 1, 0, -1):
        word = items[n]
        if items[n - 1].tag not in ("BOTH", "NUM:2") or word.tag != "WORD" or not word.capital:
            continue
        found = index.namesakes(keys(word.text)[0].removesuffix("s"))
        if len(found) != 2:
            continue
        links = [index.link_person(word.text, word.start, word.stop, one) for one in found]
        out.links += links
        one, other = (Item("PERSON", word.text, word.start, word.stop, link, capital=True) for link in links)
        items[n : n + 1] = [one, Item("AND", "", word.stop, word.stop), other]


def _lists(out: Tagged, index: NameIndex) -> None:
    """ "the monitoring mailing list": the address of a list by the word before it."""
    items = out.items
    for n, item in enumerate(items):
        spoken = item.tag == "N:list" or (item.tag == "LIST" and item.text.lower().endswith("list"))
        if not spoken or not n or items[n - 1].tag not in ("WORD", "PERSON", "LABEL"):
            continue
        found = index.list_at(keys(items[n - 1].text))
        if found is None:
            continue
        text = f"{items[n - 1].text} {item.text}"
        link = index.link_person(text, items[n - 1].start, item.stop, found)
        out.links = [known for known in out.links if known is not items[n - 1].value] + [link]
        item.tag, item.text, item.value, item.possessive = "PERSON", text, link, item.possessive
        items[n - 1].tag = "SKIP"


def _places(out: Tagged) -> None:
    """ "at the port of Vallmar": the common noun between two prepositions and an organisation says nothing more."""
    items = [i for i in out.items if i.tag != "SKIP"]
    for verb, file in pairwise(items):
        if verb.tag == "V:file" and file.tag in ("FILE", "QUOTED"):  # "sent the file plan.pdf"
            verb.tag = "SKIP"
    for a, word, of, firm in zip(items, items[1:], items[2:], items[3:], strict=False):
        placed = a.tag in ("P:at", "P:from", "P:to", "P:by", "OUTSIDE") and firm.tag == "ORG"
        if placed and word.tag == "WORD" and not word.capital and of.tag in ("P:at", "P:from"):
            word.tag = of.tag = "SKIP"


def _possessive(tokens: list[Token], i: int) -> bool:
    """An "s" right after an apostrophe."""
    if i + 1 < len(tokens) and tokens[i].text in "'’" and tokens[i + 1].key == "s":
        return tokens[i].stop == tokens[i + 1].start
    return False


def _hyphen(tokens: list[Token], i: int, language: Language) -> bool:
    """A hyphen within a name or a phrase ("Jean-Pierre", "a-t-il"), not one that joins dates."""
    if tokens[i].text not in ("-", "‐", "‑") or not 0 < i < len(tokens) - 1:
        return False
    before, after = tokens[i - 1], tokens[i + 1]
    joined = before.stop == tokens[i].start and tokens[i].stop == after.start
    words = before.key.isalpha() and after.key.isalpha()
    return joined and words and not {before.key, after.key} & language.date_words


def _contraction(tokens: list[Token], i: int) -> bool:
    """The apostrophe of "didn't", "I'd", "cc'd"; that of "Paul's" is kept."""
    if tokens[i].text not in ("'", "’") or not 0 < i < len(tokens) - 1:
        return False
    return tokens[i + 1].key in ("t", "d", "ll", "ve", "re", "m") and tokens[i].stop == tokens[i + 1].start


def _text(tokens: list[Token], i: int, j: int) -> str:
    return " ".join(t.text for t in tokens[i:j])
