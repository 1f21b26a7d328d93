"""The pieces of the query page: the schema beside, what went wrong and where, the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from graph import schema
from graph.errors import QueryFailed
from graph.views import View
from ui.components.markup import html, join
from ui.console import Cell, Result


def graph_schema(counts: Mapping[str, int]) -> Markup:
    """The labels with their numbers; a click on one shows some of it."""
    vertices = [
        _entry(v.label, f"{counts.get(v.label, 0):,}", v.meaning, v.properties.items(),
               _some(v))
        for v in schema.VERTICES
    ]  # fmt: skip
    edges = [
        _entry(f"{e.start} –{e.label}→ {e.end}", f"{counts.get(e.label, 0):,}", e.meaning, e.properties.items(),
               f"MATCH (a:{e.start})-[r:{e.label}]->(b:{e.end})\nRETURN a, r, b LIMIT 25")
        for e in schema.EDGES
    ]  # fmt: skip
    return html(
        '<div class="mw-schema"><div class="mw-kind">Vertices</div>{}<div class="mw-kind">Edges</div>{}</div>',
        join(vertices), join(edges),
    )  # fmt: skip


def views_schema(documented: Sequence[View]) -> Markup:
    """The views with their columns; a click on one shows some of it."""
    entries = [
        _entry(
            view.name, "", view.meaning,
            [(name, " · ".join(filter(None, parts))) for name, parts in view.columns.items()],
            f"SELECT {', '.join(name for name in view.columns if name != 'text')}\nFROM {view.name} LIMIT 25",
        )
        for view in documented
    ]  # fmt: skip
    return html('<div class="mw-schema"><div class="mw-kind">Views</div>{}</div>', join(entries))


def examples(offered: Sequence[tuple[str, str]]) -> Markup:
    """Queries to click."""
    return html(
        '<div class="mw-picks">{}</div>',
        join(
            html('<button type="button" class="mw-pick" data-open="{}" title="{}">{}</button>', query, query, name)
            for name, query in offered
        ),
    )


def failed(error: QueryFailed) -> Markup:
    """The named error, and under the query's line the place where it is."""
    return html(
        '<div class="mw-error" role="alert"><b>{}</b>{}{}{}</div>',
        type(error).__name__,
        error.message,
        html('<span class="hint">{}</span>', error.hint) if error.hint else "",
        _place(error.query, error.position) if error.position is not None else "",
    )


def rows(result: Result) -> Markup:
    """The rows as a table; what has a page leads there."""
    head = join(
        html('<th scope="col" class="{}">{}</th>', "n" if _numbers(result, place) else "", name)
        for place, name in enumerate(result.columns)
    )
    body = join(html("<tr>{}</tr>", join(_cell(cell) for cell in row)) for row in result.cells)
    return html(
        '<div class="mw-scroll"><table class="mw-table rows"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>',
        head, body,
    )  # fmt: skip


def _cell(cell: Cell) -> Markup:
    inner = html('<a href="{}">{}</a>', cell.href, cell.text) if cell.href else html("{}", cell.text)
    return html(
        '<td class="{}" title="{}">{}</td>', "n" if cell.number else "", cell.text if len(cell.text) > 40 else "", inner
    )


def _numbers(result: Result, place: int) -> bool:
    return any(row[place].number for row in result.cells)


def _entry(name: str, count: str, meaning: str, properties: Iterable[tuple[str, str]], query: str) -> Markup:
    listed = join(html("<div><b>{}</b> {}</div>", one, about) for one, about in properties)
    return html(
        '<details><summary><span class="l">{}</span><span class="n">{}</span></summary><div class="about">{}</div>{}'
        '<button type="button" class="mw-pick" data-open="{}">Show 25</button></details>',
        name, count, meaning, listed, query,
    )  # fmt: skip


def _some(vertex: schema.Vertex) -> str:
    """A query for some vertices of a label with their first properties."""
    shown = [name for name in vertex.properties if name not in ("id", "name", "subject", "domain")][:4]
    columns = ", ".join(["n", *(f"n.{name}" for name in shown)])
    return f"MATCH (n:{vertex.label})\nRETURN {columns} LIMIT 25"


def _place(query: str, position: int) -> Markup:
    """The lines up to the one with the error, and a caret below its place. Tabs count as one character."""
    before = query[:position]
    line = before.count("\n")
    lines = query.replace("\t", " ").split("\n")
    shown = lines[max(0, line - 2) : line + 1]
    column = position - (before.rfind("\n") + 1)
    return html(
        '<pre class="caret" aria-label="Line {}, character {}">{}\n{}<mark>^</mark></pre>',
        line + 1, column + 1, "\n".join(shown), " " * column,
    )  # fmt: skip
