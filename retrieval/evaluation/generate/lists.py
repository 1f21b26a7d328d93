"""Complete lists, and what is missing."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.evaluation.generate.box import Box, Made, in_words

MOST = 12


def people_of_organization(box: Box) -> Made | None:
    """Who at an organisation wrote."""
    if (picked := box.pick(box.organizations)) is None:
        return None
    rows = box.rows("SELECT DISTINCT person FROM s WHERE organization = %(o)s", o=picked[0])
    text = box.say(
        "Who at {domain} has written a message?",
        "Name everybody who sent mail from an address at {domain}.",
        "Which people wrote from {domain}?",
        domain=picked[1],
    )
    return _set("list_all", text, [p for (p,) in rows], "person")


def months_of_person(box: Box) -> Made | None:
    """In which months somebody wrote."""
    if (person := box.pick(box.people)) is None:
        return None
    rows = box.rows("SELECT DISTINCT month FROM s WHERE person = %(p)s AND month IS NOT NULL", p=person.id)
    text = box.say(
        "In which months did {name} write?",
        "List the months in which {name} sent a message.",
        "Which months have mail from {name}?",
        name=person.name,
    )
    return _set("list_all", text, [m for (m,) in rows], "month")


def people_of_thread(box: Box) -> Made | None:
    """Who wrote in a conversation."""
    if (picked := box.pick(box.threads)) is None:
        return None
    rows = box.rows("SELECT DISTINCT person FROM s WHERE thread = %(t)s", t=picked[0])
    text = box.say(
        'Who wrote in the conversation "{subject}"?',
        'Which people sent messages in the thread "{subject}"?',
        subject=picked[1],
    )
    return _set("list_all", text, [p for (p,) in rows], "person")


def organizations_of_person(box: Box) -> Made | None:
    """To which other organisations somebody wrote: not their own; webmail has none; alike for To and for To or Cc."""
    if (person := box.pick(box.people)) is None:
        return None
    readings = [
        {d for (d,) in box.rows(_WROTE_TO, p=person.id, kinds=kinds)}
        for kinds in (["to"], ["to", "cc"], ["to", "cc", "bcc"])
    ]
    if any(reading != readings[0] for reading in readings):
        return None
    text = box.say(
        "To which organisations other than their own did {name} write?",
        "Which other organisations got messages from {name}?",
        name=person.name,
    )
    return _set("list_all", text, list(readings[0]), "domain")


_WROTE_TO = """
SELECT DISTINCT o.domain FROM s JOIN r USING (message) JOIN mail.organization o ON o.id = r.organization
WHERE s.person = %(p)s AND r.kind = ANY(%(kinds)s) AND r.organization NOT IN (
    SELECT a.organization FROM mail.person_address pa JOIN mail.address a ON a.id = pa.address
    WHERE pa.person = %(p)s AND a.organization IS NOT NULL)
"""


def messages_of_person(box: Box) -> Made | None:
    """The messages that somebody sent in a month."""
    if (person := box.pick(box.people)) is None:
        return None
    picked = box.pick(
        box.rows(
            "SELECT month, array_agg(message) FROM s WHERE person = %(p)s AND month IS NOT NULL GROUP BY 1 "
            "HAVING count(*) BETWEEN 2 AND 6",
            p=person.id,
        )
    )
    if picked is None:
        return None
    month, messages = picked
    text = box.say(
        "List the messages that {name} sent in {month}.",
        "Which messages did {name} write in {month}?",
        name=person.name,
        month=in_words(month),
    )
    return _set("list_all", text, messages, "message")


def silent_in_month(box: Box) -> Made | None:
    """Who at an organisation wrote, but not in a month."""
    picked, month = box.pick(box.organizations), box.pick(box.months)
    if picked is None or month is None:
        return None
    rows = box.rows(
        "SELECT person FROM s WHERE organization = %(o)s GROUP BY 1 HAVING NOT bool_or(coalesce(month, '') = %(m)s)",
        o=picked[0],
        m=month,
    )
    text = box.say(
        "Who of those who wrote from {domain} sent nothing in {month}?",
        "Which senders at {domain} wrote no message in {month}?",
        domain=picked[1],
        month=in_words(month),
    )
    return _set("negation", text, [p for (p,) in rows], "person")


def stopped_writing(box: Box) -> Made | None:
    """Who at an organisation wrote before a month and never again."""
    picked, month = box.pick(box.organizations), box.pick(box.months[1:])
    if picked is None or month is None:
        return None
    rows = box.rows(
        "SELECT person FROM s WHERE organization = %(o)s AND month IS NOT NULL GROUP BY 1 HAVING max(month) < %(m)s",
        o=picked[0],
        m=month,
    )
    text = box.say(
        "Who at {domain} wrote before {month} but not once from {month} on?",
        "Which people at {domain} sent messages before {month} and none since?",
        domain=picked[1],
        month=in_words(month),
    )
    return _set("negation", text, [p for (p,) in rows], "person")


def never_answered(box: Box) -> Made | None:
    """Who at an organisation wrote to the owner, To or Cc, and never got a message from them in any way."""
    if box.owner is None or (picked := box.pick(box.organizations)) is None:
        return None
    readings = [
        {p for (p,) in box.rows(_NEVER_ANSWERED, o=picked[0], me=box.owner, kinds=kinds)}
        for kinds in (["to", "cc"], ["to", "cc", "bcc"])
    ]
    if readings[0] != readings[1]:
        return None
    text = box.say(
        "Who at {domain} wrote to me (To or Cc) and never got a message from me, not even in Cc?",
        "Which people at {domain} sent me mail, To or Cc, although they never got any from me, To or Cc?",
        domain=picked[1],
    )
    return _set("negation", text, list(readings[0]), "person")


_NEVER_ANSWERED = """
SELECT DISTINCT s.person FROM s JOIN r USING (message)
WHERE s.organization = %(o)s AND r.person = %(me)s AND r.kind = ANY(%(kinds)s)
EXCEPT SELECT r.person FROM s JOIN r USING (message) WHERE s.person = %(me)s AND r.kind = ANY(%(kinds)s)
"""


def _set(kind: str, text: str, ids: list[object], item_type: str) -> Made | None:
    if not 1 <= len(ids) <= MOST:
        return None
    items = [{"id": id} for id in sorted(ids, key=str)]
    messages = tuple(int(str(item["id"])) for item in items) if item_type == "message" else ()
    return Made(kind, text, "set", items, item_type, messages=messages)


MAKERS: tuple[Callable[[Box], Made | None], ...] = (
    people_of_organization, silent_in_month, months_of_person, stopped_writing, people_of_thread,
    organizations_of_person, never_answered, messages_of_person,
)  # fmt: skip
