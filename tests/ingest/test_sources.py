"""Finding mail under a path: formats by content, labels from folders, what is passed over and why."""

import os
from pathlib import Path

import pytest

from ingest import sources
from ingest.errors import EmptySource, NotMail, SourceChanged, SourceMissing, SourceUnreadable, UnknownFormat
from ingest.types import RawMessage

MAIL = b"From: Ada Quill <ada@quill.example>\nSubject: Pier 9\nDate: Tue, 12 Mar 2024 09:15:20 +0100\n\nHello.\n"
FROM = b"From ada@quill.example Tue Mar 12 09:15:20 2024\n"


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def labels(path: Path) -> dict[str, tuple[str, ...]]:
    return {str(s.path.relative_to(path)): s.labels for s in sources.find(path).files}


def test_the_format_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    write(tmp_path / "export", FROM + MAIL + b"\n" + FROM + MAIL)
    write(tmp_path / "note.txt", b"To do: buy bread\nand milk\n")
    found = sources.find(tmp_path)
    assert [(s.path.name, s.format) for s in found.files] == [("export", "mbox")]
    assert [(s.path.name, s.reason) for s in found.skipped] == [("note.txt", "text, but no mail")]


def test_folders_give_labels_in_thunderbirds_and_apples_way(tmp_path: Path) -> None:
    write(tmp_path / "Inbox", FROM + MAIL)
    write(tmp_path / "Inbox.sbd/Pier", FROM + MAIL)
    write(tmp_path / "Old.mbox/mbox", FROM + MAIL)
    write(tmp_path / "Old.mbox/table_of_contents", b"\x00\x01\x02\x03" * 20)
    write(tmp_path / "work/2024.mbox", FROM + MAIL)
    assert labels(tmp_path) == {
        "Inbox": ("Inbox",),
        "Inbox.sbd/Pier": ("Inbox/Pier",),
        "Old.mbox/mbox": ("Old",),
        "work/2024.mbox": ("work/2024",),
    }


def test_a_folder_of_single_messages_is_one_source(tmp_path: Path) -> None:
    write(tmp_path / "a.eml", MAIL)
    write(tmp_path / "2", MAIL)
    write(tmp_path / "sub/b.eml", FROM + MAIL)
    write(tmp_path / "sub/readme.pdf", b"%PDF-1.4 ...")
    found = sources.find(tmp_path)
    assert [(s.path, s.format, s.labels) for s in found.files] == [
        (tmp_path, "eml", (tmp_path.name,)),
        (tmp_path / "sub", "eml", ("sub",)),
    ]
    assert [m.key for m in sources.read(found.files[0])] == ["2", "a.eml"]
    (only,) = sources.read(found.files[1])
    assert isinstance(only, RawMessage)
    assert only.data == MAIL
    assert only.envelope == "ada@quill.example Tue Mar 12 09:15:20 2024"
    assert [s.reason for s in found.skipped] == ["a PDF document"]


def test_known_keys_are_not_read_again(tmp_path: Path) -> None:
    for name in ("a.eml", "b.eml"):
        write(tmp_path / name, MAIL)
    (source,) = sources.find(tmp_path).files
    assert [m.key for m in sources.read(source, known={"a.eml"})] == ["b.eml"]
    assert sorted(sources.keys(source)) == ["a.eml", "b.eml"]


