"""A step is one call of a tool that is there, with handles that were given out; grammar and reader agree."""

from __future__ import annotations

import re
from datetime import date

import pytest

from retrieval.agent.calls import TOOLS, Call, Known, grammar, parse
from retrieval.errors import BadStep

KNOWN = Known(people=2, organizations=1, messages=3)


def test_a_step_is_read_into_its_tool_and_values() -> None:
    call = parse('count(by="sender", recipient=P0, participant=O1, since="2001-05-01")', KNOWN)
    assert call.tool == "count"
    assert dict(call.named) == {
        "by": "sender",
        "recipient": ("P", 0),
        "participant": ("O", 1),
        "since": date(2001, 5, 1),
    }
    assert parse('mentions_all("pump", "Ravenna")', KNOWN) == Call("mentions_all", ("pump", "Ravenna"))
    assert parse(str(call), KNOWN) == call


@pytest.mark.parametrize(
    "text",
    [
        "delete(M1)",
        "read(M4)",
        "read(P1)",
        "path(P1, O1)",
        "count(sender=P3)",
        'count(body="x")',
        'count(since="2001-02-30")',
        'count(by="weekday")',
        "find_person(P1)",
        'find_person("")',
        'search("a", "b")',
        '__import__("os")',
        'search("a") or read(M1)',
        "search(open('/etc/passwd').read())",
        "search.__class__()",
        "count(**{})",
        "M1",
        "",
        "(" * 500,
    ],
)
def test_what_is_no_step_is_told_and_runs_nothing(text: str) -> None:
    with pytest.raises(BadStep):
        parse(text, KNOWN)


def test_the_grammar_names_every_tool_and_only_handles_that_were_given_out() -> None:
    text = grammar(KNOWN)
    for tool in TOOLS:
        assert f'"{tool}("' in text
    assert set(re.findall(r'"([POM]\d)"', text)) == {"P0", "P1", "P2", "O1", "M1", "M2", "M3"}


def test_tools_without_anything_to_work_on_and_those_left_out_are_no_choice() -> None:
    root = grammar(Known(), ("answer",)).splitlines()[-1]
    assert root.startswith("root ::= ")
    for left_out in ("read", "thread", "neighbours", "answer"):
        assert f"{left_out}-call" not in root
    assert "find-person-call" in root
