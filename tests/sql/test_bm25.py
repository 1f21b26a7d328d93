"""Words are found completely, once each, over restarts and crashes of the server."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from sql import bm25, embedded
from sql.store import Store, open_store

pytestmark = pytest.mark.bm25


def write(conn: psycopg.Connection, word: str) -> None:
    """Fifty chunks that hold ``word``."""
    row = conn.execute(
        "INSERT INTO mail.message (content_key, message_id) VALUES ('', '<a@b.example>') RETURNING id"
    ).fetchone()
    assert row is not None
    conn.execute(
        "INSERT INTO mail.chunk (message, position, text, start, stop, sha256) "
        "SELECT %s, n, %s || ' number ' || n, 0, 1, sha256(n::text::bytea) FROM generate_series(1, 50) n",
        (row[0], word),
    )


def found(store: Store, word: str) -> int:
    with store.reader() as conn:
        row = conn.execute(
            "SELECT count(*) FROM (SELECT text <@> to_bm25query(%s, 'mail.chunk_bm25') AS score FROM mail.chunk ORDER BY score LIMIT 500) x WHERE score < 0",
            (word,),
        ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.embedded
@pytest.mark.parametrize("settled", [True, False])
def test_each_chunk_is_found_once_after_any_number_of_restarts(own_home: Path, settled: bool) -> None:
    words: list[str] = []
    for word in ("heliotrope", "yak", "zebu"):
        with open_store(home=own_home) as store:
            assert {known: found(store, known) for known in words} == dict.fromkeys(words, 50)
            with store.owner() as conn:
                write(conn, word)
                if settled:
                    bm25.rebuild(conn)
                else:
                    conn.execute("SELECT bm25_spill_index('mail.chunk_bm25')")
            words.append(word)
        embedded.start(own_home).close()
    with open_store(home=own_home) as store:
        assert {known: found(store, known) for known in words} == dict.fromkeys(words, 50)


def test_an_index_that_is_well_is_left_alone(store: Store) -> None:
    with store.owner() as conn:
        write(conn, "heliotrope")
        bm25.rebuild(conn)
    with store.owner() as conn:
        assert not bm25.repair(conn)


def test_an_interrupted_writing_without_index_is_mended_at_opening(store: Store, home: Path) -> None:
    with store.owner() as conn:
        bm25.suspend(conn)
        write(conn, "heliotrope")
    with open_store(store.name, home=home) as again:
        assert found(again, "heliotrope") == 50


def whole(store: Store, word: str) -> int:
    with store.reader() as conn:
        conn.execute("SET LOCAL enable_seqscan = off")  # a scan gives rows without the word too
        return len(
            conn.execute(
                f"SELECT message FROM mail.whole_message ORDER BY text <@> to_bm25query(%s, '{bm25.WHOLE}') LIMIT 9",
                (word,),
            ).fetchall()
        )


def test_whole_messages_have_an_index_once_there_is_mail_and_it_is_mended_too(store: Store, home: Path) -> None:
    with store.owner() as conn:
        assert not bm25.exists(conn, bm25.WHOLE)
        write(conn, "heliotrope")
        conn.execute("UPDATE mail.message SET body = 'a yak was quoted'")
        bm25.rebuild(conn)
    assert whole(store, "yak") == 1
    with store.owner() as conn:
        assert not bm25.repair(conn)
        conn.execute(f"DROP INDEX {bm25.WHOLE}")
    with open_store(store.name, home=home) as again:
        assert whole(again, "yak") == 1


def test_whole_messages_follow_what_became_of_the_mail(store: Store) -> None:
    with store.owner() as conn:
        write(conn, "heliotrope")
        conn.execute("UPDATE mail.message SET body = 'a yak was quoted'")
        bm25.rebuild(conn)
    with store.owner() as conn:
        conn.execute("UPDATE mail.message SET body = 'a zebu was quoted', subject = 'Cattle'")
        bm25.rebuild(conn)
    assert (whole(store, "yak"), whole(store, "zebu"), whole(store, "cattle")) == (0, 1, 1)
    with store.owner() as conn:
        conn.execute("UPDATE mail.message SET kind = 'spam'")
        bm25.rebuild(conn)
    assert whole(store, "zebu") == 0
    with store.owner() as conn:
        conn.execute("UPDATE mail.message SET kind = 'mail'")
        bm25.rebuild(conn)
        conn.execute("DELETE FROM mail.message")
        assert conn.execute("SELECT count(*) FROM mail.whole_message").fetchone() == (0,)


def test_a_body_too_long_for_a_text_vector_leaves_words_findable_and_the_store_openable(
    store: Store, home: Path
) -> None:
    with store.owner() as conn:
        write(conn, "harbour")
        conn.execute(
            "UPDATE mail.message SET body = (SELECT string_agg('w' || n, ' ') FROM generate_series(1, 300000) n)"
        )
        conn.commit()
        bm25.rebuild(conn)
        assert bm25.exists(conn, bm25.INDEX)
        assert not bm25.repair(conn)  # nor is it tried again at every opening
    assert whole(store, "w7") == 1
    with open_store(store.name, home=home) as again, again.reader() as conn:
        assert conn.execute("SELECT count(*) FROM mail.chunk").fetchone() == (50,)
