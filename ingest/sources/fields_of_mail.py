"""Which field of an export of JSON or CSV holds what.

A mapping is written by the person, as NAME.mapping.toml beside the export (or mapping.toml for all of a folder)::

    [fields]
    from = "sender.email"           # a field, a path into it, or a list of fields of which the first filled one counts
    from_name = "sender.name"
    date = "sent"
    text = "body_text"
    raw = "rfc822"                  # the whole message, where the export has it
    date_format = "%d.%m.%Y %H:%M"  # where dates are written in a way of their own

Without one it is guessed from names that many exports use; Microsoft Graph's and Outlook's are known that way.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ingest.errors import WrongMapping
from ingest.sources.json_stream import plain_name
from ingest.sources.mapping import NAMED, Mapping, Record

# What a mapping may name, each with the names that are guessed (without case and punctuation).
GUESSES: dict[str, str] = {
    "id": "id fileid uid uuid key file path filename",
    "raw": "raw rfc822 rawmessage source eml mime message content",
    "head": "transportheaders internetheaders rawheaders",
    "headers": "internetmessageheaders headers",
    "message_id": "internetmessageid messageid rfc822messageid msgid",
    "in_reply_to": "inreplyto inreplytoid replytomessageid parentmessageid",
    "references": "references referenceids",
    "thread_index": "conversationindex threadindex",
    "thread": "conversationid threadid gmailthreadid xgmthrid",
    "date": "sentdatetime datesent sentdate senton sentat sent date datetime timestamp clientsubmittime internaldate"
    " receiveddatetime datereceived received receivedat time",
    "from": "from sender fromaddress fromemail senderaddress senderemail senderemailaddress author",
    "from_name": "fromname sendername authorname",
    "to": "to torecipients toaddress toaddresses toemail toemails recipient recipients",
    "to_name": "toname tonames",
    "cc": "cc ccrecipients ccaddress ccaddresses ccemail",
    "cc_name": "ccname ccnames",
    "bcc": "bcc bccrecipients bccaddress bccaddresses bccemail",
    "bcc_name": "bccname bccnames",
    "reply_to": "replyto",
    "subject": "subject title betreff objet asunto oggetto assunto",
    "text": "bodytext textbody text plaintext bodyplain textplain plain body content message snippet bodypreview",
    "html": "bodyhtml htmlbody html texthtml body",
    "labels": "folder folders foldername labels labelids label mailbox categories",
    "draft": "isdraft draft",
    "attachments": "attachments files",
}
_OUTLOOK_COLUMN = re.compile(r"(.+): \((.+)\)\Z")


def mapping_for(path: Path, sample: list[Record]) -> Mapping | None:
    """The mapping of an export: the person's, else a guess; None when its records are no messages.

    Raises WrongMapping for a file of the person's that cannot be understood, OSError.
    """
    if written := mapping_file(path):
        return read_mapping(written)
    guessed = _guess(sample)
    return guessed if any(guessed.fits(record) for record in sample) else None


def mapping_file(path: Path) -> Path | None:
    """The file in which the person said what the fields of the export at ``path`` mean."""
    names = (f"{path.name}.mapping.toml", f"{path.stem}.mapping.toml", "mapping.toml")
    return next((written for name in names if (written := path.with_name(name)).is_file()), None)


def read_mapping(path: Path) -> Mapping:
    """A mapping file. Raises WrongMapping and OSError."""
    try:
        held = tomllib.loads(path.read_text("utf-8")).get("fields")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongMapping(path, str(error)) from error
    if not isinstance(held, dict) or not held:
        raise WrongMapping(path, "it has no [fields]")
    date_format = held.pop("date_format", "")
    unknown = sorted(set(held) - set(GUESSES))
    if unknown:
        raise WrongMapping(path, f"unknown: {', '.join(unknown)}; what can be named: {', '.join(GUESSES)}, date_format")
    fields = {what: (names,) if isinstance(names, str) else tuple(names) for what, names in held.items()}
    if not all(isinstance(name, str) for names in fields.values() for name in names):
        raise WrongMapping(path, "a field is a name, or a list of names")
    return Mapping(fields, date_format if isinstance(date_format, str) else "")


def _guess(sample: list[Record]) -> Mapping:
    names: dict[str, str] = {}
    for record in sample:
        for key in record:
            names.setdefault(plain_name(key), key)
    fields = {
        what: tuple(names[guess] for guess in guesses.split() if guess in names) for what, guesses in GUESSES.items()
    }
    fields |= _outlook_columns(list(sample[0])) if sample else {}
    return Mapping({what: paths for what, paths in fields.items() if paths})


def _outlook_columns(columns: list[str]) -> dict[str, tuple[str, ...]]:
    """Outlook writes the same columns in every language: subject, body, then name, address and type of the sender, To,
    Cc and Bcc ("Von: (Name)", "Von: (Adresse)", "Von: (Typ)")."""
    found = [_OUTLOOK_COLUMN.match(column) for column in columns]
    starts = [
        at
        for at in range(2, len(columns) - 2)
        if (three := [match[1] for match in found[at : at + 3] if match]) and len(three) == 3 and len(set(three)) == 1
    ]
    if starts[:4] != [2, 5, 8, 11]:
        return {}
    named: dict[str, tuple[str, ...]] = {"subject": (columns[0],), "text": (columns[1],)}
    for what, at in zip(NAMED, starts, strict=False):
        named |= {what: (columns[at + 1],), f"{what}_name": (columns[at],)}
    return named
