"""Question files as they grow: read as they stand, written line by line, so that nothing accepted is lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from retrieval.evaluation.questions import read_questions

Question = Mapping[str, object]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The questions with all their fields; none when there is no file yet. Raises QuestionFileError for a bad line."""
    if not path.exists() or not path.read_text(encoding="utf-8").strip():
        return []
    read_questions(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def append(path: Path, questions: Iterable[Question]) -> None:
    """Adds questions at the end."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(question, ensure_ascii=False) + "\n" for question in questions)


def replace(path: Path, question: Question) -> None:
    """Puts a question in the place of the one with its id, else at the end. The file is whole at any moment."""
    known = read_lines(path)
    lines = [dict(question) if one["id"] == question["id"] else one for one in known]
    if not any(one["id"] == question["id"] for one in known):
        lines.append(dict(question))
    beside = path.with_name(path.name + ".new")
    beside.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")
    beside.replace(path)


def free_id(known: Iterable[Question], prefix: str) -> str:
    """An id that no question has yet, such as G007."""
    taken = {str(one["id"]) for one in known}
    number = 1
    while f"{prefix}{number:03}" in taken:
        number += 1
    return f"{prefix}{number:03}"
