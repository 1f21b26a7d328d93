"""Thread, People and Mailbox in a real browser: each page's main act, its links, and that it fits a telephone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from sql.store import open_store
from tests.ui import mail
from tests.ui.serving import MINUTE, drop, ingest, served
from tests.ui.test_page import CONTRAST

STORE, BARE = "explored", "exploredbare"


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up mailbox, a mail with a table attached, one of Ana's from another address, and one without bytes."""
    folder = tmp_path_factory.mktemp("export")
    mail.write(folder / "inbox.mbox")
    for name in ("cur", "new", "tmp"):
        (folder / "more" / name).mkdir(parents=True)
    table = _message(20, "Ana Ruiz <ana@tidal.example>", "Sensors", "The table is attached.")
    table.add_attachment("sensor;depth\nA;12\nB;14\n", subtype="csv", filename="sensors.csv")
    other = _message(21, "Ana at home <ana.ruiz@home.example>", "From home", "I write from home today.")
    for number, message in enumerate((table, other), 1):
        (folder / "more" / "cur" / f"{number}.a.host:2,S").write_bytes(bytes(message))
    (folder / "more" / "new" / "3.a.host").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def address(home: Path, settings: dict[str, str], export: Path) -> Iterator[str]:
    """The running page over a store with that mail, and one without any."""
    ingest(export, STORE, settings, export, "--no-embed")
    open_store(BARE, home=home).close()
    with served(STORE, 8971, settings, export) as running:
        yield running
    drop(home, STORE, BARE)


def visit(page: Page, address: str, name: str, store: str = STORE, **query: object) -> None:
    page.goto(f"{address}/{name}?{urlencode({'store': store, **query}, doseq=True)}")


def test_a_thread_shows_who_answered_whom_and_folds_history(page: Page, address: str) -> None:
    visit(page, address, "thread", message="<11@mail.example>", found="<2@mail.example>")
    expect(page.locator(".mw-thread-head h2")).to_have_text("Rate for extra days")
    branches = page.locator(".mw-branch")
    expect(branches).to_have_count(2)
    expect(branches.nth(0).locator(".rails i")).to_have_count(0)
    expect(branches.nth(0).locator(".mw-badge.found")).to_be_visible()
    answer = branches.nth(1)
    expect(answer.locator(".rails i")).to_have_count(1)
    expect(answer.locator(".mw-node")).to_have_class(re.compile("here"))
    expect(answer.locator(".new").first).to_contain_text("Agreed, let us do that.")
    expect(answer.locator(".rule")).to_have_text("joined by a quotation")
    folded = answer.locator("summary", has_text=re.compile(r"\d+ characters of history hidden"))
    expect(answer.get_by_text("costs 940 euros")).to_be_hidden()
    folded.click()
    expect(answer.get_by_text("costs 940 euros")).to_be_visible()


def test_an_attachment_opens_as_text_and_a_message_as_its_source(page: Page, address: str) -> None:
    visit(page, address, "thread", message="<20@mail.example>")
    page.get_by_role("button", name="sensors.csv").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".new")).to_contain_text("A;12")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Source", exact=True).click()
    expect(page.locator(".mw-raw")).to_contain_text("Message-ID: <20@mail.example>")


def test_people_are_sorted_filtered_and_lead_to_their_messages(page: Page, address: str) -> None:
    visit(page, address, "people")
    rows = page.locator(".mw-table tbody tr")
    expect(rows.first).to_contain_text("Lena Vogt")
    page.get_by_role("button", name="Wrote").click()
    expect(rows.first).to_contain_text("Ana Ruiz")
    expect(rows.first.locator("td.n").first).to_have_text("6")
    expect(page).to_have_url(re.compile("sort=-wrote"))
    filter_ = page.get_by_role("textbox", name="Filter by name or address")
    filter_.fill("okoro")
    filter_.press("Enter")
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="Ben Okoro").click()
    expect(page.locator(".mw-person-head h2")).to_have_text("Ben Okoro")
    page.get_by_role("link", name="Messages", exact=True).click()
    expect(page.locator(".mw-row")).to_have_count(3)
    page.locator(".mw-row", has_text="Crane permit").click()
    expect(page.locator(".mw-thread-head h2")).to_have_text("Crane permit")


def test_two_people_are_merged_after_a_preview_and_parted_again(page: Page, address: str) -> None:
    visit(page, address, "people", filter="home.example")
    page.get_by_role("link", name="Ana at home").click()
    page.get_by_role("link", name="Addresses").click()
    choice = page.get_by_role("combobox", name="The other one")
    choice.fill("Ana Ruiz")
    choice.press("Enter")
    preview = page.locator(".mw-effect")
    expect(preview).to_contain_text("2 addresses, 8 messages")
    page.get_by_role("button", name="Merge").click()
    table = page.locator(".mw-table tbody tr")
    expect(table).to_have_count(2, timeout=MINUTE)
    expect(page.locator(".mw-evidence")).to_contain_text("decided by hand")
    page.get_by_role("button", name="Undo").click()
    expect(table).to_have_count(1, timeout=MINUTE)
    expect(page.locator(".mw-evidence")).to_have_count(0)


def test_mail_is_read_from_a_path_and_what_could_not_be_read_is_shown(page: Page, address: str, export: Path) -> None:
    visit(page, address, "mailbox", BARE)
    expect(page.locator(".mw-empty")).to_contain_text("Give the path of an export")
    path = page.get_by_role("textbox", name="Path of an export on this machine")
    path.fill(str(export / "nothing"))
    page.get_by_role("button", name="Read mail").click()
    expect(page.get_by_text("There is nothing at")).to_be_visible()
    path.fill(str(export))
    page.get_by_role("button", name="Read mail").click()
    expect(page.locator(".mw-said")).to_contain_text("14 new messages from 2 sources", timeout=MINUTE)
    rows = page.locator(".mw-table tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1).locator("td").last).to_have_text("1")
    page.get_by_role("link", name="Not readable").click()
    page.locator(".mw-entry", has_text="UnreadableMessage").click()
    expect(page.get_by_role("dialog")).to_contain_text("not a single byte")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Kinds of mail").click()
    expect(page.locator(".mw-row")).to_have_count(14)


@pytest.mark.parametrize("name", ["thread", "people", "mailbox"])
def test_on_a_telephone_nothing_is_wider_than_the_screen(page: Page, address: str, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, address, name, **({"message": "<11@mail.example>"} if name == "thread" else {}))
    page.locator(".mw-node, .mw-table").first.wait_for()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    visit(page, address, "thread", message="<11@mail.example>", found="<2@mail.example>", cited="<11@mail.example>")
    page.locator(".mw-node").first.wait_for(timeout=MINUTE)
    seen = [".mw-node .when", ".mw-badge.found", ".mw-badge.cited", ".mw-node .rule", ".mw-small", ".mw-person"]
    for what in seen:
        assert page.locator(what).first.evaluate(CONTRAST) >= 4.5, (scheme, what)
    visit(page, address, "people")
    page.locator(".mw-table td").first.wait_for(timeout=MINUTE)
    for what in (".mw-table th button", ".mw-table small", ".mw-tab.here", ".mw-tab:not(.here)"):
        assert page.locator(what).first.evaluate(CONTRAST) >= 4.5, (scheme, what)
    context.close()


def _message(number: int, sender: str, subject: str, text: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, mail.LENA, subject
    message["Date"] = f"{number:02} Mar 2025 09:00:00 +0100"
    message["Message-ID"] = f"<{number}@mail.example>"
    message.set_content(text)
    return message
