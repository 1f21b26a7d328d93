"""Names with their numbers as rows, each on a bar of its share of the largest one; a row can be clicked."""

from __future__ import annotations

from markupsafe import Markup

from ui.components.markup import html


def bar_row(name: str, n: int, most: int, opens: str | None, *, on: bool = False, title: str = "") -> Markup:
    """One row. ``opens``: its data-open, None for a row that is only read; ``on``: it is what is chosen."""
    inner = html(
        '<span class="b" data-share="{:.1f}"></span><span class="l">{}</span><span class="n">{:,}</span>',
        100 * n / max(1, most), name, n,
    )  # fmt: skip
    if opens is None:
        return html('<div class="mw-tie still">{}</div>', inner)
    return html(
        '<button type="button" class="mw-tie{}" data-open="{}" title="{}">{}</button>',
        " on" if on else "", opens, title, inner,
    )  # fmt: skip
