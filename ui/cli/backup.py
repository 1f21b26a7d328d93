"""backup and restore: a store as one file, and back, here or on another machine."""

from __future__ import annotations

from pathlib import Path

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options


@click.command(epilog="Example: mailweave backup ~/mail-2026.mailweave")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--no-vectors", is_flag=True, help="Leave the vectors out: a smaller file; embed makes them again.")
@options
def backup(invocation: Invocation, file: Path, no_vectors: bool) -> None:
    """Write the whole store to FILE: messages, people and what was decided about them, labels, evaluations, vectors.

    The file can be read by you alone; it holds your mail as text, so keep it as you keep the mail. Question files,
    mappings and mailweave.toml are files of their own and not in it.
    """
    from sql.backup import backup as write

    with invocation.store() as store, Bars(quiet=invocation.json) as bars:
        bars.step("backup", None, "bytes")
        manifest = write(store, file, vectors=not no_vectors, advance=bars.advance)
    size = file.stat().st_size
    if invocation.json:
        invocation.emit({"path": file, "bytes": size, "messages": manifest.messages, "made_at": manifest.made_at})
    invocation.say(f"{file}: {manifest.messages:,} messages, {size / 1e6:,.1f} MB.")


@click.command(epilog="Example: mailweave restore ~/mail-2026.mailweave --store again")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--by-hand", is_flag=True, help="Into a store with mail: only decisions on people, owners, labels, votes."
)
@options
def restore(invocation: Invocation, file: Path, by_hand: bool) -> None:
    """Put a backup into a store without mail, and build the graph.

    FILE is read whole and checked before anything is written; when it is interrupted, run the same again. Sources
    that stand elsewhere on this machine: mailweave sources relocate OLD NEW.
    """
    from sql.backup import read_manifest
    from sql.backup import restore as put
    from ui.reading import build_graph

    if by_hand:
        _take_over(invocation, file)
        return
    manifest = read_manifest(file)
    with invocation.store(with_mail=False) as store, Bars(quiet=invocation.json) as bars:
        bars.step("restore", 2 * manifest.bytes, "bytes")
        put(store, file, advance=bars.advance)
        build_graph(store, bars)
    if invocation.json:
        invocation.emit({"store": store.name, "messages": manifest.messages, "made_at": manifest.made_at})
    invocation.say(f"{manifest.messages:,} messages of {manifest.made_at[:10]} are in the store '{store.name}'.")


def _take_over(invocation: Invocation, file: Path) -> None:
    from ingest.resolve import resolve
    from sql.by_hand import take_over
    from ui.reading import build_graph

    with invocation.store() as store, Bars(quiet=invocation.json) as bars:
        taken = take_over(store, file)
        with store.writer_lock("restore"), store.owner() as conn:
            resolve(conn, bars)
        build_graph(store, bars)
    if invocation.json:
        invocation.emit(taken)
    invocation.say(
        f"Came over, since not known here: {taken.decisions:,} decisions about people, {taken.owners:,} owners, "
        f"{taken.judgements:,} labels, {taken.votes:,} votes."
    )


COMMANDS: tuple[click.Command, ...] = (backup, restore)
