"""Vectors of texts: many short texts as separate sequences of one batch.

The texts are sorted by length and packed until a batch is full. A batch of some five mail chunks keeps two cores busy;
larger ones are slower, because attention is laid out over the whole batch and masked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from retrieval.models.engine import LoadedModel, fill, ll
from retrieval.models.errors import ModelUnreadable

BATCH = 512
SEQUENCES = 64


class PooledEngine:
    """A model that reads a text whole and gives ``dimensions`` numbers for it. Longer ones are cut at `max_tokens`."""

    dimensions: int

    def __init__(self, path: Path, max_tokens: int, gpu_layers: int) -> None:
        self.loaded = LoadedModel(path, gpu_layers)
        self.max_tokens = min(max_tokens, self.loaded.trained_context)
        self._size = max(BATCH, self.max_tokens)
        parameters = ll.llama_context_default_params()
        parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = self._size
        parameters.n_seq_max = SEQUENCES
        parameters.kv_unified = True
        parameters.embeddings = True
        parameters.flash_attn_type = ll.LLAMA_FLASH_ATTN_TYPE_ENABLED  # twice as fast, the same vectors
        self._context = self.loaded.context(parameters)
        self._memory = ll.llama_get_memory(self._context)
        self._batch = ll.llama_batch_init(self._size, 0, 1)

    def count(self, text: str) -> int:
        """Tokens of a text, with the two that begin and end it."""
        return len(self.loaded.tokens(text, ends=True))

    def pooled(self, tokens: Sequence[list[int]], between: Callable[[], None]) -> np.ndarray:
        """What the model gives for each text of `tokens`, in their order, float32. `between` is called after each batch
        and may raise."""
        texts = [self._cut(one) for one in tokens]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for group in self._groups(texts):
            vectors[group] = self._run([texts[one] for one in group])
            between()
        return vectors

    def _groups(self, tokens: Sequence[Sequence[int]]) -> list[list[int]]:
        groups: list[list[int]] = []
        room = 0
        for one in sorted(range(len(tokens)), key=lambda n: len(tokens[n])):
            if not groups or len(tokens[one]) > room or len(groups[-1]) == SEQUENCES:
                groups.append([])
                room = self._size
            groups[-1].append(one)
            room -= len(tokens[one])
        return groups

    def _run(self, sequences: Sequence[Sequence[int]]) -> np.ndarray:
        if self._memory is not None:  # models that also write keep what they read
            ll.llama_memory_clear(self._memory, False)
        place = 0
        for number, tokens in enumerate(sequences):
            place = fill(self._batch, tokens, number, 0, at=place)
        for n in range(place):
            self._batch.logits[n] = 1
        result = ll.llama_decode(self._context, self._batch)
        if result != 0:
            raise RuntimeError(f"llama.cpp returned {result}: {'; '.join(self.loaded.errors)}")
        shape = (self.dimensions,)
        return np.stack(
            [
                np.ctypeslib.as_array(ll.llama_get_embeddings_seq(self._context, number), shape).copy()
                for number in range(len(sequences))
            ]
        )

    def _cut(self, tokens: list[int]) -> list[int]:
        """At most `max_tokens`, keeping the token that ends a text."""
        return tokens if len(tokens) <= self.max_tokens else [*tokens[: self.max_tokens - 1], tokens[-1]]

    def _pooling(self) -> int:
        return int(ll.llama_pooling_type(self._context))


class EmbedEngine(PooledEngine):
    """An embedding model."""

    def __init__(self, path: Path, max_tokens: int, gpu_layers: int) -> None:
        super().__init__(path, max_tokens, gpu_layers)
        if self._pooling() in (ll.LLAMA_POOLING_TYPE_NONE, ll.LLAMA_POOLING_TYPE_RANK):
            raise ModelUnreadable(f"{path} gives no vectors of whole texts. Choose an embedding model.")
        self.dimensions = int(ll.llama_model_n_embd(self.loaded.model))

    def embed(self, texts: Sequence[str], between: Callable[[], None]) -> np.ndarray:
        """Vectors of length 1 in the texts' order."""
        vectors = self.pooled([self.loaded.tokens(text, ends=True) for text in texts], between)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1.0)


class RerankEngine(PooledEngine):
    """A cross-encoder: it reads a question and a text together and gives one number, higher for a better fit."""

    def __init__(self, path: Path, max_tokens: int, gpu_layers: int) -> None:
        super().__init__(path, max_tokens, gpu_layers)
        if self._pooling() != ll.LLAMA_POOLING_TYPE_RANK:
            raise ModelUnreadable(f"{path} does not rank texts. Choose a cross-encoder, such as bge-reranker-v2-m3.")
        self.dimensions = 1

    def rank(self, question: str, texts: Sequence[str], between: Callable[[], None]) -> np.ndarray:
        """A score for each text, in their order, as a column."""
        first = self.loaded.tokens(question, ends=True)
        if self.loaded.metadata("tokenizer.ggml.model") != "bert":
            first = [*first, first[-1]]  # models of the RoBERTa kind part a pair by two marks
        return self.pooled([[*first, *self.loaded.tokens(text, ends=True)[1:]] for text in texts], between)
