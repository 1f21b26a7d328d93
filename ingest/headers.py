"""The fields at the head of a message or of one of its parts, and what stands encoded in them.

Real heads break the rules: lines that are neither a field nor a continuation, raw 8-bit characters, encoded words
(RFC 2047) cut in the middle of a character, parameters in RFC 2231's pieces or in neither form. What can be read is
read; a broken line costs only itself.
"""

from __future__ import annotations

import binascii
import re
from urllib.parse import unquote_to_bytes

from ingest import charsets

_FIELD = re.compile(rb"([!-9;-~]{1,100})[ \t]*:([^\n]*\n?(?:[ \t]+[^\s][^\n]*(?:\n|\Z))*)")
_BLANK = re.compile(rb"[ \t]*\r?(?:\n|\Z)")
# fields that stand in real heads, and hardly at the start of a line of text
KNOWN_FIELD = re.compile(
    rb"(?:return-path|received|from|to|cc|date|subject|message-id|delivered-to|x-[!-9;-~]+|envelope-to|mime-version|"
    rb"content-[a-z-]+|status|delivery-date|reply-to|sender|in-reply-to|references|dkim-signature|arc-[a-z-]+|"
    rb"authentication-results|received-spf|x400-[a-z-]+|list-[a-z]+|resent-[a-z-]+|newsgroups|path|xref)[ \t]*:",
    re.I,
)
_CONTINUATION = re.compile(rb"(?:[ \t]+[^\s][^\n]*\n)*")
_FOLD = re.compile(r"\r?\n(?=[ \t])|[\r\n]+\Z")
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?(.{0,4000}?)\?=", re.S)
_BETWEEN = re.compile(r"(\?=)\s+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")
_SPACE = re.compile(r"\s+")
_TYPE = re.compile(r"\s*([^\s/;,]+)\s*/\s*([^\s;,]+)")
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))', re.S)
_CONTINUED = re.compile(r"([^*]+)(?:\*(\d+))?(\*)?\Z")


class Headers:
    """Fields by lower-case name, in order; values are unfolded text in which encoded words still stand."""

    __slots__ = ("fields",)

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self.fields = fields

    def get(self, name: str) -> str:
        """The first value that is not blank, else ""."""
        for value in self.fields.get(name, ()):
            if value:
                return value
        return ""

    def all(self, name: str) -> list[str]:
        """Every value in the order of the head."""
        return self.fields.get(name, [])


def read_head(data: bytes, start: int, stop: int) -> tuple[Headers, int]:
    """The fields from ``start`` on, and where the body begins."""
    raw: list[tuple[bytes, bytes]] = []
    position = start
    while position < stop:
        field = _FIELD.match(data, position, stop)
        if field:
            raw.append((field[1], field[2]))
            position = field.end()
            continue
        blank = _BLANK.match(data, position, stop)
        if blank:
            position = blank.end()
            # a line of blanks inside the head (RFC 5322, 4.2: an obsolete fold) has more of the head behind it
            if blank[0].strip(b"\r\n") and _goes_on(data, position, stop):
                continue
            break
        end = data.find(b"\n", position, stop) + 1 or stop
        # a stray line inside the head is passed over; a line after which no field follows starts the body
        stray = data.startswith((b"From ", b">From "), position) or (raw and data[position : position + 1] in b" \t")
        if not (stray or _FIELD.match(data, end, stop) or _goes_on(data, end, stop)):
            break
        position = end
    return Headers(_decoded_fields(raw)), position


def text(value: str) -> str:
    """A value for people: encoded words decoded, white space single."""
    if "=?" in value:
        value = decode_words(value)
    return _SPACE.sub(" ", charsets.clean(value)).strip()


def decode_words(value: str) -> str:
    """Every encoded word of ``value`` decoded; neighbours of one charset are joined first, since writers cut
    characters in two."""
    value = _BETWEEN.sub(r"\1", value)
    out: list[str] = []
    position = 0
    pending, pending_charset = b"", ""
    for match in _WORD.finditer(value):
        charset = match[1].split("*")[0]
        if pending and (match.start() != position or charset.lower() != pending_charset.lower()):
            out.append(charsets.decode(pending, pending_charset))
            pending = b""
        out.append(value[position : match.start()])
        pending += _word_bytes(match[2], match[3])
        pending_charset, position = charset, match.end()
    if pending:
        out.append(charsets.decode(pending, pending_charset))
    out.append(value[position:])
    return "".join(out)


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """ "text/plain; charset=x" becomes ("text/plain", {"charset": "x"}), names and type in lower case. RFC 2231 pieces
    are joined and decoded, encoded words too. The type is "" where there is none."""
    head, _, rest = value.partition(";")
    kind = _TYPE.match(head)
    name = f"{kind[1]}/{kind[2]}".lower() if kind else head.strip().lower()
    if not rest:
        return name, {}
    plain: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for match in _PARAMETER.finditer(";" + rest):
        content = re.sub(r"\\(.)", r"\1", match[2]) if match[2] is not None else match[3].strip()
        key = _CONTINUED.match(match[1].lower())
        if key and (key[2] or key[3]):
            pieces.setdefault(key[1], []).append((int(key[2] or 0), bool(key[3]), content))
        else:
            plain.setdefault(match[1].lower(), content)
    # only names are for people: a boundary may well hold "=?"
    decoded = {key: text(content) if "name" in key and "=?" in content else content for key, content in plain.items()}
    decoded.update({key: _joined(found) for key, found in pieces.items()})
    return name, decoded


def _goes_on(data: bytes, position: int, stop: int) -> bool:
    """Whether a field known from mail stands at ``position``, or behind the rest of a folded one."""
    folded = _CONTINUATION.match(data, position, stop)
    return bool(KNOWN_FIELD.match(data, folded.end() if folded else position, stop))


def _joined(pieces: list[tuple[int, bool, str]]) -> str:
    charset = ""
    data = b""
    for number, (_, encoded, content) in enumerate(sorted(pieces, key=lambda piece: piece[0])):
        if encoded:
            if number == 0 and content.count("'") >= 2:
                charset, _, content = content.split("'", 2)
            data += unquote_to_bytes(content)
        else:
            data += content.encode("utf-8", "replace")
    joined = charsets.decode(data, charset)
    return text(joined) if "=?" in joined else joined


def _word_bytes(encoding: str, content: str) -> bytes:
    data = content.encode("utf-8", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(data.replace(b"\r", b"").replace(b"\n", b""), header=True)
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(data) % 4 == 1:
        data = data[:-1]
    return binascii.a2b_base64(data + b"=" * (-len(data) % 4))


def _decoded_fields(raw: list[tuple[bytes, bytes]]) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    hint = ""
    if not all(value.isascii() for _, value in raw):
        # raw 8-bit fields are mostly in the charset of the body
        found = [value for name, value in raw if name.lower() == b"content-type"]
        hint = parameters(found[0].decode("latin-1"))[1].get("charset", "") if found else ""
    for name, value in raw:
        decoded = (
            charsets.decode(value, "", hint) if not value.isascii() or b"\x1b$" in value else value.decode("ascii")
        )
        if "\n" in decoded:
            decoded = _FOLD.sub("", decoded)
        fields.setdefault(name.decode("ascii").lower(), []).append(decoded.replace("\x00", "").strip())
    return fields
