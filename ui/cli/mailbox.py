"""ingest, embed, status, errors, check: mail goes in, and one can see what became of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.cli import sources
from ui.cli.bars import Bars
from ui.cli.common import Invocation, options

if TYPE_CHECKING:
    from graph.current import GraphState
    from ingest.sources.imap import Account
    from ingest.status import Status


@click.command(epilog="Example: mailweave ingest ~/mail/Takeout.mbox ~/Maildir --owner me@example.org")
@click.argument("paths", nargs=-1)
@click.option("--no-embed", is_flag=True, help="Leave the vectors for later (mailweave embed).")
@click.option("--owner", multiple=True, metavar="ADDRESS", help="An address of the mailbox's owner; may be repeated.")
@click.option("--mailbox", default="default", metavar="NAME", help="Several mailboxes may share a store.")
@click.option("--sync", is_flag=True, help="Forget what is no longer there, or is other than before.")
@click.option(
    "--password-file", type=click.Path(path_type=Path), help="Holds an account's password. [default: asks for it]"
)
@click.option(
    "--ca-file", type=click.Path(path_type=Path), help="Certificates to trust instead of the system's, for an account."
)
@click.option("--jobs", type=click.IntRange(1, 64), help="Worker processes. [default: one a core]")
@click.option("--strict", is_flag=True, help="Exit with 1 when anything could not be read.")
@options
def ingest(
    invocation: Invocation,
    paths: tuple[str, ...],
    no_embed: bool,
    owner: tuple[str, ...],
    mailbox: str,
    sync: bool,
    password_file: Path | None,
    ca_file: Path | None,
    jobs: int | None,
    strict: bool,
) -> None:
    """Read mail exports at PATHS: mbox, Maildir, EML, PST, MSG, archives of these ...; found by their content.

    A mail account is read with imaps://USER@SERVER/ (or one folder of it: imaps://USER@SERVER/FOLDER), and never
    changed. Only what is new is read. Ctrl-C stops after a batch; the same command goes on. Without PATHS, the files
    and folders that are known already are looked at again.
    """
    from ui.models import Models
    from ui.reading import read_mail, stop_on_interrupt

    models = Models(invocation.given())
    with ExitStack() as opened:
        given = _sources(paths, password_file, ca_file, opened)
        store = opened.enter_context(invocation.store(with_mail=False))
        opened.enter_context(closing(models))
        with Bars(quiet=invocation.json) as bars, stop_on_interrupt() as stopped:
            result = read_mail(
                store, given, owner=owner, mailbox=mailbox, jobs=jobs, models=None if no_embed else models,
                progress=bars, stopped=stopped, sync=sync, has_moved=_asked(invocation, bars),
            )  # fmt: skip
    if invocation.json:
        invocation.emit(result)
    else:
        for line in result.words():
            click.echo(line)
    if result.stopped or (strict and (result.ingest.unreadable or result.ingest.skipped)):
        raise click.exceptions.Exit(1)


def _sources(
    given: tuple[str, ...], password_file: Path | None, ca_file: Path | None, opened: ExitStack
) -> list[Path | Account]:
    """Paths as paths, addresses of accounts as accounts, which are closed with ``opened``."""
    from ingest.sources.imap import Account, is_address, read_address

    found: list[Path | Account] = []
    for text in given:
        if not is_address(text):
            found.append(Path(text))
            continue
        address = read_address(text)
        password = (
            password_file.read_text(encoding="utf-8").split("\n")[0].rstrip("\r")
            if password_file
            else click.prompt(f"Password of {address.user} at {address.host}", hide_input=True, err=True)
        )
        found.append(opened.enter_context(Account(address, password, ca_file)))
    return found


def _asked(invocation: Invocation, bars: Bars) -> Callable[[str, str], bool]:
    """Asks the person whether a source has moved; where nobody can answer it has not, and the result says what is
    missing."""

    def ask(old: str, new: str) -> bool:
        if invocation.json or not sys.stdin.isatty():
            return False
        with bars.paused():
            return click.confirm(f"{old} is not there any more, and {new} is the same. Has it moved?", err=True)

    return ask


@click.command(epilog="Example: mailweave embed --store work")
@options
def embed(invocation: Invocation) -> None:
    """Go on with the vectors: personal and recent mail first. Ctrl-C stops; the same command goes on."""
    from ingest.embed import embed as make
    from ui.models import Models
    from ui.reading import said_of_vectors, stop_on_interrupt

    models = Models(invocation.given())
    with invocation.store() as store, closing(models):
        embedder = models.embedder()
        with Bars(quiet=invocation.json) as bars, stop_on_interrupt() as stopped:
            result = make(store, embedder, progress=bars, stop=stopped)
    if invocation.json:
        invocation.emit(result)
    invocation.say(said_of_vectors(result))
    if result.stopped:
        raise click.exceptions.Exit(1)


@click.command(epilog="Example: mailweave status --samples automated")
@click.option("--samples", metavar="KIND", help="Twenty messages of a kind instead, to check: mail, automated, draft, "
              "spam, trash, chat, sent, recovered, or empty (of new words).")  # fmt: skip
@options
def status(invocation: Invocation, samples: str | None) -> None:
    """What is in the store, how much of it can be searched, and what is going on behind the page."""
    from graph import current
    from ingest.status import status as count
    from ui.background import tasks_elsewhere

    if samples is not None:
        _samples(invocation, samples)
        return
    settings = invocation.given()
    with invocation.store(with_mail=False) as store:
        counted = count(store)
        with store.reader() as conn:
            graph = current.state(conn)
    tasks = tasks_elsewhere(settings.home)
    if invocation.json:
        server = {"versions": str(store.server), "warnings": store.server.warnings}
        states = {"graph": graph, "background": [task.as_json() for task in tasks], "server": server}
        invocation.emit({"store": store.name, **asdict(counted), **states})
        return
    for line in in_words(counted, graph):
        click.echo(line)
    click.echo(f"Server: {store.server}")
    for warning in store.server.warnings:
        click.echo(f"Warning: {warning}")
    for task in tasks:
        click.echo(f"In the background, {task.name}: {task.line()}")


def _samples(invocation: Invocation, kind: str) -> None:
    from ingest.samples import KINDS, samples

    if kind not in KINDS:
        raise click.BadParameter(f"'{kind}' is none of {', '.join(KINDS)}.", param_hint="--samples")
    with invocation.store() as store, store.reader() as conn:
        found = samples(conn, kind)
    if invocation.json:
        invocation.emit(found)
        return
    for one in found.samples:
        date = f"{one.local_at:%Y-%m-%d}" if one.local_at else "no date   "
        sender, subject = " ".join(one.sender.split()), " ".join(one.subject.split())
        click.echo(f"{one.id:>7}  {date}  {sender:<24.24}  {subject:<44.44}", nl=False)
        click.secho(f"  {', '.join(one.folders)}", dim=True)
    click.echo(f"{len(found.samples):,} of {found.of:,}: {kind}. mailweave show NUMBER prints one.")


def in_words(counted: Status, graph: GraphState | None) -> list[str]:
    """The status in lines for a person."""
    copies = counted.occurrences - counted.messages
    lines = [
        f"{counted.messages:,} messages ({copies:,} more copies, {counted.recovered:,} known only from quotations)",
        f"{counted.addresses:,} addresses of {counted.people:,} people",
    ]
    for owner in counted.owners:
        whose = ", ".join(owner.addresses) or "nobody is known"
        proposed = "" if owner.confirmed or not owner.addresses else f" (proposed: {owner.evidence}; --owner confirms)"
        lines.append(f"Owner of {owner.mailbox}: {whose}{proposed}")
    without = (
        ("sender", counted.without_sender),
        ("date", counted.without_date),
        ("Message-ID", counted.without_message_id),
    )
    lines += [f"{n:,} without {what}" for what, n in without if n]
    lines.append(f"Kinds: {', '.join(f'{kind} {n:,}' for kind, n in counted.kinds.items())} (status --samples KIND)")
    lines.append(
        f"New text: {counted.new_characters:,} of {counted.characters:,} characters, in the median "
        f"{counted.median_new_characters:,} a message"
    )
    if counted.empty:
        shown = ", ".join(f"mailweave show {id_}" for id_ in counted.empty[:3])
        more = ", … (status --samples empty)" if len(counted.empty) > 3 else ""
        lines.append(f"{len(counted.empty):,} came out empty, though they have words: {shown}{more}")
    for source in counted.sources:
        unread = f", {source.unreadable:,} unreadable (mailweave errors)" if source.unreadable else ""
        unfinished = "" if source.finished else ", NOT READ TO ITS END: ingest it again"
        read = f"{source.read:,} read, {source.stored:,} stored, {source.copies:,} copies{unread}{unfinished}"
        lines.append(f"{source.path} ({source.format}): {read}")
    if graph is None or graph.stale:
        lines.append(f"Graph: {'none yet' if graph is None else 'stale'}; mailweave ingest builds it")
    else:
        lines.append(f"Graph: {sum(graph.counts.values()):,} vertices and edges, built {graph.built_at:%Y-%m-%d %H:%M}")
    lines.append(f"{counted.chunks:,} chunks of text")
    for vectors in counted.vectors:
        percent = 100 * vectors.embedded // max(1, vectors.chunks)
        lines.append(f"Vectors of {vectors.model}: {percent} % ({vectors.embedded:,} of {vectors.chunks:,} texts)")
    if not counted.vectors:
        lines.append("No vectors yet; mailweave embed makes them")
    return lines


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
    from graph.check import check as check_graph
    from ingest.check import check as check_tables

    with invocation.store() as store, store.reader() as conn:
        conn.execute("SET statement_timeout = 0")  # on 300,000 messages it takes longer than a question may
        differences = [{"part": "tables", "difference": str(one)} for one in check_tables(conn)]
        differences += [{"part": "graph", "difference": str(one)} for one in check_graph(conn)]
    if invocation.json:
        invocation.emit({"ok": not differences, "differences": differences})
    else:
        for one in differences:
            click.echo(f"{one['part']}: {one['difference']}")
        invocation.say("Everything agrees." if not differences else f"{len(differences)} differences.")
    if differences:
        raise click.exceptions.Exit(1)


COMMANDS: tuple[click.Command, ...] = (ingest, embed, status, errors, check, *sources.COMMANDS)
