"""Vectors: made once for each text, gone on with after a stop, thrown away when the model is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ingest import embed as embedding
from ingest.embed import embed, table_name
from ingest.pipeline import ingest
from retrieval.models.embed import Embedder, open_embedder
from sql.errors import StoreBusy
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows


@pytest.fixture(scope="module")
def embedder(model_cache: Path) -> Iterator[Embedder]:
    opened = open_embedder(None, cache=model_cache)
    yield opened
    opened.close()


@pytest.fixture
def filled(store: Store, tmp_path: Path) -> Store:
    mails = [mail(f"The level at pier {n} is {n} metres.", hours=n, id_=f"{n}@x") for n in range(1, 6)]
    automated = mail("Your parcel.", hours=99, id_="p@x", headers="Auto-Submitted: auto-generated")
    mbox(tmp_path / "a.mbox", [*mails, automated])
    ingest(store, [tmp_path])
    return store


def test_every_chunk_gets_its_vector(filled: Store, embedder: Embedder) -> None:
    result = embed(filled, embedder)
    assert (result.made, result.embedded, result.chunks, result.stopped) == (6, 6, 6, False)
    table = table_name(embedder.name)
    state = rows(filled, "SELECT fingerprint, relation, counts FROM mail.index_state WHERE name LIKE 'vectors:%%'")
    assert state == [(embedder.fingerprint, table, {"embedded": 6, "chunks": 6})]
    (text, stored), *_ = rows(
        filled, f"SELECT c.text, v.embedding::text FROM mail.chunk c JOIN mail.{table} v USING (sha256) LIMIT 1"
    )
    wanted = embedder.embed([text])[0]
    found = np.fromstring(stored.strip("[]"), sep=",")
    assert float(found @ wanted) > 0.999


def test_a_second_run_makes_nothing(filled: Store, embedder: Embedder) -> None:
    embed(filled, embedder)
    again = embed(filled, embedder)
    assert (again.made, again.embedded) == (0, 6)


def test_personal_and_recent_mail_comes_first_and_a_stopped_run_is_gone_on_with(
    filled: Store, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "BATCH", 2)
    asked = iter([False, True])
    result = embed(filled, embedder, stop=lambda: next(asked))
    assert (result.made, result.embedded, result.chunks, result.stopped) == (2, 2, 6, True)
    done = rows(
        filled,
        f"SELECT m.message_id FROM mail.{table_name(embedder.name)} v JOIN mail.chunk c USING (sha256)"
        " JOIN mail.message m ON m.id = c.message ORDER BY 1",
    )
    assert done == [("<4@x>",), ("<5@x>",)]
    assert embed(filled, embedder).made == 4


def test_vectors_of_text_that_has_gone_go_too(filled: Store, embedder: Embedder) -> None:
    embed(filled, embedder)
    with filled.owner() as conn:
        conn.execute("DELETE FROM mail.chunk WHERE id = (SELECT min(id) FROM mail.chunk)")
    assert embed(filled, embedder).embedded == 5
    assert one(filled, f"SELECT count(*) FROM mail.{table_name(embedder.name)}") == 5


def test_another_version_of_the_model_starts_anew(filled: Store, embedder: Embedder) -> None:
    embed(filled, embedder)
    with filled.owner() as conn:
        conn.execute("UPDATE mail.index_state SET fingerprint = 'older' WHERE name = %s", (f"vectors:{embedder.name}",))
    assert embed(filled, embedder).made == 6


def test_one_program_embeds_at_a_time(filled: Store, embedder: Embedder) -> None:
    with filled.owner() as conn:
        conn.execute("SELECT pg_advisory_lock(%s)", (embedding.LOCK,))
        with pytest.raises(StoreBusy, match="vectors"):
            embed(filled, embedder)
        conn.execute("SELECT pg_advisory_unlock(%s)", (embedding.LOCK,))
    assert embed(filled, embedder).made == 6
