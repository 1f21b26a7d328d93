"""One message in the terminal, and messages of each kind to check."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from sql.store import Store
from tests.ui.cli.conftest import Mailweave
from ui.cli import run

# An answer with history under it.
_FOLDED = """
SELECT m.id, m.message_id, m.new_text, m.body, m.hidden FROM mail.message m
WHERE NOT m.recovered AND m.new_text <> '' AND EXISTS (
        SELECT FROM jsonb_array_elements(m.hidden) h WHERE h ->> 2 = 'quoted')
ORDER BY m.message_id LIMIT 1
"""


def row(store: Store, query: str) -> tuple[Any, ...]:
    with store.reader() as conn:
        found = conn.execute(query.encode()).fetchone()
    assert found is not None
    return found


def test_a_message_is_shown_with_its_history_folded_and_whole(mailweave: Mailweave, demo_store: Store) -> None:
    id_, message_id, new, body, hidden = row(demo_store, _FOLDED)
    code, out, _ = mailweave("show", str(id_))
    assert code == 0
    assert "From: " in out
    assert new.splitlines()[0] in out
    assert "[history, " in out
    start, stop = next((start, stop) for start, stop, kind in hidden if kind == "quoted")
    old = max(body[start:stop].splitlines(), key=len)
    assert old not in out
    assert old in mailweave("show", message_id, "--full")[1]
    assert old in mailweave("show", message_id.strip("<>"), "--full")[1]
    assert json.loads(mailweave("show", str(id_), "--json")[1])["headline"]["message_id"] == message_id


def test_the_raw_message_is_what_stands_in_the_source(demo_store: Store, environment: None, capfdbinary: Any) -> None:
    id_, sha256 = row(demo_store, "SELECT message, raw_sha256 FROM mail.occurrence ORDER BY id LIMIT 1")
    assert run(["show", str(id_), "--raw", "--store", "demo"]) == 0
    assert hashlib.sha256(capfdbinary.readouterr().out).digest() == sha256


def test_what_is_not_here_is_said_with_what_to_do(mailweave: Mailweave, demo_store: Store) -> None:
    for nothing in ("999999999", "<nobody@nowhere.example>"):
        code, _, err = mailweave("show", nothing)
        assert code == 1
        assert "status --samples" in err
    (recovered,) = row(demo_store, "SELECT id FROM mail.message WHERE recovered LIMIT 1")
    code, out, _ = mailweave("show", str(recovered))
    assert (code, "known only from quotations" in out) == (0, True)
    code, _, err = mailweave("show", str(recovered), "--raw")
    assert (code, "known only from a quotation" in err) == (1, True)


def test_messages_of_a_kind_are_shown_with_their_folders_and_can_be_opened(
    mailweave: Mailweave, demo_store: Store
) -> None:
    for kind in ("mail", "automated", "sent", "recovered"):
        found = json.loads(mailweave("status", "--samples", kind, "--json")[1])
        assert 0 < len(found["samples"]) <= min(20, found["of"]), kind
        assert mailweave("show", str(found["samples"][0]["id"]))[0] == 0
    (automated,) = row(demo_store, "SELECT count(*) FROM mail.message WHERE kind = 'automated' AND NOT recovered")
    assert json.loads(mailweave("status", "--samples", "automated", "--json")[1])["of"] == automated
    code, _, err = mailweave("status", "--samples", "spma")
    assert (code, "none of mail, automated" in err) == (2, True)


def test_status_tells_kinds_and_new_text(mailweave: Mailweave) -> None:
    code, out, _ = mailweave("status")
    assert code == 0
    assert "Kinds: mail " in out
    assert "New text: " in out
