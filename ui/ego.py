"""What a network of people looks like: sizes, groups and words for the picture, and the months for the slider.

Plain values from graph.ego go in, plain values for ui.components.network come out; the page draws them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import psycopg

from graph import ego
from graph.activity import span
from graph.ego import Ego, EgoPerson, Tie
from ui.components.network import COLOURS, Edge, Node

LABEL = 22
# Lines between others than the centre that are always drawn, for each person: the rest is seen on looking at an end.
BACKBONE = 1.6


@dataclass(frozen=True)
class Group:
    """A colour's meaning: ``colour`` as in Node, ``name``, how many people of the picture are in it."""

    colour: int | str
    name: str
    people: int


@dataclass(frozen=True)
class Picture:
    """What is drawn, and its legend."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...]


def picture(found: Ego, group_of: Mapping[int, str], path: Sequence[int] = (), *, none: str = "none") -> Picture:
    """The picture of a network. ``group_of``: a person's group by id; ``path``: people of a chain that is marked;
    ``none``: what those without a group are called."""
    groups = _groups(found, group_of, none)
    colours = {group.name: group.colour for group in groups}
    centre = found.people[0]
    most = max((tie.n for tie in found.ties), default=1)
    weight = {person.id: person.there + person.back for person in found.people}
    for tie in found.ties:
        for one in (tie.a, tie.b):
            if not weight.get(one):
                weight[one] = max(weight.get(one, 0), tie.n)
    heaviest = max((n for one, n in weight.items() if one != centre.id), default=1) or 1
    nodes = tuple(
        Node(
            str(person.id),
            _short(person.name),
            words(person, centre, group_of.get(person.id, "")),
            20.0 if person is centre else round(5 + 14 * math.sqrt(weight[person.id] / heaviest), 1),
            colours.get(group_of.get(person.id, none), "other"),
            person.hidden,
            2 if person is centre else 1 if person.id in path else 0,
            person.is_role,
        )
        for person in found.people
    )
    names = {person.id: person.name for person in found.people}
    drawn = _backbone(found)
    steps = {frozenset(step) for step in pairwise(path)}
    edges = tuple(
        Edge(
            str(tie.a),
            str(tie.b),
            tie_words(tie, names),
            round(0.8 + 5 * math.sqrt(tie.n / most), 1),
            _pull(tie, centre.id, most, tie in drawn),
            tie not in drawn and frozenset((tie.a, tie.b)) not in steps,
            frozenset((tie.a, tie.b)) in steps,
        )
        for tie in found.ties
    )
    return Picture(nodes, edges, groups)


def words(person: EgoPerson, centre: EgoPerson, group: str = "") -> str:
    """A person in one line."""
    parts = [f"{person.name}{', a list or an office' if person.is_role else ''}", person.domain or "private address"]
    if group and group != person.domain:
        parts.append(group)
    if person.id != centre.id and person.there + person.back:
        parts.append(f"{person.there:,} from and {person.back:,} to {centre.name}")
    if person.hidden:
        parts.append(f"{person.hidden:,} more {'people' if person.hidden > 1 else 'person'} not shown")
    return " · ".join(parts)


def tie_words(tie: Tie, names: Mapping[int, str]) -> str:
    """A tie in one line."""
    a, b = names[tie.a], names[tie.b]
    return f"{a} to {b}: {tie.there:,} · {b} to {a}: {tie.back:,} messages"


def months(conn: psycopg.Connection, person: int) -> tuple[tuple[date, int], ...]:
    """(first day, counted messages the person sent or received) of every month from the first to the last."""
    counts = ego.months(conn, person)
    return tuple((month, counts.get(month, 0)) for month in span(counts))


def _groups(found: Ego, group_of: Mapping[int, str], none: str) -> tuple[Group, ...]:
    counts = Counter(group_of.get(person.id, none) for person in found.people)
    without = counts.pop(none, 0)
    ranked = counts.most_common()
    groups = [Group(place, name, n) for place, (name, n) in enumerate(ranked[:COLOURS])]
    groups += [Group("other", name, n) for name, n in ranked[COLOURS:]]
    return (*groups, *([Group("other", none, without)] if without else []))


def _backbone(found: Ego) -> Collection[Tie]:
    """The ties with the centre, and of the others the strongest ones: each person's strongest, then the next."""
    others = [tie for tie in found.ties if found.centre not in (tie.a, tie.b)]
    kept = {tie for tie in found.ties if found.centre in (tie.a, tie.b)}
    has: Counter[int] = Counter()
    for tie in others:
        if not has[tie.a] or not has[tie.b]:
            kept.add(tie)
            has.update((tie.a, tie.b))
    room = int(BACKBONE * len(found.people))
    return kept | set(others[:room])


def _pull(tie: Tie, centre: int, most: int, drawn: bool) -> float:
    """With the centre nearly everybody is tied: what tells where people belong are the ties among the others."""
    share = math.log1p(tie.n) / math.log1p(most)
    return round(0.15 + 0.15 * share if centre in (tie.a, tie.b) else 0.9 * share if drawn else 0.15 * share, 3)


def _short(name: str) -> str:
    return name if len(name) <= LABEL else f"{name[: LABEL - 1].rstrip()}…"
