"""Chunks: they cover the text, hold their header, and fit the embedding model."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import chunks
from ingest.chunks import LIMIT, compose, cut, tokens
from ingest.pipeline import ingest
from ingest.sources import find, read
from ingest.types import RawMessage
from retrieval.models.embed import open_embedder
from sql.store import Store
from tests.ingest.mailboxes import mail, mbox, one, rows
from tests.shared import shared_data

HEADER = "Date: 2024-03-04\nFrom: Ada Quill\nTo: Joe Quay\nSubject: Pump"
SENTENCE = "The old pump at the quay is worn and has to be replaced. "


def test_a_short_text_is_one_chunk_under_its_header() -> None:
    assert compose(HEADER, "Yes, please.") == [(0, 12, HEADER + "\n\nYes, please.")]


def test_a_message_without_words_is_found_by_its_header() -> None:
    assert compose(HEADER, "") == [(0, 0, HEADER)]


def test_pieces_end_at_paragraphs_where_they_can() -> None:
    text = "\n\n".join((SENTENCE * 9).strip() for _ in range(4))
    for start, stop, _ in compose(HEADER, text):
        assert text[start:].startswith("The old") and text[:stop].endswith("replaced.")


def test_a_piece_begins_with_the_last_sentence_of_the_one_before() -> None:
    text = " ".join(f"Sentence number {n} speaks of the pump at the quay." for n in range(60))
    pieces = cut(text, 120)
    assert len(pieces) > 3
    for before, after in pairwise(pieces):
        shared = text[after.start : before.stop]
        assert shared.startswith("Sentence number") and shared.count("Sentence") == 1


def test_one_endless_word_is_cut_too() -> None:
    for text in ("x" * 5000, "ö" * 3000, "1" * 3000, "=" * 4000, "潮" * 2000):
        pieces = cut(text, 150)
        assert pieces[0].start == 0 and pieces[-1].stop == len(text)
        assert all(tokens(text[p.start : p.stop]) <= 150 for p in pieces)


def test_a_long_header_leaves_room_for_the_text() -> None:
    header = "From: Ada\nTo: " + ", ".join(f"Person Number{n}" for n in range(90)) + "\nSubject: " + "word " * 300
    for _, _, chunk in compose(header, SENTENCE * 30):
        assert tokens(chunk) <= LIMIT + 1
        assert "The old pump" in chunk


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab 1.\n\n!?-_é潮\t"), max_size=900), st.integers(24, 160))
def test_pieces_cover_every_word_and_fit(text: str, budget: int) -> None:
    pieces = cut(text, budget)
    covered = set()
    for piece in pieces:
        assert 0 <= piece.start < piece.stop <= len(text)
        assert tokens(text[piece.start : piece.stop]) <= budget
        covered |= set(range(piece.start, piece.stop))
    assert all(i in covered for i, character in enumerate(text) if not character.isspace())


def test_headers_name_people_and_only_changed_messages_are_cut_again(store: Store, tmp_path: Path) -> None:
    many = ", ".join(f"Person{n} <p{n}@pier.example>" for n in range(9))
    mbox(tmp_path / "a.mbox", [mail(to=many, id_="a@x"), mail("Other words.", to="joe@pier.example", id_="b@x")])
    ingest(store, [tmp_path])
    texts = [text for (text,) in rows(store, "SELECT text FROM mail.chunk ORDER BY text")]
    names = ", ".join(f"Person{n}" for n in range(6))
    assert texts == [
        f"Date: 2024-03-04\nFrom: Ada Quill\nTo: {names} and 3 more\nSubject: Pump\n\nThe pump at the quay is fixed.",
        "Date: 2024-03-04\nFrom: Ada Quill\nTo: joe@pier.example\nSubject: Pump\n\nOther words.",
    ]
    before = dict(rows(store, "SELECT text, id FROM mail.chunk"))
    mbox(tmp_path / "b.mbox", [mail("A third.", to="Joe Quay <joe@pier.example>", id_="c@x")])
    ingest(store, [tmp_path])
    after = dict(rows(store, "SELECT text, id FROM mail.chunk"))
    assert len(after) == 3
    assert [text for text, id_ in after.items() if before.get(text) == id_] == [texts[0]]


def test_word_search_finds_what_was_just_cut(store: Store, tmp_path: Path) -> None:
    ingest(store, [mbox(tmp_path / "a.mbox", [mail(), mail("Nothing of the kind.", hours=1)])])
    if store.has_bm25:
        query = (
            "SELECT count(*) FROM (SELECT text <@> to_bm25query('pump quay', 'mail.chunk_bm25') AS score FROM mail.chunk"
            " ORDER BY score LIMIT 5) AS found WHERE score < 0"
        )
        assert one(store, query) >= 1


def test_real_mail_fits_the_model_by_its_own_count(model_cache: Path) -> None:
    from ingest.parse import parse

    texts = []
    for source in find(shared_data("lists", "usrp-users-2022.mbox")).files[:1]:
        for raw in list(read(source))[:250]:
            assert isinstance(raw, RawMessage)
            m = parse(raw)
            header = f"Date: {m.local_at}\nFrom: {m.sender and m.sender.name}\nSubject: {m.subject}"
            texts += [text for _, _, text in compose(header, m.new_text)]
    embedder = open_embedder(None, cache=model_cache)
    try:
        counts = embedder.count_tokens(texts)
    finally:
        embedder.close()
    assert sum(count <= chunks.LIMIT + 2 for count in counts) >= 0.99 * len(counts)
