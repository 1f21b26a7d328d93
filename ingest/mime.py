"""A message as a tree of parts, each a span of the original bytes.

The standard library's parser turns every byte into lines of text and writes attached messages anew, so that their
bytes, and the hash of them, are lost. Here a part is two offsets into the message: finding the parts is a search for
their boundaries, and only what is needed is ever decoded. Codecs are the standard library's.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field

from ingest import uuencode
from ingest.headers import Headers, parameters, read_head

# deeper trees and longer lists are made by attackers, not by mail programs
MAX_DEPTH = 40
MAX_PARTS = 2000

_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]")
_PADDING = re.compile(rb"=[=\s]*")


@dataclass(slots=True)
class Part:
    """``path`` counts from 1 at each level ("2.1"; a message that is a single part is "1"). ``type`` is lower case,
    ``start`` and ``stop`` the span of the body in ``data``, ``name`` the file name or ""."""

    data: bytes
    path: str
    headers: Headers
    start: int
    stop: int
    type: str
    parameters: dict[str, str]
    disposition: str = ""
    name: str = ""
    parts: list[Part] = field(default_factory=list)

    def content(self) -> bytes:
        """The body with its transfer encoding undone. Never raises: what is wrong in it is read as far as it goes."""
        encoding = self.headers.get("content-transfer-encoding").lower()
        if "base64" in encoding or encoding == "b64":
            # a view, since these parts may be large and are copied on the way anyway
            return _base64(memoryview(self.data)[self.start : self.stop])
        raw = self.data[self.start : self.stop]
        if not encoding or encoding in ("7bit", "8bit", "binary"):
            return raw
        if "quoted" in encoding or encoding == "qp":
            return binascii.a2b_qp(re.sub(rb"=[ \t]+(?=\r?\n)", b"=", raw))
        if "uu" in encoding:
            return uuencode.decoded(raw)
        return raw

    def walk(self) -> list[Part]:
        """This part and all below it, in order."""
        found = [self]
        for part in self.parts:
            found.extend(part.walk())
        return found


def parse_tree(data: bytes) -> Part:
    """The tree of a whole RFC 822 message."""
    if b"\r\r\n" in data[:4096]:
        data = data.replace(b"\r\r\n", b"\r\n")
    elif b"\n" not in data[:4096] and b"\r" in data[:4096]:
        data = data.replace(b"\r", b"\n")
    budget = [MAX_PARTS]
    start = len(data) - len(data.lstrip(b"\r\n")) if data[:1] in b"\r\n" else 0
    root = _part(data, start, len(data), "", "text/plain", 0, budget)
    if not root.parts:
        root.path = "1"
    return root


def _part(data: bytes, start: int, stop: int, path: str, default: str, depth: int, budget: list[int]) -> Part:
    headers, body = read_head(data, start, stop)
    type_, params = parameters(headers.get("content-type"))
    if "/" not in type_:
        type_ = f"{type_}/mixed" if type_ == "multipart" else "text/html" if type_ == "html" else default
    disposition = ""
    extra: dict[str, str] = {}
    if "content-disposition" in headers.fields:
        disposition, extra = parameters(headers.get("content-disposition"))
    part = Part(data, path, headers, body, stop, type_, params, disposition)
    part.name = extra.get("filename") or params.get("name") or extra.get("name") or ""
    if type_.startswith("multipart/") and depth < MAX_DEPTH:
        boundary = params.get("boundary", "")
        if data.find(b"--" + boundary.encode("utf-8", "replace"), body, stop) < 0:
            boundary = boundary.strip()
        if not boundary:
            boundary = _guessed_boundary(data, body, stop)
        below = "message/rfc822" if type_ == "multipart/digest" else "text/plain"
        prefix = f"{path}." if path else ""
        for number, (first, last) in enumerate(_spans(data, body, stop, boundary), 1):
            budget[0] -= 1
            if budget[0] < 0:
                break
            part.parts.append(_part(data, first, last, f"{prefix}{number}", below, depth + 1, budget))
    if type_.startswith("multipart/") and not part.parts:
        # a multipart without parts is shown as the text it is
        part.type = "text/plain"
    return part


def is_delimiter(rest: bytes) -> bool:
    """Whether a line that begins with a boundary is a delimiter, by the ``rest`` of it: words may stand behind a
    boundary; a longer boundary that starts alike is another one."""
    rest = rest.rstrip()
    return not rest or rest == b"--" or rest.startswith((b" ", b"\t", b"-- ", b"--\t"))


def _spans(data: bytes, start: int, stop: int, boundary: str) -> list[tuple[int, int]]:
    """Where the parts between the boundary lines stand; a missing end boundary ends with the data."""
    if not boundary:
        return []
    delimiter = b"--" + boundary.encode("utf-8", "replace")
    spans: list[tuple[int, int]] = []
    opened = -1
    position = start
    while True:
        at = data.find(delimiter, position, stop)
        if at < 0:
            break
        position = at + len(delimiter)
        if at > start and data[at - 1 : at] != b"\n":
            continue
        end = data.find(b"\n", position, stop) + 1 or stop
        rest = data[position:end]
        if not is_delimiter(rest):
            continue
        last = rest.startswith(b"--")
        if opened >= 0:
            before = at - 1
            if data[before - 1 : before] == b"\r":
                before -= 1
            spans.append((opened, max(opened, before)))
        opened = -1 if last else end
        if last:
            break
        position = end
    if opened >= 0 and opened < stop:
        spans.append((opened, stop))
    return spans


def _guessed_boundary(data: bytes, start: int, stop: int) -> str:
    """The first line like a boundary, for a multipart that does not name its own."""
    found = re.compile(rb"^--([^\s-][^\r\n]{0,69})\r?$", re.M).search(data, start, min(stop, start + 65536))
    return found[1].decode("latin-1").strip() if found else ""


def _base64(raw: bytes | memoryview) -> bytes:
    if _NOT_BASE64.search(raw):
        raw = _without_foreign(bytes(raw))
    out = []
    position = 0
    for padding in _PADDING.finditer(raw):
        out.append(_base64_piece(bytes(raw[position : padding.start()])))
        position = padding.end()
        # several encodings may follow one another; words behind the end are none
        if b"\n" not in padding[0] or len(bytes(raw[position:]).partition(b"\n")[0].strip()) % 4:
            position = len(raw)
            break
    out.append(_base64_piece(bytes(raw[position:])))
    return b"".join(out)


def _base64_piece(piece: bytes) -> bytes:
    piece = piece.translate(None, b" \t\r\n\f\v")
    if len(piece) % 4 == 1:
        piece = piece[:-1]
    return binascii.a2b_base64(piece + b"=" * (-len(piece) % 4))


def _without_foreign(raw: bytes) -> bytes:
    """Base64 without stray characters, up to a line of words: a list's footer would be decoded to noise."""
    kept: list[bytes] = []
    for line in raw.splitlines():
        if _NOT_BASE64.search(line):
            if kept and (b" " in line.strip() or line.startswith((b"--", b"__"))):
                break
            line = _NOT_BASE64.sub(b"", line)
        if line.strip():
            kept.append(line)
    return b"\n".join(kept)
