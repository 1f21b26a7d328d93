"""Cutting an mbox into messages: all dialects, unescaped lines in bodies, resuming, constant memory."""

import io
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import sources
from ingest.sources.separators import LOOKAHEAD, WINDOW, pieces
from ingest.types import RawMessage, Unreadable

HEAD = "From: Ada Quill <ada@quill.example>\nSubject: {}\n"
FROM = "From ada@quill.example Tue Mar 12 09:15:20 2024\n"


def message(subject: str, body: str = "Hello.\n", extra: str = "") -> str:
    return HEAD.format(subject) + extra + "\n" + body


def read(tmp_path: Path, text: str | bytes, start: int = 0) -> list[RawMessage | Unreadable]:
    path = tmp_path / "x.mbox"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(sources.read(sources.SourceFile(path, "mbox", ("x",)), start))


def bodies(found: list[RawMessage | Unreadable]) -> list[str]:
    return [m.data.decode().partition("\n\n")[2] for m in found if isinstance(m, RawMessage)]


@pytest.mark.parametrize(
    "line",
    [
        "From ada@quill.example Tue Mar 12 09:15:20 2024",
        "From ada@quill.example  Tue Mar  2 09:15:20 2024",
        "From ada@quill.example Tue Mar 12 09:15 2024",
        "From ada@quill.example Tue Mar 12 09:15:20 CET 2024",
        "From ada@quill.example Tue Mar 12 09:15:20 2024 +0100",
        "From ada at quill.example  Tue Mar 12 09:15:20 2024",
        "From - Tue Mar 12 09:15:20 2024",
        "From ???@??? Tue Mar 12 09:15:20 2024",
        "From 1793@xxx Tue Mar 12 09:15:20 +0000 2024",
        "From ada@quill.example Tue, 12 Mar 2024 09:15:20 +0100",
        "From MAILER-DAEMON Tue Mar 12 09:15:20 2024 remote from pier",
        "From MAILER-DAEMON",
        "From -",
        "From ",
    ],
)
def test_every_programs_separator_is_one(tmp_path: Path, line: str) -> None:
    text = f"{line}\n{message('a')}\n{line}\n{message('b')}"
    found = read(tmp_path, text)
    assert bodies(found) == ["Hello.\n", "Hello.\n"]
    assert [m.envelope for m in found if isinstance(m, RawMessage)] == [line[5:].strip()] * 2


@pytest.mark.parametrize(
    "line",
    [
        "From the harbour office we walked to pier 9.",
        "From my side: nothing.",
        "From ada@quill.example I heard nothing.",
        "From 9:15 to 10:00 the crane was idle.",
        "From Tue Mar 12 on, the pier is closed:",
        "From: nobody",
    ],
)
def test_a_line_of_text_that_starts_with_from_separates_nothing(tmp_path: Path, line: str) -> None:
    body = f"Hello,\n\n{line}\nMore.\n\n{line}\n"
    found = read(tmp_path, FROM + message("a", body) + "\n" + FROM + message("b"))
    assert bodies(found) == [body, "Hello.\n"]


def test_escaped_lines_lose_one_mark(tmp_path: Path) -> None:
    (found,) = read(tmp_path, FROM + message("a", "Hello,\n>From here\n>>From there\n> From nowhere\n"))
    assert bodies([found]) == ["Hello,\nFrom here\n>From there\n> From nowhere\n"]


def test_content_length_is_believed_only_when_it_leads_to_a_separator(tmp_path: Path) -> None:
    body = f"See this:\n\n{FROM}Subject: not a message\n\nof its own.\n"
    right = message("a", body, f"Content-Length: {len(body)}\n")
    wrong = message("b", "Hello.\n", "Content-Length: 123456\n")
    found = read(tmp_path, FROM + right + "\n" + FROM + wrong + "\n" + FROM + message("c"))
    assert bodies(found) == [body, "Hello.\n", "Hello.\n"]


