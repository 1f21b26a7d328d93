"""Names and addresses as mail programs write them into quoted headers and attributions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ingest.quoting.vocabulary import (
    OPENS,
    WEEKDAYS,
    begins_with,
    names_day_and_month,
    wrote_at_end,
    wrote_inside,
)

_ADDRESS: Final = re.compile(r"(?:mailto:)?([\w.+=&'/!#$%*?^`{|}~-]{1,120}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})")
_BRACKETED: Final = re.compile(r"<[^<>]{0,300}>|\[[^\[\]]{0,300}\]|\((?=[^()]{0,300}@)[^()]{0,300}\)")
_NOTES_PATH: Final = re.compile(r"(?:/[\w .&-]{1,60})*(?:@[\w .&-]{1,60})?$")
_BEHALF: Final = re.compile(
    r"\s+(?:on behalf of|im auftrag von|de la part de|en nombre de|per conto di|namens)\s+", re.I
)
_NOISE: Final = " \t\"'*_,;:<>()[]“”„"
_EDGE: Final = _NOISE + ".，、-/+"
_MOST: Final = 600  # people of one list


@dataclass(frozen=True, slots=True)
class Person:
    """A name and an address, either may be "" (as it stood in a quoted header, not resolved)."""

    name: str
    address: str


def person(raw: str) -> Person:
    """One person as written in a header: ``Ann Lee <ann@example.com>``, ``Lee, Ann``, ``Ann Lee/HOU/ECT@ECT``."""
    text = raw[:1000].strip()
    if found := _BEHALF.search(text):
        text = text[found.end() :]
    address = ""
    if found := _ADDRESS.search(text):
        address = found.group(1).lower().strip(".'")
    name = _BRACKETED.sub(" ", text).strip(_NOISE)
    if address and address in name.lower():
        name = _ADDRESS.sub(" ", name).strip(_NOISE)
    elif "@" in name or "/" in name:
        name = _NOTES_PATH.sub("", name).strip(_NOISE)
    return Person(re.sub(r"\s+", " ", name), address)


def people(raw: str) -> tuple[Person, ...]:
    """The people of a To or Cc value. Programs part them by ``;``, or by ``,`` where no name holds a comma."""
    if not raw:
        return ()
    text = raw[:100_000]
    parts = text.split(";") if ";" in text else _at_commas(text)
    found = (person(part) for part in parts[:_MOST] if part.strip())
    return tuple(one for one in found if one.name or one.address)


def _at_commas(text: str) -> list[str]:
    """Commas outside quotes part people; a first one inside "Last, First <address>" does not."""
    parts: list[str] = []
    held = ""
    for piece in text.split(","):
        held = f"{held},{piece}" if held else piece
        name_only = not parts and "," not in held and not any(mark in held for mark in "@/<")
        if held.count('"') % 2 == 1 or (name_only and len(held) < 40):
            continue
        parts.append(held)
        held = ""
    return [*parts, held] if held else parts


def author_of_attribution(sentence: str) -> Person:
    """Who wrote, by the sentence before a quotation ("On 5 May 2020 at 10:00, Ann Lee <ann@example.com> wrote:")."""
    text = sentence.rstrip("*_ \t-:：").lstrip("-*_ \t")
    addresses = _ADDRESS.findall(text)
    address = addresses[-1].lower().strip(".'") if addresses else ""
    plain = re.sub(r"<?mailto:[^<>\s]*>?", " ", text)
    plain = re.sub(r"<[^<>]*>|<\S*$|\([^()]*@[^()]*\)|\[[^\[\]]*@[^\[\]]*\]", " ", plain)
    plain = _ADDRESS.sub(" ", plain)
    lower = plain.casefold()
    name = _name_by_verb(plain, lower) if len(lower) == len(plain) else ""
    return Person(re.sub(r"\s+", " ", name).strip(_NOISE), address)


_DIGIT: Final = re.compile(r"\d")
# A number with what may hang on it: "10:44", "2022年", "3:15 PM", "GMT+02:00".
_DATE_PIECE: Final = re.compile(
    r"\d[\w:.°]*(?:\s*[AaPp]\.?[Mm]\b\.?)?|\b(?:GMT|UTC|[A-Z]{2,4}T|Uhr|MSK)\b(?:[+-]\d{1,4}(?::\d{2})?)?"
)
# What may stand between the date and the name, and between the name and the date.
_BEFORE_NAME: Final = re.compile(
    r"(?:(?:kl|klo|um|uhr|at|am|pm|a\.m|p\.m|π\.μ|μ\.μ|г|р|в|от|from|by|ص|م|пользователь|użytkownik|użytkowniczka|odesílatel"
    r"|používateľ|felhasználó|keltezéssel|ο χρήστης|lietotājs|je oseba|heeft|hat|tarihinde|het|님이|님|από|o godz"
    r"|quoting|zitat von|citando a|citando|in (?:article|message)|تمت كتابة ما يلي بواسطة|מאת)[\s.,;:]+|[—–-] )+",
    re.IGNORECASE,
)
_AFTER_NAME: Final = re.compile(r"\s(?:hat am|hat|heeft|on|am|le|el|于|於|在)$", re.IGNORECASE)


def _name_by_verb(plain: str, lower: str) -> str:
    """The words between the date and the verb, or after the verb, or before it."""
    end = wrote_at_end(lower.rstrip())
    if end >= 0:
        return _beside_date(plain[:end])
    inside = wrote_inside(lower)
    if inside is None:
        return _beside_date(plain)
    before, after = plain[: inside[0]], plain[inside[1] :]
    if before.strip(_NOISE) and not _DIGIT.search(before):
        return before.strip(_NOISE)
    return _beside_date(after) if _DIGIT.search(after) else after.strip(_NOISE)


def _beside_date(text: str) -> str:
    """What stands after the date, the time and the zone; where nothing does, what stands before them."""
    first, last = len(text), 0
    for found in _DATE_PIECE.finditer(text):
        first, last = min(first, found.start()), found.end()
    if not last:
        return "" if names_day_and_month(text.casefold()) else _BEFORE_NAME.sub("", text.strip(_NOISE), count=1)
    after = _BEFORE_NAME.sub("", f" {text[last:]}".lstrip(_EDGE), count=1).strip(_EDGE)
    if after and not begins_with(after.casefold(), WEEKDAYS):
        return after
    before = _AFTER_NAME.sub("", text[:first].strip(_EDGE))
    unnamed = begins_with(before.casefold(), OPENS) or begins_with(before.casefold(), WEEKDAYS)
    return "" if unnamed else before
