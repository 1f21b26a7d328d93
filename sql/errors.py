"""Everything that can go wrong with the store, on one page.

StoreError
├── EmbeddedServerError
│   ├── EmbeddedServerMissing      the package that carries Postgres is not installed for this platform
│   ├── DataDirectoryUnusable      the data directory cannot be written, or another version made it
│   └── EmbeddedServerFailed       initdb or the server itself failed; holds the end of its log
├── DatabaseUnreachable            the address does not answer, or refuses the login
├── ExtensionMissing               the server has no Apache AGE or no pgvector
├── ReaderLoginFailed              the read-only login is refused by the server
└── StoreBusy                      another program is writing to this store

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


class ExtensionMissing(StoreError):
    """The server lacks an extension that mailweave is built on."""


class ReaderLoginFailed(StoreError):
    """The read-only login does not work on this server."""


class StoreBusy(StoreError):
    """Another program is writing to the store; the message names it."""
