"""Which work goes on behind the page: what the settings need and this machine has not yet.

The fictional mailbox brings everything by itself, so that a first look needs one command. Over one's own mail nothing
is installed or fetched without being asked for; chunks are embedded when the model is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ui import background
from ui.background import Background, Stopped, Task
from ui.models import Models
from ui.settings import Settings, wanted_models
from ui.workspace import Workspace

READING = "mail"


def begin(space: Workspace, store: str, *, fetch: bool) -> bool:
    """Begins what is missing for ``store``. ``fetch``: also install the engine and fetch models. False when nothing
    is missing or another program is at it."""
    settings, behind = space.settings, space.background
    small, large = _missing_models(settings) if fetch else ([], [])
    first: list[Task] = []
    if fetch and _needs_engine(settings) and not background.engine_present():
        first.append(Task("model engine", run=lambda task: background.install_engine(task, behind)))
    first += [_fetch(name, settings, behind) for name in small]
    coverage = space.coverage(store)
    if coverage.embedded < coverage.chunks and (fetch or space.models.embedder_or_none() is not None):
        first.append(Task(background.VECTORS, total=coverage.chunks, unit="chunks", run=_embed(space, store)))
    second = [_fetch(name, settings, behind) for name in large]
    return bool(first or second) and behind.start([first, second])


def begin_once(space: Workspace, store: str) -> None:
    """Embeds what is missing in ``store`` where the model is here; not again and again where that fails."""
    here = space.coverage(store)
    mark = (store, here.chunks)
    if here.embedded == here.chunks or mark in space.attempted or space.background.busy:
        return
    if space.models.embedder_or_none() is not None:
        space.attempted.add(mark)
        begin(space, store, fetch=False)


def read(
    space: Workspace, store: str, paths: Sequence[Path], owner: Sequence[str] = (), mailbox: str = "default"
) -> bool:
    """Begins to read mail into ``store`` (without paths: looks at the known sources again), then makes vectors where
    the model is here. What it did stands in ``space.read_results``, in words. False while something else goes on."""

    def run(task: Task) -> None:
        from ui.reading_apart import read_apart

        space.read_results.pop(store, None)
        space.read_results[store] = read_apart(
            store, space.settings.dsn, space.settings.home, paths, owner, mailbox,
            progress=_Report(task), stopped=space.background.stopping,
        )  # fmt: skip
        if space.background.stopping():
            raise Stopped

    lane = [Task(READING, run=run)]
    if space.models.embedder_or_none() is not None:
        lane.append(Task(background.VECTORS, unit="chunks", run=_embed(space, store)))
    return space.background.start([lane])


def embed(space: Workspace, store: str) -> bool:
    """Begins to make the vectors that are missing in ``store``. False while something else goes on."""
    return space.background.start([[Task(background.VECTORS, unit="chunks", run=_embed(space, store))]])


def fetch(space: Workspace, name: str) -> bool:
    """Begins to fetch a model of the catalogue. False while something else goes on."""
    return space.background.start([[_fetch(name, space.settings, space.background)]])


def halt(space: Workspace, store: str) -> None:
    """Ends what goes on where it can go on later; vectors that were stopped do not begin again by themselves."""
    space.attempted.add((store, space.coverage(store).chunks))
    space.background.halt()


def missing(settings: Settings) -> str:
    """What would have to be fetched, with its size in words; empty where everything is here."""
    from retrieval.models import catalogue

    names = [name for some in _missing_models(settings) for name in some]
    parts = [f"{name} ({(catalogue.model(name).download_bytes or 0) / 1e6:,.0f} MB)" for name in names]
    if _needs_engine(settings) and not background.engine_present():
        parts.insert(0, "the model engine (compiled here, some minutes)")
    return ", ".join(parts)


def _missing_models(settings: Settings) -> tuple[list[str], list[str]]:
    """Embedding models, and the others, that are not here yet."""
    from retrieval.models import catalogue

    missing = [entry for name in wanted_models(settings) if not (entry := catalogue.model(name)).is_in(settings.models)]
    return [one.name for one in missing if one.role == "embed"], [one.name for one in missing if one.role != "embed"]


def _needs_engine(settings: Settings) -> bool:
    from ui.settings import is_address

    return any(choice is None or not is_address(choice) for choice in (settings.chat_model, settings.embed_model))


def _fetch(name: str, settings: Settings, behind: Background) -> Task:
    def run(task: Task) -> None:
        from retrieval.models.pull import pull

        settings.models.mkdir(parents=True, exist_ok=True)
        pull(name, settings.models, progress=lambda done, total, what: behind.report(task, done, total, what))

    return Task(name, unit="bytes", run=run)


def _embed(space: Workspace, store: str) -> Callable[[Task], None]:
    def run(task: Task) -> None:
        from ingest.embed import embed

        models: Models = space.models
        embed(space.store(store), models.embedder(), progress=_Report(task), stop=space.background.stopping)
        if space.background.stopping():
            raise Stopped

    return run


class _Report:
    """Tells a task what a long job of ``ingest`` tells. It never ends the job: that looks itself, between batches."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def step(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        """A new step begins."""
        self._task.unit, self._task.done, self._task.total, self._task.words = unit, 0, total or 0, name

    def advance(self, n: int = 1) -> None:
        """``n`` more units are done."""
        self._task.done += n
