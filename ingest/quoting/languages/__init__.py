"""The words with which mail programs mark quoted and forwarded mail, language by language.

Data, not rules: one ``Language`` a row, words in lower case, separated by ``|``. The recognisers use the union of all
languages, since the program of a correspondent speaks another language than the reader's as often as not.
"""

from __future__ import annotations

from typing import Final

from ingest.quoting.languages.germanic import GERMANIC
from ingest.quoting.languages.language import Language
from ingest.quoting.languages.others import OTHERS
from ingest.quoting.languages.romance import ROMANCE
from ingest.quoting.languages.slavic import SLAVIC

__all__ = ["LANGUAGES", "OTHER_LABELS", "Language"]

# A word that two languages use for different months or labels means what it means in the first of them.
LANGUAGES: Final[tuple[Language, ...]] = (*GERMANIC, *ROMANCE, *SLAVIC, *OTHERS)

# Labels that say the same in every language, or that only pad a header block.
OTHER_LABELS: Final[dict[str, str]] = {
    "reply-to": "other",
    "reply to": "other",
    "répondre à": "other",
    "antwort an": "other",
    "responder a": "other",
    "risposta": "other",
    "rispondi a": "other",
    "antwoord aan": "other",
    "svar til": "other",
    "svara till": "other",
    "please respond to": "other",
    "importance": "other",
    "priority": "other",
    "sensitivity": "other",
    "wichtigkeit": "other",
    "priorität": "other",
    "importancia": "other",
    "importância": "other",
    "importance :": "other",
    "priorità": "other",
    "urgentie": "other",
    "prioritet": "other",
    "prioriteit": "other",
    "ważność": "other",
    "важность": "other",
    "重要性": "other",
    "重要度": "other",
    "attachments": "other",
    "attachment": "other",
    "anlagen": "other",
    "pièces jointes": "other",
    "adjuntos": "other",
    "datos adjuntos": "other",
    "allegati": "other",
    "anexos": "other",
    "bijlagen": "other",
    "вложения": "other",
    "附件": "other",
    "添付ファイル": "other",
    "organization": "other",
    "organisation": "other",
    "newsgroups": "other",
    "message-id": "other",
    "resent-from": "other",
    "resent-date": "other",
    "resent-to": "other",
    "mailing list": "other",
    "x-mailer": "other",
    "categories": "other",
    "sent by": "other",
    "bcc": "bcc",
    "blind copy": "bcc",
    "cci": "bcc",
    "cco": "bcc",
    "ccn": "bcc",
    "bcc to": "bcc",
    "blindkopie": "bcc",
    "hemlig kopia": "bcc",
    "密件抄送": "bcc",
    "cc": "cc",
    "c.c": "cc",
    "c c": "cc",
}
