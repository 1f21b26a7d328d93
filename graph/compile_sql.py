# ruff: noqa: S608 - the text is made of constants of this module; every value of a plan is bound
"""A plan becomes SQL over the tables. Every plan can be said in it; the inner plans have been answered already.

The text has three named parts, so that a person can read it: ``matched`` is the described set of messages, ``hit``
says which item stands in which message, and the end (``graph.ranking``) counts, orders and cuts.
"""

from __future__ import annotations

from graph import mentions
from graph.errors import PlanError
from graph.parameters import Binder, Parameters
from graph.plan import (
    FILE_FAMILIES,
    AnsweredBy,
    Answers,
    Between,
    Domains,
    Filter,
    FirstInThread,
    Forwarded,
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
    Role,
    Subject,
    Threads,
    Weekdays,
)

_ANY_NUMBER = 2**31 - 1
_KINDS: dict[Role, str] = {
    "to": "r.kind = 'to'",
    "cc": "r.kind = 'cc'",
    "bcc": "r.kind = 'bcc'",
    "recipient": "true",
    "participant": "true",
}


def hits(plan: Plan, bind: Parameters) -> str:
    """The parts ``matched`` (id, recovered) and ``hit`` (item, message, at, sent) of a plan whose inner plans are ids.

    Raises PlanError for what has no meaning.
    """
    return f"""matched AS MATERIALIZED (
    SELECT m.id, m.sender, m.thread, m.local_at, m.sent_at, m.recovered
    FROM mail.message m
    WHERE {_lines(conditions(plan, bind))}
),
hit AS (
    {hit(plan, bind)}
)"""


def unique(plan: Plan) -> bool:
    """Whether ``hit`` holds each item once for each of its messages, so that counting rows is enough."""
    if plan.target == "messages":
        return plan.order_by != "recipients"
    return plan.target in ("threads", "months") or (
        plan.role == "sender" and plan.target in ("people", "organizations", "domains")
    )


def conditions(plan: Plan, bind: Binder) -> list[str]:
    """What makes a message ``m`` belong to the described set; recovered ones belong to it and are told apart later."""
    kinds = any(isinstance(f, Kind) for f in plan.filters)
    parts = [] if kinds else ["(m.counted OR m.recovered)"]
    parts += [condition(f, bind) for f in plan.filters]
    parts += [_negated(f, bind) for f in plan.not_filters]
    return parts or ["true"]


def _negated(f: Filter, bind: Binder) -> str:
    """The opposite of a filter. NOT EXISTS where possible: it can be looked up for a few messages, while IN would first
    collect all messages of somebody who may be in most of them."""
    match f:
        case People(role, who):
            return _not_used(role, _addresses_of(ids(who), bind))
        case Organizations(role, who):
            return _not_used(role, _addresses_at(ids(who), bind))
        case Domains(role, names):
            return _not_used(role, _addresses_under(names, bind))
        case Answers(None) | AnsweredBy(None):
            return f"NOT {condition(f, bind)}"
    return f"({condition(f, bind)}) IS NOT TRUE"


