"""doctor and models: what this machine has, what is missing, and how to get it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ui.cli.common import Invocation, options


@click.command(epilog="Example: mailweave doctor")
@options
def doctor(invocation: Invocation) -> None:
    """Say in words what is missing on this machine, and how to get it.

    Exit code 1 when something is missing without which mailweave cannot work at all.
    """
    from ui.doctor import examine

    findings = examine(invocation.given())
    if invocation.json:
        invocation.emit([finding.as_json() for finding in findings])
    else:
        marks = {"ok": ("✓", "green"), "missing": ("·", "yellow"), "broken": ("✗", "red")}
        for finding in findings:
            mark, colour = marks[finding.state]
            click.echo(f"{click.style(mark, fg=colour)} {finding.what}: {finding.words}")
            if finding.remedy:
                click.echo(f"  → {finding.remedy}")
    if any(finding.state == "broken" for finding in findings):
        raise click.exceptions.Exit(1)


@click.group()
def models() -> None:
    """The models that answer, embed and rerank: list them, fetch them."""


@models.command("list", epilog="Example: mailweave models list")
@options
def list_models(invocation: Invocation) -> None:
    """The models that can be named, with size, licence, languages, and whether they are here."""
    from retrieval.models import catalogue

    settings = invocation.given()
    entries = [catalogue.describe(entry, settings.models) for entry in catalogue.entries()]
    if invocation.json:
        invocation.emit(entries)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("", "name", "role", "size", "licence", "languages", "note"):
        table.add_column(heading, overflow="fold")
    for entry in entries:
        table.add_row(*_row(entry))
    invocation.console().print(table)


@models.command(epilog="Example: mailweave models pull qwen2.5-coder-1.5b")
@click.argument("names", nargs=-1)
@click.option("--from", "path", type=click.Path(path_type=Path), help="Take the file from here instead of fetching it.")
@click.option("--unverified", is_flag=True, help="Accept a file for which the catalogue knows no checksum.")
@options
def pull(invocation: Invocation, names: tuple[str, ...], path: Path | None, unverified: bool) -> None:
    """Fetch models by NAME into the cache; without a NAME, those that the settings use. Goes on where it stopped."""
    raise NotImplementedError


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(entry[key]) for key in ("here", "name", "role", "size", "licence", "languages", "note"))


COMMANDS = (doctor, models)
