"""Other libraries behind the signature that the reply cases are scored with, so that all are judged alike.

python ../shared/data/replies/score.py ingest.new_text:strip
python ../shared/data/replies/score.py tests.bench.strippers:quotequail
python ../shared/data/replies/score.py tests.bench.strippers:mail_parser_reply
"""

from __future__ import annotations

import quotequail as quotequail_library
from bs4 import BeautifulSoup
from mailparser_reply import EmailReplyParser

LANGUAGES = ["en", "fr", "de", "es", "it", "nl", "pl", "sv", "da", "pt"]


def untouched(text: str, html: bool) -> str:
    """The text as it is: what doing nothing scores."""
    return _plain(text) if html else text


def quotequail(text: str, html: bool) -> str:
    """quotequail: what stands above and below the message that it unwraps, else the parts that it would show."""
    library = quotequail_library
    unwrapped = library.unwrap_html(text) if html else library.unwrap(text)
    if unwrapped:
        kind = "html" if html else "text"
        parts = [unwrapped.get(f"{kind}_top"), unwrapped.get(f"{kind}_bottom")]
    else:
        parts = [part for visible, part in (library.quote_html(text) if html else library.quote(text)) if visible]
    shown = "\n".join(part for part in parts if part)
    return _plain(shown) if html else shown


def mail_parser_reply(text: str, html: bool) -> str:
    """mail-parser-reply: the latest reply."""
    return str(EmailReplyParser(languages=LANGUAGES).parse_reply(_plain(text) if html else text))


def _plain(html: str) -> str:
    return BeautifulSoup(html, "lxml").get_text("\n")
