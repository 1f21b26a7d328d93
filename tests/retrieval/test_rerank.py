"""The first forty are put in order once more; what cannot be run leaves the ranks and is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.columns.base import Tools
from retrieval.columns.hybrid import Hybrid
from retrieval.models.chat import open_chat
from retrieval.models.errors import ModelMissing
from retrieval.models.rerank import CrossEncoder, open_cross_encoder
from retrieval.rerank import ByChat, ByCrossEncoder
from retrieval.types import Question, Retrieved
from tests.retrieval.models.test_rerank import ranker
from tests.retrieval.scripted import Scripted

ASKED = Question("At which price a tonne did Otto offer the steel?")


def run(tools: Tools) -> Retrieved:
    """All that are ranked, so that none is left out by its place."""
    return Hybrid(tools).retrieve(ASKED, 40)


def ids(result: Retrieved) -> list[int]:
    return [hit.message for hit in result.hits]


def test_grades_of_the_chat_model_put_messages_first_and_equal_ones_keep_their_order(tools: Tools) -> None:
    before = run(tools)
    wanted = before.hits[4].message
    words = ["no"] * 4 + ["yes"] + ["partly"] + ["no"] * 40
    after = run(replace(tools, reranker=ByChat(Scripted(*words))))
    assert ids(after)[0] == wanted
    assert ids(after)[1] == before.hits[5].message
    assert ids(after)[2:6] == ids(before)[:4]
    step = next(s for s in after.trace if s.name == "rerank")
    assert "chat model scripted" in step.output
    assert "5→1" in step.output
    assert after.hits[0].found_by[-1].step == "rerank"
    assert not after.errors


def test_a_cross_encoder_that_is_not_here_is_an_error_of_its_step_and_the_ranks_stay(
    tools: Tools, tmp_path: Path
) -> None:
    missing = ByCrossEncoder(lambda: open_cross_encoder(None, cache=tmp_path))
    after = run(replace(tools, reranker=missing))
    assert ids(after) == ids(run(tools))
    assert [error.kind for error in after.errors] == [ModelMissing.__name__]
    step = next(s for s in after.trace if s.name == "rerank")
    assert step.output.startswith("not run, the ranks stay")


def test_without_a_chat_model_it_says_so(tools: Tools) -> None:
    after = run(replace(tools, reranker=ByChat(None)))
    assert [error.kind for error in after.errors] == ["ColumnUnavailable"]
    assert after.hits


@pytest.fixture
def cross_encoder(model_cache: Path, tmp_path: Path) -> Iterator[CrossEncoder]:
    opened = open_cross_encoder(str(ranker(model_cache, tmp_path)), cache=tmp_path)
    yield opened
    opened.close()


def test_a_cross_encoder_orders_by_its_scores(tools: Tools, cross_encoder: CrossEncoder) -> None:
    after = run(replace(tools, reranker=ByCrossEncoder(lambda: cross_encoder)))
    assert not after.errors
    assert set(ids(after)) == set(ids(run(tools)))
    scores = [hit.score for hit in after.hits]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) > 1
    assert "cross-encoder ranker" in next(s for s in after.trace if s.name == "rerank").output


def test_mail_that_asks_to_be_first_is_fenced(tools: Tools) -> None:
    chat = Scripted(*["no"] * 60)
    run(replace(tools, reranker=ByChat(chat)))
    for told in chat.told:
        mark = told.split("<")[1].split(">")[0]
        assert told.count(f"</{mark}>") == 1


def test_a_real_chat_model_says_one_of_three_words(model_cache: Path) -> None:
    chat = open_chat("qwen2.5-coder-0.5b", cache=model_cache)
    try:
        scores = ByChat(chat).scores("What does the crane cost?", ["The crane costs 840 a day.", "Lunch is at noon."])
    finally:
        chat.close()
    assert set(scores) <= {0.0, 1.0, 2.0}
