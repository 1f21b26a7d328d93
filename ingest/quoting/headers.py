"""Header blocks: the From, Sent, To and Subject lines that Outlook and others write above the mail they quote."""

from __future__ import annotations

import re
from typing import Final

from ingest.quoting.lines import Lines
from ingest.quoting.marker import LONGEST, WRAP_IN
from ingest.quoting.vocabulary import LABELS

_LABEL: Final = 40  # characters before the colon of a header label
_ADDRESSEES: Final = 400  # lines of a To or Cc list


def label_of(body: str) -> tuple[str, str] | None:
    """(role, value) of a header line such as "*From:* Ann <ann@example.com>", or None."""
    head = body[: _LABEL + 2]
    colon = head.find(":")
    wide = head.find("：")
    if wide >= 0 and (colon < 0 or wide < colon):
        colon = wide
    if colon <= 0:
        return None
    role = LABELS.get(head[:colon].strip(WRAP_IN).casefold().rstrip("."))
    if role is None:
        return None
    return role, body[colon + 1 :].strip(WRAP_IN)


def header_block(lines: Lines, i: int, stop: int, level: int) -> tuple[int, dict[str, str]] | None:
    """The header block that starts at line ``i``: (line after it, headers as written), or None if ``i`` is no label.

    Lists of addressees may go on over many lines, other values over two; single blank lines may stand between.
    """
    if _label_at(lines, i) is None:
        return None
    headers: dict[str, str] = {}
    last = ""
    continued = 0
    end = j = i
    while j < stop:
        body = lines.body[j]
        if lines.depth[j] != level:
            break
        if not body:
            following = _label_after_blanks(lines, j, stop, level)
            if following is None or label_of(lines.body[following])[0] in headers:  # type: ignore[index]
                break
            j = following
            continue
        label = _label_at(lines, j)
        if label:
            role, value = label
            if role in headers and role != "other":
                break
            headers[role] = value
            last, continued = role, 0
        elif not _continues(lines, j, stop, level, last, continued):
            break
        else:
            headers[last] = f"{headers[last]} {body}".strip() if len(headers[last]) < 20_000 else headers[last]
            continued += 1
        j += 1
        end = j
    return end, headers


def _label_at(lines: Lines, i: int) -> tuple[str, str] | None:
    """The label of line ``i``; a line far longer than a header starts none."""
    return label_of(lines.body[i]) if len(lines.body[i]) < 20 * LONGEST else None


def _label_after_blanks(lines: Lines, i: int, stop: int, level: int) -> int | None:
    for j in range(i, min(stop, i + 4)):
        if lines.body[j]:
            return j if lines.depth[j] == level and _label_at(lines, j) else None
    return None


def _continues(lines: Lines, j: int, stop: int, level: int, last: str, continued: int) -> bool:
    """Does line ``j``, which has no label, go on with the header before it?"""
    body = lines.body[j]
    if last in {"to", "cc", "bcc"}:
        if continued >= _ADDRESSEES:
            return False
        before = lines.body[j - 1]
        if before.endswith((",", ";")) or "@" in body or body.count(";") > 1:
            return True
    if continued >= 3:
        return False
    # Anything else goes on only when another label follows.
    return any(lines.depth[k] == level and label_of(lines.body[k]) is not None for k in range(j + 1, min(stop, j + 3)))


def is_complete(headers: dict[str, str]) -> bool:
    """Without a banner a block must name a sender and say two things more (a date that has a digit is enough)."""
    known = headers.keys() - {"other"}
    if "sender" not in known:
        return False
    if len(known) >= 3:
        return True
    return "sent" in known and bool(re.search(r"\d{1,2}[:.]\d{2}|\d{4}", headers["sent"]))
