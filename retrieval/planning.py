"""A question becomes a plan: by rules, by the model, or by rules with the model for what they leave open.

``Planner`` plans each question once, however many columns ask for it.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import psycopg

from graph import execute
from graph.plan import Plan, Subject
from retrieval import describe, titles
from retrieval.names import Names, names
from retrieval.planner import rules
from retrieval.planner.model import plan as plan_by_model
from retrieval.planner.rules import PlannedQuestion
from retrieval.types import Question, Step

if TYPE_CHECKING:
    from retrieval.models.chat import ChatModel
    from sql.store import Store

PlannerMode = Literal["rules", "model", "auto"]
WITHOUT_MAIL = date(2000, 1, 1)


@dataclass(frozen=True)
class Planned:
    """A planned question with the names it was linked to, the day it is asked on, and the steps of the trace."""

    question: PlannedQuestion
    names: Names
    as_of: date
    steps: tuple[Step, ...]


class Planner:
    """Plans questions over one store. ``mode``: who plans; ``chat`` is needed for model and used by auto."""

    def __init__(
        self,
        store: Store,
        mode: PlannerMode = "auto",
        chat: ChatModel | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        self.store = store
        self.mode = mode
        self.chat = chat
        self.stop = stop
        self._done: dict[tuple[str, date | None], Planned] = {}

    def plan(self, conn: psycopg.Connection[Any], question: Question) -> Planned:
        """The plan of a question. Raises GraphMissing, QuestionTooLong, and in mode "model" the model's errors."""
        key = (question.text, question.as_of)
        if key not in self._done:
            self._done[key] = self._plan(conn, question)
        return self._done[key]

    def _plan(self, conn: psycopg.Connection[Any], question: Question) -> Planned:
        known = names(conn, self.store)
        as_of = question.as_of or known.last_day or WITHOUT_MAIL
        started = time.perf_counter()
        planned = self._confirmed(conn, rules.plan(titles.quoted(conn, question.text, known.index), known.index, as_of))
        steps = [_step(planned, question, known, started)]
        if self.chat is not None and (self.mode == "model" or (self.mode == "auto" and _open(planned))):
            started = time.perf_counter()
            by_model = plan_by_model(question.text, known.index, as_of, self.chat, planned, stop=self.stop)
            if by_model is not None:
                planned = by_model
                steps.append(_step(planned, question, known, started))
        steps.append(_linked(planned))
        return Planned(planned, known, as_of, tuple(steps))

    def _confirmed(self, conn: psycopg.Connection[Any], planned: PlannedQuestion) -> PlannedQuestion:
        """ "the weekly reports from X": words taken for a subject must stand in some subject, else they are content. A
        title that no conversation has may be a part of subjects ("the 'Watch List' mailings"); else nothing that is
        counted of it is sure."""
        if planned.plan is not None and planned.intent != "content":
            plan, missing = titles.as_parts(conn, planned.plan)
            planned = replace(planned, plan=plan)
            if missing:
                reason = f"no conversation is called '{missing[0]}'"
                planned = replace(planned, sure=False, reason=reason if planned.sure else f"{planned.reason}; {reason}")
        if not planned.subject_phrase or planned.plan is None:
            return planned
        seen = execute.answer(
            conn, Plan("messages", filters=(Subject(planned.subject_phrase, contains=True),)), limit=1
        )
        if seen.messages:
            return planned
        return replace(
            planned,
            plan=rules.without_subject_words(planned.plan),
            intent="content",
            sure=False,
            reason=f"no subject holds '{planned.subject_phrase}'",
        )


def _open(planned: PlannedQuestion) -> bool:
    """Structure seems to be asked for, and the rules understood none of it. Where they understood all but a word, their
    plan stays: of 22 such questions it was right for 11, that of the 1.5B model for none."""
    return planned.looks_structural and planned.intent == "content"


def _step(planned: PlannedQuestion, question: Question, known: Names, started: float) -> Step:
    what = describe.plan(planned.plan, known.index) if planned.plan else "no plan"
    return Step(
        f"plan ({planned.planner})",
        question.text,
        f"{planned.intent}: {what} [{planned.reason}]",
        len(planned.plan.filters) if planned.plan else 0,
        (time.perf_counter() - started) * 1000,
    )


def _linked(planned: PlannedQuestion) -> Step:
    parts = []
    for link in planned.links:
        chosen = ", ".join(f"{c.label} ({c.n})" for c in link.candidates if c.id in link.ids)
        others = len(link.candidates) - len(link.ids)
        parts.append(f"'{link.text}' -> {chosen} [{link.how}{f'; {others} other candidates' if others > 0 else ''}]")
    return Step("link", ", ".join(link.text for link in planned.links), "; ".join(parts) or "nothing", len(parts), 0.0)
