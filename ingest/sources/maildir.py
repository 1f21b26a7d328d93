"""Maildir and Maildir++ folders: a message a file, in ``cur`` and ``new``; flags stand at the end of the name.

A message's key is the unique part of its name, before the flags, so that reading or deleting a mail elsewhere does not
make it another one. Subfolders are either folders with a leading dot and their path in the name (Maildir++) or plain
folders within each other. Names are in IMAP's modified UTF-7 (RFC 3501, 5.1.3).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Set
from functools import partial
from pathlib import Path

from ingest.sources.limits import message_of_file, read_file, readable_name
from ingest.types import RawMessage, Unreadable

# ":" cannot stand in a file name on every system; writers put ";" or "!" or "-" in its place
_FLAGS = re.compile(r"[:;!-]2,([A-Za-z,]*)\Z")
_ENCODED = re.compile(r"&([A-Za-z0-9+,]*)-")


def is_maildir(path: Path) -> bool:
    """Whether the folder is a Maildir: it has ``cur`` and ``new``."""
    return (path / "cur").is_dir() and (path / "new").is_dir()


def folder_label(name: str) -> str:
    """The readable path of a folder named ``name``: ".Work.Caf&AOk-" is "Work/Café"."""
    parts = name.removeprefix(".").split(".") if name.startswith(".") else [name]
    return "/".join(_ENCODED.sub(_decoded, part) for part in parts if part)


def read(path: Path, labels: tuple[str, ...], known: Set[str] = frozenset()) -> Iterator[RawMessage | Unreadable]:
    """Yields every message whose key is not in ``known``, in order of the names."""
    for key, flags, file in _files(path):
        if key in known:
            continue
        make = partial(_message, key, flags, labels)
        try:
            message = message_of_file(file, make)
        except OSError as error:
            # moved from new to cur, or its flags changed, since the folder was listed
            again = next((f for k, _, f in _files(path) if k == key), None)
            if again is None or again == file:
                yield Unreadable(
                    key, "SourceUnreadable", f"{readable_name(str(file))} cannot be read: {error.strerror}"
                )
                continue
            message = message_of_file(again, make)
        if not message.data.strip():
            yield Unreadable(key, "UnreadableMessage", f"{readable_name(str(file))} is empty")
            continue
        yield message


def read_one(path: Path, labels: tuple[str, ...], key: str) -> RawMessage | None:
    """The message of that key, under whatever flags it has now; None when it is gone."""
    for found, flags, file in _files(path):
        if found == key:
            return RawMessage(key=key, data=read_file(file), labels=labels, flags=flags)
    return None


def keys(path: Path) -> Iterator[str]:
    """Every message's key, without reading the messages."""
    return (key for key, _, _ in _files(path))


def key_and_flags(name: str) -> tuple[str, str]:
    """The unique part of a message file's name, and its flags in capitals."""
    flags = _FLAGS.search(name)
    return readable_name(name[: flags.start()] if flags else name), flags[1].upper() if flags else ""


def _message(key: str, flags: str, labels: tuple[str, ...], data: bytes) -> RawMessage:
    return RawMessage(key=key, data=data, labels=labels, flags=flags)


def _files(path: Path) -> list[tuple[str, str, Path]]:
    found = []
    for folder in ("cur", "new"):
        for file in (path / folder).iterdir():
            if file.name.startswith(".") or not file.is_file():
                continue
            found.append((*key_and_flags(file.name), file))
    return sorted(found)


def _decoded(match: re.Match[str]) -> str:
    if not match[1]:
        return "&"
    text = match[1].replace(",", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4)).decode("utf-16-be")
    except ValueError:
        return match[0]
