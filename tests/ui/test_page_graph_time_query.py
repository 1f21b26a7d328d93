"""Graph, Time and Query in a real browser over the fictional mailbox: each page's main act, by mouse and by keyboard,
the way to the messages, and that it fits a telephone and can be read in both colour schemes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from graph import activity, neighbours
from graph.activity import Chosen
from graph.ego import ego
from sql.store import Store, open_store
from tests.ui.serving import MINUTE, served
from tests.ui.test_page import CONTRAST

STORE, BARE = "demo", "barepages"
# The ground of what stands in a component of its own is that of the page around it.
PIERCING = CONTRAST.replace("node = node.parentElement", "node = node.parentElement ?? node.getRootNode().host")


@pytest.fixture(scope="module")
def address(
    demo_store: Store,
    home: Path,
    settings: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The page over the fictional mailbox, beside an empty store."""
    open_store(BARE, home=home).close()
    with served(STORE, 8951, settings, tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    opened, elsewhere = context.new_page(), []
    opened.on("request", lambda one: elsewhere.append(one.url) if not one.url.startswith(address) else None)
    opened.set_default_timeout(MINUTE)
    expect.set_options(timeout=2 * MINUTE)  # the first visit to a server that still loads its models takes its time
    yield opened
    context.close()
    assert [url for url in elsewhere if not url.startswith(("data:", "blob:", "ws://localhost"))] == []


def visit(page: Page, address: str, name: str, **query: object) -> None:
    page.goto(f"{address}/{name}?{urlencode({'store': STORE, **query})}")


def said(page: Page, parameter: str) -> str | None:
    """A parameter of the address that the page stands at."""
    return parse_qs(page.evaluate("location.search.slice(1)")).get(parameter, [None])[0]


def drag(page: Page, start: Locator, stop: Locator) -> None:
    """From the middle of one element to that of another."""
    start.scroll_into_view_if_needed()
    boxes = [one.bounding_box() for one in (start, stop)]
    (x0, y0), (x1, y1) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2)
    page.mouse.move(x1, y1)
    page.mouse.up()


def owner(store: Store) -> int:
    with store.reader() as conn:
        row = conn.execute("SELECT id FROM mail.person WHERE is_owner").fetchone()
    assert row
    return int(row[0])


def test_a_line_of_the_graph_opens_its_messages_and_these_their_thread(
    page: Page, address: str, demo_store: Store
) -> None:
    with demo_store.reader() as conn:
        found = ego(conn, owner(demo_store))
    assert found
    visit(page, address, "graph")
    dots = page.locator(".net .node")
    expect(dots).to_have_count(len(found.people))
    expect(page.locator(".mw-card .name")).to_have_text("Maren Holt")
    tie = next(tie for tie in found.ties if found.centre in (tie.a, tie.b))
    page.locator(".mw-card .mw-tie").first.click()
    expect(page.get_by_role("heading", name=re.compile("^Between "))).to_be_visible()
    assert said(page, "open") == f"{tie.a}-{tie.b}"
    expect(page.locator(".net .edge.chosen")).to_have_count(1)
    expect(page.get_by_text(f"1 to 25 of {tie.n}")).to_be_visible()
    page.locator(".mw-row").first.click()
    expect(page).to_have_url(re.compile(r"/thread\?"))


def test_the_graph_is_walked_with_the_keyboard_and_grows(page: Page, address: str, demo_store: Store) -> None:
    with demo_store.reader() as conn:
        owners = ego(conn, owner(demo_store))
        assert owners
        around, hidden = next(
            (found, person)
            for one in owners.people[1:]
            if (found := ego(conn, one.id)) and len(found.people) > 4
            for person in found.people[1:]
            if person.hidden
        )
        grown = ego(conn, around.centre, expanded=[hidden.id])
    assert grown and len(grown.people) > len(around.people)
    visit(page, address, "graph", person=around.centre)
    expect(page.locator(".net .node")).to_have_count(len(around.people))
    centre = page.locator(".net .node.centre")
    centre.focus()
    expect(centre).to_be_focused()
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
        if not centre.evaluate("element => element.matches(':focus')"):
            break
    expect(centre).not_to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".net .node.chosen")).to_have_count(1)
    assert int(said(page, "open") or 0) in {person.id for person in around.people} - {around.centre}
    page.locator(f".net .node[aria-label^='{hidden.name} ']").focus()
    page.keyboard.press("+")
    expect(page.locator(".net .node")).to_have_count(len(grown.people))
    assert said(page, "expanded") == str(hidden.id)


