"""Counts, ranks, sets and paths over the fictional mailbox, by plain loops over its messages.

Every function answers one question of content/questions.toml and is as short as the question, so that a doubt about a
number can be settled by reading. Nothing here knows how mailweave counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ui.demo import people
from ui.demo.build import OWNER

if TYPE_CHECKING:
    from ui.demo.gold import Mail

EVERYBODY = people.load()
BY_ADDRESS = {address: person for person in EVERYBODY.values() for address in person.addresses}
LIST = "monitoring@lists.northmoor-uni.example"
HOME = "tarnbridge.example"


@dataclass
class Value:
    """A computed answer in the form of a question file."""

    type: str  # number, ranked, set
    item_type: str | None
    value: Any
    raw: Any  # number, [[key, n], …] or [key, …]
    path: list[dict[str, Any]] | None = None
    message_ids: list[str] = field(default_factory=list)

    @property
    def facts(self) -> list[str]:
        """One short statement an item."""
        if self.type == "number":
            return [str(self.value)]
        return [f"{item['label']}: {item['n']}" if "n" in item else item["label"] for item in self.value]

    @property
    def answer(self) -> str:
        """The value in words."""
        return "; ".join(self.facts)


def compute(name: str, mails: list[Mail]) -> Value:
    """The value called `name` over `mails`. KeyError for an unknown name."""
    return COMPUTATIONS[name](mails)


# --- building blocks --------------------------------------------------------------------------------------------


def person_of(address: str) -> str:
    """The key of the person an address belongs to; the address itself for machines and strangers."""
    person = BY_ADDRESS.get(address)
    return person.key if person else address


def _human(key: str) -> bool:
    return key in EVERYBODY and EVERYBODY[key].is_human


def _domain(address: str) -> str:
    return ".".join(address.rpartition("@")[2].split(".")[-2:])


def _by(mails: Iterable[Mail], key: str) -> list[Mail]:
    return [mail for mail in mails if person_of(mail.sender) == key]


def _at(mails: Iterable[Mail], domain: str) -> list[Mail]:
    return [mail for mail in mails if _domain(mail.sender) == domain]


def _in(mails: Iterable[Mail], month: str) -> list[Mail]:
    return [mail for mail in mails if mail.month == month]


def _item(key: str, n: int | None = None) -> dict[str, Any]:
    person = EVERYBODY[key]
    item = {
        "label": person.name,
        "address": person.addresses[0],
        "addresses": list(person.addresses),
        "names": [person.name],
    }
    return item if n is None else {**item, "n": n}


def _number(n: int, path: list[dict[str, Any]] | None = None) -> Value:
    return Value("number", None, n, n, path)


def _persons(keys: Iterable[str], path: list[dict[str, Any]] | None = None) -> Value:
    chosen = sorted({key for key in keys if _human(key)}, key=lambda key: EVERYBODY[key].name)
    items = [_item(key) for key in chosen]
    if path:
        path[-1]["value"] = items
    return Value("set", "person", items, [item["address"] for item in items], path)


def _plain(kind: str, labels: Iterable[str]) -> Value:
    chosen = sorted(set(labels))
    return Value("set", kind, [{"label": label} for label in chosen], chosen)


def _top(counts: Counter[str], depth: int, kind: str = "person") -> Value:
    """The first `depth`; ValueError where a tie would make the order arbitrary."""
    order = counts.most_common(depth + 1)
    numbers = [n for _, n in order]
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"a tie within the first {depth}: {order}")
    top = order[:depth]
    items = [_item(key, n) if kind == "person" else {"label": key, "n": n} for key, n in top]
    return Value("ranked", kind, items, [[item.get("address", item["label"]), item["n"]] for item in items])


def _messages(mails: Iterable[Mail]) -> Value:
    items = {m.id: {"label": f"{m.date:%Y-%m-%d} {m.subject}", "message_ids": [m.id]} for m in mails}
    return Value("set", "message", list(items.values()), list(items))


def _mentions(mails: Iterable[Mail], *terms: str) -> list[Mail]:
    patterns = [re.compile(rf"(?<!\w){re.escape(term)}(?!\w)", re.I) for term in terms]
    return [m for m in mails if all(p.search(f"{m.subject}\n{m.text}") for p in patterns)]


def _hop(start: str, edge: str, to: str, value: Any) -> dict[str, Any]:
    return {"from": start, "edge": edge, "to": to, "value": value}


def _to_humans(mails: Iterable[Mail], cc: bool = False) -> Counter[str]:
    """How many messages went to each person (once per message), the owner left out."""
    counts: Counter[str] = Counter()
    for mail in mails:
        keys = {person_of(address) for address in (mail.recipients if cc else mail.to)}
        counts.update(key for key in keys if _human(key) and key != "maren")
    return counts


def _senders(mails: Iterable[Mail]) -> Counter[str]:
    """How many messages each person but the owner sent; machines and role addresses left out."""
    keys = [person_of(mail.sender) for mail in mails]
    return Counter(key for key in keys if _human(key) and key != "maren")


# --- one function a question ------------------------------------------------------------------------------------


def _loggers(mails: list[Mail]) -> list[Mail]:
    """The conversation that began with "Where are the loggers?", by References."""
    root = next(mail for mail in mails if mail.subject == "Where are the loggers?")
    return [mail for mail in mails if mail.id == root.id or root.id in mail.references]


def _august_of_julys_busiest(mails: list[Mail]) -> Value:
    top = _senders(_in(mails, "2025-07")).most_common(1)[0][0]
    n = len(_in(_by(mails, top), "2025-08"))
    return _number(
        n,
        [
            _hop("mailbox, July 2025", "sent the most messages (From, owner excluded)", "person", [_item(top)]),
            _hop("person, August 2025", "sent", "messages", [n]),
        ],
    )


def _copied_by_schedule_sender(mails: list[Mail]) -> Value:
    sender = next(person_of(m.sender) for m in mails if "2240-payment-schedule.xlsx" in m.attachments)
    copied = [person_of(a) for m in _by(mails, sender) for a in m.cc]
    return _persons(
        [key for key in copied if key != "maren"],
        [
            _hop("2240-payment-schedule.xlsx", "was sent by", "person", [_item(sender)]),
            _hop("person", "put in Cc", "people", []),
        ],
    )


def _wrote_to_both_anas(mails: list[Mail]) -> Value:
    reached: dict[str, set[str]] = {"ana.b": set(), "ana.p": set()}
    for mail in mails:
        for key in {person_of(a) for a in mail.recipients} & reached.keys():
            reached[key].add(person_of(mail.sender))
    both = (reached["ana.b"] & reached["ana.p"]) - {"maren"}
    return _persons(
        both,
        [
            _hop(
                "Ana Belmonte",
                "got messages (To or Cc) from",
                "people",
                [_item(k) for k in _humans(reached["ana.b"])],
            ),
            _hop("people", "also wrote to (To or Cc) Ana Petrović", "people", []),
        ],
    )


def _humans(keys: Iterable[str]) -> list[str]:
    return sorted(key for key in keys if _human(key) and key != "maren")


def _first_on_list(mails: list[Mail]) -> Value:
    posts = [mail for mail in mails if LIST in mail.recipients]
    first = person_of(posts[0].sender)
    months = sorted({mail.month for mail in _by(posts, first)})
    items = [{"label": month} for month in months]
    return Value(
        "set",
        "month",
        items,
        months,
        [
            _hop("monitoring list", "was first written to by", "person", [_item(first)]),
            _hop("person", "posted to the list in", "months", items),
        ],
    )


def _logger_writers(mails: list[Mail]) -> Value:
    others = Counter(person_of(m.sender) for m in _loggers(mails) if m.sender != OWNER)
    return _persons(
        others,
        [
            _hop("mailbox", "longest conversation (References)", "messages", [len(_loggers(mails))]),
            _hop("conversation", "was written in by (owner excluded)", "people", []),
        ],
    )


def _hoods_first(mails: list[Mail]) -> Value:
    first = _mentions(mails, "white hoods")[0]
    value = _persons([person_of(first.sender)])
    value.message_ids = [first.id]
    return value


def _eskmere_not_in_april(mails: list[Mail]) -> Value:
    eskmere = _at(mails, "eskmerewater.example")
    return _persons({person_of(m.sender) for m in eskmere} - {person_of(m.sender) for m in _in(eskmere, "2025-04")})


def _gone_after_august(mails: list[Mail]) -> Value:
    wrote = {person_of(m.sender) for m in mails if m.month <= "2025-07"}
    return _persons(wrote - {person_of(m.sender) for m in mails if m.month > "2025-08"} - {"maren"})


def _not_on_list(mails: list[Mail]) -> Value:
    colleagues = {key for key, person in EVERYBODY.items() if person.addresses[0].endswith("@" + HOME)}
    return _persons(colleagues - {person_of(m.sender) for m in mails if LIST in m.recipients} - {"maren"})


def _outside(mails: list[Mail]) -> Counter[str]:
    return Counter(_domain(m.sender) for m in mails if _human(person_of(m.sender)) and _domain(m.sender) != HOME)


COMPUTATIONS: dict[str, Callable[[list[Mail]], Value]] = {
    "from_nordkai": lambda m: _number(len(_at(m, "nordkai.example"))),
    "i_sent_in_june": lambda m: _number(len(_in(_by(m, "maren"), "2025-06"))),
    "from_tomas": lambda m: _number(len(_by(m, "tomas"))),
    "from_ana_petrovic": lambda m: _number(len(_by(m, "ana.p"))),
    "attached_in_may": lambda m: _number(sum(bool(mail.attachments) for mail in _in(m, "2025-05"))),
    "loggers_thread": lambda m: _number(len({mail.id for mail in _loggers(m)})),
    "to_the_list": lambda m: _number(len([mail for mail in m if LIST in mail.recipients])),
    "tomas_to_me_august": lambda m: _number(
        len([mail for mail in _in(_by(m, "tomas"), "2025-08") if OWNER in mail.recipients])
    ),
    "top_senders": lambda m: _top(_senders(m), 3),
    "i_wrote_most": lambda m: _top(_to_humans(_by(m, "maren"), cc=True), 2),
    "outside_domains": lambda m: _top(_outside(m), 3, "domain"),
    "my_months": lambda m: _top(Counter(mail.month for mail in _by(m, "maren")), 2, "month"),
    "project_folders": lambda m: _top(
        Counter(f for mail in m for f in set(mail.folders) if f.startswith("projects/")), 2, "folder"
    ),
    "quillfeather_rank": lambda m: _top(_senders(_at(m, "quillfeather.example")), 2),
    "port_people": lambda m: _persons(person_of(mail.sender) for mail in _at(m, "puertovallmar.example")),
    "harriet_months": lambda m: _plain("month", (mail.month for mail in _by(m, "harriet"))),
    "quillfeather_july": lambda m: _persons(
        person_of(mail.sender) for mail in _in(_at(m, "quillfeather.example"), "2025-07")
    ),
    "spreadsheets": lambda m: _messages(mail for mail in m if any(a.endswith(".xlsx") for a in mail.attachments)),
    "ana_petrovic_domains": lambda m: _plain(
        "domain",
        (_domain(a) for mail in _by(m, "ana.p") for a in mail.recipients if _domain(a) != "caldertest.example"),
    ),
    "eskmere_not_in_april": _eskmere_not_in_april,
    "gone_after_august": _gone_after_august,
    "not_on_list": _not_on_list,
    "mention_sandhaven": lambda m: _number(len({mail.id for mail in _mentions(m, "Sandhaven")})),
    "mention_prawns": lambda m: _number(len(_mentions(m, "prawns"))),
    "mention_marejada_lukas": lambda m: _number(len(_mentions(m, "Marejada", "Lukas"))),
    "mention_duck": lambda m: _messages(_mentions(m, "duck")),
    "mention_begona": lambda m: _messages(_mentions(m, "Begoña")),
    "hoods_first": _hoods_first,
    "august_of_julys_busiest": _august_of_julys_busiest,
    "copied_by_schedule_sender": _copied_by_schedule_sender,
    "wrote_to_both_anas": _wrote_to_both_anas,
    "first_on_list": _first_on_list,
    "logger_writers": _logger_writers,
}
