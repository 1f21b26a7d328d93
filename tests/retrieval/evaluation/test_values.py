"""A value is right exactly when the question format says so."""

from __future__ import annotations

from typing import Any

import pytest

from retrieval.evaluation.values import compare, path_recall

ANA = {
    "label": "Ana B. Ruiz",
    "addresses": ["ana.ruiz@north.example", "ana@home.example"],
    "names": ["Ruiz, Ana"],
    "n": 7,
}
BEN = {"label": "Ben Okafor", "addresses": ["ben@south.example"], "names": [], "n": 3}


@pytest.mark.parametrize(("value", "right"), [(20, 1), (21, 0), (None, 0), ([{"label": "x"}] * 20, 1)])
def test_numbers(value: Any, right: int) -> None:
    assert compare(20, "number", None, value).right == right


@pytest.mark.parametrize(
    "item",
    [
        {"label": "Ana Ruiz"},
        {"label": "ruiz, ana"},
        {"label": "?", "keys": ["<Ana@Home.example>"]},
        {"label": "Ana B Ruiz", "keys": []},
    ],
)
def test_a_person_matches_by_any_address_or_spelling(item: dict[str, Any]) -> None:
    assert compare([ANA], "set", "person", [item]).right == 1


def test_a_set_is_exact_or_scored_by_f1() -> None:
    ana, ben, other = {"label": "Ana Ruiz"}, {"label": "Ben Okafor"}, {"label": "Cy Lund"}
    assert compare([ANA, BEN], "set", "person", [ben, ana]).right == 1
    assert compare([ANA, BEN], "set", "person", [ana]).partial == pytest.approx(2 / 3)
    assert compare([ANA, BEN], "set", "person", [ana, ben, other]).right == 0
    assert compare([ANA], "set", "person", [ana, {"label": "x", "keys": ["ana@home.example"]}]).right == 1
    assert compare([], "set", "person", []).right == 1
    assert compare([], "set", "person", [ana]).right == 0


def test_a_ranked_list_is_right_down_to_the_depth_asked_for() -> None:
    ana, ben, other = {"label": "Ana Ruiz", "n": 7}, {"label": "Ben Okafor", "n": 4}, {"label": "Cy Lund"}
    result = compare([ANA, BEN], "ranked", "person", [ana, ben, other])
    assert (result.right, result.count_wrong) == (1, 1)
    assert compare([ANA, BEN], "ranked", "person", [ben, ana]).right == 0
    assert compare([ANA, BEN], "ranked", "person", [ana]).partial == 0.5


def test_messages_months_and_folders() -> None:
    gold = [{"label": "2024-01-02 Hello", "message_ids": ["<a@x.example>", "<b@x.example>"]}]
    assert compare(gold, "set", "message", [{"label": "Hello", "keys": ["<b@x.example>"]}]).right == 1
    assert compare(gold, "set", "message", [{"label": "2024-01-02 Hello", "keys": []}]).right == 0
    assert compare([{"label": "2024-01", "n": 2}], "ranked", "month", [{"label": "2024-01", "n": 2}]).right == 1
    assert compare([{"label": "_projects.roof"}], "set", "folder", [{"label": "projects.roof"}]).right == 1


def test_a_path_is_followed_hop_by_hop() -> None:
    path = [
        {"from": "mailbox", "edge": "sent most", "to": "person", "value": [ANA]},
        {"from": "person", "edge": "wrote in", "to": "months", "value": [{"label": "2024-01"}, {"label": "2024-02"}]},
        {"from": "months", "edge": "hold", "to": "messages", "value": [12]},
    ]
    months = [{"label": "2024-02"}, {"label": "2024-01"}]
    assert path_recall(path, [12, [{"label": "Ana Ruiz"}], months]) == 1.0
    assert path_recall(path, [11, [{"label": "Ana Ruiz"}], months]) == pytest.approx(2 / 3)
    assert path_recall(path, [[{"label": "Ben Okafor"}], months[:1]]) == 0.0
    assert path_recall(path, []) == 0.0
