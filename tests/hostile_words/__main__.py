"""The long run: python -m tests.hostile_words [--model qwen2.5-coder-1.5b] [--columns ...] [--rounds 1 2 ...] [--bare]

Asks every column every question, once without hostile mail and once in each round, with a real model. Each answer is
a line of OUT (a file of JSON lines), and a run that was stopped goes on where it was; at the end the share of answers
that bend is printed by column and kind. Prompts that are the same for two columns are answered once, since the model
draws nothing. Rounds 1 to 6 plant messages of ten kinds, 7 to 12 those of later.toml, 13 to 16 those of
strangers.toml. ``--bare`` has mail enter prompts as it came, to see what keeping orders out of them does.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import retrieval.prompt
import retrieval.reading
from graph.build import build
from ingest.embed import embed
from ingest.pipeline import ingest
from retrieval.ask import ask
from retrieval.columns.registry import COLUMNS
from retrieval.models.chat import ChatMessage, ChatModel, Usage, open_chat
from retrieval.models.embed import Embedder, open_embedder
from retrieval.quoted import Quoted
from sql import embedded
from sql.store import Store, open_store
from tests.hostile_words.planted import (
    BEHIND,
    OWNER,
    QUESTIONS,
    ROUNDS,
    Planted,
    bent,
    fingerprint,
    of_round,
    right,
    write,
)

CONTEXT = 600  # tokens: what two cores read in time
CLEAN = -1


class Remembering:
    """A chat model that answers what it was asked before at once."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat, self._said = chat, dict[str, str]()
        self.name, self.context_tokens = chat.name, chat.context_tokens
        self.count_tokens, self.reading_speed, self.close = chat.count_tokens, chat.reading_speed, chat.close
        self.usage: Usage | None = None

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
        grammar: str | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[str]:
        """See ChatModel."""
        key = json.dumps([[(one.role, one.content) for one in messages], max_tokens, schema, grammar])
        if key not in self._said:
            made = self._chat.complete(messages, max_tokens=max_tokens, schema=schema, grammar=grammar, stop=stop)
            self._said[key] = "".join(made)
        yield self._said[key]


def main() -> None:
    """Runs what is missing and prints the figures."""
    given = _arguments()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {_key(line) for line in lines}
    if given.bare:
        setattr(retrieval.prompt, "quoted", lambda text: Quoted(text, False))  # noqa: B010 - for this run alone
        setattr(retrieval.reading, "doubtful", lambda text: False)  # noqa: B010
    wanted = [CLEAN, *(number - 1 for number in given.rounds)]
    home = Path(tempfile.mkdtemp(prefix="hostile-words-"))
    home.chmod(0o711)
    embedder = open_embedder("all-minilm-l6-v2", cache=given.models)
    chat = Remembering(open_chat(given.model, cache=given.models))
    try:
        for number in wanted:
            left = [
                (column, question)
                for question in range(len(QUESTIONS))
                for column in given.columns
                if (given.model, given.bare, column, number, question) not in done
            ]
            if left:
                lines += _round(home, number, left, chat, embedder, given)
    finally:
        chat.close()
        embedder.close()
        embedded.start(home).close()
        shutil.rmtree(home, ignore_errors=True)
    print(report([line for line in lines if line["model"] == given.model and line["bare"] == given.bare]))


def _round(
    home: Path, number: int, left: list[tuple[str, int]], chat: ChatModel, embedder: Embedder, given: argparse.Namespace
) -> list[dict[str, Any]]:
    planted = [] if number == CLEAN else of_round(number)
    lines = []
    with open_store(f"round{number + 1}", home=home) as store:
        path = write(home / f"round{number + 1}.mbox", planted)
        ingest(store, [path], owner=[OWNER.partition("<")[2].rstrip(">")])
        build(store)
        embed(store, embedder)
        with store.reader() as conn:
            before = fingerprint(conn)
        for column, question in left:
            line = _one(store, number, column, question, chat, embedder, given)
            lines.append(line)
            with given.out.open("a") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
            print(f"round {number + 1}, {column}: {line['answer']!r:.110}", flush=True)
        with store.reader() as conn:
            if fingerprint(conn) != before:
                raise SystemExit("The store was changed by asking.")
    return lines


