"""The message inside an opaque-signed S/MIME part (RFC 8551): signed, not encrypted, but wrapped in ASN.1.

Only the way to the content is read (CMS SignedData, RFC 5652): the signature is not checked, and nothing that is
encrypted is opened.
"""

from __future__ import annotations

_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_DATA = bytes.fromhex("2a864886f70d010701")
_SEQUENCE, _OCTETS, _OID, _TAGGED = 0x10, 0x04, 0x06, 0xA0
_MAX_DEPTH = 16


def signed_content(data: bytes) -> bytes | None:
    """The MIME entity within a SignedData structure, or None when this is none (encrypted, or broken)."""
    try:
        outer = _children(data, *_element(data, 0)[1:3])
        if not _is_oid(data, outer[0], _SIGNED_DATA):
            return None
        signed = _children(data, *_children(data, *outer[1][1:3])[0][1:3])
        # version, digest algorithms, then the content's type and the content
        encapsulated = _children(data, *signed[2][1:3])
        if not _is_oid(data, encapsulated[0], _DATA) or len(encapsulated) < 2:
            return None
        return _octets(data, encapsulated[1], 0)
    except (IndexError, ValueError, RecursionError):
        return None


_Element = tuple[int, int, int, int]


def _element(data: bytes, at: int) -> _Element:
    """Tag, first and last byte of the content (last excluded), and where the next element starts (BER, X.690)."""
    tag = data[at]
    length = data[at + 1]
    start = at + 2
    if length == 0x80:
        position = start
        while data[position : position + 2] != b"\x00\x00":
            position = _element(data, position)[3]
            if position >= len(data):
                raise ValueError("unfinished")
        return tag, start, position, position + 2
    if length & 0x80:
        size = length & 0x7F
        length = int.from_bytes(data[start : start + size], "big")
        start += size
    if start + length > len(data):
        raise ValueError("cut off")
    return tag, start, start + length, start + length


def _children(data: bytes, start: int, stop: int) -> list[_Element]:
    found = []
    while start < stop:
        element = _element(data, start)
        found.append(element)
        start = element[3]
    return found


def _is_oid(data: bytes, element: _Element, value: bytes) -> bool:
    return element[0] == _OID and data[element[1] : element[2]] == value


def _octets(data: bytes, element: _Element, depth: int) -> bytes:
    """An octet string, which may be wrapped, tagged and cut into pieces."""
    if depth > _MAX_DEPTH:
        raise ValueError("too deep")
    tag, start, stop, _ = element
    if tag & 0x20:
        return b"".join(_octets(data, child, depth + 1) for child in _children(data, start, stop))
    return data[start:stop]
