"""Clauses become a plan.

Every clause speaks of a set of messages; its nouns fill the slots of that set: who sent, who received, when, in which
folder or conversation, with which words. One noun is what is asked for (of the main clause) or what is described (of
a relative clause); the other slots are the filters. A noun that is described rather than named becomes a plan of its
own inside a filter, which is how several hops come about.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from graph.plan import AnsweredBy, Filter, FirstInThread, Intent, People, Period, Plan, Subject
from retrieval.linker import NameIndex
from retrieval.planner.describer import TARGETS, Describer
from retrieval.planner.roles import Slots
from retrieval.planner.sentence import (
    Clause,
    Noun,
    has_most,
    is_description,
    main_verb,
    most_recipients,
    named_people,
    object_least,
    single_message,
    unknown_words,
)
from retrieval.planner.slots import wide, widened


@dataclass
class Composed:
    """A plan with its intent; ``leftover``: words that went into nothing, ``problems``: why it may be wrong.

    ``structural``: people, messages and the like are asked for, and what they did is sending, receiving, mentioning;
    "Who won the auction?" asks for a person and is a question about content all the same."""

    plan: Plan | None
    intent: Intent
    target: Noun | None
    leftover: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    structural: bool = False


def compose(clauses: list[Clause], index: NameIndex, periods: list[Period], *, who_is_subject: bool) -> Composed:
    """The plan of a question's clauses. ``periods``: all that the question names, for "that month".
    ``who_is_subject``: the language has another word for "whom", so that "who" is always the one who acts."""
    return Composer(clauses, index, periods, who_is_subject).question()


class Composer(Describer):
    """Finds what is asked for and turns its clause into a plan."""

    def __init__(self, clauses: list[Clause], index: NameIndex, periods: list[Period], who_is_subject: bool) -> None:
        super().__init__(index, periods, who_is_subject)
        self.clauses = clauses

    def question(self) -> Composed:
        """The plan of the clause that asks."""
        main, target = self._main()
        if main is None or target is None:
            return Composed(None, "content", None, self._leftover(), ["nothing that is asked for was understood"])
        self.named = named_people(main)
        if main is not self.clauses[0]:
            self.subject = next((a.noun for c in self.clauses[: self.clauses.index(main)] for a in c.arguments), None)
            self._restate()
        structural = target.sort not in ("word", "any") and (bool(main.verbs) or target.sort != "person")
        plan = self._asked(main, target)
        if plan is None:
            return Composed(None, "content", target, self._leftover(), self.problems, structural)
        if target.domain and plan.target == "organizations":
            plan = self._as_domains(plan)
        intent = self._intent(main, target, plan)
        return Composed(plan, intent, target, self._leftover(), self.problems, structural)

    def _as_domains(self, plan: Plan) -> Plan:
        """The mail domains instead of the organisations: those of private providers too."""

        def kept(which: Plan | tuple[int | str, ...]) -> Plan | tuple[int | str, ...]:
            if isinstance(which, Plan):
                return self._as_domains(which)
            known = self.index.organizations
            return tuple(known[i].keys[0] for i in which if isinstance(i, int) and i in known)

        return replace(
            plan, target="domains", within=tuple(map(kept, plan.within)), without=tuple(map(kept, plan.without))
        )

    def _leftover(self) -> list[str]:
        return [word for clause in self.clauses for word in unknown_words(clause)]

    def _main(self) -> tuple[Clause | None, Noun | None]:
        """The clause that asks, and the noun it asks for."""
        for clause in reversed(self.clauses):
            for argument in clause.arguments:
                vague = argument.noun.wh == "what" and argument.noun.sort in ("any", "word")
                if argument.noun.wh and not vague:
                    return clause, argument.noun
        for clause in self.clauses:
            if clause.listing and clause.arguments:
                return clause, clause.arguments[0].noun
            single = single_message(clause)
            if clause.ask in ("when", "what") and single is not None:
                single.wh = clause.ask
                return clause, single
            if clause.ask == "when" and not clause.unknown:
                return clause, Noun("message", 0, wh="when")
            for argument in clause.arguments:
                if argument.noun.wh == "what" and argument.noun.sort not in ("any", "word"):
                    return clause, argument.noun
        for clause in self.clauses:
            first = clause.arguments[0].noun if clause.arguments else None
            if clause.aux_first and clause.verbs and not clause.ask:  # "Did X ever write to Y?": how often
                return clause, Noun("message", 0, wh="howmany")
            if first is not None and not (clause.verbs or clause.ask or clause.aux) and is_description(first):
                first.wh = "list"
                return clause, first
        return None, None

    def _restate(self) -> None:
        """ "One writer in the conversation X was not at Enron.": what is said of it in its own sentence."""
        for clause in self.clauses:
            for argument in clause.arguments:
                noun = argument.noun
                if noun is self.subject and not clause.verbs:
                    for other in clause.arguments:
                        if other.noun is not noun and other.noun.sort == "org" and other.noun.link:
                            (noun.outside if clause.negated else noun.at).append(other.noun.link)

    def _intent(self, main: Clause, target: Noun, plan: Plan) -> Intent:
        if target.wh == "when":
            return "first" if main.first or target.first else "last" if main.last or target.last else "span"
        if target.wh == "howmany":
            return "count"
        if plan.order_by == "date" and plan.limit is not None:
            return "last" if plan.descending else "first"
        if plan.limit is not None or plan.order_by == "count":
            return "rank"
        return "list"

    def _asked(self, main: Clause, target: Noun) -> Plan | None:
        sort = target.sort
        if sort == "word":
            return self._reports(main, target)
        if sort == "any":
            return None
        self._merge_twin(main, target)
        acts = bool(main.verbs) or main.backforth
        if sort in ("message", "thread", "month", "label", "attachment"):
            return self._of_messages(main, target)
        if main.verbs == ["active"] and target.role is None:
            plan = Plan(TARGETS[sort], role="sender", filters=tuple(self._slots(main, target).filters))
            return self._finish(plan, target, main, most=True)
        correspondents = self._correspondents(main, target)
        if correspondents is not None:
            return correspondents
        if not acts and not self._only_described(main, target):
            describing = self._equated(main, target)
            if describing is not None:
                if describing.number is None:
                    describing.number = target.number
                describing.wh = target.wh
                describing.outside += target.outside
                describing.at += target.at
                plan = self._described(describing, main)
                return self._finish(plan, describing, main)
        if not acts:
            plan = self._described(target, main)
            return self._finish(plan, target, main)
        if main.negated:
            slots = self._slots(main, target)
            base = Plan(TARGETS[sort], role=target.role if target.role else "participant")  # type: ignore[arg-type]
            base = self._narrow(base, target)
            base = self._merge_own(base, target)
            if "reply" in main.verbs and slots.counterparts and target.role is None:
                # who never answered somebody: of those whom this somebody wrote to
                wrote: tuple[Filter, ...] = (People("sender", tuple(slots.counterparts)),)
                base = replace(base, role="recipient", filters=(*base.filters, *wrote))
            base = replace(base, exclude_people=tuple(dict.fromkeys((*base.exclude_people, *slots.counterparts))))
            role = target.role if "take" in main.verbs and target.role else slots.role
            never = Plan(TARGETS[sort], role=role, filters=tuple(slots.filters))  # type: ignore[arg-type]
            plan = replace(base, without=(*base.without, widened(never)))
        else:
            own = target.own
            if own is not None and not target.role and (own.labels or own.titles or own.periods):
                # "which people in the HR folder wrote most": of the messages in that folder
                main.labels, main.titles, main.periods = (
                    main.labels + own.labels,
                    main.titles + own.titles,
                    main.periods + own.periods,
                )
                own.labels, own.titles, own.periods = [], [], []
            plans, slots = self._alternatives(main, target, TARGETS[sort])
            if main.each_label and len(main.labels) > 1:
                each = [self._alternatives(replace(main, labels=[x]), target, TARGETS[sort])[0] for x in main.labels]
                plans = [p for some in each for p in some]
            plan = replace(plans[0], within=tuple(plans[1:]))
            if sort == "org":
                plan = replace(plan, role=wide(slots.role))
            plan = self._narrow(plan, target)
            plan = self._exclude(plan, slots)
            plan = self._merge_own(plan, target)
            if target.other:
                plan = self._without_own(plan)
        plan = self._relatives(plan, target, main)
        if main.negated and "reply" in main.verbs:
            plan = self._never_answered(plan)
        return self._finish(plan, target, main)

    def _never_answered(self, plan: Plan) -> Plan:
        """ "people she wrote to who never answered": never wrote to her."""
        writers = [f for p in plan.within if isinstance(p, Plan) for f in p.filters if isinstance(f, People)]
        if not writers or not plan.without or not isinstance(plan.without[-1], Plan) or plan.without[-1].filters:
            return plan
        never = replace(plan.without[-1], filters=(People("recipient", writers[0].who),))
        return replace(plan, without=(*plan.without[:-1], never))

    def _without_own(self, plan: Plan) -> Plan:
        """ "Which other organisation did he write to?": other than the one he writes from."""
        senders = [f for f in plan.filters if isinstance(f, People) and f.role == "sender"]
        if plan.target != "organizations" or not senders:
            return plan
        own = Plan("organizations", role="sender", filters=(senders[0],))
        return replace(plan, without=(*plan.without, own))

    def _only_described(self, main: Clause, target: Noun) -> bool:
        return target.own is not None or bool(target.clauses)

    def _equated(self, main: Clause, target: Noun) -> Noun | None:
        """ "Who is the main writer in ...?": the other noun of a clause without a verb."""
        for argument in main.arguments:
            noun = argument.noun
            if (
                noun is not target
                and noun.sort == target.sort
                and noun.link is None
                and not noun.owner
                and not noun.pronoun
            ):
                return noun
        return None

    def _reports(self, main: Clause, target: Noun) -> Plan | None:
        """ "the weekly deal reports that came from ...": words that are a kind of message only by their subject."""
        if not main.verbs or not target.words:
            return None
        slots = self._slots(main, target)
        phrase = " ".join(target.words)
        if not slots.filters:
            return None
        self.problems.append(f"subject:{phrase}")
        return Plan("messages", filters=(Subject(phrase, contains=True), *slots.filters))

    def _of_messages(self, main: Clause, target: Noun) -> Plan | None:
        if target.sort == "message" and main.negated:
            return self._messages_without(main, target)
        if target.sort == "thread":
            plans, slots = self._alternatives(main, target, "threads")
            if "start" in main.verbs:
                plans = [replace(p, filters=(*p.filters, FirstInThread())) for p in plans]
            if len(plans) > 1 or "start" in main.verbs:
                return self._finish(replace(plans[0], within=tuple(plans[1:])), target, main)
        slots = self._slots(main, target)
        most = target.superlative or main.most or has_most(main) or main.by_count
        if target.sort != "message" and not slots.filters and not most and not object_least(main):
            return None
        if target.sort != "message" and main.negated:
            every = Plan(TARGETS[target.sort])
            return replace(every, without=(Plan(TARGETS[target.sort], filters=tuple(slots.filters)),))
        plan = Plan(TARGETS[target.sort], filters=tuple(slots.filters), not_filters=tuple(slots.not_filters))
        if target.sort == "message":
            if target.wh == "when" and not (target.first or target.last):
                if main.first or main.last:
                    plan = replace(plan, order_by="date", descending=main.last, limit=1)
                return plan if slots.filters else None
            if target.most_recipients or any(most_recipients(a.noun) for a in main.arguments):
                return replace(plan, order_by="recipients", limit=target.number or 1)
            if (target.first or target.last or main.first or main.last) and target.wh != "howmany":
                limit = target.number or 1
                return replace(plan, order_by="date", descending=target.last or main.last, limit=limit)
            return plan
        return self._finish(plan, target, main)

    def _messages_without(self, main: Clause, target: Noun) -> Plan | None:
        """ "Which messages in this folder are not from X?", "... were never answered?" """
        own = self._slots(Clause(), target)
        if main_verb(main) == "reply":
            return Plan(filters=tuple(own.filters), not_filters=(*own.not_filters, AnsweredBy()))
        bare = replace(target, own=None, clauses=[], genitive=None)
        arguments = [replace(a, noun=bare) if a.noun is target else a for a in main.arguments]
        denied = self._slots(replace(main, negated=False, arguments=arguments), bare)
        if not denied.filters:
            return None
        return Plan(filters=tuple(own.filters), not_filters=(*own.not_filters, *denied.filters))

    def _merge_twin(self, main: Clause, target: Noun) -> None:
        """ "Who was the last person to mention X?": the second noun only says more of the first."""
        for argument in list(main.arguments):
            twin = argument.noun
            plain = twin.link is None and not (twin.own or twin.clauses or twin.role or twin.owner or twin.pronoun)
            if twin is target or argument.preposition or twin.sort != target.sort or not plain or twin.wh:
                continue
            if twin.first or twin.last or twin.superlative or twin.number:
                target.first, target.last = target.first or twin.first, target.last or twin.last
                target.superlative, target.number = target.superlative or twin.superlative, target.number or twin.number
                target.at += twin.at
                target.outside += twin.outside
                main.arguments.remove(argument)

    def _correspondents(self, main: Clause, target: Noun) -> Plan | None:
        """ "At which organisations did X have correspondents he wrote to?": the organisations of described people."""
        if target.sort != "org" or any(v not in ("have", "belong") for v in main.verbs):
            return None
        people = [a.noun for a in main.arguments if a.noun is not target and a.noun.sort == "person"]
        if main.verbs == ["belong"] and people:  # the organisations of the addresses that they used
            described = self._described(people[-1])
            plan = replace(described, target="organizations", exclude_people=(), within=(), without=())
            return self._finish(self._narrow(plan, target), target, main)
        if len(people) < 2 or people[-1].link is not None:
            return None
        owners, noun = people[:-1], people[-1]
        self.subject = owners[0]
        if noun.clauses:
            slots = self._slots(noun.clauses[0], noun)
        else:
            slots = Slots([People("sender", self._who(owners[0]))], role="recipient")
        plan = Plan("organizations", role=wide(slots.role), filters=tuple(slots.filters))
        return self._finish(self._narrow(plan, target), target, main)
