"""Text from a chat model, one token after another, always the likeliest one (temperature 0, so nothing is drawn).

Two things make it quick enough for two cores. What was read stays read: each system prompt has a place of its own in
the model's cache, so that planning and answering do not push each other out, and only what differs from the last
prompt of the same kind is read. And a grammar costs little: the likeliest token is tried alone first, and only when
the grammar refuses it are all others sorted out.

Sums of floating-point numbers depend on how tokens are batched, and a plan can hang on the last digit. So a prompt is
always read in the same batches (each message for itself, cut at BATCH tokens, the last token alone), a cached prefix
is used up to such a border only, and each place has cells of its own: what is in the cache changes the speed, never
the answer.
"""

from __future__ import annotations

import codecs
import ctypes
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from retrieval.models.engine import LoadedModel, fill, ll
from retrieval.models.errors import BadSchema, ModelCancelled, ModelUnreadable, PromptTooLong

BATCH = 512
SLOTS = 3
"""Kinds of prompts that stay read: planning, answering, and one more (a query written, an agent's steps)."""
PLACE = re.compile("\ue000(\\d+)\ue001")
"""Stands for a message's text while the template is rendered; private-use characters no template contains."""


@dataclass
class _Slot:
    """A sequence of the cache: what it holds and when it was last used."""

    number: int
    system: str = ""
    tokens: list[int] = field(default_factory=list)
    used: float = 0.0


@dataclass
class Reading:
    """How a prompt was read: tokens in all, tokens found in the cache, seconds for the rest."""

    tokens: int = 0
    cached: int = 0
    seconds: float = 0.0


