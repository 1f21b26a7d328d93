"""Sources that moved are asked for; those that shall go take everything of theirs along, and leave no trace."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from graph.check import check as check_graph
from ingest import known
from ingest.check import check
from ingest.embed import embed, table_name
from ingest.errors import SourceKnown, SourceMissing, UnknownSource
from ingest.pipeline import ingest
from retrieval.models.embed import open_embedder
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows, snapshot
from ui.reading import build_graph, forget_mail, read_mail


def assert_sound(store: Store) -> None:
    with store.reader() as conn:
        assert check(conn) == []
        assert check_graph(conn) == []


def maildir(path: Path, *mails: bytes) -> Path:
    for name in ("cur", "new", "tmp"):
        (path / name).mkdir(parents=True)
    for number, data in enumerate(mails):
        (path / "cur" / f"{number}.host:2,S").write_bytes(data)
    return path


def test_a_source_that_has_moved_is_asked_for_and_not_read_again(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "old" / "a.mbox", [mail(id_="a@x"), mail("Other words.", id_="b@x")])
    maildir(tmp_path / "old" / "box", mail("In a folder.", id_="c@x"))
    ingest(store, [tmp_path / "old"])
    (tmp_path / "old").rename(tmp_path / "new")
    asked = []

    def answer(old: str, new: str) -> bool:
        asked.append((Path(old).name, Path(new).parent.name))
        return True

    result = ingest(store, [tmp_path / "new"], has_moved=answer)
    assert sorted(asked) == [("a.mbox", "new"), ("box", "new")]
    assert (result.messages, result.copies, result.unchanged, len(result.moved)) == (0, 0, 2, 2)
    assert result.missing == []
    assert_sound_tables(store)


def assert_sound_tables(store: Store) -> None:
    with store.reader() as conn:
        assert check(conn) == []


def test_without_an_answer_it_is_a_new_source_and_the_old_one_is_told(store: Store, tmp_path: Path) -> None:
    old = mbox(tmp_path / "a.mbox", [mail(id_="a@x")])
    ingest(store, [old])
    old.rename(tmp_path / "b.mbox")
    result = ingest(store, [tmp_path / "b.mbox"])
    assert (result.messages, result.copies, result.missing) == (0, 1, [str(old)])


def test_another_file_is_not_taken_for_the_one_that_is_gone(store: Store, tmp_path: Path) -> None:
    old = mbox(tmp_path / "a.mbox", [mail("One.", id_="a@x")])
    ingest(store, [old])
    old.unlink()
    mbox(tmp_path / "b.mbox", [mail("Two.", id_="b@x")])
    assert ingest(store, [tmp_path], has_moved=lambda old, new: pytest.fail("asked")).messages == 1


def test_relocating_moves_all_below_a_folder(store: Store, tmp_path: Path) -> None:
    mbox(tmp_path / "old" / "deep" / "a.mbox", [mail(id_="a@x")])
    mbox(tmp_path / "old" / "b.mbox", [mail("Other words.", id_="b@x")])
    ingest(store, [tmp_path / "old"])
    with pytest.raises(SourceMissing):
        known.relocate(store, str(tmp_path / "old"), tmp_path / "new")
    (tmp_path / "old").rename(tmp_path / "new")
    assert len(known.relocate(store, str(tmp_path / "old"), tmp_path / "new")) == 2
    assert ingest(store, [tmp_path / "new"]).unchanged == 2
    with pytest.raises(UnknownSource, match="sources list"):
        known.relocate(store, str(tmp_path / "old"), tmp_path / "new")
    shutil.copytree(tmp_path / "new", tmp_path / "third")
    ingest(store, [tmp_path / "third"])
    with pytest.raises(SourceKnown, match="forget"):
        known.relocate(store, str(tmp_path / "new"), tmp_path / "third")


def test_forgetting_leaves_nothing_of_a_source_behind(store: Store, tmp_path: Path, model_cache: Path) -> None:
    headers = "Content-Disposition: inline"
    mbox(tmp_path / "a.mbox", [mail("Everywhere.", id_="a@x"), mail("Joe knows.", id_="b@x", headers=headers)])
    mbox(
        tmp_path / "secret" / "b.mbox",
        [mail("Everywhere.", id_="a@x"), mail("The plan of the vault.", id_="c@x", sender="Zoe <zoe@vault.example>")],
    )
    read_mail(store, [tmp_path / "a.mbox"])
    before, graph = snapshot(store), one(store, "SELECT counts FROM mail.index_state WHERE name = 'graph'")
    read_mail(store, [tmp_path])
    embedder = open_embedder(None, cache=model_cache)
    try:
        embed(store, embedder)
    finally:
        embedder.close()
    assert forget_mail(store, [str(tmp_path / "secret")]) == 1
    assert_sound(store)
    assert snapshot(store) == before
    assert one(store, "SELECT counts FROM mail.index_state WHERE name = 'graph'") == graph
    vectors = f"SELECT count(*) FROM mail.{table_name(embedder.name)}"
    assert one(store, vectors) == one(store, "SELECT count(DISTINCT sha256) FROM mail.chunk") == 2
    for table, column in (
        ("address", "address"),
        ("label", "name"),
        ("organization", "domain"),
        ("message", "body"),
        ("chunk", "text"),
    ):
        assert rows(store, f"SELECT 1 FROM mail.{table} WHERE {column} ~ 'vault|secret'") == []
    assert build_graph(store) is None


def test_what_was_never_read_cannot_be_forgotten(store: Store, tmp_path: Path) -> None:
    ingest(store, [mbox(tmp_path / "a.mbox", [mail(id_="a@x")])])
    with pytest.raises(UnknownSource, match=r"Is .*a\.mbox meant"):
        known.forget(store, [str(tmp_path / "b.mbox")])
    assert one(store, "SELECT count(*) FROM mail.message") == 1


def test_a_changed_mapping_reads_its_export_anew(store: Store, tmp_path: Path) -> None:
    records = [{"sender": "Ada <ada@quay.example>", "title": "Pump", "words": f"Report {n}."} for n in range(3)]
    (tmp_path / "out.jsonl").write_text("\n".join(json.dumps(each) for each in records))
    said = tmp_path / "out.mapping.toml"
    said.write_text('[fields]\nfrom = "sender"\nsubject = "title"\ntext = "title"\n')
    ingest(store, [tmp_path / "out.jsonl"])
    assert ingest(store, [tmp_path / "out.jsonl"]).unchanged == 1
    said.write_text('[fields]\nfrom = "sender"\nsubject = "title"\ntext = "words"\n')
    ingest(store, [tmp_path / "out.jsonl"])
    assert rows(store, "SELECT body FROM mail.message ORDER BY 1") == [(f"Report {n}.",) for n in range(3)]
    assert_sound_tables(store)
