"""Which server runs is read once; one that is too old is refused, one that nobody tried is said to be so."""

from __future__ import annotations

import pytest

from sql import server
from sql.errors import ServerTooOld
from sql.server import Server
from sql.store import Store


def test_an_open_store_knows_what_its_server_runs(store: Store) -> None:
    with store.owner() as conn:
        postgres = conn.info.server_version // 10000
        (age,) = conn.execute("SELECT extversion FROM pg_extension WHERE extname = 'age'").fetchone() or ("",)
    assert store.server.age[:2] in server.TESTED_AGE
    assert str(store.server).startswith(f"Postgres {postgres}.") and f"Apache AGE {age}," in str(store.server)
    assert store.server.warnings == ()


def test_what_is_too_old_is_refused_with_what_to_do(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.owner() as conn:
        server.require(conn, "1.5.0")
        with pytest.raises(ServerTooOld, match=r"runs Apache AGE 1\.4\.0, which has to be 1\.5 or newer\. Update it"):
            server.require(conn, "1.4.0")
        monkeypatch.setattr(server, "OLDEST_POSTGRES", 90)
        with pytest.raises(ServerTooOld, match=r"runs Postgres \d+, which has to be 90 or newer and Apache AGE 1\.4"):
            server.require(conn, "1.4.0")


@pytest.mark.parametrize("age", ["1.6.0", "1.9.0-rc1", "2.0"])
def test_a_version_that_was_not_tried_is_named(age: str) -> None:
    (warning,) = Server("18.0", server.parse(age), "0.8.0", None, True).warnings
    assert server.dotted(server.parse(age)) in warning and "mailweave check" in warning
