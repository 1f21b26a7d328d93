"""The head of every page: what is in the store, how much of it can be searched, what goes on behind the page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from ui.background import VECTORS, Task
from ui.components.markup import html, join
from ui.coverage import Coverage


def brand() -> Markup:
    """Sign and name."""
    return html('<div class="mw-brand"><i></i><b>mailweave</b></div>')


def strip(coverage: Coverage, tasks: Sequence[Task] = ()) -> Markup:
    """One line: messages, unreadable ones, embedded share, graph, and what is being done."""
    parts = [html("<span><b>{:,}</b> messages{}</span>", coverage.messages, _period(coverage))]
    if coverage.unreadable:
        parts.append(html('<span class="warn"><b>{:,}</b> unreadable</span>', coverage.unreadable))
    embedding = any(task.name == VECTORS and task.state == "running" for task in tasks)
    parts.append(_embedded(coverage, embedding))
    if coverage.graph == "current":
        parts.append(html("<span>graph built <b>{}</b></span>", ago(coverage.built_at)))
    else:
        parts.append(html('<span class="bad"><b>graph {}</b>: run mailweave ingest</span>', coverage.graph))
    parts += [
        _task(task) for task in tasks if task.state == "failed" or (task.state == "running" and task.name != VECTORS)
    ]
    return html('<div class="mw-coverage" role="status">{}</div>', join(parts))


def ago(at: datetime | None) -> str:
    """How long ago, as a person says it."""
    if at is None:
        return "never"
    minutes = int((datetime.now(UTC) - at).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    return f"{minutes // 60} h ago" if minutes < 48 * 60 else f"{at:%-d %b %Y}"


def _period(coverage: Coverage) -> str:
    if coverage.first is None or coverage.last is None:
        return ""
    return f", {coverage.first:%b %Y} to {coverage.last:%b %Y}"


def _embedded(coverage: Coverage, going_on: bool) -> Markup:
    if coverage.chunks and coverage.embedded >= coverage.chunks:
        return html("<span>all <b>embedded</b></span>")
    percent = 100 * coverage.embedded // coverage.chunks if coverage.chunks else 0
    return html(
        '<span class="{}"><span class="mw-bar"><i style="width:{}%"></i></span><b>{} %</b> embedded{}</span>',
        "" if percent or going_on else "warn",
        percent,
        percent,
        ", going on" if going_on else "",
    )


def _task(task: Task) -> Markup:
    if task.state == "failed":
        return html('<span class="bad"><b>{}</b>: {}</span>', task.name, task.words)
    bar = Markup("")
    amount = task.words
    if task.total:
        bar = html('<span class="mw-bar"><i style="width:{}%"></i></span>', min(100, 100 * task.done // task.total))
        amount = _amount(task)
    elif task.started:
        amount = f"{task.words or 'working'}, {int(time.time() - task.started) // 60} min so far"
    return html("<span>{}<b>{}</b> {}</span>", bar, task.name, amount)


def _amount(task: Task) -> str:
    if task.unit == "bytes":
        return f"{task.done / 1e6:,.0f} of {task.total / 1e6:,.0f} MB"
    return f"{100 * task.done // task.total} % {task.words}"
