"""Facts are found by their numbers and words, whatever the notation; missing numbers are never forgiven."""

import pytest

from retrieval.evaluation.facts_found import fact_found, share_found


@pytest.mark.parametrize(
    ("fact", "answer", "found"),
    [
        ("$12MM receivable", "That left a receivable of 12 million dollars.", True),
        ("$12MM receivable", "That left a receivable of 12,000,000 dollars.", True),
        ("$12MM receivable", "That left a receivable of 13 million dollars.", False),
        ("812 orders submitted", "They submitted 812 orders [1].", True),
        ("812 orders submitted", "They submitted many orders [1].", False),
        ("57", "There are 57 of them.", True),
        ("57", "There are 570 of them.", False),
        ("postponed to the second week of March", "The hearing was postponed to March, its second week.", True),
        ("postponed to the second week of March", "The hearing went ahead.", False),
        ("48,700 euros", "They claimed €48,700 for the days.", True),
        ("£1,340 a day", "Each day costs GBP 1,340.", True),
        ("48,700 euros", "They claimed £48,700 for the days.", False),
        ("Ana Ruiz", "It was Ana Ruiz who asked.", True),
        ("Ana Ruiz", "It was Ana Lund who asked.", False),
        ("anything", "", False),
    ],
)
def test_a_fact_in_prose(fact: str, answer: str, found: bool) -> None:
    assert fact_found(fact, answer) is found


def test_the_share_of_facts() -> None:
    assert share_found(("3 days", "4 weeks"), "It took 3 days.") == 0.5
    assert share_found((), "anything") is None


def test_the_gold_answers_hold_their_own_facts() -> None:
    from retrieval.evaluation.questions import read_questions
    from tests.shared import shared_data

    scored = [
        q
        for q in read_questions(shared_data("questions", "kitchen-l.jsonl"))
        if q.facts and not q.unanswerable and q.value_type is None
    ]
    shares = [share_found(q.facts, q.answer) or 0 for q in scored]
    assert sum(shares) / len(shares) > 0.5
    other = [share_found(q.facts, scored[i - 1].answer) or 0 for i, q in enumerate(scored)]
    assert sum(other) / len(other) < 0.05
