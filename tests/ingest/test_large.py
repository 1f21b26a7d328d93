"""A message too large to be held: heads and texts are read, what is attached stays where it is, memory does not grow."""

from __future__ import annotations

import base64
import hashlib
import io
import random
import subprocess
import sys
from pathlib import Path

import pytest

from ingest import large, sources
from ingest.body import BY_REFERENCE, attachment_content
from ingest.check import check
from ingest.large import bounded, reduced
from ingest.parse import parse
from ingest.pipeline import ingest
from ingest.sources import SourceFile
from ingest.types import Message, RawMessage
from sql.store import Store
from tests.ingest.mailboxes import one, rows

HEAD = (
    b"From: Ada Quill <ada@harbour.example>\nTo: joe@harbour.example\nSubject: Plans\n"
    b"Date: Mon, 4 Mar 2024 09:00:00 +0100\nMessage-ID: <plans@x>\nMIME-Version: 1.0\n"
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """All limits a thousandth, so that a message of some kilobytes is a large one."""
    for name, value in (("LARGE", 25_000), ("MAX_TEXT", 4000), ("MAX_FILE", 1000), ("BEGINNING", 400),
                        ("MAX_PARTS", 16_000), ("_BLOCK", 700)):  # fmt: skip
        monkeypatch.setattr(large, name, value)
    for module in ("limits", "mbox", "archive"):
        monkeypatch.setattr(f"ingest.sources.{module}.LARGE", 25_000)


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


def attached(content: bytes, name: str = "plan.pdf", type_: str = "application/pdf", encoding: str = "base64") -> bytes:
    body = base64.encodebytes(content) if encoding == "base64" else content + b"\n"
    return (
        f'Content-Type: {type_}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n'
        f"Content-Transfer-Encoding: {encoding}\n\n"
    ).encode() + body


def message(*parts: bytes, text: bytes = b"The plans are attached.\n") -> bytes:
    pieces = [b"Content-Type: text/plain; charset=utf-8\n\n" + text, *parts]
    body = b"".join(b"--bound\n" + piece for piece in pieces) + b"--bound--\n"
    return HEAD + b"Content-Type: multipart/mixed; boundary=bound\n\n" + body


def read(data: bytes) -> Message:
    return parse(bounded(RawMessage("1", data)))


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("encoding", ["base64", "8bit"])
@pytest.mark.usefixtures("small")
def test_what_is_left_out_is_known_by_its_size_and_hash(ends: bytes, encoding: str) -> None:
    content = b"%PDF-1.7 " + noise(30_000).replace(b"\n", b"x").replace(b"\r", b"y")
    data = message(attached(content, encoding=encoding), attached(b"short", "note.txt", "text/plain"))
    found = read(data.replace(b"\n", ends))
    assert found.body.strip() == "The plans are attached."
    plan, note = found.attachments
    assert (plan.name, plan.bytes, plan.sha256) == ("plan.pdf", len(content), hashlib.sha256(content).digest())
    assert (plan.state, plan.detail) == ("failed", BY_REFERENCE)
    assert (note.text, note.state) == ("short", "read")
    assert attachment_content(data.replace(b"\n", ends), plan.part) == content


@pytest.mark.usefixtures("small")
def test_a_large_and_the_same_message_held_whole_differ_in_nothing_but_what_is_left_out() -> None:
    data = message(attached(noise(30_000)), attached(noise(300), "photo.png", "image/png"))
    whole, part = parse(RawMessage("1", data)), read(data)
    for name in ("raw_sha256", "message_id", "sender", "to", "subject", "sent_at", "body", "new_text", "content_key"):
        assert getattr(whole, name) == getattr(part, name)
    assert [(a.part, a.name, a.type, a.bytes, a.sha256) for a in whole.attachments] == [
        (a.part, a.name, a.type, a.bytes, a.sha256) for a in part.attachments
    ]


@pytest.mark.usefixtures("small")
def test_a_picture_that_is_left_out_is_passed_over_like_any_picture() -> None:
    found = read(message(attached(noise(30_000), "photo.png", "image/png")))
    assert [(a.state, a.detail) for a in found.attachments] == [("skipped", "a picture (image/png)")]


@pytest.mark.usefixtures("small")
def test_a_long_text_keeps_its_beginning_and_says_where_the_whole_is() -> None:
    text = b"".join(b"Line %d of the log of the pump at the quay.\n" % n for n in range(2000))
    found = read(HEAD + b"Content-Type: text/plain\n\n" + text)
    assert found.body.startswith("Line 0 of the log") and 3000 < len(found.body) <= 4000
    assert "mailweave" not in found.body
    (rest,) = found.attachments
    assert (rest.bytes, rest.state, rest.sha256) == (len(text), "failed", hashlib.sha256(text).digest())


@pytest.mark.usefixtures("small")
def test_lines_that_only_look_like_a_boundary_part_nothing() -> None:
    text = b"--bounded\n--boun\n-- \nAda\n--bound.\n" * 3
    data = message(attached(noise(30_000)), text=text)
    assert read(data).body == parse(RawMessage("1", data)).body


@pytest.mark.usefixtures("small")
def test_a_thousand_parts_stay_within_the_limit() -> None:
    data = message(*(attached(noise(1500, n), f"{n}.bin", "application/octet-stream") for n in range(200)))
    kept, _, _ = reduced(io.BytesIO(data).read)
    assert len(kept) <= 25_000
    assert read(data).attachments[0].bytes == 1500


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.usefixtures("small")
def test_damaged_messages_are_read_as_far_as_they_go(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(message(attached(noise(20_000, seed)), attached(noise(9000, seed), encoding="8bit")))
    for _ in range(chance.randrange(1, 12)):
        place = chance.randrange(len(data))
        match chance.randrange(3):
            case 0:
                data[place] = chance.randrange(256)
            case 1:
                del data[place : place + chance.randrange(200)]
            case _:
                data[place:place] = b"\n--bound" + chance.choice((b"", b"--", b"\n", b" x\n", b"er\n"))
    found = read(bytes(data))
    assert found.raw_sha256 == hashlib.sha256(data).digest()
    assert "mailweave-left-out" not in found.body


@pytest.mark.usefixtures("small")
def test_in_every_kind_of_source_it_is_one_message(store: Store, tmp_path: Path) -> None:
    import zipfile

    data = message(attached(noise(40_000)))
    (tmp_path / "box.mbox").write_bytes(b"From - Mon Mar  4 09:00:00 2024\n" + data + b"\n")
    (tmp_path / "single").mkdir()
    (tmp_path / "single" / "1.eml").write_bytes(data)
    for folder in ("cur", "new", "tmp"):
        (tmp_path / "dir" / folder).mkdir(parents=True)
    (tmp_path / "dir" / "cur" / "1:2,S").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.eml", data)
    result = ingest(store, [tmp_path], jobs=1)
    assert rows(store, "SELECT path, detail FROM mail.ingest_error") == []
    assert (result.messages, result.copies, result.unreadable) == (1, 3, 0)
    assert rows(store, "SELECT DISTINCT name, bytes FROM mail.attachment") == [("plan.pdf", 40_000)]
    assert one(store, "SELECT count(DISTINCT raw_sha256) FROM mail.occurrence") == 1
    with store.owner() as conn:
        assert check(conn) == []


PROGRAM = """
import resource, sys
from pathlib import Path
from ingest import sources
from ingest.parse import parse
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    for raw in sources.read(sources.SourceFile(Path(path), "mbox", ())):
        message = parse(raw)
        print(len(message.body), sum(attachment.bytes for attachment in message.attachments))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_does_not_grow_with_a_message(tmp_path: Path) -> None:
    film, line = tmp_path / "film.mbox", tmp_path / "line.mbox"
    block = base64.encodebytes(noise(57_000))
    with film.open("wb") as file:
        file.write(b"From - Mon Mar  4 09:00:00 2024\n" + message(b"")[: -len(b"--bound--\n")])
        file.write(attached(b"", "film.mp4", "video/mp4"))
        for _ in range(300_000_000 // len(block)):
            file.write(block)
        file.write(b"--bound--\n\n")
    with line.open("wb") as file:
        file.write(b"From - Mon Mar  4 09:00:00 2024\n" + HEAD + b"\n")
        for _ in range(400):
            file.write(b"word " * 200_000)
        file.write(b"\n\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, film, line], stdout=subprocess.PIPE, text=True, check=True,
        cwd=Path(large.__file__).parents[1],
    )  # fmt: skip
    (_, size), (characters, rest), (grown,) = (map(int, line.split()) for line in done.stdout.splitlines())
    assert size > 200_000_000
    assert characters <= large.MAX_TEXT and 400_000_000 <= rest <= 400_000_002
    assert grown < 150
    film.unlink(), line.unlink()


def test_a_file_that_is_one_message_is_recognised_whatever_its_size(tmp_path: Path) -> None:
    path = tmp_path / "one.eml"
    path.write_bytes(message(attached(noise(20_000_000))))
    (raw,) = sources.read(SourceFile(path, "eml", ()))
    assert isinstance(raw, RawMessage)
    assert len(raw.data) < 200_000 and len(raw.left_out) == 1
