"""ingest, embed, status, errors, check: mail goes in, and one can see what became of it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

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

    with invocation.store(with_mail=False) as store:
        with Bars(quiet=invocation.json) as bars, stop_on_interrupt() as stopped:
            result = read_mail(store, paths, owner=owner, mailbox=mailbox, jobs=jobs, progress=bars, stopped=stopped)
    if invocation.json:
        invocation.emit(result)
    else:
        for line in result.words():
            click.echo(line)
    if result.stopped or (strict and (result.ingest.unreadable or result.ingest.skipped)):
        raise click.exceptions.Exit(1)


@click.command(epilog="Example: mailweave status --json")
@options
def status(invocation: Invocation) -> None:
    """What is in the store, how much of it can be searched, and what is going on behind the page."""
    from ui.background import tasks_elsewhere
    from ui.coverage import coverage
    from ui.models import Models

    settings = invocation.given()
    with invocation.store(with_mail=False) as store, store.reader() as conn:
        here = coverage(conn, Models(settings).embed_name)
    tasks = tasks_elsewhere(settings.home)
    if invocation.json:
        invocation.emit({"store": store.name, **asdict(here), "background": [task.as_json() for task in tasks]})
        return
    for line in here.words():
        click.echo(line)
    for task in tasks:
        click.echo(f"{task.name}: {task.line()}")


@click.command(epilog="Example: mailweave errors")
@options
def errors(invocation: Invocation) -> None:
    """What could not be read, where it stands, and why: the ledger."""
    with invocation.store(with_mail=False) as store, store.reader() as conn:
        rows = conn.execute(
            "SELECT path, key, place_offset, error, detail, at FROM mail.ingest_error ORDER BY path, place_offset, id"
        ).fetchall()
    if invocation.json:
        invocation.emit(
            [dict(zip(("path", "key", "offset", "error", "detail", "at"), row, strict=True)) for row in rows]
        )
        return
    for path, key, offset, error, detail, _ in rows:
        place = f" at byte {offset:,}" if offset is not None else f" {key}" if key else ""
        click.echo(f"{path}{place}\n  {error}: {detail}")
    click.echo(
        "Everything could be read." if not rows else f"{len(rows):,} could not be read; all else is in the store."
    )


@click.command(epilog="Example: mailweave check")
@options
def check(invocation: Invocation) -> None:
    """Prove that the graph is what the tables say and that nothing was lost; exit code 1 and the differences if not."""
    from graph import check as graph_check

    with invocation.store() as store, store.reader() as conn:
        conn.execute("SET statement_timeout = 0")
        differences = [{"part": "graph", "difference": str(one)} for one in graph_check.check(conn)]
    if invocation.json:
        invocation.emit({"ok": not differences, "differences": differences})
    else:
        for one in differences:
            click.echo(f"{one['part']}: {one['difference']}")
        invocation.say("Everything agrees." if not differences else f"{len(differences)} differences.")
    if differences:
        raise click.exceptions.Exit(1)


COMMANDS: tuple[click.Command, ...] = (ingest, status, errors, check)
