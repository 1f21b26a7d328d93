"""ingest, embed, status, errors, check: mail goes in, and one can see what became of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options


@click.command(epilog="Example: mailweave ingest ~/mail/Takeout.mbox ~/Maildir --owner me@example.org")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--no-embed", is_flag=True, help="Leave the vectors for later (mailweave embed).")
@click.option("--owner", multiple=True, metavar="ADDRESS", help="An address of the mailbox's owner; may be repeated.")
@click.option("--mailbox", default="default", metavar="NAME", help="Several mailboxes may share a store.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Worker processes. [default: one a core]")
@click.option("--strict", is_flag=True, help="Exit with 1 when anything could not be read.")
@options
def ingest(
    invocation: Invocation,
    paths: tuple[Path, ...],
    no_embed: bool,
    owner: tuple[str, ...],
    mailbox: str,
    jobs: int | None,
    strict: bool,
) -> None:
    """Read mail exports at PATHS: mbox, Maildir, folders of .eml; found by their content.

    Only what is new is read. Ctrl-C stops after a batch; the same command goes on. Without PATHS, the sources that
    are known already are looked at again.
    """
    from ui.reading import read_mail, stop_on_interrupt

    with (
        invocation.store(with_mail=False) as store,
        Bars(quiet=invocation.json) as bars,
        stop_on_interrupt() as stopped,
    ):
        result = read_mail(
            store, paths, owner=owner, mailbox=mailbox, jobs=jobs, progress=bars, stopped=stopped,
            embedder=None if no_embed else invocation.embedder(),
        )  # fmt: skip
    if invocation.json:
        invocation.emit(result)
    else:
        for line in result.words():
            click.echo(line)
    if result.stopped or (strict and (result.ingest.unreadable or result.ingest.skipped)):
        raise click.exceptions.Exit(1)


COMMANDS: tuple[Any, ...] = (ingest,)