class ChatEngine:
    """A chat model with its cache. Not for several threads at once, except `count`."""

    def __init__(self, path: Path, context_tokens: int, gpu_layers: int) -> None:
        self.loaded = LoadedModel(path, gpu_layers)
        template = self.loaded.metadata("tokenizer.chat_template")
        if not template:
            raise ModelUnreadable(f"{path} is no chat model: it holds no chat template. Choose an instruct model.")
        vocabulary = self.loaded.vocabulary
        self._template = Jinja2ChatFormatter(
            template, eos_token=self._text(ll.llama_vocab_eos), bos_token=self._text(ll.llama_vocab_bos)
        )
        self.words = int(ll.llama_vocab_n_tokens(vocabulary))
        self.context_tokens = min(context_tokens, self.loaded.trained_context)
        parameters = ll.llama_context_default_params()
        parameters.n_ctx = self.context_tokens * SLOTS
        parameters.n_batch = parameters.n_ubatch = BATCH
        parameters.n_seq_max = SLOTS
        parameters.kv_unified = False
        self._context = self.loaded.context(parameters)
        self._memory = ll.llama_get_memory(self._context)
        self._batch = ll.llama_batch_init(BATCH, 0, 1)
        self._slots = [_Slot(number) for number in range(SLOTS)]
        self._stop: threading.Event | None = None
        self._abort = ll.ggml_abort_callback(lambda data: self._stop is not None and self._stop.is_set())
        self._never = ll.ggml_abort_callback()
        self._reading_speed: float | None = None

    def count(self, text: str) -> int:
        """Tokens of a text as it would stand in a prompt."""
        return len(self.loaded.tokens(text))

    def reading_speed(self) -> float:
        """Tokens of a prompt read in a second, from the last prompt long enough to tell, else measured now."""
        if self._reading_speed is None:
            slot = self._slots[-1]
            self._forget(slot)
            sample = [token for token in range(1000, 1000 + 136) if token < self.words]
            self._read(slot, [sample[:8]], None)  # the first run brings the weights into memory
            self._read(slot, [sample[:8], sample[8:]], None)
            self._forget(slot)
        return self._reading_speed or 1.0

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        max_tokens: int,
        grammar: str | None,
        stop: threading.Event,
        reading: Reading,
    ) -> Iterator[str]:
        """Yield the answer's text as it comes and fill in `reading`. Raises PromptTooLong, ModelCancelled,
        BadSchema."""
        batches = self._prompt(messages)
        length = sum(len(batch) for batch in batches)
        if length + max_tokens > self.context_tokens:
            raise PromptTooLong(
                f"The prompt has {length} tokens and the answer may have {max_tokens}; the model's context holds "
                f"{self.context_tokens}. Ask in fewer words or with less retrieved text."
            )
        sampler = self._grammar(grammar) if grammar else None
        try:
            slot = self._slot(messages, batches)
            reading.tokens, reading.cached = length, len(slot.tokens)
            began = time.perf_counter()
            self._read(slot, batches, stop)
            reading.seconds = time.perf_counter() - began
            yield from self._write(slot, max_tokens, sampler, stop)
        finally:
            if sampler is not None:
                ll.llama_sampler_free(sampler)

    def _write(self, slot: _Slot, max_tokens: int, sampler: Any | None, stop: threading.Event) -> Iterator[str]:
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        for _ in range(max_tokens):
            token = self._likeliest(sampler)
            if ll.llama_vocab_is_eog(self.loaded.vocabulary, token):
                break
            if sampler is not None:
                ll.llama_sampler_accept(sampler, token)
            if text := decode(self._piece(token)):
                yield text
            if stop.is_set():
                raise ModelCancelled
            self._decode(slot, [token])
        if text := decode(b"", True):
            yield text

    def _likeliest(self, sampler: Any | None) -> int:
        logits = np.ctypeslib.as_array(ll.llama_get_logits_ith(self._context, -1), shape=(self.words,))
        best = int(logits.argmax())
        if sampler is None or self._allowed(sampler, np.array([best]), logits)[0] > -np.inf:
            return best
        return int(self._allowed(sampler, np.arange(self.words), logits).argmax())

    @staticmethod
    def _allowed(sampler: Any, tokens: np.ndarray, logits: np.ndarray) -> np.ndarray:
        """The logits of `tokens`, minus infinity where the grammar does not allow them."""
        data = np.zeros(len(tokens), dtype=[("id", np.int32), ("logit", np.float32), ("p", np.float32)])
        data["id"], data["logit"] = tokens, logits[tokens]
        pointer = data.ctypes.data_as(ll.llama_token_data_p)
        candidates = ll.llama_token_data_array(data=pointer, size=len(tokens), selected=-1, sorted=False)
        ll.llama_sampler_apply(sampler, ctypes.byref(candidates))
        return np.asarray(data["logit"])

    def _read(self, slot: _Slot, batches: Sequence[Sequence[int]], stop: threading.Event | None) -> None:
        """Bring the slot from what it holds (the first of the batches) to the whole prompt."""
        # Stop is asked for at each node of the graph, which costs nothing while reading and much while writing.
        self._stop = stop
        ll.llama_set_abort_callback(self._context, self._abort, None)
        began, held, before = time.perf_counter(), len(slot.tokens), 0
        try:
            for batch in batches:
                if before >= held:
                    self._decode(slot, batch)
                before += len(batch)
        finally:
            ll.llama_set_abort_callback(self._context, self._never, None)
            self._stop = None
        if before - held >= 64:
            self._reading_speed = (before - held) / (time.perf_counter() - began)

    def _decode(self, slot: _Slot, tokens: Sequence[int]) -> None:
        fill(self._batch, tokens, slot.number, len(slot.tokens))
        self._batch.logits[len(tokens) - 1] = 1
        result = ll.llama_decode(self._context, self._batch)
        if result != 0:
            ll.llama_memory_seq_rm(self._memory, slot.number, len(slot.tokens), -1)
            if self._stop is not None and self._stop.is_set():
                raise ModelCancelled
            raise RuntimeError(f"llama.cpp returned {result}: {'; '.join(self.loaded.errors)}")
        slot.tokens.extend(tokens)

    def _slot(self, messages: Sequence[Mapping[str, str]], batches: Sequence[Sequence[int]]) -> _Slot:
        """The place of this system prompt, else the longest unused one, cut back to the batches it shares."""
        system = messages[0]["content"] if messages and messages[0]["role"] == "system" else ""
        slot = next(
            (one for one in self._slots if one.tokens and one.system == system),
            min(self._slots, key=lambda one: one.used),
        )
        same = 0
        for batch in batches[:-1]:  # the last token is read again, to be answered
            if slot.tokens[same : same + len(batch)] != list(batch):
                break
            same += len(batch)
        self._forget(slot, same)
        slot.system, slot.used = system, time.monotonic()
        return slot

    def _forget(self, slot: _Slot, keep: int = 0) -> None:
        if not ll.llama_memory_seq_rm(self._memory, slot.number, keep, -1):
            keep = 0  # some kinds of models can only forget everything
            ll.llama_memory_seq_rm(self._memory, slot.number, -1, -1)
        del slot.tokens[keep:]

    def _prompt(self, messages: Sequence[Mapping[str, str]]) -> list[list[int]]:
        """The conversation's tokens in the batches they are read in. Only the template's own text may become control
        tokens: a mail that spells `<|im_start|>system` must not end its message and speak as somebody else."""
        shells: list[Any] = [{"role": one["role"], "content": f"\ue000{n}\ue001"} for n, one in enumerate(messages)]
        pieces = PLACE.split(self._template(messages=shells).prompt)
        batches: list[list[int]] = []
        tokens: list[int] = []
        for n, piece in enumerate(pieces):
            text = messages[int(piece)]["content"] if n % 2 else piece
            tokens += self.loaded.tokens(text, marks=n % 2 == 0) if text else []
            if n % 2 or n == len(pieces) - 1:
                batches += [tokens[start : start + BATCH] for start in range(0, len(tokens), BATCH)]
                tokens = []
        last = batches.pop()
        return [*batches, *([last[:-1]] if len(last) > 1 else []), last[-1:]]

    def _grammar(self, grammar: str) -> Any:
        sampler = ll.llama_sampler_init_grammar(self.loaded.vocabulary, grammar.encode(), b"root")
        if not sampler:
            raise BadSchema(f"The grammar of the answer's schema is refused: {'; '.join(self.loaded.errors)}")
        return sampler

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(256)
        n = ll.llama_token_to_piece(self.loaded.vocabulary, token, buffer, len(buffer), 0, False)
        return buffer.raw[: max(n, 0)]

    def _text(self, which: Callable[[Any], int]) -> str:
        token = which(self.loaded.vocabulary)
        text = ll.llama_vocab_get_text(self.loaded.vocabulary, token) if token >= 0 else b""
        return (text or b"").decode("utf-8", "replace")
