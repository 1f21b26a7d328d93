"""From a path to raw messages: find what is mail, then read it as a stream.

``find`` walks a path and tells the sources in it, each with its format and label, and what was passed over with the
reason. ``read`` streams one source. ``read_one`` reads a single message again, to show its raw bytes or open an
attachment.

Labels are folder names: the file's name without ``.mbox``, the folders above it up to the path that was given, joined
by "/".
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from ingest.errors import (
    EmptySource,
    NotMail,
    OnServer,
    SourceChanged,
    SourceError,
    SourceMissing,
    SourceUnreadable,
    UnknownFormat,
)
from ingest.sources import archive, eml, imap, maildir, mbox, olm, pst, records
from ingest.sources.detect import SINGLE, Format
from ingest.sources.labels import MAX_LABEL, apple_label, label
from ingest.sources.limits import readable_name
from ingest.sources.recognise import recognise
from ingest.types import RawMessage, Unreadable

SourceFormat = Format | Literal["maildir"]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A thing that is read on its own: an mbox file, a Maildir, a folder of single messages (or one such file)."""

    path: Path
    format: SourceFormat
    labels: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is known by."""
        return str(self.path)


Source = SourceFile | imap.Folder


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is no mail, and what it is instead."""

    path: Path
    reason: str


class _Reader(Protocol):
    """A format's module. An mbox is read by bytes instead: it grows, and is read on from where it ended."""

    def read(self, path: Path, labels: tuple[str, ...], known: Set[str] = ...) -> Iterator[RawMessage | Unreadable]: ...

    def read_one(self, path: Path, labels: tuple[str, ...], key: str) -> RawMessage | None: ...

    def keys(self, path: Path) -> Iterator[str]: ...


_READERS: dict[SourceFormat, _Reader] = {
    "maildir": maildir,
    "eml": eml,
    "emlx": eml,
    "msg": eml,
    "tnef": eml,
    "pst": pst,
    "olm": olm,
    "archive": archive,
    "json": records,
    "csv": records,
}


