"""What the columns share: the number that makes a comparison worth looking at.

Two ways of looking that find the same twelve messages are one way; two that share one message are worth having
both. A message counts once, however many copies it has, since hits are messages and not their copies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from markupsafe import Markup

from ui.components.markup import html, join
from ui.components.names import colour, title


def shared(found: Mapping[str, Sequence[int]], a: str, b: str) -> tuple[int, int]:
    """How many messages the columns ``a`` and ``b`` share, of how many (the larger of the two lists)."""
    return len(set(found[a]) & set(found[b])), max(len(found[a]), len(found[b]))


def headline(found: Mapping[str, Sequence[int]]) -> Markup:
    """The sentence above: two columns share n of m; of more columns, the pair that shares least."""
    pairs = [(a, b) for a, b in combinations(found, 2) if found[a] and found[b]]
    if not pairs:
        return html('<p class="mw-headline">There is nothing to compare: fewer than two columns found messages.</p>')
    a, b = min(pairs, key=lambda pair: shared(found, *pair)[0] / max(1, shared(found, *pair)[1]))
    n, of = shared(found, a, b)
    return html(
        '<p class="mw-headline"><em class="{}">{}</em> and <em class="{}">{}</em> '
        "share <b>{}</b> of {} messages{}.</p>",
        colour(a), title(a), colour(b), title(b), n, of, ", the least alike" if len(pairs) > 1 else "",
    )  # fmt: skip


def matrix(found: Mapping[str, Sequence[int]]) -> Markup:
    """Every pair of columns: messages in both, of the larger list. The diagonal holds what each found."""
    names = list(found)
    head = join(html('<th scope="col" class="{}">{}</th>', colour(name), title(name)) for name in names)
    rows = []
    for a in names:
        cells = []
        for b in names:
            if a == b:
                cells.append(html('<td class="self" title="found by {}">{}</td>', title(a), len(found[a])))
                continue
            n, of = shared(found, a, b)
            share = round(60 * n / of) if of else 0
            cells.append(
                html('<td style="--share:{}" title="{} and {}">{} of {}</td>', share, title(a), title(b), n, of)
            )
        rows.append(html('<tr><th scope="row" class="{}">{}</th>{}</tr>', colour(a), title(a), join(cells)))
    return html(
        '<div class="mw-scroll"><table class="mw-matrix"><thead><tr><th></th>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        head,
        join(rows),
    )


def alone(found: Mapping[str, Sequence[int]], column: str) -> list[int]:
    """The messages that ``column`` found and no other column did, in its order."""
    others = set().union(*(set(ids) for name, ids in found.items() if name != column))
    return [message for message in found[column] if message not in others]
