# ruff: noqa: S608 - the text is made of constants of this module and the graph's own name; every value is bound
"""A plan becomes SQL over the participation table of the graph: what counts fast, whoever it is about.

``m`` is a row of that table everywhere, so the conditions of ``graph.compile_sql`` that ask for a message's id or date
hold here as they are; those about people and organisations are asked of the table itself. A filter on one person is
not a test on messages but the beginning: their rows are one range of an index, one row for each message.

``matched`` and ``hit`` are two looks at the table where that is cheap, since reading two ranges of an index costs less
than keeping the first one. Plans that ask for a kind of mail are left to the tables: drafts and spam are not in here.
"""

from __future__ import annotations

from psycopg import sql

from graph import compile_sql
from graph.compile_sql import ids
from graph.parameters import Parameters
from graph.participation import BCC, CC, SENDER, TABLE, TO
from graph.plan import (
    AnsweredBy,
    Between,
    Domains,
    Filter,
    FirstInThread,
    Forwarded,
    Kind,
    Mentions,
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

_RECEIVED = TO | CC | BCC
_EVERY = SENDER | _RECEIVED
_ROLES: dict[Role, int] = {
    "sender": SENDER, "to": TO, "cc": CC, "bcc": BCC, "recipient": _RECEIVED, "participant": _EVERY,
}  # fmt: skip
# Tests that a row answers by itself, in nanoseconds.
_OWN = (Period, Weekdays, FirstInThread)
_ANSWERED = AnsweredBy(None)


def fits(plan: Plan) -> bool:
    """Whether the table holds all the messages that the plan may ask for."""
    return not any(isinstance(f, Kind) for f in plan.filters)


def hits(plan: Plan, graph: str, bind: Parameters) -> str:
    """The parts ``matched`` (id, recovered, once for each message) and ``hit``, as in ``graph.compile_sql``."""
    return _Compiled(plan, graph, bind).text()


def unique(plan: Plan) -> bool:
    """Whether ``hit`` holds each item once for each of its messages, so that counting rows is enough."""
    by_address = plan.target == "domains" or plan.only_organizations or plan.exclude_organizations
    if by_address and plan.target in ("people", "domains"):
        return plan.role == "sender"  # that is one address
    return plan.target not in ("labels", "attachments")


class _Compiled:
    def __init__(self, plan: Plan, graph: str, bind: Parameters) -> None:
        self.plan, self.bind = plan, bind
        self.table = f"{sql.Identifier(graph, TABLE).as_string()} AS {{}} (id)"
        self.senders = [f for f in plan.filters if isinstance(f, People) and f.role == "sender"]
        others = [f for f in plan.filters if isinstance(f, People) and f.role != "sender"]
        self.anchors = [f for f in others if len(ids(f.who)) == 1]
        rest = [f for f in plan.filters if f not in self.senders and f not in self.anchors]
        self.own = all(isinstance(f, _OWN) or f == _ANSWERED for f in (*rest, *plan.not_filters))
        self.tests = [self._test(f) for f in rest]
        self.tests += [self._negated(f) for f in plan.not_filters]
        self.sent = [self._test(f) for f in self.senders]

    def text(self) -> str:
        kept = "NOT MATERIALIZED" if self.own else "MATERIALIZED"
        return f"""matched AS {kept} (
    SELECT m.id, m.sender, m.thread, m.local_at, m.sent_at, m.recovered
    FROM {self._messages()}
),
hit AS (
    {self._hit()}
)"""

    def _messages(self) -> str:
        """Rows of the table, one for each message of the described set."""
        if self.anchors:
            first, *more = self.anchors
            joined = "".join(
                f"\n    JOIN {self.table.format(f'm{n}')} ON m{n}.id = m.id AND {self._is(f, f'm{n}')}"
                for n, f in enumerate(more, 2)
            )
            return (
                f"{self.table.format('m')}{joined}\n    WHERE {_all([self._is(first, 'm'), *self.sent, *self.tests])}"
            )
        if len(self.senders) == 1 and len(ids(self.senders[0].who)) == 1:
            return f"{self.table.format('m')}\n    WHERE {_all([self._is(self.senders[0], 'm'), *self.tests])}"
        return f"{self.table.format('m')}\n    WHERE {_all(['m.lead', *self.sent, *self.tests])}"

    def _hit(self) -> str:
        target = self.plan.target
        if target in ("people", "organizations", "domains") or self._counts_recipients():
            return self._hit_rows()
        columns = "m.id AS message, m.local_at AS at, m.sent_at AS sent\n    FROM matched m"
        match target:
            case "threads":
                return f"SELECT m.thread AS item, {columns} WHERE NOT m.recovered"
            case "months":
                return f"SELECT to_char(m.local_at, 'YYYY-MM') AS item, {columns} WHERE NOT m.recovered"
            case "labels" | "attachments":
                return compile_sql.hit(self.plan, self.bind)
        return f"SELECT m.id AS item, {columns} WHERE NOT m.recovered"

    def _hit_rows(self) -> str:
        """Rows of the table, one for each item of a message: found by themselves, or through ``matched``."""
        plan = self.plan
        columns = "m.id AS message, m.local_at AS at, m.sent_at AS sent"
        if self._counts_recipients():
            received = f"CASE WHEN {_bits('m.person_roles', _RECEIVED)} THEN m.person END"
            columns = f"{received} AS message, m.local_at AS at, m.sent_at AS sent"
        elif plan.target == "people" and plan.role == "sender" and not self._limited():
            return f"SELECT m.sender AS item, {columns}\n    FROM matched m WHERE NOT m.recovered"
        item, tests, joins = self._item()
        rows = self.table.format("m")
        where = ["NOT m.recovered", *tests]
        if plan.role == "sender" and not self._counts_recipients():
            where.append("m.lead")  # follows from the role, and names a smaller index
        if self.anchors or not (self.own or self.sent):
            rows = f"matched s JOIN {rows} ON m.id = s.id"
        else:
            where += [*self.sent, *self.tests]
        return f"SELECT {item} AS item, {columns}\n    FROM {rows}{joins}\n    WHERE {_all(where)}"

    def _counts_recipients(self) -> bool:
        return self.plan.target == "messages" and self.plan.order_by == "recipients"

    def _limited(self) -> bool:
        return bool(self.plan.only_organizations or self.plan.exclude_organizations)

    def _item(self) -> tuple[str, list[str], str]:
        """What a row's item is, when it has one, and what has to be joined for that."""
        plan, bits = self.plan, _ROLES[self.plan.role or "participant"]
        outside = []
        if plan.exclude_organizations:
            excluded = self._ids(plan.exclude_organizations, "exclude_organizations")
            outside = [f"(m.organization = ANY({excluded})) IS NOT TRUE"]
        domain = " JOIN mail.address d ON d.id = m.address"
        match plan.target:
            case "organizations":
                return "m.organization", [_bits("m.organization_roles", bits)], ""
            case "domains":
                tests = [_bits("m.roles", bits), *outside]
                joins = f"{domain} LEFT JOIN mail.organization g ON g.id = m.organization"
                return "coalesce(g.domain, d.domain)", tests, joins
            case "messages":
                return "m.id", [], ""
        tests, joins = [_bits("m.roles" if self._limited() else "m.person_roles", bits)], ""
        if plan.only_organizations:
            tests.append(f"m.organization = ANY({self._ids(plan.only_organizations, 'only_organizations')})")
        if plan.exclude_organizations:
            tests += ["d.domain IS NOT NULL", *outside]
            joins += domain
        return "m.person", tests, joins

    def _test(self, f: Filter) -> str:
        rows = self.table.format("x")
        match f:
            case People("sender", tuple((one,))):
                return f"m.sender = {self.bind(one, 'person')}"
            case People("sender", who):
                return f"m.sender = ANY({self._ids(who)})"
            case People() | Organizations():
                return f"m.id IN (SELECT x.id FROM {rows} WHERE {self._used(f)})"
            case Between(a, b, role):
                ways = [
                    f"SELECT x.id FROM {rows} WHERE x.sender = ANY({self._ids(one)}) "
                    f"AND x.person = ANY({self._ids(other)}) AND {_bits('x.person_roles', _ROLES[role])}"
                    for one, other in ((a, b), (b, a))
                ]
                return f"m.id IN ({' UNION ALL '.join(ways)})"
            case RecipientCount(role, least, most):
                people = f"{_bits('x.person_roles', _ROLES[role])} AND x.person IS NOT NULL"
                between = f"count(*) {compile_sql.between(least, most, self.bind)}"
                found = f"(SELECT x.id FROM {rows} WHERE {people} GROUP BY x.id HAVING"
                # who has nobody in that role has no row there
                return f"m.id IN {found} {between})" if least else f"m.id NOT IN {found} NOT ({between}))"
            case FirstInThread():
                return "m.opens"
            case AnsweredBy(None):
                return "m.answered"
            case Threads() | Subject() | Mentions() | Kind() | Domains() | Forwarded():
                return f"m.id IN (SELECT m.id FROM mail.message m WHERE {compile_sql.condition(f, self.bind)})"
        return compile_sql.condition(f, self.bind)

    def _negated(self, f: Filter) -> str:
        """NOT EXISTS where it can be: looked up for a few messages, hashed for many, as the server sees fit."""
        if isinstance(f, Organizations) or (isinstance(f, People) and f.role != "sender"):
            return f"NOT EXISTS (SELECT FROM {self.table.format('x')} WHERE x.id = m.id AND {self._used(f)})"
        return f"({self._test(f)}) IS NOT TRUE"

    def _used(self, f: People | Organizations) -> str:
        what = "person" if isinstance(f, People) else "organization"
        return f"x.{what} = ANY({self._ids(f.who)}) AND {_bits(f'x.{what}_roles', _ROLES[f.role])}"

    def _is(self, f: People, row: str) -> str:
        return f"{row}.person = {self.bind(ids(f.who)[0], 'person')} AND {_bits(f'{row}.person_roles', _ROLES[f.role])}"

    def _ids(self, which: tuple[int, ...] | Plan, name: str = "people") -> str:
        return f"{self.bind(list(ids(which)), name)}::bigint[]"


def _bits(column: str, bits: int) -> str:
    # smallint, or each row's value would be widened first
    return f"{column} <> 0" if bits == _EVERY else f"{column} & {bits}::smallint <> 0"


def _all(parts: list[str]) -> str:
    return "\n      AND ".join(parts)
