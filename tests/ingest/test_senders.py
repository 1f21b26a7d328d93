"""Who wrote a message."""

import pytest

from ingest.headers import Headers
from ingest.senders import author
from ingest.types import Mailbox


def who(**fields: str) -> Mailbox | None:
    return author(Headers({name.replace("_", "-").lower(): [value] for name, value in fields.items()}))


def test_from_tells_and_sender_when_it_is_missing() -> None:
    assert who(From="Ada <ada@quill.example>", Sender="x@y.example") == Mailbox("ada@quill.example", "Ada")
    assert who(Sender="x@y.example") == Mailbox("x@y.example")
    assert who(From="", To="x@y.example") is None


@pytest.mark.parametrize(
    ("beside", "value"),
    [
        ("Reply_To", "Ada Quill <ada@quill.example>"),
        ("Reply_To", "ada@quill.example"),
        ("Reply_To", "ops@quay.example, ada@quill.example"),
        ("X_Original_From", "ada@quill.example"),
        ("X_MailFrom", "ada@quill.example"),
    ],
)
def test_the_author_behind_a_lists_address(beside: str, value: str) -> None:
    found = who(From="Ada Quill via Ops <ops@quay.example>", List_Post="<mailto:ops@quay.example>", **{beside: value})
    assert found == Mailbox("ada@quill.example", "Ada Quill")


def test_a_list_that_speaks_for_itself_stays_the_sender() -> None:
    post = "<mailto:ops@quay.example>"
    assert who(From="Ops <ops@quay.example>", List_Post=post) == Mailbox("ops@quay.example", "Ops")
    assert who(From="Ops <ops@quay.example>", List_Post=post, Reply_To="a@b.example, c@d.example") == Mailbox(
        "ops@quay.example", "Ops"
    )


def test_a_post_under_the_authors_own_address_is_untouched() -> None:
    found = who(
        From="Ada <ada@quill.example>", List_Post="<mailto:ops@quay.example>", Reply_To="Joe <joe@quay.example>"
    )
    assert found == Mailbox("ada@quill.example", "Ada")
