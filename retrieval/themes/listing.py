"""The communities as a person reads them: name, people, messages, period, summary."""

from __future__ import annotations

from dataclasses import dataclass

from graph.analytics import current
from retrieval.themes import material
from retrieval.themes.batch import useful
from sql.store import Store


@dataclass(frozen=True)
class Theme:
    """``level`` 0 is the coarsest; ``parent``: the community it was split off; ``names``: of members, most mail first;
    ``name``, ``summary``, ``model``: what a model wrote, None before; ``due``: not about the present mail."""

    id: int
    level: int
    parent: int | None
    people: int
    names: tuple[str, ...]
    messages: int
    period: str
    name: str | None
    summary: str | None
    model: str | None
    due: bool


def listed(store: Store) -> list[Theme]:
    """All communities that are large enough for a summary, coarse levels first, larger ones first. Raises GraphMissing
    or GraphStale."""
    communities = useful(current(store).communities)
    with store.reader() as conn:
        return [
            Theme(
                c.id, c.level, c.parent, len(c.members), tuple(material.people(conn, c)), c.messages,
                material.figures(conn, c.id).span, c.name, c.summary, c.model, c.due,
            )
            for c in communities
        ]  # fmt: skip
