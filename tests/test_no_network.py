"""The program works where there is no network at all: ingest, ask and the page in a namespace with loopback alone.

What a test of imports cannot show, a run can: nothing waits for, needs or quietly tries another machine. The browser
says of each of its requests where it went.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.ui import mail

PROGRAM = [sys.executable, "-c", "from ui.cli import main; main()"]
PORT = 8931


def _unshare() -> list[str]:
    """The command that runs another without a network, in the way that this user may."""
    return ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-current-user", "--net"]


needs_namespaces = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run([*_unshare(), "true"], capture_output=True).returncode != 0,
    reason="this system makes no network namespaces for this user (util-linux, Linux)",
)


@needs_namespaces
def test_ingest_ask_and_the_page_need_no_network(home: Path, model_cache: Path, tmp_path: Path) -> None:
    path = mail.write(tmp_path / "inbox.mbox")
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAILWEAVE_")}
    settings = own | {
        "MAILWEAVE_HOME": str(home / "offline"),
        "MAILWEAVE_MODEL_CACHE": str(model_cache),
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    done = subprocess.run(
        [*_unshare(), sys.executable, __file__, str(path)],
        env=settings, cwd=tmp_path, capture_output=True, text=True, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["reachable"] is False
    assert seen["vectors"] > 0
    assert seen["hits"] > 0
    assert seen["title"] == "mailweave"
    assert seen["hosts"] == [f"127.0.0.1:{PORT}"]


def _alone(path: str) -> dict[str, object]:
    """What is seen inside the namespace."""
    _loopback_up()
    with socket.socket() as probe:
        probe.settimeout(1)
        reachable = probe.connect_ex(("192.0.2.1", 80)) == 0
    _run("ingest", path, "--owner", mail.OWNER)
    _run("embed")
    asked = json.loads(_run("ask", "What is said about the budget?", "--with", "vector,graph", "--no-answer", "--json"))
    hits = sum(len(column["hits"]) for column in asked["columns"])
    page = subprocess.Popen([*PROGRAM, "ui", "--headless", "--port", str(PORT)], stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{PORT}/")
        title, hosts = _visit(f"http://127.0.0.1:{PORT}/")
    finally:
        page.terminate()
        page.wait(30)
    vectors = sum(one["embedded"] for one in json.loads(_run("status", "--json"))["vectors"])
    return {"reachable": reachable, "hits": hits, "vectors": vectors, "title": title, "hosts": hosts}


def _run(*arguments: str) -> str:
    return subprocess.run([*PROGRAM, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def _loopback_up() -> None:
    """A new namespace has its loopback device switched off (netdevice(7): SIOCSIFFLAGS, IFF_UP)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", 1))


def _wait_for(address: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise TimeoutError(address)


def _visit(address: str) -> tuple[str, list[str]]:
    """The page's title, and every host that the browser asked for anything."""
    from playwright.sync_api import sync_playwright

    hosts: set[str] = set()
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]) if "://" in request.url else None)
        page.on("websocket", lambda opened: hosts.add(opened.url.split("/")[2]))
        page.goto(address)
        page.get_by_role("textbox").first.wait_for(timeout=120_000)
        title = page.title()
        browser.close()
    return title, sorted(hosts)


if __name__ == "__main__":
    print(json.dumps(_alone(sys.argv[1])))
