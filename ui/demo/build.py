"""Builds the fictional mailbox: a consultancy's ten months, seen from one person's mail.

Reading made-up mail that was written as prose is what lets somebody try mailweave before trusting it with their own.
The written content is fixed and everything drawn at random has a fixed seed, so two builds give the same bytes and
Message-IDs in questions.jsonl stay valid.
"""

from pathlib import Path

from ui.demo import attachments, machine, people, script
from ui.demo.mime import render
from ui.demo.people import utc
from ui.demo.quoting import Composed
from ui.demo.script import Entry
from ui.demo.writing import compose

OWNER = "maren.holt@tarnbridge.example"
OWNER_NAME = "Maren Holt"
AS_OF = "2025-11-30"


def build(target: Path) -> None:
    """Write the mailbox as mbox files, one a folder (target/inbox.mbox, target/projects/vallmar.mbox, …).

    target: a directory, made if missing; mbox files of the same names in it are replaced. Standard library only.
    Raises ContentError when a content file breaks its format.
    """
    everybody = people.load()
    entries = sorted(script.read(everybody) + machine.entries(everybody), key=lambda e: (utc(e.date), e.key))
    files = attachments.load()
    composed: dict[str, Composed] = {}
    folders: dict[str, list[tuple[Entry, bytes]]] = {}
    for entry in entries:
        source = entry.forwarded or entry.parent
        composed[entry.key] = compose(entry, composed[source.key] if source else None)
        for folder, on_list in _places(entry):
            raw = render(composed[entry.key], files, OWNER, on_list)
            folders.setdefault(folder, []).append((entry, raw))
    for folder, messages in folders.items():
        path = target / f"{folder}.mbox"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(_mbox(entry, raw) for entry, raw in messages))


def _places(entry: Entry) -> list[tuple[str, bool]]:
    """Folders an entry is written to, and whether that copy came back from the mailing list."""
    if "lost" in entry.options:  # known from quotations alone
        return []
    from_owner = entry.sender.address == OWNER
    if "draft" in entry.options:
        return [("drafts", False)]
    if any(box.person and box.person.client == "list" for box in entry.to + entry.cc):
        return [("sent", False) if from_owner else (entry.folder, True)]  # the list sends nobody their own mail
    home = "sent" if from_owner else entry.folder
    copies = [name.strip() for name in entry.options.get("copy", "").split(",") if name.strip()]
    if "copy" in entry.options and not copies:
        copies = [entry.folder if entry.folder != "inbox" else "archive"]
    return [(folder, False) for folder in dict.fromkeys([home, *copies])]


def _mbox(entry: Entry, raw: bytes) -> bytes:
    """One message of an mbox file: the From_ line, then the message with lines that begin with From quoted."""
    when = utc(entry.date).strftime("%a %b %d %H:%M:%S %Y")
    lines = raw.split(b"\n")
    quoted = b"\n".join(b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in lines)
    return f"From {entry.sender.address} {when}\n".encode() + quoted + b"\n"
