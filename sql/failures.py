"""What no query is to blame for gets its name, wherever a connection is used: a full disk, a server that went away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from sql.errors import ConnectionLost, StorageFailed


@contextmanager
def named(store: str) -> Iterator[None]:
    """Raises StorageFailed and ConnectionLost in place of what the driver says within; ``store``: the store's name."""
    try:
        yield
    except (psycopg.errors.DiskFull, psycopg.errors.IoError) as error:
        raise StorageFailed(
            f"The database cannot write ({error.diag.message_primary or 'the disk is full'}). Free space, then run the "
            "same again: nothing is half written, and it goes on from there."
        ) from None
    except psycopg.OperationalError as error:
        # what the server says has a code; of its going away the driver tells, on whatever connection it was noticed
        if error.sqlstate is not None and not error.sqlstate.startswith("57P"):
            raise
        raise ConnectionLost(
            f"The database of the store '{store}' went away in the middle. Run the same again: nothing is half "
            "written, and it goes on from there."
        ) from None
