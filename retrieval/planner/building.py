"""Claims become a plan: of messages, or of the people, months or folders that occur in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from graph.plan import (
    AnsweredBy,
    Answers,
    Filter,
    Kind,
    Organizations,
    People,
    Period,
    Plan,
    RecipientCount,
    Role,
    Subject,
    Target,
)
from retrieval.linker import NameIndex
from retrieval.planner.claim import Claim
from retrieval.planner.claims import Claims
from retrieval.planner.heads import Head
from retrieval.planner.items import Item

TARGETS: dict[str, Target] = {
    "message": "messages", "person": "people", "org": "organizations", "thread": "threads", "month": "months",
    "label": "labels", "attachment": "attachments",
}  # fmt: skip


class Builder(Claims):
    """Makes plans. Of each claim it is told whether it is denied."""

    def __init__(self, index: NameIndex, stopwords: frozenset[str]) -> None:
        super().__init__(index, stopwords)
        self.of_people = False
        self.items: list[Item] = []
        self.by_recipients: Literal["", "most", "fewest"] = ""

    def _messages(self, head: Head, claims: list[tuple[Claim, bool]]) -> Plan:
        filters: list[Filter] = []
        denied: list[Filter] = []
        besides: list[int] = []
        for claim, is_denied in claims:
            periods = [f for f in claim.filters if isinstance(f, Period)]
            if is_denied and len(periods) < len(claim.filters):  # "without attachment in May"
                filters += periods
                denied += [f for f in claim.filters if f not in periods]
            else:
                (denied if is_denied else filters).extend(claim.filters)
            besides += claim.besides
            denied += [*claim.not_from, *([] if is_denied else claim.gaps)]
            for f in claim.only:  # "only to X": to nobody else
                if isinstance(f, People) and f.role == "cc":
                    denied.append(People("to", f.who))
                elif isinstance(f, People) and f.role in ("to", "recipient"):
                    filters.append(RecipientCount("recipient", 1, 1))
            if claim.outside and (claim.outward or any(map(_sent_by, claim.filters))):
                away = Plan("people", role="recipient", exclude_organizations=tuple(claim.outside))
                (denied if is_denied else filters).append(People("recipient", away))
            elif claim.outside:  # "sent from outside X": whose address is elsewhere
                (filters if is_denied else denied).append(Organizations("sender", tuple(claim.outside)))
        filters = [f for f in dict.fromkeys(filters) if f not in denied]
        if besides:
            filters, used = _without_in(filters, tuple(besides))
            if not used:  # a message has one sender: where somebody is named, the others were not written to
                sent = any(map(_sent_by, filters))
                denied.append(People("recipient" if sent else "sender", tuple(besides)))
        if head.item is not None and head.item.tag == "N:reply":
            filters.append(Answers())
        plan = Plan(filters=tuple(filters), not_filters=tuple(dict.fromkeys(denied)))
        if self.by_recipients:
            return replace(plan, order_by="recipients", descending=self.by_recipients == "most", limit=head.number or 1)
        if not head.count and (head.first or head.last or any(c.first or c.last for c, _ in claims)):
            last = head.last or any(c.last for c, _ in claims)
            return replace(plan, order_by="date", descending=last, limit=head.number or 1)
        return plan

    def _items(self, head: Head, claims: list[tuple[Claim, bool]], choices: list[int]) -> Plan:
        said = [c for c, no in claims if not no]
        denied = [c for c, no in claims if no]
        elsewhere = [c for c in denied if c.at and c.inherits and not c.filters]  # "are not from X"
        denied = [c for c in denied if c not in elsewhere]
        acting = [c for c in said if c.acts or c.filters or c.each or c.most]
        whole = Claim(at=[i for c, _ in claims if c not in elsewhere for i in c.at],
                      outside=[i for c, _ in claims for i in c.outside] + [i for c in elsewhere for i in c.at],
                      besides=[i for c, _ in claims for i in c.besides],
                      firms_besides=[i for c, _ in claims for i in c.firms_besides])  # fmt: skip
        people = head.sort in ("person", "org")
        if not people or not acting:
            base = Claim(
                role=None if not people else head.role or "participant", filters=[f for c in said for f in c.filters]
            )
            if head.sort == "month" and not any(isinstance(f, Period) for f in base.filters):
                # "months without mail from X in 2021" are months of 2021
                base.filters += [f for c in denied for f in c.filters if isinstance(f, Period)]
            base.each = [e for c in said for e in c.each]
            if (
                head.sort == "person"
                and head.role is None
                and (supposed := _supposed([f for c in denied for f in c.filters]))
            ):
                base.role = supposed[0]
                base.filters.append(supposed[1])
            main: Claim = base
        else:
            main, acting = acting[-1], acting[:-1]
        merged = replace(main, at=whole.at, outside=whole.outside, besides=whole.besides,
                         firms_besides=whole.firms_besides)  # fmt: skip
        plan = self._people_plan(head, merged)
        if people and acting:
            others = [c for c in acting if c is not main]
            excluded = [*plan.exclude_people, *(i for c in others for i in c.counterparts)]
            plan = replace(plan, within=(*plan.within, *(self._bare(head, c) for c in others)))
            plan = replace(plan, exclude_people=tuple(dict.fromkeys(excluded)) if head.sort == "person" else ())
        plan = replace(plan, without=(*plan.without, *_nothing_else(plan, merged.only)))
        if any(c.newly for c in said):
            plan = replace(plan, without=(*plan.without, _before(plan)))
        for claim in [one for c in denied for one in _each_alone(c)]:
            if claim.inherits:
                kinds = {type(f) for f in claim.filters}
                kept = [f for f in plan.filters if type(f) not in kinds]
                claim = replace(claim, role=merged.role, filters=[*kept, *claim.filters])
            elif claim.answers and not claim.named and (back := _back(plan)) is not None:
                plan = replace(plan, without=(*plan.without, replace(back, target=plan.target)))
                continue
            elif merged.gap_acted_on and not (claim.named or claim.acting):  # "whom did X copy but never address?"
                senders = filter(_sent_by, merged.filters)
                role: Role = "to" if claim.directly else "recipient"
                claim = replace(claim, role=role, filters=[*senders, *claim.filters])
            if people and not acting:
                plan = replace(plan, exclude_people=tuple(dict.fromkeys((*plan.exclude_people, *claim.counterparts))))
            plan = replace(plan, without=(*plan.without, self._bare(head, claim)))
        other = head.other or self.own_left_out  # "other than their own"
        other = other or any(i.tag == "OTHER" and " " in i.text for i in self.items)
        if other and plan.target in ("organizations", "domains"):
            own = tuple(filter(_sent_by, plan.filters))
            plan = replace(plan, without=(*plan.without, Plan(plan.target, role="sender", filters=own)) if own else ())
        plan = replace(plan, within=(*plan.within, *self.among))
        left_out = tuple(f for c, no in claims for f in (*c.not_from, *([] if no else c.gaps)))
        plan = replace(plan, not_filters=(*plan.not_filters, *left_out))
        if choices:
            plan = replace(plan, within=(*plan.within, tuple(choices)))
        every = [c for c, _ in claims]
        flags = Claim(fewest=any(c.fewest for c in every),
                      most=head.most or bool(choices) or any(c.most for c in every),
                      first=head.first or any(c.first for c in every), last=head.last or any(c.last for c in every),
                      least=next((c.least for c in every if c.least), None),
                      exactly=any(c.exactly for c in every))  # fmt: skip
        return replace(self._ordered(plan, flags, head.number), skip=head.skip)

    def _ordered(self, plan: Plan, claim: Claim, number: int | None) -> Plan:
        if claim.least:
            plan = replace(plan, at_least=claim.least, at_most=claim.least if claim.exactly else None)
        if claim.most:
            return replace(plan, order_by="count", descending=not claim.fewest, limit=number or 1)
        if claim.first or claim.last:
            return replace(plan, order_by="date", descending=claim.last, limit=number or 1)
        return plan

    def _people_plan(self, head: Head, claim: Claim) -> Plan:
        """The plan of a claim about people, organisations or anything else that occurs in messages."""
        if head.sort == "org" and self.of_people:
            claim = replace(claim, filters=[*claim.filters, Kind(("mail",))])  # "people from which companies"
        target = "domains" if head.domain else TARGETS[head.sort]
        role = (head.role or claim.role) if head.sort in ("person", "org") else None
        filters, each = list(claim.filters), list(claim.each)
        owners = self.index.owners
        if target == "months" and any(i.tag == "MY" for i in head.inside):  # "my most active month"
            filters.append(People("sender", owners))
        if target == "people" and owners and _of_mine(head) and not any(_among(f, owners) for f in filters):
            other: Role = {"sender": "recipient", "recipient": "sender"}.get(role or "", "participant")  # type: ignore[assignment]
            filters.append(People(other, owners))
            claim = replace(claim, counterparts=[*claim.counterparts, *owners])
        titles: list[Filter] = [f for f in filters if isinstance(f, Subject) and not f.contains]
        if len(titles) > 1:
            filters = [f for f in filters if f not in titles]
            each.append(titles)
        firsts = [group[0] for group in each]
        plan = Plan(target, role=role, filters=tuple(dict.fromkeys([*filters, *firsts])), persons=target == "people")
        others = [
            replace(plan, filters=tuple(other if f is firsts[n] else f for f in plan.filters))
            for n, group in enumerate(each)
            for other in group[1:]
        ]
        if target in ("organizations", "domains"):
            plan = replace(plan, filters=tuple(g for f in plan.filters for g in _said_of(f, role)))
        outside = [*claim.outside, *claim.firms_besides]
        if head.external:
            outside += self.index.owner_organizations
        if target == "people":
            left_out = claim.besides + claim.counterparts
            plan = replace(plan, without=tuple(claim.described))
            plan = replace(plan, exclude_people=tuple(dict.fromkeys(left_out)), only_organizations=tuple(claim.at))
        elif claim.at and target == "organizations":
            plan = replace(plan, within=(tuple(claim.at),))
        if target in ("people", "organizations", "domains"):
            plan = replace(plan, exclude_organizations=tuple(dict.fromkeys(outside)))
        elif claim.besides:
            plan = replace(plan, filters=tuple(_without_in(list(plan.filters), tuple(claim.besides))[0]))
        return replace(plan, within=(*plan.within, *others))

    def _bare(self, head: Head, claim: Claim) -> Plan:
        """Only what a further claim says."""
        plan = self._people_plan(
            replace(head, external=False, role=None), replace(claim, at=[], outside=[], besides=[])
        )
        plan = replace(plan, exclude_people=(), persons=False)
        if not claim.least:
            return plan
        return replace(plan, at_least=claim.least, at_most=claim.least if claim.exactly else None)


def _sent_by(f: Filter) -> bool:
    return isinstance(f, People) and f.role == "sender"


def _supposed(denied: list[Filter]) -> tuple[Role, Filter] | None:
    """ "whom have I never answered" supposes that they wrote to me, "who never answered me" that I wrote to them."""
    for f in denied:
        if isinstance(f, (AnsweredBy, Answers)) and isinstance(f.which, Plan):
            for who in f.which.filters:
                if isinstance(who, People) and who.role == "sender":
                    if isinstance(f, AnsweredBy):
                        return "sender", People("recipient", who.who)
                    return "recipient", People("sender", who.who)
    return None


def _of_mine(head: Head) -> bool:
    """ "my most frequent correspondent": of the owner's mail, and not the owner."""
    noun = head.item is not None and head.item.tag in ("N:sender", "N:recipient", "N:correspondent")
    return noun and any(i.tag == "MY" for i in head.inside)


