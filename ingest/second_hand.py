"""What a message passes on of other messages: its quoted and forwarded blocks, each with its own sketch."""

from __future__ import annotations

from ingest import charsets
from ingest.quote_blocks import QuotedBlock, blocks
from ingest.quoting.people import Person
from ingest.quoting.split import Split
from ingest.sketch import sketch
from ingest.types import Mailbox, Quote

# more blocks than anybody reads; what is left out stays in the body
MOST = 200
_OLD = {"quoted", "forwarded", "attribution"}


def second_hand(pieces: Split) -> tuple[Quote, ...]:
    """The quoted messages in a message, outer before inner."""
    if not any(span.kind in _OLD for span in pieces.hidden):
        return ()
    return tuple(_quote(block) for block in blocks(pieces)[:MOST])


def _quote(block: QuotedBlock) -> Quote:
    return Quote(
        kind=block.kind,
        depth=block.depth,
        parent=block.parent,
        author=_mailbox(Person(block.author_name, block.author_address)),
        local_at=block.sent_at,
        date_text=charsets.clean(block.sent_raw)[:200],
        to=tuple(box for each in block.to[:100] if (box := _mailbox(each))),
        cc=tuple(box for each in block.cc[:100] if (box := _mailbox(each))),
        subject=charsets.clean(block.subject)[:1000],
        text=charsets.clean(block.text),
        start=block.start,
        stop=block.end,
        sketch=sketch(block.text),
    )


def _mailbox(person: Person) -> Mailbox | None:
    """``address`` is empty where the quotation names nobody by address; such names are looked up later."""
    name = charsets.clean(person.name).strip()[:200]
    address = "".join(charsets.clean(person.address).split()).lower()[:400]
    name = "" if name.startswith("@") else name
    return Mailbox(address, name) if name or address else None
