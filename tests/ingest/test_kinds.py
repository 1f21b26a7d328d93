"""What kind of mail a message is."""

import pytest

from ingest.headers import Headers, read_head
from ingest.kinds import kind_of
from ingest.types import Kind


def kind(
    head: str = "", *labels: str, flags: str = "", sender: str = "ada@quill.example", type_: str = "text/plain"
) -> Kind:
    data = head.encode() + b"\n\n"
    return kind_of(read_head(data, 0, len(data))[0], labels, flags, sender, type_)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Drafts", "draft"),
        ("[Gmail]/Drafts", "draft"),
        ("INBOX.Drafts", "draft"),
        ("work/Entwürfe", "draft"),
        ("Brouillons", "draft"),
        ("Черновики", "draft"),
        ("草稿", "draft"),
        ("Spam", "spam"),
        ("[Google Mail]/Spam", "spam"),
        ("Junk", "spam"),
        ("Junk E-mail", "spam"),
        ("Courrier indésirable", "spam"),
        ("Trash", "trash"),
        ("[Gmail]/Bin", "trash"),
        ("Papierkorb", "trash"),
        ("Корзина", "trash"),
        ("Chat", "chat"),
        ("Deleted Items", "mail"),
        ("deleted_items", "mail"),
        ("Courrier", "mail"),
        ("Drafts/Old", "mail"),
        ("Sent Items", "mail"),
        ("Gelöschte Elemente", "mail"),
        ("Trash talk", "mail"),
        ("Inbox", "mail"),
    ],
)
def test_folders_tell_the_kind(label: str, expected: str) -> None:
    assert kind("", label) == expected


def test_flags_tell_the_kind() -> None:
    assert kind(flags="DS") == "draft"
    assert kind(flags="ST") == "trash"
    assert kind("X-Mozilla-Status: 0009") == "trash"
    assert kind("X-Mozilla-Status: 0001") == "mail"
    assert kind("X-Mozilla-Status: odd") == "mail"
    assert kind("X-Spam-Flag: YES") == "spam"


@pytest.mark.parametrize(
    "head",
    [
        "Auto-Submitted: auto-generated",
        "Auto-Submitted: auto-replied",
        "Precedence: bulk",
        "Precedence: junk",
        "List-Unsubscribe: <https://letter.example/u>",
        "List-Id: <news.letter.example>\nList-Post: NO",
        "Feedback-ID: 1:2:3",
        "X-Auto-Response-Suppress: All",
        "Return-Path: <>",
        "X-Failed-Recipients: x@y.example",
    ],
)
def test_headers_of_automated_mail(head: str) -> None:
    assert kind(head) == "automated"


@pytest.mark.parametrize(
    "head",
    [
        "",
        "Auto-Submitted: no",
        "List-Id: <ops.quay.example>\nList-Post: <mailto:ops@quay.example>\nPrecedence: list\nList-Unsubscribe: <mailto:x@y.example>",
        "X-Auto-Response-Suppress: DR, RN, NRN",
        "Return-Path: <ada@quill.example>",
        "Precedence: normal",
    ],
)
def test_people_write_with_these_headers(head: str) -> None:
    assert kind(head) == "mail"


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ("no-reply@shop.example", "automated"),
        ("noreply+17@shop.example", "automated"),
        ("orders.no_reply@shop.example", "automated"),
        ("donotreply@shop.example", "automated"),
        ("mailer-daemon@quay.example", "automated"),
        ("list-bounces@quay.example", "automated"),
        ("notifications@hub.example", "automated"),
        ("newsletter@shop.example", "automated"),
        ("ada@no-reply.example", "mail"),
        ("newsome@quay.example", "mail"),
        ("rootes@quay.example", "mail"),
        ("alerting.ada@quay.example", "mail"),
    ],
)
def test_senders_who_answer_to_nobody(sender: str, expected: str) -> None:
    assert kind(sender=sender) == expected


def test_reports_of_delivery_are_automated() -> None:
    assert kind(type_="multipart/report") == "automated"


def test_the_stronger_kind_wins() -> None:
    assert kind("Precedence: bulk", "Drafts") == "draft"
    assert kind("", "Drafts", "Trash") == "trash"


@pytest.mark.parametrize(
    ("label", "kind"),
    [("Κάδος", "trash"), ("Papperskorgen", "trash"), ("Thùng rác", "trash"), ("ถังขยะ", "trash"),
     ("Wersje robocze", "draft"), ("Thư nháp", "draft"), ("스팸함", "spam"), ("[Gmail]/Papierkorb", "trash")],
)  # fmt: skip
def test_names_of_folders_in_any_writing(label: str, kind: str) -> None:
    assert kind_of(Headers({}), (label,)) == kind
