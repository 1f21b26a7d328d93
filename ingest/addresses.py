"""Who stands in an address header: addresses with their names, out of whatever was written there.

RFC 5322 with groups and comments, and what is found besides: "Last, First <a@b>" without quotes, semicolons between
addresses (Outlook), X.500 names in place of addresses and foreign addresses packed into one of its own (Exchange),
"Ada Quill/BER/ACME@ACME" (Notes), names alone, whole addresses inside an encoded word, "a at b.c" (list archives). A
group's name is nobody ("undisclosed-recipients:;").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ingest import charsets
from ingest.headers import text
from ingest.types import Mailbox

# longer than any real address and name: such a "name" is broken syntax, and an index must hold it
MAX_ADDRESS = 400
MAX_NAME = 200
MAX_REMEMBERED = 400
# what is looked at of one entry: patterns that go back over what they read take the square of its length
MAX_READ = 2_000

# turns the direction of writing, or is not seen at all: with it a name looks like another one
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_PLAIN = re.compile(r"[^\s<>\"(),:;@=\[\]\\']+@[^\s<>\"(),:;@=\[\]\\']+\Z")
_SIMPLE = re.compile(r"\s*\"?([^<>\"(),:;@=\[\]\\]*?)\"?\s*<([^\s<>\"(),:;@=\[\]\\']+@[^\s<>\"(),:;@=\[\]\\']+)>\s*\Z")
# the lengths are bounded so that a header of nothing but opening marks is read in linear time
_TOKEN = re.compile(
    r"=\?[^?\s]{1,60}\?[bBqQ]\?.{0,1000}?\?=|"
    r"\"((?:[^\"\\]|\\.){0,1000})\"|"
    r"<([^<>]{0,2000})>|"
    r"(\((?:[^()\\]|\\.|\((?:[^()\\]|\\.){0,200}\)){0,500}\))|"
    r"[^\s<>\"(),:;@]*@\[[^\[\]\s]*\]|"
    r"[^\s<>\"(),:;]+|"
    r"[,;:]",
    re.S,
)
_NOBODY = re.compile(
    r"(?:undisclosed|unlisted|suppressed|hidden)[-_ ]*recipients?\b|recipients?[- ](?:list )?(?:suppressed|not shown)|"
    r"recipient list not shown|no[- ]to-header",
    re.I,
)
# "Ada Quill/BER/ACME@ACME", "Ada Quill@ACME": no address of the Internet, its domain has no dot
NOTES_NAME = re.compile(r"([^\s/@<>]+ [^/@<>]+)(?:(?:/[^/@<>]+)+(?:@[^\s.@<>]+)*|(?:@[^\s.@<>]+)+)\Z")
_AT_WORD = re.compile(r"([^\s@]+)\s+at\s+([^\s@]+\.[^\s@.]{2,})\Z")
_SPACED_AT = re.compile(r"(\S)\s*@\s*(?=\S)")
_SPACED_DOTS = re.compile(r"@[^\s.@]+(?:\s*\.\s*[\w-]+)+")
_GATEWAY = re.compile(r"\A([^@]+@[^@]+\.[^@]+?)(?:@[^@.]+)+\Z")
_ENCAPSULATED = re.compile(r"\Aimcea([a-z0-9]+)-(.+)@[^@]+\Z", re.I | re.S)
_HEX = re.compile(r"\+([0-9A-Fa-f]{2})")
_COMMENT = re.compile(r"\((?:[^()\\]|\\.)*\)")
_SCHEME = ("mailto", "smtp", "x500", "ex", "email", "e-mail")


@dataclass(slots=True)
class _Item:
    words: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    angle: str | None = None
    ended_by: str = ""

    def __bool__(self) -> bool:
        return bool(self.words or self.angle is not None)


def parse_addresses(value: str) -> list[Mailbox]:
    """The mailboxes of a header's value, in order. Addresses are lower case; where there is only a name, it stands
    for the address too."""
    value = value.strip()
    # most mail comes from and goes to few people, so most values are met again
    return list(_remembered(value) if len(value) <= MAX_REMEMBERED else _parsed(value))


def _parsed(value: str) -> Sequence[Mailbox]:
    if not value:
        return ()
    found = _fast(value)
    return _with_words(value) if found is None else found


@lru_cache(maxsize=16_384)
def _remembered(value: str) -> tuple[Mailbox, ...]:
    return tuple(_parsed(value))


def parse_one(value: str) -> Mailbox | None:
    """The first mailbox of a header's value."""
    found = parse_addresses(value)
    return found[0] if found else None


