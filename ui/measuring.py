"""What the commands of measuring share: a set of questions, the models it needs, a run that Ctrl-C stops."""

from __future__ import annotations

import hashlib
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from retrieval.errors import QuestionFileError
from retrieval.evaluation.questions import GoldQuestion, read_questions, read_trec
from ui.models import Models
from ui.settings import Settings

if TYPE_CHECKING:
    from retrieval.evaluation.run import Progress, Run
    from retrieval.planning import PlannerMode
    from sql.store import Store

BUILT_IN = {"demo": Path(__file__).with_name("demo") / "questions.jsonl"}
PACKAGES = ("sql", "graph", "ingest", "retrieval")


@dataclass(frozen=True)
class QuestionSet:
    """Questions with the name that their runs are kept under."""

    name: str
    questions: list[GoldQuestion]


def question_set(given: str) -> QuestionSet:
    """A file in the format of labelled questions, or a built-in set by its name (``demo``).

    Raises QuestionFileError, which names the line."""
    if given in BUILT_IN and not Path(given).exists():
        return QuestionSet(given, read_questions(BUILT_IN[given]))
    return QuestionSet(Path(given).name, read_questions(Path(given)))


def given_set(questions: str | None, queries: Path | None, qrels: Path | None) -> QuestionSet:
    """The set that a command was given: questions, or queries with relevance judgements. Raises QuestionFileError, and
    click.UsageError where it is not one of the two."""
    if questions is not None and queries is None and qrels is None:
        return question_set(questions)
    if questions is None and queries is not None and qrels is not None:
        return QuestionSet(f"{queries.name} with {qrels.name}", read_trec(queries, qrels))
    raise click.UsageError("Name QUESTIONS, or both --queries and --qrels.")


def measure(
    store: Store,
    models: Models,
    settings: Settings,
    asked: QuestionSet,
    columns: Sequence[str],
    *,
    planner: PlannerMode,
    answer: bool,
    deep: bool = False,
    repeat: int = 0,
    stop: threading.Event,
    progress: Progress,
) -> Run:
    """Puts a set to columns with the models of the settings; goes on with an unfinished run that is alike.

    Raises QuestionFileError when the mailbox holds the gold of none of them, and a ModelError when a judge is set that
    cannot be used."""
    from retrieval.evaluation.run import run

    made = run(
        store, asked.questions, columns, name=asked.name, planner=planner,
        chat=models.chat_or_none(),  # also without answers: some columns ask it while they look
        embedder=models.embedder_or_none(), reranker=models.reranker(stop=stop),
        judge=models.judge() if answer else None, answer=answer, deep=deep,
        context_tokens=settings.context_tokens,
        revision=revision(), repeat=repeat, stop=stop, progress=progress,
    )  # fmt: skip
    if not made.gold:
        raise QuestionFileError(
            f"None of the {len(asked.questions)} questions of {asked.name} can be scored over the store "
            f"'{store.name}': {made.excluded[0]['why']}. Is it the mailbox that they were written for?"
        )
    return made


def revision() -> str:
    """The program's version and a hash of what decides its answers: runs of one revision can be compared."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".sql"):
                digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return f"{version('mailweave')} {digest.hexdigest()[:12]}"


@contextmanager
def interrupt_sets(stop: threading.Event) -> Iterator[None]:
    """Ctrl-C sets ``stop``, so that what was finished is kept; a second one ends the program at once."""

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
