"""What every command shares: the options, the store, and two ways of output.

``--json`` prints one JSON object on standard output and nothing else there; words and bars go to standard error.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ui.errors import EmptyStore
from ui.settings import Settings, read_settings

if TYPE_CHECKING:
    from sql.store import Store


@dataclass
class Invocation:
    """One run of the program. Filled in when the options of the command are known."""

    json: bool = False
    debug: bool = False
    settings: Settings | None = None

    def given(self) -> Settings:
        """The settings of this run."""
        assert self.settings is not None, "options() reads the settings before a command runs"
        return self.settings

    def emit(self, data: object) -> None:
        """Prints ``data`` as JSON: a dataclass, a mapping or a list."""
        click.echo(json.dumps(data, default=plain, ensure_ascii=False, indent=2))

    def say(self, text: str) -> None:
        """A line for the person; nothing where JSON was asked for."""
        if not self.json:
            click.echo(text)

    @contextmanager
    def store(self, *, with_mail: bool = True) -> Iterator[Store]:
        """The store of this run. Raises :class:`EmptyStore` where mail is needed and there is none."""
        from sql.store import open_store

        settings = self.given()
        settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open_store(settings.store, dsn=settings.dsn, home=settings.home) as store:
            if with_mail:
                require_mail(store)
            yield store


def require_mail(store: Store) -> None:
    """Raises :class:`EmptyStore` when the store holds no message."""
    with store.reader() as conn:
        empty = conn.execute("SELECT NOT EXISTS (SELECT FROM mail.message)").fetchone() == (True,)
    if empty:
        flag = "" if store.name == "default" else f" --store {store.name}"
        raise EmptyStore(
            f"The store '{store.name}' holds no mail yet. Read some with: mailweave ingest PATH{flag} "
            "(or look at a fictional mailbox: mailweave demo)"
        )


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--store``, ``--json`` and ``--debug``, which every command has; the command gets the :class:`Invocation`."""

    @click.option(
        "--store", metavar="NAME", help="Which store: one database with one or more mailboxes. [default: default]"
    )
    @click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
    @click.option("--debug", is_flag=True, help="Show where an error stands in the program.")
    @click.pass_obj
    @functools.wraps(command)
    def wrapped(invocation: Invocation | None, /, *, store: str | None, as_json: bool, debug: bool, **rest: Any) -> Any:
        invocation = invocation or Invocation()
        invocation.json, invocation.debug = as_json, debug
        invocation.settings = read_settings({"store": store, **rest.pop("settings", {})})
        return command(invocation, **rest)

    return wrapped


class ListsByDefault(click.Group):
    """A group whose name alone, or with options of its command ``list``, is that command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts the name of the command in where none is."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)


def plain(value: object) -> object:
    """JSON for what the json module does not know."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    if isinstance(value, Path):
        return str(value)
    return str(value)
