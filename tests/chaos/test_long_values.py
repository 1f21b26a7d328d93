"""Values of a mail that are far longer than an entry of an index may be: the mail is stored, and so is all other mail."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from graph import execute
from graph.plan import Mentions, Plan
from ingest.check import check
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one
from ui.reading import read_mail

LONG = random.Random(1).randbytes(20_000).hex()
VALUES = {
    "body": mail(f"The key is {LONG} and {LONG[:3000]}.", id_="1@x"),
    "subject": mail(id_="1@x", subject=LONG),
    "address": mail(id_="1@x", sender=f"Ada <{LONG}@harbour.example>", to=f"<joe@{LONG}.example>"),
    "name": mail(id_="1@x", sender=f'"{LONG}" <ada@harbour.example>'),
    "only a name": mail(id_="1@x", sender=LONG, to=f"{LONG[::-1]}:;"),
    "labels": mail(id_="1@x", headers=f"X-Gmail-Labels: {LONG},{LONG[::-1]}"),
    "ids": mail(id_=LONG, headers=f"In-Reply-To: <{LONG[:9000]}@x>\nReferences: <{LONG[::-1]}@x>\nX-GM-THRID: {LONG}"),
    "list": mail(id_="1@x", headers=f"List-Id: <{LONG}>\nX-Mailer: {LONG}\nThread-Index: {LONG}"),
    "quotation": mail(f"Yes.\n\nOn Mon, 4 Mar 2024 at 09:00, {LONG} <{LONG[:5000]}@a.example> wrote:\n> Shall we go?\n", id_="1@x"),
    "attachment": mail(id_="1@x", headers=f'Content-Disposition: attachment; filename="{LONG}.txt"'),
}  # fmt: skip


@pytest.mark.parametrize("what", VALUES)
def test_a_value_of_any_length_is_stored(what: str, store: Store, tmp_path: Path) -> None:
    box = mbox(tmp_path / "box.mbox", [VALUES[what], mail("All is well.", id_="2@x", hours=1)])
    result = read_mail(store, [box], jobs=1)
    assert (result.ingest.messages, result.ingest.unreadable) == (2, 0)
    with store.owner() as conn:
        assert check(conn) == []


def test_a_word_of_any_length_is_found_exactly(store: Store, tmp_path: Path) -> None:
    other = LONG[:300] + "other"
    read_mail(store, [mbox(tmp_path / "box.mbox", [VALUES["body"], mail(f"It is {other}.", id_="2@x")])], jobs=1)
    assert one(store, "SELECT to_regclass('mail.message_words') IS NOT NULL")
    with store.reader() as conn:
        for word, number in ((other, 1), (LONG[:300], 0), (LONG[:250], 0)):
            found = execute.answer(conn, Plan(filters=(Mentions((word,)),)))
            assert found.total == number, len(word)
