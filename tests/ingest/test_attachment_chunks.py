"""Attachments in the store: their chunks cite message and file, a file is cut once, and all follows what changes."""

from __future__ import annotations

import base64
from pathlib import Path

from ingest.check import check
from ingest.chunks import Attached, compose_attached
from ingest.forget import forget_source
from ingest.pipeline import ingest
from ingest.resolve import resolve
from ingest.status import status
from retrieval.text import messages
from sql.store import Store
from tests.ingest.mailboxes import mbox, one, rows, snapshot

LONG = "".join(f"Berth {n} is free on day {n} of the month.\n" for n in range(120))
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(40)


def with_files(n: int, *files: tuple[str, str, bytes], body: str = "See the files.") -> bytes:
    parts = [f"--b\nContent-Type: text/plain\n\n{body}\n".encode()]
    for name, type_, content in files:
        head = f'--b\nContent-Type: {type_}\nContent-Disposition: attachment; filename="{name}"\n'
        parts.append(f"{head}Content-Transfer-Encoding: base64\n\n".encode() + base64.encodebytes(content))
    head = (
        f"From: Ada Quill <ada@quill.example>\nTo: Tom Byrne <tom@byrne.example>\nSubject: Pier {n}\n"
        f"Date: Tue, {10 + n} Mar 2024 09:00:00 +0100\nMessage-ID: <{n}@quill.example>\n"
        "Content-Type: multipart/mixed; boundary=b\n\n"
    )
    return head.encode() + b"".join(parts) + b"--b--\n"


def pieces(store: Store) -> list[tuple[str, str, str]]:
    """Message-ID, file and words of every chunk of a file."""
    return rows(
        store,
        "SELECT m.message_id, a.name, c.text FROM mail.chunk c JOIN mail.message m ON m.id = c.message"
        " JOIN mail.attachment a ON a.id = c.attachment ORDER BY m.message_id, c.position",
    )


def no_differences(store: Store) -> None:
    with store.owner() as conn:
        assert check(conn) == []


def test_chunks_of_a_file_name_it_and_cover_its_text() -> None:
    header = "Date: 2024-03-11\nFrom: Ada Quill"
    found = compose_attached(
        header, 14, [Attached(7, "berths.txt", "\n\n[x]\n", LONG), Attached(8, "", "\n[y]", "End.")]
    )
    whole = "See the files." + "\n\n[x]\n" + LONG + "\n[y]" + "End."
    assert len(found) > 5
    assert {attachment for _, _, _, attachment in found} == {7, 8}
    for start, stop, text, attachment in found:
        assert text.startswith(f"{header}\nAttachment{': berths.txt' if attachment == 7 else ''}\n\n")
        assert text.endswith(whole[start:stop].strip())
    assert {n for n in range(120) if any(f"Berth {n} is" in text for _, _, text, _ in found)} == set(range(120))


def test_text_of_files_is_found_with_its_message(store: Store, tmp_path: Path) -> None:
    files = (("berths.txt", "text/plain", LONG.encode()), ("pier.png", "image/png", PICTURE))
    mbox(tmp_path / "a.mbox", [with_files(1, *files), with_files(2, body="No files.")])
    ingest(store, [tmp_path])
    found = pieces(store)
    assert {(message, name) for message, name, _ in found} == {("<1@quill.example>", "berths.txt")}
    assert any(
        "Berth 119" in text and "Subject: Pier 1" in text and "Attachment: berths.txt" in text for *_, text in found
    )
    with store.reader() as conn:
        (shown,) = messages(
            conn, [one(store, "SELECT id FROM mail.message WHERE message_id = '<1@quill.example>'")]
        ).values()
    assert shown.new_text.startswith("See the files.\n\n[Attachment: berths.txt]\nBerth 0")
    for start, stop, text in rows(store, "SELECT start, stop, text FROM mail.chunk WHERE message = %s", shown.id):
        assert text.endswith(shown.new_text[start:stop].strip())
    no_differences(store)


def test_a_file_on_many_messages_is_cut_with_the_first_whatever_the_order(store: Store, tmp_path: Path) -> None:
    file = ("berths.txt", "text/plain", LONG.encode())
    mbox(tmp_path / "late.mbox", [with_files(3, file), with_files(2, file)])
    ingest(store, [tmp_path])
    assert {message for message, _, _ in pieces(store)} == {"<2@quill.example>"}
    mbox(tmp_path / "early.mbox", [with_files(1, file)])
    ingest(store, [tmp_path])
    assert {message for message, _, _ in pieces(store)} == {"<1@quill.example>"}
    assert one(store, "SELECT count(*) FROM mail.attachment_text") == 1
    no_differences(store)


def test_texts_go_with_the_last_message_that_carries_them(store: Store, tmp_path: Path) -> None:
    file = ("berths.txt", "text/plain", LONG.encode())
    mbox(tmp_path / "a.mbox", [with_files(1, file)])
    mbox(tmp_path / "b.mbox", [with_files(2, file)])
    ingest(store, [tmp_path])
    for name, left in (("a.mbox", {"<2@quill.example>"}), ("b.mbox", set())):
        with store.owner() as conn:
            forget_source(conn, one(store, "SELECT id FROM mail.source WHERE path = %s", str(tmp_path / name)))
            resolve(conn)
        assert {message for message, _, _ in pieces(store)} == left
        no_differences(store)
    assert one(store, "SELECT count(*) FROM mail.attachment_text") == 0


def test_reading_again_changes_nothing(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "a.mbox", [with_files(1, ("berths.txt", "text/plain", LONG.encode()))])
    ingest(store, [tmp_path])
    before, ids = snapshot(store), rows(store, "SELECT id FROM mail.chunk ORDER BY id")
    (tmp_path / "a.mbox").touch()
    ingest(store, [tmp_path])
    assert snapshot(store) == before
    assert rows(store, "SELECT id FROM mail.chunk ORDER BY id") == ids


def test_what_became_of_files_is_counted(store: Store, tmp_path: Path) -> None:
    files = [
        ("berths.txt", "text/plain", LONG.encode()),
        ("long.txt", "text/plain", b"word " * 30_000),
        ("blank.txt", "text/plain", b"\n"),
        ("pier.png", "image/png", PICTURE),
        ("a.pdf", "application/pdf", b"%PDF-1.4 broken"),
    ]
    mbox(tmp_path / "a.mbox", [with_files(1, *files), with_files(2, files[0])])
    ingest(store, [tmp_path])
    found = status(store).attachments
    assert (found.files, found.read, found.cut, found.empty, found.skipped, found.failed, found.untried) == (
        5, 1, 1, 1, 1, 1, 0
    )  # fmt: skip
    assert sum(found.reasons.values()) == 4
    assert found.reasons["a picture (image/png)"] == 1
    no_differences(store)


def test_what_is_no_mail_in_an_archive_is_passed_over_and_counted(store: Store, tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "x.zip", "w") as out:
        out.writestr("mail/a.eml", with_files(1))
        out.writestr("mail/b.mbox", b"From - Mon Mar  4 09:00:00 2024\n" + with_files(2) + b"\n")
        out.writestr("index.html", "<html></html>")
    result = ingest(store, [tmp_path])
    assert (result.messages, result.unreadable) == (2, 0)
    assert result.skipped == [(f"{tmp_path / 'x.zip'}/index.html", "it is text, but no mail")]
    again = ingest(store, [tmp_path])
    assert (again.messages, again.unchanged) == (0, 1)
    no_differences(store)
