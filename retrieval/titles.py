"""Titles of conversations that a question names without quotation marks: the mailbox knows which of its words are one.

"Who wrote in the thread Timed commands not working?" - no grammar tells where the title ends, and "not" in it denies
nothing. So where a question speaks of a conversation or a subject, its stretches of words are looked up among the
subjects, and the longest that is one is put in quotation marks before the question is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import psycopg

from graph.mentions import in_subject
from graph.parameters import Parameters
from graph.plan import AnsweredBy, Answers, Messages, Organizations, People, Plan, Subject, Threads
from retrieval.linker import NameIndex
from retrieval.planner.languages import Language, detect
from retrieval.planner.tokens import Token, tokenize

LONGEST_TITLE = 16  # tokens
INDEXED = 200  # characters of a subject, in the index message_subject_base
_SPEAKS_OF_TITLES = ("N:thread", "TITLED")


def quoted(conn: psycopg.Connection[Any], question: str, index: NameIndex) -> str:
    """The question with the longest title in it between quotation marks; as it is where it names none. What is also the
    name of a person or a firm is a title only right behind the words that announce one."""
    tokens = tokenize(question)
    language = detect(tokens)
    spoken = _spoken(tokens, language)
    if not spoken or any(t.kind == "quoted" for t in tokens):
        return question
    stretches = {_folded(question[tokens[i].start : tokens[j - 1].stop]): (i, j) for i, j in _stretches(tokens, spoken)}
    announced = {at.stop for at in spoken}
    found = [stretches[title] for title in _subjects(conn, stretches) if title in stretches]
    titles = [(i, j) for i, j in found if i in announced or not _is_name(tokens, i, j, language, index)]
    if not titles:
        return question
    i, j = max(titles, key=lambda at: at[1] - at[0])
    start, stop = tokens[i].start, tokens[j - 1].stop
    mark = "'" if '"' in question[start:stop] else '"'
    return f"{question[:start]}{mark}{question[start:stop]}{mark}{question[stop:]}"


def unknown(conn: psycopg.Connection[Any], plan: Plan) -> list[str]:
    """The titles in a plan that no message of the mailbox has."""
    titles = _titles(plan)
    if not titles:
        return []
    known = {subject[:INDEXED] for subject in _subjects(conn, map(_folded, titles))}
    return [title for title in titles if _folded(title)[:INDEXED] not in known]


def as_parts(conn: psycopg.Connection[Any], plan: Plan) -> tuple[Plan, list[str]]:
    """The plan with each title that no message has, and that stands in some subject, taken for a part of subjects; and
    the titles that stand in none."""
    missing = unknown(conn, plan)
    parts = {title for title in missing if _stands_in_one(conn, title)}
    return _with_parts(plan, parts) if parts else plan, [title for title in missing if title not in parts]


def _stands_in_one(conn: psycopg.Connection[Any], title: str) -> bool:
    bind = Parameters()
    condition = in_subject(title, bind)
    row = conn.execute(f"SELECT EXISTS (SELECT FROM mail.message m WHERE {condition})", bind.values).fetchone()  # noqa: S608
    return row is not None and bool(row[0])


def _with_parts(plan: Plan, parts: set[str]) -> Plan:
    def loosened(value: Any) -> Any:
        match value:
            case Subject(text, False) if text in parts:
                return Subject(text, contains=True)
            case Plan():
                return _with_parts(value, parts)
            case People() | Organizations():
                return replace(value, who=loosened(value.who))
            case Threads() | Messages() | Answers() | AnsweredBy():
                return replace(value, which=loosened(value.which))
        return value

    return replace(
        plan,
        filters=tuple(map(loosened, plan.filters)),
        not_filters=tuple(map(loosened, plan.not_filters)),
        within=tuple(map(loosened, plan.within)),
        without=tuple(map(loosened, plan.without)),
    )


def is_one(conn: psycopg.Connection[Any], text: str) -> bool:
    """Whether some conversation is called so."""
    return _folded(text) in _subjects(conn, [_folded(text)])


def _subjects(conn: psycopg.Connection[Any], folded: Iterable[str]) -> list[str]:
    """The subjects of the mailbox that begin as one of these does, as far as they are indexed."""
    rows = conn.execute(
        f"SELECT DISTINCT subject_base FROM mail.message WHERE left(subject_base, {INDEXED}) = ANY(%s)",  # noqa: S608
        [[text[:INDEXED] for text in folded]],
    ).fetchall()
    return [subject for (subject,) in rows]


def _is_name(tokens: list[Token], i: int, j: int, language: Language, index: NameIndex) -> bool:
    link = index.at(tokens, i, language.stopwords)
    return link is not None and link.stop == j


def _titles(plan: Plan) -> list[str]:
    out: list[str] = []
    for f in (*plan.filters, *plan.not_filters):
        if isinstance(f, Subject) and not f.contains:
            out.append(f.text)
        inner = getattr(f, "who", None) or getattr(f, "which", None)
        out += _titles(inner) if isinstance(inner, Plan) else []
    for inner in (*plan.within, *plan.without):
        out += _titles(inner) if isinstance(inner, Plan) else []
    return list(dict.fromkeys(out))


def _spoken(tokens: list[Token], language: Language) -> list[range]:
    """Where the question says "conversation", "with the subject" and the like."""
    found = []
    for i, token in enumerate(tokens):
        for phrase in language.cues_by_first.get(token.key, ()):
            if (
                language.cues[phrase] in _SPEAKS_OF_TITLES
                and tuple(t.key for t in tokens[i : i + len(phrase)]) == phrase
            ):
                found.append(range(i, i + len(phrase)))
                break
    return found


def _stretches(tokens: list[Token], spoken: list[range]) -> list[tuple[int, int]]:
    """The stretches that may be a title: of several words, or of one right behind the words that announce it."""
    announced = {at.stop for at in spoken}
    ends = {at.start for at in spoken}  # "the NETCO thread"
    said = {i for at in spoken for i in at}
    out = []
    for i, token in enumerate(tokens):
        for j in range(i + 1, min(len(tokens), i + LONGEST_TITLE) + 1):
            if tokens[j - 1].text in ("?", ".") and j == len(tokens):
                break
            if j - 1 in said and (i not in announced or j == i + 1):
                break
            if token.kind != "mark" and (j > i + 1 or ((i in announced or j in ends) and token.capital)):
                out.append((i, j))
    return out


def _folded(text: str) -> str:
    """A title as subjects without their prefixes are stored."""
    return " ".join(text.split()).casefold()
