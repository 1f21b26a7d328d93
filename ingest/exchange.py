"""What Exchange and Lotus Notes know of a mail's people besides their addresses.

Exports of such systems carry their directory's names in fields beside the usual ones: X-From beside From, X-To beside
To, in the same order. A name like "/O=ACME/OU=EU/CN=RECIPIENTS/CN=AQUILL" or "Ada Quill/BER/ACME" beside an SMTP
address is evidence that both are one person, and the display name there is the only one such a mail has.
"""

from __future__ import annotations

import re

from ingest.addresses import parse_addresses
from ingest.headers import Headers
from ingest.types import Mailbox

_NOTES = re.compile(r"([^/@<>]+)/[^@<>]+(?:@[\w.-]+)?\Z")

_WORD = re.compile(r"[^\W\d_]+")

# entries of one field times entries of the other: beyond this, lists of different length are not compared
MAX_COMPARED = 100_000

Pair = tuple[str, str]
Mailboxes = tuple[Mailbox, ...]


def address_pairs(
    headers: Headers, sender: Mailbox | None, to: Mailboxes, cc: Mailboxes, bcc: Mailboxes
) -> tuple[Pair, ...]:
    """Pairs (directory name, address), both lower case, that one header shows to be one person."""
    pairs: dict[Pair, None] = {}
    for mailbox, twin in _twins(headers, sender, to, cc, bcc):
        if "@" in mailbox.address and twin.address != mailbox.address and _is_directory_name(twin.address):
            pairs[twin.address, mailbox.address] = None
    return tuple(pairs)


def named(
    headers: Headers, sender: Mailbox | None, to: Mailboxes, cc: Mailboxes, bcc: Mailboxes
) -> tuple[Mailbox | None, Mailboxes, Mailboxes, Mailboxes]:
    """The same mailboxes; those without a name get the one beside them in the directory's fields."""
    names = {}
    for mailbox, twin in _twins(headers, sender, to, cc, bcc):
        name = _display_name(twin)
        if not mailbox.name and name and name.lower() != mailbox.address:
            names[mailbox.address] = name
    if not names:
        return sender, to, cc, bcc

    def with_name(mailbox: Mailbox) -> Mailbox:
        name = names.get(mailbox.address)
        return Mailbox(mailbox.address, name) if name and not mailbox.name else mailbox

    found = [tuple(with_name(mailbox) for mailbox in group) for group in (to, cc, bcc)]
    return with_name(sender) if sender else None, found[0], found[1], found[2]


def _twins(
    headers: Headers, sender: Mailbox | None, to: Mailboxes, cc: Mailboxes, bcc: Mailboxes
) -> list[tuple[Mailbox, Mailbox]]:
    """Mailboxes beside their entry in the directory's field: by position where both fields have as many entries, else
    in order where a name fits its address."""
    found: list[tuple[Mailbox, Mailbox]] = []
    for name, group in (("x-from", (sender,) if sender else ()), ("x-to", to), ("x-cc", cc), ("x-bcc", bcc)):
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
    words = [word for word in _WORD.findall(_display_name(twin).lower()) if len(word) > 1]
    return len(words) > 1 and words[0] in local and words[-1] in local


def _is_directory_name(address: str) -> bool:
    return address.startswith(("/o=", "o=")) or bool(_NOTES.match(address))


def _display_name(twin: Mailbox) -> str:
    notes = _NOTES.match(twin.address)
    if notes and not twin.address.startswith("/"):
        written = _NOTES.match(twin.name)
        return written[1].strip() if written else twin.name
    return twin.name
