"""What one server process holds for all visitors: stores, models, answers, and what was looked up already.

A result is kept by what it depends on: store, question, day, column, models, and the state of the store's indexes, so
that a new ingest or another embedding model never shows an old result. A result with an error is not kept, since its
cause may be gone at the next look (a model that has just arrived).
"""

from __future__ import annotations

import gc
import importlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import psycopg

from retrieval.ask import ask
from retrieval.columns.registry import COLUMNS
from retrieval.models.errors import ModelError
from retrieval.planning import PlannerMode
from retrieval.result import AskResult, ColumnResult
from retrieval.types import Outcome, Question
from sql.store import Store, open_store
from ui import coverage, examples, messages
from ui.answers import Answers, Job
from ui.background import Background
from ui.coverage import Coverage
from ui.models import Models
from ui.settings import Settings

if TYPE_CHECKING:
    from ui.messages import Headline

KEPT = 300
T = TypeVar("T")

_current: Workspace | None = None


def open_workspace(settings: Settings) -> Workspace:
    """Opens the workspace of this process, with its first store."""
    global _current
    _current = Workspace(settings)
    _current.store(settings.store)
    return _current


def current() -> Workspace:
    """The workspace that the program opened before it served the page."""
    if _current is None:
        raise RuntimeError("the workspace has to be opened before the page is served: use `mailweave ui`")
    return _current


@dataclass(frozen=True)
class Asked:
    """A question as a visitor put it: to which store, and who plans. ``planner``: ``auto`` lets the model plan what the
    rules leave open, which takes seconds. ``rerank``: who puts what hybrid found in order once more; None: as the
    settings say."""

    store: str
    question: Question
    planner: PlannerMode = "rules"
    rerank: str | None = None


@dataclass(frozen=True)
class Look:
    """What one column found. ``because``: why the router chose it, where it was asked. ``plan``: how the question was
    understood, in the form of ``ask --json``."""

    column: ColumnResult
    because: str = ""
    plan: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.retriever