def test_a_path_is_a_chain_whose_steps_open_their_messages(page: Page, address: str, demo_store: Store) -> None:
    centre = owner(demo_store)
    with demo_store.reader() as conn:
        around = ego(conn, centre)
        assert around
        a, b = next(
            (one.id, other.id)
            for one in around.people[1:]
            for other in around.people[:0:-1]
            if (chain := neighbours.path(conn, one.id, other.id)) is not None and len(chain) == 2
        )
        chain = neighbours.path(conn, a, b)
    assert chain
    visit(page, address, "graph", person=a, **{"with": b})
    steps = page.locator(".mw-chain .mw-step")
    expect(steps).to_have_text([f"{step.n:,} messages" for step in chain])
    expect(page.locator(".net .edge.strong")).to_have_count(2)
    steps.nth(1).click()
    expect(page.get_by_role("heading", name=re.compile("^Between "))).to_be_visible()


def test_months_narrow_the_graph_and_it_stands_as_a_table_too(page: Page, address: str) -> None:
    visit(page, address, "graph", **{"from": "2025-03", "to": "2025-03"})
    expect(page.locator(".mw-months i.out")).not_to_have_count(0)
    dots = page.locator(".net .node")
    expect(dots).not_to_have_count(0)
    page.get_by_text("The same as a table").click()
    rows = page.locator(".mw-table tbody tr")
    expect(rows).to_have_count(dots.count() - 1)
    rows.first.locator("a").click()
    expect(page).to_have_url(re.compile(r"/people\?"))


def test_somebody_is_found_by_a_part_of_their_name(page: Page, address: str) -> None:
    visit(page, address, "graph")
    expect(page.locator(".mw-card .name")).to_have_text("Maren Holt")
    box = page.get_by_role("combobox", name=re.compile("Around"))
    box.click()
    box.fill("gethin")
    page.keyboard.press("Enter")
    expect(page.locator(".mw-card .name")).to_have_text("Gethin Pryce")


def test_dragging_over_months_and_hours_filters_everything(page: Page, address: str, demo_store: Store) -> None:
    with demo_store.reader() as conn:
        months = list(activity.months(conn, Chosen()).items())
        some = Chosen(start=months[2][0], stop=months[5][0])
        narrower = Chosen(start=months[2][0], stop=months[5][0], days=(0, 2), hours=(9, 11))
        hours = activity.hours(conn, some)
        total, wanted = (
            sum(n for m, n in activity.months(conn, c).items() if months[2][0] <= m < months[5][0])
            for c in (some, narrower)
        )
    visit(page, address, "time")
    number = page.locator(".mw-total b")
    expect(number).to_have_text(f"{sum(n for _, n in months):,}")
    charts = page.locator(".grid")
    expect(charts).to_have_count(2)
    bars, cells = charts.nth(0).locator(".cell .catch"), charts.nth(1).locator(".cell .catch")
    expect(bars).to_have_count(len(months))
    drag(page, bars.nth(2), bars.nth(4))
    expect(number).to_have_text(f"{total:,}")
    assert (said(page, "from"), said(page, "to")) == (f"{months[2][0]:%Y-%m}", f"{months[4][0]:%Y-%m}")
    monday_at_nine = charts.nth(1).locator(".cell").nth(9)
    expect(monday_at_nine).to_have_attribute("aria-label", re.compile(rf"^Monday 9: {hours.get((0, 9), 0)} message"))
    drag(page, cells.nth(9), cells.nth(2 * 24 + 11))
    expect(number).to_have_text(f"{wanted:,}")
    expect(page.locator(".mw-row")).to_have_count(min(25, wanted))
    page.get_by_role("button", name="Clear all").click()
    expect(number).to_have_text(f"{sum(n for _, n in months):,}")


