"""The steps of one column as a small waterfall: what went in, what came out, how long it took.

Steps run one after the other, so each bar begins where the one before it ended. It is a table, so that it can also be
read out: the bars say nothing that the numbers do not say.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from retrieval.types import Step
from ui.components.markup import html, join
from ui.components.names import colour


def milliseconds(value: float) -> str:
    """A duration as a person reads it."""
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


def waterfall(column: str, steps: Sequence[Step]) -> Markup:
    """The steps of ``column`` with their times."""
    total = sum(step.milliseconds for step in steps) or 1.0
    rows, begun = [], 0.0
    for step in steps:
        left, width = 100 * begun / total, 100 * step.milliseconds / total
        begun += step.milliseconds
        rows.append(
            html(
                '<tr><th scope="row">{}</th><td class="bar"><div class="lane" aria-hidden="true">'
                '<i style="left:{:.2f}%;width:{:.2f}%"></i></div></td><td class="n">{:,}</td><td class="n">{}</td></tr>'
                '<tr class="io"><td colspan="4">{}</td></tr>',
                step.name,
                min(left, 98.0),
                min(width, 100 - min(left, 98.0)),
                step.size,
                milliseconds(step.milliseconds),
                _in_and_out(step),
            )
        )
    return html(
        '<table class="mw-trace {}"><caption>{} in {}: what went into each and what came out</caption>'
        '<thead><tr><th scope="col">step</th><th scope="col"><span class="mw-unseen">share of the time</span></th>'
        '<th scope="col" class="n">size</th><th scope="col" class="n">time</th></tr></thead><tbody>{}</tbody></table>',
        colour(column),
        f"{len(steps)} step{'' if len(steps) == 1 else 's'}",
        milliseconds(total),
        join(rows),
    )


def _in_and_out(step: Step) -> Markup:
    parts = [html('<span class="in">{}</span>', step.input)] if step.input else []
    parts += [html('<span class="out">→ {}</span>', step.output)] if step.output else []
    return join(parts, " ")
