"""A mail account on a real server: everything is read once, over TLS that is checked, and nothing is changed."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ingest import large, pipeline
from ingest.check import check
from ingest.errors import AccountFailed, OnServer, WrongAccount
from ingest.pipeline import ingest
from ingest.sources import SourceFile, imap, read_one
from ingest.sources.imap import Account, Address, message_of, read_address
from sql.store import Store
from tests.ingest import imap_server
from tests.ingest.imap_server import PASSWORD, USER, Server
from tests.ingest.mailboxes import mail, one, rows


@pytest.fixture
def server() -> Iterator[Server]:
    if not imap_server.installed():
        pytest.skip("there is no dovecot here, or no right to start it (apt-get install dovecot-imapd, as root)")
    with imap_server.running() as running:
        yield running


def account(server: Server, folder: str = "", password: str = PASSWORD, ca: Path | None = None) -> Account:
    return Account(read_address(server.address + folder), password, ca or server.ca)


def files(server: Server) -> list[str]:
    return sorted(str(path.relative_to(server.mail)) for path in server.mail.rglob("*.host*"))


def test_all_folders_are_read_once_and_nothing_is_changed(server: Server, store: Store) -> None:
    for number in range(5):
        server.put(mail(f"Report {number}.", id_=f"{number}@x", hours=number), str(number))
    server.put(mail("In the café.", id_="c@x"), "c", folder="Work.Caf&AOk-", flags="RS")
    server.put(mail("Buy now.", id_="s@x"), "s", folder="Weg")
    server.put(mail("Not sent yet.", id_="d@x"), "d", flags="D")
    before = files(server)
    with account(server) as opened:
        first = ingest(store, [opened])
    with account(server) as opened:
        again = ingest(store, [opened])
    assert (first.messages, first.sources, again.messages, again.unchanged) == (8, 3, 0, 3)
    assert files(server) == before, "no flag is set, no file is moved"
    assert rows(store, "SELECT DISTINCT name FROM mail.label ORDER BY 1") == [
        ("INBOX",), ("Spam",), ("Weg",), ("Work/Café",)
    ]  # fmt: skip
    assert dict(rows(store, "SELECT kind, count(*) FROM mail.message GROUP BY 1")) == {"mail": 6, "draft": 1, "spam": 1}
    with store.owner() as conn:
        assert check(conn) == []
    server.put(mail("Something new.", id_="n@x"), "n")
    with account(server) as opened:
        assert ingest(store, [opened]).messages == 1


def test_one_folder_and_those_below_it_are_read_alone(server: Server, store: Store) -> None:
    server.put(mail("A.", id_="a@x"), "a")
    server.put(mail("B.", id_="b@x"), "b", folder="Work")
    server.put(mail("C.", id_="c@x"), "c", folder="Work.Deep")
    server.put(mail("D.", id_="d@x"), "d", folder="Works")
    with account(server, "Work") as opened:
        ingest(store, [opened])
    assert rows(store, "SELECT message_id FROM mail.message ORDER BY 1") == [("<b@x>",), ("<c@x>",)]


def test_what_is_deleted_on_the_server_goes_with_sync_alone(server: Server, store: Store) -> None:
    for name in "abc":
        server.put(mail(f"Report {name}.", id_=f"{name}@x"), name)
    server.put(mail("Old.", id_="o@x"), "o", folder="Old")
    with account(server) as opened:
        ingest(store, [opened])
    next(server.mail.glob("cur/a.host*")).unlink()
    for path in sorted((server.mail / ".Old").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (server.mail / ".Old").rmdir()
    with account(server) as opened:
        assert ingest(store, [opened]).forgotten == 0
    with account(server) as opened:
        assert ingest(store, [opened], forget_missing=True).forgotten == 2
    assert rows(store, "SELECT message_id FROM mail.message ORDER BY 1") == [("<b@x>",), ("<c@x>",)]


def test_a_folder_whose_numbers_mean_something_else_is_read_anew(server: Server, store: Store) -> None:
    for name in "abc":
        server.put(mail(f"Report {name}.", id_=f"{name}@x"), name)
    with account(server) as opened:
        ingest(store, [opened])
    keys = {key for (key,) in rows(store, "SELECT key FROM mail.occurrence")}
    server.stop()
    for path in server.mail.glob("dovecot*"):
        path.unlink()
    next(server.mail.glob("cur/a.host*")).unlink()
    server.start()
    with account(server) as opened:
        ingest(store, [opened])
    assert rows(store, "SELECT message_id FROM mail.message ORDER BY 1") == [("<b@x>",), ("<c@x>",)]
    assert keys.isdisjoint(key for (key,) in rows(store, "SELECT key FROM mail.occurrence"))
    with store.owner() as conn:
        assert check(conn) == []


def test_when_the_connection_breaks_the_next_run_goes_on(
    server: Server, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "BATCH_MESSAGES", 4)
    monkeypatch.setattr(imap, "FETCHED", 4)
    monkeypatch.setattr("ingest.parallel.PARCEL_MESSAGES", 4)
    for number in range(20):
        server.put(mail(f"Report {number}.", id_=f"{number}@x", hours=number), f"{number:02}")

    class Breaks:
        done = 0

        def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
            pass

        def advance(self, n: int = 1) -> None:
            self.done += 1
            if self.done == 6:
                server.stop()

    # parse each parcel as it comes, so that reading goes on when the server is gone already
    monkeypatch.setattr("ingest.parallel.ALONE_BYTES", 0)
    with account(server) as opened:
        broken = ingest(store, [opened], progress=Breaks(), jobs=1)
    assert 4 <= broken.messages < 20 and broken.unreadable == 2, "each folder that could not be read says so"
    assert "goes on" in one(store, "SELECT detail FROM mail.ingest_error")
    server.start()
    with account(server) as opened:
        rest = ingest(store, [opened])
    assert broken.messages + rest.messages == 20
    assert rows(store, "SELECT path, key, detail FROM mail.ingest_error") == []
    with store.owner() as conn:
        assert check(conn) == []


def test_a_large_message_is_fetched_in_parts(server: Server, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ingest.large", "ingest.sources.imap"):
        monkeypatch.setattr(f"{module}.LARGE", 50_000)
    monkeypatch.setattr(imap, "PART", 7000)
    monkeypatch.setattr(large, "MAX_FILE", 10_000)
    content = random.Random(1).randbytes(90_000)
    body = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nThe film.\n--b\nContent-Type: video/mp4; name=f.mp4\n"
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(content) + b"--b--\n"
    )
    server.put(mail("", id_="a@x").split(b"Content-Type")[0] + body, "a")
    with account(server) as opened:
        ingest(store, [opened])
    assert rows(store, "SELECT name, bytes FROM mail.attachment") == [("f.mp4", 90_000)]
    assert one(store, "SELECT body FROM mail.message").strip() == "The film."


def test_a_certificate_that_nobody_vouches_for_is_refused(server: Server, store: Store) -> None:
    with pytest.raises(AccountFailed, match="--ca-file"), account(server, ca=server.other_ca) as opened:
        ingest(store, [opened])
    with pytest.raises(AccountFailed, match="certificate"):
        Account(read_address(server.address), PASSWORD).find()
    with pytest.raises(AccountFailed, match="certificate"):
        Account(read_address(server.address.replace("localhost", "127.0.0.1")), PASSWORD, server.ca).find()


def test_a_wrong_password_is_told_without_being_shown(server: Server) -> None:
    with pytest.raises(AccountFailed, match="refuses the login") as told, account(server, password="sesame") as opened:
        opened.find()
    assert "sesame" not in str(told.value)
    assert PASSWORD not in repr(account(server))


def test_where_nobody_answers_the_error_says_so() -> None:
    with pytest.raises(AccountFailed, match="connection failed"):
        Account(Address("ada", "127.0.0.1", 9), PASSWORD).find()


def test_a_message_on_the_server_cannot_be_opened_without_the_password() -> None:
    with pytest.raises(OnServer, match="mail program"):
        read_one(SourceFile(Path("imaps://ada@quay.example/INBOX"), "imap", ()), "1:1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("imaps://ada@mail.quay.example/", Address("ada", "mail.quay.example")),
        ("imaps://ada@quay.example@mail.quay.example:1993/A/B", Address("ada@quay.example", "mail.quay.example", 1993, "A/B")),
        ("IMAPS://ada%40quay.example@[::1]/Caf%C3%A9", Address("ada@quay.example", "::1", 993, "Café")),
    ],
)  # fmt: skip
def test_addresses(text: str, address: Address) -> None:
    assert read_address(text) == address
    assert read_address(str(address)) == address


@pytest.mark.parametrize(
    "text", ["imap://ada@quay.example/", "imaps://quay.example/", "imaps://ada:secret@quay.example/"]
)
def test_an_address_without_user_or_with_a_password_or_without_tls_is_refused(text: str) -> None:
    with pytest.raises(WrongAccount) as told:
        read_address(text)
    assert "secret" not in str(told.value)


def test_labels_and_conversations_are_those_of_gmail() -> None:
    """As the X-GM-EXT-1 extension gives them: system labels with a backslash, names in modified UTF-7."""
    held = {
        b"BODY[]": mail(id_="a@x"),
        b"FLAGS": (b"\\Seen", b"\\Flagged", b"$Phishing"),
        b"INTERNALDATE": datetime(2024, 3, 4, 8, 0, tzinfo=UTC),
        b"X-GM-LABELS": (b"\\Inbox", b"\\Important", b"Caf&AOk-", b"Work/Old"),
        b"X-GM-THRID": 1266894439832287888,
    }
    found = message_of("7:12", held, ("[Gmail]/All Mail",))
    assert found.labels == ("Inbox", "Important", "Café", "Work/Old")
    assert (found.thread, found.flags, found.envelope) == ("1266894439832287888", "FS", "- Mon Mar 04 08:00:00 2024")


def test_the_user_is_part_of_the_name(server: Server) -> None:
    with account(server) as opened:
        assert next(folder.name for folder in opened.find()) == server.address + "INBOX"
    assert USER in server.address
