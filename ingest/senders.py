"""Who wrote a message, also when a list put its own address in the From field.

Lists do so ("Ada Quill via Ops <ops@quay.example>") because the author's domain forbids others to send in its name
(DMARC). The author then stands in a field beside: X-Original-From, Reply-To, or what the list's program noted of the
envelope. Without this every such author would be the list.
"""

from __future__ import annotations

import re

from ingest.addresses import parse_addresses, parse_one
from ingest.headers import Headers
from ingest.types import Mailbox

_POST = re.compile(r"<mailto:([^>?]+)", re.IGNORECASE)
_VIA = re.compile(r"\s+via\s+.+\Z", re.IGNORECASE | re.S)


def author(headers: Headers) -> Mailbox | None:
    """The author of a message: From, else Sender; behind a list's own address the person who wrote to it. None when no
    field tells."""
    written = parse_one(headers.get("from")) or parse_one(headers.get("sender"))
    if written is None:
        return None
    posted = _POST.search(headers.get("list-post"))
    if not posted or posted[1].strip().lower() != written.address:
        return written
    for name in ("x-original-from", "x-original-sender", "reply-to", "x-mailfrom"):
        found = [mailbox for mailbox in parse_addresses(headers.get(name)) if mailbox.address != written.address]
        if len(found) == 1 and "@" in found[0].address:
            return Mailbox(found[0].address, found[0].name or _VIA.sub("", written.name).strip("' "))
    return written
