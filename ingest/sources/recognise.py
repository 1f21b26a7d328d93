"""What a file on the disk is, where its first bytes alone do not tell: archives are looked into.

``detect`` is for the many small files of a folder; this costs more and is asked once a file.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from ingest.libraries import library
from ingest.sources import archive, olm, records
from ingest.sources.detect import RECORDS, TEXT, Format, detect

# what a format cannot be read without: told before anything is read
_LIBRARIES: dict[Format | None, tuple[str, str, str]] = {
    "pst": ("pypff", "Outlook's data files (.pst, .ost)", "pst"),
    "msg": ("olefile", "Outlook's message files (.msg, .oft)", "msg"),
}


def recognise(path: Path) -> tuple[Format | None, str]:
    """The format and "", or None and what the file is instead. Raises OSError, LibraryMissing and
    WrongMapping."""
    format_, reason = detect(path)
    if format_ in _LIBRARIES:
        library(*_LIBRARIES[format_])
    if format_ is not None:
        return format_, ""
    if "zip" in reason and _is_olm(path):
        return "olm", ""
    if "archive" in reason and "7z" not in reason:
        reason = archive.look(path)
        return (None, reason) if reason else ("archive", "")
    if reason in (RECORDS, TEXT):
        kind, reason = records.look(path)
        return (kind, "") if kind else (None, reason)
    return None, reason


def _is_olm(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive_:
            return olm.is_olm(archive_)
    except zipfile.BadZipFile:
        return False
