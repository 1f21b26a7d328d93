"""The real embedder."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retrieval.models.embed import Embedder, open_embedder

TEXT = "The delivery to the northern depot moves to Thursday because the bridge stays closed until noon. "


@pytest.fixture(scope="module")
def embedder(model_cache: Path) -> Iterator[Embedder]:
    opened = open_embedder(None, cache=model_cache)
    yield opened
    opened.close()


def test_vectors_are_those_of_the_published_model(embedder: Embedder) -> None:
    vectors = embedder.embed(["The cat sits outside", "The feline is outdoors", "Quarterly revenue beat the forecast"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, embedder.dimensions) == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    near, far = float(vectors[0] @ vectors[1]), float(vectors[0] @ vectors[2])
    assert near == pytest.approx(0.555, abs=0.02)
    assert abs(far) < 0.15


def test_a_text_has_one_vector_whatever_it_is_batched_with(embedder: Embedder) -> None:
    texts = [TEXT * (1 + n % 4) + str(n) for n in range(70)]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts[:8]])
    assert np.sum(together[:8] * alone, axis=1) == pytest.approx(1.0, abs=1e-3)


def test_too_long_a_text_is_cut_at_the_models_limit(embedder: Embedder) -> None:
    long = TEXT * 100
    assert embedder.count_tokens([long])[0] > embedder.max_tokens == 256
    same_beginning = embedder.embed([long, long + "An ending nobody reads."])
    assert same_beginning[0] @ same_beginning[1] == pytest.approx(1.0, abs=1e-4)


def test_no_text_and_an_empty_text_are_no_errors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert np.isfinite(embedder.embed(["", " \n", "\x00"])).all()


def test_bracketed_words_of_a_mail_are_letters_not_control_tokens(embedder: Embedder) -> None:
    plain, marked = embedder.count_tokens(["a b", "a [SEP] b"])
    assert marked - plain >= 3


def test_the_fingerprint_is_that_of_the_weights(embedder: Embedder, model_cache: Path) -> None:
    again = open_embedder("all-minilm-l6-v2", cache=model_cache)
    assert again.fingerprint == embedder.fingerprint
    assert again.fingerprint.startswith("all-minilm-l6-v2:")


def test_a_question_goes_before_a_mailbox_that_is_being_embedded(embedder: Embedder) -> None:
    embedder.embed(["warm"])
    texts = [TEXT * 3 + str(n) for n in range(400)]
    took: list[float] = []

    def whole() -> None:
        began = time.perf_counter()
        embedder.embed(texts)
        took.append(time.perf_counter() - began)

    thread = threading.Thread(target=whole)
    thread.start()
    time.sleep(0.2)
    began = time.perf_counter()
    embedder.embed(["When does the delivery come?"])
    question = time.perf_counter() - began
    thread.join()
    assert question < took[0] / 4
