"""Find the place where somebody else's text begins: an attribution, a banner, a header block, a Notes form.

A recogniser looks at one line (and a bounded number of neighbours) and says where the marker starts and ends and what
it tells of the quoted message. Nothing here looks further than ``_REACH`` lines or ``_LONGEST`` characters, so the
work stays linear however a message is built.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ingest.quoting.lines import Lines
from ingest.quoting.vocabulary import (
    FORWARDED,
    LABELS,
    OPENS,
    ORIGINAL,
    WEEKDAYS,
    WROTE,
    begins_with,
    names_day_and_month,
    wrote_at_end,
    wrote_inside,
)

_LONGEST: Final = 400  # characters of an attribution, of a label line that is looked at
_LABEL: Final = 40  # characters before the colon of a header label
_SHORT: Final = 120  # characters of "NAME wrote:" without a date
_REACH: Final = 6  # lines of an attribution or of the head of a Notes form
_ADDRESSEES: Final = 400  # lines of a To or Cc list

_ADDRESS: Final = re.compile(r"[^\s<>@\"',;:()\[\]]+@[^\s<>@\"',;:()\[\]]+")
_TIME: Final = re.compile(r"\b\d{1,2}\s?[:.hH時시点點]\s?\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE)
_DAY: Final = re.compile(
    r"\b(?:19|20)\d{2}\b|(?<!\d)\d{1,2}([/.-])\s?\d{1,2}\1\s?\d{2,4}(?!\d)|\d{4}\s?[年년/.-]\s?\d{1,2}"
)
_ISO_START: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?(?: (?:GMT|UTC)[+-]?[\d:]*)?", re.IGNORECASE
)
_STARTS_WITH_DATE: Final = re.compile(r"\d{1,2}[:.]\d{2}|\d{1,4}[-/.年년]\s?\d{1,2}|\d{1,2}\.? [^\W\d_]{3,}")
_NOTES_STAMP: Final = re.compile(
    r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? {1,3}\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
)
_NAME_THEN_STAMP: Final = re.compile(rf"(.{{1,200}}?)(?: on |\s{{2,}})({_NOTES_STAMP.pattern})$")
_MESSAGE_FROM: Final = re.compile(r"[Mm]essage from (.{1,150}?) on (.{6,60}?)[\s:]*-{2,}")
_DASHES: Final = "-_=*—–~#>|• \t"
_WRAP_IN: Final = "*_ \t|"


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


def marker_at(lines: Lines, i: int, stop: int, level: int) -> Marker | None:
    """The marker that starts at line ``i`` of the text at depth ``level``, or None. Looks at lines before ``stop``."""
    body = lines.body[i]
    if not body or len(body) > _LONGEST:
        return _flat_notes(lines, i) if " To:" in body[:_LONGEST] else None
    if found := _banner(lines, i, stop, level):
        return found
    if found := _notes_form(lines, i, stop, level):
        return found
    if ":" in body[: _LABEL + 2] or "：" in body[: _LABEL + 2]:
        headers = header_block(lines, i, stop, level)
        if headers and _is_complete(headers[1]):
            return Marker(i, headers[0], "quoted", headers[1])
    return _attribution(lines, i, stop, level)


# -- banners ---------------------------------------------------------------------------------------------------------


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
        if candidate is not None and (notes := _notes_form(lines, candidate, stop, level)):
            marker.end, marker.headers = notes.end, notes.headers
            return marker
    headers = header_block(lines, first_line, stop, level)
    if headers and ("sender" in headers[1] or len(headers[1]) > 1):
        marker.end, marker.headers = headers[0], {**marker.headers, **headers[1]}
    elif (said := _attribution(lines, first_line, stop, level)) and said.sure:
        marker.end, marker.attribution = said.end, said.attribution
    return marker


def _next_with_words(lines: Lines, i: int, stop: int, level: int) -> int | None:
    """The next line that is not blank and not only dashes, at most a few lines away."""
    for j in range(i, min(stop, i + 2 * _REACH)):
        if lines.depth[j] < level:
            return None
        if lines.body[j].strip(_DASHES):
            return j
    return None


# -- header blocks ---------------------------------------------------------------------------------------------------


def label_of(body: str) -> tuple[str, str] | None:
    """(role, value) of a header line such as "*From:* Ann <ann@example.com>", or None."""
    head = body[: _LABEL + 2]
    colon = head.find(":")
    wide = head.find("：")
    if wide >= 0 and (colon < 0 or wide < colon):
        colon = wide
    if colon <= 0:
        return None
    role = LABELS.get(head[:colon].strip(_WRAP_IN).casefold().rstrip("."))
    if role is None:
        return None
    return role, body[colon + 1 :].strip(_WRAP_IN)


def header_block(lines: Lines, i: int, stop: int, level: int) -> tuple[int, dict[str, str]] | None:
    """The header block that starts at line ``i``: (line after it, headers as written), or None if ``i`` is no label.

    Lists of addressees may go on over many lines, other values over two; single blank lines may stand between.
    """
    first = label_of(lines.body[i])
    if first is None:
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
        label = label_of(body) if len(body) < 20 * _LONGEST else None
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


def _label_after_blanks(lines: Lines, i: int, stop: int, level: int) -> int | None:
    for j in range(i, min(stop, i + 4)):
        if lines.body[j]:
            return j if lines.depth[j] == level and label_of(lines.body[j]) else None
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


def _is_complete(headers: dict[str, str]) -> bool:
    """Without a banner a block must name a sender and say two things more (a date that has a digit is enough)."""
    known = headers.keys() - {"other"}
    if "sender" not in known:
        return False
    if len(known) >= 3:
        return True
    return "sent" in known and bool(re.search(r"\d{1,2}[:.]\d{2}|\d{4}", headers["sent"]))


# -- Lotus Notes -----------------------------------------------------------------------------------------------------


def _notes_form(lines: Lines, i: int, stop: int, level: int) -> Marker | None:
    """ "NAME on 07/10/2000 08:59:00 AM" (or the date in a column, or under the name) above To:, cc: and Subject:.

    A line may begin with From:, and lines of a letterhead (telephone, "Please respond to") may stand between.
    """
    body = lines.body[i]
    following = lines.body[i + 1] if i + 1 < stop and lines.depth[i + 1] == level else ""
    if not (body[-1].isdigit() or body[-1] in "mM." or following[:1].isdigit() or " To:" in body):
        return None
    if " To:" in body:
        return _flat_notes(lines, i)
    label = label_of(body)
    if label and label[0] != "sender":
        return None
    named = label[1] if label else body
    if following and not label and _NOTES_STAMP.fullmatch(following) and not _NOTES_STAMP.search(body):
        name, stamp, j = body, following, i + 2
    elif found := _NAME_THEN_STAMP.match(named):
        name, stamp, j = found.group(1), found.group(2), i + 1
    elif found := _NAME_THEN_STAMP.match(f"{named} {following}"[:_LONGEST]):
        name, stamp, j = found.group(1), found.group(2), i + 2
    else:
        return None
    others = 0
    for k in range(j, min(stop, j + 2 * _REACH)):
        if lines.depth[k] != level:
            return None
        below = label_of(lines.body[k])
        if below and below[0] in {"to", "cc", "subject"}:
            block = header_block(lines, k, stop, level)
            if block is None or len(block[1].keys() - {"other"}) < 2:
                return None
            headers = {"sender": name.strip(_WRAP_IN), "sent": stamp, **block[1]}
            return Marker(i, block[0], "quoted", headers)
        if lines.body[k] and not below and not lines.body[k].casefold().startswith(("please respond", "sent by")):
            others += 1
            if others > (3 if label else 0):
                return None
    return None


def _flat_notes(lines: Lines, i: int) -> Marker | None:
    """A Notes form that lost its lines: "NAME 04/03/01 08:22 AM   To: …  cc: …  Subject: …" on one line."""
    body = lines.body[i]
    to = body.find(" To:")
    cc = body.find(" cc:", to)
    subject = body.find(" Subject:", to)
    stamp = _NOTES_STAMP.search(body, max(0, to - 200), to)
    if subject < 0 or stamp is None or len(body) > 50 * _LONGEST:
        return None
    name = body[: stamp.start()].strip(_WRAP_IN)
    headers = {
        "sender": name.removesuffix(" on"),
        "sent": stamp.group(),
        "to": body[to + 4 : cc if 0 <= cc < subject else subject].strip(_WRAP_IN),
        "subject": body[subject + 9 :].strip(_WRAP_IN),
    }
    if 0 <= cc < subject:
        headers["cc"] = body[cc + 4 : subject].strip(_WRAP_IN)
    return Marker(i, i + 1, "quoted", headers) if 0 < len(name) < 200 else None


def notes_sender(sender: str) -> tuple[str, str]:
    """Split the sender line of a Notes form, "NAME      07/10/2000 08:59 AM", into (name, date as written or "")."""
    found = _NAME_THEN_STAMP.match(sender[:_LONGEST])
    return (found.group(1).strip(), found.group(2)) if found else (sender, "")


# -- attributions ----------------------------------------------------------------------------------------------------


def _attribution(lines: Lines, i: int, stop: int, level: int) -> Marker | None:
    """ "On … wrote:" and its like, starting at line ``i`` and up to ``_REACH`` lines long."""
    body = lines.body[i]
    lower = body.lstrip("-*_ ").casefold()
    strong = _opens_with_date(lower)
    if not strong and not ("@" in body or body[-1] in ":：*" or wrote_inside(lower)):
        return None
    joined = ""
    blanks = tries = 0
    for j in range(i, min(stop, i + _REACH + 2)):
        if lines.depth[j] != level or tries > 2:
            break
        part = lines.body[j]
        if not part:
            blanks += 1
            # Only a sentence that is plainly unfinished goes on after a blank line.
            unfinished = joined.count("<") > joined.count(">") or lines.body[min(j + 1, stop - 1)][:1] in {"<", "("}
            if blanks > 1 or not strong or not unfinished:
                break
            continue
        joined = f"{joined} {part}" if joined else part
        if len(joined) > _LONGEST:
            break
        sure = None
        if _may_end(part, i, j):
            tries += 1
            sure = _says_who_wrote(joined, strong, j == i and _alone(lines, i, stop, level))
        if sure is None:
            if part[-1] in ".!?。" and not part[-2:-1].isdigit() and len(part) > 20:
                break
            continue
        if not sure:
            following = j + 1
            while following < stop and not lines.body[following] and following < j + 3:
                following += 1
            if following >= stop or lines.depth[following] <= level:
                continue
        return Marker(i, j + 1, "quoted", attribution=joined, sure=sure)
    return None


def _opens_with_date(lower: str) -> bool:
    """Does it start with a date, or with a word that programs put before one and a number behind it?"""
    if _STARTS_WITH_DATE.match(lower):
        return True
    word = begins_with(lower, OPENS) or begins_with(lower, WEEKDAYS)
    return word > 0 and any(character.isdigit() for character in lower[word:])


def _may_end(part: str, first: int, here: int) -> bool:
    """A cheap look at the last line of what may be an attribution: a colon, or a verb of writing."""
    ending = part.rstrip("*_ \t-)]")
    return ending[-1:] in {":", "："} or here == first or ending.casefold().endswith(WROTE)


def _alone(lines: Lines, i: int, stop: int, level: int) -> bool:
    before = i == 0 or not lines.body[i - 1]
    after = i + 1 >= stop or not lines.body[i + 1] or lines.depth[i + 1] > level
    return before and after


def _says_who_wrote(joined: str, strong: bool, alone: bool) -> bool | None:
    """True for an attribution, False for one only if a quotation follows at once, None for neither.

    ``strong``: it starts with a date or a word that programs put before one. ``alone``: a paragraph of its own.
    """
    text = joined.strip("-*_ \t").casefold().replace("\u202f", " ").replace("\xa0", " ")
    colon = text.endswith((":", "："))
    wrote = wrote_at_end(text.rstrip(":： )]*_")) >= 0
    if not colon and not wrote:
        found = _ISO_START.match(text) if alone and strong else None
        return True if found and ("@" in text or "gmt" in found.group()) else None
    address = "@" in text and _ADDRESS.search(text) is not None
    time = _TIME.search(text) is not None
    dated = time or _DAY.search(text) is not None or names_day_and_month(text)
    verb = wrote or wrote_inside(text) is not None
    if verb and (dated or address) and (colon or (wrote and strong)):
        return strong or address
    if colon and address and strong and dated:
        return True
    if colon and ((verb and len(text) < _SHORT) or (dated and (address or (time and strong)))):
        return False
    return None
