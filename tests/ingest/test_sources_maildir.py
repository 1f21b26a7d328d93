"""Maildir: keys without flags, subfolders, names in modified UTF-7."""

from pathlib import Path

from ingest import sources
from ingest.sources.maildir import folder_label
from ingest.types import RawMessage

MAIL = b"From: Ada Quill <ada@quill.example>\nSubject: Pier 9\n\nHello.\n"


def folder(path: Path, **files: bytes) -> Path:
    for name in ("cur", "new", "tmp"):
        (path / name).mkdir(parents=True)
    return path


def read(path: Path) -> list[tuple[tuple[str, ...], str, str]]:
    return [
        (m.labels, m.key, m.flags)
        for source in sources.find(path).files
        for m in sources.read(source)
        if isinstance(m, RawMessage)
    ]


def test_a_change_of_flags_is_the_same_message(tmp_path: Path) -> None:
    box = folder(tmp_path / "Mail")
    (box / "new" / "1.a.host").write_bytes(MAIL)
    (box / "cur" / "2.b.host,S=10:2,RS").write_bytes(MAIL)
    (box / "cur" / "3.c.host;2,T").write_bytes(MAIL)
    (box / "tmp" / "4.d.host").write_bytes(MAIL)
    assert read(box) == [
        (("INBOX",), "1.a.host", ""),
        (("INBOX",), "2.b.host,S=10", "RS"),
        (("INBOX",), "3.c.host", "T"),
    ]
    (box / "new" / "1.a.host").rename(box / "cur" / "1.a.host:2,S")
    assert [key for _, key, _ in read(box)] == ["1.a.host", "2.b.host,S=10", "3.c.host"]
    (source,) = sources.find(box).files
    assert sources.read_one(source, "1.a.host").flags == "S"


def test_subfolders_of_both_kinds_become_labels(tmp_path: Path) -> None:
    box = folder(tmp_path / "Mail")
    for path in (box, folder(box / ".Work.Pier 9"), folder(box / ".Entw&APw-rfe"), folder(box / "Old")):
        (path / "cur" / "1.a.host:2,").write_bytes(MAIL)
    assert {labels for labels, _, _ in read(box)} == {("INBOX",), ("Work/Pier 9",), ("Entwürfe",), ("Old",)}


def test_folder_names_are_decoded() -> None:
    assert folder_label(".Caf&AOk-.&ZeVnLIqe-") == "Café/日本語"
    assert folder_label("R&-D") == "R&D"


def test_an_empty_file_is_in_the_ledger(tmp_path: Path) -> None:
    box = folder(tmp_path / "Mail")
    (box / "cur" / "1.a.host:2,").write_bytes(b"")
    (source,) = sources.find(box).files
    (found,) = sources.read(source)
    assert type(found).__name__ == "Unreadable"
