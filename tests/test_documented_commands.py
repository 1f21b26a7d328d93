"""What the documents tell people to type exists: every command with its options, every target of make.

A document may be wrong in its prose without anybody noticing; a command that is gone is noticed here.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from ui.cli import cli

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# In a line of code of its own, or between backticks. Placeholders such as PATH… are arguments like others.
INLINE = re.compile(r"`((?:mailweave|make) [^`]+)`")
LINE = re.compile(r"^\s*(?:\$ )?((?:mailweave|make) .+?)(?:\s{2,}.*|\s+#.*)?$")
FENCE = re.compile(r"^```.*?$(.*?)^```\s*?$", re.MULTILINE | re.DOTALL)


def commands_in(text: str) -> list[str]:
    """Commands in fenced blocks and between backticks; a bare name such as `mailweave` is no command."""
    fenced = [match[1] for block in FENCE.findall(text) for line in block.splitlines() if (match := LINE.match(line))]
    return [*fenced, *INLINE.findall(FENCE.sub("", text))]


def everything() -> list[tuple[str, str]]:
    """(document, command) of all documents, each once."""
    found = {(path.name, one) for path in DOCUMENTS for one in commands_in(path.read_text(encoding="utf-8"))}
    return sorted(found)


def checked(command: str) -> None:
    """Raises click.UsageError for a command or an option that does not exist."""
    program, *words = shlex.split(command.replace("…", ""))
    if program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        for target in (word for word in words if "=" not in word):
            if not re.search(rf"^(?:[\w-]+ )*{re.escape(target)}(?: [\w-]+)*:", makefile, re.MULTILINE):
                raise click.UsageError(f"the Makefile has no target {target}")
        return
    node: click.Command = cli
    while isinstance(node, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        below = node.commands.get(name)
        if below is None:
            raise click.UsageError(f"there is no command {name}")
        node = below
    known = {option for parameter in node.params for option in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"-h", "--help"}
    for word in words:
        if word.startswith("--") and word.split("=")[0] not in known:
            raise click.UsageError(f"{node.name} has no option {word}")


@pytest.mark.parametrize(("document", "command"), everything())
def test_a_documented_command_exists(document: str, command: str) -> None:
    checked(command)


def test_commands_are_found_in_blocks_and_between_backticks() -> None:
    text = 'Try `mailweave demo`, not `mailweave`.\n```sh\n$ make test   # all\nmailweave ask "Who?" --json\n```\n'
    assert commands_in(text) == ["make test", 'mailweave ask "Who?" --json', "mailweave demo"]


@pytest.mark.parametrize(
    "gone", ["mailweave fly", "mailweave ask --loudly 'Who?'", "mailweave models sell", "make tea"]
)
def test_a_command_that_is_gone_is_noticed(gone: str) -> None:
    with pytest.raises(click.UsageError):
        checked(gone)


def test_every_command_has_help_and_an_example() -> None:
    def walk(node: click.Command, path: str) -> None:
        if isinstance(node, click.Group):
            for name, below in node.commands.items():
                walk(below, f"{path} {name}")
        else:
            assert node.help, f"{path} has no help"
            assert node.epilog and node.epilog.startswith(f"Example: {path}"), f"{path} shows no example"
            checked(node.epilog.removeprefix("Example: "))

    walk(cli, "mailweave")