def test_macos_companion_files_are_no_messages(tmp_path: Path) -> None:
    write(tmp_path / "a.eml", MAIL)
    write(tmp_path / "._a.eml", b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ")
    write(tmp_path / "b.eml", b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ")
    write(tmp_path / "__MACOSX/._a.eml", MAIL)
    found = sources.find(tmp_path)
    assert [m.key for s in found.files for m in sources.read(s)] == ["a.eml"]
    assert {s.path.name: s.reason for s in found.skipped} == {
        "._a.eml": "a hidden file",
        "b.eml": "a macOS companion file (AppleDouble)",
    }


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (b"%PDF-1.7\n%more", NotMail, "PDF document"),
        (b"", EmptySource, "is empty"),
        (b"\n\n \n", EmptySource, "nothing but blanks"),
        (b"7z\xbc\xaf\x27\x1c", UnknownFormat, "7z archive"),
        (b"PK\x03\x04....", UnknownFormat, "archive"),
        (b"Dear diary,\ntoday: nothing.\n", NotMail, "no mail"),
        (bytes(range(256)) * 20, NotMail, "binary"),
    ],
)
def test_a_file_that_is_no_mail_ends_in_a_named_error(
    tmp_path: Path, data: bytes, error: type[Exception], says: str
) -> None:
    path = write(tmp_path / "export.mbox", data)
    with pytest.raises(error, match=says) as caught:
        sources.find(path)
    assert str(path) in str(caught.value)


def test_a_missing_path_and_an_empty_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match="nothing at"):
        sources.find(tmp_path / "no")
    with pytest.raises(EmptySource, match="holds no mail"):
        sources.find(tmp_path)


def test_a_message_is_read_again_from_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "x.mbox", FROM + MAIL + b"\n" + FROM + MAIL.replace(b"Hello", b"Good-bye"))
    (source,) = sources.find(path).files
    for message in sources.read(source):
        assert isinstance(message, RawMessage)
        assert sources.read_one(source, message.key, message.offset, message.length) == message
    path.write_bytes(b"\n" * 40 + path.read_bytes())
    with pytest.raises(SourceChanged, match="--sync"):
        sources.read_one(source, message.key, message.offset, message.length)


def test_names_that_are_no_text_can_be_stored_and_read_again(tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.eml")
    write(tmp_path / odd, MAIL)
    write(tmp_path / os.fsdecode(b"caf\xe9.mbox"), FROM + MAIL)
    write(tmp_path / os.fsdecode(b"dir\xe9/a.eml"), MAIL)
    found = sources.find(tmp_path)
    (source,) = found.files
    (message,) = sources.read(source)
    assert message.key == "caf\\xe9.eml"
    assert isinstance(message, RawMessage)
    assert sources.read_one(source, message.key) == message
    assert list(sources.read(source, known={message.key})) == []
    for skipped in found.skipped:
        str(skipped.path).encode()
        assert "rename it" in skipped.reason
    assert len(found.skipped) == 2


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "a.eml", MAIL)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = sources.find(tmp_path)
    assert {s.path.name: s.reason for s in found.skipped} == {"pipe": "no file", "link": "a link to nowhere"}
    assert [s.path for s in found.files] == [tmp_path]


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.mbox", FROM + MAIL)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceUnreadable, match="right to read"):
        sources.find(path)
    with pytest.raises(SourceUnreadable, match="Permission denied"):
        list(sources.read(sources.SourceFile(path, "mbox", ())))


def test_files_beside_the_messages_of_a_maildir_are_reported(tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    write(tmp_path / "cur" / "1.a:2,S", MAIL)
    write(tmp_path / "dovecot-uidlist", b"3 V1 N2\n1 :1.a\n")
    found = sources.find(tmp_path)
    assert [s.format for s in found.files] == ["maildir"]
    assert [s.path.name for s in found.skipped] == ["dovecot-uidlist"]


def test_mh_folders_are_read_without_what_was_removed(tmp_path: Path) -> None:
    for name in ("1", "2", ",3", "#4"):
        write(tmp_path / "inbox" / name, MAIL)
    write(tmp_path / "inbox/.mh_sequences", b"unseen: 2\n")
    write(tmp_path / "inbox/pier/10", MAIL)
    found = sources.find(tmp_path)
    assert labels(tmp_path) == {"inbox": ("inbox",), "inbox/pier": ("inbox/pier",)}
    assert [m.key for m in sources.read(found.files[0])] == ["1", "2"]
    assert sorted(sources.keys(found.files[0])) == ["1", "2"]
    assert [s.path.name for s in found.skipped if "removed" in s.reason] == ["#4", ",3"]
