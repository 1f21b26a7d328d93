"""Mail accounts, read over IMAP (RFC 3501) within TLS, and never changed: folders are opened with EXAMINE, messages
fetched with BODY.PEEK.

A folder is a source. Its messages' keys are UIDVALIDITY and UID, which the server promises never to give twice, so that
only new messages are fetched, also after an interruption. Gmail keeps one copy of each message and gives it labels
(X-GM-EXT-1): its folder of all mail is read, with labels and conversations as Gmail has them, and the others are not.

The password is given from outside for each run; it is neither stored nor shown. The server's certificate is checked.
"""

from __future__ import annotations

import hashlib
import imaplib
import ssl
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

from ingest.errors import AccountFailed, WrongAccount
from ingest.kinds import folder_kind
from ingest.large import LARGE
from ingest.libraries import library
from ingest.sources.labels import MAX_LABEL
from ingest.sources.limits import streamed
from ingest.types import RawMessage, Unreadable

PORT = 993
SECONDS = 60
# one answer of the server: messages to list, messages to fetch and their bytes, bytes of a part of a large one
LISTED, FETCHED, FETCHED_BYTES, PART = 1000, 100, 4_000_000, 1 << 20

_FLAGS = {b"\\Seen": "S", b"\\Answered": "R", b"\\Flagged": "F", b"\\Deleted": "T", b"\\Draft": "D"}
# RFC 6154; a server's trash is not here, since some keep what was deleted for years (ingest.kinds)
_SPECIAL = {b"\\Junk": "Spam", b"\\Drafts": "Drafts"}
_GMAIL = frozenset((b"\\All", b"\\Junk", b"\\Trash"))


@dataclass(frozen=True, slots=True)
class Address:
    """imaps://USER@HOST[:PORT]/[FOLDER]; ``folder`` "" means all."""

    user: str
    host: str
    port: int = PORT
    folder: str = ""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORT else f":{self.port}"
        return f"imaps://{quote(self.user, safe='@+')}@{host}{port}/{quote(self.folder, safe='/')}"


def is_address(text: str) -> bool:
    """Whether a text names an account, not a path."""
    return "://" in text and text.partition("://")[0].lower() in ("imap", "imaps")


def read_address(text: str) -> Address:
    """The address in a text. Raises WrongAccount."""
    parts = urlsplit(text)
    if parts.scheme.lower() != "imaps":
        raise WrongAccount(text, "mail is fetched over TLS only, so it begins with imaps://")
    try:
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        host, port = None, PORT
    if not host or not parts.username:
        raise WrongAccount(text, "a user and a server are needed")
    if parts.password is not None:
        raise WrongAccount(f"imaps://…@{host}", "the password does not belong into it, where others may see it")
    return Address(unquote(parts.username), host, port, unquote(parts.path.removeprefix("/")))


