"""What questions can be made of: the people, months, organisations, folders and conversations of a mailbox."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

import psycopg

MONTHS = "January February March April May June July August September October November December".split()
COUNTING_RULE = (
    "Distinct messages (a copy in another folder counts once), without drafts, spam, trash and messages known only "
    "from quotations. Dates as written in the Date header. People with all their addresses."
)

# Every query begins with these: m counted messages, s their senders, r their recipients.
BASE = """
WITH m AS (
    SELECT id, sender, thread, subject, subject_base, local_at, kind, to_char(local_at, 'YYYY-MM') AS month
    FROM mail.message WHERE counted
), s AS (
    SELECT m.id AS message, m.month, m.local_at, m.thread, m.kind, a.organization, pa.person
    FROM m JOIN mail.address a ON a.id = m.sender JOIN mail.person_address pa ON pa.address = a.id
), r AS (
    SELECT m.id AS message, m.month, x.kind, a.organization, pa.person
    FROM m JOIN mail.recipient x ON x.message = m.id JOIN mail.address a ON a.id = x.address
    JOIN mail.person_address pa ON pa.address = a.id
)
"""


@dataclass(frozen=True)
class Made:
    """A question with its value. ``items``: for a set or a ranking {id, n?} of ``item_type``; ``path``: the hops that
    lead to it, as (from, edge, to, items); ``edge``: the last hop, to the value itself. ``messages`` are needed
    ones."""

    kind: str
    text: str
    value_type: str
    value: int | list[dict[str, Any]]
    item_type: str | None = None
    path: tuple[tuple[str, str, str, list[dict[str, Any]]], ...] = ()
    edge: str = ""
    messages: tuple[int, ...] = field(default=())

    def to_json(self, id: str, box: Box) -> dict[str, object]:
        """All fields of the question format."""
        groups = box.message_ids(self.messages)
        value = self.value if isinstance(self.value, int) else box.items(self.value, self.item_type)
        path = [
            {"from": start, "edge": edge, "to": to, "value": box.items(items, to)}
            for start, edge, to, items in self.path
        ]
        last = [value] if isinstance(value, int) else value
        facts = [str(value)] if isinstance(value, int) else [_told(item) for item in value]
        return question(
            id,
            self.kind,
            self.text,
            as_of=box.as_of,
            value_type=self.value_type,
            item_type=self.item_type,
            gold_value=value,
            gold_path=[*path, {"from": path[-1]["to"], "edge": self.edge, "to": self.item_type, "value": last}]
            if path
            else None,
            gold_message_ids=groups,
            gold_answer="; ".join(facts),
            facts=facts,
            counting_rule=COUNTING_RULE,
        )


def _told(item: dict[str, Any]) -> str:
    """What an answer in words has to say of an item."""
    return f"{item['label']}: {item['n']}" if item.get("n") is not None else str(item["label"])


def question(id: str, kind: str, text: str, *, as_of: date | None, **given: object) -> dict[str, object]:
    """A question with every field of the format, those not given empty."""
    empty: dict[str, object] = {
        "id": id, "mailbox": "own", "split": "own", "kind": kind, "question": text, "value_type": None,
        "item_type": None, "gold_value": None, "gold_path": None, "gold_message_ids": [], "also_ok_message_ids": [],
        "gold_answer": "", "facts": [], "counting_rule": None, "value_variants": None,
        "as_of": as_of.isoformat() if as_of else None, "evidence": "", "evidence_by_message": [],
        "absence_patterns": [], "absence_after": None, "gold_folders": [], "gold_months": [], "notes": "",
    }  # fmt: skip
    return empty | given


@dataclass(frozen=True)
class Person:
    """Somebody whose name means nobody else, and who writes in person. ``sent`` messages."""

    id: int
    name: str
    sent: int


class Box:
    """A mailbox and the chance by which questions are chosen from it."""

    def __init__(self, conn: psycopg.Connection, rng: random.Random) -> None:
        self.conn = conn
        self.rng = rng

    def rows(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Rows of a query that may use m, s and r."""
        return self.conn.execute((BASE + query).encode(), parameters).fetchall()

    def number(self, query: str, **parameters: Any) -> int:
        """The one number that a query gives."""
        return int(self.rows(query, **parameters)[0][0])

    def say(self, *wordings: str, **values: str) -> str:
        """One of several ways to say the same."""
        return self.rng.choice(wordings).format(**values)

    def pick(self, values: Sequence[Any]) -> Any:
        """One of them, or None of none."""
        return self.rng.choice(values) if values else None

    @cached_property
    def owner(self) -> int | None:
        """The person whose mailbox this is, where exactly one is known: "I" in a question means them."""
        rows = self.conn.execute("SELECT id FROM mail.person WHERE is_owner").fetchall()
        return int(rows[0][0]) if len(rows) == 1 else None

    @cached_property
    def as_of(self) -> date | None:
        """The last day of the mailbox."""
        (last,) = self.rows("SELECT max(local_at)::date FROM m")[0]
        return last if isinstance(last, date) else None

    @cached_property
    def people(self) -> list[Person]:
        """Those to ask about, the owner left out."""
        return [Person(*row) for row in self.rows(_PEOPLE)]

    @cached_property
    def months(self) -> list[str]:
        """Months with enough mail to ask about."""
        return [
            m
            for (m,) in self.rows(
                "SELECT month FROM m WHERE month IS NOT NULL GROUP BY 1 HAVING count(*) >= 5 ORDER BY 1"
            )
        ]

    @cached_property
    def organizations(self) -> list[tuple[int, str]]:
        """Organisations of which several people wrote: (id, domain)."""
        return self.rows(_ORGANIZATIONS)

    @cached_property
    def threads(self) -> list[tuple[int, str]]:
        """Conversations that their subject tells from all others: (id, subject)."""
        return self.rows(_THREADS)

    def items(self, items: list[dict[str, Any]], item_type: str | None) -> list[dict[str, Any]]:
        """Items with all that a person, organisation or message may be called by."""
        if item_type == "person":
            known = self._people([item["id"] for item in items])
            return [known[item["id"]] | _n(item) for item in items]
        if item_type == "message":
            ids = [int(item["id"]) for item in items]
            named: dict[int, str] = dict(
                self.conn.execute(
                    "SELECT id, concat_ws(' ', local_at::date, subject) FROM mail.message WHERE id = ANY(%s)", (ids,)
                ).fetchall()
            )
            return [
                {"label": named[i], "message_ids": group} for i, group in zip(ids, self.message_ids(ids), strict=True)
            ]
        return [{"label": str(item["id"])} | _n(item) for item in items]

    def message_ids(self, messages: Sequence[int]) -> list[list[str]]:
        """For each message the Message-IDs of all its copies."""
        rows = self.conn.execute(
            "SELECT message, array_agg(DISTINCT message_id ORDER BY message_id) FROM mail.occurrence "
            "WHERE message = ANY(%s) GROUP BY 1",
            (list(messages),),
        ).fetchall()
        known: dict[int, list[str]] = dict(rows)
        return [known[message] for message in messages]

    def _people(self, ids: list[int]) -> dict[int, dict[str, Any]]:
        rows = self.conn.execute(
            """
            SELECT p.id, p.name, array_agg(DISTINCT a.address ORDER BY a.address),
                   coalesce(array_agg(DISTINCT n.name) FILTER (WHERE n.name <> ''), '{}')
            FROM mail.person p JOIN mail.person_address pa ON pa.person = p.id JOIN mail.address a ON a.id = pa.address
            LEFT JOIN mail.address_name n ON n.address = a.id WHERE p.id = ANY(%s) GROUP BY 1, 2
            """,
            (ids,),
        ).fetchall()
        return {
            id: {"label": name or addresses[0], "address": addresses[0], "addresses": addresses, "names": names}
            for id, name, addresses, names in rows
        }


