"""A noun that is described rather than named becomes a plan: relative clauses, places of work, numbers, exceptions."""

from __future__ import annotations

from dataclasses import replace

from graph.plan import People, Plan, Target
from retrieval.planner.roles import Slots
from retrieval.planner.sentence import Clause, Noun, alone, has_most, main_verb, object_least, several, with_noun
from retrieval.planner.slots import Filler, widened

TARGETS: dict[str, Target] = {
    "person": "people",
    "org": "organizations",
    "message": "messages",
    "thread": "threads",
    "month": "months",
    "label": "labels",
    "attachment": "attachments",
}


class Describer(Filler):
    """Plans of nouns."""

    def _described(self, noun: Noun, main: Clause | None = None) -> Plan:
        """The plan of people, organisations, threads or messages that a noun describes."""
        target = TARGETS.get(noun.sort, "people")
        positive = [c for c in noun.clauses if not c.negated]
        rest = [c for c in noun.clauses if c.negated]
        if noun.sort == "message":
            slots = self._slots(Clause(), noun)
            plan = Plan("messages", filters=tuple(slots.filters))
            if noun.most_recipients:
                return replace(plan, order_by="recipients", limit=noun.number or 1)
            if noun.first or noun.last:
                return replace(plan, order_by="date", descending=noun.last, limit=noun.number or 1)
            return plan
        most = noun.superlative
        first = noun.first
        last = noun.last
        least = noun.at_least
        conjuncts: list[Clause] = []
        both: tuple[Plan, ...] = ()
        in_role = bool(positive) and noun.own is None and _only_appears(positive[0])
        if (noun.role is not None and not in_role) or (noun.own is not None and not positive):
            slots = self._slots(noun.own or Clause(gap=noun), noun)
            role = noun.role or slots.role or "participant"
            plan = Plan(target, role=role, filters=tuple(slots.filters))  # type: ignore[arg-type]
            plan = self._narrow(plan, noun)
            plan = self._exclude(plan, slots)
        elif positive:
            clause, positive = positive[0], positive[1:]
            plans, clause_slots = self._alternatives(clause, noun, target)
            plan, both = plans[0], tuple(plans[1:])
            if noun.role is not None:  # "the writer who appears most often in ..."
                plan = replace(plan, role=noun.role)  # type: ignore[arg-type]
            plan = self._narrow(plan, noun)
            plan = self._exclude(plan, clause_slots)
            most = most or clause.most or has_most(clause)
            first = first or clause.first
            last = last or clause.last
            least = least or clause.at_least or object_least(clause)
            conjuncts = clause.conjuncts
            plan = self._besides(plan, clause.besides)
        else:
            plan = self._narrow(Plan(target, role="participant"), noun)
        for clause in positive:
            slots = self._slots(clause, noun)
            both += (self._level(Plan(target, role=slots.role, filters=tuple(slots.filters)), clause),)
        never = []
        for clause in rest:
            slots = self._slots(replace(clause, negated=False), noun)
            never.append(widened(Plan(target, role=slots.role, filters=tuple(slots.filters))))
            conjuncts = [*conjuncts, *clause.conjuncts]
        plan = replace(plan, within=(*plan.within, *both), without=(*plan.without, *never))
        plan = self._conjoined(plan, noun, conjuncts)
        plan = self._besides(plan, noun.besides)
        if least:
            plan = replace(plan, at_least=least)
        if most:
            plan = replace(plan, order_by="count", limit=noun.number or 1)
        elif first or last:
            plan = replace(plan, order_by="date", descending=last, limit=noun.number or 1)
        return plan

    def _alternatives(self, clause: Clause, noun: Noun, target: Target) -> tuple[list[Plan], Slots]:
        """One plan, or for "to whom both A and B wrote" one of each: all must hold."""
        joined = next((n for n in several(clause) if n is not noun), None)
        if joined is None:
            slots = self._slots(clause, noun)
            return [Plan(target, role=slots.role, filters=tuple(slots.filters))], slots
        plans, together = [], Slots()
        everyone = [joined, *joined.also]
        for one in everyone:
            single = alone(one)
            slots = self._slots(with_noun(clause, joined, single), noun)
            plans.append(Plan(target, role=slots.role, filters=tuple(slots.filters)))
            together.counterparts += slots.counterparts
            together.role = slots.role
        return plans, together

    def _relatives(self, plan: Plan, noun: Noun, main: Clause) -> Plan:
        """Relative clauses and further predicates of the noun that is asked for, beside the main clause."""
        target = plan.target
        for clause in noun.clauses:
            bare = Noun(noun.sort, noun.start, number=noun.number)
            bare.clauses = [replace(clause, negated=False, gap=bare)]
            inner = self._described(bare)
            inner_ids: list[int] = [*plan.exclude_people, *inner.exclude_people]
            plan = replace(plan, exclude_people=tuple(dict.fromkeys(inner_ids)))
            if clause.negated:
                plan = replace(plan, without=(*plan.without, widened(inner)))
            else:
                plan = replace(plan, within=(*plan.within, replace(inner, target=target)))
        return self._conjoined(plan, noun, main.conjuncts)

    def _conjoined(self, plan: Plan, noun: Noun, conjuncts: list[Clause]) -> Plan:
        for clause in conjuncts:
            slots = self._slots(replace(clause, negated=False), noun)
            other = Plan(plan.target, role=slots.role, filters=tuple(slots.filters))
            if clause.negated:
                other = self._meant(other, plan, clause)
                plan = replace(plan, without=(*plan.without, widened(other)))
            else:
                plan = replace(plan, within=(*plan.within, self._level(other, clause)))
            plan = self._conjoined(plan, noun, clause.conjuncts)
        return plan

    def _meant(self, denied: Plan, plan: Plan, clause: Clause) -> Plan:
        """ "... without ever getting an answer": from those they wrote to. A denial that says nothing is doubtful."""
        if denied.filters:
            return denied
        whom = [f for f in plan.filters if isinstance(f, People) and f.role in ("to", "recipient")]
        if whom and main_verb(clause) in ("get", "reply"):
            return replace(denied, role="recipient", filters=(People("sender", whom[0].who),))
        writers = [f for f in plan.filters if isinstance(f, People) and f.role == "sender"]
        if writers and main_verb(clause) in ("reply", "send"):  # "... but who never wrote back"
            return replace(denied, role="sender", filters=(People("recipient", writers[0].who),))
        self.problems.append("it is not clear what is denied")
        return denied

    def _level(self, plan: Plan, clause: Clause) -> Plan:
        least = clause.at_least or object_least(clause)
        return replace(plan, at_least=least) if least else plan

    def _merge_own(self, plan: Plan, noun: Noun) -> Plan:
        """Modifiers behind the noun that is asked for ("people in the HPL folder") are a condition of their own."""
        own = noun.own
        if own is None or not (own.labels or own.arguments or own.periods or own.titles):
            return plan
        slots = self._slots(own, noun)
        if not slots.filters:
            return plan
        role = noun.role or "participant"
        return replace(plan, within=(*plan.within, Plan(plan.target, role=role, filters=tuple(slots.filters))))  # type: ignore[arg-type]

    def _narrow(self, plan: Plan, noun: Noun) -> Plan:
        """ "at UBS", "outside Enron", "outside organisations"."""
        at = [i for link in noun.at if link.kind == "organization" for i in link.ids]
        outside = [i for link in noun.outside for i in (link.ids if link else self.index.owner_organizations)]
        if noun.external:
            outside += self.index.owner_organizations
        if plan.target == "people":
            plan = replace(plan, only_organizations=(*plan.only_organizations, *at))
        elif at and plan.target == "organizations":
            plan = replace(plan, within=(*plan.within, tuple(at)))
        kept = tuple(dict.fromkeys((*plan.exclude_organizations, *outside)))
        plan = replace(plan, exclude_organizations=kept)
        return self._besides(plan, noun.besides)

    def _besides(self, plan: Plan, nouns: list[Noun]) -> Plan:
        people = [i for n in nouns for one in (n, *n.also) if one.sort == "person" for i in self._ids(one)]
        firms = [i for n in nouns for one in (n, *n.also) if one.sort == "org" and one.link for i in one.link.ids]
        return replace(
            plan,
            exclude_people=tuple(dict.fromkeys((*plan.exclude_people, *people))),
            exclude_organizations=tuple(dict.fromkeys((*plan.exclude_organizations, *firms))),
        )

    def _exclude(self, plan: Plan, slots: Slots) -> Plan:
        """Who wrote is not among those written to, even with a copy to themselves."""
        if plan.target == "people" and slots.counterparts:
            plan = replace(plan, exclude_people=tuple(dict.fromkeys((*plan.exclude_people, *slots.counterparts))))
        for who in slots.described:
            if plan.target == "people":
                plan = replace(plan, without=(*plan.without, who))
        return plan

    def _finish(self, plan: Plan, noun: Noun, main: Clause, *, most: bool = False) -> Plan:
        """Number, order and threshold of what is asked for."""
        plan = self._besides(plan, [*noun.besides, *main.besides])
        least = noun.at_least or main.at_least or object_least(main)
        if noun.sort == "message":
            least = None
        if least:
            plan = replace(plan, at_least=least)
        if main.by_count:
            return replace(plan, order_by="count", limit=noun.number or plan.limit)
        if most or noun.superlative or main.most or has_most(main):
            return replace(plan, order_by="count", limit=noun.number or (plan.limit or 1))
        if (noun.first or main.first) and plan.limit is None:
            return replace(plan, order_by="date", descending=False, limit=noun.number or 1)
        if (noun.last or main.last) and plan.limit is None:
            return replace(plan, order_by="date", descending=True, limit=noun.number or 1)
        return plan


def _only_appears(clause: Clause) -> bool:
    """ "... who appears in", "... who is in": the clause says where, the noun itself says in which role."""
    verb = main_verb(clause)
    return verb in ("take", "") or (verb == "mention" and not clause.terms)