@dataclass(frozen=True, slots=True)
class State:
    """What tells whether a folder changed: ``validity`` (its UIDs mean something else under another), the next UID, how
    many messages there are."""

    validity: int
    next: int
    messages: int

    @property
    def sha256(self) -> bytes:
        """Of the validity."""
        return hashlib.sha256(str(self.validity).encode()).digest()


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of an account: a source beside those that are files. ``name`` is its address, ``folder`` what the server
    calls it."""

    name: str
    labels: tuple[str, ...]
    folder: str
    account: Account = field(compare=False, repr=False)
    format: Literal["imap"] = "imap"


class Account:
    """A connection that is opened when it is needed. For a ``with`` block. Everything raises AccountFailed."""

    def __init__(self, address: Address, password: str, ca_file: Path | None = None) -> None:
        self.address = address
        self._password = password
        self._ca_file = ca_file
        self._client: Any = None
        self._state: tuple[str, State] | None = None
        self._sizes: dict[str, dict[str, int]] = {}

    def __enter__(self) -> Account:
        return self

    def __exit__(self, *_: object) -> None:
        self._drop()

    def find(self) -> list[Folder]:
        """The folders that hold messages: all, or those at and below the address's own."""
        with self._told():
            client = self._connected()
            listed = [each for each in client.list_folders() if not {b"\\Noselect", b"\\NonExistent"} & set(each[0])]
            gmail = client.has_capability("X-GM-EXT-1")
        if gmail and not self.address.folder and any(b"\\All" in flags for flags, _, _ in listed):
            listed = [each for each in listed if _GMAIL & set(each[0])]
        found = []
        for flags, delimiter, folder in listed:
            separator = delimiter.decode() if delimiter else "/"
            wanted = self.address.folder
            if wanted and folder != wanted and not folder.startswith(wanted + separator):
                continue
            path = "/".join(part for part in folder.split(separator) if part)[:MAX_LABEL]
            special = [name for flag, name in _SPECIAL.items() if flag in flags and not folder_kind(path)]
            found.append(Folder(str(replace(self.address, folder=folder)), (path, *special), folder, self))
        return sorted(found, key=lambda each: each.name)

    def state(self, folder: str) -> State:
        """The folder's state now."""
        with self._told():
            return self._open(folder)

    def sizes(self, folder: str) -> dict[str, int]:
        """All keys of a folder with the bytes of their messages; asked of the server once a run."""
        if folder not in self._sizes:
            with self._told():
                state = self._open(folder)
                found = {}
                self._client.use_uid = False
                try:
                    for first in range(1, state.messages + 1, LISTED):
                        numbers = range(first, min(first + LISTED, state.messages + 1))
                        for held in self._client.fetch(list(numbers), ["UID", "RFC822.SIZE"]).values():
                            found[f"{state.validity}:{held[b'UID']}"] = held[b"RFC822.SIZE"]
                finally:
                    self._client.use_uid = True
            self._sizes[folder] = found
        return self._sizes[folder]

    def read(self, source: Folder, known: Set[str] = frozenset()) -> Iterator[RawMessage | Unreadable]:
        """Yields every message whose key is not in ``known``, in order of their UIDs."""
        todo = sorted((int(key.partition(":")[2]), size) for key, size in self.sizes(source.folder).items()
                      if key not in known)  # fmt: skip
        batch: list[int] = []
        held = 0
        for uid, size in todo:
            if size > LARGE:
                yield from self._fetch(source, batch)
                batch, held = [], 0
                yield from self._fetch(source, [uid], whole=False)
                continue
            batch.append(uid)
            held += size
            if len(batch) >= FETCHED or held >= FETCHED_BYTES:
                yield from self._fetch(source, batch)
                batch, held = [], 0
        yield from self._fetch(source, batch)

    def _fetch(self, source: Folder, uids: list[int], whole: bool = True) -> Iterator[RawMessage | Unreadable]:
        if not uids:
            return
        with self._told():
            validity = self._open(source.folder).validity
            wanted = ["FLAGS", "INTERNALDATE", *(["BODY.PEEK[]"] if whole else [])]
            if self._client.has_capability("X-GM-EXT-1"):
                wanted += ["X-GM-LABELS", "X-GM-THRID"]
            found = self._client.fetch(uids, wanted)
        for uid in uids:
            if uid not in found:
                continue  # expunged since the folder was listed
            message = message_of(f"{validity}:{uid}", found[uid], source.labels)
            if not whole:
                message = streamed(b"", _Part(self, source.folder, uid).read, _With(message))
            if not message.data.strip():
                yield Unreadable(message.key, "UnreadableMessage", "The server gives nothing of this message.")
            else:
                yield message

    def part(self, folder: str, uid: int, start: int, size: int) -> bytes:
        """Some bytes of a message, "" behind its end."""
        with self._told():
            self._open(folder)
            found = self._client.fetch([uid], [f"BODY.PEEK[]<{start}.{size}>"])
        return next((value or b"" for name, value in found.get(uid, {}).items() if name.startswith(b"BODY[]")), b"")

    def _open(self, folder: str) -> State:
        client = self._connected()
        if self._state is None or self._state[0] != folder:
            told = client.select_folder(folder, readonly=True)
            self._state = folder, State(told.get(b"UIDVALIDITY", 0), told.get(b"UIDNEXT", 0), told[b"EXISTS"])
        return self._state[1]

    def _connected(self) -> Any:
        if self._client is None:
            imapclient = library("imapclient", "mail accounts (IMAP)", "imap")
            context = ssl.create_default_context(cafile=self._ca_file)
            client = imapclient.IMAPClient(self.address.host, self.address.port, ssl_context=context, timeout=SECONDS)
            try:
                client.login(self.address.user, self._password)
            except BaseException:
                client.shutdown()
                raise
            client.normalise_times = False
            self._client = client
        return self._client

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What may go wrong between here and a server, as one error with the next step."""
        try:
            yield
        except ssl.SSLCertVerificationError as error:
            self._drop()
            raise AccountFailed(
                str(self.address), f"its certificate cannot be trusted ({error.verify_message})",
                "A server of your own may have an authority of its own: give its file with --ca-file.",
            ) from None  # fmt: skip
        except (imaplib.IMAP4.error, OSError, KeyError, ValueError) as error:
            connected = self._client is not None
            self._drop()
            refused = not connected and isinstance(error, imaplib.IMAP4.error)
            said = error.args[0] if error.args and isinstance(error.args[0], bytes) else str(error).encode()
            reason = " ".join(said.decode("utf-8", "replace").split())[:200]
            raise AccountFailed(
                str(self.address), f"{'it refuses the login' if refused else 'the connection failed'} ({reason})",
                "Many providers want a password made for this program alone." if refused
                else "What was read is kept; the same command goes on.",
            ) from None  # fmt: skip

    def _drop(self) -> None:
        client, self._client, self._state = self._client, None, None
        if client is not None:
            client.__exit__(None, None, None)


def message_of(key: str, held: dict[bytes, Any], labels: tuple[str, ...]) -> RawMessage:
    """A message as the server described it in its answer to FETCH; ``labels`` where it gives none of its own."""
    own = _labels(held.get(b"X-GM-LABELS"))
    thread = held.get(b"X-GM-THRID")
    received = held.get(b"INTERNALDATE")
    return RawMessage(
        key=key,
        data=held.get(b"BODY[]") or b"",
        labels=(*own, *(label for label in labels[1:] if label not in own)) if own is not None else labels,
        envelope=f"- {received.astimezone(UTC):%a %b %d %H:%M:%S %Y}" if isinstance(received, datetime) else "",
        flags="".join(sorted(letter for flag, letter in _FLAGS.items() if flag in (held.get(b"FLAGS") or ()))),
        thread=str(thread) if thread else "",
    )


def _labels(given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    decode = library("imapclient.imap_utf7", "mail accounts (IMAP)", "imap").decode
    names = (decode(each) if isinstance(each, bytes) else str(each) for each in given)
    return tuple(dict.fromkeys(name.lstrip("\\")[:MAX_LABEL] for name in names if name.strip("\\")))


class _Part:
    """A message on the server as a stream."""

    def __init__(self, account: Account, folder: str, uid: int) -> None:
        self._account, self._folder, self._uid = account, folder, uid
        self._at = 0

    def read(self, size: int) -> bytes:
        data = self._account.part(self._folder, self._uid, self._at, min(size, PART))
        self._at += len(data)
        return data


@dataclass(frozen=True, slots=True)
class _With:
    """Puts bytes into a message that is known apart from them."""

    message: RawMessage

    def __call__(self, data: bytes) -> RawMessage:
        return replace(self.message, data=data)