def test_hours_are_chosen_with_the_keyboard_and_a_sender_by_a_click(
    page: Page, address: str, demo_store: Store
) -> None:
    with demo_store.reader() as conn:
        chosen = Chosen(days=(0, 1), hours=(0, 1))
        first = activity.ranked(conn, Chosen(), "sender")[0]
        both = sum(n for _, n in activity.months(conn, chosen).items())
        by_sender = sum(n for _, n in activity.months(conn, Chosen(sender=first.id)).items())
    visit(page, address, "time")
    expect(page.locator(".mw-tie .l").first).to_have_text(first.name)
    page.locator(".mw-tie").first.click()
    expect(page.locator(".mw-total b")).to_have_text(f"{by_sender:,}")
    page.get_by_role("button", name=f"Take back: from {first.name}").click()
    expect(page.locator(".mw-pick")).to_have_count(0)
    page.locator(".grid").nth(1).locator(".cell").first.focus()
    for key in ("Shift+ArrowRight", "Shift+ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".mw-total b")).to_have_text(f"{both:,}")
    assert (said(page, "days"), said(page, "hours")) == ("0-1", "0-1")


def test_an_example_query_runs_and_its_rows_lead_on(page: Page, address: str) -> None:
    visit(page, address, "query")
    page.get_by_role("button", name="Who wrote to me most").click()
    rows = page.locator(".mw-table.rows tbody tr")
    expect(rows).to_have_count(20)
    expect(page.get_by_role("textbox", name="Cypher query")).to_have_value(re.compile("^MATCH"))
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert len(download.value.path().read_text("utf-8-sig").splitlines()) == 21
    page.get_by_role("radio", name="Graph", exact=True).or_(
        page.get_by_role("button", name="Graph", exact=True)
    ).click()
    expect(page.locator(".net .node")).to_have_count(20)
    page.locator(".net .node .dot").first.click()
    expect(page).to_have_url(re.compile(r"/people\?.*person=\d+"))


def test_sql_runs_over_the_views_and_leads_to_the_thread(page: Page, address: str) -> None:
    visit(page, address, "query", language="sql")
    page.get_by_role("button", name="Latest mail").click()
    expect(page.locator(".mw-table.rows tbody tr")).to_have_count(25)
    page.locator(".mw-table.rows a").first.click()
    expect(page).to_have_url(re.compile(r"/thread\?"))


def test_an_error_is_shown_where_it_is(page: Page, address: str) -> None:
    visit(page, address, "query", q="MATCH (a:Person)\nMATCH (b:Persn)\nRETURN a, b")
    error = page.locator(".mw-error")
    expect(error.locator("b")).to_have_text("UnknownName")
    *_, line, caret = error.locator("pre").inner_text().split("\n")
    assert line == "MATCH (b:Persn)" and line[caret.index("^") :].startswith("Persn")
    box = page.get_by_role("textbox", name="Cypher query")
    box.fill("MATCH (a) DELETE a")
    box.press("Control+Enter")
    expect(error.locator("b")).to_have_text("WritingRefused")
    visit(page, address, "query", language="sql", q="DELETE FROM messages")
    expect(error.locator("b")).to_have_text("WritingRefused")


@pytest.mark.parametrize("name", ["graph", "time", "query"])
def test_an_empty_store_says_what_to_do(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/{name}?store={BARE}")
    expect(page.locator(".mw-empty").first).to_contain_text("mailweave ingest" if name != "query" else "example")


@pytest.mark.parametrize("name", ["graph", "time", "query"])
def test_on_a_telephone_nothing_is_wider_than_the_screen(page: Page, address: str, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, address, name, **({"q": "MATCH (p:Person) RETURN p LIMIT 3"} if name == "query" else {}))
    page.locator({"graph": ".net .node", "time": ".mw-row", "query": ".mw-table.rows"}[name]).first.wait_for()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    for name, query, wanted in (
        ("graph", {}, (".net .status", ".mw-tie .l", ".mw-tie .n", ".mw-key", ".mw-card .about")),
        ("time", {"days": "0-4"}, (".grid .status", ".mw-pick", ".mw-total")),
        ("query", {"q": "RETURN x"}, (".mw-pick", ".mw-schema .l", ".mw-schema .n", ".mw-error b", ".mw-error .hint")),
    ):
        visit(page, address, name, **query)
        for what in wanted:
            page.locator(what).first.wait_for(timeout=MINUTE)
            assert page.locator(what).first.evaluate(PIERCING) >= 4.5, (scheme, name, what)
    context.close()
