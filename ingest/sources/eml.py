"""Folders of single messages, a file each: .eml, numbered files as MH and some exports write them, Apple
Mail's .emlx, Outlook's .msg and winmail.dat.

A message's key is its file's name. A From_ line in front is taken off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import partial
from pathlib import Path

from ingest.errors import MessageError, NoMessage, UnreadableMessage
from ingest.large import bounded
from ingest.mapi import to_message
from ingest.sources import emlx, msg
from ingest.sources.detect import SINGLE, Format, detect
from ingest.sources.limits import message_of_file, read_file, readable_name
from ingest.tnef import read_tnef
from ingest.types import RawMessage, Unreadable

_REMOVED = re.compile(r"[,#]\d+\Z")


def read(path: Path, labels: tuple[str, ...], known: Set[str] = frozenset()) -> Iterator[RawMessage | Unreadable]:
    """Yields every message whose key is not in ``known``: of a folder in order of the names, or the one of a file."""
    for file in _files(path):
        if readable_name(file.name) in known:
            continue
        try:
            format_, reason = detect(file)
            if format_ not in SINGLE:
                if not path.is_dir():
                    raise UnreadableMessage(readable_name(file.name), f"it is {reason or format_}")
                continue
            if format_ == "eml":
                make = partial(message_in, readable_name(file.name), format_=format_, labels=labels)
                yield message_of_file(file, make)
            else:
                yield bounded(_message(file, labels, format_))
        except NoMessage as error:
            yield Unreadable(readable_name(file.name), "NotMail", f"it is {error.what}")
        except MessageError as error:
            yield Unreadable(readable_name(file.name), type(error).__name__, str(error))
        except OSError as error:
            yield Unreadable(
                readable_name(file.name),
                "SourceUnreadable",
                f"{readable_name(str(file))} cannot be read: {error.strerror}",
            )


def read_one(path: Path, labels: tuple[str, ...], key: str) -> RawMessage | None:
    """The message of that key, or None when its file is gone."""
    file = path / key if path.is_dir() else path
    if "\\x" in key and not file.is_file():
        file = next((other for other in _files(path) if readable_name(other.name) == key), file)
    return _message(file, labels, detect(file)[0] or "eml") if file.is_file() else None


def keys(path: Path) -> Iterator[str]:
    """Every message's key, without reading the messages whole."""
    return (readable_name(file.name) for file in _files(path) if not path.is_dir() or detect(file)[0] in SINGLE)


def is_removed(folder: Path, name: str) -> bool:
    """Whether MH has removed the message: it renames the file, and forgets it some days later."""
    return bool(_REMOVED.match(name)) and (folder / ".mh_sequences").is_file()


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(
        file
        for file in path.iterdir()
        if not file.name.startswith(".") and file.is_file() and not is_removed(path, file.name)
    )


def message_in(key: str, data: bytes, format_: Format, labels: tuple[str, ...]) -> RawMessage:
    """The one message that the bytes of a file are. Raises MessageError."""
    if format_ == "emlx":
        data, flags = emlx.message_in(key, data)
        return RawMessage(key=key, data=data, labels=labels, flags=flags)
    if format_ == "msg":
        return RawMessage(key=key, data=msg.message_in(key, data), labels=labels)
    if format_ == "tnef":
        item = read_tnef(data)
        if item is None:
            raise UnreadableMessage(key, "it is cut off")
        return RawMessage(key=key, data=to_message(item), labels=labels)
    data = data.removeprefix(b"\xef\xbb\xbf")
    envelope = ""
    text = data.lstrip(b"\r\n")
    if text.startswith(b"From "):
        line, _, data = text.partition(b"\n")
        envelope = line[5:].decode("utf-8", "replace").strip()
    return RawMessage(key=key, data=data, labels=labels, envelope=envelope)


def _message(file: Path, labels: tuple[str, ...], format_: Format) -> RawMessage:
    key = readable_name(file.name)
    if format_ == "emlx":
        data, flags = emlx.whole_message(file)
        return RawMessage(key=key, data=data, labels=labels, flags=flags)
    return message_in(key, read_file(file), format_, labels)
