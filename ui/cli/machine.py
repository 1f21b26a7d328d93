"""doctor and models: what this machine has, what is missing, and how to get it."""

from __future__ import annotations

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options
from ui.settings import wanted_models


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

    cache = invocation.given().models
    entries = [
        {
            "name": entry.name,
            "role": entry.role,
            "default": entry.default,
            "here": entry.is_in(cache),
            "download_bytes": entry.download_bytes,
            "licence": entry.licence,
            "languages": entry.languages,
            "checked": entry.checked,
            "note": entry.note,
        }
        for entry in catalogue.models()
    ]
    if invocation.json:
        invocation.emit(entries)
        return
    for entry in entries:
        mark = click.style("✓", fg="green") if entry["here"] else "·"
        role = f"{entry['role']}{', default' if entry['default'] else ''}"
        click.echo(f"{mark} {entry['name']:<26} {role:<15} {size_of(entry['download_bytes']):>7}  {entry['licence']}")
        click.echo(click.style(f"  {entry['languages']}; {entry['note']}", dim=True))
    click.echo(f"\nThey are kept in {cache}. Any other GGUF file can be named by its path, a server by its address.")


@models.command(epilog="Example: mailweave models pull qwen2.5-coder-1.5b")
@click.argument("names", nargs=-1)
@click.option("--unverified", is_flag=True, help="Accept a file for which the catalogue knows no checksum.")
@options
def pull(invocation: Invocation, names: tuple[str, ...], unverified: bool) -> None:
    """Fetch models by NAME into the cache; without a NAME, those that the settings use.

    Each file is checked by its sha256. An interrupted download goes on where it stopped.
    """
    from retrieval.models.pull import pull as fetch

    settings = invocation.given()
    settings.models.mkdir(parents=True, exist_ok=True)
    pulled = []
    with Bars(quiet=invocation.json) as bars:
        for name in names or wanted_models(settings):
            bars.step(name, None, "bytes")
            path = fetch(
                name,
                settings.models,
                unverified=unverified,
                progress=lambda done, total, what: bars.at(done, total, what),
            )
            pulled.append({"name": name, "path": str(path), "bytes": path.stat().st_size})
    if invocation.json:
        invocation.emit(pulled)
    for one in pulled:
        invocation.say(f"{one['name']}: {one['path']}")


def size_of(number: object) -> str:
    """Bytes as a person reads them."""
    if not isinstance(number, int):
        return "?"
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"


COMMANDS = (doctor, models)
