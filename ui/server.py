"""Serves the page to this machine alone.

The page shows private mail, so the server binds to the loopback address, answers only requests that name it by a
loopback name (a page of another site that resolves its own name to 127.0.0.1 is refused) and come from this page
itself, not from another one that is open in the browser, and tells the browser to load nothing from anywhere else: not
an image, not a script, not a font. Streamlit's telemetry and its look-up of the
machine's external address are off.
"""

from __future__ import annotations

import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
NAMES = ["127.0.0.1", "localhost"]

# Streamlit writes styles inline and loads small components from blob addresses; everything else is of this server.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' blob: data:",
        "worker-src 'self' blob:",
        "frame-src 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
)

LIGHT = {
    "primaryColor": "#1f6f5c",
    "backgroundColor": "#fbfaf7",
    "secondaryBackgroundColor": "#f2f0ea",
    "textColor": "#24211d",
    "borderColor": "#e2ded4",
    "linkColor": "#1f6f5c",
    "codeBackgroundColor": "#f2f0ea",
}
DARK = {
    "primaryColor": "#5cc2a8",
    "backgroundColor": "#161614",
    "secondaryBackgroundColor": "#21201d",
    "textColor": "#ebe8e2",
    "borderColor": "#37352f",
    "linkColor": "#7fd3bd",
    "codeBackgroundColor": "#21201d",
}

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def serve(port: int = 8765, *, open_browser: bool = True, query: str = "") -> None:
    """Serves the page until the process is told to stop. The workspace has to be opened before.

    ``port``: where another program listens there already, one of the next is taken; the address is printed.
    ``query``: what follows the question mark of the address that the browser opens.
    """
    import streamlit as st
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from streamlit.runtime.pages_manager import PagesManager

    @asynccontextmanager
    async def listening(_: object) -> AsyncIterator[None]:
        address = f"http://localhost:{st.get_option('server.port')}/" + (f"?{query}" if query else "")
        print(f"mailweave is open at {address}  (Ctrl-C stops it)", file=sys.stderr, flush=True)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        yield

    app = st.App(
        Path(__file__).with_name("app.py"),
        lifespan=listening,
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False),
            Middleware(OwnOrigin),
            Middleware(SecurityHeaders),
        ],
    )
    # or the modules of ui/pages would be pages of their own until the script has said which pages there are
    PagesManager.uses_pages_directory = False
    sys.argv = [sys.argv[0]]  # Streamlit would hand our flags on to the script
    app.run(config=_configuration(port))


class OwnOrigin:
    """Refuses what a page of another origin asks: another site, another program's page on this machine, a page without
    an origin. Streamlit would let any local page in, and for others look up the machine's external address first."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request."""
        headers = dict(scope.get("headers") or ())
        origin, host = headers.get(b"origin"), headers.get(b"host", b"")
        if origin is None or origin == b"http://" + host:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await send({"type": "http.response.start", "status": 403, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})


class SecurityHeaders:
    """Adds the content security policy and its companions to every answer."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", []),
                    (b"content-security-policy", POLICY.encode()),
                    (b"referrer-policy", b"no-referrer"),
                    (b"x-content-type-options", b"nosniff"),
                ]
            await send(message)

        await self.app(scope, receive, with_headers)


def _configuration(port: int) -> dict[str, object]:
    settings: dict[str, object] = {
        "server.address": HOST,
        "server.port": port,
        "server.headless": True,
        "server.allowedHosts": NAMES,
        "server.fileWatcherType": "none",
        "server.enableStaticServing": False,
        "browser.gatherUsageStats": False,
        "browser.serverAddress": "localhost",
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "runner.magicEnabled": False,
        "logger.level": "warning",
        "logger.hideWelcomeMessage": True,
        "theme.headingFont": "serif",
        "theme.baseRadius": "8px",
        "theme.showWidgetBorder": True,
    }
    for name, colours in (("light", LIGHT), ("dark", DARK)):
        settings |= {f"theme.{name}.{key}": value for key, value in colours.items()}
    return settings
