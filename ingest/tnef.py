"""TNEF, the ``winmail.dat`` in which Outlook packs a message for other Outlooks (MS-OXTNEF).

A stream of attributes, each with its length, of which three hold lists of properties: the message's, its recipients'
and those of each file. Older attributes are read where there are no properties. What is cut off or wrong ends it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ingest import charsets
from ingest.mapi import MAX_DEPTH, Attachment, Item, Properties, decode, named

MAGIC = b"\x78\x9f\x3e\x22"

_CODEPAGE = 0x00069007
# attributes that hold what a property holds in newer files
_OLDER = {0x00018004: 0x0037, 0x0002800C: 0x1000}
_PROPERTIES, _RECIPIENTS = 0x00069003, 0x00069004
_NEW_FILE, _FILE_NAME, _FILE_DATA, _FILE_PROPERTIES = 0x00069002, 0x00018010, 0x0006800F, 0x00069005
_OBJECT, _STRING8, _UNICODE, _BINARY = 0xD, 0x1E, 0x1F, 0x102
_SIZES = {0x2: 2, 0x3: 4, 0x4: 4, 0x5: 8, 0x6: 8, 0x7: 8, 0xA: 4, 0xB: 2, 0x14: 8, 0x40: 8, 0x48: 16}
_MAX_VALUES = 20_000

Raw = tuple[int | str, int, bytes]


def read_tnef(data: bytes, depth: int = 0) -> Item | None:
    """The message in a TNEF stream, as far as it can be read; None when this is none."""
    if not data.startswith(MAGIC):
        return None
    item = Item({})
    older: Properties = {}
    codepage = 0
    for attribute, content in _attributes(data):
        if attribute == _CODEPAGE and len(content) >= 4:
            codepage = struct.unpack_from("<I", content)[0]
        elif attribute == _PROPERTIES:
            item.properties = decode(next(_rows(content, 1), []), codepage)
        elif attribute == _RECIPIENTS and len(content) >= 4:
            count = min(struct.unpack_from("<I", content)[0], _MAX_VALUES)
            item.recipients = [decode(row, codepage) for row in _rows(content[4:], count)]
        elif attribute == _NEW_FILE:
            item.attachments.append(Attachment({}))
        elif attribute in (_FILE_NAME, _FILE_DATA, _FILE_PROPERTIES) and item.attachments:
            _file(item.attachments[-1], attribute, content, codepage, depth)
        elif attribute in _OLDER:
            older[_OLDER[attribute]] = _text(content, codepage)
    item.properties = older | item.properties
    return item


def _file(attachment: Attachment, attribute: int, content: bytes, codepage: int, depth: int) -> None:
    if attribute == _FILE_NAME:
        attachment.properties.setdefault(0x3704, _text(content, codepage))
    elif attribute == _FILE_DATA:
        attachment.data = content
    else:
        found = next(_rows(content, 1), [])
        # an object is an interface's id and what is behind it: here a message, as a stream of its own
        for number, type_, held in found:
            if number == 0x3701 and type_ == _OBJECT and depth < MAX_DEPTH:
                attachment.item = read_tnef(held[16:], depth + 1)
        kept = [(number, type_, held) for number, type_, held in found if type_ != _OBJECT]
        attachment.properties = attachment.properties | decode(kept, codepage)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 6
    while at + 9 <= len(data):
        _, attribute, length = struct.unpack_from("<BII", data, at)
        yield attribute, data[at + 9 : at + 9 + length]
        # a checksum of two bytes follows; it is not looked at
        at += 9 + length + 2


def _rows(data: bytes, count: int) -> Iterator[list[Raw]]:
    """``count`` lists of properties, one behind the other."""
    at = 0
    for _ in range(count):
        row: list[Raw] = []
        try:
            (properties,) = struct.unpack_from("<I", data, at)
            at += 4
            for _ in range(min(properties, _MAX_VALUES)):
                at = _read_property(data, at, row)
        except (struct.error, IndexError):
            if row:
                yield row
            return
        yield row


def _read_property(data: bytes, at: int, row: list[Raw]) -> int:
    type_, number = struct.unpack_from("<HH", data, at)
    key: int | str = number
    at += 4
    if number >= 0x8000:
        set_, (kind,) = data[at : at + 16], struct.unpack_from("<I", data, at + 16)
        (told,) = struct.unpack_from("<I", data, at + 20)
        at += 24
        if kind == 1:
            at += _padded(told)
        key = (named(set_, told) if kind == 0 else None) or f"{number:x}"
    base = type_ & 0x0FFF
    variable = base in (_OBJECT, _STRING8, _UNICODE, _BINARY)
    count = 1
    if variable or type_ & 0x1000:
        (count,) = struct.unpack_from("<I", data, at)
        at += 4
    if count > _MAX_VALUES:
        raise IndexError("too many values")
    for _ in range(count):
        if variable:
            (size,) = struct.unpack_from("<I", data, at)
            at += 4
        else:
            size = _SIZES.get(base, 4)
        if at + size > len(data):
            raise IndexError("cut off")
        row.append((key, type_, data[at : at + size]))
        at += _padded(size)
    return at


def _padded(size: int) -> int:
    return (size + 3) & ~3


def _text(content: bytes, codepage: int) -> str:
    charset = charsets.of_codepage(codepage) if codepage else ""
    return charsets.decode(content.split(b"\x00")[0], charset)
