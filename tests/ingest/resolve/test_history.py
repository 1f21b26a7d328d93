"""Quoted history: linked where its message is there, recovered once where it is not."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from ingest.check import check
from ingest.pipeline import ingest
from sql.store import Store
from tests.ingest.mailboxes import START, mail, mbox, one, rows
from tests.ingest.resolve import measure

ADA, JOE, PIA = (
    "Ada Quill <ada.quill@harbour.example>",
    "Joe Quay <joe.quay@harbour.example>",
    "Pia Storm <pia.storm@pier.example>",
)
PLAN = "We should replace the old pump before the spring tide comes, since the seal is worn and parts take six weeks."


def outlook(body: str, name: str, hours: float, subject: str, to: str = "Quay, Joe") -> str:
    """``body`` quoted as Outlook does; the clock shown is the author's."""
    sent = f"{START.replace(tzinfo=None) + timedelta(hours=hours):%A, %B %d, %Y %I:%M %p}"
    head = f"-----Original Message-----\nFrom: {name}\nSent: {sent}\nTo: {to}\nSubject: {subject}\n\n"
    return head + body


def test_a_quotation_of_a_message_that_is_there_is_a_link(store: Store, tmp_path: Path) -> None:
    answer = "Yes, please order it today.\n\n" + outlook(PLAN, "Quill, Ada", 0, "Pump")
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail(PLAN, sender=ADA, to=JOE, id_="a@x"),
        mail(answer, sender=JOE, to=ADA, id_="b@x", hours=2, subject="RE: Pump"),
    ])])  # fmt: skip
    assert one(store, "SELECT count(*) FROM mail.message WHERE recovered") == 0
    assert rows(store, "SELECT p.message_id, q.rule FROM mail.quote q JOIN mail.message p ON p.id = q.quoted") == [
        ("<a@x>", "author and date")
    ]
    assert rows(store, "SELECT m.message_id, r.rule FROM mail.reply r JOIN mail.message m ON m.id = r.message") == [
        ("<b@x>", "quote")
    ]
    assert one(store, "SELECT count(*) FROM mail.thread") == 1


def test_a_message_known_only_from_quotations_is_stored_once_with_its_fullest_text(
    store: Store, tmp_path: Path
) -> None:
    short = PLAN.split(",")[0] + "."
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail("Agreed.\n\n" + outlook(short, "Storm, Pia", 0, "Pump"), sender=JOE, to=PIA, id_="b@x", hours=2,
             subject="RE: Pump"),
        mail("See below.\n\n" + outlook(PLAN, "Storm, Pia", 0, "Pump"), sender=JOE, to=ADA, id_="c@x", hours=3,
             subject="FW: Pump"),
    ])])  # fmt: skip
    found = rows(
        store,
        "SELECT m.sender_name, a.address, m.subject, m.new_text, m.local_at, m.counted, m.thread = (SELECT thread"
        " FROM mail.message WHERE message_id = '<b@x>') FROM mail.message m JOIN mail.address a ON a.id = m.sender"
        " WHERE m.recovered",
    )
    assert found == [("Pia Storm", "pia.storm@pier.example", "Pump", PLAN, START.replace(tzinfo=None), False, True)], (
        "the author is the one known by that name"
    )
    assert rows(store, "SELECT a.address FROM mail.recipient r JOIN mail.message m ON m.id = r.message"
                       " JOIN mail.address a ON a.id = r.address WHERE m.recovered") == [("joe.quay@harbour.example",)]  # fmt: skip
    assert (
        one(store, "SELECT count(*) FROM mail.chunk c JOIN mail.message m ON m.id = c.message WHERE m.recovered") == 1
    )
    assert rows(store, "SELECT DISTINCT rule FROM mail.quote") == [("recovered",)]


def test_the_original_takes_the_place_of_what_was_recovered(store: Store, tmp_path: Path) -> None:
    answer = "Agreed.\n\n" + outlook(PLAN, "Storm, Pia", 0, "Pump")
    ingest(store, [mbox(tmp_path / "a.mbox", [mail(answer, sender=JOE, to=PIA, hours=2, subject="RE: Pump")])])
    assert one(store, "SELECT count(*) FROM mail.message WHERE recovered") == 1
    ingest(store, [mbox(tmp_path / "b.mbox", [mail(PLAN, sender=PIA, to=JOE, id_="a@x")])])
    assert one(store, "SELECT count(*) FROM mail.message WHERE recovered") == 0
    assert one(store, "SELECT p.message_id FROM mail.quote q JOIN mail.message p ON p.id = q.quoted") == "<a@x>"
    with store.owner() as conn:
        assert check(conn) == []


