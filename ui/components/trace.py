"""The steps of one column as a small waterfall: what went in, what came out, how long it took.

Steps run one after the other, so each bar begins where the one before it ended.
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
                '<span class="t">{}</span><span class="lane"><i style="left:{:.2f}%;width:{:.2f}%"></i></span>'
                '<span class="ms">{}</span><span class="io">{}</span>',
                step.name,
                min(left, 99.0),
                width,
                milliseconds(step.milliseconds),
                _in_and_out(step),
            )
        )
    return html('<div class="mw-trace {}">{}</div>', colour(column), join(rows))


def _in_and_out(step: Step) -> str:
    return " → ".join(part for part in (step.input, step.output) if part) or f"{step.size}"
