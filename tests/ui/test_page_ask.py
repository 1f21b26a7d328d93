"""What Ask does beside comparing, in a real browser: blind votes, differences, history, text, keeping, slow columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from retrieval.evaluation.writing import read_lines
from sql.store import open_store
from tests.ui import mail
from tests.ui.serving import drop, ingest, served
from ui import asked
from ui.asked import Standing

STORE, BARE = "askpage", "askpagebare"
QUESTION = "Which messages did Ben Okoro send?"
TWO = {"q": QUESTION, "with": ["lexical", "graph"]}


@pytest.fixture(scope="module")
def address(home: Path, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The running page over the made-up mailbox without vectors, and a store without mail. No chat model is here."""
    folder = tmp_path_factory.mktemp("ask")
    own = settings | {"MAILWEAVE_MODEL_CACHE": str(folder / "models")}
    path = mail.write(folder / "inbox.mbox")
    ingest(path, STORE, own, folder, "--no-embed")
    open_store(BARE, home=home).close()
    with served(STORE, 8951, own, folder) as running:
        yield running
    drop(home, STORE, BARE)


def visit(page: Page, address: str, store: str = STORE, **query: object) -> None:
    page.goto(f"{address}/?{urlencode({'store': store, **query}, doseq=True)}")


def of(page: Page) -> dict[str, list[str]]:
    """The parameters of the address."""
    return parse_qs(urlsplit(page.url).query)


def test_names_come_after_a_blind_vote_that_is_kept(page: Page, address: str, home: Path) -> None:
    visit(page, address, **TWO, blind="true")
    heads = page.locator(".mw-head .name")
    expect(heads).to_have_text(["A", "B"])
    expect(page.locator(".mw-matrix td.self")).to_have_count(2)
    columns = page.locator("[data-testid=stMain]").inner_text().split("Options")[1]  # under the choice of columns
    assert not re.search(r"lexical|bm25|graph|step by step", columns)
    page.get_by_role("button", name="B", exact=True).click()
    expect(page.locator(".mw-ballot")).to_contain_text("You found B better")
    expect(heads.first).to_have_text(re.compile("lexical|graph"))
    chosen = heads.nth(1).inner_text()
    expect(page.locator(".mw-ballot")).to_contain_text(f"B is {chosen}")
    with open_store(STORE, home=home) as store, store.reader() as conn:
        other = ({"lexical", "graph"} - {chosen}).pop()
        assert asked.standings(conn) == [Standing(chosen, 1, 0, 0), Standing(other, 0, 0, 1)]
    page.reload()
    expect(page.locator(".mw-ballot")).to_contain_text("You found B better")
    page.get_by_role("button", name="Vote again").click()
    expect(heads).to_have_text(["A", "B"])


def test_only_what_one_column_found_is_shown_and_stands_in_the_address(page: Page, address: str) -> None:
    visit(page, address, q="Which messages did Ana Ruiz send about the pump test?", **{"with": ["lexical", "graph"]})
    pill = page.get_by_role("button", name=re.compile(r"^lexical \d+$"))
    expect(pill).to_be_visible()
    alone = int(pill.inner_text().split()[1])
    lists = page.locator(".mw-hits")
    expect(lists).to_have_count(2)
    before = lists.nth(1).locator(".mw-hit").count()
    assert 0 < alone < before
    pill.click()
    expect(lists.nth(1).locator(".mw-hit")).to_have_count(alone)
    expect(lists.nth(1).locator(".mw-badge.also")).to_have_count(0)
    assert of(page)["only"] == ["lexical"]
    page.reload()
    expect(lists.nth(1).locator(".mw-hit")).to_have_count(alone)


def test_a_past_question_is_a_click_away_until_it_is_forgotten(page: Page, address: str) -> None:
    visit(page, address, q="Who wrote about the berth fee?", **{"with": ["lexical", "combined"]})
    expect(page.locator(".mw-head .name")).to_have_text(["lexical", "combined"])
    visit(page, address)
    page.get_by_role("button", name="History").click()
    row = page.get_by_role("button", name="Who wrote about the berth fee?")
    expect(row).to_contain_text("lexical, combined")
    row.click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("Who wrote about the berth fee?")
    expect(page.locator(".mw-head .name")).to_have_text(["lexical", "combined"])
    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name="Forget all questions").click()
    expect(page.get_by_text("Nothing was asked of this store yet.")).to_be_visible()


