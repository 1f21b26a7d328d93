"""New text beside the libraries, and how fast it is told. `python -m tests.bench.new_text`.

Scores are those of the shared script, suite by suite; speed is processor time of one core over real mail.
"""

from __future__ import annotations

import importlib.util
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from ingest.new_text import split, strip
from ingest.sources import find, read
from ingest.types import RawMessage
from tests.bench import strippers
from tests.bench.figures import table
from tests.shared import shared_data

SHORT = 2_000  # characters
Stripper = Callable[[dict[str, Any], str], str]

COLUMNS: dict[str, Stripper] = {
    "mailweave": lambda case, text: strip(text, case["html"], keep_signature=not case["strips_signature"]),
    "quotequail": lambda case, text: strippers.quotequail(text, case["html"]),
    "mail-parser-reply": lambda case, text: strippers.mail_parser_reply(text, case["html"]),
    "as it is": lambda case, text: strippers.untouched(text, case["html"]),
}


def main() -> None:
    """Print the table of scores and the speeds."""
    print(scores())
    print()
    for line in speeds():
        print(line)


def scores() -> str:
    """Cases right by suite and column, then precision and recall of lines."""
    judge = _score_script()
    lines = shared_data("replies", "cases-dev.jsonl").read_text(encoding="utf-8").splitlines()
    right: dict[tuple[str, str], int] = defaultdict(int)
    cases: dict[str, int] = defaultdict(int)
    kept: dict[str, list[int]] = {column: [0, 0, 0] for column in COLUMNS}
    for case in map(json.loads, lines):
        text = judge.body(case)
        if judge.judge(case, "") is None:
            continue
        cases[case["suite"]] += 1
        for column, stripped in COLUMNS.items():
            try:
                out = stripped(case, text)
            except Exception:  # a library may fail on a case: then it has not got it right
                out = ""
            right[case["suite"], column] += bool(judge.judge(case, out))
            if counted := judge.prf(case, out):
                kept[column] = [a + b for a, b in zip(kept[column], counted, strict=True)]
    rows = [[suite, str(n), *(str(right[suite, column]) for column in COLUMNS)] for suite, n in sorted(cases.items())]
    total = sum(cases.values())
    sums = {column: sum(right[suite, column] for suite in cases) for column in COLUMNS}
    rows.append(["all", str(total), *(f"{sums[column]} ({sums[column] / total:.3f})" for column in COLUMNS)])
    rows.append(["line precision", "", *(f"{kept[column][0] / kept[column][1]:.3f}" for column in COLUMNS)])
    rows.append(["line recall", "", *(f"{kept[column][0] / kept[column][2]:.3f}" for column in COLUMNS)])
    return table(["suite", "cases", *COLUMNS], rows)


def speeds() -> Iterable[str]:
    """Messages a second of one core."""
    plain = [text for text in _bodies("enron", "kitchen-l") if text]
    yield _speed(f"text of up to {SHORT:,} characters", [(text, None) for text in plain if len(text) <= SHORT])
    yield _speed("all text of kitchen-l", [(text, None) for text in plain])
    html = [case for case in _cases() if case[1]]
    yield _speed("HTML of the reply cases", html * 20)


def _speed(what: str, messages: list[tuple[str, str | None]]) -> str:
    started = time.process_time()
    for text, html in messages:
        split(text, html)
    seconds = time.process_time() - started
    characters = sum(len(html or text) for text, html in messages) // len(messages)
    return (
        f"{what}: {len(messages) / seconds:,.0f} messages a second ({len(messages):,}, {characters:,} characters each)"
    )


def _bodies(*parts: str) -> Iterable[str]:
    """The text of each message, as it stands in the source; these are all of one plain part."""
    for file in find(shared_data(*parts)).files:
        for raw in read(file):
            if isinstance(raw, RawMessage):
                yield raw.data.replace(b"\r\n", b"\n").partition(b"\n\n")[2].decode("utf-8", "replace")


def _cases() -> Iterable[tuple[str, str | None]]:
    judge = _score_script()
    for line in shared_data("replies", "cases-dev.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        text = judge.body(case)
        yield ("", text) if case["html"] else (text, None)


def _score_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", shared_data("replies", "score.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