def condition(f: Filter, bind: Binder) -> str:
    """What makes a message ``m`` one of those that the filter describes."""
    match f:
        case People(role, who):
            return _used(role, _addresses_of(ids(who), bind))
        case Organizations(role, who):
            return _used(role, _addresses_at(ids(who), bind))
        case Domains(role, names):
            return _used(role, _addresses_under(names, bind))
        case Between(a, b, role):
            one, other = _addresses_of(a, bind), _addresses_of(b, bind)
            ways = [
                "SELECT r.message FROM mail.recipient r JOIN mail.message w ON w.id = r.message "
                f"WHERE {_KINDS[role]} AND w.sender IN {x} AND r.address IN {y}"
                for x, y in ((one, other), (other, one))
            ]
            return f"m.id IN ({' UNION ALL '.join(ways)})"
        case Period(start, end):
            parts = [f"m.local_at >= {bind(start, 'start')}::date"] if start else []
            parts += [f"m.local_at < {bind(end, 'end')}::date"] if end else []
            return " AND ".join(parts) or "m.local_at IS NOT NULL"
        case Subject(text, contains=True):
            return mentions.in_subject(text, bind)
        case Subject(text):
            # the index holds the first 200 characters
            subject = bind(" ".join(text.split()).casefold(), "subject")
            return f"m.subject_base = {subject} AND left(m.subject_base, 200) = left({subject}, 200)"
        case Labels(which):
            return (
                "m.id IN (SELECT c.message FROM mail.occurrence c JOIN mail.occurrence_label l ON l.occurrence = c.id "
                f"WHERE l.label = ANY({_ids(which, bind, 'labels')}))"
            )
        case Threads(which):
            return f"m.thread = ANY({_ids(ids(which), bind, 'threads')})"
        case Messages(which):
            return f"m.id = ANY({_ids(ids(which), bind, 'messages')})"
        case Mentions():
            return mentions.condition(f, bind)
        case Kind(kinds):
            return f"m.kind = ANY({bind(list(kinds), 'kinds')}::text[])"
        case Weekdays(days):
            return f"extract(isodow FROM m.local_at)::int - 1 = ANY({bind(list(days), 'weekdays')}::int[])"
        case HasAttachment(name=str(name)):
            return f"m.id IN (SELECT f.message FROM mail.file f WHERE lower(f.name) = {bind(name.lower(), 'file')})"
        case HasAttachment(type=None):
            return "m.id IN (SELECT f.message FROM mail.file f)"
        case HasAttachment(type=str(kind)):
            ending = kind.lower().lstrip(".")
            endings = bind(list(FILE_FAMILIES.get(ending, (ending,))), "types")
            return (
                "m.id IN (SELECT f.message FROM mail.file f "
                f"WHERE split_part(lower(f.type), '/', 2) = ANY({endings}) "
                f"OR substring(lower(f.name) FROM '[.]([^.]*)$') = ANY({endings}))"
            )
        case Answers(None):
            return "EXISTS (SELECT FROM mail.reply y WHERE y.message = m.id)"
        case Answers(which):
            return (
                "m.id IN (SELECT y.message FROM mail.reply y "
                f"WHERE y.parent = ANY({_ids(ids(which), bind, 'messages')}))"
            )
        case AnsweredBy(None):
            return (
                "EXISTS (SELECT FROM mail.reply y JOIN mail.message w ON w.id = y.message "
                "WHERE y.parent = m.id AND w.counted)"
            )
        case AnsweredBy(which):
            return (
                "m.id IN (SELECT y.parent FROM mail.reply y "
                f"WHERE y.message = ANY({_ids(ids(which), bind, 'messages')}))"
            )
        case FirstInThread():
            return (
                "m.id = (SELECT w.id FROM mail.message w WHERE w.thread = m.thread AND w.counted "
                "ORDER BY w.sent_at NULLS LAST, w.id LIMIT 1)"
            )
        case Forwarded():
            return "m.is_forward"
        case RecipientCount(role, least, most):
            people = (
                "SELECT count(DISTINCT o.person) FROM mail.recipient r JOIN mail.person_address o USING (address) "
                f"WHERE r.message = m.id AND {_KINDS[role]}"
            )
            return f"({people}) {between(least, most, bind)}"
    raise PlanError(f"There is no such filter: {f!r}.")


def between(least: int, most: int | None, bind: Binder) -> str:
    """A number is at least ``least`` and, where it is given, at most ``most``."""
    return f"BETWEEN {bind(least, 'least')} AND {bind(_ANY_NUMBER if most is None else most, 'most')}"


def _used(role: Role, addresses: str) -> str:
    """One of these addresses (a sub-select) was used in this role. Unions instead of OR, so that indexes serve."""
    if role == "sender":
        return f"m.sender IN {addresses}"
    received = f"SELECT r.message FROM mail.recipient r WHERE {_KINDS[role]} AND r.address IN {addresses}"
    if role == "participant":
        return f"m.id IN (SELECT w.id FROM mail.message w WHERE w.sender IN {addresses} UNION ALL {received})"
    return f"m.id IN ({received})"


def _not_used(role: Role, addresses: str) -> str:
    not_sent = f"(m.sender IN {addresses}) IS NOT TRUE"
    not_received = (
        "NOT EXISTS (SELECT FROM mail.recipient r "
        f"WHERE r.message = m.id AND {_KINDS.get(role, 'true')} AND r.address IN {addresses})"
    )
    if role == "participant":
        return f"{not_sent} AND {not_received}"
    return not_sent if role == "sender" else not_received


