"""ask and cypher: questions in words, and in the language of the graph."""

from __future__ import annotations

import json
from typing import Any

import click

from ui.cli.common import Invocation, options, plain


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
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:79] + "…"


COMMANDS: tuple[click.Command, ...] = (cypher,)
