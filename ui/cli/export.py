"""export graph: the graph as a file that other programs draw and analyse."""

from __future__ import annotations

from pathlib import Path

import click

from ui.cli.common import Invocation, options


@click.group(epilog="Example: mailweave export graph mail.graphml")
def export() -> None:
    """Write what was made of the mail into a file."""


@export.command(epilog="Example: mailweave export graph mail.gexf")
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@options
def graph(invocation: Invocation, out: Path) -> None:
    """Write people, organisations, threads and messages with their edges to OUT: GEXF when it ends in .gexf, else
    GraphML. People carry their weighted degrees and their community. No text of a mail is in it but subjects."""
    from graph.export import export as write

    with invocation.store() as store:
        counts = write(store, out)
    if invocation.json:
        invocation.emit({"path": str(out), **counts})
    else:
        click.echo(f"{out}: {counts['vertices']:,} vertices, {counts['edges']:,} edges.")


COMMANDS: tuple[click.Command, ...] = (export,)
