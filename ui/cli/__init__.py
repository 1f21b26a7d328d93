"""The command line. One module a group of commands; this one holds the group and the outermost edge.

Commands import what they work with inside their functions, so that ``mailweave --help`` answers at once and
``mailweave doctor`` runs where half of the program is missing.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Sequence

import click

from ui.cli import (
    ablation,
    analytics,
    backup,
    browse,
    evaluation,
    export,
    labelling,
    machine,
    mailbox,
    people,
    questions,
    show,
    themes,
)
from ui.cli.common import Invocation

OWN_PACKAGES = {"sql", "ingest", "graph", "retrieval", "ui"}


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Try it without your own mail: mailweave demo",
)
@click.version_option(package_name="mailweave", message="mailweave %(version)s")
def cli() -> None:
    """Explore your own mailbox by its structure and by its words, side by side.

    Nothing leaves this machine.
    """


for module in (
    browse, mailbox, backup, people, show, questions, evaluation, labelling, ablation, analytics, themes,
    export, machine,
):  # fmt: skip
    for command in module.COMMANDS:
        cli.add_command(command)


def main() -> None:
    """The program ``mailweave``: exit code 0 done, 1 failed, 2 wrong use."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code. The only place that catches everything.

    A named error of the project is shown as its message, which says what to do. Anything else is a fault of ours and
    is called one. A stack trace is shown with ``--debug`` alone.
    """
    invocation = Invocation()
    try:
        code = cli.main(list(arguments), prog_name="mailweave", standalone_mode=False, obj=invocation)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped. What was finished is kept; the same command goes on from there.", err=True)
        return 1
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output went away, as `| head` does: nothing to report
        return 0
    except Exception as error:
        _without_mail(error)
        if invocation.debug:
            traceback.print_exc()
        return _report(error, invocation)


def _without_mail(error: BaseException | None) -> None:
    """What the database says of an error may quote the row that it was about: of its words only the first line stays,
    in the error itself and in those that it came from."""
    import psycopg

    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, psycopg.Error) and error.diag.message_primary:
            error.args = (error.diag.message_primary,)
        error = error.__cause__ or error.__context__


def _report(error: Exception, invocation: Invocation) -> int:
    kind = type(error).__name__
    named = type(error).__module__.split(".")[0] in OWN_PACKAGES
    message, hint = str(error) or kind, str(getattr(error, "hint", ""))
    if not named:
        hint = (
            ""
            if invocation.debug
            else "This is a fault of mailweave. Run it again with --debug to see where it stands."
        )
        message = f"{kind}: {message}"
    if invocation.json:
        click.echo(json.dumps({"error": {"kind": kind, "message": message, "hint": hint}}, ensure_ascii=False))
    click.secho(f"Error: {message}", fg="red", err=True)
    if hint:
        click.echo(hint, err=True)
    return int(getattr(error, "exit_code", 1))
