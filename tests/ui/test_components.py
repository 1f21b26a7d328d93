"""What the page draws: texts of strangers stay text, numbers are right, history is folded with its length."""

from datetime import datetime

import pytest

from ingest.duplicates import Likely
from ingest.known_people import Known
from ingest.status import SourceStatus
from retrieval.answer import Citation, Claims
from retrieval.support import Sentence
from retrieval.types import Fact, FoundBy, Hit, QueryError, Step
from ui.components import answer, column, mailbox, message, message_list, overlap, people_table, person, trace
from ui.components import thread as conversation
from ui.links import address
from ui.mailbox import Entry
from ui.messages import File, FullMessage, Headline, Piece
from ui.people import Address, Link, Listed
from ui.threads import Node, Participant, Quotation, Thread

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script> [a](javascript:alert(3)) {0} %s'


def headline(number: int, subject: str = "Offer", kind: str = "mail") -> Headline:
    return Headline(number, f"<{number}@x.example>", subject, subject, datetime(2025, 3, 4), subject, 1, False, kind, 1)


def whole(subject: str) -> FullMessage:
    return FullMessage(
        headline(1, subject), subject, {"to": [subject], "cc": [subject], "bcc": []},
        (Piece(subject, None), Piece(subject, "history")), (File(subject, subject, 2048),), (subject,), (subject, subject), 3,
    )  # fmt: skip


def listed(text: str) -> Listed:
    return Listed(1, text, (text, text), True, True, 1, 1, None, None, None, 0, text)


def known(text: str) -> Known:
    return Known(1, text, (text,), 1, 1, text, False, False)


NODE = Node(1, 1, "subject", True, 1, 1, (), True)

DRAWN = {
    "a list of messages": lambda text: message_list.rows(text, [headline(1, text)]),
    "a thread's head": lambda text: conversation.summary(Thread(1, text, (NODE,), (Participant(1, text, 1),), None, None), text),
    "a thread": lambda text: conversation.tree(
        [NODE], {1: whole(text)}, {1: [Quotation(2, text, text, None)]}, conversation.Marked(frozenset({1})), text
    ),
    "people": lambda text: people_table.table([listed(text)], {1: [1, 2]}, text, "name", descending=True),
    "a person": lambda text: person.head(listed(text), [Address(text, (text,), text, 1, 1)], 1.0, text),
    "addresses": lambda text: person.addresses([Address(text, (text,), text, 1, 1)]),
    "evidence": lambda text: person.evidence([Link(text, text, text, text, False)]),
    "a preview": lambda text: person.effect([(text, text)], [(text, text)]),
    "likely pairs": lambda text: person.likely([Likely(known(text), known(text), (1, 1), 2, text)], text),
    "sources": lambda text: mailbox.sources([SourceStatus(text, text, False, 1, 1, 0, 1)], [text]),
    "the ledger": lambda text: mailbox.ledger([Entry(1, text, text, text, text, datetime(2025, 3, 4))]),
    "what was read": lambda text: mailbox.said([text]),
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


def test_what_a_column_found_alone_keeps_its_order() -> None:
    found = {"vector": [3, 1, 2], "graph": [2], "hybrid": []}
    assert overlap.alone(found, "vector") == [3, 1]
    assert overlap.alone(found, "graph") == []
    assert overlap.alone(found, "hybrid") == []


def test_a_hit_says_which_step_found_it_and_which_other_columns_did() -> None:
    found = [Hit(5, 1, 0.9, (FoundBy("vector", 3), FoundBy("bm25", 1)))]
    text = str(column.hits("hybrid", found, {5: headline(5)}, {5: ["hybrid", "graph"]}))
    assert "vector #3" in text and "bm25 #1" in text
    assert "also graph" in text and "also hybrid" not in text
    blind = str(column.hits("A", found, {5: headline(5)}, {5: ["A", "B"]}, steps=False))
    assert "vector" not in blind and "also B" in blind


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
    text = "The quay holds. Tea costs 90 euros [1]."
    doubted = answer.finished(
        "graph",
        Claims(text, (Citation(35, 38, 1, 7),), False),
        (Sentence(0, 15, "uncited"), Sentence(16, 39, "unsupported", (7,))),
    )
    assert ">Tea costs 90 euros </span><button" in doubted and "The quay holds. <span" in doubted
    assert "cites no message" in answer.finished("graph", Claims("Perhaps.", (), False))
    assert "cites no message" not in answer.finished("graph", Claims("Five.", (), False), counted=True)
    assert "cites no message" not in answer.finished("graph", Claims("Not in the retrieved messages.", (), True))


def test_the_bars_of_a_trace_follow_one_another() -> None:
    text = str(trace.waterfall("graph", [Step("plan", "a", "b", 1, 10.0), Step("link", "b", "c", 1, 30.0)]))
    assert "left:0.00%;width:25.00%" in text
    assert "left:25.00%;width:75.00%" in text


def test_a_link_leads_to_a_page_of_this_server_whatever_stands_in_it() -> None:
    link = address("thread", store="a b", message=HOSTILE, page=None)
    assert link.startswith("/thread?store=a+b&message=%22%3E")
    assert address("ask", q="who") == "/?q=who"


def test_of_a_long_text_the_beginning_is_drawn_and_the_rest_is_offered() -> None:
    body = "x" * (conversation.LONGEST + 500)
    long = FullMessage(headline(1), "", {}, (Piece(body, None),), (), (), (), 1)
    text = str(conversation.tree([NODE], {1: long}, {}, conversation.Marked(), "mail"))
    assert "500 more characters" in text
    assert "x" * (conversation.LONGEST + 1) not in text


def test_what_is_cited_is_open_and_what_is_not_is_folded() -> None:
    nodes = [Node(number, 1, "start", False, None, 0, (), True) for number in (1, 2)]
    texts = {number: FullMessage(headline(number), "", {}, (Piece("Yes.", None),), (), (), (), 1) for number in (1, 2)}
    text = str(conversation.tree(nodes, texts, {}, conversation.Marked(cited=frozenset({2})), "mail"))
    assert text.count("<details class") == 2
    assert 'mw-node cited" open' in text
    assert 'mw-node " open' not in text


def test_a_duration_is_said_as_a_person_says_it() -> None:
    assert [people_table.hours(value) for value in (None, 0.001, 0.5, 30, 240)] == [
        "–",
        "1 min",
        "30 min",
        "30 h",
        "10 days",
    ]
