"""Is a computed value the right one? Numbers, ranked lists and sets, compared item by item.

The rules are those that the labelled questions are written to (shared with every set in that format): a person
matches by any address or any spelling of the name, a message by any copy's Message-ID, a month by YYYY-MM; two
answers that hit one gold item count once; after the depth that was asked for, a ranked list is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Value = int | list[dict[str, Any]]


@dataclass(frozen=True)
class Comparison:
    """``right``: 1 when exact, else 0. ``partial``: leading ranks, F1 or 1 - relative error; ``count_wrong``: items
    that match but whose number differs."""

    right: int
    partial: float
    count_wrong: int = 0


def compare(gold: Any, value_type: str, item_type: str | None, value: Value | None) -> Comparison:
    """Compares ``value`` with ``gold`` (``value_type`` number, ranked or set; ``item_type`` of the items)."""
    if value is None:
        return Comparison(0, 0.0)
    if value_type == "number":
        number = value if isinstance(value, int) else len(value)
        error = abs(number - gold) / max(abs(gold), 1)
        return Comparison(int(number == gold), max(0.0, 1 - error))
    items = value if isinstance(value, list) else []
    hits = [_match(item, gold, item_type) for item in items]
    return _ranked(gold, items, hits) if value_type == "ranked" else _set(gold, items, hits)


def path_recall(path: Sequence[dict[str, Any]], values: Sequence[Any]) -> float:
    """Share of the hops of a gold path whose value is among ``values`` (an answer's facts, its inner steps included),
    each compared as a set or as a number: tells at which hop a wrong answer left the path."""
    reached = 0
    for hop in path:
        gold = hop["value"]
        if len(gold) == 1 and not isinstance(gold[0], dict):
            reached += any(compare(int(gold[0]), "number", None, v).right for v in values if isinstance(v, int))
        else:
            kind = _item_type(gold)
            reached += any(compare(gold, "set", kind, v).right for v in values if isinstance(v, list))
    return reached / len(path)


def _item_type(gold: Sequence[dict[str, Any]]) -> str | None:
    """A path does not name its items' type; their fields do."""
    fields = gold[0].keys() if gold else set()
    return "person" if fields & {"address", "addresses"} else "message" if "message_ids" in fields else None


def _ranked(gold: Sequence[dict[str, Any]], items: Sequence[dict[str, Any]], hits: Sequence[set[int]]) -> Comparison:
    leading = 0
    for depth in range(len(gold)):
        if depth >= len(hits) or depth not in hits[depth]:
            break
        leading += 1
    return Comparison(int(leading == len(gold)), leading / len(gold) if gold else 0.0, _count_wrong(gold, items, hits))


def _set(gold: Sequence[dict[str, Any]], items: Sequence[dict[str, Any]], hits: Sequence[set[int]]) -> Comparison:
    found = set().union(*hits) if hits else set()
    false = sum(not hit for hit in hits)
    if not gold:
        return Comparison(int(not items), float(not items))
    precision = len(found) / (len(found) + false) if found or false else 0.0
    recall = len(found) / len(gold)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Comparison(int(f1 == 1.0), f1, _count_wrong(gold, items, hits))


def _count_wrong(gold: Sequence[dict[str, Any]], items: Sequence[dict[str, Any]], hits: Sequence[set[int]]) -> int:
    return sum(
        any(item.get("n") is not None and gold[number].get("n") not in (None, item["n"]) for number in hit)
        for item, hit in zip(items, hits, strict=True)
    )


def _match(item: dict[str, Any], gold: Sequence[dict[str, Any]], item_type: str | None) -> set[int]:
    """Numbers of the gold items that ``item`` hits: normally one or none."""
    mine = _keys(item, item_type)
    return {number for number, other in enumerate(gold) if mine & _keys(other, item_type)}


def _keys(item: dict[str, Any], item_type: str | None) -> set[str]:
    given = [item.get("label"), item.get("address"), *item.get("keys", ())]
    given += [*item.get("addresses", ()), *item.get("names", ()), *item.get("message_ids", ())]
    texts = [str(text) for text in given if text]
    if item_type == "person":
        return {key for text in texts for key in (_address(text), _name(text)) if key}
    if item_type == "message":
        return {text.strip() for text in texts if text.startswith("<")}
    if item_type == "folder":
        return {text.lower().removeprefix("_").removesuffix(".mbox") for text in texts}
    return {text.lower().strip() for text in texts}


def _address(text: str) -> str:
    return re.sub(r"[<>\"']", "", text).strip().lower() if "@" in text else ""


def _name(text: str) -> str:
    """A name without middle initials and dots, in "First Last" order."""
    if "@" in text:
        return ""
    last, comma, first = text.partition(",")
    words = f"{first} {last}".split() if comma else text.split()
    kept = [word.strip(".").lower() for word in words]
    return " ".join(word for word in kept if len(word) > 1)
