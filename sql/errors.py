"""Everything that can go wrong with the store, on one page.

StoreError
├── EmbeddedServerError
│   ├── EmbeddedServerMissing      the package that carries Postgres is not installed for this platform
│   ├── DataDirectoryUnusable      the data directory cannot be written, or another version made it
│   └── EmbeddedServerFailed       initdb or the server itself failed; holds the end of its log
├── DatabaseUnreachable            the address does not answer, or refuses the login
├── ConnectionLost                 the server went away in the middle of something
├── StorageFailed                  the disk is full or cannot be written
├── ExtensionMissing               the server has no Apache AGE or no pgvector
├── ServerTooOld                   its Postgres or its Apache AGE is older than what mailweave can use
├── RightsMissing                  the login may not prepare the database; holds what an administrator has to run
├── ReaderLoginFailed              the read-only login is refused by the server
├── StoreBusy                      another program is writing to this store
└── BackupError                    a backup cannot be written or restored
    ├── NoBackup                   the file is none, or something else stands where it would be written
    ├── BackupDamaged              it is cut off or was changed
    ├── BackupTooNew               a newer mailweave wrote it
    └── StoreNotEmpty              there is mail in the store already

Each message says what the person can do next. None of them ever holds a password.
"""

from __future__ import annotations


class StoreError(Exception):
    """Base of all errors of the store."""


class EmbeddedServerError(StoreError):
    """The embedded server cannot be used."""


class EmbeddedServerMissing(EmbeddedServerError):
    """No embedded Postgres for this platform."""


class DataDirectoryUnusable(EmbeddedServerError):
    """The data directory cannot be used as it is."""


class EmbeddedServerFailed(EmbeddedServerError):
    """The embedded server did not start."""


class DatabaseUnreachable(StoreError):
    """The configured server does not answer or refuses the login."""


class ConnectionLost(StoreError):
    """The server went away while it was used; what was committed stays."""


class StorageFailed(StoreError):
    """The server cannot write: its disk is full, or has become read-only."""


class ExtensionMissing(StoreError):
    """The server lacks an extension that mailweave is built on."""


class ServerTooOld(StoreError):
    """The server's Postgres or Apache AGE is too old."""


class RightsMissing(StoreError):
    """The login may not prepare the database. ``statements``: what an administrator runs in it once."""

    def __init__(self, login: str, database: str, statements: list[str]) -> None:
        lines = "".join(f"\n    {statement};" for statement in statements)
        super().__init__(
            f"The login {login} may not prepare the database {database}. Let an administrator run this in it once, "
            f"then try again:{lines}"
        )
        self.statements = statements


class ReaderLoginFailed(StoreError):
    """The read-only login does not work on this server."""


class StoreBusy(StoreError):
    """Another program is writing to the store; the message names it."""


class BackupError(StoreError):
    """A backup cannot be written or restored; nothing was changed."""


class NoBackup(BackupError):
    """The file is no backup."""


class BackupDamaged(BackupError):
    """The file is not what was written."""


class BackupTooNew(BackupError):
    """A newer program wrote the file."""


class StoreNotEmpty(BackupError):
    """A backup is restored into an empty store alone."""
