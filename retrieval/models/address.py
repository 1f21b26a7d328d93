"""Talking to an OpenAI-compatible server (Ollama, LM Studio, llama-server, vLLM) at the one address the person set.

With the standard library's plain HTTP client, which follows no redirects and knows no proxies: mail goes to that
address or nowhere.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from retrieval.models.errors import AddressRefused, AddressUnreachable, ModelCancelled, ModelTimeout

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 300.0


def is_address(choice: str) -> bool:
    """Whether a setting is an address rather than a name or a path."""
    return choice.startswith(("http://", "https://"))


class Server:
    """A configured address. `model`: what follows `#`, else the first model that the server lists.

    Raises AddressUnreachable or AddressRefused where the server has to be asked for its models.
    """

    def __init__(self, address: str, api_key: str | None = None) -> None:
        parts = urlsplit(address)
        self.address = f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")
        self._host, self._secure = parts.hostname or "", parts.scheme == "https"
        try:
            self._port = parts.port
        except ValueError as error:
            raise AddressUnreachable(
                f"{address} is no address: {error}. It looks like http://localhost:8080/v1"
            ) from error
        self._path = parts.path.rstrip("/")
        self._headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self.model = parts.fragment or self._first_model()

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """The JSON object that the server answers. Raises AddressUnreachable, AddressRefused or ModelTimeout."""
        connection, answer = self._request("POST", path, body)
        try:
            return self._json(answer)
        finally:
            connection.close()

    def stream(
        self, path: str, body: Mapping[str, object], stop: threading.Event | None = None
    ) -> Iterator[dict[str, Any]]:
        """The JSON objects of a stream of server-sent events, as they come.

        Reading happens in a thread of its own, so that `stop` ends it (with ModelCancelled) while the server is silent.
        Closing the connection makes the server stop too. Raises like `post`.
        """
        lines: queue.SimpleQueue[bytes | Exception | None] = queue.SimpleQueue()
        sockets: list[socket.socket] = []

        def read() -> None:
            try:
                _, answer = self._request("POST", path, body, sockets)
                while line := answer.readline():
                    lines.put(line)
                lines.put(None)
            except Exception as error:  # handed to the thread that waits, which raises it
                lines.put(error)

        threading.Thread(target=read, name="model address", daemon=True).start()
        try:
            while (line := self._next(lines, stop)) is not None:
                text = line.decode("utf-8", "replace").strip()
                if text == "data: [DONE]":
                    return
                if text.startswith("data:"):
                    event = self._parsed(text[5:])
                    if "error" in event:
                        raise AddressRefused(
                            f"The server at {self.address} failed: {str(event['error'])[:300]}. Ask again."
                        )
                    yield event
        finally:
            for opened in sockets:
                _hang_up(opened)

    def _next(self, lines: queue.SimpleQueue[bytes | Exception | None], stop: threading.Event | None) -> bytes | None:
        while True:
            if stop is not None and stop.is_set():
                raise ModelCancelled
            try:
                line = lines.get(timeout=0.05 if stop is not None else SILENCE_SECONDS + 10)
            except queue.Empty:
                continue
            if isinstance(line, OSError | http.client.HTTPException):
                raise self._unreachable(line) from line
            if isinstance(line, Exception):
                raise line
            return line

    def _first_model(self) -> str:
        connection, answer = self._request("GET", "/models", None)
        try:
            listed = self._json(answer).get("data") or []
            return str(listed[0]["id"])
        except (IndexError, KeyError, TypeError) as error:
            raise AddressRefused(
                f"The server at {self.address} lists no models. Name one after the address: {self.address}#NAME"
            ) from error
        finally:
            connection.close()

    def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None,
        opened: list[socket.socket] | None = None,
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=CONNECT_SECONDS)
        try:
            connection.connect()
            connection.sock.settimeout(SILENCE_SECONDS)
            if opened is not None:
                opened.append(connection.sock)
            data = json.dumps(body).encode() if body is not None else None
            connection.request(method, self._path + path, body=data, headers=self._headers)
            answer = connection.getresponse()
            if answer.status != http.client.OK:
                said = answer.read(500).decode("utf-8", "replace").strip()
                raise AddressRefused(
                    f"The server at {self.address} answered {answer.status} {answer.reason}: {said[:300]} "
                    "Check the address, the model's name after # and the API key."
                )
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error
        except AddressRefused:
            connection.close()
            raise
        return connection, answer

    def _unreachable(self, error: Exception) -> AddressUnreachable | ModelTimeout:
        if isinstance(error, TimeoutError) and "connect" not in str(error):
            return ModelTimeout(
                f"The server at {self.address} said nothing for too long. Ask again, or with less text."
            )
        return AddressUnreachable(
            f"Nothing answers at {self.address} ({error}). Start the server, or set another model: a name of "
            "mailweave models list, or an address such as http://localhost:11434/v1"
        )

    def _json(self, answer: http.client.HTTPResponse) -> dict[str, Any]:
        try:
            return self._parsed(answer.read().decode("utf-8", "replace"))
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            value = json.loads(text)
        except ValueError as error:
            raise AddressRefused(f"The server at {self.address} answered no JSON. Check the address.") from error
        if not isinstance(value, dict):
            raise AddressRefused(f"The server at {self.address} answered no JSON object. Check the address.")
        return value


def _hang_up(connection: socket.socket) -> None:
    """Close a connection that another thread is reading from; closing alone would leave that thread waiting."""
    with contextlib.suppress(OSError):  # the server was faster
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
