"""The figures as a person sees them and as a program reads them, over the fictional mailbox."""

from __future__ import annotations

import json

import pytest

from tests.ui.cli.conftest import Mailweave


def test_people_come_as_a_table_and_as_json(mailweave: Mailweave) -> None:
    code, out, _ = mailweave("analytics", "--limit", "3", "--json")
    assert code == 0
    told = json.loads(out)
    assert [set(one) >= {"name", "sent_to", "reciprocity", "betweenness"} for one in told["people"]] == [True] * 3
    assert told["pivots"] is None
    code, out, _ = mailweave("analytics", "--limit", "3")
    assert code == 0 and all(one["name"] in out for one in told["people"]) and "(exact)" in out


def test_communities_name_their_people(mailweave: Mailweave) -> None:
    code, out, _ = mailweave("analytics", "--communities", "--json")
    assert code == 0
    communities = json.loads(out)["communities"]
    assert len(communities) > 1 and all(len(one["members"]) >= 3 for one in communities)
    code, out, _ = mailweave("analytics", "--communities")
    assert code == 0 and f"{communities[0]['id']}: {len(communities[0]['members'])} people" in out


def test_months_say_what_changed(mailweave: Mailweave) -> None:
    code, out, _ = mailweave("analytics", "--months", "--limit", "4", "--json")
    assert code == 0
    months = json.loads(out)
    assert len(months) == 4 and sum(one["messages"] for one in months) > 100
    code, out, _ = mailweave("analytics", "--months", "--limit", "4")
    assert code == 0 and out.count(" messages by ") == 4


@pytest.mark.parametrize("option", ["--communities", "--months"])
def test_the_limit_holds(mailweave: Mailweave, option: str) -> None:
    code, out, _ = mailweave("analytics", option, "--limit", "1")
    assert code == 0 and len([line for line in out.splitlines() if "messages" in line]) == 1
