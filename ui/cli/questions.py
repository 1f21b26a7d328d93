"""ask and cypher: questions in words, and in the language of the graph."""

from __future__ import annotations

from typing import Any

COMMANDS: tuple[Any, ...] = ()
