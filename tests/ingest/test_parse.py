"""A raw message becomes a clean one."""

import hashlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import UnreadableMessage
from ingest.parse import MAX_REFERENCES, content_key, parse
from ingest.types import Mailbox, Message, RawMessage

MAIL = """From: Ada Quill <Ada@Quill.example>
To: Joe <joe@quay.example>, pia@storm.example
Cc: pia@storm.example
Date: Tue, 12 Mar 2024 09:15:20 +0100
Message-ID: <a.1@quill.example>
In-Reply-To: <b.2@quay.example>
References: <c.3@quay.example>
 <b.2@quay.example>
Subject: Re: [ops] Pier 9
Thread-Index: AdN1x2J6ttN0dHUdSN6bMXgTlmYOAAAAAAE=

Yes, it is.

On Mon, 11 Mar 2024 at 10:00, Joe <joe@quay.example> wrote:
> Is it idle?
"""


def message(text: str | bytes, offset: int | None = None, length: int | None = None) -> Message:
    return parse(RawMessage("k", text if isinstance(text, bytes) else text.encode(), ("Inbox",), offset, length))


def test_a_plain_message() -> None:
    found = message(MAIL, offset=7, length=900)
    assert found.key == "k"
    assert (found.offset, found.length) == (7, 900)
    assert found.raw_sha256 == hashlib.sha256(MAIL.encode()).digest()
    assert (found.message_id, found.message_id_derived) == ("<a.1@quill.example>", False)
    assert found.sender == Mailbox("ada@quill.example", "Ada Quill")
    assert found.to == (Mailbox("joe@quay.example", "Joe"), Mailbox("pia@storm.example", ""))
    assert found.cc == (Mailbox("pia@storm.example", ""),)
    assert (found.subject, found.subject_base) == ("Re: [ops] Pier 9", "pier 9")
    assert (found.is_reply, found.is_forward) == (True, False)
    assert found.sent_at == datetime(2024, 3, 12, 8, 15, 20, tzinfo=UTC)
    assert found.local_at == datetime(2024, 3, 12, 9, 15, 20)
    assert found.date_from == "header"
    assert found.in_reply_to == ("<b.2@quay.example>",)
    assert found.reference_ids == ("<c.3@quay.example>", "<b.2@quay.example>")
    assert found.thread_index is not None
    assert len(found.thread_index) == 26
    assert found.labels == ("Inbox",)
    assert found.kind == "mail"
    assert found.new_text.strip() == "Yes, it is."
    hidden = "".join(found.body[start:stop] for start, stop, _ in found.hidden)
    assert "Is it idle?" in hidden
    assert "Yes, it is." not in hidden


def test_a_message_id_that_is_missing_is_derived_from_what_does_not_change() -> None:
    bare = "From: ada@quill.example\nDate: Tue, 12 Mar 2024 09:15:20 +0100\n{}\nHello.\n{}"
    found = message(bare.format("", ""))
    assert found.message_id_derived
    same = [bare.format("Status: RO\n", ""), bare.format("", "\n"), bare.format("", "").replace("\n", "\r\n")]
    assert {message(text).message_id for text in same} == {found.message_id}
    assert message(bare.format("", "More.\n")).message_id != found.message_id
    assert message(bare.replace("ada", "pia").format("", "")).message_id != found.message_id
    for empty in ("Message-ID: \n", "Message-ID: <>\n", "Message-ID: <  >\n"):
        assert message(bare.format(empty, "")).message_id_derived


def test_a_message_id_too_long_for_an_index_is_hashed_and_references_to_it_still_meet_it() -> None:
    long = "x" * 12_000 + "@quill.example"
    original = message(f"Message-ID: <{long}>\n\nx\n")
    answer = message(f"Message-ID: <b@c.example>\nIn-Reply-To: <{long}>\n\nx\n")
    assert original.message_id_derived
    assert len(original.message_id) < 100
    assert answer.in_reply_to == (original.message_id,)


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ("<a@b.example>", ("<a@b.example>",)),
        ("a@b.example", ("<a@b.example>",)),
        ("<a@b.example><c@d.example>", ("<a@b.example>", "<c@d.example>")),
        ('Ada\'s message of "Mon, 28 Jun 2010" <a@b.example>', ("<a@b.example>",)),
        ("<a@b.\n example>", ("<a@b.example>",)),
        ("<a@b.example> <a@b.example>", ("<a@b.example>",)),
        ("<self@quill.example> <a@b.example>", ("<a@b.example>",)),
        ("your mail of Monday", ()),
        ("<>", ()),
    ],
)
def test_references(value: str, ids: tuple[str, ...]) -> None:
    head = f"Message-ID: <self@quill.example>\nIn-Reply-To: {value}\nReferences: {value}\n\nx\n"
    found = message(head)
    assert found.in_reply_to == ids
    assert found.reference_ids == ids


