"""Nothing leaves the machine: only named modules may open a socket, proved over the syntax trees of all code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("sql", "ingest", "graph", "retrieval", "ui")

# Modules of the standard library and of packages that open connections to other machines.
NETWORK = {
    "socket", "ssl", "http", "urllib.request", "urllib3", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "imaplib",
    "imapclient", "poplib", "telnetlib", "xmlrpc", "socketserver", "asyncio", "websockets", "tornado", "openai", "huggingface_hub",
    "paramiko", "nntplib",
}  # fmt: skip

# Who may, and what for. The database is reached through psycopg, in sql/ alone.
ALLOWED = {
    "ingest/sources/imap.py": "a mail account that the person names, over TLS",
    "retrieval/models/address.py": "a model address that the person configured",
    "sql/deadline.py": "gives a connection of the database up, opens none",
    "retrieval/models/carriers.py": "models pull: weights from the model hub",
}
DATABASE = {"psycopg_pool", "psycopg.connect", "psycopg.Connection.connect"}


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "__import__":
            yield "__import__"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "library"):
            # optional libraries are loaded by name
            yield from (name.value for name in node.args[:1] if isinstance(name, ast.Constant))


def modules() -> Iterator[tuple[str, ast.AST]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())


def is_network(name: str) -> bool:
    return any(name == module or name.startswith(module + ".") for module in NETWORK)


def test_only_named_modules_import_anything_that_opens_a_socket() -> None:
    offenders = [
        (path, name) for path, tree in modules() for name in imports(tree) if is_network(name) and path not in ALLOWED
    ]
    assert offenders == []


def test_every_module_with_leave_to_open_a_socket_exists_and_uses_it() -> None:
    trees = dict(modules())
    unused = [
        path for path in ALLOWED if path not in trees or not any(is_network(name) for name in imports(trees[path]))
    ]
    assert unused == []


def test_connections_to_the_database_are_opened_in_one_package() -> None:
    offenders = []
    for path, tree in modules():
        if path.startswith("sql/"):
            continue
        calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        offenders += [(path, call) for call in sorted(calls & DATABASE)]
        offenders += [(path, name) for name in imports(tree) if name.startswith("psycopg_pool")]
    assert offenders == []
