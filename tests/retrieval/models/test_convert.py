"""The published weights become the file that the cache holds, byte for byte, and it gives the published vectors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from retrieval.models.convert import minilm_to_gguf

WIDTH, FORWARD, WORDS = 8, 16, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "##s", "the"]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A BERT of one block with invented weights, as a publisher lays it out."""
    random = np.random.default_rng(7)
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (16, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
        "pooler.dense.weight": (WIDTH, WIDTH),
    }
    block = "encoder.layer.0."
    for part, rows, columns in (
        ("attention.self.query", WIDTH, WIDTH),
        ("attention.self.key", WIDTH, WIDTH),
        ("attention.self.value", WIDTH, WIDTH),
        ("attention.output.dense", WIDTH, WIDTH),
        ("intermediate.dense", FORWARD, WIDTH),
        ("output.dense", WIDTH, FORWARD),
    ):
        shapes[f"{block}{part}.weight"], shapes[f"{block}{part}.bias"] = (rows, columns), (rows,)
    for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
        shapes[f"{block}{norm}.weight"] = shapes[f"{block}{norm}.bias"] = (WIDTH,)
    tensors = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    save_file(tensors, tmp_path / "model.safetensors")
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    config = {
        "num_hidden_layers": 1,
        "max_position_embeddings": 16,
        "hidden_size": WIDTH,
        "intermediate_size": FORWARD,
        "num_attention_heads": 2,
        "layer_norm_eps": 1e-12,
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    return tmp_path


def test_the_same_input_gives_the_same_bytes(published: Path) -> None:
    minilm_to_gguf(published, published / "one.gguf")
    minilm_to_gguf(published, published / "two.gguf")
    assert (published / "one.gguf").read_bytes() == (published / "two.gguf").read_bytes()


def test_words_types_and_precisions_are_those_llama_cpp_expects(published: Path) -> None:
    import gguf

    minilm_to_gguf(published, published / "one.gguf")
    reader = gguf.GGUFReader(published / "one.gguf")
    assert reader.fields["tokenizer.ggml.tokens"].contents() == [*WORDS[:5], "▁cat", "s", "▁the"]
    assert reader.fields["tokenizer.ggml.token_type"].contents() == [3, 3, 3, 3, 3, 1, 1, 1]
    types = {tensor.name: tensor.tensor_type.name for tensor in reader.tensors}
    assert types["token_embd.weight"] == types["blk.0.ffn_up.weight"] == types["blk.0.attn_q.weight"] == "F16"
    assert types["position_embd.weight"] == types["blk.0.attn_q.bias"] == types["token_embd_norm.weight"] == "F32"
    assert len(types) == 5 + 16, "the pooler is left out, everything else is there"


def test_a_tensor_that_no_bert_has_is_named(published: Path) -> None:
    from safetensors.numpy import load_file

    tensors = load_file(published / "model.safetensors")
    save_file({**tensors, "surprise.weight": np.zeros(3, np.float32)}, published / "model.safetensors")
    with pytest.raises(KeyError, match=r"surprise\.weight"):
        minilm_to_gguf(published, published / "one.gguf")