def test_the_root_and_the_last_of_very_many_references_are_kept() -> None:
    many = "\n ".join(f"<{n}@b.example>" for n in range(5000))
    ids = message(f"References: {many}\n\nx\n").reference_ids
    assert len(ids) == MAX_REFERENCES
    assert (ids[0], ids[1], ids[-1]) == ("<0@b.example>", f"<{5001 - MAX_REFERENCES}@b.example>", "<4999@b.example>")


def test_gmails_labels_take_the_place_of_the_files_name() -> None:
    found = message('X-Gmail-Labels: =?UTF-8?Q?Entw=C3=BCrfe,"a, b",Work?=\nX-GM-THRID: 17\n\nx\n')
    assert found.labels == ("Entwürfe", "a, b", "Work")
    assert found.gm_thread == "17"
    assert found.kind == "draft"


def test_no_sender_no_date_no_subject_no_body() -> None:
    found = message("X-Odd: yes\n\n")
    assert (found.sender, found.sent_at, found.local_at, found.date_from) == (None, None, None, None)
    assert (found.subject, found.body, found.new_text) == ("", "", "")


def test_bytes_without_a_message_are_named() -> None:
    for data in (b"", b"\n\n", b"\x00\x00\x00"):
        with pytest.raises(UnreadableMessage, match="ledger"):
            message(data)


def test_no_nul_and_no_lone_surrogate_reaches_the_database() -> None:
    found = message(
        b"From: =?utf-8?Q?A=00da?= <a\x00da@quill.example>\nSubject: a\x00b =?utf-16?B?2AA=?=\nContent-Type: text/plain; charset=utf-7\n\n"
        b"x\x00y +2AA-\n"
    )
    for text in (found.subject, found.body, found.new_text, found.sender.name, found.sender.address):  # type: ignore[union-attr]
        assert "\x00" not in text
        text.encode()


def test_a_forward_without_words_of_its_own_is_not_empty() -> None:
    found = message(
        "From: ada@quill.example\nSubject: FW: Crane\n\n-----Original Message-----\nFrom: Joe Quay\n"
        "Sent: Monday, March 11, 2024 10:00 AM\nTo: Ada Quill\nSubject: Crane\n\nThe crane is idle.\n"
    )
    assert found.is_forward
    assert "The crane is idle." in found.new_text


def test_copies_have_one_content_key() -> None:
    copy = MAIL.replace("a.1", "z.9").replace("Yes, it is.", "Yes,  it\nis.").replace("Re: [ops]", "RE:")
    assert message(copy).content_key == message(MAIL).content_key
    for other in (
        MAIL.replace("Ada@", "pia@"),
        MAIL.replace("Pier 9", "Pier 8"),
        MAIL.replace("Yes", "No"),
    ):
        assert message(other).content_key != message(MAIL).content_key


def test_two_scans_with_the_same_words_are_two_messages() -> None:
    scan = (
        "From: scanner@quay.example\nSubject: Scan\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        "Content-Type: application/pdf\n\n{}\n--b--\n"
    )
    assert message(scan.format("one")).content_key != message(scan.format("two")).content_key


def test_the_parts_of_a_key_cannot_run_into_each_other() -> None:
    assert content_key("a", "b c", "d") != content_key("a", "b", "c d")


@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_named(data: bytes) -> None:
    try:
        found = message(data)
    except UnreadableMessage:
        return
    found.body.encode()
    assert all(0 <= start <= stop <= len(found.body) for start, stop, _ in found.hidden)


def test_the_end_of_a_huge_text_is_kept_as_new_text() -> None:
    log = "one line of a log\n" * 80_000
    found = message(f"Subject: log\n\nSee below.\n{log}The end.\n")
    assert found.body == f"See below.\n{log}The end.\n"
    assert found.new_text.endswith("The end.")


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("header", "piece"), [("References", "a"), ("From", "@"), ("To", "a@"), ("To", '" ')])
def test_a_header_of_one_repeated_piece_takes_no_square_of_its_length(header: str, piece: str) -> None:
    # linear, it takes hundredths of a second; by the square of its length, minutes
    parse(RawMessage("k", f"{header}: {piece * (200_000 // len(piece))}\n\nx\n".encode(), ()))
