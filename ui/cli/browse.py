"""demo and ui: the page in the browser, over the fictional mailbox or one's own."""

from __future__ import annotations

import click

from ui.cli.bars import Bars
from ui.cli.common import Invocation, options

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
    from ui import workspace
    from ui.server import serve

    settings = invocation.given()
    workspace.open_workspace(settings)
    serve(port, open_browser=not headless, query=f"store={settings.store}")


@click.command(epilog="Example: mailweave demo")
@page_options
@click.option("--no-page", is_flag=True, help="Build and ingest only.")
@options
def demo(invocation: Invocation, port: int, headless: bool, no_page: bool) -> None:
    """A fictional mailbox of a small consultancy, ingested into the store 'demo' and opened in the browser.

    Models are fetched while the page is already open. Your own mail stays in another store.
    """
    from dataclasses import replace

    from ui import workspace
    from ui.demo.build import OWNER, build
    from ui.reading import read_mail
    from ui.server import serve

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
    if not no_page:
        workspace.open_workspace(settings)
        serve(port, open_browser=not headless, query=f"store={DEMO}")


COMMANDS = (demo, ui)