def test_a_cut_message_does_not_swallow_the_next(tmp_path: Path) -> None:
    found = read(tmp_path, FROM + HEAD.format("a") + "\nThis ends in the mid\n" + FROM + message("b"))
    assert bodies(found) == ["This ends in the mid\n", "Hello.\n"]


def test_a_truncated_last_message_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = (FROM + message("a") + "\n" + FROM + message("b", "The end is miss")).encode()
    assert bodies(read(tmp_path, whole)) == ["Hello.\n", "The end is miss"]
    head_only = read(tmp_path, whole[: whole.rindex(b"\n\n")])
    assert [m.data.count(b"Subject: b") for m in head_only if isinstance(m, RawMessage)] == [0, 1]


def test_windows_line_ends_are_kept(tmp_path: Path) -> None:
    text = (FROM + message("a") + "\n" + FROM + message("b")).replace("\n", "\r\n").encode()
    found = read(tmp_path, text)
    assert [m.data for m in found if isinstance(m, RawMessage)] == [
        message(s).replace("\n", "\r\n").encode() for s in "ab"
    ]


def test_a_first_separator_may_be_missing(tmp_path: Path) -> None:
    found = read(tmp_path, message("a") + "\n" + FROM + message("b"))
    assert bodies(found) == ["Hello.\n", "Hello.\n"]
    assert found[0].key == "0"


def test_a_separator_without_a_message_is_in_the_ledger(tmp_path: Path) -> None:
    found = read(tmp_path, FROM + "\n" + FROM + message("b"))
    assert [type(m).__name__ for m in found] == ["Unreadable", "RawMessage"]


def test_nul_bytes_separate_and_lose_nothing(tmp_path: Path) -> None:
    found = read(tmp_path, FROM + message("a", "x\x00y\n") + "\n" + FROM + message("b"))
    assert bodies(found) == ["x\x00y\n", "Hello.\n"]


def test_reading_goes_on_where_it_ended(tmp_path: Path) -> None:
    parts = [FROM + message(s) + "\n" for s in "abc"]
    first = read(tmp_path, "".join(parts[:2]))
    last = first[-1]
    assert last.offset is not None
    assert last.length is not None
    end = last.offset + last.length
    assert end == len("".join(parts[:2]))
    assert read(tmp_path, "".join(parts[:2]), end) == []
    assert [m.key for m in read(tmp_path, "".join(parts), end)] == [str(end)]


@given(
    st.lists(
        st.tuples(st.integers(0, 3 * LOOKAHEAD), st.sampled_from(["\n", "\r\n"]), st.booleans()), min_size=1, max_size=8
    ),
    st.integers(0, 2 * LOOKAHEAD),
)
def test_pieces_cover_the_file_without_gap_at_any_window_border(sizes: list[tuple[int, str, bool]], shift: int) -> None:
    """Separators fall on and around the border of the read window."""
    filler = FROM + message("big", "x" * 77 + "\n") * 1
    first = FROM + message("first", "y" * (WINDOW - LOOKAHEAD * 2 + shift) + "\n") + "\n"
    texts = [first] + [
        (FROM + message("n", ("z" * 60 + "\n") * (size // 60) + ("From me to you\n" if quote else ""))).replace(
            "\n", end
        )
        + end
        for size, end, quote in sizes
    ]
    data = ("".join(texts) + filler).encode()
    found = list(pieces(io.BytesIO(data)))
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text.encode()))
    assert [p.start for p in found] == starts
    assert [p.stop for p in found] == [*starts[1:], len(data)]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "big.mbox"
    piece = (FROM + message("a", "word " * 3000 + "\n") + "\n").encode()
    with path.open("wb") as file:
        for _ in range(8000):
            file.write(piece)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count = sum(1 for _ in sources.read(sources.SourceFile(path, "mbox", ())))
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert count == 8000
    assert path.stat().st_size > 110_000_000
    assert grown_kib < 16_000
