"""A plan in words, so that a fact says what was counted and a page what was understood."""

from __future__ import annotations

from calendar import day_name
from datetime import date, timedelta

from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Domains,
    Filter,
    FirstInThread,
    HasAttachment,
    Kind,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    RecipientCount,
    Subject,
    Threads,
    Weekdays,
)
from retrieval.linker import NameIndex

_ROLES = {
    "sender": "from",
    "to": "to",
    "cc": "with a copy (Cc) to",
    "bcc": "with a blind copy (Bcc) to",
    "recipient": "to (To, Cc or Bcc)",
    "participant": "from or to",
}
_NOUNS = {
    "messages": "messages",
    "organizations": "organisations",
    "domains": "mail domains",
    "threads": "conversations",
    "months": "months",
    "labels": "folders",
    "attachments": "attachments",
}
_PEOPLE = {
    None: "people",
    "sender": "senders",
    "to": "people in To",
    "cc": "people in Cc",
    "bcc": "people in Bcc",
    "recipient": "recipients",
    "participant": "people",
}
COUNTING_RULE = (
    "Distinct messages, each once however many folders hold a copy; without drafts, spam, trash and messages known "
    "only from quotations; dates by the clock of the Date header."
)
AUTOMATED_RULE = (
    " Automated is what a program sent, told by its headers: newsletters, notifications, automatic answers; posts to a "
    "list that can be answered there are people's mail."
)


def plan(p: Plan, index: NameIndex) -> str:
    """Such as "the 2 people in To of most messages from Ana Torres in October 2001"."""
    things = _PEOPLE[p.role] if p.target == "people" else _NOUNS[p.target]
    if p.target in ("organizations", "domains") and p.role:
        things = f"{things} of {'senders' if p.role == 'sender' else 'recipients'}"
    if p.target == "messages":
        head = things
        if p.order_by == "recipients":
            head = f"the {_number(p.limit)}{_one(things, p.limit)} with most recipients"
        elif p.order_by == "date" and p.limit:
            head = f"the {_number(p.limit)}{'last' if p.descending else 'first'} {_one(things, p.limit)}"
        return " ".join([head, *_filters(p, index)])
    head = things
    if p.order_by == "count" and p.skip:
        head = f"number {p.skip + 1} of the {things} by {'most' if p.descending else 'fewest'} messages"
    elif p.order_by == "count" and p.limit:
        head = f"the {_number(p.limit)}{_one(things, p.limit)} of {'most' if p.descending else 'fewest'} messages"
    elif p.order_by == "date" and p.limit:
        head = f"the {_number(p.limit)}{'last' if p.descending else 'first'} {_one(things, p.limit)} of messages"
    elif p.at_most is not None:
        few = f"{p.at_most}" if p.at_least == p.at_most else f"{p.at_least} to {p.at_most}"
        head = f"{things} of exactly {few} message{'' if p.at_most == 1 else 's'}"
    elif p.at_least > 1:
        head = f"{things} of at least {p.at_least} messages"
    elif p.filters or p.not_filters:
        head = f"{things} of messages"
    parts = [head, *_filters(p, index)]
    if p.only_organizations:
        parts.append("at " + " or ".join(_firms(p.only_organizations, index)))
    if p.exclude_organizations:
        parts.append("outside " + " and ".join(_firms(p.exclude_organizations, index)))
    left_out = set(p.exclude_people) - {i for f in p.filters if isinstance(f, People) and f.role for i in _ids(f)}
    if left_out:
        parts.append(f"(leaving out {' and '.join(_people(tuple(sorted(left_out)), index))})")
    for inner in p.within:
        parts.append(", also among " + (f"({plan(inner, index)})" if isinstance(inner, Plan) else "those named"))
    for inner in p.without:
        parts.append(", but not among " + (f"({plan(inner, index)})" if isinstance(inner, Plan) else "those named"))
    return " ".join(parts).replace(" ,", ",")


def counting_rule(p: Plan) -> str:
    """What is counted and what is not, for a plan."""
    automated = Kind(("automated",)) in (*p.filters, *p.not_filters)
    return COUNTING_RULE + (AUTOMATED_RULE if automated else "")


def period(p: Period) -> str:
    """Such as "in October 2001", "from 2001-06-01 to 2001-08-31"."""
    if p.start and p.end:
        last = p.end - timedelta(days=1)
        if p.start == last:
            return f"on {p.start:%Y-%m-%d}"
        if p.start.day == 1 and p.end.day == 1:
            if _months(p.start, p.end) == 1:
                return f"in {p.start:%B %Y}"
            if p.start.month == 1 and _months(p.start, p.end) == 12:
                return f"in {p.start.year}"
        return f"from {p.start:%Y-%m-%d} to {last:%Y-%m-%d}"
    if p.start:
        return f"since {p.start:%Y-%m-%d}"
    return f"before {p.end:%Y-%m-%d}" if p.end else "at any time"


