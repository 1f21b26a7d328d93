"""Exports of records, one a message: JSON and CSV. Which field holds what, ``fields_of_mail`` says.

A message's key is the record's own id where it has one, else its number from 1.
"""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from itertools import islice
from pathlib import Path
from typing import Literal

from ingest.large import bounded
from ingest.sources.detect import TEXT
from ingest.sources.fields_of_mail import mapping_for
from ingest.sources.json_stream import BrokenJson, objects
from ingest.sources.labels import MAX_LABEL
from ingest.sources.limits import MAX_MESSAGE
from ingest.sources.mapping import Mapping, Record
from ingest.types import RawMessage, Unreadable

SAMPLE = 50
_PEEK = 64 * 1024
# how much of a table is read to tell its charset
_PROOF = 8 * 1024 * 1024


def look(path: Path) -> tuple[Literal["json", "csv"] | None, str]:
    """("json" or "csv", "") for an export of mail, else (None, what it is instead). Raises OSError and WrongMapping."""
    kind: Literal["json", "csv"] = "json" if _is_json(path) else "csv"
    sample = [record for record in islice(_records(path), SAMPLE) if isinstance(record, dict)]
    if kind == "csv" and (not sample or len(sample[0]) < 2):
        return None, TEXT
    if sample and mapping_for(path, sample) is not None:
        return kind, ""
    if not sample:
        return None, "JSON without messages"
    if kind == "csv" and path.suffix.lower() not in (".csv", ".tsv"):
        return None, TEXT
    what = "JSON whose fields" if kind == "json" else "a table whose columns"
    return None, (
        f"{what} are not known to be those of mail ({', '.join(list(sample[0])[:8])}): "
        f"say which is what in {path.stem}.mapping.toml beside it"
    )


def read(path: Path, labels: tuple[str, ...], known: Set[str] = frozenset()) -> Iterator[RawMessage | Unreadable]:
    """Yields the message of every record whose key is not in ``known``. Raises OSError and WrongMapping."""
    sample = [record for record in islice(_records(path), SAMPLE) if isinstance(record, dict)]
    mapping = mapping_for(path, sample) or Mapping()
    for key, record in _keyed(_records(path), mapping):
        if key in known:
            continue
        if isinstance(record, BrokenJson):
            yield Unreadable(key, "UnreadableMessage", f"The record is no JSON: {record}")
            continue
        data = mapping.message(record)
        if data is None:
            yield Unreadable(key, "UnreadableMessage", "Nothing of a message is in the record.")
            continue
        own = tuple(name[:MAX_LABEL] for name in mapping.labels(record))
        yield bounded(RawMessage(key=key, data=data, labels=own or labels))


def read_one(path: Path, labels: tuple[str, ...], key: str) -> RawMessage | None:
    """The message of that key, or None when it is not there any more."""
    found = (piece for piece in read(path, labels) if piece.key == key)
    return next((piece for piece in found if isinstance(piece, RawMessage)), None)


def keys(path: Path) -> Iterator[str]:
    """Every message's key."""
    return (piece.key for piece in read(path, ()) if isinstance(piece, RawMessage))


def _keyed(records: Iterable[Record | BrokenJson], mapping: Mapping) -> Iterator[tuple[str, Record | BrokenJson]]:
    seen: Counter[str] = Counter()
    for number, record in enumerate(records, 1):
        key = (mapping.key(record) if isinstance(record, dict) else "") or str(number)
        seen[key] += 1
        yield key if seen[key] == 1 else f"{key}#{seen[key]}", record


def _records(path: Path) -> Iterator[Record | BrokenJson]:
    return objects(path) if _is_json(path) else _rows(path)


def _rows(path: Path) -> Iterator[Record | BrokenJson]:
    encoding = _encoding(path)
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        first = file.readline(_PEEK)
        delimiter = max(",;\t", key=first.count)
        file.seek(0)
        csv.field_size_limit(MAX_MESSAGE)
        rows = csv.DictReader(file, delimiter=delimiter, restkey="")
        try:
            for row in rows:
                yield {name: value or "" for name, value in row.items() if name}
        except csv.Error as error:
            yield BrokenJson(f"row {rows.line_num}: {error}")


def _is_json(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_PEEK)
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
    return text.lstrip()[:1] in ("{", "[")


def _encoding(path: Path) -> str:
    """UTF-8 or UTF-16 where the file says or proves it, else what Windows programs write in the west."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        if file.read(2) in (b"\xff\xfe", b"\xfe\xff"):
            return "utf-16"
        file.seek(0)
        try:
            for _ in range(_PROOF // _PEEK):
                decoder.decode(file.read(_PEEK))
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig"
