"""What a recogniser finds: a marker, the place where somebody else's text begins."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

LONGEST: Final = 400  # characters of an attribution, of a label line that is looked at
REACH: Final = 6  # lines of an attribution or of the head of a Notes form
WRAP_IN: Final = "*_ \t|"


@dataclass(slots=True)
class Marker:
    """Where a marker stands (``start`` to ``end``, line numbers, ``end`` exclusive) and what it tells.

    ``kind`` is "quoted" or "forwarded". ``headers`` maps sender, sent, to, cc, bcc, subject to what was written;
    ``attribution`` is the sentence ("On … wrote:") where there is one. ``sure`` is False where only a quoted line
    right after it makes it a marker.
    """

    start: int
    end: int
    kind: str
    headers: dict[str, str] = field(default_factory=dict)
    attribution: str = ""
    sure: bool = True
    banner: bool = False
