"""Lotus Notes forms: the name and the date stand without labels above To:, cc: and Subject:."""

from __future__ import annotations

import re
from typing import Final

from ingest.quoting.headers import header_block, label_of
from ingest.quoting.lines import Lines
from ingest.quoting.marker import LONGEST, REACH, WRAP_IN, Marker
from ingest.quoting.vocabulary import LABELS

_NOTES_STAMP: Final = re.compile(
    r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? {1,3}\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
)
_NAME_THEN_STAMP: Final = re.compile(rf"(.{{1,200}}?)(?: on |\s{{2,}})({_NOTES_STAMP.pattern})$")


def notes_form(lines: Lines, i: int, stop: int, level: int) -> Marker | None:
    """ "NAME on 07/10/2000 08:59:00 AM" (or the date in a column, or under the name) above To:, cc: and Subject:.

    A line may begin with From:, and lines of a letterhead (telephone, "Please respond to") may stand between.
    """
    body = lines.body[i]
    below_at = i + 1
    if i + 2 < stop and not lines.body[i + 1] and _NOTES_STAMP.fullmatch(lines.body[i + 2]):
        below_at = i + 2
    following = lines.body[below_at] if below_at < stop and lines.depth[below_at] == level else ""
    if not (body[-1].isdigit() or body[-1] in "mM." or following[:1].isdigit() or " To:" in body):
        return None
    if " To:" in body:
        return flat_notes(lines, i)
    label = label_of(body)
    if label and label[0] != "sender":
        return None
    named = label[1] if label else body
    if following and not label and _NOTES_STAMP.fullmatch(following) and not _NOTES_STAMP.search(body):
        name, stamp, j = body, following, below_at + 1
    elif found := _NAME_THEN_STAMP.match(named):
        name, stamp, j = found.group(1), found.group(2), i + 1
    elif found := _NAME_THEN_STAMP.match(f"{named} {following}"[:LONGEST]):
        name, stamp, j = found.group(1), found.group(2), i + 2
    else:
        return None
    others = 0
    for k in range(j, min(stop, j + 2 * REACH)):
        if lines.depth[k] != level:
            return None
        if table := _table(lines, k, stop, level):
            return Marker(i, table[0], "quoted", {"sender": name.strip(WRAP_IN), "sent": stamp, **table[1]})
        below = label_of(lines.body[k])
        if below and below[0] in {"to", "cc", "subject"}:
            block = header_block(lines, k, stop, level)
            if block is None or len(block[1].keys() - {"other"}) < 2:
                return None
            headers = {"sender": name.strip(WRAP_IN), "sent": stamp, **block[1]}
            return Marker(i, block[0], "quoted", headers)
        if lines.body[k] and not below and not lines.body[k].casefold().startswith(("please respond", "sent by")):
            others += 1
            if others > (3 if label else 0):
                return None
    return None


def _table(lines: Lines, i: int, stop: int, level: int) -> tuple[int, dict[str, str]] | None:
    """The To, cc and Subject cells of a form that was a table in HTML: labels without colons."""
    headers: dict[str, str] = {}
    end = i
    for j in range(i, min(stop, i + REACH)):
        label, _, value = lines.body[j].partition(" ")
        role = LABELS.get(label.casefold()) if lines.depth[j] == level else None
        if role not in {"to", "cc", "bcc", "subject"} or role in headers:
            break
        headers[role] = value.strip()
        end = j + 1
    return (end, headers) if "subject" in headers and len(headers) > 1 else None


def flat_notes(lines: Lines, i: int) -> Marker | None:
    """A Notes form that lost its lines: "NAME 04/03/01 08:22 AM   To: …  cc: …  Subject: …" on one line."""
    body = lines.body[i]
    to = body.find(" To:")
    cc = body.find(" cc:", to)
    subject = body.find(" Subject:", to)
    stamp = _NOTES_STAMP.search(body, max(0, to - 200), to)
    if subject < 0 or stamp is None or len(body) > 50 * LONGEST:
        return None
    name = body[: stamp.start()].strip(WRAP_IN)
    headers = {
        "sender": name.removesuffix(" on"),
        "sent": stamp.group(),
        "to": body[to + 4 : cc if 0 <= cc < subject else subject].strip(WRAP_IN),
        "subject": body[subject + 9 :].strip(WRAP_IN),
    }
    if 0 <= cc < subject:
        headers["cc"] = body[cc + 4 : subject].strip(WRAP_IN)
    return Marker(i, i + 1, "quoted", headers) if 0 < len(name) < 200 else None


def notes_sender(sender: str) -> tuple[str, str]:
    """Split the sender line of a Notes form, "NAME      07/10/2000 08:59 AM", into (name, date as written or "")."""
    found = _NAME_THEN_STAMP.match(sender[:LONGEST])
    return (found.group(1).strip(), found.group(2)) if found else (sender, "")