def _fast(value: str) -> list[Mailbox] | None:
    """Most headers: bare addresses between commas, or one name with its address."""
    found = []
    for piece in value.split(","):
        piece = piece.strip()
        if len(piece) > MAX_READ:
            return None
        if _PLAIN.match(piece) and piece[:5].lower() != "imcea":
            found.append(Mailbox(piece.lower()[:MAX_ADDRESS]))
            continue
        simple = _SIMPLE.match(piece)
        if not simple or "=?" in piece or (found and not simple[1].strip()):
            return None
        mailbox = _mailbox(simple[1], simple[2])
        if mailbox:
            found.append(mailbox)
    return found


def _with_words(value: str) -> list[Mailbox]:
    items = _joined_names(_items(value))
    found = []
    for item in items:
        mailbox = _from_item(item)
        if mailbox is None and "=?" in value and any("=?" in word for word in item.words):
            # the whole of "Name <address>" was encoded at once
            decoded = text(" ".join(item.words))
            if "@" in decoded and "=?" not in decoded:
                found.extend(_with_words(decoded))
            continue
        if mailbox:
            found.append(mailbox)
    return found


def _items(value: str) -> list[_Item]:
    items: list[_Item] = []
    item = _Item()

    def finish(separator: str) -> None:
        nonlocal item
        item.words.extend(item.behind)
        if item:
            item.ended_by = separator
            items.append(item)
        item = _Item()

    for match in _TOKEN.finditer(value):
        written = match[0]
        if match[2] is not None:
            if item.angle and _ENCAPSULATED.match(match[2]):
                # Exchange's form of the address that was just read
                continue
            if item.angle is not None:
                # "Ada <a@b> Joe <c@d>": a comma is missing
                following, item.behind = item.behind, []
                finish("")
                item.words = following
            item.angle = match[2]
        elif match[3] is not None:
            item.comments.append(re.sub(r"\\(.)", r"\1", match[3][1:-1]))
        elif match[1] is not None:
            (item.words if item.angle is None else item.behind).append(re.sub(r"\\(.)", r"\1", match[1]))
        elif written in ",;":
            finish(written)
        elif written == ":":
            if item.words and item.words[-1].lower().strip("'") in _SCHEME:
                item.words.pop()
            elif item.angle is None and not any("@" in word for word in item.words):
                item = _Item()
            else:
                finish(":")
        else:
            if item.angle is not None and written.startswith("@"):
                # the gateway by which the address was reached: <a@b.c>@GATE
                continue
            if item.angle is not None and "@" in written:
                finish("")
            (item.words if item.angle is None else item.behind).append(written)
    finish("")
    return items


def _joined_names(items: list[_Item]) -> list[_Item]:
    """ "Quill, Ada <a@b>" without quotes is one person: a surname alone, cut off by its comma."""
    joined: list[_Item] = []
    for item in items:
        before = joined[-1] if joined else None
        if (
            before
            and item.angle is not None
            and item.words
            and before.ended_by == ","
            and before.angle is None
            and not before.comments
            and not any("@" in word for word in before.words)
            and (len(before.words) == 1 or (len(before.words) <= 3 and len(item.words) <= 2))
        ):
            item.words = [*before.words[:-1], before.words[-1] + ",", *item.words]
            joined[-1] = item
        else:
            joined.append(item)
    return joined


