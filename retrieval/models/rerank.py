"""A cross-encoder as the rest of the program sees it: a question and texts go in, a score for each text comes out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from retrieval.models.address import Server, is_address
from retrieval.models.catalogue import find_file
from retrieval.models.chat import require_engine
from retrieval.models.errors import AddressRefused
from retrieval.models.process import IDLE_SECONDS, WorkerProcess

DEFAULT = "bge-reranker-v2-m3"
MAX_TOKENS = 512


class CrossEncoder(Protocol):
    """What every cross-encoder can do. Objects may be used by several threads."""

    name: str

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in their order; higher fits better. What a text has beyond the model's limit is cut
        off. Raises ModelError."""
        ...

    def close(self) -> None:
        """Give back memory. It may be used again, and starts again then."""
        ...


def open_cross_encoder(
    choice: str | None,
    *,
    cache: Path,
    gpu_layers: int = 0,
    api_key: str | None = None,
    idle_seconds: float = IDLE_SECONDS,
) -> CrossEncoder:
    """The cross-encoder for a setting; the arguments are those of `chat.open_chat`, and so is what is raised. None is
    ``DEFAULT``."""
    if choice is not None and is_address(choice):
        return AddressCrossEncoder(Server(choice, api_key))
    entry, path = find_file(choice or DEFAULT, "rerank", cache)
    require_engine()
    return LocalCrossEncoder(entry.name if entry else path.stem, path, gpu_layers, idle_seconds)


class LocalCrossEncoder:
    """A GGUF file in a worker process."""

    def __init__(self, name: str, path: Path, gpu_layers: int, idle_seconds: float) -> None:
        self.name = name
        options = {"role": "rerank", "path": str(path), "max_tokens": MAX_TOKENS, "gpu_layers": gpu_layers}
        self._worker = WorkerProcess(options, idle_seconds=idle_seconds)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See CrossEncoder."""
        if not texts:
            return []
        reply = self._worker.ask({"do": "rank", "question": question, "texts": list(texts)})
        return [float(score) for score in np.frombuffer(reply["raw"], dtype=np.float32)]

    def close(self) -> None:
        """See CrossEncoder."""
        self._worker.close()


class AddressCrossEncoder:
    """A model behind an address that answers ``/rerank`` as llama-server, vLLM and Infinity do."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.name = server.model

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See CrossEncoder."""
        if not texts:
            return []
        answer = self._server.post("/rerank", {"model": self.name, "query": question, "documents": list(texts)})
        try:
            found = {int(one["index"]): float(one["relevance_score"]) for one in answer["results"]}
            return [found[n] for n in range(len(texts))]
        except (KeyError, TypeError, ValueError) as error:
            raise AddressRefused(
                f"The server at {self._server.address} ranked nothing ({error!r}). Choose one with a cross-encoder."
            ) from error

    def close(self) -> None:
        """Nothing to give back."""
