"""Whether bytes begin with the head of a mail message."""

from __future__ import annotations

import re

_FIELD = re.compile(rb"([!-9;-~]{1,76})[ \t]*:")
_MAIL_FIELDS = frozenset(
    b"return-path received from to cc bcc date subject message-id delivered-to envelope-to mime-version content-type "
    b"content-transfer-encoding status x-status x-mozilla-status delivery-date reply-to sender in-reply-to references "
    b"dkim-signature arc-seal x-gm-thrid x-gmail-labels x-mailer x-originating-ip x-received resent-from resent-to "
    b"authentication-results list-id newsgroups x-account-key x-uidl x-apparently-to x-from x-unsent importance "
    b"thread-topic thread-index".split()
)


def is_head(text: bytes) -> bool:
    """Whether fields known from mail stand at the start, before the first blank line."""
    known = fields = odd = 0
    for number, line in enumerate(text.split(b"\n", 60)[:60]):
        line = line.rstrip(b"\r")
        if not line:
            break
        if line[:1] in b" \t" and number:
            continue
        field = _FIELD.match(line)
        if field:
            fields += 1
            known += field[1].lower() in _MAIL_FIELDS
        elif not line.startswith(b">From "):
            odd += 1
    return known >= 2 or (known == 1 and fields > odd) if fields else False
