"""Counts and ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrieval.evaluation.generate.box import Box, Made, in_words


def sent_by_person(box: Box) -> Made | None:
    """How many messages somebody sent."""
    if (person := box.pick(box.people)) is None:
        return None
    text = box.say(
        "How many messages did {name} send?",
        "How many mails are there from {name}?",
        "Count the messages that {name} wrote.",
        "What is the number of messages sent by {name}?",
        name=person.name,
    )
    return Made(
        "aggregate_count", text, "number", box.number("SELECT count(*) FROM s WHERE person = %(p)s", p=person.id)
    )


def sent_by_person_in_month(box: Box) -> Made | None:
    """The same in a month in which they wrote."""
    if (person := box.pick(box.people)) is None:
        return None
    month, n = box.pick(
        box.rows("SELECT month, count(*) FROM s WHERE person = %(p)s AND month IS NOT NULL GROUP BY 1", p=person.id)
    ) or (None, 0)
    if month is None:
        return None
    text = box.say(
        "How many messages did {name} send in {month}?",
        "How often did {name} write in {month}?",
        "In {month}, how many messages came from {name}?",
        name=person.name,
        month=in_words(month),
    )
    return Made("aggregate_count", text, "number", n)


def between_me_and_person(box: Box) -> Made | None:
    """From somebody to the owner, or the other way; Bcc must make no difference."""
    if box.owner is None or (person := box.pick(box.people)) is None:
        return None
    to_me = box.rng.random() < 0.5
    a, b = (person.id, box.owner) if to_me else (box.owner, person.id)
    n, with_bcc = box.rows(
        """
        SELECT count(DISTINCT s.message) FILTER (WHERE r.kind <> 'bcc'), count(DISTINCT s.message)
        FROM s JOIN r USING (message) WHERE s.person = %(a)s AND r.person = %(b)s
        """,
        a=a,
        b=b,
    )[0]
    if n == 0 or n != with_bcc:
        return None
    text = (
        box.say(
            "How many messages did {name} send to me, To or Cc?",
            "How many mails of {name} went to me, counting To and Cc?",
            name=person.name,
        )
        if to_me
        else box.say(
            "How many messages have I sent to {name}, counting To and Cc?",
            "How often did I write to {name}, whether in To or in Cc?",
            name=person.name,
        )
    )
    return Made("aggregate_count", text, "number", n)


def in_month(box: Box) -> Made | None:
    """How many messages a month has."""
    if (month := box.pick(box.months)) is None:
        return None
    text = box.say(
        "How many messages are from {month}?",
        "How many messages were sent in {month}?",
        "How much mail is there in {month}, in messages?",
        month=in_words(month),
    )
    return Made(
        "aggregate_count", text, "number", box.number("SELECT count(*) FROM m WHERE month = %(month)s", month=month)
    )


def from_organization(box: Box) -> Made | None:
    """How many messages came from an organisation's addresses."""
    if (picked := box.pick(box.organizations)) is None:
        return None
    text = box.say(
        "How many messages came from addresses at {domain}?",
        "How many messages did people at {domain} send?",
        "Count the mail that was sent from {domain}.",
        domain=picked[1],
    )
    n = box.number("SELECT count(*) FROM s WHERE organization = %(o)s", o=picked[0])
    return Made("aggregate_count", text, "number", n)


def in_thread(box: Box) -> Made | None:
    """How long a conversation is."""
    if (picked := box.pick(box.threads)) is None:
        return None
    text = box.say(
        'How many messages are in the conversation "{subject}"?',
        'How long is the thread "{subject}", in messages?',
        subject=picked[1],
    )
    return Made(
        "aggregate_count", text, "number", box.number("SELECT count(*) FROM m WHERE thread = %(t)s", t=picked[0])
    )


