"""The author's own new text of a message: the public door to telling new text from old.

``split`` gives the full text with a span for every piece of it (``quoting.split`` says how); ``strip`` gives the new
text alone.
"""

from __future__ import annotations

import re
from typing import Final

from ingest.quote_blocks import blocks
from ingest.quoting.split import Span, SpanKind, Split, split

__all__ = ["Span", "SpanKind", "Split", "split", "strip"]

_WORD: Final = re.compile(r"\w")


def strip(text: str, html: bool = False, keep_signature: bool = False) -> str:
    """The author's new text of ``text`` (an HTML source if ``html``).

    With ``keep_signature`` it is the author's part to the letter: the signature or closing under his words stays, and
    the result is empty if all was quoted or forwarded. Without it the result is what is to be read: if the author
    added no word, the words of the first mail in it that has some, so that it is only empty where nothing was written.
    """
    found = split("", html=text) if html else split(text)
    if keep_signature:
        return _own_part(found)
    if _answers_unannounced(found):
        return found.of("new", "quoted").strip()
    new = found.new
    return new if _WORD.search(new) else _words_of_others(found)


def _own_part(found: Split) -> str:
    """New text with the author's signature, above or below what is quoted; a signature alone is nobody's answer."""
    own = found.join([span for span in found.spans if span.kind in ("new", "signature")])
    return own.strip() if _WORD.search(found.new) else ""


def _answers_unannounced(found: Split) -> bool:
    """One marked passage at the top that nothing announces, and an answer under it.

    The passage names no author, so it could not be found again as a message, and the answer hangs on it.
    """
    kinds = [span.kind for span in found.spans]
    return kinds[:2] == ["quoted", "new"] and not {"attribution", "forwarded", "quoted"} & set(kinds[1:])


def _words_of_others(found: Split) -> str:
    """The first words in a message whose author wrote none."""
    quoted = blocks(found)
    if len(quoted) == 1 and not quoted[0].author_name and not quoted[0].sent_raw and not found.of("attribution"):
        return found.of("quoted", "forwarded")
    for block in quoted:
        if _WORD.search(block.text):
            return split(block.text).new or block.text
    return ""
