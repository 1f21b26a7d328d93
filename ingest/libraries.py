"""Libraries that only some formats need: loaded when such a file is met, named when they are missing."""

from __future__ import annotations

import importlib
from typing import Any

from ingest.errors import LibraryMissing


def library(module: str, what: str, extra: str) -> Any:
    """The module. Raises LibraryMissing, which says that ``what`` needs the extra ``extra`` of this program."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise LibraryMissing(module, what, extra) from error
