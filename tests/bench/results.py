"""Measures what README and docs claim, and writes it down: `make results` makes docs/results.md and docs/claims.md.

Every figure comes from a command that anybody can run, over the fictional mailbox, and over the shared real mailboxes
where they stand beside the checkout (of these only figures are written, no names and no text). What went badly is
written too. Stores are named results-…; a second run reads nothing again.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from tests.bench.figures import DATA, ROOT, Box, Claims, run, sizes, table
from tests.bench.results_answering import answers, asking
from tests.bench.results_retrieving import ablations, generated, overlap, right, sara
from tests.shared import SHARED
from ui.demo.build import OWNER, build
from ui.measuring import revision

DEMO = Path("build/demo-mailbox")


def main() -> None:
    """Runs all commands and writes both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=15, help="So many questions of the demo are answered.")
    parser.add_argument("--asking", type=int, default=6, help="And so many put to columns that ask a model.")
    parser.add_argument("--small", action="store_true", help="The fictional mailbox alone: to try this program.")
    parser.add_argument("--to", type=Path, default=ROOT / "docs", help="The folder of the two files.")
    given = parser.parse_args()
    (ROOT / DEMO).mkdir(parents=True, exist_ok=True)
    build(ROOT / DEMO)
    boxes = [Box("demo", "the fictional mailbox", "results-demo", (DEMO,), "demo", OWNER)]
    if (SHARED / "data/enron/kitchen-l").exists() and not given.small:
        boxes.append(
            Box("kitchen-l", "a manager's mailbox of the Enron corpus, public record", "results-kitchen",
                (DATA / "enron/kitchen-l",), str(DATA / "questions/kitchen-l.jsonl"))
        )  # fmt: skip
    load = os.getloadavg()[0]  # what other programs do, before this one does anything
    claims = Claims()
    parts = [_data(boxes, claims)]
    for box in boxes:
        parts += [overlap(box, claims), right(box, claims), generated(box, claims)]
    if (SHARED / "data/sara").exists() and not given.small:
        parts.append(sara(claims))
    parts.append(ablations(boxes[0], claims))
    if given.answers:
        parts.append(answers(boxes[0], given.answers, claims))
    if given.asking:
        parts.append(asking(boxes[0], given.asking, claims))
    given.to.mkdir(exist_ok=True)
    (given.to / "results.md").write_text(
        "\n\n".join(filter(None, [_head(load), *parts, _badly(claims)])) + "\n", encoding="utf-8"
    )
    (given.to / "claims.md").write_text(_claims(claims), encoding="utf-8")


def _head(load: float) -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    return f"""# Results

Written by `make results` on {date.today():%Y-%m-%d}, commit {commit.strip()}, program {revision()}, Python
{platform.python_version()}, {os.cpu_count()} cores, a load of {load:.1f} from other programs when it began. Embeddings:
all-MiniLM-L6-v2. Planner: rules. To repeat it: `make results` in a checkout; to look at a run question by question:
`mailweave ui --store results-demo`, page Results.

Shares stand with their 95 % interval (Wilson's for right or wrong, bootstrap for means) and the number of questions.
The questions on the fictional mailbox and on kitchen-l were seen while the program was written, so they show what it
can do with questions of their kinds. The generated sets were not looked at one by one; their wordings come from a list
that the rules were improved on, their people, months, words and conversations do not."""


def _data(boxes: Sequence[Box], claims: Claims) -> str:
    rows = []
    for box in boxes:
        command = ["ingest", *map(str, box.paths), "--store", box.store, *(["--owner", box.owner] if box.owner else [])]
        run(command)
        size = sizes(box.store)
        hidden = 1 - size["new"] / size["bodies"]
        rows.append(
            [
                box.name, f"{size['messages']:,}", f"{size['copies']:,}", f"{size['people']:,}", f"{size['threads']:,}",
                f"{size['chunks']:,}", f"{size['bytes'] / 1e6:.1f} MB", f"{size['bodies'] / 1e6:.2f}",
                f"{size['new'] / 1e6:.2f}", f"{hidden:.0%}", f"{size['median']:,.0f}",
            ]
        )  # fmt: skip
        claims.add(
            f"{hidden:.0%}", "of the characters of message bodies are quoted history, signatures, footers and hidden",
            "make results", box.name,
        )  # fmt: skip
    heads = [
        "mailbox", "messages", "copies", "people", "threads", "chunks", "export", "bodies, M characters", "new text",
        "hidden", "median new characters",
    ]  # fmt: skip
    return "## The mail, before and after stripping\n\n" + table(heads, rows)


ALWAYS = """* Few questions: with 60 to 70, intervals are twenty points wide and more; most differences between columns that find
  text are within them. Only the gap between columns that compute values and columns that do not is beyond doubt.
* graph finds few needed messages for questions about what was said: most name nobody, nothing links, and it says so.
* Columns that only find text get no value right, by construction: a count is not a message. What a model makes of
  their messages is measured with answers alone.
* Automated mail, ties and people with one name are where counts depend on the reading; facts say which one they took."""


def _badly(claims: Claims) -> str:
    return "## What went badly\n\n" + "\n".join([*(f"* {line}" for line in claims.badly), ALWAYS])


def _claims(claims: Claims) -> str:
    rows = [
        [number, means, f"`{command}`", data, f"{date.today():%Y-%m-%d}"]
        for number, means, command, data in claims.rows
    ]
    return (
        "# Claims\n\nEvery measured number with the command that gives it, the data, and the day it was last measured. "
        "Written by `make results`.\n\n" + table(["number", "what", "command", "data", "date"], rows) + "\n"
    )


if __name__ == "__main__":
    main()