def _from_item(item: _Item) -> Mailbox | None:
    name = " ".join(item.words)[:MAX_READ]
    comment = " ".join(item.comments)[:MAX_READ]
    if item.angle is not None and item.angle.strip():
        address = _COMMENT.sub("", item.angle).strip()
        if "=?" in address:
            address = text(address)
        if "@" not in address and "/" not in address and _PLAIN.match(name.strip("'")):
            # the address stands in the name's place
            address, name = name, ""
        if item.comments and not name:
            name = comment
        elif comment:
            name = f"{name} ({comment})"
        return _mailbox(name, address)
    if "=?" in name:
        if "@" in text(name):
            return None
    elif notes := NOTES_NAME.match(name):
        return Mailbox(name.lower()[:MAX_ADDRESS], _tidy(notes[1])[:MAX_NAME])
    elif "@" in name:
        tight = _SPACED_AT.sub(r"\1@", name)
        tight = _SPACED_DOTS.sub(lambda match: "".join(match[0].split()), tight)
        words = tight.split()
        address = next(word for word in words if "@" in word)
        words.remove(address)
        return _mailbox(" ".join(words) or comment, address)
    archived = _AT_WORD.match(name)
    if archived:
        return _mailbox(comment, f"{archived[1]}@{archived[2]}")
    name = _tidy(name or comment)
    if not re.search(r"\w", name) or _NOBODY.match(name):
        return None
    return Mailbox(name.lower()[:MAX_ADDRESS], name[:MAX_NAME])


def _mailbox(name: str, address: str) -> Mailbox | None:
    address = address[:MAX_READ].strip(" \t'\"<>")
    if "@[" not in address:
        address = address.strip("[]")
    for scheme in _SCHEME:
        if address.lower().startswith(scheme + ":"):
            address = address[len(scheme) + 1 :]
    archived = _AT_WORD.match(address)
    if archived:
        address = f"{archived[1]}@{archived[2]}"
    if address.startswith("@") and ":" in address:
        # a source route: only the last place counts
        address = address.rpartition(":")[2]
    notes = NOTES_NAME.match(address)
    if notes:
        return Mailbox(address.lower()[:MAX_ADDRESS], (_tidy(name) or notes[1])[:MAX_NAME])
    if "@" in address:
        address = "".join(address.split()).rstrip(".,;")
        address = _GATEWAY.sub(r"\1", address)
        inside = _ENCAPSULATED.match(address)
        if inside:
            return _unwrapped(name, address, inside[1].lower(), inside[2])
        if address[:3].lower() == "/o=":
            # an X.500 name with the name of a gateway
            address = address.partition("@")[0]
    address = charsets.clean(address).lower()[:MAX_ADDRESS]
    name = _tidy(name)
    if not re.search(r"\w", address) or _NOBODY.match(address):
        return None
    if name.lower() == address:
        name = ""
    return Mailbox(address, name[:MAX_NAME])


def _unwrapped(name: str, address: str, kind: str, content: str) -> Mailbox | None:
    """What Exchange packed into an address of its own (MS-OXCMAIL, "encapsulated address"): an X.500 name or a foreign
    address with its display name. Fax numbers and the like stay as they are."""
    decoded = _HEX.sub(lambda match: chr(int(match[1], 16)), content.replace("_", "/"))
    if kind == "ex":
        return Mailbox(charsets.clean(decoded).lower()[:MAX_ADDRESS], _tidy(name)[:MAX_NAME])
    found = _with_words(charsets.clean(decoded)) if "@" in decoded else []
    if found and "@" in found[0].address:
        return Mailbox(found[0].address, _tidy(name)[:MAX_NAME] or found[0].name)
    return Mailbox(charsets.clean(address).lower()[:MAX_ADDRESS], _tidy(name)[:MAX_NAME])


def _tidy(name: str) -> str:
    name = _UNSEEN.sub("", text(name))
    while len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = name[1:-1].strip()
    return name.strip(" ,;'\"")