def most_senders(box: Box) -> Made | None:
    """Who sent most; the same with automated mail and without."""
    if box.owner is None:
        return None
    depth = box.rng.choice((1, 2, 3))
    month = box.pick(box.months) if box.rng.random() < 0.6 else None
    when = f" in {in_words(month)}" if month else ""
    rows = box.rows(_SENDERS, owner=box.owner, month=month)
    ranked = _ranked([(p, n) for p, n, _ in rows], depth)
    if ranked is None or ranked != _ranked(sorted([(p, n) for p, _, n in rows if n], key=_by_n), depth):
        return None
    text = (
        box.say(
            "Who, apart from me, sent the most messages{when}?", "Which person besides me wrote most{when}?", when=when
        )
        if depth == 1
        else box.say(
            "Which {n} people sent the most messages{when}, not counting me?",
            "Name the {n} people who wrote most{when}, me aside.",
            n=("two", "three")[depth - 2],
            when=when,
        )
    )
    return Made("aggregate_rank", text, "ranked", ranked, "person")


def my_correspondents(box: Box) -> Made | None:
    """To whom the owner wrote most."""
    if box.owner is None:
        return None
    depth = box.rng.choice((1, 2))
    rows = box.rows(
        """
        SELECT r.person, count(DISTINCT message) FROM s JOIN r USING (message)
        WHERE s.person = %(owner)s AND r.kind <> 'bcc' AND r.person <> %(owner)s GROUP BY 1 ORDER BY 2 DESC, 1
        """,
        owner=box.owner,
    )
    ranked = _ranked(rows, depth)
    text = box.say(
        "To {whom} did I write most, counting To and Cc?",
        "Counting To and Cc, {who} got the most messages from me?",
        whom="whom" if depth == 1 else "which two people",
        who="who" if depth == 1 else "which two people",
    )
    return Made("aggregate_rank", text, "ranked", ranked, "person") if ranked else None


def best_month_of(box: Box) -> Made | None:
    """The month in which somebody wrote most."""
    if (person := box.pick(box.people[:60])) is None:
        return None
    rows = box.rows(
        "SELECT month, count(*) FROM s WHERE person = %(p)s AND month IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1",
        p=person.id,
    )
    ranked = _ranked(rows, 1) if len(rows) > 1 else None
    text = box.say(
        "In which month did {name} send the most messages?",
        "What was the month with the most mail from {name}?",
        "When, by month, did {name} write most?",
        name=person.name,
    )
    return Made("aggregate_rank", text, "ranked", ranked, "month") if ranked else None


def biggest_folder(box: Box) -> Made | None:
    """The folder with the most messages."""
    rows = box.rows(
        """
        SELECT l.name, count(DISTINCT o.message) FROM m JOIN mail.occurrence o ON o.message = m.id
        JOIN mail.occurrence_label ol ON ol.occurrence = o.id JOIN mail.label l ON l.id = ol.label
        GROUP BY 1 ORDER BY 2 DESC, 1
        """
    )
    ranked = _ranked(rows, 1) if len(rows) > 2 else None
    text = box.say("Which folder holds the most messages?", "In which folder is the most mail?")
    return Made("aggregate_rank", text, "ranked", ranked, "folder") if ranked else None


def _ranked(rows: Sequence[tuple[Any, ...]], depth: int) -> list[dict[str, Any]] | None:
    """The first ``depth`` of (id, n); None when there are too few or a tie blurs any place."""
    if len(rows) < depth:
        return None
    numbers = [n for _, n in rows[: depth + 1]]
    if len(set(numbers)) < len(numbers):
        return None
    return [{"id": id, "n": n} for id, n in rows[:depth]]


def _by_n(row: tuple[Any, ...]) -> tuple[int, Any]:
    return -row[1], row[0]


# person, their messages, and those that are not automated
_SENDERS = """
SELECT person, count(*), count(*) FILTER (WHERE kind = 'mail') FROM s
WHERE person <> %(owner)s AND (%(month)s::text IS NULL OR month = %(month)s)
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 40
"""

MAKERS: tuple[Callable[[Box], Made | None], ...] = (
    sent_by_person, most_senders, sent_by_person_in_month, between_me_and_person, best_month_of, in_month,
    my_correspondents, from_organization, in_thread, biggest_folder,
)  # fmt: skip
