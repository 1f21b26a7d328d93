"""What is mutated: real mail, files and exports out of the shared data, and where that is absent the demo's mailbox."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ingest import charsets, sources
from ingest.body import read_body
from ingest.mime import parse_tree
from ingest.sources import SourceFile
from ingest.types import RawMessage
from tests.shared import SHARED

SIZE = 96 * 1024
_FILES = (".pst", ".msg", ".olm", ".emlx", ".zip", ".json", ".jsonl", ".csv")


def corpus(target: str, made: Path) -> list[bytes]:
    """The inputs that a target starts from, none larger than SIZE. ``made``: a folder with the demo's mailbox."""
    data = SHARED / "data"
    raws = _messages(data, made)
    match target:
        case "message" | "mailbox":
            return raws
        case "words":
            cases = data / "replies" / "cases-dev.jsonl"
            texts = [json.loads(line) for line in cases.read_text().splitlines()] if cases.exists() else []
            given = [
                str(value).encode() for case in texts for key, value in case.items() if key in ("input", "text", "body")
            ]
            return _short([*given, *(text.encode() for text, _ in _bodies(raws) if text)])
        case "markup":
            return _short(html.encode() for _, html in _bodies(raws) if html)
        case "attachment":
            files = [p.read_bytes() for p in data.glob("exports/**/Attachments/**/*") if p.is_file()]
            return _short([*files, *(content for raw in raws for content in read_body(parse_tree(raw)).contents)])
        case _:
            files = [p.read_bytes() for p in sorted(data.glob("exports/**/*")) if p.suffix in _FILES]
            return _short([*files, *raws[::20]])


def _messages(data: Path, made: Path) -> list[bytes]:
    found = [
        path.read_bytes() for path in sorted(data.glob("parsers/**/*.eml")) + sorted(data.glob("exports/**/*.eml"))
    ]
    found += [path.read_bytes() for path in sorted(data.glob("faults/*.eml"))]
    boxes = [
        *sorted(data.glob("enron/kitchen-l/*.mbox")),
        *sorted(data.glob("faults/*.mbox")),
        *sorted(made.rglob("*.mbox")),
    ]
    for path, step in [*((box, 15) for box in boxes), (data / "lists" / "usrp-users-2022.mbox", 8)]:
        if path.exists():
            read = sources.read(SourceFile(path, "mbox", ()))
            found += [raw.data for n, raw in enumerate(read) if n % step == 0 and isinstance(raw, RawMessage)]
    return _short(found)


def _bodies(raws: Iterable[bytes]) -> Iterable[tuple[str, str]]:
    for raw in raws:
        body = read_body(parse_tree(raw))
        yield charsets.clean(body.text), charsets.clean(body.html or "")


def _short(inputs: Iterable[bytes]) -> list[bytes]:
    return list(dict.fromkeys(each[:SIZE] for each in inputs if each))
