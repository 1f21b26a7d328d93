"""Mail inside archives: the same messages as outside, in bounded memory, and what is wrong with an archive is told."""

import bz2
import gzip
import io
import lzma
import os
import resource
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ingest import sources
from ingest.errors import NotMail, UnknownFormat
from ingest.sources import archive, streams
from ingest.types import RawMessage, Unreadable
from tests.shared import shared_data

FROM = b"From ada@quill.example Tue Mar 12 09:15:20 2024\n"


def mail(n: int, size: int = 0) -> bytes:
    return b"From: Ada Quill <ada@quill.example>\nSubject: Pier %d\nMessage-ID: <%d@quill.example>\n\nHello.\n%s\n" % (
        n, n, (b"line of text %d\n" % n) * (size // 16),
    )  # fmt: skip


def mbox(count: int, size: int = 0) -> bytes:
    return b"".join(FROM + mail(n, size) + b"\n" for n in range(count))


MEMBERS = {
    "Takeout/Mail/All mail.mbox": mbox(3),
    "Takeout/archive_browser.html": b"<html><body>Your data</body></html>",
    "Takeout/Mail/cur/1.x:2,FS": mail(7),
    "letters/a.eml": mail(8),
    "letters/b.emlx": b"%d\n" % len(mail(9)) + mail(9) + b"<?xml version='1.0'?><plist><dict/></plist>",
    "__MACOSX/._a.eml": b"\x00\x05\x16\x07\x00\x02",
}


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in MEMBERS.items():
            out.writestr(name, data)


def tarred(compress: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        held = io.BytesIO()
        with tarfile.open(fileobj=held, mode="w") as out:
            for name, data in MEMBERS.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                out.addfile(info, io.BytesIO(data))
        path.write_bytes(compress(held.getvalue()))

    return write


ARCHIVES = {
    "x.zip": zipped,
    "x.tar": tarred(bytes),
    "x.tgz": tarred(gzip.compress),
    "x.tar.bz2": tarred(bz2.compress),
    "x.tar.xz": tarred(lzma.compress),
    "x.tar.zst": tarred(zstandard.ZstdCompressor().compress),
}


def read(path: Path) -> tuple[list[RawMessage], list[Unreadable]]:
    pieces = [piece for source in sources.find(path).files for piece in sources.read(source)]
    return [p for p in pieces if isinstance(p, RawMessage)], [p for p in pieces if isinstance(p, Unreadable)]


@pytest.mark.parametrize("name", ARCHIVES)
def test_members_are_read_as_if_they_were_files(tmp_path: Path, name: str) -> None:
    ARCHIVES[name](tmp_path / name)
    messages, others = read(tmp_path / name)
    assert {m.key: (m.labels, m.flags) for m in messages} == {
        "Takeout/Mail/All mail.mbox:0": (("Takeout/Mail/All mail",), ""),
        f"Takeout/Mail/All mail.mbox:{len(mbox(1))}": (("Takeout/Mail/All mail",), ""),
        f"Takeout/Mail/All mail.mbox:{len(mbox(2))}": (("Takeout/Mail/All mail",), ""),
        "Takeout/Mail/cur/1.x:2,FS": (("Takeout/Mail",), "FS"),
        "letters/a.eml": (("letters",), ""),
        "letters/b.emlx": (("letters",), ""),
    }
    assert [m.data for m in messages] == [mail(0), mail(1), mail(2), mail(7), mail(8), mail(9)]
    assert {(p.key, p.error) for p in others} == {
        ("Takeout/archive_browser.html", "NotMail"),
        ("__MACOSX/._a.eml", "NotMail"),
    }


@pytest.mark.parametrize("name", ARCHIVES)
def test_each_message_is_found_again_and_known_ones_are_left_out(tmp_path: Path, name: str) -> None:
    ARCHIVES[name](tmp_path / name)
    (source,) = sources.find(tmp_path).files
    messages = [piece for piece in sources.read(source) if isinstance(piece, RawMessage)]
    for message in messages:
        assert sources.read_one(source, message.key) == message
    left = sources.read(source, known={m.key for m in messages[:4]})
    assert [m.key for m in left if isinstance(m, RawMessage)] == [m.key for m in messages[4:]]
    assert list(sources.keys(source)) == [m.key for m in messages]


@pytest.mark.parametrize(
    ("name", "compress"),
    [
        ("Inbox.mbox.gz", gzip.compress),
        ("Inbox.bz2", bz2.compress),
        ("Inbox.xz", lzma.compress),
        ("Inbox.mbox.zst", zstandard.ZstdCompressor().compress),
    ],
)
def test_a_compressed_mbox(tmp_path: Path, name: str, compress: Callable[[bytes], bytes]) -> None:
    (tmp_path / name).write_bytes(compress(mbox(5, 50_000)))
    messages, others = read(tmp_path)
    assert [m.data for m in messages] == [mail(n, 50_000) for n in range(5)]
    assert {m.labels for m in messages} == {("Inbox",)}
    assert others == []


def test_a_large_member_is_streamed_even_when_lengths_lead_back_and_forth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in ((archive, "SMALL", 1000), (streams, "KEPT", 1 << 20), (streams, "BLOCK", 1 << 14)):
        monkeypatch.setattr(module, name, value)
    wrong = b"Content-Length: 1500000\n"
    data = b"".join(FROM + (wrong if n % 9 == 4 else b"") + mail(n, 40_000) + b"\n" for n in range(100))
    (tmp_path / "plain.mbox").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("plain.mbox", data)
    with tarfile.open(tmp_path / "x.tgz", "w:gz") as tar:
        tar.add(tmp_path / "plain.mbox", "plain.mbox")
    plain, zipped_, tarred_ = ([m.data for m in read(tmp_path / n)[0]] for n in ("plain.mbox", "x.zip", "x.tgz"))
    assert len(plain) == 100
    assert zipped_ == plain
    assert tarred_ == plain


def test_a_cut_archive_gives_what_is_whole_and_says_where_it_ends(tmp_path: Path) -> None:
    lines = b"".join(FROM + mail(n) + os.urandom(2000).hex().encode() + b"\n\n" for n in range(200))
    (tmp_path / "Inbox.mbox.gz").write_bytes(gzip.compress(lines)[:-60_000])
    messages, (told,) = read(tmp_path)
    assert 100 < len(messages) < 200
    assert told.error == "ArchiveBroken"


def test_a_bomb_is_stopped_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FLOOR", 1 << 20)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(mbox(2) + bytes(40 << 20)))
    _, (told,) = read(tmp_path)
    assert told.error == "ExpandsTooFar"


def test_protected_members_are_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as out:
        out.writestr("a.eml", mail(1))
        out.writestr("b.eml", mail(2))
    data = bytearray((tmp_path / "x.zip").read_bytes())
    at = data.rfind(b"PK\x01\x02")
    data[at + 8] |= 1  # the central directory says that b.eml is encrypted
    (tmp_path / "x.zip").write_bytes(bytes(data))
    messages, (told,) = read(tmp_path)
    assert [m.key for m in messages] == ["a.eml"]
    assert "password" in told.detail


def test_members_of_one_name_stay_two(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "x.tar", "w") as out:
        for n in (1, 2):
            info = tarfile.TarInfo("./a.eml")
            info.size = len(mail(n))
            out.addfile(info, io.BytesIO(mail(n)))
    (source,) = sources.find(tmp_path).files
    messages = list(sources.read(source))
    assert [m.key for m in messages] == ["a.eml", "a.eml#2"]
    assert [sources.read_one(source, m.key) for m in messages] == messages


def test_an_archive_without_mail_says_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as out:
        out.writestr("a.txt", "bread and milk")
    with pytest.raises(UnknownFormat, match="without mail"):
        sources.find(tmp_path / "x.zip")
    with zipfile.ZipFile(tmp_path / "d.docx", "w") as out:
        out.writestr("[Content_Types].xml", "<x/>")
        out.writestr("word/document.xml", "<x/>")
    with pytest.raises(NotMail, match="office document"):
        sources.find(tmp_path / "d.docx")


def test_memory_does_not_grow_with_what_is_unpacked(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "big.mbox.gz", "wb", compresslevel=1) as out:
        for n in range(300):
            out.write(FROM + mail(n, 1_000_000) + b"\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (source,) = sources.find(tmp_path).files
    assert sum(1 for _ in sources.read(source)) == 300
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 120_000


def test_a_real_mailbox_is_the_same_inside_a_zip(tmp_path: Path) -> None:
    folder = shared_data("enron", "kitchen-l")
    with zipfile.ZipFile(tmp_path / "kitchen.zip", "w", zipfile.ZIP_DEFLATED) as out:
        for file in sorted(folder.glob("*.mbox"))[:20]:
            out.write(file, f"mail/{file.name}")
    outside = [m.data for s in sources.find(folder).files[:20] for m in sources.read(s) if isinstance(m, RawMessage)]
    inside, others = read(tmp_path)
    assert [m.data for m in inside] == outside
    assert others == []
