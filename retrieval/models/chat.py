"""A chat model as the rest of the program sees it: messages go in, text streams out.

Two kinds stand behind it: a GGUF file run by this machine's worker process, and an OpenAI-compatible address. Both
answer at temperature 0.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from retrieval.models.address import Server, is_address
from retrieval.models.catalogue import find_file
from retrieval.models.errors import AddressRefused, ModelCancelled, ModelEngineMissing
from retrieval.models.process import IDLE_SECONDS, WorkerProcess

CONTEXT_TOKENS = 4096
CHARACTERS_PER_TOKEN = 3.0
"""For an address, whose tokens cannot be counted; rather too many tokens than too few."""


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Usage:
    """What a completion cost: tokens of the prompt, how many of them were still known from earlier, seconds of reading
    the rest and of writing, pieces of text written (about one a token)."""

    prompt_tokens: int
    cached_tokens: int
    reading_seconds: float
    writing_seconds: float
    pieces: int


class ChatModel(Protocol):
    """What every chat model can do. Objects may be used by several threads; requests queue up."""

    name: str
    usage: Usage | None
    """Of the last completion that ended; None before that, or where the address does not tell."""

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and answer may have together; the model's own limit once it is loaded."""
        ...

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
        grammar: str | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[str]:
        """Yield the answer in pieces as it is written; with `schema` the whole is JSON of that schema (cut short where
        `max_tokens` ends it); with `grammar` (GBNF, its root named root) the whole is a sentence of it, where the model
        runs here: the addresses' protocol has none, so what they write has to be checked anyhow. Keep the system
        message the same from one question to the next: what is alike at the beginning is read once.

        Raises a ModelError at the first or any later piece: ModelCancelled as soon as `stop` is set, PromptTooLong,
        BadSchema, ModelCrashed, ModelTimeout, AddressUnreachable, AddressRefused.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of the text as it would stand in a prompt; an estimate for an address."""
        ...

    def reading_speed(self) -> float | None:
        """Tokens of a prompt read in a second, measured on this machine; None where nothing was measured yet."""
        ...

    def close(self) -> None:
        """Give back memory. The model may be used again, and starts again then."""
        ...


def open_chat(
    choice: str | None,
    *,
    cache: Path,
    gpu_layers: int = 0,
    context_tokens: int = CONTEXT_TOKENS,
    api_key: str | None = None,
    idle_seconds: float = IDLE_SECONDS,
) -> ChatModel:
    """The chat model for a setting: a name of the catalogue, a path of a GGUF file, an address (`http://host:port/v1`,
    with `#model` where the server has several), or None for the default.

    `cache` is the directory of pulled models. `context_tokens` bounds prompt and answer together. `gpu_layers` -1 is
    all. A local model takes no memory before it is used and gives it back after `idle_seconds` without a request.
    Raises UnknownModel, ModelMissing, ModelEngineMissing, AddressUnreachable or AddressRefused.
    """
    if choice is not None and is_address(choice):
        return AddressChat(Server(choice, api_key), context_tokens)
    entry, path = find_file(choice, "chat", cache)
    require_engine()
    return LocalChat(entry.name if entry else path.stem, path, context_tokens, gpu_layers, idle_seconds)


def require_engine() -> None:
    """Raise ModelEngineMissing where llama-cpp-python is not installed; it may have been since the last look."""
    importlib.invalidate_caches()
    if importlib.util.find_spec("llama_cpp") is None:
        raise ModelEngineMissing


class LocalChat:
    """A GGUF file in a worker process."""

    def __init__(self, name: str, path: Path, context_tokens: int, gpu_layers: int, idle_seconds: float) -> None:
        self.name, self._context_tokens = name, context_tokens
        self.usage: Usage | None = None
        self._speed: float | None = None
        self._worker = WorkerProcess(
            {"role": "chat", "path": str(path), "context_tokens": context_tokens, "gpu_layers": gpu_layers},
            idle_seconds=idle_seconds,
        )

    @property
    def context_tokens(self) -> int:
        """See ChatModel."""
        return self._worker.known_facts.get("context_tokens", self._context_tokens)

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
        grammar: str | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[str]:
        """See ChatModel."""
        request = {
            "do": "complete",
            "messages": [{"role": one.role, "content": one.content} for one in messages],
            "max_tokens": max_tokens,
            "schema": schema,
            "grammar": grammar,
        }
        for reply in self._worker.stream(request, stop):
            if "text" in reply:
                yield reply["text"]
            else:
                done = reply["done"]
                self._speed = done.pop("reading_speed")
                self.usage = Usage(**done)

    def count_tokens(self, text: str) -> int:
        """See ChatModel."""
        return int(self._worker.ask({"do": "count", "texts": [text]})["done"]["counts"][0])

    def reading_speed(self) -> float:
        """See ChatModel. The first call starts the model and reads 128 tokens to find out."""
        if self._speed is None:
            self._speed = float(self._worker.ask({"do": "speed"})["done"]["reading_speed"])
        return self._speed

    def close(self) -> None:
        """See ChatModel."""
        self._worker.close()


class AddressChat:
    """A model behind an OpenAI-compatible address."""

    def __init__(self, server: Server, context_tokens: int) -> None:
        self._server = server
        self.name, self._context_tokens = server.model, context_tokens
        self.usage: Usage | None = None
        self._old_form = False

    @property
    def context_tokens(self) -> int:
        """See ChatModel; what was configured, since servers do not tell."""
        return self._context_tokens

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
        grammar: str | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[str]:
        """See ChatModel."""
        body: dict[str, object] = {
            "model": self.name,
            "messages": [{"role": one.role, "content": _harmless(one.content)} for one in messages],
            "max_tokens": max_tokens,
            "temperature": 0,
            "seed": 1,
            "stream": True,
        }
        told = False
        try:
            for text in self._written(body, schema, stop):
                told = True
                yield text
        except AddressRefused as error:
            if schema is None or told or self._old_form or "response_format" not in str(error):
                raise
            self._old_form = True  # some servers know the schema under this form alone
            yield from self._written(body, schema, stop)

    def _written(
        self, body: Mapping[str, object], schema: Mapping[str, object] | None, stop: threading.Event | None
    ) -> Iterator[str]:
        if schema is not None and self._old_form:
            body = {**body, "response_format": {"type": "json_object", "schema": schema}}
        elif schema is not None:
            wanted = {"name": "answer", "strict": True, "schema": schema}
            body = {**body, "response_format": {"type": "json_schema", "json_schema": wanted}}
        for event in self._server.stream("/chat/completions", body, stop):
            if stop is not None and stop.is_set():
                raise ModelCancelled
            if text := _piece(event):
                yield text

    def count_tokens(self, text: str) -> int:
        """See ChatModel; about a token for each three characters."""
        return int(len(text) / CHARACTERS_PER_TOKEN) + 1

    def reading_speed(self) -> None:
        """Unknown: a server may be any machine."""

    def close(self) -> None:
        """Nothing to give back."""


def _harmless(text: str) -> str:
    """Text that a server's template cannot take for control tokens: `<|im_start|>` in a mail must not open a turn."""
    return text.replace("<|", "< |")


def _piece(event: Mapping[str, Any]) -> str:
    try:
        choices = event["choices"]
        return str(choices[0]["delta"].get("content") or "") if choices else ""
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise AddressRefused(
            f"The server's answer is not one of the OpenAI kind: {str(event)[:200]}. Check the address."
        ) from error