@dataclass(frozen=True, slots=True)
class Found:
    """The sources under a path, in order of their paths, and what was passed over."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]


def find(path: Path) -> Found:
    """All mail under ``path``, a file or a folder.

    Raises SourceMissing, SourceUnreadable, EmptySource (no bytes, or no mail in the folder) and, for a single file
    that is something else, NotMail or UnknownFormat; LibraryMissing when its format needs one that is not installed,
    WrongMapping for a mapping file that cannot be used.
    """
    path = path.expanduser()
    try:
        path = path.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError):
        raise SourceMissing(path) from None
    except OSError as error:
        raise SourceUnreadable(path, error.strerror or str(error)) from error
    return _find_in_folder(path) if path.is_dir() else _find_file(path)


def read(source: Source, start: int = 0, known: Set[str] = frozenset()) -> Iterator[RawMessage | Unreadable]:
    """Streams the source's messages, and an Unreadable for each piece that is none.

    ``start``: for an mbox the byte to go on from (``offset + length`` of the last message that was read).
    ``known``: for the other formats the keys that need not be read again.
    Raises SourceMissing and SourceUnreadable; AccountFailed.
    """
    if isinstance(source, imap.Folder):
        yield from source.account.read(source, known)
        return
    try:
        if source.format == "mbox":
            yield from mbox.read(source.path, source.labels, start)
        else:
            yield from _READERS[source.format].read(source.path, source.labels, known)
    except FileNotFoundError:
        raise SourceMissing(source.path) from None
    except OSError as error:
        raise SourceUnreadable(source.path, error.strerror or str(error)) from error


def read_one(source: SourceFile, key: str, offset: int | None = None, length: int | None = None) -> RawMessage:
    """Reads one message again from its place. Raises SourceMissing, SourceUnreadable, SourceChanged and OnServer."""
    if str(source.format) == "imap":  # as the store knows it, without a connection
        raise OnServer(source.name.replace(":/", "://", 1))
    try:
        if source.format == "mbox":
            found = mbox.read_one(source.path, source.labels, offset or 0, length or 0)
        else:
            found = _READERS[source.format].read_one(source.path, source.labels, key)
    except FileNotFoundError:
        raise SourceMissing(source.path) from None
    except OSError as error:
        raise SourceUnreadable(source.path, error.strerror or str(error)) from error
    if found is None:
        raise SourceChanged(source.path, key)
    return found


def keys(source: Source) -> Iterator[str]:
    """The keys of all messages that are in the source now; of anything but an mbox, whose keys are its bytes."""
    if isinstance(source, imap.Folder):
        return iter(source.account.sizes(source.folder))
    return _READERS[source.format].keys(source.path)


def _find_file(path: Path) -> Found:
    try:
        format_, reason = recognise(path)
    except OSError as error:
        raise SourceUnreadable(path, error.strerror or str(error)) from error
    if format_ is None:
        if reason.startswith(("empty", "nothing")):
            raise EmptySource(path, "is empty" if reason == "empty" else "holds nothing but blanks")
        raise (UnknownFormat if "archive" in reason else NotMail)(path, f"it is {reason}")
    return Found((SourceFile(path, format_, (label((path.name,)),)),), ())


def _find_in_folder(root: Path) -> Found:
    files: list[SourceFile] = []
    skipped: list[Skipped] = []

    def pass_over(path: Path, reason: str) -> None:
        skipped.append(Skipped(Path(readable_name(str(path))), reason))

    def refused(error: OSError) -> None:
        pass_over(Path(error.filename or root), f"cannot be read: {error.strerror}")

    for place, folders, names in os.walk(root, onerror=refused):
        folder = Path(place)
        if not _is_unicode(place):
            pass_over(folder, f"the name of the folder is not valid Unicode ({len(names)} files): rename it")
            continue
        parts = folder.relative_to(root).parts
        if maildir.is_maildir(folder):
            name = "/".join(maildir.folder_label(part) for part in parts) or "INBOX"
            files.append(SourceFile(folder, "maildir", (name[:MAX_LABEL],)))
            folders[:] = [name for name in folders if name not in ("cur", "new", "tmp")]
        folders[:] = sorted(name for name in folders if name != "__MACOSX" and not _is_hidden(folder / name))
        if "Messages" in folders and "Attachments" in folders:
            # parts of Apple Mail's messages, which are read with them
            folders.remove("Attachments")
            pass_over(folder / "Attachments", "the attachments of the messages beside it")
        single: set[Format] = set()
        for name in sorted(names):
            file = folder / name
            if name.startswith("."):
                pass_over(file, "a hidden file")
                continue
            if not file.is_file():
                pass_over(file, "a link to nowhere" if file.is_symlink() else "no file")
                continue
            try:
                format_, reason = recognise(file)
            except OSError as error:
                pass_over(file, f"cannot be read: {error.strerror}")
                continue
            except SourceError as error:
                pass_over(file, str(error))
                continue
            if format_ is None:
                pass_over(file, reason)
            elif format_ in SINGLE:
                if eml.is_removed(folder, name):
                    pass_over(file, "a message that was removed in MH")
                else:
                    single.add(format_)
            elif not _is_unicode(name):
                pass_over(file, "its name is not valid Unicode: rename it")
            else:
                files.append(SourceFile(file, format_, (label((*parts, name)),)))
        if single:
            name = apple_label(parts) if single == {"emlx"} else label(parts)
            files.append(
                SourceFile(folder, single.pop() if len(single) == 1 else "eml", (name or label((root.name,)),))
            )
    if not files:
        raise EmptySource(root, f"holds no mail ({len(skipped)} files were looked at)")
    return Found(tuple(sorted(files, key=lambda source: source.path)), tuple(skipped))


def _is_unicode(name: str) -> bool:
    """Paths are stored as text; a name of other bytes cannot be."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def _is_hidden(folder: Path) -> bool:
    """A folder with a leading dot is passed over, unless it is a Maildir++ subfolder."""
    return folder.name.startswith(".") and not maildir.is_maildir(folder)
