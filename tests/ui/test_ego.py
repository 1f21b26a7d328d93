"""The picture of a network: sizes by volume, colours by group, which lines are drawn."""

from __future__ import annotations

from graph.ego import Ego, EgoPerson, Tie
from ui import ego
from ui.components.network import COLOURS


def person(id_: int, there: int = 0, back: int = 0, domain: str | None = "north.example") -> EgoPerson:
    return EgoPerson(id_, f"Person {id_}", domain, id_ == 1, False, there, back, 0)


def test_size_follows_volume_and_groups_have_colours_of_their_own() -> None:
    people = (person(1), person(2, 30, 10), person(3, 2, 2, "south.example"), person(4, 1, 0, None))
    found = Ego(1, people, (Tie(1, 2, 30, 10), Tie(1, 3, 2, 2), Tie(1, 4, 1, 0)), 3)
    drawn = ego.picture(found, {p.id: p.domain for p in people if p.domain}, none="private")
    radius = {node.id: node.r for node in drawn.nodes}
    assert radius["1"] > radius["2"] > radius["3"] > radius["4"]
    colour = {node.id: node.colour for node in drawn.nodes}
    assert colour["1"] == colour["2"] != colour["3"] and colour["4"] == "other"
    assert [(group.name, group.people) for group in drawn.groups] == [
        ("north.example", 2), ("south.example", 1), ("private", 1),
    ]  # fmt: skip


def test_more_groups_than_colours_share_the_last_one() -> None:
    people = tuple(person(n, 1, 1, f"org{n}.example") for n in range(1, COLOURS + 4))
    drawn = ego.picture(Ego(1, people, (), 0), {p.id: str(p.domain) for p in people})
    assert [node.colour for node in drawn.nodes].count("other") == 3


def test_of_the_lines_among_the_others_the_strongest_are_drawn_and_a_path_is_marked() -> None:
    others = range(2, 22)
    ties = [Tie(1, one, 5, 5) for one in others]
    ties += [Tie(a, b, 500 - a * b, 1) for a in others for b in others if a < b]
    found = Ego(1, (person(1), *(person(one, 5, 5) for one in others)), tuple(sorted(ties, key=lambda t: -t.n)), 20)
    drawn = ego.picture(found, {}, path=[20, 21, 1])
    shown = [edge for edge in drawn.edges if not edge.faint]
    assert {edge.b for edge in shown if edge.a == "1"} == {str(one) for one in others}
    assert {one for edge in shown if edge.a != "1" for one in (edge.a, edge.b)} == {str(one) for one in others}
    assert len(shown) < len(drawn.edges) / 2
    assert {(edge.a, edge.b) for edge in drawn.edges if edge.strong} == {("20", "21"), ("1", "21")}
    assert not any(edge.faint for edge in drawn.edges if edge.strong)
