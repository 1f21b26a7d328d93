"""Labels from folder names, in the ways mail programs nest their folders.

Thunderbird keeps the subfolders of "Inbox" in "Inbox.sbd", Apple Mail a folder in "Inbox.mbox" (as the file "mbox" in
it, or message by message in "Inbox.mbox/UUID/Data/3/Messages"), others name a file "Inbox.mbox". All are "Inbox".
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# a label is looked up by an index, which holds no longer ones
MAX_LABEL = 200

_ENDINGS = frozenset(".mbox .mbx .sbd .txt .eml .emlx .mail .msg .oft .dat .pst .ost .olm .json .jsonl .ndjson .csv "
                     ".zip .gz .tgz .tar .zst .bz2 .xz".split())  # fmt: skip
_UUID = re.compile(r"[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}", re.I)


def label(parts: tuple[str, ...]) -> str:
    """ "Work.sbd", "Old.mbox", "mbox" become "Work/Old"."""
    if len(parts) > 1 and parts[-1].lower() == "mbox":
        parts = parts[:-1]
    return "/".join(_without_ending(part) for part in parts)[:MAX_LABEL]


def apple_label(parts: tuple[str, ...]) -> str:
    """The folder of a message file of Apple Mail, "" where its path names none: "UUID", "Work.mbox", "UUID", "Data",
    "3", "Messages" become "Work"."""
    boxes = [number for number, part in enumerate(parts) if part.lower().endswith(".mbox")]
    if boxes:
        parts = parts[: boxes[-1] + 1]
    elif parts and parts[-1] == "Messages":
        parts = parts[:-1]
    return label(tuple(part for part in parts if not _UUID.fullmatch(part)))


def _without_ending(name: str) -> str:
    path = PurePosixPath(name)
    while path.suffix.lower() in _ENDINGS and path.stem:
        path = PurePosixPath(path.stem)
    return path.name or name
