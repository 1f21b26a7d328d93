"""Outlook's message files, .msg and .oft: a compound file with a stream for each property (MS-OXMSG).

The compound file is read by olefile; which stream is which property is read here.
"""

from __future__ import annotations

import struct
from typing import Any

from ingest.errors import NoMessage, UnreadableMessage
from ingest.libraries import library
from ingest.mapi import MAX_DEPTH, Attachment, Item, Properties, decode, named_numbers, no_mail, to_message

Path_ = tuple[str, ...]

_PROPERTIES = "__properties_version1.0"
_NAMES = "__nameid_version1.0"
_VARIABLE = (0x1E, 0x1F, 0x102)
_EMBEDDED = "__substg1.0_3701000D"
# what stands before the properties of a message, of one within it, of a recipient or a file
_HEAD, _HEAD_EMBEDDED, _HEAD_OTHERS = 32, 24, 8


def message_in(key: str, data: bytes) -> bytes:
    """The RFC 822 message of such a file's bytes. Raises UnreadableMessage, NoMessage and
    LibraryMissing."""
    olefile = library("olefile", "Outlook's message files (.msg, .oft)", "msg")
    try:
        with olefile.OleFileIO(data) as file:
            item = _File(file).item((), _HEAD, 0)
    except (
        OSError,
        struct.error,
        ValueError,
        IndexError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
    ) as error:
        # olefile says what is wrong with a broken file in many ways
        raise UnreadableMessage(key, f"its compound file is broken ({error})") from error
    if what := no_mail(item):
        raise NoMessage(key, what)
    return to_message(item)


class _File:
    def __init__(self, file: Any) -> None:
        self._file = file
        self._streams: set[Path_] = {tuple(path) for path in file.listdir(streams=True, storages=False)}
        storages: set[Path_] = {tuple(path) for path in file.listdir(streams=False, storages=True)}
        self._below: dict[Path_, list[str]] = {}
        for path in sorted(storages):
            self._below.setdefault(path[:-1], []).append(path[-1])
        if (_PROPERTIES,) not in self._streams:
            raise ValueError("it holds no message")
        self._names = self._named_properties()

    def item(self, place: Path_, head: int, depth: int) -> Item:
        properties = self._properties(place, head, 0)
        codepage = properties.get(0x3FFD) or properties.get(0x3FDE) or 0
        codepage = codepage if isinstance(codepage, int) else 0
        item = Item(properties)
        for name in self._below.get(place, []):
            path = (*place, name)
            if name.startswith("__recip_version1.0_"):
                item.recipients.append(self._properties(path, _HEAD_OTHERS, codepage))
            elif name.startswith("__attach_version1.0_"):
                attachment = Attachment(self._properties(path, _HEAD_OTHERS, codepage))
                inner = (*path, _EMBEDDED)
                if (*inner, _PROPERTIES) in self._streams and depth < MAX_DEPTH:
                    attachment.item = self.item(inner, _HEAD_EMBEDDED, depth + 1)
                item.attachments.append(attachment)
        return item

    def _properties(self, place: Path_, head: int, codepage: int) -> Properties:
        if (*place, _PROPERTIES) not in self._streams:
            return {}
        table = self._stream((*place, _PROPERTIES))
        raw: list[tuple[int | str, int, bytes]] = []
        for at in range(head, len(table) - 15, 16):
            type_, number = struct.unpack_from("<HH", table, at)
            key = self._names.get(number, number)
            if type_ in _VARIABLE:
                stream = (*place, f"__substg1.0_{number:04X}{type_:04X}")
                if stream in self._streams:
                    raw.append((key, type_, self._stream(stream)))
            elif not type_ & 0x1000:
                raw.append((key, type_, table[at + 8 : at + 16]))
        return decode(raw, codepage)

    def _named_properties(self) -> dict[int, str]:
        """The numbers from 0x8000 that this file gives to the named properties that are read here."""
        entries, sets = (_NAMES, "__substg1.0_00030102"), (_NAMES, "__substg1.0_00020102")
        if entries not in self._streams or sets not in self._streams:
            return {}
        return named_numbers(self._stream(entries), self._stream(sets))

    def _stream(self, path: Path_) -> bytes:
        with self._file.openstream(list(path)) as stream:
            return bytes(stream.read())
