"""A question becomes a row of tagged items: names, periods, quotations, cues of the language, and other words.

This is where ambiguity between readings of the same words ends: dates are found first, then names (longest first),
then folders beside the word "folder", then cues (longest first). What is left is a plain WORD.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from graph.plan import Period
from retrieval.linker import Link, NameIndex
from retrieval.planner import dates
from retrieval.planner.beside import refine
from retrieval.planner.items import Item, Tagged
from retrieval.planner.languages import Language
from retrieval.planner.look import tag_at
from retrieval.planner.notes import without_notes
from retrieval.planner.several_periods import in_the_year
from retrieval.planner.tokens import FILE_TYPES, Token, keys, written
from retrieval.planner.word_forms import contraction, folder_or_words, hyphen, is_file_type, possessive, weekdays

_MARKS = {",": "COMMA", ";": "COMMA", ":": "COMMA", "(": "OPEN", ")": "CLOSE", "?": "END", ".": "END", "!": "END"}
_NAME_BEFORE = ("P:to", "P:from", "P:by", "P:with", "P:between", "P:cc", "AND", "OR", "BOTH", "BESIDES")
_FIRM_BEFORE = ("P:at", "OUTSIDE", "P:from")


def tag(tokens: list[Token], language: Language, index: NameIndex, as_of: date) -> Tagged:
    """Tags the tokens of a question."""
    tokens = [p for t in tokens for p in folder_or_words(t, index)]
    tokens = [t for i, t in enumerate(tokens) if not (hyphen(tokens, i, language) or contraction(tokens, i, language))]
    found = {f.start: _ended(f, tokens) for f in dates.find(tokens, language, as_of)}
    small = _written_small(tokens, language)
    out = Tagged([], tokens, language)
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if i in found and (noun := _asked_for(out, tokens, found[i], language)) is not None:
            later = found.pop(i)
            if later.stop > noun + 1:
                found[noun + 1] = replace(later, start=noun + 1)
        said = _length(tokens, i, language, "THATPERIOD") if i in found else 0
        if i in found and i + said > found[i].stop:  # "ce mois-là", not "ce mois"
            del found[i]
            out.items.append(Item("THATPERIOD", _text(tokens, i, i + said), i, i + said))
            i += said
            continue
        said = _length(tokens, i, language, "SKIP")
        for begin in [n for n in range(i + 1, i + said) if n in found and found[n].stop <= i + said]:
            del found[begin]  # "first and last day included"
        said = _length(tokens, i, language, "EVERYMONTH")
        if said:  # "in every month of 2025": the month is no date here
            if i + said - 1 in found:
                rest = found.pop(i + said - 1)
                if rest.stop > i + said:
                    found[i + said] = replace(rest, start=i + said)
            out.items.append(Item("EVERYMONTH", _text(tokens, i, i + said), i, i + said))
            i += said
            continue
        if i in found and not _named_longer(index, tokens, i, found[i].stop, language):
            f = found[i]
            if f.parts and any(x.tag == "BOTH" for x in out.items[-2:]):  # "in both May and June"
                out.items += [Item("PERIOD", _text(tokens, i, f.stop), i, f.stop, part) for part in f.parts]
                i = f.stop
                continue
            parts = f.parts if f.several else ()
            out.items.append(Item("PERIOD", _text(tokens, i, f.stop), i, f.stop, f.period, vague=f.vague, parts=parts))
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
        days = weekdays(tokens, i, language) if token.kind == "word" else None
        if days is not None:
            out.items.append(Item("WEEKDAY", token.text, i, i + 1, days))
            i += 1
            continue
        followed = i + 1 < len(tokens) and tokens[i + 1].key in language.file_words
        ending_said = token.kind == "word" and followed and FILE_TYPES.match(token.key) is not None
        if token.kind == "type" or ending_said or is_file_type(token):
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
        link = _link(out, tokens, i, language, index, cue, small=small)
        if link is not None:
            tag_name = {"person": "PERSON", "organization": "ORG"}[link.kind]
            item = Item(tag_name, link.text, i, link.stop, link, capital=True)
            item.possessive = possessive(tokens, link.stop)
            out.items.append(item)
            out.links.append(link)
            i = link.stop + 2 * item.possessive
            continue
        if cue is not None:
            name, n = cue
            if name.startswith("FILETYPE:"):
                out.items.append(Item("FILETYPE", _text(tokens, i, i + n), i, i + n, name.partition(":")[2]))
                i += n
                continue
            # several in one: "recibí" is I and a verb, "unanswered" a denial and an answer
            *firsts, name = name.split("+")
            out.items += [Item(first, _text(tokens, i, i + n), i, i + n) for first in firsts]
            out.items.append(Item(name, _text(tokens, i, i + n), i, i + n, capital=token.capital))
            i += n
            continue
        if token.kind == "domain" and link is None:
            out.items.append(Item("DOMAIN", token.text, i, i + 1, token.key))
            i += 1
            continue
        name = "NUM" if token.key.isdecimal() and len(token.key) < 5 else "WORD"
        item = Item(name, token.text, i, i + 1, token.key, capital=token.capital)
        item.possessive = possessive(tokens, i + 1)
        out.items.append(item)
        i += 1 + 2 * item.possessive
    for item in out.items:
        item.glue = tokens[item.start].glue
    _articles(out)
    _years(out)
    refine(out, language, index)
    in_the_year(out.items)
    out.items = without_notes(out.said)
    return out


def _ended(found: dates.Found, tokens: list[Token]) -> dates.Found:
    """A period without the end of the sentence behind it."""
    ends = found.stop - 1 > found.start and tokens[found.stop - 1].text in _MARKS
    return replace(found, stop=found.stop - 1) if ends else found


def _link(
    out: Tagged,
    tokens: list[Token],
    i: int,
    language: Language,
    index: NameIndex,
    cue: tuple[str, int] | None,
    *,
    small: bool,
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
        small=small,
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


def _written_small(tokens: list[Token], language: Language) -> bool:
    """No word is written with a capital but the first of a sentence, "I", and months and days, which keep theirs."""
    starts = {0, *(n + 1 for n, t in enumerate(tokens) if t.text in (".", "?", "!"))}
    kept = language.date_words | {"i"}
    return not any(t.capital and n not in starts and t.key not in kept for n, t in enumerate(tokens))


def _cue(tokens: list[Token], i: int, language: Language, found: dict[int, dates.Found]) -> tuple[str, int] | None:
    """The tag of the longest cue at token i, and its length. Cues reach over no punctuation and into no period."""
    for phrase in language.cues_by_first.get(tokens[i].key, ()):
        if len(phrase) > len(tokens) - i or any(i + n in found for n in range(1, len(phrase))):
            continue
        if all(tokens[i + n].kind == "word" and tokens[i + n].key == word for n, word in enumerate(phrase)):
            return language.cues[phrase], len(phrase)
    return None


def _length(tokens: list[Token], i: int, language: Language, tag: str) -> int:
    """The length of the longest cue at token i, whatever date was read in it, where its tag is this one; else 0."""
    cue = _cue(tokens, i, language, {})
    return cue[1] if cue is not None and cue[0] == tag else 0


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
        elif item.tag == "OR" and item.text.lower() == "où":
            item.tag = "Q:content"
        elif item.tag == "AND" and before == "END":
            item.tag = "Q:content"  # Spanish "cómo"
        elif item.tag == "REL" and (before == "END" or (before.startswith("P:") and len(kept) == 1)):
            item.tag = "Q:which"
        kept.append(item)
    out.items = kept


def _asked_for(out: Tagged, tokens: list[Token], found: dates.Found, language: Language) -> int | None:
    """ "in what month of 2001", "les mois de 2001": the month is asked for, the year is the period. Where it stands."""
    before = [item.tag for item in out.items[-3:] if item.tag not in ("AUX", "SKIP", "ARTICLE")]
    start, end = found.period.start, found.period.end
    longer = start is not None and end is not None and (end - start).days > 31
    if before[-1:] not in (["Q:which"], ["Q:what"], ["Q:howmany"]) and not longer:
        return None
    noun = found.start
    while noun < found.stop - 1 and language.cues.get((tokens[noun].key,)) in ("SKIP", "ARTICLE"):
        noun += 1
    return noun if language.cues.get((tokens[noun].key,)) == "N:month" else None


def _years(out: Tagged) -> None:
    """A bare year is a period ("haben 2025 geschrieben") where no noun follows that it may number."""
    items = out.items
    for n, item in enumerate(items):
        before = next((i.tag for i in reversed(items[:n]) if i.tag != "SKIP"), "END")
        after = tag_at(items, n + 1)
        if item.tag != "NUM" or not _YEAR.match(item.text) or before in ("V:mention", "P:about", "WORD", "THEWORD"):
            continue
        if after.startswith(("V:", "AUX", "P:", "NEG", "REL")) or after in (
            "END",
            "COMMA",
            "MOST",
            "ONLY",
            "BUT",
            "AND",
            "CLOSE",
            "SKIP",
            "ARTICLE",
        ):
            year = int(item.text)
            item.tag, item.value = "PERIOD", Period(date(year, 1, 1), date(year + 1, 1, 1))


_YEAR = re.compile(r"(?:19|20)\d\d$")


def _text(tokens: list[Token], i: int, j: int) -> str:
    return written(tokens[i:j])
