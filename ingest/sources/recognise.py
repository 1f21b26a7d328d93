"""What a file on the disk is, where its first bytes alone do not tell: archives are looked into.

``detect`` is for the many small files of a folder; this costs more and is asked once a file.
"""

from __future__ import annotations

from pathlib import Path

from ingest.sources import archive, records
from ingest.sources.detect import RECORDS, TEXT, Format, detect


def recognise(path: Path) -> tuple[Format | None, str]:
    """The format and "", or None and what the file is instead. Raises OSError, LibraryMissing and
    WrongMapping."""
    format_, reason = detect(path)
    if format_ is not None:
        return format_, ""
    if "archive" in reason:
        reason = archive.look(path)
        return (None, reason) if reason else ("archive", "")
    if reason in (RECORDS, TEXT):
        kind, reason = records.look(path)
        return (kind, "") if kind else (None, reason)
    return None, reason
