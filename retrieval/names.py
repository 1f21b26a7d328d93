"""The look-up tables over all names of a store, made once for each version of its graph."""

from __future__ import annotations

import gc
import threading
from dataclasses import dataclass
from datetime import date
from typing import Any
from weakref import WeakKeyDictionary

import psycopg

from graph import current
from graph.errors import GraphMissing
from graph.names import Gazetteer, gazetteer
from retrieval.linker import NameIndex
from retrieval.name_forms import Named
from sql.store import Store


@dataclass(frozen=True)
class Names:
    """``index`` over the names, ``last_day`` of the mailbox (None: no dated mail)."""

    index: NameIndex
    last_day: date | None
    version: str


_cache: WeakKeyDictionary[Store, Names] = WeakKeyDictionary()
_lock = threading.Lock()


def names(conn: psycopg.Connection[Any], store: Store) -> Names:
    """The names of ``store``, which ``conn`` reads. Raises GraphMissing before the first build."""
    state = current.state(conn)
    if state is None:
        raise GraphMissing
    version = f"{state.name} {state.built_at.isoformat()}"
    with _lock:
        known = _cache.get(store)
        if known is None or known.version != version:
            found = gazetteer(conn)
            known = _cache[store] = Names(index_of(found), found.last, version)
            del found
            _leave_alone()
        return known


def _leave_alone() -> None:
    """Takes what there is out of the sight of Python's collector of cyclic garbage. Of a big mailbox the tables are
    hundreds of thousands of objects, which every full pass would walk anew, a third of a second in which nobody is
    answered; they have no cycles, and go as soon as nobody refers to them."""
    gc.collect()
    gc.freeze()


def index_of(found: Gazetteer) -> NameIndex:
    """The look-up tables of a gazetteer."""
    return NameIndex(
        [
            Named(
                p.id,
                p.name,
                tuple(name for name, _ in p.names),
                p.addresses,
                p.sent + p.received,
                p.is_owner,
                p.is_role,
            )
            for p in found.people
        ],
        [Named(o.id, o.name, (), (o.domain,), o.n) for o in found.organizations],
        [Named(label.id, label.name, (label.name,), (), label.n) for label in found.labels],
        owner_organizations=found.owner_organizations,
    )
