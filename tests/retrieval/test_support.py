"""Which sentences of an answer stand in what they cite."""

from __future__ import annotations

import json
import re

from retrieval.answer import Citation
from retrieval.judge import Judge
from retrieval.support import judged as asked_of_a_judge
from retrieval.support import sentences
from tests.retrieval.scripted import Scripted

MAIL = {
    1: "2021-10-06 | Otto Berg to Ida Brandt | Steel offer\nIda, 1,850 a tonne if you order before Friday.",
    2: "2021-10-07 | Ida Brandt to Otto Berg | Steel offer\nAgreed, let's do that.",
}


def judged(text: str, facts: tuple[str, ...] = ()) -> list[str]:
    citations = [
        Citation(m.start(), m.end(), int(m[1]), int(m[1]) if int(m[1]) in MAIL else None)
        for m in re.finditer(r"\[(\d+)\]", text)
    ]
    return [s.support for s in sentences(text, citations, MAIL, facts)]


def test_a_sentence_is_supported_by_the_words_and_numbers_of_its_message() -> None:
    assert judged("Otto Berg offered 1850 a tonne for orders before Friday [1]. Ida agreed [2].") == ["supported"] * 2


def test_an_invented_number_is_marked() -> None:
    assert judged("Otto Berg offered 1,950 a tonne before Friday [1].") == ["unsupported"]


def test_a_right_sentence_with_the_wrong_message_is_marked() -> None:
    assert judged("Otto Berg offered 1,850 a tonne before Friday [2].") == ["unsupported"]


def test_a_sentence_that_cites_nothing_needs_a_fact() -> None:
    assert judged("Tom sent 3 messages.") == ["uncited"]
    assert judged("Tom sent 3 messages.", ("3 messages sent by Tom Weiss.",)) == ["supported"]
    assert judged("Tom sent 4 messages.", ("3 messages sent by Tom Weiss.",)) == ["uncited"]


def test_a_point_within_a_number_ends_no_sentence() -> None:
    assert judged("The price was 1.850 a tonne if Ida would order before Friday [1].") == ["supported"]


def test_citations_behind_the_full_stop_belong_to_the_sentence_before() -> None:
    assert judged("Otto offered 1,850 a tonne before Friday. [1] Ida agreed. [2]") == ["supported", "supported"]


def test_a_judge_says_of_each_sentence_that_cites_whether_its_message_states_it() -> None:
    text = "Otto offered 1,850 a tonne [1]. Ida refused it [2]. That is all."
    citations = [Citation(m.start(), m.end(), int(m[1]), int(m[1])) for m in re.finditer(r"\[(\d+)\]", text)]
    verdicts = [json.dumps({"words": "", "verdict": verdict}) for verdict in ("yes", "no")]
    chat = Scripted(*verdicts)
    found = asked_of_a_judge(sentences(text, citations, MAIL, ()), text, MAIL, Judge(chat), "What of the steel?")
    assert [one.judged for one in found] == [True, False, None]
    assert MAIL[1] in chat.told[0] and MAIL[2] not in chat.told[0]
    assert "[2]" not in chat.told[1]


def test_a_point_after_a_title_or_the_number_of_a_day_ends_no_sentence() -> None:
    assert len(judged("Dr. Berg will offer 1850 a tonne approx. before Friday [1].")) == 1
    assert len(judged("Am 6. Oktober bot Otto Berg 1850 und wollte am 7. eine Antwort [1].")) == 1
    assert len(judged("It was in 2021. Otto asked 1850. Ida agreed [2].")) == 3


def test_a_name_that_the_message_does_not_have_is_marked() -> None:
    assert judged("The steel was offered by Tom Weiss at 1,850 a tonne before Friday [1].") == ["unsupported"]


def test_a_name_is_looked_for_in_facts_too() -> None:
    assert judged("They are 3 messages sent by Eva Weiss.", ("3 messages sent by Tom Weiss.",)) == ["uncited"]