class Workspace:
    """See the module. For use by several threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.models = Models(settings)
        self.answers = Answers()
        self.background = Background(settings.home)
        self.attempted: set[Hashable] = set()
        self.read_results: dict[str, list[str]] = {}
        self._stores: dict[str, Store] = {}
        self._opening = threading.Lock()
        self._kept: OrderedDict[Hashable, object] = OrderedDict()
        self._keeping = threading.Lock()

    def store(self, name: str) -> Store:
        """The store of that name, opened once."""
        with self._opening:
            if name not in self._stores:
                self._stores[name] = open_store(name, dsn=self.settings.dsn, home=self.settings.home)
            return self._stores[name]

    def store_names(self) -> list[str]:
        """The stores there are on this server, the one that was opened first in front."""
        first = self.settings.store
        own = self.store(first)
        with own.reader() as conn:
            row = conn.execute("SELECT current_database()").fetchone()
            names = conn.execute("SELECT datname FROM pg_database WHERE NOT datistemplate").fetchall()
        assert row is not None
        base = str(row[0]).removesuffix(first) if first != "default" or self.settings.dsn is None else f"{row[0]}_"
        others = sorted(name.removeprefix(base) for (name,) in names if name.startswith(base) and name != base)
        return [first, *(name for name in others if name != first)]

    def warm(self) -> None:
        """Loads what the first visit and the first question would wait for: what draws charts (a second of work), the
        embedding model, and the names of the mailbox."""
        store = self.settings.store

        def load() -> None:
            for library in ("altair", "pandas"):
                importlib.import_module(library)
            self.look_all(Asked(store, Question("Who wrote to me most?")), ["graph"])
            self.examples(store)
            embedder = self.models.embedder_or_none()
            if embedder is not None:
                with suppress(ModelError):  # the first question will tell
                    embedder.embed(["a first question"])
            importlib.import_module("altair")
            # Streamlit collects garbage after every run: what is here for good need not be looked at each time
            gc.collect()
            gc.freeze()

        threading.Thread(target=load, daemon=True, name="warm").start()

    def close(self) -> None:
        """Ends what goes on behind the page, the models and the connections."""
        self.background.stop()
        self.models.close()
        for store in self._stores.values():
            store.close()

    def columns(self) -> list[str]:
        """Names of the columns, in the order in which they are offered."""
        return list(COLUMNS)

    def coverage(self, store: str) -> Coverage:
        """The numbers at the head of the page."""
        model = self.models.embed_name
        with self.store(store).reader() as conn:
            key = ("coverage", store, model, coverage.fingerprint(conn))
            kept = self._kept.get(key)
            return kept if isinstance(kept, Coverage) else self._keep(key, coverage.coverage(conn, model))

    def state(self, store: str) -> str:
        """A text that changes whenever anything that is derived from the mail changes."""
        with self.store(store).reader() as conn:
            return coverage.fingerprint(conn)

    def read(self, store: str, what: Hashable, reading: Callable[[psycopg.Connection], T]) -> T:
        """What ``reading`` finds in the store. Kept under ``what`` until anything that is derived from the mail
        changes."""
        with self.store(store).reader() as conn:
            key = ("read", store, what, coverage.fingerprint(conn))
            if key in self._kept:
                return cast("T", self._kept[key])
            return self._keep(key, reading(conn))

    def examples(self, store: str) -> list[examples.Example]:
        """Questions to begin with: written ones for the fictional mailbox, else made from the mail itself."""
        from ui.cli.browse import DEMO

        if store == DEMO and (written := examples.written()):
            return written
        with self.store(store).reader() as conn:
            key = ("examples", store, coverage.fingerprint(conn))
            kept = self._kept.get(key)
            return kept if isinstance(kept, list) else self._keep(key, examples.made_from(conn))

    def look_all(self, asked: Asked, columns: Sequence[str]) -> dict[str, Look]:
        """What each column finds, by name. Raises retrieval.errors.UnknownColumn."""
        with self.store(asked.store).reader() as conn:
            state = coverage.fingerprint(conn)
        chat, embedder = self.models.chat_or_none(), self.models.embedder_or_none()
        reranker = self.models.reranker(asked.rerank)
        base = (asked, state, chat and chat.name, embedder and embedder.fingerprint)
        looks = {name: self._kept.get((*base, name)) for name in columns}
        missing = [name for name, look in looks.items() if look is None]
        if missing:
            result = ask(
                self.store(asked.store),
                asked.question.text,
                missing,
                as_of=asked.question.as_of,
                planner=asked.planner,
                chat=chat,
                embedder=embedder,
                reranker=reranker,
                answer=False,
            )
            for column in result.columns:
                found = looks[column.retriever] = Look(column, _because(result, column), result.plan)
                if not column.errors:
                    self._keep((*base, column.retriever), found)
        return {name: look for name, look in looks.items() if isinstance(look, Look)}

    def headlines(self, store: str, looks: Iterable[Look]) -> dict[int, Headline]:
        """The lines of all messages that were found, by id."""
        spans: dict[int, tuple[int, int]] = {}
        wanted: dict[int, None] = {}
        for look in looks:
            for hit in look.column.retrieved.hits:
                wanted[hit.message] = None
                if hit.span is not None:
                    spans.setdefault(hit.message, hit.span)
        with self.store(store).reader() as conn:
            return messages.headlines(conn, wanted, spans)

    def answer(self, asked: Asked, name: str) -> Job | None:
        """The answer of a column, if it was asked for."""
        return self.answers.look((asked, name))

    def _keep(self, key: Hashable, value: T) -> T:
        with self._keeping:
            self._kept[key] = value
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return value


def outcome(look: Look, job: Job | None) -> Outcome:
    """How the column ended, with its answer where one was written."""
    if job is not None and job.state == "done" and job.column is not None:
        return job.column.outcome
    return look.column.outcome


def _because(result: AskResult, column: ColumnResult) -> str:
    if column.retriever != "auto" or not result.route:
        return ""
    return f"{result.route.get('column', '')}: {result.route.get('because', '')}"
