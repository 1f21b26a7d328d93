"""What the page draws: texts of strangers stay text, numbers are right, history is folded with its length."""

from datetime import datetime

import pytest

from retrieval.answer import Citation, Claims
from retrieval.types import Fact, FoundBy, Hit, QueryError, Step
from ui.components import answer, column, message, overlap, trace
from ui.messages import File, FullMessage, Headline, Piece

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script> [a](javascript:alert(3)) {0} %s'


def headline(number: int, subject: str = "Offer", kind: str = "mail") -> Headline:
    return Headline(number, f"<{number}@x.example>", subject, subject, datetime(2025, 3, 4), subject, 1, False, kind, 1)


def whole(subject: str) -> FullMessage:
    return FullMessage(
        headline(1, subject), subject, {"to": [subject], "cc": [subject], "bcc": []},
        (Piece(subject, None), Piece(subject, "history")), (File(subject, subject, 2048),), (subject,), (subject, subject), 3,
    )  # fmt: skip


DRAWN = {
    "a line": lambda text: message.line(headline(1, text), 1, [text], [text]),
    "a message": lambda text: message.whole(whole(text)),
    "facts": lambda text: column.facts(
        "graph", [Fact(text, 3, text, []), Fact(text, [{"label": text, "n": 2, "keys": [text]}], text, [])]
    ),
    "a column's head": lambda text: column.head(text, text, text, 3.0, text),
    "an error": lambda text: column.error(QueryError(text, text, text, text)),
    "a running answer": lambda text: answer.running("graph", text),
    "an answer": lambda text: answer.finished("graph", Claims(text + " [1]", (Citation(len(text) + 1, len(text) + 4, 1, 7),), False)),
    "a trace": lambda text: trace.waterfall("graph", [Step(text, text, text, 1, 1.0)]),
    "an overlap": lambda text: overlap.matrix({text: [1], "graph": [1]}) + overlap.headline({text: [1], "graph": [1]}),
}  # fmt: skip


@pytest.mark.parametrize("what", DRAWN)
def test_text_of_strangers_stays_text(what: str) -> None:
    drawn = str(DRAWN[what](HOSTILE))
    assert "<img" not in drawn
    assert "<script" not in drawn
    assert "&#34;&gt;&lt;img" in drawn, "the text has to be there, escaped"


def test_two_columns_share_what_both_found_of_the_longer_list() -> None:
    found = {"vector": [1, 2, 3, 4], "graph": [9, 3, 2], "lexical": []}
    assert overlap.shared(found, "vector", "graph") == (2, 4)
    assert "share <b>2</b> of 4" in overlap.headline(found)
    assert "nothing to compare" in overlap.headline({"vector": [1], "lexical": []})


def test_of_several_columns_the_pair_that_shares_least_is_named() -> None:
    text = str(overlap.headline({"vector": [1, 2], "hybrid": [1, 2], "graph": [3, 1]}))
    assert "share <b>1</b> of 2" in text
    assert "least alike" in text


def test_only_what_no_other_column_found_is_listed_with_its_rank() -> None:
    lines = {number: headline(number, f"subject {number}") for number in (1, 2, 3)}
    text = str(overlap.only({"vector": [1, 2, 3], "graph": [2]}, "vector", lines))
    assert "Only vector found: 2 of 3" in text
    assert "subject 1" in text and "subject 3" in text and "subject 2" not in text
    assert '<span class="rank">3</span>' in text


def test_a_hit_says_which_step_found_it_and_which_other_columns_did() -> None:
    found = [Hit(5, 1, 0.9, (FoundBy("vector", 3), FoundBy("bm25", 1)))]
    text = str(column.hits("hybrid", found, {5: headline(5)}, {5: ["hybrid", "graph"]}))
    assert "vector #3" in text and "bm25 #1" in text
    assert "also graph" in text and "also hybrid" not in text


def test_hidden_history_is_folded_and_its_length_told() -> None:
    pieces = (Piece("Yes.\n\n", None), Piece("> " + "a" * 410 + "\n", "history"))
    text = str(message.whole(FullMessage(headline(1), "", {}, pieces, (), (), ("a",), 1)))
    assert "412 characters of history hidden" in text
    assert "<details>" in text


def test_a_list_fact_shows_the_first_items_and_folds_the_rest() -> None:
    items = [{"label": f"person {i}", "n": 20 - i} for i in range(12)]
    text = str(column.facts("graph", [Fact("Twelve people.", items, "q", [])]))
    assert "and 4 more" in text
    assert all(f"person {i}" in text for i in range(12))
    assert "width:100.0%" in text


def test_a_citation_of_nothing_is_marked() -> None:
    text = str(
        answer.finished("graph", Claims("Yes [1][9].", (Citation(4, 7, 1, 55), Citation(7, 10, 9, None)), False))
    )
    assert 'data-open="55"' in text
    assert "No such message was retrieved" in text


def test_an_answer_without_citations_says_so() -> None:
    assert "cites no message" in answer.finished("graph", Claims("Perhaps.", (), False))
    assert "cites no message" not in answer.finished("graph", Claims("Not in the retrieved messages.", (), True))


def test_the_bars_of_a_trace_follow_one_another() -> None:
    text = str(trace.waterfall("graph", [Step("plan", "a", "b", 1, 10.0), Step("link", "b", "c", 1, 30.0)]))
    assert "left:0.00%;width:25.00%" in text
    assert "left:25.00%;width:75.00%" in text