def _among(f: Filter, people: tuple[int, ...]) -> bool:
    return isinstance(f, People) and isinstance(f.who, tuple) and bool(set(f.who) & set(people))


def _nothing_else(plan: Plan, only: list[Filter]) -> list[Plan]:
    """ "who wrote only in May": nobody with other mail that the rest is true of."""
    rest = [Plan(plan.target, role=plan.role, filters=tuple(f for f in plan.filters if f != one), not_filters=(one,))
            for one in only]  # fmt: skip
    return rest if plan.target != "messages" else []


def _before(plan: Plan) -> Plan:
    """The same before the period: "for the first time in May"."""
    earlier = tuple(Period(None, f.start) if isinstance(f, Period) else f for f in plan.filters)
    return Plan(plan.target, role=plan.role, filters=earlier, not_filters=plan.not_filters)


def _back(plan: Plan) -> Plan | None:
    """ "without ever getting an answer", "who never wrote back": mail the other way between the same two."""
    for f in plan.filters:
        if isinstance(f, People) and plan.role == "sender" and f.role in ("to", "recipient"):
            return Plan(role="recipient", filters=(People("sender", f.who),))
        if isinstance(f, People) and plan.role in ("to", "recipient") and f.role == "sender":
            return Plan(role="sender", filters=(People("recipient", f.who),))
    return None


def _said_of(f: Filter, role: Role | None) -> tuple[Filter, ...]:
    """ "the companies of the people who wrote to X": those whose addresses stand in that mail, so what is said of the
    people is said of the messages."""
    if not isinstance(f, People) or not isinstance(f.who, Plan) or f.role != role or f.who.role != role:
        return (f,)
    plain = Plan("people", role=role, filters=f.who.filters, persons=f.who.persons, exclude_people=f.who.exclude_people)
    return f.who.filters if plain == f.who else (f,)


def _each_alone(claim: Claim) -> list[Claim]:
    """ "neither in May nor in June", "never to A or B": each is denied by itself."""
    out = [claim]
    for group in claim.each:
        out = [replace(c, each=[], filters=[*c.filters, f]) for c in out for f in group]
    return out


def _without_in(filters: list[Filter], people: tuple[int, ...]) -> tuple[list[Filter], bool]:
    """The filters with these people left out of a ranking of people inside them, and whether there was one."""
    out: list[Filter] = []
    used = False
    for f in filters:
        if isinstance(f, People) and isinstance(f.who, Plan) and not used:
            f = replace(f, who=replace(f.who, exclude_people=(*f.who.exclude_people, *people)))
            used = True
        out.append(f)
    return out, used
