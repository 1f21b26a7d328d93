"""What Exchange and Lotus Notes know of a mail's people besides their addresses.

Exports of such systems carry their directory's names in fields beside the usual ones: X-From beside From, X-To beside
To, in the same order. A name like "/O=ACME/OU=EU/CN=RECIPIENTS/CN=AQUILL" or "Ada Quill/BER/ACME" beside an SMTP
address is evidence that both are one person, and the display name there is the only one such a mail has.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.addresses import NOTES_NAME, parse_addresses
from ingest.headers import Headers
from ingest.types import Mailbox

_WORD = re.compile(r"[^\W\d_]+")

# entries of one field times entries of the other: beyond this, lists of different length are not compared
MAX_COMPARED = 100_000

Pair = tuple[str, str]
Mailboxes = tuple[Mailbox, ...]


class People(NamedTuple):
    """The people of a message. ``pairs``: (directory name, address), both lower case, that one header shows to be one
    person."""

    sender: Mailbox | None
    to: Mailboxes
    cc: Mailboxes
    bcc: Mailboxes
    pairs: tuple[Pair, ...] = ()


def with_directory(headers: Headers, people: People) -> People:
    """The same people; those without a name get the one beside them in the directory's fields, and pairs are told."""
    if not any(name in headers.fields for name in ("x-from", "x-to", "x-cc", "x-bcc")):
        return people
    pairs: dict[Pair, None] = {}
    names: dict[str, str] = {}
    for mailbox, twin in _twins(headers, people):
        if "@" in mailbox.address and twin.address != mailbox.address and _is_directory_name(twin.address):
            pairs[twin.address, mailbox.address] = None
        if not mailbox.name and twin.name and twin.name.lower() != mailbox.address:
            names[mailbox.address] = twin.name

    def named(mailbox: Mailbox) -> Mailbox:
        name = names.get(mailbox.address)
        return Mailbox(mailbox.address, name) if name and not mailbox.name else mailbox

    to, cc, bcc = (tuple(named(mailbox) for mailbox in group) for group in (people.to, people.cc, people.bcc))
    return People(named(people.sender) if people.sender else None, to, cc, bcc, tuple(pairs))


def _twins(headers: Headers, people: People) -> list[tuple[Mailbox, Mailbox]]:
    """Mailboxes beside their entry in the directory's field: by position where both fields have as many entries, else
    in order where a name fits its address."""
    found: list[tuple[Mailbox, Mailbox]] = []
    sender = (people.sender,) if people.sender else ()
    for name, group in (("x-from", sender), ("x-to", people.to), ("x-cc", people.cc), ("x-bcc", people.bcc)):
        value = headers.get(name)
        if not value or not group:
            continue
        twins = parse_addresses(value)
        if len(twins) == len(group):
            found.extend(zip(group, twins, strict=True))
        elif len(twins) * len(group) <= MAX_COMPARED:
            found.extend(_aligned(group, twins))
    return found


def _aligned(group: Mailboxes, twins: list[Mailbox]) -> list[tuple[Mailbox, Mailbox]]:
    found = []
    position = 0
    for mailbox in group:
        for number in range(position, len(twins)):
            if _fits(mailbox, twins[number]):
                found.append((mailbox, twins[number]))
                position = number + 1
                break
    return found


def _fits(mailbox: Mailbox, twin: Mailbox) -> bool:
    """Whether the address is the same, or first and last word of the name stand in the local part."""
    if mailbox.address == twin.address:
        return True
    local = mailbox.address.partition("@")[0]
    words = [word for word in _WORD.findall(twin.name.lower()) if len(word) > 1]
    return len(words) > 1 and words[0] in local and words[-1] in local


def _is_directory_name(address: str) -> bool:
    return address.startswith(("/o=", "o=")) or bool(NOTES_NAME.match(address))
