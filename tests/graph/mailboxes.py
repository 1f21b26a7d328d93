"""Made-up mailboxes as Python values, how they are written into the tables, and a second way to answer a plan.

``evaluate`` says what a plan means in plain Python over the values, sharing nothing with the compilers but the plan
itself; what the database answers is compared with it.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256

import psycopg

from graph.plan import (
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
    Subject,
    Threads,
    Weekdays,
)


@dataclass(frozen=True)
class Mail:
    """One message. Addresses are written as text; ``sent`` is UTC, ``local`` the sender's clock."""

    id: int
    sender: str | None
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    sent: datetime | None = None
    hours: int = 0
    subject: str = ""
    body: str = ""
    kind: str = "mail"
    recovered: bool = False
    thread: int = 0
    labels: tuple[str, ...] = ()
    parents: tuple[int, ...] = ()
    quotes: tuple[int, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def local(self) -> datetime | None:
        """The clock of the Date header."""
        return self.sent + timedelta(hours=self.hours) if self.sent else None

    @property
    def counted(self) -> bool:
        """What counts are about."""
        return not self.recovered and self.kind not in ("draft", "spam", "trash")

    def received(self, role: str) -> tuple[str, ...]:
        """The addresses in a role."""
        everyone = {"to": self.to, "cc": self.cc, "bcc": self.bcc, "recipient": self.to + self.cc + self.bcc}
        sender = (self.sender,) if self.sender else ()
        everyone |= {"sender": sender, "participant": sender + everyone["recipient"]}
        return everyone[role]


@dataclass(repr=False)
class Mailbox:
    """``people``: name → addresses, the first one is the owner; a person's id is that of their first address.
    ``offices``: names of those that are no persons."""

    people: dict[str, tuple[str, ...]]
    mail: list[Mail]
    webmail: tuple[str, ...] = ("webmail.example",)
    offices: tuple[str, ...] = ()
    addresses: dict[str, int] = field(init=False)
    person: dict[str, int] = field(init=False)
    organization: dict[str, int] = field(init=False)
    label: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Numbers everything, as the tables do."""
        self.addresses = {}
        self.person = {}
        for owned in self.people.values():
            for address in owned:
                self.addresses[address] = len(self.addresses) + 1
                self.person[address] = self.addresses[owned[0]]
        domains = {domain(a) for a in self.addresses} - {None, *self.webmail}
        self.organization = {name: number for number, name in enumerate(sorted(str(d) for d in domains), 1)}
        names = sorted({name for mail in self.mail for name in mail.labels})
        self.label = {name: number for number, name in enumerate(names, 1)}

    def organization_of(self, address: str) -> int | None:
        """The id of the organisation of an address."""
        return self.organization.get(domain(address) or "")


def domain(address: str) -> str | None:
    """What stands after the @."""
    return address.split("@")[1] if "@" in address else None


def load(conn: psycopg.Connection, box: Mailbox) -> None:
    """Writes a mailbox into the empty tables."""
    run = conn.execute
    run("INSERT INTO mail.mailbox (id, name) VALUES (1, 'default')")
    run("INSERT INTO mail.source (id, mailbox, path, format) VALUES (1, 1, '/made-up', 'mbox')")
    for name, number in box.organization.items():
        run("INSERT INTO mail.organization VALUES (%s, %s, %s)", (number, name, name))
    for address, number in box.addresses.items():
        run(
            "INSERT INTO mail.address (id, address, domain, organization) VALUES (%s, %s, %s, %s)",
            (number, address, domain(address), box.organization_of(address)),
        )
    for place, (name, owned) in enumerate(box.people.items()):
        row = (box.person[owned[0]], name, place == 0, name in box.offices)
        run("INSERT INTO mail.person VALUES (%s, %s, %s, %s)", row)
        for address in owned:
            run("INSERT INTO mail.person_address VALUES (%s, %s)", (box.addresses[address], box.person[address]))
            run("INSERT INTO mail.address_name VALUES (%s, %s, 1)", (box.addresses[address], name))
    for name, number in box.label.items():
        run("INSERT INTO mail.label (id, name) VALUES (%s, %s)", (number, name))
    for number in sorted({mail.thread for mail in box.mail}):
        threads(conn, box, number)
    for mail in box.mail:
        message(conn, box, mail)
    for mail in box.mail:
        links(conn, mail)


def threads(conn: psycopg.Connection, box: Mailbox, number: int) -> None:
    """Writes the row of one thread."""
    members = [mail for mail in box.mail if mail.thread == number]
    people = {box.person[a] for mail in members for a in mail.received("participant")}
    dates = [mail.sent for mail in members if mail.sent]
    conn.execute(
        "INSERT INTO mail.thread VALUES (%s, %s, %s, %s, %s::timestamp AT TIME ZONE 'UTC', "
        "%s::timestamp AT TIME ZONE 'UTC')",
        (number, members[0].subject, len(members), len(people), min(dates, default=None), max(dates, default=None)),
    )


def message(conn: psycopg.Connection, box: Mailbox, mail: Mail) -> None:
    """Writes one message with its recipients, copies, labels and files."""
    conn.execute(
        """
        INSERT INTO mail.message (id, content_key, message_id, sender, subject, subject_base, sent_at, local_at, kind,
                                  recovered, body, new_text, thread, is_forward, thread_rule)
        VALUES (%s, %s, %s, %s, %s, %s, %s::timestamp AT TIME ZONE 'UTC', %s, %s, %s, %s, %s, %s, %s, 'references')
        """,
        (
            mail.id, str(mail.id).encode(), f"<{mail.id}@made.example>", box.addresses.get(mail.sender or ""),
            mail.subject, base(mail.subject), mail.sent, mail.local, mail.kind, mail.recovered, mail.body, mail.body,
            mail.thread, mail.subject.startswith("Fw:"),
        ),
    )  # fmt: skip
    for role in ("to", "cc", "bcc"):
        for address in dict.fromkeys(mail.received(role)):
            conn.execute("INSERT INTO mail.recipient VALUES (%s, %s, %s)", (mail.id, role, box.addresses[address]))
    for copy, name in enumerate(mail.labels):
        conn.execute(
            "INSERT INTO mail.occurrence (id, message, source, key, raw_sha256, message_id) "
            "VALUES (%s, %s, 1, %s, '', %s)",
            (mail.id * 10 + copy, mail.id, f"{mail.id}/{copy}", f"<{mail.id}.{copy}@made.example>"),
        )
        conn.execute("INSERT INTO mail.occurrence_label VALUES (%s, %s)", (mail.id * 10 + copy, box.label[name]))
    for part, (name, kind) in enumerate(mail.files):
        conn.execute(
            "INSERT INTO mail.attachment (id, message, part, name, type, bytes, sha256) "
            "VALUES (%s, %s, %s, %s, %s, 10, %s)",
            (mail.id * 10 + part, mail.id, str(part), name, kind, sha256(name.encode()).digest()),
        )


def links(conn: psycopg.Connection, mail: Mail) -> None:
    """Writes what a message answers and quotes."""
    for parent in mail.parents:
        conn.execute("INSERT INTO mail.reply VALUES (%s, %s, 'in-reply-to')", (mail.id, parent))
    for place, quoted in enumerate(mail.quotes):
        conn.execute(
            "INSERT INTO mail.quote (message, position, start, stop, depth, kind, quoted) "
            "VALUES (%s, %s, 0, 0, 1, 'quote', %s)",
            (mail.id, place, quoted),
        )


def base(subject: str) -> str:
    """A subject without reply marks."""
    return re.sub(r"^(?:(?:re|fw):\s*)+", "", subject, flags=re.IGNORECASE).strip().casefold()


Evaluated = tuple[list[tuple[int | str, int]], int, int]


def evaluate(box: Mailbox, plan: Plan) -> Evaluated:
    """The items of a plan with their numbers, in order and cut; how many messages matched, and how many recovered."""
    plan = _resolved(box, plan)
    matched = [mail for mail in box.mail if _matches(box, plan, mail)]
    of_item: dict[int | str, set[int]] = defaultdict(set)
    moments: dict[int | str, list[datetime]] = defaultdict(list)
    for mail in matched:
        if mail.recovered:
            continue
        for item in _items(box, plan, mail):
            of_item[item].add(mail.id)
            if mail.sent:
                moments[item].append(mail.sent)
    most = plan.at_most if plan.at_most is not None else len(box.mail)
    rows = {item: len(messages) for item, messages in of_item.items() if plan.at_least <= len(messages) <= most}
    if plan.target == "messages" and plan.order_by == "recipients":
        rows = {m.id: len({box.person[a] for a in m.received("recipient")}) for m in matched if not m.recovered}
        rows = {i: n for i, n in rows.items() if (n >= plan.at_least or plan.at_least <= 1) and n <= most}
    elif plan.target == "messages" and plan.at_least > 1:
        rows = {}
    excluded = {"people": plan.exclude_people, "organizations": plan.exclude_organizations}.get(plan.target, ())
    rows = {i: n for i, n in rows.items() if i not in excluded}
    within, without = _ids(plan.within), _ids(plan.without)
    rows = {i: n for i, n in rows.items() if all(i in w for w in within) and all(i not in w for w in without)}
    by = plan.order_by or {"messages": "date", "months": "month"}.get(plan.target, "count")
    sign = -1 if plan.descending else 1

    def key(item: int | str) -> tuple[object, ...]:
        if by == "month":
            return (item,)
        if by == "date":
            if not moments[item]:
                return (1, 0.0, item)
            last = plan.descending and plan.target != "messages"
            return (0, sign * (max if last else min)(moments[item]).timestamp(), item)
        return (sign * rows[item], item)

    ordered = sorted(rows, key=key)[plan.skip :][: plan.limit]
    counted = sum(not mail.recovered for mail in matched)
    return [(item, rows[item]) for item in ordered], counted, len(matched) - counted


def _ids(kept: tuple[Plan | tuple[int | str, ...], ...]) -> list[tuple[int | str, ...]]:
    return [which for which in kept if isinstance(which, tuple)]


def _resolved(box: Mailbox, plan: Plan) -> Plan:
    def ids(which: object) -> tuple[int | str, ...]:
        return tuple(i for i, _ in evaluate(box, which)[0]) if isinstance(which, Plan) else which  # type: ignore[return-value]

    def filled(f: Filter) -> Filter:
        if isinstance(f, People | Organizations):
            return replace(f, who=ids(f.who))  # type: ignore[arg-type]
        if isinstance(f, Threads | Messages | Answers | AnsweredBy):
            return replace(f, which=ids(f.which))  # type: ignore[arg-type]
        return f

    return replace(
        plan,
        filters=tuple(filled(f) for f in plan.filters),
        not_filters=tuple(filled(f) for f in plan.not_filters),
        within=tuple(ids(w) for w in plan.within),
        without=tuple(ids(w) for w in plan.without),
    )


def _matches(box: Mailbox, plan: Plan, mail: Mail) -> bool:
    base_rule = any(isinstance(f, Kind) for f in plan.filters) or mail.counted or mail.recovered
    return (
        base_rule
        and all(_holds(box, f, mail) for f in plan.filters)
        and not any(_holds(box, f, mail) for f in plan.not_filters)
    )


def _holds(box: Mailbox, f: Filter, mail: Mail) -> bool:
    by_id = {m.id: m for m in box.mail}
    match f:
        case People(role, who):
            return any(box.person[a] in who for a in mail.received(role))  # type: ignore[operator]
        case Organizations(role, who):
            return any(box.organization_of(a) in who for a in mail.received(role))  # type: ignore[operator]
        case Domains(role, names):
            at = [a.rpartition("@")[2].lower() for a in mail.received(role)]
            return any(d == name or d.endswith(f".{name}") for d in at for name in names)
        case Between(a, b, role):
            sender = box.person.get(mail.sender or "")
            others = {box.person[x] for x in mail.received(role)}
            return (sender in a and bool(others & set(b))) or (sender in b and bool(others & set(a)))
        case Period(start, end):
            if mail.local is None:
                return False
            day = mail.local.date()
            return (start is None or day >= start) and (end is None or day < end)
        case Subject(text, True):
            word = re.escape(text[:-1] if text.endswith("s") else text)
            return re.search(rf"(?<!\w){word}(?:e?s)?(?!\w)", mail.subject, re.IGNORECASE) is not None
        case Subject(text):
            return base(mail.subject) == text.casefold()
        case Labels(ids):
            return any(box.label[name] in ids for name in mail.labels)
        case Threads(which):
            return mail.thread in which  # type: ignore[operator]
        case Messages(which):
            return mail.id in which  # type: ignore[operator]
        case Mentions(terms, every, where):
            text = mail.subject if where == "subject" else f"{mail.subject}\n{mail.body}"
            found = [
                re.search(r"(?<!\w)" + r"\s+".join(map(re.escape, term.split())) + r"(?!\w)", text, re.IGNORECASE)
                for term in terms
            ]
            return bool(found) and (all(found) if every else any(found))
        case Kind(kinds):
            return mail.kind in kinds
        case Weekdays(days):
            return mail.local is not None and mail.local.weekday() in days
        case HasAttachment(_, str(file)):
            return any(name.lower() == file.lower() for name, _ in mail.files)
        case HasAttachment(kind):
            return any(kind is None or name.endswith(f".{kind}") or of.endswith(f"/{kind}") for name, of in mail.files)
        case Answers(None):
            return bool(mail.parents)
        case Answers(which):
            return bool(set(mail.parents) & set(which))  # type: ignore[arg-type]
        case AnsweredBy(None):
            return any(mail.id in m.parents and m.counted for m in box.mail)
        case AnsweredBy(which):
            return any(mail.id in by_id[i].parents for i in which)  # type: ignore[union-attr]
        case RecipientCount(role, least, most):
            n = len({box.person[a] for a in mail.received(role)})
            return least <= n <= (n if most is None else most)
        case Forwarded():
            return mail.subject.startswith("Fw:")
        case FirstInThread():
            members = [m for m in box.mail if m.thread == mail.thread and m.counted]
            return bool(members) and mail.id == min(members, key=lambda m: (m.sent or datetime.max, m.id)).id
    raise AssertionError(f)


def _items(box: Mailbox, plan: Plan, mail: Mail) -> set[int | str]:
    match plan.target:
        case "messages":
            return {mail.id}
        case "threads":
            return {mail.thread}
        case "months":
            return {f"{mail.local:%Y-%m}"} if mail.local else set()
        case "labels":
            return {box.label[name] for name in mail.labels}
        case "attachments":
            rows = [(m.id * 10 + part, name) for m in box.mail for part, (name, _) in enumerate(m.files)]
            return {min(i for i, other in rows if other == name) for name, _ in mail.files}
        case _:
            pass
    used = mail.received(plan.role or "participant")
    if plan.target == "domains":
        kept = (a for a in used if box.organization_of(a) not in plan.exclude_organizations)
        return {d for a in kept if (d := domain(a)) is not None}
    if plan.target == "organizations":
        return {g for a in used if (g := box.organization_of(a)) is not None}
    if plan.only_organizations:
        used = tuple(a for a in used if box.organization_of(a) in plan.only_organizations)
    if plan.exclude_organizations:
        used = tuple(a for a in used if domain(a) and box.organization_of(a) not in plan.exclude_organizations)
    if plan.persons:
        used = tuple(a for a in used if box.person[a] not in _no_persons(box))
    return {box.person[a] for a in used}


def _no_persons(box: Mailbox) -> set[int]:
    """Offices, and services: those who sent nothing but automated mail."""
    kinds: dict[int, set[str]] = {}
    for mail in box.mail:
        if mail.counted and mail.sender in box.person:
            kinds.setdefault(box.person[mail.sender], set()).add(mail.kind)
    offices = {box.person[box.people[name][0]] for name in box.offices}
    return offices | {person for person, sent in kinds.items() if sent == {"automated"}}


def odd_mailbox(seed: int = 7, size: int = 70) -> Mailbox:
    """A random mailbox that holds every oddity: people with several addresses, mail without sender, date or
    recipient, mail to oneself, drafts, spam, recovered messages, copies, circulars, one file in several messages."""
    chance = random.Random(seed)
    people = {
        "Ada Quill": ("ada@north.example", "ada.q@webmail.example"),
        "Bo Marsh": ("bo@north.example",),
        "Cleo Finch": ("cleo@south.example", "cleo@north.example"),
        "Dov Lind": ("dov@south.example",),
        "Eve Tarn": ("eve@webmail.example",),
        "Finn Oak": ("finn oak",),
        "Gus Reed": ("gus@west.example", "gus@webmail.example"),
    }
    addresses = [a for owned in people.values() for a in owned]
    words = ["Harbour", "ledger", "Kite-Mill", "ledgers", "harbour_x", "weekly", "report", "straße", "Émile", "x"]
    mail: list[Mail] = []
    for number in range(1, size + 1):
        sent = datetime(2001, 1, 1) + timedelta(hours=chance.randrange(24 * 120))
        earlier = [m.id for m in mail]
        text = " ".join(chance.choice(words) for _ in range(chance.randrange(12)))
        mail.append(
            Mail(
                id=number,
                sender=chance.choice(addresses) if chance.random() > 0.05 else None,
                to=tuple(chance.sample(addresses, chance.choice([0, 1, 1, 2, 5]))),
                cc=tuple(chance.sample(addresses, chance.choice([0, 0, 1, 3]))),
                bcc=tuple(chance.sample(addresses, chance.choice([0, 0, 0, 1]))),
                sent=sent if chance.random() > 0.05 else None,
                hours=chance.choice([0, -6, 9]),
                subject=chance.choice(["", "Re: ", "Fw: "]) + " ".join(chance.sample(words, 2)),
                body=text.replace(" ", chance.choice([" ", "\n", ", ", "/"])),
                kind=chance.choice(["mail"] * 8 + ["automated", "draft", "spam", "trash"]),
                recovered=chance.random() < 0.1,
                thread=chance.choice(earlier[: max(1, number // 3)] or [number]),
                labels=tuple(chance.sample(["inbox", "sent", "plans"], chance.choice([0, 1, 1, 2]))),
                parents=tuple(chance.sample(earlier, min(len(earlier), chance.choice([0, 0, 1, 2])))),
                quotes=tuple(chance.sample(earlier, min(len(earlier), chance.choice([0, 1])))),
                files=chance.choice([(), (), (), (("plan.pdf", "application/pdf"),), (("map.png", "image/png"),)]),
            )
        )
    roots = {m.thread for m in mail}
    mail = [replace(m, thread=m.id) if m.id in roots else m for m in mail]
    return Mailbox(people, mail, offices=("Dov Lind",))
