"""An embedder as the rest of the program sees it: texts go in, vectors of length 1 come out.

`fingerprint` says which vectors may be compared: it changes with the weights, and an index made under another one is
stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from retrieval.models.address import Server, is_address
from retrieval.models.catalogue import Model, find_file
from retrieval.models.chat import CHARACTERS_PER_TOKEN, require_engine
from retrieval.models.errors import AddressRefused
from retrieval.models.process import IDLE_SECONDS, WorkerProcess
from retrieval.models.pull import sha256_of

MAX_TOKENS = 512
"""For a model the catalogue does not know; chunks are shorter."""
TEXTS_PER_REQUEST = 64

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """What every embedder can do. Objects may be used by several threads; a question goes before a mailbox."""

    name: str
    dimensions: int
    max_tokens: int
    fingerprint: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """An array (texts, dimensions), each row of length 1, in the texts' order. What a text has beyond `max_tokens`
        is cut off. Raises ModelError."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, with those that begin and end it; an estimate for an address."""
        ...

    def close(self) -> None:
        """Give back memory. The embedder may be used again, and starts again then."""
        ...


def open_embedder(
    choice: str | None,
    *,
    cache: Path,
    gpu_layers: int = 0,
    api_key: str | None = None,
    idle_seconds: float = IDLE_SECONDS,
) -> Embedder:
    """The embedder for a setting; the arguments are those of `chat.open_chat`, and so is what is raised."""
    if choice is not None and is_address(choice):
        return AddressEmbedder(Server(choice, api_key))
    entry, path = find_file(choice, "embed", cache)
    require_engine()
    return LocalEmbedder(entry, path, gpu_layers, idle_seconds)


class LocalEmbedder:
    """A GGUF file in a worker process."""

    def __init__(self, entry: Model | None, path: Path, gpu_layers: int, idle_seconds: float) -> None:
        self.name = entry.name if entry else path.stem
        self.max_tokens = (entry and entry.max_tokens) or MAX_TOKENS
        self.fingerprint = f"{self.name}:{sha256_of(path)[:16]}"
        options = {"role": "embed", "path": str(path), "max_tokens": self.max_tokens, "gpu_layers": gpu_layers}
        self._worker = WorkerProcess(options, idle_seconds=idle_seconds)
        if entry and entry.dimensions:
            self.dimensions = entry.dimensions
        else:  # only the file itself knows
            facts = self._worker.facts()
            self.dimensions, self.max_tokens = facts["dimensions"], facts["max_tokens"]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        reply = self._worker.ask({"do": "embed", "texts": list(texts)})
        return np.frombuffer(reply["raw"], dtype=np.float32).reshape(reply["done"]["shape"]).copy()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See Embedder."""
        return list(self._worker.ask({"do": "count", "texts": list(texts)})["done"]["counts"])

    def close(self) -> None:
        """See Embedder."""
        self._worker.close()


class AddressEmbedder:
    """An embedding model behind an OpenAI-compatible address. One text is embedded at once, to learn the dimensions."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.name, self.max_tokens = server.model, MAX_TOKENS
        probe = self._vectors(["dimensions"])
        self.dimensions = int(probe.shape[1])
        # The server does not tell which weights it runs; its vector of a fixed text does.
        self.fingerprint = f"{self.name}:{hashlib.sha256(np.round(probe, 2).tobytes()).hexdigest()[:16]}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder."""
        groups = [texts[start : start + TEXTS_PER_REQUEST] for start in range(0, len(texts), TEXTS_PER_REQUEST)]
        empty = np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate([empty, *(self._vectors(group) for group in groups)])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See Embedder; about a token for each three characters."""
        return [int(len(text) / CHARACTERS_PER_TOKEN) + 2 for text in texts]

    def close(self) -> None:
        """Nothing to give back."""

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        # The server cuts nothing off: most refuse what is too long.
        limit = int(self.max_tokens * CHARACTERS_PER_TOKEN)
        answer = self._server.post("/embeddings", {"model": self.name, "input": [text[:limit] for text in texts]})
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
            if vectors.ndim != 2 or len(vectors) != len(texts):
                raise ValueError(f"{len(vectors)} vectors for {len(texts)} texts")
        except (KeyError, TypeError, ValueError) as error:
            raise AddressRefused(
                f"The server gives no embeddings ({error}). Check the address and its model."
            ) from error
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
