"""Betweenness is what another library computes, and a sample of it is near and always the same."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from graph.analytics import betweenness as module
from graph.analytics.betweenness import betweenness


def graphs() -> list[networkx.Graph]:
    random = [networkx.gnm_random_graph(60, 40 + 25 * seed, seed=seed) for seed in range(6)]
    return [
        networkx.path_graph(2),
        networkx.star_graph(7),
        networkx.cycle_graph(9),
        networkx.karate_club_graph(),
        networkx.disjoint_union(networkx.path_graph(5), networkx.complete_graph(4)),
        networkx.barabasi_albert_graph(200, 3, seed=1),
        *random,
    ]


@pytest.mark.parametrize("graph", graphs(), ids=str)
def test_it_equals_networkx(graph: networkx.Graph) -> None:
    graph.remove_nodes_from(list(networkx.isolates(graph)))
    found, pivots = betweenness([(a * 7 + 3, b * 7 + 3) for a, b in graph.edges])
    expected = networkx.betweenness_centrality(graph)
    assert pivots is None
    assert found == pytest.approx({person * 7 + 3: share for person, share in expected.items()})


def test_nobody_has_none() -> None:
    assert betweenness([]) == ({}, None)


def test_a_sample_is_repeatable_and_ranks_like_all(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(networkx.barabasi_albert_graph(1500, 3, seed=2).edges)
    exact, _ = betweenness(pairs)
    monkeypatch.setattr(module, "EXACT", 1000)
    sampled, pivots = betweenness(pairs)
    assert pivots == module.PIVOTS
    assert betweenness(pairs) == (sampled, pivots)
    people = sorted(exact)
    assert np.corrcoef([exact[p] for p in people], [sampled[p] for p in people])[0, 1] > 0.98
    top = sorted(people, key=lambda p: -exact[p])[:10]
    assert set(top[:5]) <= set(sorted(people, key=lambda p: -sampled[p])[:10])
