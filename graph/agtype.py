"""Values of the graph extension as Python values."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

# Strings are skipped as a whole: a subject may contain "::vertex".
_MARKS = re.compile(r'("(?:[^"\\]|\\.)*")|::(?:vertex|edge|path)\b|(-?[\d.]+(?:[eE][-+]?\d+)?)::numeric\b')


def decode(text: str | None) -> Any:
    """A value as the server writes it: numbers, texts, lists and maps; a vertex is a map with id, label, properties."""
    if text is None:
        return None
    plain = _MARKS.sub(lambda found: found.group(1) or found.group(2) or "", text)
    return json.loads(plain, parse_float=_number)


def _number(text: str) -> float | Decimal:
    number = float(text)
    return number if repr(number) == text or len(text) < 16 else Decimal(text)
