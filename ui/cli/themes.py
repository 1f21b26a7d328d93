"""themes: what groups of correspondents write about, and the batch that has the chat model write it down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, ListsByDefault, options

if TYPE_CHECKING:
    from retrieval.themes.listing import Theme

PEOPLE = 4


@click.group(cls=ListsByDefault)
def themes() -> None:
    """What groups of people who write each other write about. Alone: list.

    Names and summaries are written by the chat model: mailweave themes summarise. The column
    `themes` of ask needs them.
    """


@themes.command("list", epilog="Example: mailweave themes list --limit 10")
@click.option("--limit", type=click.IntRange(1), default=25, show_default=True, help="Most communities to list.")
@options
def list_themes(invocation: Invocation, limit: int) -> None:
    """Communities with name, people, messages, period and summary; coarse ones first, larger ones first."""
    from retrieval.themes.listing import listed

    with invocation.store() as store:
        found = listed(store)
    if invocation.json:
        invocation.emit({"themes": found[:limit], "of": len(found), "due": sum(theme.due for theme in found)})
        return
    for theme in found[:limit]:
        _say(theme)
    click.echo(f"{min(limit, len(found)):,} of {len(found):,} communities; the owner is in none.")
    if left := sum(theme.due for theme in found):
        click.echo(f"{left:,} have no summary of their present mail: mailweave themes summarise")


@themes.command(epilog="Example: mailweave themes summarise")
@options
def summarise(invocation: Invocation) -> None:
    """Have the chat model name and summarise the communities that are new or have changed.

    Ctrl-C stops after the one at hand; the same command goes on from there. Without a graphics card a community takes
    some ten seconds on two cores.
    """
    from retrieval.themes.batch import summarise as make
    from ui.models import Models
    from ui.reading import stop_on_interrupt

    models = Models(invocation.given())
    with invocation.store() as store:
        try:
            chat = models.chat()
            with Bars(quiet=invocation.json) as bars, stop_on_interrupt() as stopped:
                bars.step("summaries", None, "communities")
                done = make(store, chat, progress=bars.at, stopped=stopped)
        finally:
            models.close()
    if invocation.json:
        invocation.emit(
            {
                "model": chat.name,
                "made": [{"id": c.id, "name": c.name, "summary": c.summary} for c in done.made],
                "left": done.left,
                "failed": [{"id": c.id, "message": message} for c, message in done.failed],
            }
        )
    else:
        for community in done.made:
            click.echo(f"{community.id}: {community.name}")
        for community, message in done.failed:
            click.secho(f"{community.id}: {message}", fg="red")
        click.echo(f"{len(done.made):,} made, {done.left:,} still due.")
    if done.left:
        raise click.exceptions.Exit(1)


def _say(theme: Theme) -> None:
    more = f" and {theme.people - PEOPLE:,} more" if theme.people > PEOPLE else ""
    indent = "  " * theme.level
    click.secho(f"{indent}{theme.id}: {theme.name or '(no summary yet)'}", bold=True, nl=False)
    click.echo("  (its people or messages have changed since)" if theme.due and theme.name else "")
    click.secho(
        f"{indent}  {theme.people:,} people, {theme.messages:,} messages, {theme.period}: "
        f"{', '.join(theme.names[:PEOPLE])}{more}",
        dim=True,
    )
    if theme.summary:
        click.echo(f"{indent}  {theme.summary}")


COMMANDS: tuple[click.Command, ...] = (themes,)
