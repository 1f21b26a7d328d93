"""The models that the settings name, opened when first needed, once a process.

A model that is not here yet is looked for again at every use, so that it comes alive without a restart.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ui.settings import Settings, is_address

if TYPE_CHECKING:
    from retrieval.judge import Judge
    from retrieval.models.chat import ChatModel
    from retrieval.models.embed import Embedder
    from retrieval.models.rerank import CrossEncoder
    from retrieval.rerank import Reranker

Model = TypeVar("Model")


class Models:
    """Opens models by the settings. For use by several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._guard = threading.Lock()
        self._chat: ChatModel | None = None
        self._embedder: Embedder | None = None
        self._judge: ChatModel | None = None
        self._cross_encoder: CrossEncoder | None = None

    @property
    def embed_name(self) -> str:
        """The name of the embedding model, which also names its vectors."""
        from retrieval.models import catalogue

        if self._embedder is not None:
            return self._embedder.name
        choice = self._settings.embed_model
        return catalogue.default("embed").name if choice is None else choice

    def chat(self) -> ChatModel:
        """The chat model. Raises a retrieval.models.errors.ModelError that says what is missing."""
        from retrieval.models.chat import open_chat

        with self._guard:
            if self._chat is None:
                self._chat = self._opened(open_chat, self._settings.chat_model)
            return self._chat

    def judge(self) -> Judge | None:
        """The judge of answers; None where none is set. Raises as :meth:`chat` where the one that is set cannot be
        used: a judge that is silently missing would look like one that agrees."""
        from retrieval.judge import Judge
        from retrieval.models.chat import open_chat

        choice = self._settings.judge_model
        if choice is None:
            return None
        with self._guard:
            if self._judge is None:
                self._judge = self._opened(open_chat, choice)
            return Judge(self._judge)

    def reranker(self, kind: str | None = None, stop: threading.Event | None = None) -> Reranker | None:
        """Who reranks, by ``kind`` or else by the settings; None where nobody does. A model that is missing is told by
        the step that needs it."""
        from retrieval.rerank import ByChat, ByCrossEncoder

        kind = kind or self._settings.rerank
        if kind == "chat":
            return ByChat(self.chat_or_none(), stop)
        return ByCrossEncoder(self._open_cross_encoder) if kind else None

    def _open_cross_encoder(self) -> CrossEncoder:
        from retrieval.models.rerank import open_cross_encoder

        choice = self._settings.rerank_model
        with self._guard:
            if self._cross_encoder is None:
                self._cross_encoder = self._opened(open_cross_encoder, choice)
            return self._cross_encoder

    def embedder(self) -> Embedder:
        """The embedding model. Raises as :meth:`chat`."""
        from retrieval.models.embed import open_embedder

        with self._guard:
            if self._embedder is None:
                self._embedder = self._opened(open_embedder, self._settings.embed_model)
            return self._embedder

    def chat_or_none(self) -> ChatModel | None:
        """The chat model, or None where it cannot be used; then only generated text is missing."""
        from retrieval.models.errors import ModelError

        try:
            return self.chat()
        except ModelError:
            return None

    def embedder_or_none(self) -> Embedder | None:
        """The embedding model, or None; then columns that need it say so."""
        from retrieval.models.errors import ModelError

        try:
            return self.embedder()
        except ModelError:
            return None

    def close(self) -> None:
        """Ends the worker processes."""
        with self._guard:
            for model in (self._chat, self._embedder, self._judge, self._cross_encoder):
                if model is not None:
                    model.close()

    def _opened(self, opener: Callable[..., Model], choice: str | None) -> Model:
        """The model that ``choice`` names. The key is sent to a configured address alone."""
        key = self._settings.api_key if choice is not None and is_address(choice) else None
        return opener(choice, cache=self._settings.models, gpu_layers=self._settings.gpu_layers, api_key=key)
