"""compare and evaluate: how columns differ over a set of questions, and how right each is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.decorators import FC

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options
from ui.cli.questions import PLANNERS
from ui.question import checked_columns

if TYPE_CHECKING:
    from retrieval.evaluation.run import Run
    from retrieval.planning import PlannerMode
    from sql.store import Store
    from ui.measuring import QuestionSet

COMPARED = "vector,graph,lexical,hybrid,graph_rerank"
EVALUATED = "vector,lexical,hybrid,graph,graph_rerank,combined,auto"


def measured_with(default: str) -> Callable[[FC], FC]:
    """``--with``, ``--planner``, ``--no-answer`` and ``--context-tokens``."""

    def decorate(command: FC) -> FC:
        command = click.option("--no-answer", is_flag=True, help="Retrieve only; no model writes.")(command)
        command = click.option(
            "--planner", type=click.Choice(PLANNERS), help="Who plans. [default: auto; rules with --no-answer]"
        )(command)
        command = click.option(
            "--context-tokens", type=click.IntRange(100), metavar="N",
            help="So much retrieved text in a prompt, instead of what this machine reads in time; makes runs alike.",
        )(command)  # fmt: skip
        return click.option("--with", "names", default=default, show_default=True, help="Columns.")(command)

    return decorate


@click.command(epilog="Example: mailweave compare demo --store demo --no-answer")
@click.argument("questions")
@measured_with(COMPARED)
@options
def compare(
    invocation: Invocation,
    questions: str,
    names: str,
    planner: PlannerMode | None,
    no_answer: bool,
    context_tokens: int | None,
) -> None:
    """How columns differ over QUESTIONS, a file with one JSON object a line (or demo, the built-in set).

    Which messages they share, what each finds alone, time by step, context, citations; no right answers are needed.
    Ctrl-C stops; the same command goes on.
    """
    from dataclasses import replace

    from retrieval.evaluation.comparison import compare as compared
    from ui.measuring import QuestionSet, question_set

    given = question_set(questions)
    # Questions about another mailbox's messages can be compared too: nothing is scored.
    bare = [replace(one, groups=(), grades=(), also_ok=()) for one in given.questions]
    chosen = checked_columns(names)
    with invocation.store() as store:
        run = _measured(
            invocation, store, QuestionSet(given.name, bare), chosen, planner, context_tokens, answer=not no_answer
        )
    made = {"run": run.id, "finished": run.finished, "settings": run.settings, **compared(run)}
    if invocation.json:
        invocation.emit(made)
    else:
        from ui.cli import evaluation_tables

        evaluation_tables.comparison(evaluation_tables.console(), made)
    _end(run)


@click.command(epilog="Example: mailweave evaluate demo --store demo --no-answer --against last")
@click.argument("questions", required=False)
@click.option("--queries", type=click.Path(path_type=Path), help="Instead of QUESTIONS: TREC queries, id<TAB>text.")
@click.option("--qrels", type=click.Path(path_type=Path), help="Their judgements: query 0 document grade.")
@measured_with(EVALUATED)
@click.option("--deep", is_flag=True, help="Also retrieve 40 messages: recall@40 and MAP.")
@click.option("--against", metavar="RUN", help="Show what changed since that run (a number, or last).")
@click.option("--twice", is_flag=True, help="Run again with nothing cached and count the answers that differ.")
@options
def evaluate(
    invocation: Invocation,
    questions: str | None,
    queries: Path | None,
    qrels: Path | None,
    names: str,
    planner: PlannerMode | None,
    no_answer: bool,
    context_tokens: int | None,
    deep: bool,
    against: str | None,
    twice: bool,
) -> None:
    """How right columns are over QUESTIONS with known answers (a file, or demo, the built-in set).

    Recall, ranks, computed values, facts found in answers, right refusals; each with its 95 % interval. Ctrl-C stops;
    the same command goes on.
    """
    from retrieval.evaluation.report import report

    if against and twice:
        raise click.UsageError("--twice compares with its own first run, so it goes without --against.")
    from ui.measuring import given_set

    given = given_set(questions, queries, qrels)
    chosen = checked_columns(names)
    with invocation.store() as store:
        earlier = _earlier(store, against, given, chosen) if against else None
        run = _measured(
            invocation, store, given, chosen, planner, context_tokens, answer=not no_answer, deep=deep,
            repeat=1 if twice else 0,
        )  # fmt: skip
    if twice and run.finished:
        with invocation.store() as store:  # opened anew, with models started anew: nothing is cached
            earlier = run
            run = _measured(
                invocation, store, given, chosen, planner, context_tokens, answer=not no_answer, deep=deep, repeat=2
            )
    made = report(run, earlier)
    if invocation.json:
        invocation.emit(made)
    else:
        from ui.cli import evaluation_tables

        evaluation_tables.evaluation(evaluation_tables.console(), made)
    _end(run)


def _measured(
    invocation: Invocation,
    store: Store,
    given: QuestionSet,
    columns: list[str],
    planner: PlannerMode | None,
    context_tokens: int | None,
    *,
    answer: bool,
    deep: bool = False,
    repeat: int = 0,
) -> Run:
    from dataclasses import replace

    from ui.measuring import interrupt_sets, measure
    from ui.models import Models

    settings = invocation.given()
    settings = replace(settings, context_tokens=context_tokens or settings.context_tokens)
    stop, models = threading.Event(), Models(settings)
    with ExitStack() as stack:
        stack.callback(models.close)
        stack.enter_context(interrupt_sets(stop))
        bars = stack.enter_context(Bars(quiet=invocation.json))
        bars.step("questions" if repeat < 2 else "once more", len(given.questions), "questions")
        return measure(
            store, models, settings, given, columns,
            planner=planner or ("auto" if answer else "rules"), answer=answer, deep=deep,
            repeat=repeat, stop=stop, progress=lambda done, of: bars.at(done, of),
        )  # fmt: skip


def _earlier(store: Store, number: str, given: QuestionSet, columns: list[str]) -> Run:
    """The run to compare with: by number, or the last finished one that put the same questions to one of ``columns``
    (runs of ablations have names of their own)."""
    from retrieval.evaluation.run import digest, finished_runs, load

    with store.reader() as conn:
        runs = finished_runs(conn)
        if number == "last":
            same = (given.name, digest(given.questions))
            runs = [run for run in runs if (run.questions, run.sha256) == same and set(columns) & set(run.columns)]
            number = str(runs[0].id) if runs else "last"
        earlier = load(conn, int(number)) if number.isdigit() else None
    if earlier is None:
        some = ", ".join(f"{run.id} ({run.questions}, {run.finished:%Y-%m-%d %H:%M})" for run in runs[:5])
        raise click.UsageError(f"There is no run {number}. Finished runs: {some or 'none'}.")
    return earlier


def _end(run: Run) -> None:
    if not run.finished:
        click.echo(
            f"Stopped after {len(run.records)} of {len(run.gold)} questions; the same command goes on.", err=True
        )
        raise click.exceptions.Exit(1)


COMMANDS: tuple[click.Command, ...] = (compare, evaluate)
