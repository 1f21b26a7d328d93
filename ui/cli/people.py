"""people: who is who. Lists everybody, shows who may be one, and takes decisions that hold and can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from ui.cli.common import Invocation, ListsByDefault, options

if TYPE_CHECKING:
    import psycopg

    from ingest.known_people import Known
    from ingest.people import Decision

ORDERS: dict[str, Callable[[Known], Any]] = {
    "messages": lambda person: -(person.sent + person.received),
    "sent": lambda person: -person.sent,
    "received": lambda person: -person.received,
    "name": lambda person: person.name.casefold(),
}


@click.group(cls=ListsByDefault)
def people() -> None:
    """Who is who: list people, and decide who is one person. Alone: list.

    WHO is the number, an address or the name of somebody. Decisions hold through every later ingest; graph and counts
    follow at once.
    """


@people.command("list", epilog="Example: mailweave people list ruiz --by sent --limit 5")
@click.argument("name", default="")
@click.option("--by", type=click.Choice(list(ORDERS)), default="messages", show_default=True, help="The order.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Most people to list.")
@options
def list_people(invocation: Invocation, name: str, by: str, limit: int) -> None:
    """People with their addresses, messages sent and received, and organisation; of NAME alone, where it is given."""
    from ingest.known_people import known, named

    with invocation.store() as store, store.reader() as conn:
        found = sorted(named(known(conn), name), key=ORDERS[by])
    if invocation.json:
        invocation.emit({"people": found[:limit], "of": len(found)})
        return
    click.echo(f"{'':>7}  {'sent':>7} {'received':>8}  name, organisation, addresses")
    for person in found[:limit]:
        marks = "".join([" (owner)" * person.is_owner, " (office or list)" * person.is_role])
        click.echo(f"{person.id:>7}  {person.sent:>7,} {person.received:>8,}  {person.name}{marks}", nl=False)
        click.secho(f"  {person.organization or '-'}  {_some(person.addresses)}", dim=True)
    click.echo(f"{min(limit, len(found)):,} of {len(found):,} people.")


@people.command(epilog="Example: mailweave people duplicates --limit 10")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Most pairs to show.")
@options
def duplicates(invocation: Invocation, limit: int) -> None:
    """Pairs who may be one person: what speaks for it, and what a merge would put together."""
    from ingest.duplicates import duplicates as look

    with invocation.store() as store, store.reader() as conn:
        found = look(conn, limit)
    if invocation.json:
        invocation.emit(found)
        return
    for pair in found:
        click.echo(f"{pair.a.said()}  |  {pair.b.said()}")
        click.echo(f"  {pair.evidence}; {pair.messages[0]:,} and {pair.messages[1]:,} messages, joined {pair.joined:,}")
        click.secho(f"  mailweave people merge {pair.a.addresses[0]} {pair.b.addresses[0]}", dim=True)
    if not found:
        click.echo("Nobody here looks like two people with one name.")


@people.command(epilog="Example: mailweave people merge ana@tidal.example ana.ruiz@mail.example")
@click.argument("a", metavar="WHO")
@click.argument("b", metavar="WHO")
@options
def merge(invocation: Invocation, a: str, b: str) -> None:
    """Two people are one: decide it, and see what changes."""
    from ingest import people as decide
    from ingest.known_people import find, known

    def decision(conn: psycopg.Connection[Any]) -> Decision:
        everybody = known(conn)
        return decide.merge(conn, find(everybody, a), find(everybody, b))

    _decide(invocation, decision)


@people.command(epilog="Example: mailweave people split ana.ruiz@mail.example")
@click.argument("who", metavar="WHO")
@options
def split(invocation: Invocation, who: str) -> None:
    """An address is not the person it was put together with: decide it, and see what changes.

    Where WHO is a name or a number and the person has several addresses, say which: the command shows them.
    """
    from ingest import people as decide
    from ingest.errors import AmbiguousPerson
    from ingest.known_people import find, known

    def decision(conn: psycopg.Connection[Any]) -> Decision:
        person, address = find(known(conn), who), who.strip().lower()
        if address not in person.addresses:
            if len(person.addresses) > 2:
                raise AmbiguousPerson(who, person.addresses, len(person.addresses))
            address = person.addresses[-1]  # of two, the one used less
        return decide.split(conn, person, address)

    _decide(invocation, decision)


@people.command(epilog="Example: mailweave people undo")
@click.argument("number", type=click.IntRange(1), required=False)
@options
def undo(invocation: Invocation, number: int | None) -> None:
    """Take back the last decision, or the one with NUMBER; what held before it holds again."""
    from ingest import people as decide

    _decide(invocation, lambda conn: decide.undo(conn, number), undone=True)


@people.command(epilog="Example: mailweave people decisions")
@options
def decisions(invocation: Invocation) -> None:
    """What was decided by hand, with the numbers that undo takes."""
    from ingest.people import decisions as taken

    with invocation.store() as store, store.reader() as conn:
        found = taken(conn)
    if invocation.json:
        invocation.emit(found)
        return
    for each in found:
        click.echo(f"{each.number:>4}  {each.what}")
    if not found:
        click.echo("Nothing has been decided by hand.")


def _decide(
    invocation: Invocation, decision: Callable[[psycopg.Connection[Any]], Decision], *, undone: bool = False
) -> None:
    """Takes a decision (or takes it back), brings people, threads and graph up to date, and says what changed."""
    from ingest.known_people import known
    from ui.decisions import carry_out

    with invocation.store() as store:
        with store.reader() as conn:
            before = known(conn)
        taken = carry_out(store, decision)
        with store.reader() as conn:
            after = known(conn)
    gone, come = _different(before, after), _different(after, before)
    if invocation.json:
        invocation.emit({"decision": taken, "undone": undone, "before": gone, "after": come})
        return
    click.echo(f"{'Taken back' if undone else 'Decided'}, number {taken.number}: {taken.what}")
    for word, people_ in (("was", gone), ("is", come)):
        for person in people_:
            click.echo(
                f"  {word:>3}  {person.name}: {person.sent:,} sent, {person.received:,} received  "
                f"{_some(person.addresses)}"
            )
    if not gone and not come:
        click.echo("  Nothing changed: it was so already.")
    if not undone:
        click.echo(f"mailweave people undo {taken.number} takes it back.")


def _different(some: Sequence[Known], others: Sequence[Known]) -> list[Known]:
    """Those of ``some`` who are not the same, with the same mail, among ``others``."""
    same = set(others)
    return [person for person in some if person not in same and person.sent + person.received]


def _some(addresses: Sequence[str]) -> str:
    more = f" and {len(addresses) - 4} more" if len(addresses) > 4 else ""
    return ", ".join(addresses[:4]) + more


COMMANDS = (people,)
