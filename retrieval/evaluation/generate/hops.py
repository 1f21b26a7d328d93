"""Questions that take several steps: the answer of one is the beginning of the next."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.evaluation.generate.box import Box, Made, in_words

MOST = 12


def top_sender_then_count(box: Box) -> Made | None:
    """Who sent most in a month, and how much they sent in another."""
    if (top := _top_sender(box)) is None or (other := box.pick(box.months)) is None:
        return None
    person, n, month = top
    if other == month:
        return None
    sent = box.number("SELECT count(*) FROM s WHERE person = %(p)s AND month = %(m)s", p=person, m=other)
    text = box.say(
        "How many messages did the person who sent the most in {month}, me aside, send in {other}?",
        "Take whoever wrote most in {month}, apart from me: how many messages did they send in {other}?",
        month=in_words(month),
        other=in_words(other),
    )
    path = ((month, "most messages", "person", [{"id": person, "n": n}]),)
    return Made("multi_hop", text, "number", sent, path=path, edge="messages sent")


def top_sender_then_recipients(box: Box) -> Made | None:
    """Who sent most in a month, and whom they put in copy then."""
    if (top := _top_sender(box)) is None:
        return None
    person, n, month = top
    rows = box.rows(
        "SELECT DISTINCT r.person FROM s JOIN r USING (message) WHERE s.person = %(p)s AND s.month = %(m)s "
        "AND r.kind = 'cc' AND r.person <> %(p)s",
        p=person,
        m=month,
    )
    text = box.say(
        "Whom did the person who sent the most messages in {month}, me aside, put in copy in that month?",
        "In {month} somebody besides me wrote most: who got a copy (Cc) of their messages of that month?",
        month=in_words(month),
    )
    return _set(
        text,
        [p for (p,) in rows],
        "person",
        ((month, "most messages", "person", [{"id": person, "n": n}]),),
        "put in copy",
    )


def opener_then_months(box: Box) -> Made | None:
    """Who opened a conversation, and in which months they wrote."""
    if (picked := box.pick(box.threads)) is None:
        return None
    opener = box.rows(
        "SELECT person FROM s WHERE thread = %(t)s AND local_at IS NOT NULL ORDER BY local_at, message LIMIT 1",
        t=picked[0],
    )
    if not opener:
        return None
    person = opener[0][0]
    rows = box.rows("SELECT DISTINCT month FROM s WHERE person = %(p)s AND month IS NOT NULL", p=person)
    text = box.say(
        'In which months did the person who opened the conversation "{subject}" write?',
        'Who began the thread "{subject}", and in which months did that person send messages? Give the months.',
        subject=picked[1],
    )
    return _set(
        text, [m for (m,) in rows], "month", ((picked[1], "opened by", "person", [{"id": person}]),), "wrote in"
    )


def wrote_to_both(box: Box) -> Made | None:
    """Who wrote to each of two people."""
    if box.owner is None or len(box.people) < 2:
        return None
    a, b = box.rng.sample(box.people[:40], min(2, len(box.people[:40])))
    query = (
        "SELECT DISTINCT s.person FROM s JOIN r USING (message) WHERE r.person = %(to)s AND r.kind <> 'bcc' "
        "AND s.person NOT IN (%(me)s, %(a)s, %(b)s)"
    )
    first = {p for (p,) in box.rows(query, to=a.id, me=box.owner, a=a.id, b=b.id)}
    second = {p for (p,) in box.rows(query, to=b.id, me=box.owner, a=a.id, b=b.id)}
    text = box.say(
        "Who, apart from me, has written both to {a} and to {b}, counting To and Cc?",
        "Which people besides me wrote to {a} as well as to {b} (To or Cc)?",
        a=a.name,
        b=b.name,
    )
    path = ((a.name, "received from", "person", [{"id": p} for p in sorted(first)]),)
    return _set(text, list(first & second), "person", path, f"and wrote to {b.name}") if len(first) <= 60 else None


def _top_sender(box: Box) -> tuple[int, int, str] | None:
    """(person, messages, month) where nobody comes near, with automated mail or without."""
    if box.owner is None or (month := box.pick(box.months)) is None:
        return None
    rows = box.rows(
        "SELECT person, count(*), bool_and(kind = 'mail') FROM s WHERE month = %(m)s AND person <> %(me)s "
        "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2",
        m=month,
        me=box.owner,
    )
    if len(rows) < 2 or rows[0][1] == rows[1][1] or not rows[0][2]:
        return None
    return rows[0][0], rows[0][1], month


def _set(
    text: str,
    ids: list[object],
    item_type: str,
    path: tuple[tuple[str, str, str, list[dict[str, object]]], ...],
    edge: str,
) -> Made | None:
    if not 1 <= len(ids) <= MOST:
        return None
    return Made("multi_hop", text, "set", [{"id": id} for id in sorted(ids, key=str)], item_type, path, edge)


MAKERS: tuple[Callable[[Box], Made | None], ...] = (
    top_sender_then_count, opener_then_months, wrote_to_both, top_sender_then_recipients,
)  # fmt: skip
