"""Finding people by parts of names and addresses."""

from __future__ import annotations

from sql.store import Store
from ui import who


def test_the_owner_is_offered_first_then_those_who_sent_most(demo_store: Store) -> None:
    with demo_store.reader() as conn:
        found = who.frequent(conn, 5)
        counts = dict(
            conn.execute(
                "SELECT o.person, count(*) FROM mail.message m JOIN mail.person_address o ON o.address = m.sender "
                "WHERE m.counted GROUP BY 1"
            ).fetchall()
        )
    assert found[0].is_owner and len(found) == 5
    assert [one.n for one in found] == [counts[one.id] for one in found]
    assert [one.n for one in found[1:]] == sorted((one.n for one in found[1:]), reverse=True)


def test_every_word_must_stand_in_the_name_or_in_the_address(demo_store: Store) -> None:
    with demo_store.reader() as conn:
        assert [one.name for one in who.named(conn, "gethin pry")] == ["Gethin Pryce"]
        assert "Maren Holt" in [one.name for one in who.named(conn, "holt@tarnbridge")]
        assert who.named(conn, "gethin holt") == []
        assert who.named(conn, "%") == [] and who.named(conn, "  ") == []
        some = [one.id for one in who.frequent(conn, 3)][::-1]
        assert [one.id for one in who.these(conn, some)] == some