def test_nested_quotations_are_recovered_each(store: Store, tmp_path: Path) -> None:
    inner = outlook("Is the old pump still good enough for the spring?", "Quill, Ada", -5, "Pump", to="Storm, Pia")
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail("Agreed.\n\n" + outlook(PLAN + "\n\n" + inner, "Storm, Pia", 0, "RE: Pump"), sender=JOE, to=f"{PIA}, {ADA}",
             id_="b@x", hours=2, subject="RE: Pump"),
    ])])  # fmt: skip
    assert rows(store, "SELECT sender_name, new_text FROM mail.message WHERE recovered ORDER BY sent_at") == [
        ("Ada Quill", "Is the old pump still good enough for the spring?"), ("Pia Storm", PLAN),
    ]  # fmt: skip
    answered = rows(
        store,
        "SELECT m.sender_name, p.sender_name FROM mail.reply r JOIN mail.message m ON m.id = r.message"
        " JOIN mail.message p ON p.id = r.parent ORDER BY 1",
    )
    assert answered == [("Joe Quay", "Pia Storm"), ("Pia Storm", "Ada Quill")]


def test_two_mails_of_one_author_at_different_times_stay_two(store: Store, tmp_path: Path) -> None:
    report = "The level at the quay is {} centimetres today, and all pumps on both piers are running as they should."
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail("Thanks.\n\n" + outlook(report.format(n), "Storm, Pia", 24 * n, "Level"), sender=JOE, to=PIA,
             hours=24 * n + 1, subject="RE: Level") for n in range(3)
    ])])  # fmt: skip
    assert one(store, "SELECT count(*) FROM mail.message WHERE recovered") == 3


def test_what_an_author_sent_again_with_no_word_added_is_not_recovered_beside_it(store: Store, tmp_path: Path) -> None:
    again = outlook(PLAN, "Storm, Pia", 0, "Pump")
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail(again, sender=PIA, to=JOE, id_="a@x", hours=3, subject="FW: Pump"),
        mail("See below.\n\n" + again, sender=JOE, to=ADA, id_="b@x", hours=5, subject="FW: Pump"),
        mail("Thanks.", sender=ADA, to=JOE, id_="c@x", hours=6),
    ])], owner=["joe.quay@harbour.example"])  # fmt: skip
    assert one(store, "SELECT count(*) FROM mail.message WHERE recovered") == 0
    assert rows(store, "SELECT m.message_id, p.message_id FROM mail.quote q JOIN mail.message m ON m.id = q.message"
                       " LEFT JOIN mail.message p ON p.id = q.quoted ORDER BY 1") == [("<a@x>", None), ("<b@x>", "<a@x>")]  # fmt: skip


def test_what_the_owner_forwarded_of_his_own_is_recovered(store: Store, tmp_path: Path) -> None:
    again = outlook(PLAN, "Storm, Pia", 0, "Pump")
    ingest(store, [mbox(tmp_path / "a.mbox", [mail(again, sender=PIA, to=JOE, hours=3, subject="FW: Pump")])],
           owner=["pia.storm@pier.example"])  # fmt: skip
    assert one(store, "SELECT sender_name FROM mail.message WHERE recovered") == "Pia Storm"


def test_a_mail_that_an_assistant_sent_is_known_by_its_words_and_moment(store: Store, tmp_path: Path) -> None:
    answer = "Yes, please order it today.\n\n" + outlook(PLAN, "Storm, Pia", 0.5, "Pump")
    ingest(store, [mbox(tmp_path / "a.mbox", [
        mail(PLAN, sender=ADA, to=JOE, id_="a@x"),
        mail("Hello Ada.", sender=PIA, to=ADA, id_="c@x", hours=-0.75),
        mail(answer, sender=JOE, to=ADA, id_="b@x", hours=2, subject="RE: Pump"),
    ])])  # fmt: skip
    assert rows(store, "SELECT p.message_id, q.rule FROM mail.quote q JOIN mail.message p ON p.id = q.quoted") == [
        ("<a@x>", "date and words")
    ]


def test_removed_messages_of_a_real_mailbox_come_back(store: Store, tmp_path: Path) -> None:
    found = measure.recovery(store, "delainey-d", tmp_path)
    assert found.author >= 0.85 * found.wanted
    assert found.text >= 0.9 * found.wanted
    assert found.date >= 0.85 * found.wanted
