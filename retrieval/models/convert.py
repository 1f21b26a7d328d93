"""all-MiniLM-L6-v2 as published (safetensors and a word list) becomes one GGUF file that llama.cpp runs.

The publisher offers the weights only in the first form. Writing the file here, rather than fetching somebody's
conversion, keeps the proof of origin: the bytes read are those whose sha256 the catalogue names. The same input gives
the same bytes: nothing of the date, the machine or the path enters the file.
"""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import load_file

TENSORS_LEFT_OUT = ("embeddings.position_ids", "pooler.")
"""A counter that llama.cpp does not need, and the head of the training task, which sentence vectors do not use."""


def minilm_to_gguf(source: Path, target: Path) -> None:
    """Write `target` (GGUF, architecture `bert`) from `source/model.safetensors`, `vocab.txt` and `config.json`.

    Matrices become half precision, as llama.cpp's own converter does; norms, biases and the small position and type
    tables stay in single precision. Raises OSError, or KeyError for a tensor that a BERT model does not have.
    """
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    blocks = int(config["num_hidden_layers"])
    writer = gguf.GGUFWriter(target, "bert")
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_license("apache-2.0")
    writer.add_context_length(int(config["max_position_embeddings"]))
    writer.add_embedding_length(int(config["hidden_size"]))
    writer.add_block_count(blocks)
    writer.add_feed_forward_length(int(config["intermediate_size"]))
    writer.add_head_count(int(config["num_attention_heads"]))
    writer.add_layer_norm_eps(float(config["layer_norm_eps"]))
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    _add_words(writer, (source / "vocab.txt").read_text(encoding="utf-8").splitlines())
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, blocks)
    for name, values in sorted(load_file(source / "model.safetensors").items()):
        if name.startswith(TENSORS_LEFT_OUT):
            continue
        new_name = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if new_name is None:
            raise KeyError(f"{name} is not a tensor of a BERT model")
        half = values.ndim == 2 and not name.startswith(
            ("embeddings.position_embeddings", "embeddings.token_type_embeddings")
        )
        writer.add_tensor(new_name, values.astype(np.float16 if half else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_words(writer: gguf.GGUFWriter, words: list[str]) -> None:
    """Add the WordPiece list in llama.cpp's spelling: `▁word` begins a word, a bare `piece` goes on with one."""
    kinds = [gguf.TokenType.CONTROL if _is_bracketed(word) else gguf.TokenType.NORMAL for word in words]
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_type_count(2)
    writer.add_token_list([_spelled(word) for word in words])
    writer.add_token_types(kinds)
    place = {word: number for number, word in enumerate(words)}
    writer.add_bos_token_id(place["[CLS]"])
    writer.add_eos_token_id(place["[SEP]"])
    writer.add_unk_token_id(place["[UNK]"])
    writer.add_sep_token_id(place["[SEP]"])
    writer.add_pad_token_id(place["[PAD]"])
    writer.add_mask_token_id(place["[MASK]"])


def _is_bracketed(word: str) -> bool:
    return len(word) > 2 and word.startswith("[") and word.endswith("]")


def _spelled(word: str) -> str:
    if _is_bracketed(word):
        return word
    return word[2:] if word.startswith("##") and len(word) > 2 else "\u2581" + word
