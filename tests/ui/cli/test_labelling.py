"""questions generate and label as a person runs them, with the real small model and typed answers."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from retrieval.evaluation.questions import read_questions
from sql.store import Store
from tests.ui.cli.conftest import Mailweave


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """What the person types, a line each."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_generated_questions_are_added_and_can_be_measured(mailweave: Mailweave, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    code, out, _ = mailweave("questions", "generate", str(path), "--structural", "6", "--json")
    assert code == 0 and json.loads(out)["structural"] == 6
    code, out, _ = mailweave("questions", "generate", str(path), "--structural", "6")
    assert code == 0 and "has 12" in out
    questions = read_questions(path)
    assert len({q.id for q in questions}) == len({q.text for q in questions}) == 12
    code, out, _ = mailweave("evaluate", str(path), "--with", "graph", "--planner", "rules", "--no-answer", "--json")
    assert code == 0 and json.loads(out)["retrievers"]["graph"]["overall"]["value_correct"]["n"] == 12


def test_drafts_are_gold_only_when_accepted(
    mailweave: Mailweave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAILWEAVE_CHAT_MODEL", "qwen2.5-coder-0.5b")
    path = tmp_path / "mine.jsonl"
    typed(monkeypatch, "n", "e", "Which day was it?", "Monday", "q")
    code, out, _ = mailweave("questions", "generate", str(path), "--structural", "0", "--content", "2")
    assert code == 0 and out.count("Question: ") == 3
    (question,) = read_questions(path)
    assert (question.text, question.facts, question.kind) == ("Which day was it?", ("Monday",), "lookup")
    assert len(question.groups) == 1


def test_labelling_is_blind_kept_and_gone_on_with(
    mailweave: Mailweave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo_store: Store
) -> None:
    path, text = tmp_path / "mine.jsonl", "What will the new premises cost us a year?"
    typed(monkeypatch, "y", "r", "q")
    code, out, _ = mailweave("label", str(path), "--question", text, "--depth", "3", "--with", "vector,lexical")
    assert code == 0 and "0 questions labelled" in out
    shown = out[out.index(text) :]
    assert "vector" not in shown and "lexical" not in shown
    found = int(re.findall(r"(\d+) messages were found", out)[0])
    assert 3 <= found <= 6
    with demo_store.reader() as conn:
        kept = conn.execute("SELECT grade FROM mail.judgement WHERE question = %s ORDER BY grade", (text,)).fetchall()
    assert kept == [(1,), (2,)]
    typed(monkeypatch, *["n"] * (found - 2), "42,000 a year")
    code, out, _ = mailweave("label", str(path), "--question", text, "--depth", "3", "--with", "vector,lexical")
    assert code == 0 and "2 of them judged before" in out and "1 questions labelled" in out
    (question,) = read_questions(path)
    assert question.text == text and len(question.groups) == 1 and len(question.also_ok) == 1
    assert question.facts == ("42,000 a year",)


def test_a_file_of_something_else_is_not_written_to(mailweave: Mailweave, tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("dear diary\n")
    code, _, err = mailweave("questions", "generate", str(path))
    assert code == 1 and "diary.txt, line 1" in err and path.read_text() == "dear diary\n"