def _filters(p: Plan, index: NameIndex) -> list[str]:
    return [_filter(f, index) for f in p.filters] + [f"not {_filter(f, index)}" for f in p.not_filters]


def _filter(f: Filter, index: NameIndex) -> str:
    if isinstance(f, People):
        who = f"({plan(f.who, index)})" if isinstance(f.who, Plan) else " or ".join(_people(f.who, index))
        return f"{_ROLES[f.role]} {who}"
    if isinstance(f, Between):
        kind = {"recipient": "", "to": " (To)", "cc": " (Cc)", "bcc": " (Bcc)"}[f.role]
        return f"between {' or '.join(_people(f.a, index))} and {' or '.join(_people(f.b, index))}{kind}"
    if isinstance(f, Organizations):
        who = f"({plan(f.who, index)})" if isinstance(f.who, Plan) else " or ".join(_firms(f.who, index))
        return f"{_ROLES[f.role]} {who}"
    if isinstance(f, Domains):
        return f"{_ROLES[f.role]} an address at {' or '.join(f.names)}"
    if isinstance(f, Period):
        return period(f)
    if isinstance(f, Subject):
        return f"with '{f.text}' in the subject" if f.contains else f"in the conversation '{f.text}'"
    if isinstance(f, Labels):
        return "in the folder " + " or ".join(index.labels[i].name for i in f.ids if i in index.labels)
    if isinstance(f, Mentions):
        terms = (" and " if f.every else " or ").join(f"'{t}'" for t in f.terms)
        return f"with {terms} in {'the subject' if f.where == 'subject' else 'subject or text'}"
    if isinstance(f, Threads):
        return f"in ({plan(f.which, index)})" if isinstance(f.which, Plan) else "in these conversations"
    if isinstance(f, Messages):
        return f"that are ({plan(f.which, index)})" if isinstance(f.which, Plan) else "among those found"
    if isinstance(f, Kind):
        automated = f.kinds == ("automated",)
        return "automated (newsletters and the like)" if automated else "of the kind " + " or ".join(f.kinds)
    if isinstance(f, Weekdays):
        return "on a " + " or ".join(day_name[day] for day in f.days)
    if isinstance(f, HasAttachment) and f.name:
        return f"with the file {f.name}"
    if isinstance(f, HasAttachment):
        return f"with an attachment{f' of type {f.type}' if f.type else ''}"
    if isinstance(f, Answers):
        return f"that answer ({plan(f.which, index)})" if isinstance(f.which, Plan) else "that answer another"
    if isinstance(f, AnsweredBy):
        return "that were answered"
    if isinstance(f, RecipientCount):
        bounds = f"{f.least} or more" if f.most is None else f"{f.least} to {f.most}"
        line = {"to": "To", "cc": "Cc", "bcc": "Bcc"}.get(f.role, "To, Cc and Bcc")
        return f"with {f.least if f.least == f.most else bounds} people in {line}"
    return "that opened a conversation" if isinstance(f, FirstInThread) else "that pass another on (FW:)"


def _people(ids: tuple[int, ...], index: NameIndex) -> list[str]:
    return [(index.people[i].name or index.people[i].keys[0]) if i in index.people else f"#{i}" for i in ids]


def _firms(ids: tuple[int, ...], index: NameIndex) -> list[str]:
    return [index.organizations[i].keys[0] if i in index.organizations else f"#{i}" for i in ids]


_SINGULAR = {
    "messages": "message",
    "senders": "sender",
    "recipients": "recipient",
    "people": "person",
    "people in To": "person in To",
    "people in Cc": "person in Cc",
    "people in Bcc": "person in Bcc",
    "months": "month",
    "folders": "folder",
    "conversations": "conversation",
    "attachments": "attachment",
    "organisations": "organisation",
    "organisations of senders": "sender's organisation",
    "organisations of recipients": "recipient's organisation",
    "mail domains": "mail domain",
    "mail domains of senders": "sender's mail domain",
    "mail domains of recipients": "recipient's mail domain",
}


def _one(things: str, limit: int | None) -> str:
    return _SINGULAR.get(things, things) if limit == 1 else things


def _ids(f: People) -> tuple[int, ...]:
    return f.who if isinstance(f.who, tuple) else ()


def _number(n: int | None) -> str:
    return f"{n} " if n and n > 1 else ""


def _months(a: date, b: date) -> int:
    return (b.year - a.year) * 12 + b.month - a.month
