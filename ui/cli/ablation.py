"""ablate: what each part of a column is worth."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options
from ui.question import checked_columns


@click.command(epilog="Example: mailweave ablate demo --store demo --only threads,k=60")
@click.argument("questions", required=False)
@click.option("--queries", type=click.Path(path_type=Path), help="Instead of QUESTIONS: TREC queries, id<TAB>text.")
@click.option("--qrels", type=click.Path(path_type=Path), help="Their judgements: query 0 document grade.")
@click.option("--with", "names", default="hybrid", show_default=True, help="Columns to take apart.")
@click.option("--only", metavar="CHANGES", help="Some changes: history, header, size, threads, automated, k=60, …")
@click.option("--embedded-by", multiple=True, metavar="MODEL", help="Also compare another embedding model.")
@options
def ablate(
    invocation: Invocation,
    questions: str | None,
    queries: Path | None,
    qrels: Path | None,
    names: str,
    only: str | None,
    embedded_by: tuple[str, ...],
) -> None:
    """Change one part at a time and put QUESTIONS (a file, or demo) again: each a row with difference and interval.

    Other chunks are made in a copy of the store, where only new text is embedded. Ctrl-C stops; the same command
    goes on.
    """
    from ui import ablation
    from ui.measuring import given_set, interrupt_sets
    from ui.models import Models

    given, columns = given_set(questions, queries, qrels), checked_columns(names)
    by_name = {variant.name: variant for variant in ablation.VARIANTS}
    wanted = [name.strip() for name in only.split(",") if name.strip()] if only is not None else list(by_name)
    if unknown := [name for name in wanted if name not in by_name]:
        raise click.UsageError(f"There is no change {unknown[0]!r}. Changes: {', '.join(by_name)}.")
    variants = [*(by_name[name] for name in wanted), *map(ablation.another_model, embedded_by)]
    stop, models = threading.Event(), Models(invocation.given())
    with invocation.store():
        pass  # an empty store is told before anything begins
    with ExitStack() as stack:
        stack.callback(models.close)
        stack.enter_context(interrupt_sets(stop))
        bars = stack.enter_context(Bars(quiet=invocation.json))
        made = ablation.ablate(invocation.given(), models, given, columns, variants, stop=stop, progress=bars)
    if invocation.json:
        invocation.emit(made)
    else:
        _print(made["rows"])
    if not made["finished"]:
        click.echo("Stopped; the same command goes on.", err=True)
        raise click.exceptions.Exit(1)


def _print(rows: Sequence[Mapping[str, Any]]) -> None:
    from ui.cli.evaluation_tables import console, milliseconds, share, table

    made = table("Recall of needed messages", "column", ["change", "recall", "difference", "p", "ms", "context"])
    for row in rows:
        difference = row["difference"]
        made.add_row(
            row["column"],
            row["says"],
            share(row["recall"]),
            f"{difference['difference']:+.3f} [dim]{difference['low']:+.3f} to {difference['high']:+.3f}[/dim]"
            if difference
            else "",
            f"{difference['p']:.3f}" if difference else "",
            milliseconds(row["median_ms"]),
            f"{row['context_characters']['value']:,.0f}" if row["context_characters"] else "–",
        )
    console().print(made)


COMMANDS: tuple[click.Command, ...] = (ablate,)
