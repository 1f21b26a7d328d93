"""show: one message in the terminal, with its history folded, whole, or as it stands in its source."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ui.cli.common import Invocation, options

if TYPE_CHECKING:
    import psycopg

    from ui.messages import FullMessage


@click.command(epilog="Example: mailweave show 4711 --full")
@click.argument("message", metavar="MESSAGE")
@click.option("--full", is_flag=True, help="What is hidden too: history, signatures, footers.")
@click.option("--raw", is_flag=True, help="The bytes as they stand in the source.")
@options
def show(invocation: Invocation, message: str, full: bool, raw: bool) -> None:
    """Print MESSAGE: its number, as other commands show it, or its Message-ID."""
    from ingest.originals import original
    from ui.messages import full as read

    with invocation.store() as store, store.reader() as conn:
        id_ = _number(conn, message)
        if raw:
            data = original(conn, id_).data
        else:
            found = read(conn, id_)
    if raw:
        if invocation.json:
            invocation.emit({"id": id_, "raw": data.decode("utf-8", "replace")})
            return
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    assert found is not None, "its number was looked up in the same transaction"
    if invocation.json:
        invocation.emit(asdict(found))
        return
    for line in _in_words(found, full=full):
        click.echo(line)


def _number(conn: psycopg.Connection[Any], text: str) -> int:
    """The number of the message that a number or a Message-ID names. Raises NoSuchMessage."""
    from ui.errors import NoSuchMessage

    wanted = text.strip()
    if wanted.isdecimal():
        row = conn.execute("SELECT id FROM mail.message WHERE id::text = %s", (str(int(wanted)),)).fetchone()
    else:
        row = conn.execute(
            "SELECT message FROM mail.occurrence WHERE message_id = %s ORDER BY message LIMIT 1",
            (f"<{wanted.strip('<>')}>",),
        ).fetchone()
    if row is None:
        raise NoSuchMessage(
            f"No message here has the number or Message-ID '{text}'. mailweave status --samples KIND shows numbers, "
            "and so does mailweave ask --json."
        )
    return int(row[0])


def _in_words(message: FullMessage, *, full: bool) -> list[str]:
    head = message.headline
    lines = [
        f"{'From':>9}: {head.sender} <{message.sender_address}>" if message.sender_address else f"From: {head.sender}"
    ]
    lines += [f"{kind.title():>9}: {', '.join(people)}" for kind, people in message.recipients.items() if people]
    lines.append(f"{'Date':>9}: {head.local_at:%Y-%m-%d %H:%M}" if head.local_at else f"{'Date':>9}: not known")
    lines.append(f"{'Subject':>9}: {head.subject}")
    lines += [f"{'Attached':>9}: {file.name} ({file.type}, {file.bytes:,} bytes)" for file in message.files]
    if message.labels:
        lines.append(f"{'Folders':>9}: {', '.join(message.labels)}")
    kind = "known only from quotations" if head.recovered else head.kind
    lines.append(f"{'Message':>9}: {head.id}, {kind}, in a conversation of {message.thread_messages:,}")
    lines.append("")
    for piece in message.pieces:
        if piece.hidden is None or full:
            lines.append(piece.text.strip("\n"))
        else:
            words = f"{piece.hidden}, {len(piece.text.strip()):,} characters"
            lines.append(click.style(f"[{words}]", dim=True))
    return lines


COMMANDS = (show,)
