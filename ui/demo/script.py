"""Content files become entries: who wrote what to whom, when, in answer to which message.

The format (content/README.md) keeps the prose readable: a thread opens with `== key | subject | folder`, a message
with `@sender > recipients + copies | day month hour:minute | options`, the lines below are its text. What a reader
can infer is not written down: an entry answers the one above it, and a reply without recipients goes to everybody.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ui.demo.errors import ContentError
from ui.demo.people import CONTENT, Mailbox, Person, in_office, local_time, mailbox, utc

YEAR = 2025
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
OPTIONS = {
    "re", "fwd", "new", "s", "att", "copy", "via", "html", "plain", "noquote", "nosig", "lost", "draft", "ics",
    "accept", "decline", "cancel", "auto", "name", "replyto",
}  # fmt: skip


@dataclass
class Entry:
    """One message as it was written, before it is MIME."""

    key: str  # "thread.3"
    thread: str
    subject: str  # without reply marks
    folder: str  # where the owner filed received mail of this thread
    sender: Mailbox
    to: list[Mailbox]
    cc: list[Mailbox]
    date: datetime
    body: str
    parent: "Entry | None" = None
    forwarded: "Entry | None" = None
    options: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    html: str | None = None  # ready-made, for machine mail

    @property
    def client(self) -> str:
        """The mail program this message was written with."""
        person = self.sender.person
        return self.options.get("via") or (person.client if person else "machine")

    @property
    def lang(self) -> str:
        """Language of that mail program."""
        return self.sender.person.lang if self.sender.person else "en"


def read(people: dict[str, Person], folder: Path = CONTENT / "mail") -> list[Entry]:
    """All entries of the content files in `folder`, in the order in which they are written.

    Raises ContentError with file and line for whatever breaks the format, a reply before its parent included.
    """
    threads: dict[str, list[Entry]] = {}
    for path in sorted(folder.glob("*.txt")):
        _read_file(path, people, threads)
    return [entry for entries in threads.values() for entry in entries]


def _read_file(path: Path, people: dict[str, Person], threads: dict[str, list[Entry]]) -> None:
    thread, subject, home = "", "", "inbox"
    titles: dict[str, tuple[str, str]] = {k: (v[0].subject, v[0].folder) for k, v in threads.items() if v}
    header: tuple[int, str] | None = None
    body: list[str] = []

    def finish() -> None:
        if header is None:
            return
        number, line = header
        try:
            entry = _entry(line, "\n".join(body).strip("\n"), thread, subject, home, people, threads)
        except (ValueError, KeyError, IndexError) as failure:
            raise ContentError(f"{path.name}:{number}: {line!r}: {failure!r}") from failure
        threads[thread].append(entry)

    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), "=="], 1):
        if line.startswith("=="):
            finish()
            header, body = None, []
            fields = [part.strip() for part in line.lstrip("=").split("|")]
            thread = fields[0]
            if len(fields) > 1:
                if thread in titles:
                    raise ContentError(f"{path.name}:{number}: thread {thread} has a subject already")
                subject, home = fields[1], (fields[2] if len(fields) > 2 else "inbox")
                titles[thread] = (subject, home)
                threads[thread] = []
            elif thread:
                if thread not in titles:
                    raise ContentError(f"{path.name}:{number}: thread {thread} has no subject yet")
                subject, home = titles[thread]
        elif line.startswith("@"):
            finish()
            header, body = (number, line), []
        else:
            body.append(line)


def _entry(
    line: str,
    body: str,
    thread: str,
    subject: str,
    home: str,
    people: dict[str, Person],
    threads: dict[str, list[Entry]],
) -> Entry:
    so_far = threads[thread]
    who, when, *rest = [part.strip() for part in line[1:].split("|")]
    options = _options(rest[0] if rest else "")
    who, _, recipients = who.partition(" > ")
    sender = mailbox(people, who)
    if "name" in options:
        sender = Mailbox(options["name"], sender.address, sender.person)
    parent = _referred(options.get("re"), thread, threads) if "re" in options else (so_far[-1] if so_far else None)
    if "new" in options or "fwd" in options:
        parent = None
    forwarded = None
    if "fwd" in options:
        forwarded = _referred(options["fwd"], thread, threads) if options["fwd"] else so_far[-1]
    if recipients:
        first, _, copies = recipients.partition(" + ")
        to, cc = _mailboxes(first, people), _mailboxes(copies, people)
    elif parent:
        to, cc = _reply_all(parent, sender)
    else:
        raise ValueError("a first message needs recipients")
    date = _date(when, sender.person.office if sender.person else "leeds")
    earlier = parent or forwarded
    if earlier and utc(date) <= utc(earlier.date):
        raise ValueError(f"not later than {earlier.key}, which it answers ({earlier.date})")
    key = f"{thread}.{len(so_far) + 1}"
    title = options.get("s", subject)
    if parent and "s" not in options:
        title = parent.subject
    return Entry(key, thread, title, home, sender, to, cc, date, body, parent, forwarded, options)


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        word, _, value = part.partition(" ")
        if word not in OPTIONS:
            raise ValueError(f"no option {word!r}; there are {', '.join(sorted(OPTIONS))}")
        options[word] = value.strip()
    return options


def _referred(text: str | None, thread: str, threads: dict[str, list[Entry]]) -> Entry:
    name, _, number = (text or "").rpartition(".")
    return threads[name or thread][int(number) - 1]


def _mailboxes(text: str, people: dict[str, Person]) -> list[Mailbox]:
    return [mailbox(people, word.strip()) for word in text.split(",") if word.strip()]


def _reply_all(parent: Entry, sender: Mailbox) -> tuple[list[Mailbox], list[Mailbox]]:
    """Like a mail program: to the author (or, answering oneself, to the same people), the others in copy."""
    if parent.sender.person is sender.person:
        return list(parent.to), list(parent.cc)
    lists = [box for box in parent.to + parent.cc if box.person and box.person.client == "list"]
    if lists:
        return lists, []
    return [parent.sender], _without(parent.to + parent.cc, (sender, parent.sender))


def _without(boxes: Iterable[Mailbox], gone: tuple[Mailbox, ...]) -> list[Mailbox]:
    keys = {box.person.key for box in gone if box.person}
    return [box for box in boxes if not box.person or box.person.key not in keys]


def _date(text: str, office: str) -> datetime:
    found = re.fullmatch(r"(\d+) ([A-Za-z]{3}) (\d+):(\d\d)", text)
    if not found:
        raise ValueError(f"no date like '3 Feb 09:14': {text!r}")
    day, month, hour, minute = found.groups()
    leeds = local_time("leeds", YEAR, MONTHS.index(month.lower()) + 1, int(day), int(hour), int(minute))
    return in_office(leeds, office)
