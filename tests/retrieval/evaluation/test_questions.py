"""Question files are read whole or refused with the line that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.errors import QuestionFileError
from retrieval.evaluation.questions import read_questions, read_trec
from tests.shared import shared_data

GOOD = {
    "id": "Q1",
    "kind": "lookup",
    "question": "Which day?",
    "gold_message_ids": [["<a@x.example>"]],
    "as_of": "2024-03-01",
}


def test_a_question_keeps_groups_and_its_own_date(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(GOOD) + "\n\n")
    (question,) = read_questions(path)
    assert question.groups == (("<a@x.example>",),)
    assert question.as_of is not None and question.as_of.isoformat() == "2024-03-01"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([json.dumps(GOOD), "{broken"], "line 2: no JSON object"),
        (
            [json.dumps({**GOOD, "kind": None} | {"id": 1}), json.dumps({"id": "Q2"})],
            "line 2: the field 'kind' is missing",
        ),
        ([json.dumps({**GOOD, "value_type": "list"})], "line 1: value_type is 'list'"),
        ([json.dumps(GOOD), json.dumps(GOOD)], "the id Q1 stands twice"),
        ([json.dumps({**GOOD, "as_of": "soon"})], "line 1"),
        (["[1]"], "line 1"),
        ([""], "holds no question"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, lines: list[str], says: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(QuestionFileError) as caught:
        read_questions(path)
    assert says in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuestionFileError, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")


def test_trec_queries_with_no_relevant_document_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("1\tfirst\n2\tsecond\n")
    (tmp_path / "qrels").write_text("1 0 d1 2\n1 0 d2 0\n2 0 d3 0\n")
    (question,) = read_trec(tmp_path / "q.tsv", tmp_path / "qrels")
    assert (question.id, question.groups, question.grades) == ("1", (("d1",),), (2,))


def test_the_labelled_sets_are_read() -> None:
    assert len(read_questions(shared_data("questions", "kitchen-l.jsonl"))) == 64
    sara = shared_data("sara")
    assert len(read_trec(sara / "queries.tsv", sara / "qrels.txt")) > 60
