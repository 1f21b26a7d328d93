"""The text of PDF documents, by pypdf. A scanned page has none: pictures are not read."""

from __future__ import annotations

import io
import logging

from ingest.attachments.limits import MAX_PAGES, Collected, Unread
from ingest.errors import LibraryMissing
from ingest.libraries import library


def read_pdf(content: bytes, into: Collected) -> None:
    """Adds the text of the pages. Raises Unread when it is protected or broken."""
    try:
        pypdf = library("pypdf", "the text of PDF documents", "attachments")
    except LibraryMissing as error:
        raise Unread(str(error)) from error
    # it reports every flaw of a document in the log
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(content), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unread("it is protected by a password")
        pages = len(reader.pages)
        for number in range(min(pages, MAX_PAGES)):
            if not into.add(reader.pages[number].extract_text() + "\n\n"):
                return
    except Unread:
        raise
    except Exception as error:  # a broken document makes the library raise anything
        if into.text().strip():
            into.cut = into.cut or f"what stands before a broken page ({type(error).__name__})"
            return
        raise Unread(f"it is broken ({type(error).__name__}: {error})"[:300]) from error
    if pages > MAX_PAGES:
        into.cut = f"the first {MAX_PAGES} of {pages} pages"
