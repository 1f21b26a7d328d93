"""The pieces of the page Mailbox: sources, what goes on, the ledger, the state of the indexes, the models."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from markupsafe import Markup

from ingest.status import AttachmentStatus, SourceStatus, Status
from retrieval.models.catalogue import Model
from ui.background import Task
from ui.components.coverage import ago
from ui.components.markup import html, join
from ui.components.message import count
from ui.mailbox import Entry


def tasks(given: Sequence[Task]) -> Markup:
    """What goes on or ended last, each with a bar and in words."""
    rows = []
    for task in given:
        share = 100 * task.done // task.total if task.total else 100 if task.state == "done" else 0
        rows.append(
            html(
                '<div class="mw-task {}"><b>{}</b><span class="bar" role="progressbar" aria-label="{}" '
                'aria-valuemin="0" aria-valuemax="100" aria-valuenow="{}"><i style="width:{}%"></i></span>'
                '<span class="words">{}</span></div>',
                task.state, task.name, task.name, min(share, 100), min(share, 100), task.line(),
            )
        )  # fmt: skip
    return html('<div class="mw-tasks">{}</div>', join(rows))


def said(lines: Sequence[str], most: int = 12) -> Markup:
    """What was done, line by line."""
    shown = lines if len(lines) <= most else [*lines[: most - 4], f"and {len(lines) - most + 1} more", *lines[-3:]]
    return html('<ul class="mw-said">{}</ul>', join(html("<li>{}</li>", line) for line in shown))


def figures(status: Status) -> Markup:
    """The store in numbers."""
    shown = [
        ("messages", status.messages),
        ("more copies", status.occurrences - status.messages),
        ("known only from quotations", status.recovered),
        ("people", status.people),
        ("addresses", status.addresses),
        ("without a date", status.without_date),
        ("without a sender", status.without_sender),
    ]
    return html(
        '<dl class="mw-figures">{}</dl>',
        join(html("<div><dt>{}</dt><dd>{:,}</dd></div>", label, n) for label, n in shown),
    )


def sources(given: Sequence[SourceStatus], gone: Collection[str]) -> Markup:
    """Every source with what became of it."""
    rows = []
    for one in given:
        marks = []
        if not one.finished:
            marks.append("not read to its end: look again")
        if one.path in gone:
            marks.append("not there any more")
        rows.append(
            html(
                '<tr><td class="name">{}<small>{}</small>{}</td><td class="n">{:,}</td><td class="n opt">{:,}</td>'
                '<td class="n opt">{:,}</td><td class="n {}">{:,}</td></tr>',
                one.path, one.format, join(html('<span class="mw-badge warn">{}</span>', mark) for mark in marks),
                one.read, one.stored, one.copies, "warn" if one.unreadable else "", one.unreadable,
            )
        )  # fmt: skip
    return html(
        '<div class="mw-scroll"><table class="mw-table"><thead><tr><th scope="col">Source</th>'
        '<th scope="col" class="n">read</th><th scope="col" class="n opt">stored</th>'
        '<th scope="col" class="n opt">copies</th><th scope="col" class="n">unreadable</th></tr></thead>'
        "<tbody>{}</tbody></table></div>",
        join(rows),
    )


def ledger(entries: Sequence[Entry]) -> Markup:
    """What could not be read; a click opens the piece itself as ``entry:ID``."""
    rows = [
        html(
            '<button type="button" class="mw-entry" data-open="entry:{}"><b>{}</b><span class="where">{}{}</span>'
            '<span class="why">{}</span></button>',
            one.id, one.error, one.path, f" · {one.place}" if one.place else "", one.detail,
        )
        for one in entries
    ]  # fmt: skip
    return html('<div class="mw-list">{}</div>', join(rows))


def state(name: str, well: bool, words: str, hint: str = "") -> Markup:
    """One index: whether it can be asked, and what to do where it cannot."""
    return html(
        '<div class="mw-state {}"><b>{}</b><span>{}</span>{}</div>',
        "well" if well else "ill",
        name,
        words,
        html('<span class="hint">{}</span>', hint) if hint else "",
    )


def graph_words(counts: Mapping[str, int], built: datetime) -> str:
    """The graph in a line."""
    rows = ", ".join(f"{n:,} {label}" for label, n in sorted(counts.items(), key=lambda row: -row[1])[:6])
    return f"{sum(counts.values()):,} vertices and edges ({rows}, …), built {ago(built)}"


def attachments(given: AttachmentStatus) -> str:
    """What became of attached files, in a line."""
    parts = [
        f"{n:,} {word}"
        for word, n in (
            ("read", given.read), ("read in part", given.cut), ("without text", given.empty),
            ("of kinds that are not read", given.skipped), ("not readable", given.failed),
            ("not tried yet", given.untried),
        )
        if n
    ]  # fmt: skip
    return f"{count(given.files, 'file')}: {', '.join(parts)}" if given.files else "There are none."


def models(entries: Sequence[Model], present: Collection[str], used: Collection[str]) -> Markup:
    """The catalogue; a model that is not here yet can be fetched: ``fetch:NAME``."""
    rows = []
    for one in entries:
        if one.name in present:
            place = html('<span class="mw-badge well">here</span>')
        elif one.checked == "never":
            place = html(
                '<span class="mw-badge" title="No checksum is known, so it is not fetched by a click.">by hand</span>'
            )
        else:
            place = html(
                '<button type="button" class="mw-small" data-open="fetch:{}">Fetch {}</button>',
                one.name,
                f"{one.download_bytes / 1e6:,.0f} MB" if one.download_bytes else "it",
            )
        rows.append(
            html(
                '<tr><td class="name"><b>{}</b>{}<small>{}</small></td><td>{}</td><td class="opt">{}</td>'
                '<td class="n opt">{}</td><td>{}</td></tr>',
                one.name, html('<span class="mw-badge">in use</span>') if one.name in used else "", one.note,
                {"chat": "plans, answers", "embed": "meaning", "rerank": "order"}[one.role], one.licence,
                f"{size / 1e6:,.0f} MB" if (size := one.bytes or one.download_bytes) else "–", place,
            )
        )  # fmt: skip
    return html(
        '<div class="mw-scroll"><table class="mw-table"><thead><tr><th scope="col">Model</th><th scope="col">for</th>'
        '<th scope="col" class="opt">Licence</th><th scope="col" class="n opt">Size</th><th scope="col"></th>'
        "</tr></thead><tbody>{}</tbody></table></div>",
        join(rows),
    )
