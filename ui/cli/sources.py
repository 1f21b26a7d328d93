"""sources, forget: which exports and accounts the mail came from, where they are now, and what of them shall go."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options


@click.group()
def sources() -> None:
    """The files, folders and accounts that mail was read from."""


@sources.command("list", epilog="Example: mailweave sources list --json")
@options
def list_sources(invocation: Invocation) -> None:
    """Every source with what was read, stored, a copy of something stored, or not readable; and whether it is there."""
    from ingest.known import missing
    from ingest.status import source_statuses

    with invocation.store(with_mail=False) as store, store.reader() as conn:
        found = source_statuses(conn)
        gone = set(missing(conn))
    if invocation.json:
        invocation.emit([{**asdict(source), "missing": source.path in gone} for source in found])
        return
    for source in found:
        unread = f", {source.unreadable:,} unreadable" if source.unreadable else ""
        where = ", NOT THERE ANY MORE" if source.path in gone else ""
        click.echo(f"{source.path} ({source.format}){where}")
        click.echo(f"  {source.read:,} read, {source.stored:,} stored, {source.copies:,} copies{unread}")
    if not found:
        click.echo("No mail was read yet.")


@sources.command(epilog="Example: mailweave sources relocate /media/old/mail ~/mail")
@click.argument("old")
@click.argument("new", type=click.Path(path_type=Path))
@options
def relocate(invocation: Invocation, old: str, new: Path) -> None:
    """A source, or all below a folder, moved from OLD to NEW. Nothing is read again unless it changed as well."""
    from ingest.known import relocate as write_down

    with invocation.store(with_mail=False) as store:
        moved = write_down(store, old, new)
    if invocation.json:
        invocation.emit([{"old": one.old, "new": one.new} for one in moved])
        return
    for one in moved:
        click.echo(f"{one.old} is known as {one.new} from now on.")


@click.command(epilog="Example: mailweave forget ~/mail/Takeout.mbox")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options
def forget(invocation: Invocation, names: tuple[str, ...], yes: bool) -> None:
    """Remove sources, by path, folder or account, and every message that stands nowhere else. The mail itself is not
    touched. People, conversations, graph, texts and vectors follow."""
    from ui.reading import forget_mail

    with invocation.store(with_mail=False) as store:
        if not yes and not invocation.json:
            click.confirm(f"Forget {', '.join(names)} in the store '{store.name}'?", abort=True, err=True)
        with Bars(quiet=invocation.json) as bars:
            gone = forget_mail(store, names, bars)
    if invocation.json:
        invocation.emit({"forgotten": gone})
    invocation.say(f"{gone:,} messages left the store.")


COMMANDS: tuple[click.Command, ...] = (sources, forget)
