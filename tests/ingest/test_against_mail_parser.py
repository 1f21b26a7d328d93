"""Our reading of whole mailboxes agrees with mail-parser's, an independent library, header by header."""

from __future__ import annotations

from itertools import islice

import mailparser

from ingest.parse import parse
from ingest.sources import find, read
from ingest.types import RawMessage
from tests.shared import shared_data


def sample(path: str, every: int) -> list[RawMessage]:
    (file,) = find(shared_data(*path.split("/"))).files
    return [raw for raw in islice(read(file), 0, None, every) if isinstance(raw, RawMessage)]


def test_subjects_senders_and_recipients_of_a_list_are_those_that_mail_parser_reads() -> None:
    differing = []
    raws = sample("lists/usrp-users-2022.mbox", 8)
    for raw in raws:
        theirs, ours = mailparser.parse_from_bytes(raw.data), parse(raw)
        same = (
            " ".join((theirs.subject or "").split()) == ours.subject
            and {a.lower() for _, a in theirs.to if a} <= {box.address for box in ours.to}
            and len(theirs.attachments) <= len(ours.attachments)
        )
        if not same:
            differing.append(raw.key)
    # mail-parser leaves some encoded words and address forms as they are.
    assert len(raws) > 150
    assert len(differing) <= len(raws) * 0.05, differing


def test_subjects_are_equal_and_no_recipient_that_mail_parser_reads_is_missed() -> None:
    # The other way round does not hold: mail-parser leaves out addresses with two dots in a row, of which this export
    # is full ("f..name@"), which is why mail is not read with it.
    raws = sample("enron/kitchen-l/sent_items.mbox", 5)
    assert len(raws) > 100
    for raw in raws:
        theirs, ours = mailparser.parse_from_bytes(raw.data), parse(raw)
        assert " ".join((theirs.subject or "").split()) == ours.subject
        assert {a.lower() for _, a in theirs.to if a} <= {box.address for box in ours.to}
