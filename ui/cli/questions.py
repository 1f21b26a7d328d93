"""ask and cypher: questions in words, and in the language of the graph."""

from __future__ import annotations

import json
import threading
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ui.cli.common import Invocation, options, plain
from ui.question import checked, checked_columns

if TYPE_CHECKING:
    from retrieval.ask import Event
    from retrieval.result import ColumnResult

PLANNERS = ("auto", "rules", "model")
RERANKERS = ("cross-encoder", "chat")


@click.command(epilog='Example: mailweave ask "Who wrote to me most in March?" --with graph,hybrid')
@click.argument("question")
@click.option(
    "--with", "names", default="vector,graph", show_default=True, help="Columns, or auto for the router's one."
)
@click.option("--planner", type=click.Choice(PLANNERS), default="auto", show_default=True, help="Who plans.")
@click.option("--rerank", type=click.Choice(RERANKERS), help="Who puts the first forty of hybrid in order once more.")
@click.option("--no-answer", is_flag=True, help="Retrieve only.")
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="The day that 'this year' starts from.")
@options
def ask(
    invocation: Invocation,
    question: str,
    names: str,
    planner: str,
    rerank: str | None,
    no_answer: bool,
    as_of: datetime | None,
) -> None:
    """Ask QUESTION of several ways of looking, and see what each finds and what they share.

    Exit code 1 when every column failed or could not be run.
    """
    from retrieval.ask import ask as put
    from ui.models import Models

    text, chosen = checked(question), checked_columns(names)
    settings = invocation.given()
    models, stop = Models(settings), threading.Event()
    with invocation.store() as store:
        try:
            result = put(
                store, text, chosen, as_of=as_of.date() if as_of else None, planner=planner,  # type: ignore[arg-type]
                chat=None if no_answer and planner == "rules" else models.chat_or_none(),
                embedder=models.embedder_or_none(), reranker=models.reranker(rerank, stop),
                judge=None if no_answer else models.judge(), answer=not no_answer,
                context_tokens=settings.context_tokens, stop=stop, on_event=None if invocation.json else Printer(),
            )  # fmt: skip
        finally:
            models.close()
    if invocation.json:
        invocation.emit(result.to_json())
    else:
        for pair in result.overlap():
            click.echo(f"{pair['a']} and {pair['b']} share {pair['shared']} of {pair['of']} messages.")
    if result.columns and all(column.outcome in ("failed", "not_run") for column in result.columns):
        raise click.exceptions.Exit(1)


class Printer:
    """Prints columns as they come: facts, hits and errors at once, the answer word by word."""

    def __init__(self) -> None:
        self._writing = ""

    def __call__(self, event: Event) -> None:
        """One event of ``ask``."""
        column = event.column
        if event.kind == "planned" and event.result.plan:
            plan = event.result.plan
            click.secho(f"Plan ({plan['planner']}): {plan['text'] or 'none'}", dim=True)
        elif event.kind == "retrieved" and column is not None:
            self._found(column)
        elif event.kind == "token" and column is not None:
            if self._writing != column.retriever:
                self._writing = column.retriever
                click.secho(f"\n{column.retriever} answers", bold=True)
            click.echo(event.text, nl=False)
        elif event.kind == "done" and column is not None:
            if self._writing:
                click.echo()
                self._writing = ""
            for one in column.sentences:
                if one.judged is False:
                    claim = _cut(column.words(one).strip(), 140)
                    click.secho(f"  Not in what it cites, says the judge: {claim}", fg="yellow")
            for told in column.disagreements:
                click.secho(f"  {told}", fg="yellow")

    def _found(self, column: ColumnResult) -> None:
        outcome = f"{column.outcome.replace('_', ' ')}{', ' + column.note if column.note else ''}"
        click.secho(f"\n{column.retriever}", bold=True, nl=False)
        click.echo(f"  {outcome}  {column.timing_ms.get('retrieve', 0):.0f} ms")
        for fact in column.retrieved.facts:
            click.echo(f"  {fact.text}")
            click.secho(f"    {_cut(fact.query, 140)}", dim=True)
        for hit, message in zip(column.retrieved.hits, column.found, strict=False):
            found_by = ", ".join(f"{one.step} #{one.rank}" for one in hit.found_by)
            date = f"{message.local_at:%Y-%m-%d}" if message.local_at else "no date   "
            click.echo(
                f"  {hit.rank:>2}  {date}  {_cell(message.sender):<24.24}  {_cell(message.subject):<48.48}", nl=False
            )
            click.secho(f"  {found_by}", dim=True)
        for error in column.errors:
            click.secho(f"  {error.kind}: {error.message}", fg="red")
            if error.hint:
                click.echo(f"  {error.hint}")


@click.command(epilog="Example: mailweave cypher \"MATCH (p:Person)-[:SENT]->(m:Message) RETURN p.name, count(*) AS n "
               "ORDER BY n DESC\" --limit 10")  # fmt: skip
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100_000), default=200, show_default=True, help="Most rows to print.")
@click.option("--timeout", type=click.FloatRange(0.1, 60), default=5.0, show_default=True, help="Seconds.")
@options
def cypher(invocation: Invocation, query: str, limit: int, timeout: float) -> None:
    """Run QUERY over the graph. It can only read."""
    from graph.cypher import run

    with invocation.store() as store, store.reader() as conn:
        result = run(conn, query, limit=limit, timeout=timeout)
    if invocation.json:
        invocation.emit(
            {
                "columns": result.columns,
                "rows": result.rows,
                "cut": result.cut,
                "milliseconds": round(result.milliseconds, 1),
                "query": result.query,
            }
        )
        return
    texts = [[_cell(value) for value in row] for row in result.rows]
    widths = [max(len(cell) for cell in column) for column in zip(result.columns, *texts, strict=True)]
    for row in (list(result.columns), *texts):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    rows = f"{len(texts):,} row{'' if len(texts) == 1 else 's'}"
    click.echo(
        f"{rows}{', and there are more (--limit)' if result.cut else ''}, {result.milliseconds:.0f} ms", err=True
    )


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=plain, ensure_ascii=False)
    return _cut(text, 80)


def _cut(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


COMMANDS: tuple[click.Command, ...] = (ask, cypher)
