"""Drafts that cannot be asked of a whole mailbox are passed over; accepted ones are questions with gold."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from retrieval.evaluation.drafts import Draft, accepted, drafts, usable
from retrieval.text import messages
from sql.store import Store
from tests.retrieval.evaluation.conftest import id_of

TEXT = "Crane hire. The crane costs 840 a day, fuel not included, and comes on Monday."


@pytest.mark.parametrize(
    ("question", "answer", "good"),
    [
        ("What does the crane cost per day without fuel?", "840 a day", True),
        ("What is the subject of the message?", "Crane hire", False),
        ("What is it about?", "the crane", False),
        ("How much does crane fuel cost?", "12 euros per litre", False),
        ("Is the crane hire without fuel included?", "crane hire", False),
        ("Tell me about the crane and its fuel", "840 a day", False),
    ],
)
def test_what_can_be_asked(question: str, answer: str, good: bool) -> None:
    assert usable(question, answer, TEXT) is good


def test_an_accepted_draft_has_its_message_with_all_copies_as_gold(lock: Store) -> None:
    with lock.reader() as conn:
        row = conn.execute("SELECT message FROM mail.occurrence WHERE message_id = %s", (id_of("crane"),)).fetchone()
        assert row is not None
        number = int(row[0])
        draft = Draft(messages(conn, [number])[number], "?", "!")
        made = accepted(conn, draft, "C001", None, text="What does the crane cost?", answer="840 a day")
    assert [sorted(group) for group in made["gold_message_ids"]] == [
        sorted([id_of("crane"), id_of("crane", "archive")])
    ]
    assert (made["question"], made["facts"], made["kind"]) == ("What does the crane cost?", ["840 a day"], "lookup")


def test_the_real_model_drafts_what_can_be_asked(demo_store: Store, model_cache: Path) -> None:
    from retrieval.models.chat import open_chat

    chat = open_chat("qwen2.5-coder-0.5b", cache=model_cache)
    try:
        with demo_store.reader() as conn:
            made = next(itertools.islice(drafts(conn, chat, seed=3), 1), None)
    finally:
        chat.close()
    assert made is not None and made.question.endswith("?")
    assert usable(made.question, made.answer, f"{made.message.subject} {made.message.new_text}")
