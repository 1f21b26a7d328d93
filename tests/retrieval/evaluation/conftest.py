"""A few invented messages, read by the real program: an owner, two conversations, copies in two folders."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import psycopg
import pytest

from graph.build import build
from ingest.pipeline import ingest
from retrieval.evaluation.questions import GoldQuestion
from sql import embedded
from sql.store import Store, open_store

IDA, TOM, NORA, BEA = (
    "Ida Brandt <ida@lock.example>",
    "Tom Weller <tom@quay.example>",
    "Nora Fisk <nora@quay.example>",
    "Bea Lund <bea@mill.example>",
)

# key, folder, sender, to, day of March 2024, subject, text, answered
MAIL = (
    ("crane", "inbox", TOM, IDA, 4, "Crane hire", "The crane costs 840 a day, fuel not included.", ""),
    ("crane-yes", "sent", IDA, TOM, 5, "Re: Crane hire", "Agreed, take it for three days.", "crane"),
    ("crane-when", "inbox", NORA, IDA, 6, "Re: Crane hire", "It comes on Monday at seven.", "crane-yes"),
    ("gate", "inbox", NORA, IDA, 8, "Sluice gate", "The sluice gate sticks again; the hinge is worn.", ""),
    ("gate-fix", "sent", IDA, NORA, 9, "Re: Sluice gate", "Please order a hinge of bronze.", "gate"),
    ("fair", "inbox", BEA, IDA, 11, "Summer fair", "Shall we bring the small boat to the fair?", ""),
    ("paint", "inbox", TOM, IDA, 12, "Paint", "Grey paint for the crane shed came today.", ""),
    ("tide", "inbox", TOM, NORA, 14, "Tide tables", "The new tide tables hang in the hut.", ""),
)
# the same words under another Message-ID in another folder, as some archives keep copies
COPIES = (("crane", "archive"),)


def id_of(key: str, copy: str = "") -> str:
    """The Message-ID of a message, or of its copy in a folder."""
    return f"<{key}{'.' + copy if copy else ''}@lock.example>"


def _message(key: str, copy: str = "") -> EmailMessage:
    _, _, sender, to, day, subject, text, answered = next(mail for mail in MAIL if mail[0] == key)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"] = f"{day:02} Mar 2024 09:00:00 +0000"
    message["Message-ID"] = id_of(key, copy)
    if answered:
        message["In-Reply-To"] = id_of(answered)
    message.set_content(text)
    return message


@pytest.fixture(scope="session")
def lock(home: Path, template: str) -> Iterator[Store]:
    """The store with that mail and its graph, without vectors. Runs of the evaluation may be kept in it."""
    folder = home / "lock-mailbox"
    folder.mkdir()
    for key, name in [*((mail[0], mail[1]) for mail in MAIL), *COPIES]:
        box = mailbox.mbox(folder / f"{name}.mbox")
        box.add(_message(key, name if (key, name) in COPIES else ""))
        box.close()
    with psycopg.connect(embedded.start(home).dsn("postgres"), autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE mailweave_lock TEMPLATE {template} STRATEGY file_copy")
    with open_store("lock", home=home) as store:
        ingest(store, [folder], owner=["ida@lock.example"], jobs=1)
        build(store)
        yield store


@pytest.fixture
def questions() -> list[GoldQuestion]:
    """Three questions: one by words, one whose answer is a value, one whose gold is not in the mailbox."""
    return [
        GoldQuestion(
            id="price", kind="lookup", text="What does the crane cost a day?",
            groups=((id_of("crane"), id_of("crane", "archive")),), grades=(1,), also_ok=((id_of("crane-yes"),),),
            facts=("840 a day",),
        ),
        GoldQuestion(
            id="count", kind="aggregate_count", text="How many messages did Tom Weller send?", value_type="number",
            value=3,
        ),
        GoldQuestion(id="gone", kind="lookup", text="Who has the key?", groups=(("<key@lock.example>",),), grades=(1,)),
    ]  # fmt: skip