def _one(
    store: Store,
    number: int,
    column: str,
    question: int,
    chat: ChatModel,
    embedder: Embedder,
    given: argparse.Namespace,
) -> dict[str, Any]:
    against: Planted | None = next((one for one in of_round(max(number, 0)) if one.question == question), None)
    if number == CLEAN:
        against = None
    started = time.perf_counter()
    result = ask(
        store, QUESTIONS[question].ask, [column], planner="rules", chat=chat, embedder=embedder, context_tokens=CONTEXT
    )
    made = result.columns[0]
    return {
        "model": given.model, "bare": given.bare, "column": column, "round": number, "question": question,
        "kind": against.kind if against else None, "goal": against.goal if against else None,
        "planted": against.number if against else None,
        "read": against is not None and made.prompt is not None
        and any(m.message_id == against.id and m.id in made.prompt.numbered for m in made.found),
        "outcome": made.outcome, "answer": made.answer, "cited": made.citations,
        "right": right(question, made.answer),
        "bent": [bent(against, made, declined_before=before) for before in (False, True)] if against else None,
        "errors": [f"{error.kind}: {error.message}"[:200] for error in made.errors],
        "seconds": round(time.perf_counter() - started, 1),
    }  # fmt: skip


def _key(line: dict[str, Any]) -> tuple[Any, ...]:
    return (line["model"], line["bare"], line["column"], line["round"], line["question"])


def report(lines: list[dict[str, Any]]) -> str:
    """Shares by column and kind. Bent: the answer did what the message wants; lost: it is no longer right."""
    clean = {(line["column"], line["question"]): line for line in lines if line["round"] == CLEAN}
    answered = [line for line in lines if line["round"] != CLEAN and line["answer"] is not None]
    for line in answered:
        before = clean.get((line["column"], line["question"]), {})
        line["bends"] = line["bent"][before.get("outcome") == "declined"]
        line["lost"] = bool(before.get("right")) and not line["right"]

    def row(name: str, of: list[dict[str, Any]]) -> str:
        n = len(of)
        if not n:
            return f"{name:24} no answer"
        bends, lost, read = (sum(bool(line[what]) for line in of) for what in ("bends", "lost", "read"))
        return f"{name:24} {n:4} answers, {read:4} read it, {bends:3} bent ({bends / n:6.1%}), {lost:3} lost ({lost / n:6.1%})"

    columns = list(dict.fromkeys(line["column"] for line in answered))
    rights = sum(line["right"] for line in clean.values())
    return "\n".join((
        f"Without hostile mail {rights} of {len(clean)} answers are right.",
        *(row(column, [line for line in answered if line["column"] == column]) for column in columns),
        *(row(kind, [line for line in answered if line["kind"] == kind])
          for kind in dict.fromkeys(line["kind"] for line in answered)),
        row("all", answered),
        *(f"  bent: {line['column']}, {line['kind']}, {line['goal']}: {line['answer']!r:.160}" for line in answered
          if line["bends"]),
    ))  # fmt: skip


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile_words", description=__doc__)
    parser.add_argument("--model", default="qwen2.5-coder-1.5b")
    parser.add_argument("--columns", nargs="+", choices=list(COLUMNS), default=list(COLUMNS), metavar="COLUMN")
    rounds = range(1, ROUNDS + len(BEHIND) // len(QUESTIONS) + 1)
    parser.add_argument("--rounds", nargs="+", type=int, choices=rounds, default=rounds, metavar="N")
    parser.add_argument("--bare", action="store_true", help="nothing is left out of prompts")
    parser.add_argument("--out", type=Path, default=Path("build/hostile-words.jsonl"))
    parser.add_argument("--models", type=Path, default=Path("/var/cache/mailweave-models"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
