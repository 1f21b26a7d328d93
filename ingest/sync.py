"""What is no longer in the export leaves the store: files that have gone, and messages that have gone from a folder.

Only below the paths that are given, and only where those are still there: a disk that is not plugged in takes nothing
along. What was deleted from an mbox goes without this, since a rewritten mbox is read anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from psycopg import Connection

from ingest import sources
from ingest.forget import forget_keys, forget_source
from ingest.sources import SourceFile


def sync(conn: Connection[Any], mailbox: int, paths: Sequence[Path], files: Sequence[SourceFile]) -> int:
    """Forget what is missing. ``files``: what stands below ``paths`` now. Returns how many messages left the store."""
    here = {str(file.path): file for file in files}
    roots = [path.expanduser().resolve() for path in paths]
    gone = 0
    for source, name in conn.execute("SELECT id, path FROM mail.source WHERE mailbox = %s", (mailbox,)).fetchall():
        path = Path(name)
        file = here.get(name)
        if file is None:
            if any(root == path or root in path.parents for root in roots):
                gone += forget_source(conn, source)
        elif path.is_dir():
            stored = {key for (key,) in conn.execute("SELECT key FROM mail.occurrence WHERE source = %s", (source,))}
            if missing := stored.difference(sources.keys(file)):
                gone += forget_keys(conn, source, missing)
    return gone
