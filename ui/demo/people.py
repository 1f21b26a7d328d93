"""Who writes in the fictional mailbox: names, addresses, mail programs, offices.

A person stands once in content/people.txt. The mail program decides how a reply is quoted, the office decides
the time zone, so that neither has to be repeated in a message's header line.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from ui.demo.errors import ContentError

CONTENT = Path(__file__).parent / "content"


@dataclass(frozen=True)
class Person:
    """Somebody (or a role address, or a list) that mail goes to or comes from."""

    key: str
    name: str
    addresses: tuple[str, ...]
    client: str  # gmail, outlook, oldoutlook, apple, notes, notes7, thunderbird, poor, htmlonly; or role, list
    lang: str  # en, de or es: of the mail program, not of the person
    office: str
    signature: tuple[str, ...]

    @property
    def is_human(self) -> bool:
        """False for role addresses and mailing lists."""
        return self.client not in ("role", "list")


@dataclass(frozen=True)
class Mailbox:
    """One address as it stands in a header: a display name and an address."""

    name: str
    address: str
    person: Person | None = None

    @property
    def domain(self) -> str:
        """The part after the @."""
        return self.address.rpartition("@")[2]

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


def load(path: Path = CONTENT / "people.txt") -> dict[str, Person]:
    """Read people.txt: `key | name | address, address | client-lang | office | signature line / line`."""
    people: dict[str, Person] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("|")]
        if len(fields) != 6:
            raise ContentError(f"{path.name}:{number}: six fields separated by | are needed, not {len(fields)}")
        key, name, addresses, program, office, signature = fields
        client, _, lang = program.partition("-")
        lines = tuple(part.strip() for part in signature.split(" / ") if part.strip())
        addressed = tuple(address.strip() for address in addresses.split(","))
        people[key] = Person(key, name, addressed, client, lang or "en", office, lines)
    return people


def mailbox(people: dict[str, Person], word: str) -> Mailbox:
    """What a header line calls somebody: `tomas`, `tomas/3` (third address), or `Name <address>`.

    Raises KeyError for an unknown key.
    """
    if "<" in word:
        name, _, address = word.partition("<")
        return Mailbox(name.strip(), address.strip(" >"))
    key, _, which = word.partition("/")
    person = people[key]
    return Mailbox(person.name, person.addresses[int(which or 1) - 1], person)


def local_time(office: str, year: int, month: int, day: int, hour: int, minute: int) -> datetime:
    """The wall clock of an office as a moment with its offset; summer time by rule, without a zone database."""
    naive = datetime(year, month, day, hour, minute)
    if office == "vancouver":
        starts, ends = _sunday(year, 3, 8), _sunday(year, 11, 1)
        hours = -7 if starts <= naive < ends else -8
    else:
        starts, ends = _sunday(year, 3, 25), _sunday(year, 10, 25)
        hours = (1 if starts <= naive < ends else 0) + (0 if office == "leeds" else 1)
    return naive.replace(tzinfo=timezone(timedelta(hours=hours)))


def in_office(moment: datetime, office: str) -> datetime:
    """The same moment with the offset of an office."""
    clock = utc(moment)
    local = local_time(office, clock.year, clock.month, clock.day, clock.hour, clock.minute)
    offset = local.utcoffset() or timedelta(0)
    return moment.astimezone(timezone(offset))


def _sunday(year: int, month: int, on_or_after: int) -> datetime:
    day = datetime(year, month, on_or_after, 2)
    return day + timedelta(days=(6 - day.weekday()) % 7)


def utc(moment: datetime) -> datetime:
    """The same moment in UTC."""
    return moment.astimezone(UTC)