def test_a_comparison_is_copied_as_text_and_kept_with_its_answer(page: Page, address: str, home: Path) -> None:
    visit(page, address, q="pump prize", **{"with": ["lexical", "graph"]})
    page.get_by_role("button", name="Copy or keep").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("code")).to_contain_text("<img src=x onerror=alert(1)> **pump**")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("pump prize\n") and "<img src=x onerror=alert(1)> **pump**" in text

    dialog.get_by_role("button", name="Keep", exact=True).click()
    expect(dialog.get_by_text("Choose at least one message")).to_be_visible()
    dialog.get_by_role("combobox", name="Messages that hold it").click()
    option = page.get_by_role("option", name=re.compile("pump"))
    expect(option.first).to_contain_text("<img src=x onerror=alert(1)> **pump**")
    page.get_by_role("option").filter(has_text="onerror").click()
    dialog.get_by_text("As text").click()  # which closes the list
    dialog.get_by_role("textbox", name="The answer in words (may be left empty)").fill("A prize")
    dialog.get_by_role("button", name="Keep", exact=True).click()
    expect(dialog.get_by_text("Kept as L001")).to_be_visible()
    (question,) = read_lines(home / f"questions-{STORE}.jsonl")
    assert question["question"] == "pump prize" and question["gold_answer"] == "A prize"
    assert question["gold_message_ids"] == [["<12@mail.example>"]]


def test_a_hit_leads_to_its_conversation_where_what_was_found_is_marked(page: Page, address: str) -> None:
    visit(page, address, **TWO)
    page.locator(".mw-hit", has_text="Re: Rate for extra days").first.click()
    page.get_by_role("link", name="open the conversation (2 messages)").click()
    expect(page.locator(".mw-thread-head h2")).to_have_text("Rate for extra days")
    expect(page.locator(".mw-node.here")).to_contain_text("Ben Okoro")
    expect(page.locator(".mw-badge.found").first).to_be_visible()


def test_a_slow_column_does_not_keep_the_others_and_its_error_stands_in_it(page: Page, address: str) -> None:
    visit(page, address, q=QUESTION, **{"with": ["graph", "agent"]})
    expect(page.locator(".mw-head .name")).to_have_text(["graph", "agent"])
    expect(page.get_by_text("calls the model many times: from seconds")).to_be_visible()
    expect(page.locator(".mw-error")).to_contain_text("ColumnUnavailable")
    expect(page.locator(".mw-outcome")).to_have_text(["found", "not run"])


def test_columns_stand_in_the_address_by_their_own_names(page: Page, address: str) -> None:
    visit(page, address, q=QUESTION, **{"with": ["graph_rerank", "graph"]})
    expect(page.locator(".mw-head .name")).to_have_text(["graph", "graph + rerank"])
    page.get_by_role("button", name="lexical", exact=True).click()
    expect(page.locator(".mw-head .name")).to_have_count(3)
    assert of(page)["with"] == ["graph", "lexical", "graph_rerank"]


def test_every_page_has_the_same_head_and_fits_a_telephone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("", "people", "graph", "time", "query", "mailbox", "results", "label"):
        page.goto(f"{address}/{name}?store={STORE}")
        expect(page.locator(".mw-brand")).to_be_visible()
        expect(page.locator(".st-key-navigation a")).to_have_count(8)
        for link in page.locator(".st-key-navigation a").all():
            box = link.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390, (name, link)
        expect(page.get_by_role("radio", name=BARE).or_(page.get_by_role("combobox", name="Store"))).to_be_visible()


@pytest.mark.parametrize("name", ["", "label", "results"])
def test_a_store_without_mail_says_what_to_do(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/{name}?store={BARE}")
    expect(page.locator(".mw-empty")).to_contain_text(f"--store {BARE}")
