"""compare and evaluate as a person runs them, over the fictional mailbox with the real embedder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sql.store import Store
from tests.ui.cli.conftest import Mailweave


def few(path: Path, n: int) -> Path:
    """The first questions of the built-in set, one of each kind in turn."""
    from ui.measuring import BUILT_IN

    lines = BUILT_IN["demo"].read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:: len(lines) // n][:n]) + "\n", encoding="utf-8")
    return path


def test_compare_begins_with_what_two_columns_share(mailweave: Mailweave, tmp_path: Path) -> None:
    code, out, _ = mailweave(
        "compare", str(few(tmp_path / "q.jsonl", 6)), "--with", "vector,graph", "--no-answer", "--planner", "rules"
    )
    assert code == 0
    first = out.splitlines()[0]
    assert first.startswith("vector and graph share ") and first.endswith(" of 12 messages.")


def test_compare_needs_no_gold(mailweave: Mailweave, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    question = {"id": "1", "kind": "lookup", "question": "Which boat sank?", "gold_message_ids": [["<no@x.example>"]]}
    path.write_text(json.dumps(question) + "\n")
    code, out, _ = mailweave("compare", str(path), "--with", "vector,lexical", "--no-answer", "--json")
    made = json.loads(out)
    assert code == 0 and made["questions"] == 1
    assert made["pairs"][0].keys() >= {"a", "b", "shared", "of", "distribution", "by_kind"}
    assert made["columns"]["vector"]["hits"] == 12


def test_evaluate_measures_the_built_in_set(mailweave: Mailweave) -> None:
    code, out, err = mailweave(
        "evaluate", "demo", "--with", "lexical,graph,auto", "--no-answer", "--planner", "rules", "--json"
    )
    report = json.loads(out)
    assert code == 0 and err == ""
    assert report["questions"] == 70 and report["excluded"] == [] and report["finished"]
    graph = report["retrievers"]["graph"]["overall"]
    assert graph["value_correct"]["n"] == 32 and graph["value_correct"]["value"] > 0.2
    assert report["retrievers"]["lexical"]["overall"]["recall@12"]["value"] > 0.2
    assert report["retrievers"]["lexical"]["overall"]["facts_found"] is None
    assert sum(report["router"]["chosen"].values()) == 70


def test_a_small_set_is_warned_about(mailweave: Mailweave, tmp_path: Path) -> None:
    code, out, _ = mailweave(
        "evaluate", str(few(tmp_path / "q.jsonl", 5)), "--with", "lexical", "--no-answer", "--planner", "rules"
    )
    assert code == 0 and "too few to tell columns apart" in " ".join(out.split())


def test_a_later_run_shows_what_changed(mailweave: Mailweave, tmp_path: Path) -> None:
    arguments = ("evaluate", str(few(tmp_path / "q.jsonl", 4)), "--with", "lexical", "--no-answer", "--json")
    first = json.loads(mailweave(*arguments)[1])
    for against in ("last", str(first["run"])):
        made = json.loads(mailweave(*arguments, "--against", against)[1])
        assert made["against"]["columns"]["lexical"]["answers_that_differ"] == 0
    code, _, err = mailweave(*arguments, "--against", "999999")
    assert code == 2 and "There is no run 999999" in err and str(first["run"]) in err


def test_two_runs_with_nothing_cached_find_the_same(mailweave: Mailweave, tmp_path: Path) -> None:
    code, out, _ = mailweave(
        "evaluate", str(few(tmp_path / "q.jsonl", 5)), "--with", "vector,graph", "--no-answer", "--planner", "rules",
        "--twice", "--json",
    )  # fmt: skip
    report = json.loads(out)
    assert code == 0
    assert report["against"]["run"] < report["run"]
    assert all(one["answers_that_differ"] == 0 for one in report["against"]["columns"].values())


def test_a_judge_that_is_set_and_not_there_is_told_before_anything_is_asked(
    mailweave: Mailweave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAILWEAVE_JUDGE_MODEL", "no-such-model")
    questions = str(few(tmp_path / "q.jsonl", 4))
    code, out, _ = mailweave("evaluate", questions, "--with", "graph", "--planner", "rules", "--json")
    assert code == 1 and "no model 'no-such-model'" in json.loads(out)["error"]["message"]
    code, out, _ = mailweave("evaluate", questions, "--with", "graph", "--planner", "rules", "--no-answer", "--json")
    assert code == 0 and json.loads(out)["judge"] is None


def test_the_last_run_is_one_of_the_same_columns(mailweave: Mailweave, tmp_path: Path) -> None:
    first = ("evaluate", str(few(tmp_path / "mine.jsonl", 5)), "--no-answer", "--json", "--with")
    lexical = json.loads(mailweave(*first, "lexical")[1])["run"]
    json.loads(mailweave(*first, "graph")[1])
    made = json.loads(mailweave(*first, "lexical", "--against", "last")[1])
    assert made["against"]["run"] == lexical


def test_judgements_over_files_are_scored(mailweave: Mailweave, tmp_path: Path, demo_store: Store) -> None:
    with demo_store.reader() as conn:
        message_id, subject = conn.execute(  # type: ignore[misc]
            "SELECT message_id, subject FROM mail.message WHERE counted AND length(subject) > 20 ORDER BY id LIMIT 1"
        ).fetchone()
    (tmp_path / "q.tsv").write_text(f"1\t{subject}\n")
    (tmp_path / "qrels").write_text(f"1 0 {message_id} 2\n")
    code, out, _ = mailweave(
        "evaluate", "--queries", str(tmp_path / "q.tsv"), "--qrels", str(tmp_path / "qrels"), "--with", "lexical",
        "--deep", "--no-answer", "--json",
    )  # fmt: skip
    metrics = json.loads(out)["retrievers"]["lexical"]["overall"]
    assert code == 0 and metrics["recall@40"]["value"] == 1.0 and metrics["map"]["value"] > 0


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["evaluate"], 2, "Name QUESTIONS"),
        (["evaluate", "q.jsonl", "--queries", "q.tsv", "--qrels", "r"], 2, "Name QUESTIONS"),
        (["evaluate", "none.jsonl"], 1, "none.jsonl cannot be read"),
        (["evaluate", "bad.jsonl"], 1, "bad.jsonl, line 2: the field 'question' is missing"),
        (["evaluate", "empty.jsonl"], 1, "holds no question"),
        (["evaluate", "demo", "--with", "telepathy"], 2, "There is no column 'telepathy'"),
        (["evaluate", "demo", "--twice", "--against", "1"], 2, "--twice"),
        (["evaluate", "elsewhere.jsonl", "--with", "lexical"], 1, "None of the 1 questions"),
    ],
)
def test_what_cannot_be_measured_is_said(
    mailweave: Mailweave, tmp_path: Path, arguments: list[str], code: int, says: str
) -> None:
    good: dict[str, Any] = {"id": "1", "kind": "lookup", "question": "?", "gold_message_ids": [["<no@x.example>"]]}
    (tmp_path / "elsewhere.jsonl").write_text(json.dumps(good))
    (tmp_path / "bad.jsonl").write_text(json.dumps(good) + '\n{"id": "2", "kind": "lookup"}\n')
    (tmp_path / "empty.jsonl").write_text("\n")
    got, _, err = mailweave(*arguments, "--no-answer")
    assert got == code and says in " ".join(err.split())


def test_ctrl_c_keeps_what_was_finished_and_the_same_command_goes_on(
    demo_store: Store, environment: None, tmp_path: Path
) -> None:
    command = [
        sys.executable, "-c", "from ui.cli import main; main()", "evaluate", "demo", "--store", "demo",
        "--with", "lexical,hybrid,combined", "--no-answer", "--planner", "rules", "--json",
    ]  # fmt: skip
    where: dict[str, Any] = {
        "cwd": Path(__file__).parents[3], "env": os.environ, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE
    }  # fmt: skip
    program = subprocess.Popen(command, **where)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and _records(demo_store) < 3:
        time.sleep(0.02)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 1 and b"the same command goes on" in err
    stopped = json.loads(out)
    assert not stopped["finished"] and 0 < stopped["questions"] < 70
    whole = subprocess.run(command, check=True, timeout=300, **where)
    report = json.loads(whole.stdout)
    assert report["finished"] and report["run"] == stopped["run"] and report["questions"] == 70


def _records(store: Store) -> int:
    with store.reader() as conn:
        row = conn.execute(
            "SELECT count(*) FROM mail.evaluation_record JOIN mail.evaluation_run r ON r.id = run WHERE finished IS NULL "
            "AND columns = '{lexical,hybrid,combined}'"
        ).fetchone()
    assert row is not None
    return int(row[0])
