"""What is no longer in the export leaves the store: files that have gone, messages that have gone from a folder, and
what was written anew under the same name.

Only below the paths that are given, and only where those are still there: a disk that is not plugged in takes nothing
along. What was deleted from an mbox goes without this, since a rewritten mbox is read anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from psycopg import Connection

from ingest import changes, sources
from ingest.forget import forget_keys, forget_source
from ingest.sources import Source, SourceFile, imap
from ingest.types import RawMessage


def sync(conn: Connection[Any], mailbox: int, given: Sequence[Path | imap.Account], files: Sequence[Source]) -> int:
    """Forget what is missing or other than before. ``given``: what was asked for; ``files``: the sources there now.
    Returns how many messages left the store. Raises OSError, SourceError."""
    here = {file.name: file for file in files}
    roots = [str(each.address if isinstance(each, imap.Account) else each.expanduser().resolve()) for each in given]
    gone = 0
    for source, name in conn.execute("SELECT id, path FROM mail.source WHERE mailbox = %s", (mailbox,)).fetchall():
        file = here.get(name)
        if file is None:
            if any(name == root or name.startswith(root.rstrip("/") + "/") for root in roots):
                gone += forget_source(conn, source)
        elif isinstance(file, imap.Folder) or file.path.is_dir():
            stored = dict(conn.execute("SELECT key, raw_sha256 FROM mail.occurrence WHERE source = %s", (source,)))
            if missing := _missing(conn, source, file, stored):
                gone += forget_keys(conn, source, missing)
    return gone


def _missing(conn: Connection[Any], source: int, file: Source, stored: dict[str, bytes]) -> set[str]:
    """Keys of messages that are not there any more, or not as they were. Maildirs and accounts never write a message
    anew under its old name; in a folder of files a person may."""
    if not isinstance(file, SourceFile) or file.format == "maildir":
        return set(stored).difference(sources.keys(file))
    if not changes.is_changed(conn, source, file):
        return set()
    now = {
        piece.key: piece.sha256 or hashlib.sha256(piece.data).digest()
        for piece in sources.read(file)
        if isinstance(piece, RawMessage)
    }
    return {key for key, sha256 in stored.items() if now.get(key) != sha256}
