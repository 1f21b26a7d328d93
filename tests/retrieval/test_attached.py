"""What was found in an attachment says so: the hit, the prompt's header line, the JSON, the line on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.pipeline import ingest
from retrieval.ask import ask
from sql.store import Store
from tests.ingest.mailboxes import mbox
from tests.ingest.test_attachment_chunks import LONG, with_files
from ui.messages import headlines


@pytest.mark.parametrize(
    ("question", "name"), [("Which berth is free on day 117?", "berths.txt"), ("See Pier 1", None)]
)
def test_a_hit_in_an_attachment_cites_message_and_file(
    store: Store, tmp_path: Path, question: str, name: str | None
) -> None:
    files = [("berths.txt", "text/plain", LONG.encode()), ("", "text/plain", b"Tide tables.")]
    ingest(store, [mbox(tmp_path / "a.mbox", [with_files(1, *files)])])
    column = ask(store, question, ["lexical"], planner="rules", answer=False).columns[0]
    assert column.errors == []
    (hit,) = column.retrieved.hits
    assert hit.attachment == name
    assert column.to_json()["hits"][0]["attachment"] == name
    assert ("found in its attachment berths.txt" in column.found[0].header) == (name is not None)
    with store.reader() as conn:
        line = headlines(conn, [hit.message], {hit.message: hit.span} if hit.span else {})[hit.message]
    assert line.snippet.startswith("in attachment berths.txt: …" if name else "See the files.")


def test_a_file_without_a_name_is_said_to_have_none(store: Store, tmp_path: Path) -> None:
    ingest(store, [mbox(tmp_path / "a.mbox", [with_files(1, ("", "text/plain", b"Tide tables of the quay."))])])
    column = ask(store, "tide tables", ["lexical"], planner="rules", answer=False).columns[0]
    assert [hit.attachment for hit in column.retrieved.hits] == ["without a name"]
