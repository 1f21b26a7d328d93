"""The words that a question says are mentioned: behind "mention" and "about", or before "comes up"."""

from __future__ import annotations

from graph.plan import Filter, Mentions, Subject
from retrieval.planner.items import Item
from retrieval.planner.look import LINKS, tag_at
from retrieval.planner.tokens import written

_TERM = ("WORD", "PERSON", "ORG", "QUOTED", "NUM", "FILE", "N:org", "N:label", "LABEL", "FILETYPE",
         "N:thread", "EXTERNAL", "WEEKDAY", "N:address", "N:list", "THREADS", "MAIN", "OTHER", "LAST")  # fmt: skip


def mentions(items: list[Item], used: list[bool], stopwords: frozenset[str]) -> list[Filter]:
    """The words that are said to be mentioned or to stand in subjects: behind "mention" and "about", before "comes up"
    and "is mentioned". Marks them as used."""
    cue = next((n for n, i in enumerate(items) if i.tag in ("V:mention", "P:about")), None)
    marked = next((n for n, i in enumerate(items) if i.tag == "THEWORD"), None)
    subject = next((n for n, i in enumerate(items) if i.tag == "INSUBJECT"), None)
    if subject is not None:
        words = phrases_before(items, subject, used, stopwords) or phrases(items, subject + 1, used, stopwords)
        for a, b in words:
            used[a:b] = [True] * (b - a)
        if words:
            return [Subject(written(_bare(items[a:b], stopwords)), contains=True) for a, b in words]
    at = marked if marked is not None else cue
    if at is None:
        return []
    said = phrases(items, at + 1, used, stopwords)
    if not said and cue is not None:
        said = phrases_before(items, cue, used, stopwords)
    if not said and marked is not None:
        said = phrases_before(items, marked, used, stopwords)
    if not said and tag_at(items, len(phrases_at_start(items))) == "COMMA":  # "X: how often is it named?"
        said = phrases(items, 0, used, stopwords)
    if not said:
        return []
    either = any(i.tag == "OR" for i in items[said[0][0] : said[-1][1]])
    for a, b in said:
        used[a:b] = [True] * (b - a)
    return [Mentions(tuple(written([x for x in items[a:b] if x.tag not in LINKS]) for a, b in said), every=not either)]


def _bare(words: list[Item], stopwords: frozenset[str]) -> list[Item]:
    """Without what stands before the words: messages that "say 'confidential'"."""
    first = next((n for n, i in enumerate(words) if i.text.lower() not in stopwords), 0)
    return words[first:]


def phrases(items: list[Item], at: int, used: list[bool], stopwords: frozenset[str]) -> list[tuple[int, int]]:
    """Stretches of words from ``at`` on, joined by "and", "or" and commas."""
    out: list[tuple[int, int]] = []
    n = at
    while n < len(items):
        while tag_at(items, n) in ("BOTH", "THEWORD", "OPEN", "NEG") and not out:
            if tag_at(items, n) == "NEG":
                return out
            n += 1
        begin = n
        while n < len(items) and items[n].tag in _TERM and not used[n]:
            n += 1
        if n == begin:
            break
        out.append((begin, n))
        if tag_at(items, n) not in ("AND", "OR", "COMMA") or tag_at(items, n + 1) not in (
            *_TERM,
            "BOTH",
            "AND",
            "THEWORD",
        ):
            break
        n += 1
        while tag_at(items, n) in ("AND", "BOTH", "THEWORD"):
            n += 1
    return [(a, b) for a, b in out if any(items[n].text.lower() not in stopwords for n in range(a, b))]


def phrases_at_start(items: list[Item]) -> list[Item]:
    """The words that a question begins with."""
    return items[: next((n for n, i in enumerate(items) if i.tag not in (*_TERM, "AND", "OR")), len(items))]


def phrases_before(items: list[Item], cue: int, used: list[bool], stopwords: frozenset[str]) -> list[tuple[int, int]]:
    """The words right before "is mentioned", "comes up": back to what is no word."""
    n = cue - 1
    while n >= 0 and (
        items[n].tag.startswith("AUX") or items[n].tag in ("BOTH", "NEG", "PERIOD", "FIRST", "LAST", "ME")
    ):
        n -= 1
    end = n + 1
    while n >= 0 and (items[n].tag in (*_TERM, "AND", "OR", "BOTH")) and not used[n]:
        n -= 1
    return phrases(items, n + 1, used, stopwords) if end > n + 1 else []
