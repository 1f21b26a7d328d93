"""Find the place where somebody else's text begins: an attribution, a banner, a header block, a Notes form.

A recogniser looks at one line (and a bounded number of neighbours) and says where the marker starts and ends and what
it tells of the quoted message. Nothing here looks further than ``REACH`` lines or ``LONGEST`` characters, so the
work stays linear however a message is built.
"""

from __future__ import annotations

import re
from typing import Final

from ingest.quoting.attributions import attribution
from ingest.quoting.headers import header_block, is_complete
from ingest.quoting.lines import Lines
from ingest.quoting.marker import LONGEST, REACH, Marker
from ingest.quoting.notes import flat_notes, notes_form
from ingest.quoting.vocabulary import FORWARDED, ORIGINAL

__all__ = ["Marker", "banner_kind", "marker_at"]

_MESSAGE_FROM: Final = re.compile(r"[Mm]essage from (.{1,150}?) on (.{6,60}?)[\s:]*-{2,}")
_DASHES: Final = "-_=*—–~#>|• \t"


def marker_at(lines: Lines, i: int, stop: int, level: int) -> Marker | None:
    """The marker that starts at line ``i`` of the text at depth ``level``, or None. Looks at lines before ``stop``."""
    body = lines.body[i]
    if not body or len(body) > LONGEST:
        return flat_notes(lines, i) if " To:" in body[:LONGEST] else None
    if found := _banner(lines, i, stop, level):
        return found
    if found := notes_form(lines, i, stop, level):
        return found
    headers = header_block(lines, i, stop, level)
    if headers and is_complete(headers[1]):
        return Marker(i, headers[0], "quoted", headers[1])
    return attribution(lines, i, stop, level)


def banner_kind(body: str) -> str | None:
    """ "quoted" for "-----Original Message-----" in any language, "forwarded" for a forward banner, else None."""
    if len(body) > 200:
        return None
    bare = body.strip(_DASHES)
    if not bare or len(bare) > 160:
        return None
    dashed = body.lstrip("*> \t")[:2] in {"--", "__", "==", "——", "––", "~~", "##", "- "}
    words = " ".join(bare.rstrip(" :：-").casefold().replace("’", "'").replace("´", "'").split())
    if words in FORWARDED and (dashed or (bare[-1] in ":：" and " " in words)):
        return "forwarded"
    if words in ORIGINAL and dashed:
        return "quoted"
    if not dashed:
        return None
    if any(words.startswith(start) for start in _FORWARDED_BY):
        return "forwarded"
    if any(words.startswith(start) for start in _ORIGINAL_PLUS) and body.rstrip("* ")[-1:] in {"-", "®"}:
        return "quoted"
    return None


_FORWARDED_BY: Final = tuple(
    f"{word} "
    for word in sorted(FORWARDED)
    if word.endswith((" by", " von", " par", " por", " da", " door", " av", " af"))
)
_ORIGINAL_PLUS: Final = ("original message ", "original-nachricht ", "message from ")


def _banner(lines: Lines, i: int, stop: int, level: int) -> Marker | None:
    body = lines.body[i]
    first = body.lstrip("*> \t")[:1]
    if first not in {"-", "_", "=", "—", "–", "~", "#"} and body[-1] not in ":：*-":
        return None
    kind = banner_kind(body)
    if kind is None:
        return None
    end = i + 1
    # "---- Forwarded by NAME on 07/10/2000" / "08:59 AM -----" is wrapped by the program that sent it.
    while end < min(stop, i + 3) and lines.body[end] and not body.endswith("-") and "forwarded by" in body.casefold():
        body = lines.body[end]
        end += 1
        if not body.rstrip().endswith("-"):
            end -= 1
            break
    marker = Marker(i, end, kind, banner=True)
    if said_so := _MESSAGE_FROM.search(body):
        marker.headers = {"sender": said_so.group(1), "sent": said_so.group(2)}
    first_line = _next_with_words(lines, end, stop, level)
    if first_line is None or lines.depth[first_line] != level:
        return marker
    for candidate in (first_line, _next_with_words(lines, first_line + 1, stop, level)):
        # A letterhead may stand above the headers of a Notes form.
        if candidate is not None and (notes := notes_form(lines, candidate, stop, level)):
            marker.end, marker.headers = notes.end, notes.headers
            return marker
    headers = header_block(lines, first_line, stop, level)
    if headers and ("sender" in headers[1] or len(headers[1]) > 1):
        marker.end, marker.headers = headers[0], {**marker.headers, **headers[1]}
    elif (said := attribution(lines, first_line, stop, level)) and said.sure:
        marker.end, marker.attribution = said.end, said.attribution
    return marker


def _next_with_words(lines: Lines, i: int, stop: int, level: int) -> int | None:
    """The next line that is not blank and not only dashes, at most a few lines away."""
    for j in range(i, min(stop, i + 2 * REACH)):
        if lines.depth[j] < level:
            return None
        if lines.body[j].strip(_DASHES):
            return j
    return None
