# ruff: noqa: S608 - the text is made of constants of this package; every value of a plan is bound
"""The common end of every compiled plan: count the messages of each item, drop, order, cut, and name what is left.

Both languages end in it, so that a plan's order and ties cannot depend on which one found the messages.
"""

from __future__ import annotations

from graph.parameters import Parameters
from graph.plan import Plan, Target

_LABELS: dict[Target, tuple[str, str, str]] = {
    # label, keys, join
    "people": (
        "x.name",
        "ARRAY(SELECT d.address FROM mail.person_address o JOIN mail.address d ON d.id = o.address "
        "WHERE o.person = i.item ORDER BY d.id)",
        "LEFT JOIN mail.person x ON x.id = i.item",
    ),
    "organizations": ("x.domain", "ARRAY[x.domain]", "LEFT JOIN mail.organization x ON x.id = i.item"),
    "threads": ("x.subject", "ARRAY[]::text[]", "LEFT JOIN mail.thread x ON x.id = i.item"),
    "months": ("i.item", "ARRAY[i.item]", ""),
    "domains": ("i.item", "ARRAY[i.item]", ""),
    "labels": ("x.name", "ARRAY[x.name]", "LEFT JOIN mail.label x ON x.id = i.item"),
    "attachments": ("x.name", "ARRAY[encode(x.sha256, 'hex')]", "LEFT JOIN mail.attachment x ON x.id = i.item"),
    "messages": (
        "concat_ws(' ', to_char(x.local_at, 'YYYY-MM-DD'), x.subject)",
        "ARRAY(SELECT x.message_id UNION SELECT c.message_id FROM mail.occurrence c WHERE c.message = i.item)",
        "LEFT JOIN mail.message x ON x.id = i.item",
    ),
}

# Neither an office or a list, nor a service: whoever sent nothing but automated mail is one. Asked of each item, not of
# its messages: fewer of them are left then, and each is a look-up.
_IS_PERSON = """EXISTS (SELECT FROM mail.person p WHERE p.id = item AND NOT p.is_role)
        AND (EXISTS (SELECT FROM mail.person_address u JOIN mail.message w ON w.sender = u.address
                     WHERE u.person = item AND w.counted AND w.kind <> 'automated')
             OR NOT EXISTS (SELECT FROM mail.person_address u JOIN mail.message w ON w.sender = u.address
                            WHERE u.person = item AND w.counted))"""


def ranked(
    plan: Plan, hits: str, bind: Parameters, rows: int | None, *, unique: bool, whole: tuple[int, int] | None = None
) -> str:
    """The whole query. Each row: messages, recovered, total (the same in all rows), then item, label, n, first, last,
    keys; one row with a null item when there is none. At most ``rows`` items (None: all). ``unique``: ``matched`` holds
    each message once and ``hit`` each pair of item and message; otherwise they are told apart here, by sorting.
    ``whole``: the numbers of messages and of recovered ones where ``matched`` is the whole mailbox and they are known.
    """
    label, keys, join = _LABELS[plan.target]
    order = _order(plan)
    kept = _kept(plan, bind)
    message = "message" if unique else "DISTINCT message"
    count = "count(*)" if unique else "count(DISTINCT id)"
    size = (
        f"{count} FILTER (WHERE NOT recovered) AS messages, {count} FILTER (WHERE recovered) AS recovered FROM matched"
    )
    if whole is not None:
        messages, recovered = bind(whole[0], "messages"), bind(whole[1], "recovered")
        size = f"{messages}::bigint AS messages, {recovered}::bigint AS recovered"
    total = "(SELECT count(*) FROM ranked)"
    sent = ", min(sent) AS sent_first, max(sent) AS sent_last" if "sent_" in order else ""
    having = [f"count({message}) >= {bind(plan.at_least, 'at_least')}"] if plan.at_least > 1 else []
    having += [f"count({message}) <= {bind(plan.at_most, 'at_most')}"] if plan.at_most is not None else []
    persons = plan.target == "people" and plan.persons
    # of a ranking the first ones are looked up, until there are enough; of a list all
    first_only = persons and plan.limit is not None and rows is not None and rows > plan.limit
    offset = f" OFFSET {bind(plan.skip, 'skip')}" if plan.skip else ""
    having += [_IS_PERSON] if persons and not first_only else []
    bounds = f" HAVING {' AND '.join(having)}" if having else ""
    counted = f"count({message})"
    if plan.target == "messages" and plan.order_by != "recipients":
        counted = "1::bigint"
    grouped = f"""SELECT item, {counted} AS n, min(at) AS first, max(at) AS last{sent}
    FROM hit WHERE {" AND ".join(["item IS NOT NULL", *kept])}
    GROUP BY item{bounds}"""
    if unique and counted == "1::bigint" and not having:
        # nothing to group, and with nothing dropped there is nothing to count again either: the first ones are enough
        grouped = f"""SELECT item, 1::bigint AS n, at AS first, at AS last, sent AS sent_first, sent AS sent_last
    FROM hit WHERE {" AND ".join(kept) or "true"}"""
        total = total if kept else "size.messages"
    if first_only:
        # the offset keeps the order before the test, and IS TRUE keeps the test from becoming a join
        grouped = f"""SELECT * FROM (
    {grouped}
    ORDER BY {order} OFFSET 0
    ) all_ranked WHERE ({_IS_PERSON}) IS TRUE LIMIT {bind((rows or 0) + plan.skip, "rows")}"""
    return f"""WITH {hits},
size AS (
    SELECT {size}
),
ranked AS (
    {grouped}
)
SELECT size.messages, size.recovered, {total} AS total, i.item, {label} AS label, i.n, i.first, i.last, {keys} AS keys
FROM size LEFT JOIN (SELECT * FROM ranked ORDER BY {order} LIMIT {bind(rows, "rows")}{offset}) i ON true
{join}
ORDER BY {order}"""


def _kept(plan: Plan, bind: Parameters) -> list[str]:
    kind = "text[]" if plan.target in ("months", "domains") else "bigint[]"
    parts = []
    excluded = {"people": plan.exclude_people, "organizations": plan.exclude_organizations}.get(plan.target)
    if excluded:
        parts.append(f"item <> ALL({bind(list(excluded), 'exclude')}::{kind})")
    parts += [f"item = ANY({bind(list(which), 'within')}::{kind})" for which in plan.within if isinstance(which, tuple)]
    parts += [
        f"item <> ALL({bind(list(which), 'without')}::{kind})" for which in plan.without if isinstance(which, tuple)
    ]
    return parts


def _order(plan: Plan) -> str:
    by = plan.order_by or {"messages": "date", "months": "month"}.get(plan.target, "count")
    direction = "DESC" if plan.descending else "ASC"
    if by == "month":
        return "item"
    if by == "date":
        column = "sent_last" if plan.descending and plan.target != "messages" else "sent_first"
        return f"{column} {direction} NULLS LAST, item"
    return f"n {direction}, item"
