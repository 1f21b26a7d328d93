"""Results and Label in a real browser: from the headline to the single question, and blind judging that is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from retrieval.evaluation.run import run
from retrieval.evaluation.writing import read_lines
from sql.store import Store
from tests.ui.serving import patient, served
from ui.measuring import question_set

QUESTION = "What did Maren ask about the loggers?"


@pytest.fixture(scope="module")
def address(demo_store: Store, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page over the fictional mailbox, of which a run is kept."""
    given = question_set("demo")
    run(demo_store, given.questions[::3], ["lexical", "graph", "auto"], name="demo", revision="for the page")
    with served("demo", 8931, settings, tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with patient(browser, 1300, 1500) as visitor:
        yield visitor


def test_a_run_is_shown_and_a_question_opens_side_by_side(page: Page, address: str) -> None:
    page.goto(f"{address}/results?store=demo")
    expect(page.locator(".mw-headline")).to_contain_text(re.compile(r"share \d+\.\d of 12 messages"))
    heads = ("Shared messages", "Who finds what", "Right, by kind of question", "Recall against time")
    for head in (*heads, "The router's choice", "Questions"):
        expect(page.get_by_role("heading", name=head, exact=True)).to_be_visible()
    expect(page.locator("[data-testid=stVegaLiteChart]")).to_have_count(4)
    table = page.locator("[data-testid=stDataFrame]").last
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 16, box["y"] + 52)
    page.get_by_role("button", name="Open side by side").click()
    expect(page.locator(".mw-head .name")).to_have_text(["graph", "lexical"])
    assert "q=" in page.url and "as_of=2025-11-30" in page.url


def test_judging_is_blind_and_kept(page: Page, address: str, demo_store: Store, home: Path) -> None:
    page.goto(f"{address}/label?store=demo")
    box = page.get_by_role("textbox", name="Question to label")
    box.fill(QUESTION)
    box.press("Enter")
    expect(page.get_by_text(re.compile(r"0 of \d+ messages judged"))).to_be_visible()
    shown = page.locator(".mw-message")
    expect(shown).to_be_visible()
    assert not re.search(r"lexical|vector|hybrid", page.locator("[data-testid=stMain]").inner_text())
    page.get_by_role("button", name="Needed for the answer").click()
    expect(page.get_by_text(re.compile(r"1 of \d+ messages judged"))).to_be_visible()
    page.get_by_role("textbox", name="The answer in words (may be left empty)").fill("Where they are")
    page.get_by_role("button", name="That is enough").click()
    expect(page.get_by_text("Added as L001")).to_be_visible()
    (question,) = read_lines(home / "questions-demo.jsonl")
    assert question["question"] == QUESTION and len(question["gold_message_ids"]) == 1
    with demo_store.reader() as conn:
        kept = conn.execute("SELECT grade FROM mail.judgement WHERE question = %s", (QUESTION,)).fetchall()
    assert kept == [(2,)]
