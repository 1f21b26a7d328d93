"""What can go wrong while a mailbox becomes rows, as a tree.

Each says in its text what happened and what the person can do next. An error that concerns one message never ends
a run: the reader hands it on as ``Unreadable``, a row of the ledger.

    IngestError
    ├── SourceError              a path that cannot be read as mail
    │   ├── SourceMissing        there is nothing at this path (any more)
    │   ├── SourceUnreadable     the system refuses to let us read it
    │   ├── SourceChanged        the message is not where it stood when it was ingested
    │   ├── EmptySource          a file of no bytes, a folder without mail
    │   ├── LibraryMissing       the format needs an optional library that is not installed
    │   ├── WrongMapping         a mapping file that cannot be understood
    │   ├── WrongAccount         an address of a mail account that cannot be understood
    │   ├── AccountFailed        a mail account that cannot be reached, refuses the login or does not answer
    │   ├── OnServer             the message stands in an account, whose password is not kept
    │   ├── UnknownSource        no source of the store has this name
    │   ├── SourceKnown          the new place of a source is a source of its own
    │   └── UnknownFormat        something else than mail
    │       └── NotMail          recognised, and it is no mail (a PDF, a picture, a program's index)
    ├── MessageError             one message
    │   ├── UnreadableMessage    bytes that hold no message
    │   ├── NoMessage            something else among messages (a contact), passed over
    │   └── ExpandsTooFar        compressed data that becomes far larger than mail does
    ├── WorkersCannotStart       no process that parses mail can be started
    └── PeopleError              a decision about people that cannot be taken
        ├── UnknownPerson        no id, address or name here is meant
        ├── AmbiguousPerson      a name that several bear, or that stands in several addresses
        ├── SamePerson           two that are one person already
        ├── OneAddress           an address that is alone already
        └── UnknownDecision      nothing was decided under this number
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class IngestError(Exception):
    """Reading mail failed. The text names the next step."""


class SourceError(IngestError):
    """A source cannot be read; ``path`` says which."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(text)
        self.path = path


class SourceMissing(SourceError):
    """There is nothing at the path."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            f"There is nothing at {path}. Check the spelling; if the export has moved, give its new place.",
        )


class SourceUnreadable(SourceError):
    """The operating system refuses to open or read the path."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            path,
            f"{path} cannot be read ({reason}). Give yourself the right to read it, or copy it elsewhere.",
        )


class SourceChanged(SourceError):
    """The message is not where it stood when it was ingested."""

    def __init__(self, path: Path, key: str) -> None:
        super().__init__(
            path,
            f"Message {key} is no longer where it stood in {path}: the file has changed since. "
            "Ingest it again with --sync.",
        )


class EmptySource(SourceError):
    """No bytes, or a folder in which no mail was found."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(path, f"{path} {what}. Check that the export had finished and that this is the right path.")


class LibraryMissing(SourceError):
    """The format needs an optional library."""

    def __init__(self, module: str, what: str, extra: str) -> None:
        super().__init__(
            Path(),
            f"Reading {what} needs the library {module}, which is not installed here. "
            f"Install it with: pip install 'mailweave[{extra}]'",
        )
        self.extra = extra


class WrongMapping(SourceError):
    """A mapping file that cannot be understood."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, f"The mapping {path} cannot be used: {reason}.")


class WrongAccount(SourceError):
    """The address of a mail account that cannot be understood."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(Path(address), f"{address} is not usable: {reason}. It looks like imaps://user@server/folder.")


class AccountFailed(SourceError):
    """A mail account cannot be reached, refuses the login or does not answer; ``hint`` is the next step."""

    def __init__(self, address: str, reason: str, hint: str) -> None:
        super().__init__(Path(address), f"{address}: {reason}. {hint}")


class OnServer(SourceError):
    """The message stands in an account."""

    def __init__(self, address: str) -> None:
        super().__init__(
            Path(address),
            f"The message stands on the server ({address}), whose password is not kept: open it in your mail program.",
        )


class UnknownSource(SourceError):
    """No source of the store has this name."""

    def __init__(self, name: str, close: Sequence[str]) -> None:
        meant = f" Is {close[0]} meant?" if close else ""
        super().__init__(Path(name), f"No mail was read from {name}.{meant} mailweave sources list shows all sources.")


class SourceKnown(SourceError):
    """The new place of a source is a source of its own."""

    def __init__(self, place: Path, old: str) -> None:
        super().__init__(
            place, f"{place} was read as a source of its own. Forget the old one instead: mailweave forget {old}"
        )


class UnknownFormat(SourceError):
    """The content is of no format this version reads."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            path,
            f"{path} is not in a format that can be read here: {reason}. "
            "Export the mail as mbox, Maildir or .eml files and give that path.",
        )


class NotMail(UnknownFormat):
    """The content was recognised, and it is no mail."""


class MessageError(IngestError):
    """One message cannot be read; it goes to the ledger and the run goes on."""


class UnreadableMessage(MessageError):
    """Bytes that hold no message."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"Message {key} cannot be read: {reason}. It is in the ledger; the source is unchanged.")
        self.key = key


class NoMessage(MessageError):
    """Something else that stands among messages, such as a contact: passed over, not an error of the source."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key} is {what}")
        self.key = key
        self.what = what


class ExpandsTooFar(MessageError):
    """Compressed data that becomes far larger than mail does: damaged, or made to fill the memory."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"It expands to more than {limit:,} bytes, far more than mail does; what stood before was read. "
            "If you trust it, unpack it and give the path of what was in it."
        )


class WorkersCannotStart(IngestError):
    """Processes that parse mail die before they have read anything, so no message is to blame."""


class PeopleError(IngestError):
    """A decision about people cannot be taken; nothing has changed."""


class UnknownPerson(PeopleError):
    """Nobody here has this id, address or name."""

    def __init__(self, text: str) -> None:
        super().__init__(f"Nobody here is meant by '{text}'. mailweave people list NAME lists whose name holds it.")


class AmbiguousPerson(PeopleError):
    """A name that may be that of several; ``candidates`` are some of ``number``, as lines."""

    def __init__(self, text: str, candidates: Sequence[str], number: int) -> None:
        more = f"\n  and {number - len(candidates):,} more" if number > len(candidates) else ""
        lines = "".join(f"\n  {candidate}" for candidate in candidates)
        super().__init__(f"'{text}' may be any of {number:,}. Give the number or the address of one:{lines}{more}")
        self.candidates = tuple(candidates)


class SamePerson(PeopleError):
    """Two names of one person."""

    def __init__(self, who: str) -> None:
        super().__init__(f"Both are {who} already. mailweave people split ADDRESS takes an address of theirs away.")


class OneAddress(PeopleError):
    """The person has no other address, so that there is nothing to split."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is the only address of its person already.")


class UnknownDecision(PeopleError):
    """No decision stands under this number, or none at all."""

    def __init__(self, number: int | None, known: Sequence[int]) -> None:
        taken = ", ".join(map(str, known))
        what = f"There is no decision {number}. There are: {taken}." if known else "Nothing has been decided by hand."
        super().__init__(f"{what} mailweave people decisions shows what was decided.")
