"""Outlook's data files, .pst and .ost, read with libpff; an optional library, since its licence is the LGPL.

libpff finds folders, messages and the bytes of their properties; what they mean is read in ``ingest.mapi``, so that the
transport head stays as it was and Message-ID, In-Reply-To, References and the conversation's index are kept where there
is none. A message's key is its number in the file. Passwords are no hindrance (Outlook only asks for them),
a damaged file is read as far as it goes, and what is no mail is told by folder.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ingest.errors import SourceUnreadable
from ingest.large import bounded
from ingest.libraries import library
from ingest.mapi import Attachment, Item, Properties, decode, named_numbers, no_mail, to_message
from ingest.sources.labels import MAX_LABEL
from ingest.sources.limits import MAX_MESSAGE
from ingest.sources.pst_heap import read_heap
from ingest.types import RawMessage, Unreadable

Piece = RawMessage | Unreadable

# the entry id, in the file's own properties, of the folder above all that a person sees
_SEEN = 0x35E0
MAX_FOLDERS = 100
_HEAD, _UNICODE = 564, 20
_METHOD, _EMBEDDED = 0x3705, 5
_BODY = 0x1000
_ELSEWHERE = "[The text of this attached message stands in a part of the Outlook file that could not be reached.]"
_BROKEN = (OSError, struct.error, ValueError, MemoryError, TypeError, AttributeError)


def read(path: Path, labels: tuple[str, ...], known: Set[str] = frozenset()) -> Iterator[Piece]:
    """Yields every message whose key is not in ``known``, and what cannot be read. Raises SourceUnreadable and
    LibraryMissing."""
    with _opened(path) as file:
        yield from _Reader(file, labels, known).everything()


def read_one(path: Path, labels: tuple[str, ...], key: str) -> RawMessage | None:
    """The message of that key, or None when it is not there any more."""
    with _opened(path) as file:
        found = (piece for piece in _Reader(file, labels, frozenset(), key).everything() if piece.key == key)
        return next((piece for piece in found if isinstance(piece, RawMessage)), None)


def keys(path: Path) -> Iterator[str]:
    """Every message's key."""
    return (piece.key for piece in read(path, ()) if isinstance(piece, RawMessage))


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    pypff = library("pypff", "Outlook's data files (.pst, .ost)", "pst")
    file = pypff.file()
    try:
        try:
            file.open(str(path))
        except OSError:
            # the library refuses a file for a checksum of its head that a broken copy or another program left wrong
            file = pypff.file()
            file.open_file_object(_Mended(path))
    except OSError as error:
        reason = " ".join(str(error).split(". ")[0].split())
        raise SourceUnreadable(path, f"it is damaged at its beginning: {reason[:200]}") from error
    try:
        yield file
    finally:
        file.close()


class _Mended:
    """A data file as a file object, the checksums of its head (MS-PST, 2.2.2.6) as they should be."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        head = bytearray(self._file.read(_HEAD))
        if len(head) == _HEAD:
            for place, size in ((4, 471), (524, 516)) if head[10] >= _UNICODE else ((4, 471),):
                struct.pack_into("<I", head, place, zlib.crc32(head[8 : 8 + size], 0xFFFFFFFF) ^ 0xFFFFFFFF)
        self._head = bytes(head)
        self._at = 0

    def read(self, size: int) -> bytes:
        """Like a file's; so are the others."""
        self._file.seek(self._at)
        data = self._file.read(size)
        if self._at < len(self._head):
            mended = self._head[self._at : self._at + len(data)]
            data = mended + data[len(mended) :]
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> None:
        self._at = offset + (0, self._at, self.get_size())[whence]

    def tell(self) -> int:
        return self._at

    def get_size(self) -> int:
        return self._file.seek(0, 2)

    def close(self) -> None:
        self._file.close()