def in_words(month: str) -> str:
    """``March 2024`` for 2024-03."""
    year, number = month.split("-")
    return f"{MONTHS[int(number) - 1]} {year}"


def _n(item: dict[str, Any]) -> dict[str, Any]:
    return {"n": item["n"]} if "n" in item else {}


# Full names of at least two words that no other person bears, whatever the case; none of their mail is automated.
_PEOPLE = r"""
SELECT p.id, p.name, count(*) FROM s JOIN mail.person p ON p.id = s.person
WHERE NOT p.is_owner AND NOT p.is_role AND p.name ~ '^[[:alpha:]''-]{2,}( [[:alpha:]''.-]+)* [[:alpha:]''-]{2,}$'
  AND NOT EXISTS (SELECT FROM mail.address_name n JOIN mail.person_address pa ON pa.address = n.address
                  WHERE lower(n.name) = lower(p.name) AND pa.person <> p.id)
  AND NOT EXISTS (SELECT FROM mail.person q WHERE lower(q.name) = lower(p.name) AND q.id <> p.id)
GROUP BY p.id, p.name HAVING count(*) >= 3 AND bool_and(s.kind = 'mail') ORDER BY count(*) DESC, p.id LIMIT 200
"""
_ORGANIZATIONS = """
SELECT o.id, o.domain FROM s JOIN mail.organization o ON o.id = s.organization JOIN mail.person p ON p.id = s.person
GROUP BY 1, 2 HAVING count(DISTINCT s.person) BETWEEN 2 AND 15 AND bool_and(s.kind = 'mail')
   AND bool_and(NOT p.is_role AND NOT p.is_owner) ORDER BY count(*) DESC, 1 LIMIT 60
"""
# The subject stands in no other conversation, and in the whole of this one; it has no mark of a reply.
_THREADS = """
SELECT t.id, t.subject FROM mail.thread t JOIN mail.message f ON f.id = t.id
WHERE t.messages BETWEEN 3 AND 25 AND NOT f.is_reply AND NOT f.is_forward
  AND length(t.subject) BETWEEN 10 AND 60 AND t.subject !~ '["\\[\\]{}<>]'
  AND NOT EXISTS (SELECT FROM mail.message x
                  WHERE x.thread = t.id AND (x.subject_base <> f.subject_base OR NOT x.counted OR x.kind <> 'mail'))
  AND NOT EXISTS (SELECT FROM mail.message x
                  WHERE left(x.subject_base, 200) = left(f.subject_base, 200) AND x.thread IS DISTINCT FROM t.id)
ORDER BY t.messages DESC, t.id LIMIT 80
"""
