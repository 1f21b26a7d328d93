"""What is missing for judging and reranking is said with its remedy, where it is switched on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ui.doctor import Finding, _models
from ui.errors import SettingsError
from ui.settings import Settings, read_settings, wanted_models


@pytest.fixture
def settings(tmp_path: Path, model_cache: Path) -> Settings:
    return Settings(home=tmp_path, model_cache=model_cache, chat_model="qwen2.5-coder-0.5b")


def line(settings: Settings, what: str) -> Finding | None:
    return next((finding for finding in _models(settings) if finding.what == what), None)


def test_nothing_is_said_of_a_judge_or_reranker_that_nobody_wants(settings: Settings) -> None:
    assert line(settings, "Model for judging") is None
    assert line(settings, "Model for rerank") is None


def test_a_judge_that_is_missing_says_how_to_get_it(settings: Settings) -> None:
    found = line(replace(settings, judge_model="smollm2-135m", model_cache=settings.home), "Model for judging")
    assert found is not None and found.state == "missing"
    assert "not judged" in found.words and found.remedy == "mailweave models pull smollm2-135m"
    unknown = line(replace(settings, judge_model="oracle"), "Model for judging")
    assert unknown is not None and unknown.state == "missing" and "oracle" in unknown.words


def test_a_judge_of_its_own_words_is_doubted(settings: Settings) -> None:
    same = line(replace(settings, judge_model="qwen2.5-coder-0.5b"), "Model for judging")
    assert same is not None and same.state == "ok" and "itself" in same.words
    elsewhere = line(replace(settings, judge_model="http://127.0.0.1:9/v1#llama3"), "Model for judging")
    assert elsewhere is not None and elsewhere.words == "asked at http://127.0.0.1:9/v1#llama3"


def test_the_cross_encoder_that_is_wanted_is_looked_for_and_pulled(settings: Settings) -> None:
    wanted = replace(settings, rerank="cross-encoder", model_cache=settings.home)
    found = line(wanted, "Model for rerank")
    assert found is not None and found.state == "missing" and "bge-reranker-v2-m3" in found.words
    assert "bge-reranker-v2-m3" in wanted_models(wanted)
    assert line(replace(wanted, rerank="chat"), "Model for rerank") is None


def test_who_reranks_is_one_of_two(tmp_path: Path) -> None:
    here = {"MAILWEAVE_HOME": str(tmp_path)}
    assert read_settings({}, environment={**here, "MAILWEAVE_RERANK": "chat"}, directory=tmp_path).rerank == "chat"
    with pytest.raises(SettingsError, match="cross-encoder or chat"):
        read_settings({}, environment={**here, "MAILWEAVE_RERANK": "everybody"}, directory=tmp_path)
