"""What a query does to its connection is forgotten with it: the next attempt has one of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from retrieval.columns.base import Tools
from retrieval.columns.registry import make
from retrieval.models.chat import ChatModel
from retrieval.types import Question
from tests.retrieval.scripted import Scripted

CRASHES = "UNWIND range(1, 100000000) AS x RETURN x"
GOOD = "MATCH (p:Person)-[s:SENT]->(m:Message) WHERE p.name = 'Tom Weiss' RETURN count(DISTINCT m)"


def test_after_a_query_that_crashed_the_extension_the_next_one_runs(tools: Tools) -> None:
    chat = cast("ChatModel", Scripted(CRASHES, GOOD, GOOD))
    found = make("cypher", replace(tools, chat=chat)).retrieve(Question("How many messages did Tom Weiss send?"))
    runs = [step.output for step in found.trace if step.name == "run"]
    assert runs[0].startswith("QueryCrashed")
    assert runs[1] == "1 rows"
    assert [fact.value for fact in found.facts] == [3]  # mails 5, 7 and 11
