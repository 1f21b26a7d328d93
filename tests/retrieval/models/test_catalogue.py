from pathlib import Path

import pytest

from retrieval.models import catalogue
from retrieval.models.errors import ModelMissing, UnknownModel


def test_every_model_is_checked_or_says_that_it_is_not() -> None:
    for model in catalogue.models():
        known = all(one.sha256 and len(one.sha256) == 64 and one.bytes for one in model.wanted)
        assert known == (model.checked != "never"), model.name
        assert model.hub or model.packages, f"{model.name} comes from nowhere"
        assert model.licence and model.languages and model.note
        if model.role == "embed":
            assert model.dimensions and model.max_tokens


def test_chat_and_embed_have_one_default_each() -> None:
    defaults = [(model.role, model.name) for model in catalogue.models() if model.default]
    assert defaults == [("chat", "qwen2.5-coder-1.5b"), ("embed", "all-minilm-l6-v2")]


def test_a_name_that_is_not_there_is_refused_with_the_names_that_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match=r"all-minilm-l6-v2.*mailweave models list"):
        catalogue.find_file("no-such-model", "embed", tmp_path)


def test_a_model_that_was_not_pulled_is_missing_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"mailweave models pull all-minilm-l6-v2"):
        catalogue.find_file(None, "embed", tmp_path)


def test_half_a_file_in_the_cache_is_missing(tmp_path: Path) -> None:
    (tmp_path / catalogue.model("qwen2.5-coder-0.5b").file).write_bytes(b"GGUF")
    with pytest.raises(ModelMissing):
        catalogue.find_file("qwen2.5-coder-0.5b", "chat", tmp_path)


def test_a_model_for_another_role_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match="for chat, not for embed"):
        catalogue.find_file("qwen2.5-coder-0.5b", "embed", tmp_path)


def test_a_path_wins_over_the_catalogue_and_needs_no_entry(tmp_path: Path) -> None:
    own = tmp_path / "own-model.gguf"
    own.write_bytes(b"GGUF")
    assert catalogue.find_file(str(own), "chat", tmp_path / "cache") == (None, own)


def test_a_path_where_nothing_is_names_the_path(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match="nothing-here"):
        catalogue.find_file(str(tmp_path / "nothing-here.gguf"), "chat", tmp_path)
