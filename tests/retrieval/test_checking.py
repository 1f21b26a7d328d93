"""Checks of a written answer are told in its column. Answers and verdicts are prepared texts, the embedder is real."""

from __future__ import annotations

import json
from pathlib import Path

from retrieval.ask import ask
from retrieval.judge import Judge
from retrieval.models.catalogue import model
from retrieval.models.embed import Embedder, LocalEmbedder
from retrieval.result import ColumnResult
from retrieval.writing import write_answer
from sql.store import Store
from tests.retrieval.scripted import Scripted

QUESTION = "Which invoice was paid today?"
PARAPHRASE = "The office need not pay anything more, since the bill for the metal is settled [1]."


def found_by_words(office: Store) -> ColumnResult:
    return ask(office, QUESTION, ["lexical"], planner="rules", answer=False).columns[0]


def test_a_sentence_in_other_words_is_supported_where_an_embedder_is_open(office: Store, embedder: Embedder) -> None:
    """The message: Your invoice for the steel was paid today."""
    found = found_by_words(office)
    assert found.found[0].new_text.startswith("Your invoice for the steel was paid")
    by_words = write_answer(found, QUESTION, None, Scripted(PARAPHRASE))
    by_meaning = write_answer(found, QUESTION, None, Scripted(PARAPHRASE), embedder=embedder)
    assert [s.support for s in by_words.sentences] == ["unsupported"]
    assert [s.support for s in by_meaning.sentences] == ["supported"]
    assert by_meaning.trace[-1].output == "0 sentences stand in what they cite by their words, 1 more by their meaning"


def test_an_embedder_that_fails_is_told_and_the_answer_stands(office: Store, tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"no model")
    found = found_by_words(office)
    broken = LocalEmbedder(model("all-minilm-l6-v2"), tmp_path / "broken.gguf", 0, 60.0)
    column = write_answer(found, QUESTION, None, Scripted(PARAPHRASE), embedder=broken)
    assert column.outcome == "answered"
    assert column.answer == PARAPHRASE
    assert [error.kind for error in column.errors] == ["ModelUnreadable"]


def test_the_verdicts_of_a_judge_stand_beside_the_sentences_and_in_the_trace(office: Store) -> None:
    verdicts = (json.dumps({"words": "", "verdict": verdict}) for verdict in ("yes", "no"))
    answer = Scripted("The invoice for the steel was paid today [1]. It was late [1].")
    column = write_answer(found_by_words(office), QUESTION, None, answer, judge=Judge(Scripted(*verdicts)))
    assert [s.judged for s in column.sentences] == [True, False]
    assert column.to_json()["judged_unsupported"] == [" It was late [1]."]
    assert column.trace[-1].output == "1 of 2 sentences stand in what they cite"
    assert column.timing_ms["judge"] == column.trace[-1].milliseconds


def test_a_judge_without_a_verdict_is_told_and_the_answer_stands(office: Store) -> None:
    column = write_answer(found_by_words(office), QUESTION, None, Scripted(PARAPHRASE), judge=Judge(Scripted("Well.")))
    assert (column.outcome, column.answer) == ("answered", PARAPHRASE)
    assert [error.kind for error in column.errors] == ["NoVerdict"]
