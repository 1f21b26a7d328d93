"""Nothing of a mail comes alive on any page: no script, style, picture, link, frame or format, and nothing is asked of a
server that listens beside the page. Fifty mails try, by all that a mail can name: subject, sender, text, HTML,
attachments, labels, folders and files."""

from __future__ import annotations

import ast
import json
import socket
import threading
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from sql import embedded
from tests.ui import mail
from tests.ui.serving import MINUTE, drop, ingest, served

STORE = "hostile"
MAILS = tomllib.loads((Path(__file__).parent / "hostile_mails.toml").read_text(encoding="utf-8"))["mail"]
# What tooltips are put together of elsewhere: letters of columns, names of models, why a plan is not sure.
OWN_TEXTS = ("letter", "wanted", "words", "str(plan['reason'])")
FOLDER = "<img src=x onerror=alert(1) id=canary-folder>![x](picture) :red[folder]"
# All elements of the page, those in components of their own as well.
ALIVE = """trap => {
  const bad = [], all = [];
  const walk = root => { for (const one of root.querySelectorAll('*')) { all.push(one); if (one.shadowRoot) walk(one.shadowRoot); } };
  walk(document);
  const own = document.documentElement.baseURI.split('/').slice(0, 3).join('/');
  for (const one of all) {
    const told = one.cloneNode(false).outerHTML.slice(0, 300), attributes = [...one.attributes];
    if (/^canary/.test(one.id) || /canary/.test(one.className?.baseVal ?? one.className ?? '')) bad.push(told);
    if (attributes.some(a => /^on/i.test(a.name) || (a.name === 'data-open' && /canary/.test(a.value)))) bad.push(told);
    for (const name of ['src', 'href', 'xlink:href', 'srcset', 'poster', 'action', 'data', 'background', 'ping', 'style', 'srcdoc'])
      if ((one.getAttribute(name) ?? '').match(/trap|canary|^javascript:|^data:text|^\\/\\//i) || (one.getAttribute(name) ?? '').includes(trap))
        bad.push(told);
    if (one.tagName === 'A' && one.href && new URL(one.href).origin !== own) bad.push(told);
    if (['IFRAME', 'OBJECT', 'EMBED', 'APPLET', 'BASE', 'MATH', 'VIDEO', 'AUDIO'].includes(one.tagName)) bad.push(told);
    if (one.classList.contains('katex') || (one.tagName === 'META' && one.httpEquiv === 'refresh')) bad.push(told);
    if (one.tagName === 'STYLE' && one.textContent.includes(trap)) bad.push(told);
  }
  if (window.pwned !== undefined) bad.push('a script ran: ' + window.pwned);
  return [...new Set(bad)];
}"""


@pytest.fixture(scope="module")
def trap() -> Iterator[tuple[str, list[str]]]:
    """The address of a server that listens, and what was asked of it."""
    asked: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_HEAD = do_GET  # noqa: N815 - the names of http.server

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()


