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
        if not lost(error):
            raise
        raise ConnectionLost(
            f"The database of the store '{store}' went away in the middle. Run the same again: nothing is half "
            "written, and it goes on from there."
        ) from None


def lost(error: psycopg.Error) -> bool:
    """Whether the server went away, rather than found fault with a statement. What a server says has a code, and those
    of its going away begin with 08 or 57P; of a connection that broke the driver tells, without one."""
    state = error.sqlstate
    return isinstance(error, psycopg.OperationalError) and (state is None or state.startswith(("08", "57P")))
