"""The process that runs one local model: requests come in through one pipe, text or vectors go out through another.

A process of its own, because native code can crash or run out of memory, because generating must not hold up the page,
and because one model's context can only do one thing at a time. It ends when its parent is gone (the pipe closes, or
another process became its parent) and when nobody asked for anything for a while; it is started again when needed.

Messages are JSON texts. In: `{id, do, …}` and `{cancel: id}`. Out: `{ready: …}` or `{failed, message}` once, then for
each request `{id, begun}`, any number of `{id, text}`, and `{id, done: …}` (followed by raw float32 when it holds
`shape`) or `{id, error, message}`.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections import deque
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.models.errors import BadSchema, ModelCancelled

if TYPE_CHECKING:
    from retrieval.models.chat_engine import ChatEngine
    from retrieval.models.embed_engine import EmbedEngine, RerankEngine

    Engine = ChatEngine | EmbedEngine | RerankEngine

URGENT_TEXTS = 4
"""Up to so many texts are somebody's question, which goes between two batches of a mailbox being embedded."""


def main(requests: int, replies: int) -> None:
    """Run a worker on two file descriptors until its parent is gone or it was idle for too long."""
    os.dup2(2, 1)  # what native code prints must not get between the replies
    # llama.cpp's threads wait for each other many times a token. Spinning, the default, wins a little on an idle
    # machine and is many times slower when anything else runs on a core; set before the library is loaded.
    os.environ["OMP_WAIT_POLICY"] = "passive"
    Worker(Connection(requests, writable=False), Connection(replies, readable=False)).run()