def hit(plan: Plan, bind: Binder) -> str:
    """Which item stands in which message of ``matched``."""
    columns = "s.id AS message, s.local_at AS at, s.sent_at AS sent"
    counted = "WHERE NOT s.recovered"
    match plan.target:
        case "messages" if plan.order_by == "recipients":
            # counted are the recipients of a message instead of the messages of an item
            return (
                "SELECT s.id AS item, o.person AS message, s.local_at AS at, s.sent_at AS sent\n    FROM matched s "
                "LEFT JOIN mail.recipient r ON r.message = s.id LEFT JOIN mail.person_address o USING (address)\n"
                f"    {counted}"
            )
        case "messages":
            return f"SELECT s.id AS item, {columns}\n    FROM matched s {counted}"
        case "threads":
            return f"SELECT s.thread AS item, {columns}\n    FROM matched s {counted}"
        case "months":
            return f"SELECT to_char(s.local_at, 'YYYY-MM') AS item, {columns}\n    FROM matched s {counted}"
        case "labels":
            return (
                f"SELECT l.label AS item, {columns}\n    FROM matched s JOIN mail.occurrence c ON c.message = s.id "
                f"JOIN mail.occurrence_label l ON l.occurrence = c.id\n    {counted}"
            )
        case "attachments":
            # one file sent with several messages is one item: the first of its rows
            return (
                f"SELECT g.id AS item, {columns}\n    FROM matched s JOIN mail.file f ON f.message = s.id\n"
                "    JOIN (SELECT sha256, min(id) AS id FROM mail.file GROUP BY sha256) g USING (sha256) "
                f"{counted}"
            )
        case "people" | "organizations" | "domains":
            return "\n    UNION ALL\n    ".join(_hit_addresses(plan, bind, columns, counted))


def _hit_addresses(plan: Plan, bind: Binder, columns: str, counted: str) -> list[str]:
    role = plan.role or "participant"
    people = plan.target == "people"
    joins = " JOIN mail.person_address o ON o.address = {a}" if people else ""
    conditions = ""
    if not people or plan.only_organizations or plan.exclude_organizations:
        joins += " JOIN mail.address d ON d.id = {a}"
    if people and plan.only_organizations:
        conditions += f" AND d.organization = ANY({_ids(plan.only_organizations, bind, 'only_organizations')})"
    if people and plan.exclude_organizations:
        excluded = _ids(plan.exclude_organizations, bind, "exclude_organizations")
        conditions += f" AND d.domain IS NOT NULL AND (d.organization = ANY({excluded})) IS NOT TRUE"
    if plan.target == "domains":
        joins += " LEFT JOIN mail.organization g ON g.id = d.organization"
        if plan.exclude_organizations:
            excluded = _ids(plan.exclude_organizations, bind, "exclude_organizations")
            conditions += f" AND (d.organization = ANY({excluded})) IS NOT TRUE"
    item = {"people": "o.person", "domains": "coalesce(g.domain, d.domain)"}.get(plan.target, "d.organization")
    parts = []
    if role in ("sender", "participant"):
        parts.append(
            f"SELECT {item} AS item, {columns}\n    FROM matched s{joins.format(a='s.sender')}\n    "
            f"{counted}{conditions}"
        )
    if role != "sender":
        parts.append(
            f"SELECT {item} AS item, {columns}\n    FROM matched s JOIN mail.recipient r ON r.message = s.id"
            f"{joins.format(a='r.address')}\n    {counted} AND {_KINDS[role]}{conditions}"
        )
    return parts


def ids(which: tuple[int, ...] | Plan | None) -> tuple[int, ...]:
    """The ids of a filter's value. Raises PlanError for a plan that has not been answered yet."""
    if not isinstance(which, tuple):
        raise PlanError("An inner plan has to be answered before the outer one is compiled.")
    return which


def _addresses_of(people: tuple[int, ...], bind: Binder) -> str:
    return f"(SELECT address FROM mail.person_address WHERE person = ANY({_ids(people, bind)}))"


def _addresses_under(names: tuple[str, ...], bind: Binder) -> str:
    under = bind([f"%.{name}" for name in names], "below")
    return (
        f"(SELECT id FROM mail.address WHERE domain = ANY({bind(list(names), 'domains')}) OR domain LIKE ANY({under}))"
    )


def _addresses_at(organizations: tuple[int, ...], bind: Binder) -> str:
    return f"(SELECT id FROM mail.address WHERE organization = ANY({_ids(organizations, bind)}))"


def _ids(which: tuple[int, ...], bind: Binder, name: str = "ids") -> str:
    return f"{bind(list(which), name)}::bigint[]"


def _lines(parts: list[str]) -> str:
    return "\n      AND ".join(parts)
