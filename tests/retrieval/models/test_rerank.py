"""Cross-encoders, run by the engine that runs them for people.

No published one can be had from a package index, so the file is made here: the real embedding model with a head on it
that gives one number. Its scores mean nothing; that they are read, one for each text, is what is tested.
"""

from __future__ import annotations

import http.server
import json
from collections.abc import Iterator
from pathlib import Path

import gguf
import numpy as np
import pytest

from retrieval.models.errors import AddressRefused, ModelMissing, ModelUnreadable, UnknownModel
from retrieval.models.rerank import open_cross_encoder
from tests.retrieval.models.listening import listening

TEXTS = ["The crane costs 840 a day.", "Lunch is at noon.", "word " * 3000, ""]


def ranker(model_cache: Path, folder: Path) -> Path:
    """A copy of the embedding model that ranks: other pooling, and a classifier on top."""
    source = gguf.GGUFReader(model_cache / "all-minilm-l6-v2-f16.gguf")
    target = folder / "ranker.gguf"
    writer = gguf.GGUFWriter(target, "bert")
    for field in source.fields.values():
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", "bert.pooling_type"):
            continue
        kind = field.types[0]
        writer.add_key_value(field.name, field.contents(), kind, field.types[-1] if len(field.types) > 1 else None)
    writer.add_pooling_type(gguf.PoolingType.RANK)
    for tensor in source.tensors:
        writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    size = 384
    random = np.random.default_rng(7)
    writer.add_tensor("cls.weight", np.eye(size, dtype=np.float32))
    writer.add_tensor("cls.bias", np.zeros(size, dtype=np.float32))
    writer.add_tensor("cls.output.weight", random.standard_normal((1, size)).astype(np.float32))
    writer.add_tensor("cls.output.bias", np.zeros(1, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target


def test_each_text_gets_a_number_that_depends_on_the_question(model_cache: Path, tmp_path: Path) -> None:
    model = open_cross_encoder(str(ranker(model_cache, tmp_path)), cache=tmp_path)
    try:
        first = model.scores("What does the crane cost?", TEXTS)
        again = model.scores("What does the crane cost?", TEXTS)
        other = model.scores("When is lunch?", TEXTS)
        assert model.scores("Nothing to rank", []) == []
    finally:
        model.close()
    assert len(first) == len(TEXTS) and np.isfinite(first).all()
    assert first == pytest.approx(again, abs=1e-3)
    assert not np.allclose(first, other, atol=1e-3)
    assert len(set(first)) == len(TEXTS)


def test_an_embedding_model_is_no_cross_encoder(model_cache: Path) -> None:
    model = open_cross_encoder(str(model_cache / "all-minilm-l6-v2-f16.gguf"), cache=model_cache)
    with pytest.raises(ModelUnreadable, match="cross-encoder"):
        model.scores("question", ["text"])
    model.close()


def test_a_missing_one_and_one_of_another_role_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="bge-reranker-v2-m3"):
        open_cross_encoder(None, cache=tmp_path)
    with pytest.raises(UnknownModel, match="For rerank there are"):
        open_cross_encoder("all-minilm-l6-v2", cache=tmp_path)


class Server(http.server.BaseHTTPRequestHandler):
    """An address that ranks the other way round, or says something else."""

    results: object = None

    def do_GET(self) -> None:
        self._say({"data": [{"id": "ranks"}]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        n = len(asked["documents"])
        ranked = [{"index": i, "relevance_score": float(i)} for i in range(n)][::-1]
        self._say({"results": ranked if Server.results is None else Server.results})

    def _say(self, body: object) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    with listening(Server) as running:
        yield running


def test_an_address_gives_scores_in_the_texts_order(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = open_cross_encoder(address, cache=tmp_path)
    assert model.name == "ranks"
    assert model.scores("question", ["a", "b", "c"]) == [0.0, 1.0, 2.0]
    monkeypatch.setattr(Server, "results", [{"index": 0}])
    with pytest.raises(AddressRefused, match="cross-encoder"):
        model.scores("question", ["a"])
