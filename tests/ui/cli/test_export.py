"""The graph leaves as a file that another program reads, with as many vertices and edges as there are."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest

from tests.ui.cli.conftest import Mailweave


@pytest.mark.parametrize(("name", "read"), [("mail.graphml", networkx.read_graphml), ("mail.gexf", networkx.read_gexf)])
def test_the_exported_graph_is_read_by_networkx(mailweave: Mailweave, tmp_path: Path, name: str, read: object) -> None:
    assert callable(read)
    code, out, _ = mailweave("export", "graph", str(tmp_path / name), "--json")
    assert code == 0
    counts = json.loads(out)
    graph = read(tmp_path / name)
    assert graph.number_of_nodes() == counts["vertices"] > 1000
    assert graph.number_of_edges() == counts["edges"] > 5000