class _Reader:
    def __init__(self, file: Any, labels: tuple[str, ...], known: Set[str], only: str = "") -> None:
        self._file = file
        self._labels = labels
        self._known = known
        self._only = only
        store = _properties(_safe(lambda: file.message_store), {}, 0)
        self._top = _folder_of(store.get(_SEEN))
        table = _properties(_safe(lambda: file.name_to_id_map), {}, 0)
        entries, sets = table.get(3), table.get(2)
        self._names = named_numbers(entries, sets) if isinstance(entries, bytes) and isinstance(sets, bytes) else {}

    def everything(self) -> Iterator[Piece]:
        root = _safe(lambda: self._file.root_folder)
        if root is None:
            yield Unreadable("folders", "UnreadableMessage", "Its folders cannot be read: the file is damaged")
        else:
            yield from self._folder(root, (), 0)
        others: Counter[str] = Counter()
        for number in range(_safe(lambda: int(self._file.number_of_orphan_items)) or 0):
            item = _safe(lambda number=number: self._file.get_orphan_item(number))
            if item is not None and type(item).__name__ == "message":
                yield from self._message(item, self._labels, others)

    def _folder(self, folder: Any, above: tuple[str, ...], depth: int) -> Iterator[Piece]:
        number = _safe(lambda: int(folder.identifier)) or 0
        name = str(_safe(lambda: folder.name) or "").replace("/", "-").strip()
        # an .ost does not name the folder above all that a person sees; it is always called so
        is_top = (
            number == self._top or depth == 0 or name == "IPM_SUBTREE" or (depth == 1 and name.startswith("Root - "))
        )
        parts = () if is_top else (*above, name) if name else above
        label = ("/".join(parts)[:MAX_LABEL],) if parts else self._labels
        others: Counter[str] = Counter()
        messages = _safe(lambda: int(folder.number_of_sub_messages))
        folders = _safe(lambda: int(folder.number_of_sub_folders))
        if messages is None or folders is None:
            yield Unreadable(
                f"{number}", "UnreadableMessage", f"What is in the folder {name} cannot be listed: damaged"
            )
        for position in range(messages or 0):
            try:
                message = folder.get_sub_message(position)
            except _BROKEN as error:
                detail = f"A message in {label[0] if label else name}: {error}"[:500]
                yield Unreadable(f"{number}/{position}", "UnreadableMessage", detail)
                continue
            yield from self._message(message, label, others)
        for what, count in others.items():
            detail = f"{count} × {what}" if count > 1 else f"it is {what}"
            yield Unreadable(f"{'/'.join(parts)}: {what}", "NotMail", detail)
        for position in range(folders or 0 if depth < MAX_FOLDERS else 0):
            below = _safe(lambda position=position: folder.get_sub_folder(position))
            if below is None:
                yield Unreadable(f"{number}/folder {position}", "UnreadableMessage", f"A folder in {name} is damaged")
            else:
                yield from self._folder(below, parts, depth + 1)

    def _message(self, message: Any, label: tuple[str, ...], others: Counter[str]) -> Iterator[Piece]:
        key = str(_safe(lambda: int(message.identifier)) or 0)
        if key in self._known or (self._only and key != self._only):
            return
        try:
            item = self._item(message)
            if what := no_mail(item) or ("" if item.properties.get(0x001A) else "an item of no kind"):
                others[what] += 1
                return
            data = to_message(item)
        except _BROKEN as error:
            yield Unreadable(key, "UnreadableMessage", f"Its properties cannot be read: {error}"[:500])
            return
        yield bounded(RawMessage(key=key, data=data, labels=label))

    def _item(self, message: Any) -> Item:
        item = Item(_properties(message, self._names, 0))
        held = item.properties.get(0x3FFD) or item.properties.get(0x3FDE) or 0
        codepage = held if isinstance(held, int) else 0
        recipients = _safe(lambda: message.recipients)
        for rows in _safe(lambda: list(recipients.record_sets)) or [] if recipients is not None else []:
            item.recipients.append(_decoded(rows, {}, codepage))
        for position in range(_safe(lambda: int(message.number_of_attachments)) or 0):
            attachment = _safe(lambda position=position: message.get_attachment(position))
            item.attachments.append(self._attachment(attachment, codepage))
        return item

    def _attachment(self, attachment: Any, codepage: int) -> Attachment:
        if attachment is None:
            return Attachment({0x3001: "a damaged attachment"})
        properties = _properties(attachment, {}, codepage)
        size = min(_safe(lambda: int(attachment.size)) or 0, MAX_MESSAGE)
        data = _safe(lambda: bytes(attachment.read_buffer(size))) or b"" if size else b""
        if properties.get(_METHOD) != _EMBEDDED:
            properties.pop(0x3701, None)
            return Attachment(properties, data)
        heap = read_heap(data)
        if heap is None:
            return Attachment(properties, data)
        raw = [(self._names.get(number, number), type_, value) for number, type_, value in heap.properties]
        item = Item(decode(raw, codepage))
        if heap.missing:
            item.properties.setdefault(_BODY, _ELSEWHERE)
        return Attachment(properties, item=item)


def _properties(item: Any, names: dict[int, str], codepage: int) -> Properties:
    for rows in _safe(lambda: list(item.record_sets)) or []:
        return _decoded(rows, names, codepage)
    return {}


def _decoded(rows: Any, names: dict[int, str], codepage: int) -> Properties:
    raw: list[tuple[int | str, int, bytes]] = []
    for entry in _safe(lambda: list(rows.entries)) or []:
        number, type_ = entry.entry_type, entry.value_type
        if number is not None and type_ is not None:
            data = _safe(lambda entry=entry: entry.data)
            raw.append((names.get(number, number), type_, bytes(data or b"")))
    return decode(raw, codepage)


def _folder_of(entry_id: object) -> int:
    """The number of the folder that an entry id names: its last four bytes (MS-PST, 2.4.3.2)."""
    return struct.unpack("<I", entry_id[-4:])[0] if isinstance(entry_id, bytes) and len(entry_id) >= 24 else 0


def _safe(get: Any) -> Any:
    """What ``get`` gives, None where a damaged file does not let it."""
    try:
        return get()
    except _BROKEN:
        return None
