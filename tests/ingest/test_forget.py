"""A source that goes takes what stood nowhere else, and leaves the rest whole."""

from __future__ import annotations

from pathlib import Path

from ingest.check import check
from ingest.forget import forget_source
from ingest.pipeline import ingest
from ingest.resolve import resolve
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows


def test_copies_elsewhere_stay_with_their_own_headers(store: Store, tmp_path: Path) -> None:
    first = mbox(tmp_path / "a.mbox", [mail(id_="a@x", cc="pia@pier.example"), mail("Only here.", id_="c@x")])
    mbox(tmp_path / "b.mbox", [mail(id_="b@x", hours=1, subject="Re: Pump")])
    ingest(store, [tmp_path])
    assert rows(store, "SELECT message_id FROM mail.message ORDER BY 1") == [("<a@x>",), ("<c@x>",)]
    source = one(store, "SELECT id FROM mail.source WHERE path = %s", str(first))
    with store.owner() as conn:
        assert forget_source(conn, source) == 1
        resolve(conn)
    assert rows(store, "SELECT message_id, subject FROM mail.message") == [("<b@x>", "Re: Pump")]
    assert rows(store, "SELECT a.address FROM mail.recipient r JOIN mail.address a ON a.id = r.address") == [
        ("joe.quay@harbour.example",)
    ]
    with store.owner() as conn:
        assert check(conn) == []
