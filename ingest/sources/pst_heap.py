"""The properties of a message that is attached to another one in an Outlook data file.

libpff gives such an attachment as the bytes in which Outlook keeps its properties: a heap with a small tree in it
(MS-PST, 2.3). What is too long for the heap stands elsewhere in the file, where libpff does not lead; ``missing`` says
so.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

# the data in one block of a file
_BLOCK = 8192 - 16
_SIGNATURE = 0xEC
_PROPERTIES = 0xBC
_TREE = 0xB5
_INLINE = (0x2, 0x3, 0x4, 0xA, 0xB)
_MAX_DEPTH = 8


@dataclass(slots=True)
class Heap:
    """Properties as (number, type, bytes), and the numbers of those that stand elsewhere."""

    properties: list[tuple[int, int, bytes]] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)


def read_heap(data: bytes) -> Heap | None:
    """The properties in ``data`` as far as they can be read; None when it is no such heap."""
    if len(data) < 12 or data[2] != _SIGNATURE or data[3] != _PROPERTIES:
        return None
    blocks = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]
    heap = Heap()
    try:
        tree = _allocation(blocks, struct.unpack_from("<I", data, 4)[0])
        kind, key, entry, levels, root = struct.unpack_from("<BBBBI", tree)
        if kind != _TREE or (key, entry) != (2, 6) or levels > _MAX_DEPTH:
            return None
        for number, type_, value in _leaves(blocks, root, levels):
            if type_ in _INLINE:
                heap.properties.append((number, type_, value))
                continue
            place = struct.unpack("<I", value)[0]
            if place & 0x1F:
                heap.missing.append(number)
            else:
                heap.properties.append((number, type_, _allocation(blocks, place) if place else b""))
    except (struct.error, IndexError):
        pass
    return heap


def _leaves(blocks: list[bytes], place: int, levels: int) -> Iterator[tuple[int, int, bytes]]:
    if not place:
        return
    held = _allocation(blocks, place)
    if levels:
        for at in range(0, len(held) - 5, 6):
            yield from _leaves(blocks, struct.unpack_from("<I", held, at + 2)[0], levels - 1)
        return
    for at in range(0, len(held) - 7, 8):
        number, type_ = struct.unpack_from("<HH", held, at)
        yield number, type_, held[at + 4 : at + 8]


def _allocation(blocks: list[bytes], place: int) -> bytes:
    """The bytes at a place in the heap: five bits of zero, an index within a block, the block."""
    block, index = blocks[place >> 16], place >> 5 & 0x7FF
    (table,) = struct.unpack_from("<H", block)
    start, stop = struct.unpack_from("<HH", block, table + 4 + 2 * (index - 1))
    return block[start:stop]
