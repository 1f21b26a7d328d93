"""A GGUF file loaded by llama.cpp: what the chat engine and the embedding engine have in common.

Runs only inside the worker process: importing the library and loading a file takes most of a second, and a fault in
native code must not take the program with it. llama.cpp is used through its C interface, because only there several
sequences share one batch (embedding) or one cache (prompt prefixes), and only there reading a prompt can be stopped.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import psutil

from retrieval.models.errors import ModelUnreadable

ll: Any = llama_cpp
"""The C interface; its types are those of C, which a Python type checker cannot follow."""
ERROR_LEVEL = 4  # GGML_LOG_LEVEL_ERROR; information and warnings are about tuning
ALL_LAYERS = 0x7FFFFFFF


class LoadedModel:
    """The model, its words, and the last errors llama.cpp logged (`errors`)."""

    def __init__(self, path: Path, gpu_layers: int) -> None:
        self.errors: deque[str] = deque(maxlen=5)
        self._log = ll.llama_log_callback(self._on_log)  # llama.cpp keeps the pointer, so this keeps the object
        ll.llama_log_set(self._log, ctypes.c_void_p(0))
        parameters = ll.llama_model_default_params()
        parameters.n_gpu_layers = ALL_LAYERS if gpu_layers < 0 else gpu_layers
        model = ll.llama_model_load_from_file(str(path).encode(), parameters)
        if model is None:
            raise ModelUnreadable(
                f"{path} cannot be run ({'; '.join(self.errors) or 'it is not a GGUF model'}). Choose another file, or "
                "delete this one and pull it again."
            )
        self.model = model
        self.vocabulary = ll.llama_model_get_vocab(model)
        self.trained_context = int(ll.llama_model_n_ctx_train(model))

    def tokens(self, text: str, *, marks: bool = False, ends: bool = False) -> list[int]:
        """The text's tokens. `marks`: `<|im_end|>` and the like are control tokens, which only our own template may
        hold; in a mail they stay letters. `ends`: add the tokens that begin and end a text."""
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        buffer = (ll.llama_token * room)()
        n = ll.llama_tokenize(self.vocabulary, raw, len(raw), buffer, room, ends, marks)
        if n < 0:
            raise RuntimeError(f"the text of {len(raw)} bytes became {-n} tokens")
        return list(buffer[:n])

    def metadata(self, key: str) -> str | None:
        """A text of the file's header."""
        for size in (1 << 12, 1 << 18):
            buffer = ctypes.create_string_buffer(size)
            n = ll.llama_model_meta_val_str(self.model, key.encode(), buffer, size)
            if 0 <= n < size:
                return buffer.raw[:n].decode("utf-8", "replace")
        return None

    def context(self, parameters: Any) -> Any:
        """A context to run the model in. Raises ModelUnreadable, mostly for want of memory."""
        parameters.n_threads = parameters.n_threads_batch = physical_cores()
        parameters.no_perf = True
        context = ll.llama_init_from_model(self.model, parameters)
        if context is None:
            raise ModelUnreadable(
                f"The model needs more memory than there is ({'; '.join(self.errors) or 'no context was made'}). "
                "Choose a smaller model."
            )
        return context

    def _on_log(self, level: int, text: bytes, data: ctypes.c_void_p) -> None:
        if level == ERROR_LEVEL:
            self.errors.append(text.decode("utf-8", "replace").strip())


def fill(batch: Any, tokens: Sequence[int], sequence: int, start: int, *, at: int = 0) -> int:
    """Write `tokens` of `sequence`, beginning at position `start`, into the batch from its place `at`. Asks for no
    output. Returns the next free place and sets the batch's length to it."""
    for place, (position, token) in enumerate(enumerate(tokens, start), at):
        batch.token[place] = token
        batch.pos[place] = position
        batch.n_seq_id[place] = 1
        batch.seq_id[place][0] = sequence
        batch.logits[place] = 0
    batch.n_tokens = at + len(tokens)
    return at + len(tokens)


def physical_cores() -> int:
    """Cores this process may use; a second thread on the same core makes matrix products slower, not faster."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(psutil.cpu_count(logical=False) or allowed, allowed))
