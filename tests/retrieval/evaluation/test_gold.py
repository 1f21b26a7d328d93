"""Gold Message-IDs are found under any copy; what the store does not hold is excluded openly."""

from __future__ import annotations

from dataclasses import replace

from retrieval.evaluation.gold import resolve
from retrieval.evaluation.questions import GoldQuestion
from sql.store import Store
from tests.retrieval.evaluation.conftest import id_of


def question(*groups: tuple[str, ...], **rest: object) -> GoldQuestion:
    return replace(
        GoldQuestion(id="Q", kind="lookup", text="?", groups=groups, grades=(1,) * len(groups)),
        **rest,  # type: ignore[arg-type]
    )


def test_copies_under_two_message_ids_are_one_gold_message(lock: Store) -> None:
    with lock.reader() as conn:
        by_copy = resolve(conn, [question((id_of("crane", "archive"),))]).gold[0]
        by_both = resolve(conn, [question((id_of("crane"), id_of("crane", "archive")))]).gold[0]
    assert by_copy.groups == by_both.groups
    assert len(by_copy.groups[0]) == 1


def test_a_group_knows_its_thread(lock: Store) -> None:
    with lock.reader() as conn:
        first, answer, other = (
            resolve(conn, [question(*((id_of(k),) for k in ("crane", "crane-yes", "gate")))]).gold[0].threads
        )
    assert first == answer and first != other and len(first) == 1


def test_a_question_without_any_gold_message_here_is_excluded(lock: Store) -> None:
    with lock.reader() as conn:
        resolved = resolve(conn, [question(("<nowhere@x.example>",))])
    assert resolved.gold == []
    assert resolved.excluded == [{"id": "Q", "why": "none of its gold messages is in the mailbox"}]


def test_a_question_that_misses_a_part_is_scored_over_the_rest_and_says_so(lock: Store) -> None:
    with lock.reader() as conn:
        resolved = resolve(conn, [question(("<nowhere@x.example>",), (id_of("gate"),), grades=(2, 1))])
    assert len(resolved.gold[0].groups) == 1 and resolved.gold[0].grades == (1,)
    assert "1 of its 2 gold messages" in resolved.excluded[0]["why"]


def test_a_question_without_gold_messages_is_kept(lock: Store) -> None:
    with lock.reader() as conn:
        resolved = resolve(conn, [question(value_type="number", value=3)])
    assert resolved.gold[0].groups == () and resolved.excluded == []


def test_messages_that_restate_the_answer_are_found_too(lock: Store) -> None:
    with lock.reader() as conn:
        resolved = resolve(
            conn, [question((id_of("crane"),), also_ok=((id_of("crane-yes"),), ("<nowhere@x.example>",)))]
        )
    assert len(resolved.gold[0].also_ok) == 1 and resolved.excluded == []
