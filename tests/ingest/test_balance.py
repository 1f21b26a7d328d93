"""Nothing is lost between the exports and the store: over all the shared data the sums balance, source by source."""

from __future__ import annotations

from ingest import sources
from ingest.check import check
from ingest.pipeline import ingest
from ingest.status import status
from ingest.types import RawMessage, Unreadable
from sql.store import Store
from tests.shared import shared_data

# Format: sources, messages, rows of the ledger, what was told as no mail. The enron mailboxes have tests of their own.
EXPECTED = {
    "eml": (22, 570, 0, 1),
    "mbox": (14, 1635, 0, 0),
    "emlx": (1, 10, 0, 0),
    "json": (3, 1260, 0, 0),
    "csv": (1, 80, 0, 0),
    "pst": (5, 14, 0, 12),
    "olm": (1, 22, 0, 2),
    "maildir": (3, 6, 0, 0),
}


def test_every_piece_of_every_source_is_in_the_store_or_in_the_ledger(store: Store) -> None:
    paths = [shared_data(name) for name in ("exports", "faults", "lists", "parsers")]
    told: dict[str, list[int]] = {}
    pieces: dict[str, tuple[int, int]] = {}
    for path in paths:
        for source in sources.find(path).files:
            found = list(sources.read(source))
            messages = sum(isinstance(piece, RawMessage) for piece in found)
            no_mail = sum(isinstance(piece, Unreadable) and piece.error == "NotMail" for piece in found)
            ledger = len(found) - messages - no_mail
            pieces[str(source.path)] = (messages, ledger)
            sums = told.setdefault(source.format, [0, 0, 0, 0])
            for place, number in enumerate((1, messages, ledger, no_mail)):
                sums[place] += number
            assert len({piece.key for piece in found}) == len(found)
    result = ingest(store, paths)
    for source_ in status(store).sources:
        messages, ledger = pieces[source_.path]
        assert source_.finished
        assert (source_.stored + source_.copies, source_.unreadable) == (messages, ledger), source_.path
        assert source_.read == messages + ledger
    assert result.messages + result.copies == sum(messages for messages, _ in pieces.values())
    with store.owner() as conn:
        assert check(conn) == []
    assert {name: tuple(sums) for name, sums in told.items()} == EXPECTED
