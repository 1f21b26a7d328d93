"""Names and addresses as mail programs write them into quoted headers and attributions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ingest.quoting.vocabulary import names_day_and_month, wrote_at_end, wrote_inside

_ADDRESS: Final = re.compile(r"(?:mailto:)?([\w.+=&'/!#$%*?^`{|}~-]{1,120}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})")
_BRACKETED: Final = re.compile(r"<[^<>]{0,300}>|\[[^\[\]]{0,300}\]|\((?=[^()]{0,300}@)[^()]{0,300}\)")
_NOTES_PATH: Final = re.compile(r"(?:/[\w .&-]{1,60})*(?:@[\w .&-]{1,60})?$")
_BEHALF: Final = re.compile(
    r"\s+(?:on behalf of|im auftrag von|de la part de|en nombre de|per conto di|namens)\s+", re.I
)
_NOISE: Final = " \t\"'*_,;:<>()[]“”„"
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
    if ";" in text:
        parts = text.split(";")
    else:
        parts = _at_commas(text)
    found = (person(part) for part in parts[:_MOST] if part.strip())
    return tuple(one for one in found if one.name or one.address)


def _at_commas(text: str) -> list[str]:
    """Commas outside quotes part people; one inside "Last, First <address>" does not."""
    parts: list[str] = []
    quoted = False
    held = ""
    for piece in text.split(","):
        held = f"{held},{piece}" if held else piece
        quoted = held.count('"') % 2 == 1
        if quoted:
            continue
        if "@" not in held and "/" not in held and "<" not in held and not parts and len(held) < 40:
            # Perhaps "Last, First": decided by what follows.
            if "," not in held:
                continue
        parts.append(held)
        held = ""
    if held:
        parts.append(held)
    return parts


def author_of_attribution(sentence: str) -> Person:
    """Who wrote, by the sentence before a quotation ("On 5 May 2020 at 10:00, Ann Lee <ann@example.com> wrote:")."""
    text = sentence.rstrip("*_ \t-:：").lstrip("-*_ \t")
    address = ""
    if found := _ADDRESS.search(text):
        address = found.group(1).lower().strip(".'")
    plain = re.sub(r"<?mailto:[^<>\s]*>?", " ", text)
    plain = re.sub(r"<[^<>]*>|<\S*$|\([^()]*@[^()]*\)|\[[^\[\]]*@[^\[\]]*\]", " ", plain)
    lower = plain.casefold()
    name = ""
    if len(lower) == len(plain):
        name = _name_by_verb(plain, lower)
    if "@" in name:
        name = _ADDRESS.sub(" ", name).strip(_NOISE)
    return Person(re.sub(r"\s+", " ", name).strip(_NOISE), address)


_CLOCK: Final = re.compile(r"\d{1,2}\s?[:.hH時시点點]\s?\d{2}(?:[:.]\d{2})?\s*분?(?:\s*[ap]\.?\s?m\b\.?)?", re.I)
_ZONE: Final = re.compile(
    r"(?:\b(?:gmt|utc|[ceapm][sed]?[sd]?t|msk|jst|uhr|kl|klo|alle|a las|à|às|at|um|om)\b\.?)?\s?[+-]?\d{0,2}:?\d{2}\b|\([A-Z]{2,5}\)",
    re.I,
)
_DIGITS: Final = re.compile(r"\d")


def _name_by_verb(plain: str, lower: str) -> str:
    """The words between the date and the verb, or after the verb, or before it."""
    end = wrote_at_end(lower.rstrip())
    if end >= 0:
        return _after_date(plain[:end])
    inside = wrote_inside(lower)
    if inside:
        before, after = plain[: inside[0]], plain[inside[1] :]
        if not _DIGITS.search(before):
            return before.strip(_NOISE)
        return _after_date(after) if _DIGITS.search(after) else after.strip(_NOISE)
    return _after_date(plain)


def _after_date(text: str) -> str:
    """Cut the date, the time and the zone at the front: what is left after the last digit, without joining words."""
    last = 0
    for found in re.finditer(
        r"\d[\w:.°]*(?:\s*[AaPp]\.?[Mm]\b\.?)?|\b(?:GMT|UTC|[A-Z]{2,4}T|Uhr|EET)\b(?:[+-]\d{1,4}(?::\d{2})?)?",
        text,
    ):
        if len(text) - found.end() > 1:
            last = found.end()
    name = text[last:].strip(_NOISE + ".，、,-/+")
    name = re.sub(
        r"^(?:kl|klo|um|uhr|at|am|pm|г|р|г\.|в|от|from|пользователь|użytkownik|heeft|hat|tarihinde|het|的|님이|님)[\s.,]+",
        "",
        name,
        flags=re.I,
    )
    return name if last or not names_day_and_month(text.casefold()) else ""
