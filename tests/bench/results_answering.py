"""Results with a writing model, over few questions, since each takes seconds: answers, and columns that ask the model.

The questions are taken evenly out of the set, so that each kind has its part. How much a prompt may hold is fixed,
because what follows the speed of the machine would give other answers on a busy one.
"""

from __future__ import annotations

import json
from pathlib import Path

from retrieval.columns.registry import COLUMNS
from tests.bench.figures import ASKING, ROOT, Box, Claims, measured, share, short, table, typed
from ui.measuring import BUILT_IN

ANSWERED = "vector,graph,combined"
CONTEXT = "600"  # tokens
COMPUTED = {"aggregate_count", "aggregate_rank", "list_all", "mention_count", "mention_list", "multi_hop", "negation"}


def answers(box: Box, n: int, claims: Claims) -> str:
    """What written answers hold, by strings and numbers and, where one is set, by a judge model."""
    path = _subset("answers", n, computed_only=False)
    command = ["evaluate", str(path), "--with", ANSWERED, "--planner", "rules", "--context-tokens", CONTEXT]
    command += ["--store", box.store]
    made, told = measured(command), typed(command)
    rows = [
        [
            column, share(one["overall"]["facts_found"]), share(one["overall"]["facts_judged"]),
            share(one["overall"]["refused_right"]), short(one["overall"]["citations"]),
            str(one["overall"]["unknown_citations"]), f"{one['overall']['median_ms']['value'] / 1000:.1f} s",
            ", ".join(f"{outcome.replace('_', ' ')} {count}" for outcome, count in one["overall"]["outcomes"].items()),
        ]
        for column, one in made["retrievers"].items()
    ]  # fmt: skip
    for column, one in made["retrievers"].items():
        value = one["overall"]["facts_found"]
        claims.add(share(value), f"facts found in answers of {column}", told, box.name)
        if value and value["value"] < 0.5:
            claims.badly.append(
                f"Answers of {column} on {box.name} hold {value['value']:.2f} of the facts asked for: the small model "
                "reads few messages in time, and what was not retrieved it cannot tell."
            )
    heads = [
        "column", "facts found", "facts by judge", "refusals right", "citations an answer",
        "citations of nothing retrieved", "time", "outcomes",
    ]  # fmt: skip
    return f"""## Written answers on {box.name}

{made["questions"]} questions out of the set, evenly spread, answered by {made["settings"]["chat"]}; judge:
{(made["judge"] or {"model": "none is set"})["model"]}. At most {CONTEXT} tokens of facts and messages stand in a prompt,
however fast the machine is. `{told}`

{table(heads, rows)}

Tokens of a prompt (median) and retries (mean), by kind of question:

{_cost(made, ("tokens", "retries"))}"""


def asking(box: Box, n: int, claims: Claims) -> str:
    """Columns that ask the model while they look, beside graph, over questions that have a value."""
    columns = [name for name in COLUMNS if name in ASKING]
    if not columns:
        return ""
    path = _subset("asking", n, computed_only=True)
    command = ["evaluate", str(path), "--with", ",".join(["graph", *columns]), "--no-answer", "--planner", "rules"]
    command += ["--store", box.store]
    made, told = measured(command), typed(command)
    rows = []
    for column, one in made["retrievers"].items():
        overall = one["overall"]
        rows.append(
            [
                column, share(overall["value_correct"]), share(overall["recall@12"]), short(overall["retries"]),
                f"{overall['median_ms']['value'] / 1000:.1f} s",
                ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in overall["outcomes"].items()),
                ", ".join(f"{kind} {count}" for kind, count in overall["errors"].items()) or "none",
            ]
        )  # fmt: skip
        if overall["value_correct"]:
            claims.add(share(overall["value_correct"]), f"values right of {column}", told, box.name)
    return f"""## Columns that ask the model while they look, on {box.name}

{made["questions"]} of the questions that have a value, evenly spread: {", ".join(columns)} take seconds for each. Model:
{made["settings"]["chat"]}. `{told}`

{table(["column", "values right", "recall@12", "retries", "time", "outcomes", "errors"], rows)}

Retries by kind of question (mean):

{_cost(made, ("retries",))}"""


def _cost(made: dict[str, object], names: tuple[str, ...]) -> str:
    columns: dict[str, dict[str, dict[str, dict[str, dict[str, float]]]]] = made["retrievers"]  # type: ignore[assignment]
    kinds = next(iter(columns.values()))["by_kind"]
    rows = []
    for kind in kinds:
        cells = [one["by_kind"][kind] for one in columns.values()]
        rows.append([kind, *(" / ".join(_number(cell[name]) for name in names) for cell in cells)])
    return table(["kind", *columns], rows)


def _number(value: dict[str, float] | None) -> str:
    if value is None:
        return "–"
    return f"{value['value']:,.0f}" if value["value"] >= 10 else f"{value['value']:.1f}"


def _subset(name: str, n: int, *, computed_only: bool) -> Path:
    """Writes ``n`` questions of the fictional mailbox's set, evenly spread; gives the path as a command names it."""
    lines = BUILT_IN["demo"].read_text(encoding="utf-8").splitlines()
    if computed_only:
        lines = [line for line in lines if json.loads(line)["kind"] in COMPUTED]
    taken = [lines[place * len(lines) // n] for place in range(min(n, len(lines)))]
    path = Path(f"build/{name}.jsonl")
    (ROOT / path).parent.mkdir(exist_ok=True)
    (ROOT / path).write_text("\n".join(taken) + "\n", encoding="utf-8")
    return path
