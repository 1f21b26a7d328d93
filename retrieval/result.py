"""What a question put to several columns gives: one result for each column, and what they share.

A column's result grows while it is worked on: first what was found, then the answer, then what the checks say of it.
Its form as JSON is what scripts read, so it stands here beside the fields that it is made of.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from typing import Any

from retrieval.answer import Claims
from retrieval.prompt import Prompt
from retrieval.support import Sentence
from retrieval.text import MessageText
from retrieval.types import Outcome, QueryError, Retrieved, Step


@dataclass
class ColumnResult:
    """What one column gave. ``answer``: its text (None: none was written); ``claims``: the answer with its citations,
    ``sentences``: whether what it cites holds each; ``disagreements``: where facts, messages and answer contradict each
    other, in words; ``found``: the messages behind the hits, in their order; ``quoted``: by the id of such a message
    the one quoted in it whose words were found, where that is known only from there; ``timing_ms``: retrieve, prompt,
    first_token, answer, judge, total."""

    retriever: str
    outcome: Outcome = "not_run"
    note: str = ""
    retrieved: Retrieved = field(default_factory=Retrieved)
    found: list[MessageText] = field(default_factory=list)
    quoted: dict[int, MessageText] = field(default_factory=dict)
    answer: str | None = None
    claims: Claims | None = None
    sentences: tuple[Sentence, ...] = ()
    disagreements: tuple[str, ...] = ()
    prompt: Prompt | None = None
    errors: list[QueryError] = field(default_factory=list)
    trace: list[Step] = field(default_factory=list)
    timing_ms: dict[str, float] = field(default_factory=dict)

    @property
    def citations(self) -> list[str]:
        """Message-IDs that the answer cites."""
        by_id = {m.id: m.message_id for m in self.found}
        return [by_id[i] for i in self.claims.cited if i in by_id] if self.claims else []

    def words(self, sentence: Sentence) -> str:
        """A sentence of the answer as it stands there."""
        return (self.answer or "")[sentence.start : sentence.stop]

    def add_step(self, name: str, input: str, output: str, size: int, started: float) -> float:
        """Ends a step that was ``started`` (on time.perf_counter) and adds it to the trace and to the total time.
        Returns its milliseconds."""
        milliseconds = (time.perf_counter() - started) * 1000
        self.trace.append(Step(name, input, output, size, milliseconds))
        self.timing_ms["total"] += milliseconds
        return milliseconds

    def to_json(self) -> dict[str, Any]:
        """The column's part of what `ask --json` prints."""
        texts = {m.id: m for m in self.found}
        return {
            "retriever": self.retriever,
            "outcome": self.outcome,
            "note": self.note,
            "answer": self.answer,
            "citations": self.citations,
            "unsupported": [self.words(s) for s in self.sentences if s.support == "unsupported"],
            "judged_unsupported": [self.words(s) for s in self.sentences if s.judged is False],
            "disagreements": list(self.disagreements),
            "unknown_citations": list(self.claims.unknown) if self.claims else [],
            "hits": [
                {
                    "rank": hit.rank,
                    "message_id": texts[hit.message].message_id,
                    "message_ids": list(texts[hit.message].message_ids),
                    "thread_id": texts[hit.message].thread,
                    "attachment": hit.attachment,
                    "score": round(hit.score, 4),
                    "found_by": [{"step": f.step, "rank": f.rank} for f in hit.found_by],
                }
                for hit in self.retrieved.hits
                if hit.message in texts
            ],
            "facts": [
                {"text": f.text, "value": f.value, "query": f.query, "rows": f.rows, "rule": f.rule}
                for f in self.retrieved.facts
            ],
            "errors": [{"kind": e.kind, "message": e.message, "query": e.query, "hint": e.hint} for e in self.errors],
            "trace": [
                {"step": s.name, "input": s.input, "output": s.output, "size": s.size, "ms": round(s.milliseconds, 2)}
                for s in self.trace
            ],
            "timing_ms": {name: round(ms, 1) for name, ms in self.timing_ms.items()},
            "context_characters": self.prompt.characters if self.prompt else 0,
        }


@dataclass
class AskResult:
    """A question with what each column gave. ``plan``: how it was understood, None where planning failed; ``route``:
    the column that the router would choose, and why."""

    question: str
    as_of: date | None = None
    plan: dict[str, Any] | None = None
    route: dict[str, str] | None = None
    columns: list[ColumnResult] = field(default_factory=list)

    def overlap(self) -> list[dict[str, Any]]:
        """For each pair of columns the number of messages that both found, of the larger number of hits."""
        found = [(column.retriever, {hit.message for hit in column.retrieved.hits}) for column in self.columns]
        return [
            {"a": a, "b": b, "shared": len(first & second), "of": max(len(first), len(second))}
            for (a, first), (b, second) in combinations(found, 2)
        ]

    def to_json(self) -> dict[str, Any]:
        """The form that `ask --json` prints."""
        return {
            "question": self.question,
            "as_of": self.as_of.isoformat() if self.as_of else None,
            "plan": self.plan,
            "route": self.route,
            "columns": [column.to_json() for column in self.columns],
            "overlap": self.overlap(),
        }
