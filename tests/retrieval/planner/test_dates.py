"""Periods in questions."""

from __future__ import annotations

from datetime import date

import pytest

from retrieval.planner import dates
from retrieval.planner.languages import load
from retrieval.planner.tokens import tokenize

AS_OF = date(2022, 2, 28)


def found(text: str, language: str = "en") -> list[tuple[str, str]]:
    return [(str(f.period.start), str(f.period.end)) for f in dates.find(tokenize(text), load(language), AS_OF)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("in October 2021", "2021-10-01", "2021-11-01"),
        ("in Oct. 2021", "2021-10-01", "2021-11-01"),
        ("on 5 October 2021", "2021-10-05", "2021-10-06"),
        ("on October 5th, 2021", "2021-10-05", "2021-10-06"),
        ("on 2021-10-05", "2021-10-05", "2021-10-06"),
        ("on 10/5/2021", "2021-10-05", "2021-10-06"),
        ("in 2021", "2021-01-01", "2022-01-01"),
        ("in the third quarter of 2021", "2021-07-01", "2021-10-01"),
        ("in Q3 2021", "2021-07-01", "2021-10-01"),
        ("in the summer of 2021", "2021-06-01", "2021-09-01"),
        ("between June and August 2021", "2021-06-01", "2021-09-01"),
        ("between November and January 2022", "2021-11-01", "2022-02-01"),
        ("from 3 October to 5 November 2021", "2021-10-03", "2021-11-06"),
        ("June to August 2021", "2021-06-01", "2021-09-01"),
        ("between 12 and 15 June 2021", "2021-06-12", "2021-06-16"),
        ("5-7 January 2022", "2022-01-05", "2022-01-08"),
        ("since March 2021", "2021-03-01", "None"),
        ("before Christmas 2021", "None", "2021-12-25"),
        ("after 3 May 2021", "2021-05-04", "None"),
        ("the week before Christmas", "2021-12-18", "2021-12-25"),
        ("in the week of October 8, 2021", "2021-10-04", "2021-10-11"),
        ("in the last week of January 2022", "2022-01-25", "2022-02-01"),
        ("this year", "2022-01-01", "2023-01-01"),
        ("last year", "2021-01-01", "2022-01-01"),
        ("last March", "2021-03-01", "2021-04-01"),
        ("in March", "2021-03-01", "2021-04-01"),
        ("in January", "2022-01-01", "2022-02-01"),
        ("last week", "2022-02-21", "2022-02-28"),
        ("two weeks ago", "2022-02-14", "2022-02-21"),
        ("in the last three months", "2021-11-28", "2022-03-01"),
        ("yesterday", "2022-02-27", "2022-02-28"),
    ],
)
def test_a_period_in_english_is_a_half_open_interval(text: str, start: str, end: str) -> None:
    assert found(f"mail {text}?") == [(start, end)]


@pytest.mark.parametrize(
    ("language", "text", "start", "end"),
    [
        ("de", "im Oktober 2021", "2021-10-01", "2021-11-01"),
        ("de", "am 5. Oktober 2021", "2021-10-05", "2021-10-06"),
        ("de", "am 05.10.2021", "2021-10-05", "2021-10-06"),
        ("de", "zwischen Juni und August 2021", "2021-06-01", "2021-09-01"),
        ("de", "letzten März", "2021-03-01", "2021-04-01"),
        ("de", "vor zwei Wochen", "2022-02-14", "2022-02-21"),
        ("fr", "en octobre 2021", "2021-10-01", "2021-11-01"),
        ("fr", "le 5 octobre 2021", "2021-10-05", "2021-10-06"),
        ("fr", "entre juin et août 2021", "2021-06-01", "2021-09-01"),
        ("fr", "en mars dernier", "2021-03-01", "2021-04-01"),
        ("fr", "il y a deux semaines", "2022-02-14", "2022-02-21"),
        ("es", "en octubre de 2021", "2021-10-01", "2021-11-01"),
        ("es", "el 5 de octubre de 2021", "2021-10-05", "2021-10-06"),
        ("es", "entre junio y agosto de 2021", "2021-06-01", "2021-09-01"),
        ("es", "el mes pasado", "2022-01-01", "2022-02-01"),
        ("es", "hace dos semanas", "2022-02-14", "2022-02-21"),
    ],
)
def test_the_same_grammar_reads_four_languages(language: str, text: str, start: str, end: str) -> None:
    assert found(text, language) == [(start, end)]


@pytest.mark.parametrize("text", ["may I ask", "the march on the town hall", "the Bridge 2021 Plan", "3 of 40 people"])
def test_words_and_numbers_without_a_reason_are_no_period(text: str) -> None:
    assert found(text) == []


def test_a_rough_period_says_so() -> None:
    (late,) = dates.find(tokenize("the talks (end of 2021)"), load("en"), AS_OF)
    assert late.vague
    (exact,) = dates.find(tokenize("in 2021"), load("en"), AS_OF)
    assert not exact.vague