class Worker:
    """Reads requests in one thread, works them off in another."""

    def __init__(self, requests: Connection, replies: Connection) -> None:
        self._requests, self._replies = requests, replies
        self._sending = threading.Lock()
        self._queue: deque[dict[str, Any]] = deque()
        self._changed = threading.Condition()
        self._cancelled: dict[int, threading.Event] = {}
        self._parent = os.getppid()
        self._engine: Engine | None = None

    def run(self) -> None:
        """Load the model, then serve."""
        options = json.loads(self._requests.recv_bytes())
        try:
            self._engine = _load(options)
        except Exception as error:  # whatever it was, the parent must hear of it
            self._send({"failed": type(error).__name__, "message": str(error)})
            return
        self._send({"ready": _facts(self._engine)})
        threading.Thread(target=self._listen, daemon=True).start()
        idle = float(options["idle_seconds"])
        while (request := self._next(idle)) is not None:
            self._serve(request)
        os._exit(0)

    def _listen(self) -> None:
        """Take in requests; end the process, whatever it is doing, when nobody is left to answer to."""
        try:
            while True:
                if not self._requests.poll(1.0):
                    if os.getppid() != self._parent:
                        os._exit(0)
                    continue
                request = json.loads(self._requests.recv_bytes())
                if "cancel" in request:
                    if event := self._cancelled.get(request["cancel"]):
                        event.set()
                elif request["do"] == "count":  # needs the words only, so it does not wait for what is being written
                    assert self._engine is not None
                    counts = [self._engine.count(text) for text in request["texts"]]
                    self._send({"id": request["id"], "done": {"counts": counts}})
                else:
                    with self._changed:
                        self._cancelled[request["id"]] = threading.Event()
                        self._queue.append(request)
                        self._changed.notify()
        except (EOFError, OSError):
            os._exit(0)

    def _next(self, idle: float) -> dict[str, Any] | None:
        with self._changed:
            until = time.monotonic() + idle
            while not self._queue:
                if not self._changed.wait(max(0.0, until - time.monotonic())) and time.monotonic() >= until:
                    return None
            return self._queue.popleft()

    def _next_urgent(self) -> dict[str, Any] | None:
        with self._changed:
            for request in self._queue:
                if request["do"] == "embed" and len(request["texts"]) <= URGENT_TEXTS:
                    self._queue.remove(request)
                    return request
        return None

    def _serve(self, request: dict[str, Any]) -> None:
        number, stop = request["id"], self._cancelled[request["id"]]
        self._send({"id": number, "begun": True})
        try:
            if stop.is_set():
                raise ModelCancelled
            if request["do"] == "complete":
                self._complete(request, stop)
            elif request["do"] == "embed":
                self._embed(request, stop)
            elif request["do"] == "rank":
                self._rank(request, stop)
            else:
                self._send({"id": number, "done": {"reading_speed": self._chat.reading_speed()}})
        except Exception as error:  # a request that fails is answered; the next one is served
            self._send({"id": number, "error": type(error).__name__, "message": str(error)})
        finally:
            del self._cancelled[number]

    @property
    def _chat(self) -> ChatEngine:
        from retrieval.models.chat_engine import ChatEngine

        assert isinstance(self._engine, ChatEngine)
        return self._engine

    def _complete(self, request: Mapping[str, Any], stop: threading.Event) -> None:
        from retrieval.models.chat_engine import Reading

        grammar = _grammar(request["schema"]) if request["schema"] is not None else request.get("grammar")
        reading = Reading()
        began, pieces = time.perf_counter(), 0
        for text in self._chat.complete(request["messages"], request["max_tokens"], grammar, stop, reading):
            self._send({"id": request["id"], "text": text})
            pieces += 1
        done = {
            "prompt_tokens": reading.tokens,
            "cached_tokens": reading.cached,
            "reading_seconds": reading.seconds,
            "writing_seconds": time.perf_counter() - began - reading.seconds,
            "pieces": pieces,
            "reading_speed": self._chat.reading_speed(),
        }
        self._send({"id": request["id"], "done": done})

    def _embed(self, request: Mapping[str, Any], stop: threading.Event) -> None:
        from retrieval.models.embed_engine import EmbedEngine

        assert isinstance(self._engine, EmbedEngine)

        def between() -> None:
            if stop.is_set():
                raise ModelCancelled
            while len(request["texts"]) > URGENT_TEXTS and (urgent := self._next_urgent()) is not None:
                self._serve(urgent)

        vectors = self._engine.embed(request["texts"], between)
        self._send({"id": request["id"], "done": {"shape": vectors.shape}}, vectors.tobytes())

    def _rank(self, request: Mapping[str, Any], stop: threading.Event) -> None:
        from retrieval.models.embed_engine import RerankEngine

        assert isinstance(self._engine, RerankEngine)

        def between() -> None:
            if stop.is_set():
                raise ModelCancelled

        scores = self._engine.rank(request["question"], request["texts"], between)
        self._send({"id": request["id"], "done": {"shape": scores.shape}}, scores.tobytes())

    def _send(self, message: Mapping[str, Any], raw: bytes | None = None) -> None:
        with self._sending:
            try:
                self._replies.send_bytes(json.dumps(message).encode())
                if raw is not None:
                    self._replies.send_bytes(raw)
            except OSError:  # nobody reads any more
                os._exit(0)


def _load(options: Mapping[str, Any]) -> Engine:
    path, layers = Path(options["path"]), int(options["gpu_layers"])
    if options["role"] == "chat":
        from retrieval.models.chat_engine import ChatEngine

        return ChatEngine(path, int(options["context_tokens"]), layers)
    from retrieval.models.embed_engine import EmbedEngine, RerankEngine

    engine = RerankEngine if options["role"] == "rerank" else EmbedEngine
    return engine(path, int(options["max_tokens"]), layers)


def _facts(engine: Engine) -> dict[str, int]:
    names = ("context_tokens", "dimensions", "max_tokens")
    return {name: getattr(engine, name) for name in names if hasattr(engine, name)}


def _grammar(schema: Mapping[str, Any]) -> str:
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    try:
        return str(json_schema_to_gbnf(json.dumps(schema)))
    except Exception as error:  # the converter raises whatever it stumbles over
        raise BadSchema(f"The answer's schema cannot be made into a grammar: {error!r}") from error
