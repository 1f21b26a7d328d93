"""demo and ui: the page in the browser, over the fictional mailbox or one's own."""

from __future__ import annotations

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options
from ui.settings import Settings

DEMO = "demo"


def page_options(command: click.decorators.FC) -> click.decorators.FC:
    """Where the page is served."""
    command = click.option("--headless", is_flag=True, help="Do not open a browser.")(command)
    return click.option(
        "--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="Of this machine."
    )(command)


@click.command(epilog="Example: mailweave ui --store work")
@page_options
@options
def ui(invocation: Invocation, port: int, headless: bool) -> None:
    """Open the page that asks several ways of looking the same question, side by side.

    It is served to this machine alone.
    """
    _open_page(invocation.given(), port, headless, fetch=False)


@click.command(epilog="Example: mailweave demo")
@page_options
@click.option("--no-page", is_flag=True, help="Build and ingest only.")
@click.option("--no-models", is_flag=True, help="Neither install the model engine nor fetch models.")
@options
def demo(invocation: Invocation, port: int, headless: bool, no_page: bool, no_models: bool) -> None:
    """A fictional mailbox of a small consultancy, ingested into the store 'demo' and opened in the browser.

    Models are fetched while the page is already open. Your own mail stays in another store.
    """
    from dataclasses import replace

    from ui.demo.build import OWNER, build
    from ui.reading import read_mail

    invocation.settings = settings = replace(invocation.given(), store=DEMO)
    folder = settings.home / "demo-mailbox"
    with Bars(quiet=invocation.json) as bars:
        bars.step("writing the mailbox", None)
        folder.mkdir(parents=True, exist_ok=True)
        build(folder)
        bars.step("opening the store", None)
        with invocation.store(with_mail=False) as store:
            result = read_mail(store, [folder], owner=[OWNER], progress=bars)
    if invocation.json:
        invocation.emit(result)
    else:
        for line in result.words():
            click.echo(line)
    if not no_page:
        _open_page(settings, port, headless, fetch=not no_models)


def _open_page(settings: Settings, port: int, headless: bool, *, fetch: bool) -> None:
    from ui import lanes, workspace
    from ui.server import serve

    space = workspace.open_workspace(settings)
    space.warm()
    lanes.begin(space, settings.store, fetch=fetch)
    try:
        serve(port, open_browser=not headless, query=f"store={settings.store}")
    finally:
        space.close()


COMMANDS = (demo, ui)