@pytest.fixture(scope="module")
def address(
    home: Path,
    settings: dict[str, str],
    trap: tuple[str, list[str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The running page over a store with the hostile mails in one conversation, in a folder with a hostile name."""
    folder = tmp_path_factory.mktemp("hostile") / FOLDER.replace("/", "-")
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number, raw in enumerate(MAILS):
        (folder / "cur" / f"{number}.<b id=canary-{number}>:2,S").write_bytes(_mail(number, raw, trap[0]))
    (folder / "new" / "empty<img src=x id=canary-empty>").write_bytes(b"")
    ingest(folder, STORE, settings, home, "--no-embed")
    with served(STORE, 8991, settings, folder.parent) as running:
        yield running
    drop(home, STORE)


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """One visitor for all pages, and the dialogs that opened."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, dialogs = context.new_page(), list[str]()

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    page.set_default_timeout(MINUTE)
    expect.set_options(timeout=MINUTE)
    yield page, dialogs
    expect.set_options(timeout=5_000)
    context.close()


def test_at_least_fifty_mails_try() -> None:
    assert len(MAILS) >= 50
    assert len({json.dumps(one, sort_keys=True) for one in MAILS}) == len(MAILS)


@pytest.mark.parametrize(
    ("name", "query", "shown"),
    [
        ("", {"q": "lantern", "with": ["lexical", "graph"]}, ".mw-hit"),
        ("thread", {"message": "<0@hostile.example>", "open": "true"}, ".mw-node"),
        ("people", {}, ".mw-table tbody tr"),
        ("mailbox", {"tab": "kinds"}, ".mw-row"),
        ("mailbox", {"tab": "ledger"}, ".mw-entry"),
        ("mailbox", {"tab": "sources"}, ".mw-table"),
        ("graph", {}, ".mw-tab, .net, [data-testid=stBidiComponentRegular], [data-testid=stBidiComponentIsolated]"),
        ("time", {"by": "label"}, ".mw-row"),
        ("query", {"q": "SELECT sender, subject, text FROM messages", "language": "sql"}, ".mw-table tbody tr"),
        ("label", {"question": "Where is the lantern?"}, ".mw-message"),
    ],
    ids=lambda value: str(value.get("tab", "")) if isinstance(value, dict) else str(value),
)  # fmt: skip
def test_a_page_shows_hostile_mail_as_text(
    visitor: tuple[Page, list[str]],
    address: str,
    trap: tuple[str, list[str]],
    name: str,
    query: dict[str, str],
    shown: str,
) -> None:
    page, dialogs = visitor
    page.goto(f"{address}/{name}?{urlencode({'store': STORE, **query}, doseq=True)}")
    page.locator(shown).first.wait_for()
    _dead(page, dialogs, trap)


def test_a_message_its_source_and_its_attachments_are_text(
    visitor: tuple[Page, list[str]], address: str, trap: tuple[str, list[str]]
) -> None:
    page, dialogs = visitor
    number = next(n for n, one in enumerate(MAILS) if one.get("file") == "page.html")
    page.goto(f"{address}/thread?{urlencode({'store': STORE, 'message': f'<{number}@hostile.example>'})}")
    here = page.locator(".mw-branch", has=page.locator(".mw-node.here"))
    for button, words in (
        ("page.html", "words of the page"),
        ("Source", "Message-ID"),
        ("Recipients and folders", "Folders"),
    ):
        here.get_by_role("button", name=button).first.click()
        expect(page.get_by_role("dialog")).to_contain_text(words)
        _dead(page, dialogs, trap)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_person_with_a_hostile_name_is_text_wherever_it_stands(
    visitor: tuple[Page, list[str]], address: str, trap: tuple[str, list[str]], home: Path
) -> None:
    page, dialogs = visitor
    with psycopg.connect(embedded.start(home).dsn(f"mailweave_{STORE}")) as conn:
        found = conn.execute("SELECT id, name FROM mail.person WHERE name ILIKE ':material/delete%'").fetchone()
    assert found
    person, called = found
    page.goto(f"{address}/people?{urlencode({'store': STORE, 'person': person})}")
    page.locator(".mw-person-head h2", has_text=called[:12]).wait_for()
    _dead(page, dialogs, trap)
    page.goto(f"{address}/graph?{urlencode({'store': STORE, 'person': person, 'open': person})}")
    page.get_by_role("button", name="Open page").hover()
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.get_by_role("heading", name="Sent or received by").wait_for()
    _dead(page, dialogs, trap)


def test_a_link_shows_where_it_leads_or_is_none(visitor: tuple[Page, list[str]], address: str) -> None:
    page, _ = visitor
    number = next(n for n, one in enumerate(MAILS) if "bank.example/login" in one.get("html", ""))
    page.goto(f"{address}/thread?{urlencode({'store': STORE, 'message': f'<{number}@hostile.example>'})}")
    text = page.locator(".mw-node.here .new").first
    expect(text).to_contain_text("http://bank.example/login")
    assert text.locator("a").count() == 0


def test_names_do_not_turn_around_what_follows(visitor: tuple[Page, list[str]], address: str) -> None:
    page, _ = visitor
    number = next(n for n, one in enumerate(MAILS) if "fdp.exe" in one.get("file", ""))
    page.goto(f"{address}/thread?{urlencode({'store': STORE, 'message': f'<{number}@hostile.example>'})}")
    expect(page.locator(".mw-node.here ~ .foot, .mw-node.here .mw-file").first).to_contain_text("invoicefdp.exe")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://evil.example", 403), ("null", 403), ("http://localhost.evil.example", 403),
        ("http://localhost:9", 403), ("https://localhost:{port}", 403), ("http://localhost:{port}", 101),
    ],
)  # fmt: skip
def test_only_the_page_itself_gets_a_connection(address: str, origin: str, status: int) -> None:
    port = int(address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        lines = (
            "GET /_stcore/stream HTTP/1.1", f"Host: localhost:{port}", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            f"Origin: {origin.format(port=port)}", "", "",
        )  # fmt: skip
        connection.sendall("\r\n".join(lines).encode())
        assert connection.recv(200).split()[1] == str(status).encode()


def test_a_form_of_another_site_is_refused(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(urllib.request.Request(address, b"x=1", {"Origin": "http://evil.example"}), timeout=20)


@pytest.mark.parametrize("host", ["rebound.example", "127.0.0.1.rebound.example", "localhost.evil.example:80"])
def test_a_name_that_leads_here_from_elsewhere_gets_nothing(address: str, host: str) -> None:
    for path in ("/", "/_stcore/health", "/_stcore/stream"):
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(urllib.request.Request(address + path, headers={"Host": host}), timeout=20)


def test_what_reads_markdown_is_given_no_text_of_mail() -> None:
    """Headings, captions and tooltips of Streamlit are Markdown, with pictures and links: what is put into them are words
    and numbers of this program, never a name or a subject."""
    found = []
    for path in (Path(__file__).parents[2] / "ui").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            read = [one.value for one in call.keywords if one.arg == "help"]
            if call.func.attr in ("markdown", "subheader", "header", "title") and ast.unparse(call.func.value) == "st":
                read += call.args[:1]
            found += [f"{path.name}: {ast.unparse(one)}" for one in read if _of_strangers(one)]
    assert found == []


def _of_strangers(text: ast.expr) -> bool:
    """Whether a text may hold something else than words of the program and numbers that are written as such."""
    if isinstance(text, ast.Constant):
        return False
    if isinstance(text, ast.IfExp):
        return _of_strangers(text.body) or _of_strangers(text.orelse)
    if isinstance(text, ast.JoinedStr):
        values = [one for one in text.values if isinstance(one, ast.FormattedValue)]
        return any(one.format_spec is None and ast.unparse(one.value) not in OWN_TEXTS for one in values)
    return ast.unparse(text) not in OWN_TEXTS


def _dead(page: Page, dialogs: list[str], trap: tuple[str, list[str]]) -> None:
    """Nothing of a mail is alive on the page, and nothing reached the server that listens."""
    page.wait_for_timeout(300)  # what a mail would load takes a moment
    assert page.evaluate(ALIVE, trap[0]) == []
    assert dialogs == [] and trap[1] == []


def _mail(number: int, raw: dict[str, str], trap: str) -> bytes:
    def put(text: str) -> str:
        return text.replace("TRAP", trap).replace("canary-N", f"canary-{number}").replace("/N", f"/{number}")

    name = put(raw.get("from", f"Sender {number}")).replace("LONG", "name" * 500)
    subject = put(raw.get("subject", f"Lantern {number}")).replace("LONG", "subject " * 3000)
    message = EmailMessage()
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    head = (
        f'From: "{quoted}" <s{number}@hostile.example>\r\nTo: {mail.LENA}\r\nSubject: {subject}\r\n'
        f"Date: Mon, 10 Mar 2025 09:{number:02}:00 +0100\r\nMessage-ID: <{number}@hostile.example>\r\n"
        + ("References: <0@hostile.example>\r\n" if number else "")
        + (f"X-Gmail-Labels: {put(raw['label'])}\r\n" if "label" in raw else "")
    )
    if "html" in raw:
        message.set_content(put(raw["html"]) + "<p>lantern</p>", subtype="html")
    else:
        message.set_content(put(raw.get("text", "A harmless text.")) + "\nThe lantern.", charset="utf-8")
    if "file" in raw:
        subtype = {"html": "html", "svg": "svg+xml", "csv": "csv"}.get(raw["file"].rpartition(".")[2], "plain")
        kind = "image" if subtype == "svg+xml" else "text"
        content = put(raw["content"]).encode()
        message.add_attachment(content, maintype=kind, subtype=subtype, filename=put(raw["file"]))
    return head.encode() + bytes(message)
