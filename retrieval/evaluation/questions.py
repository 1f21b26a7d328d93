"""Labelled questions from a file: one JSON object a line, or TREC queries with relevance judgements.

A set that cannot be read is an error that names the line; so is an empty one. What a gold answer needs but the store
does not hold is left out openly by the evaluation, never scored as a miss.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from retrieval.errors import QuestionFileError

SHOWN = 10  # malformed lines that are named
MESSAGE_KINDS = {"lookup", "entity", "multi_message", "thread", "summary", "unanswerable"}


@dataclass(frozen=True)
class GoldQuestion:
    """A question with what is known to be right. ``groups``: needed messages, each all Message-IDs of one message;
    ``grades`` their relevance; ``also_ok``: messages that restate the answer; ``value`` as in the question format."""

    id: str
    kind: str
    text: str
    as_of: date | None = None
    value_type: str | None = None
    item_type: str | None = None
    value: Any = None
    path: list[dict[str, Any]] | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    grades: tuple[int, ...] = ()
    also_ok: tuple[tuple[str, ...], ...] = ()
    answer: str = ""
    facts: tuple[str, ...] = field(default=())

    @property
    def unanswerable(self) -> bool:
        """Whether the right answer is that the mailbox does not say."""
        return self.kind == "unanswerable"

    def to_json(self) -> dict[str, Any]:
        """As it is kept with a run."""
        return asdict(self) | {"as_of": self.as_of.isoformat() if self.as_of else None}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> GoldQuestion:
        """What :meth:`to_json` gave."""
        return cls(
            **kept
            | {
                "as_of": date.fromisoformat(kept["as_of"]) if kept["as_of"] else None,
                "groups": tuple(tuple(group) for group in kept["groups"]),
                "grades": tuple(kept["grades"]),
                "also_ok": tuple(tuple(group) for group in kept["also_ok"]),
                "facts": tuple(kept["facts"]),
            }
        )


def read_questions(path: Path) -> list[GoldQuestion]:
    """Reads a question file. Raises QuestionFileError that names the malformed lines, or says that the set is empty."""
    questions, malformed = [], []
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            questions.append(_question(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            malformed.append(f"line {number}: {_reason(error)}")
    if malformed:
        more = f"; and {len(malformed) - SHOWN} more lines" if len(malformed) > SHOWN else ""
        raise QuestionFileError(f"{path}, {'; '.join(malformed[:SHOWN])}{more}. Mend them or take them out.")
    return _checked(questions, path)


def read_trec(queries: Path, qrels: Path) -> list[GoldQuestion]:
    """Reads TREC queries (``id<TAB>text``) and judgements (``query 0 document grade``); queries without judgements
    are left out, documents graded 0 are not relevant. Raises QuestionFileError."""
    judged: dict[str, list[tuple[str, int]]] = {}
    for number, line in enumerate(_lines(qrels), 1):
        parts = line.split()
        if not parts:
            continue
        try:
            query, _, document, grade = parts
            if int(grade) > 0:
                judged.setdefault(query, []).append((document, int(grade)))
        except ValueError:
            raise QuestionFileError(f"{qrels}, line {number}: expected 'query 0 document grade'.") from None
    questions = []
    for number, line in enumerate(_lines(queries), 1):
        if not line.strip():
            continue
        query, tab, text = line.partition("\t")
        if not tab:
            raise QuestionFileError(f"{queries}, line {number}: expected 'id<TAB>query'.")
        if relevant := judged.get(query.strip()):
            questions.append(
                GoldQuestion(
                    id=query.strip(),
                    kind="query",
                    text=text.strip(),
                    groups=tuple((document,) for document, _ in relevant),
                    grades=tuple(grade for _, grade in relevant),
                )
            )
    return _checked(questions, queries)


def _question(given: dict[str, Any]) -> GoldQuestion:
    as_of = given.get("as_of")
    groups = tuple(tuple(group) for group in given.get("gold_message_ids") or ())
    value_type = given.get("value_type")
    if value_type not in (None, "number", "ranked", "set"):
        raise ValueError(f"value_type is {value_type!r}, not number, ranked, set or null")
    return GoldQuestion(
        id=str(given["id"]),
        kind=str(given["kind"]),
        text=str(given["question"]),
        as_of=date.fromisoformat(as_of[:10]) if as_of else None,
        value_type=value_type,
        item_type=given.get("item_type"),
        value=given.get("gold_value"),
        path=given.get("gold_path"),
        groups=groups,
        grades=(1,) * len(groups),
        also_ok=tuple(tuple(group) for group in given.get("also_ok_message_ids") or ()),
        answer=str(given.get("gold_answer") or ""),
        facts=tuple(str(fact) for fact in given.get("facts") or ()),
    )


def _checked(questions: list[GoldQuestion], path: Path) -> list[GoldQuestion]:
    if not questions:
        raise QuestionFileError(f"{path} holds no question that can be scored.")
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise QuestionFileError(
                f"{path}: the id {question.id} stands twice; ids tell runs apart, so each must be its own."
            )
        seen.add(question.id)
    return questions


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise QuestionFileError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise QuestionFileError(f"{path} is not UTF-8 text.") from None


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"the field {error} is missing"
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON object ({error.msg}, column {error.colno})"
    if isinstance(error, AttributeError):
        return "no JSON object"
    return str(error)
