"""Question files grow without losing a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.errors import QuestionFileError
from retrieval.evaluation.writing import append, free_id, read_lines, replace

ONE = {"id": "G001", "kind": "lookup", "question": "Which boat?", "notes": "kept"}


def test_questions_are_added_and_replaced_with_all_their_fields(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    assert read_lines(path) == []
    append(path, [ONE, ONE | {"id": "G002"}])
    replace(path, ONE | {"question": "Which ferry?"})
    replace(path, ONE | {"id": "L001"})
    assert [(one["id"], one["question"], one["notes"]) for one in read_lines(path)] == [
        ("G001", "Which ferry?", "kept"), ("G002", "Which boat?", "kept"), ("L001", "Which boat?", "kept")
    ]  # fmt: skip


def test_a_free_id_fills_gaps_and_never_repeats() -> None:
    assert free_id([], "G") == "G001"
    assert free_id([{"id": "G001"}, {"id": "G003"}], "G") == "G002"


def test_a_file_that_is_no_question_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    with pytest.raises(QuestionFileError, match="line 1"):
        read_lines(path)
    assert path.read_text() == "dear diary\n"
