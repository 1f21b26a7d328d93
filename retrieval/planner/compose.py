"""Clauses become a plan.

Every clause speaks of a set of messages; its nouns fill the slots of that set: who sent, who received, when, in which
folder or conversation, with which words. One noun is what is asked for (of the main clause) or what is described (of
a relative clause); the other slots are the filters. A noun that is described rather than named becomes a plan of its
own inside a filter, which is how several hops come about.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Filter,
    FirstInThread,
    HasAttachment,
    Intent,
    Kind,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    Role,
    Subject,
    Target,
    Threads,
)
from retrieval.linker import Link, NameIndex
from retrieval.planner.grammar import Argument, Clause, Noun

MessageRole = Literal["message"]
_TARGETS: dict[str, Target] = {
    "person": "people",
    "org": "organizations",
    "message": "messages",
    "thread": "threads",
    "month": "months",
    "label": "labels",
    "attachment": "attachments",
}


@dataclass
class Composed:
    """A plan with its intent; ``leftover``: words that went into nothing, ``problems``: why it may be wrong."""

    plan: Plan | None
    intent: Intent
    target: Noun | None
    leftover: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass
class _Slots:
    """A set of messages as filters, with the role in which the gap stands in it."""

    filters: list[Filter] = field(default_factory=list)
    not_filters: list[Filter] = field(default_factory=list)
    role: Role | None = None
    counterparts: list[int] = field(default_factory=list)
    described: list[Plan] = field(default_factory=list)


def compose(clauses: list[Clause], index: NameIndex, periods: list[Period], *, who_is_subject: bool) -> Composed:
    """The plan of a question's clauses. ``periods``: all that the question names, for "that month".
    ``who_is_subject``: the language has another word for "whom", so that "who" is always the one who acts."""
    return _Composer(clauses, index, periods, who_is_subject).question()


class _Composer:
    def __init__(self, clauses: list[Clause], index: NameIndex, periods: list[Period], who_is_subject: bool) -> None:
        self.who_is_subject = who_is_subject
        self.clauses = clauses
        self.index = index
        self.periods = periods
        self.problems: list[str] = []
        self.subject: Noun | None = None
        self.named: list[Noun] = []

    # -- the question -------------------------------------------------------------------------

    def question(self) -> Composed:
        main, target = self._main()
        if main is None or target is None:
            return Composed(None, "content", None, self._leftover(), ["nothing that is asked for was understood"])
        self.named = _named(main)
        if main is not self.clauses[0]:
            self.subject = next((a.noun for c in self.clauses[: self.clauses.index(main)] for a in c.arguments), None)
            self._restate()
        plan = self._asked(main, target)
        if plan is None:
            return Composed(None, "content", target, self._leftover(), self.problems)
        intent = self._intent(main, target, plan)
        return Composed(plan, intent, target, self._leftover(), self.problems)

    def _leftover(self) -> list[str]:
        return [word for clause in self.clauses for word in _unknown(clause)]

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
            single = _single_message(clause)
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
            if first is not None and not (clause.verbs or clause.ask or clause.aux) and _is_description(first):
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
            plan = Plan(_TARGETS[sort], role="sender", filters=tuple(self._slots(main, target).filters))
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
            base = Plan(_TARGETS[sort], role=target.role if target.role else "participant")  # type: ignore[arg-type]
            base = self._narrow(base, target)
            base = self._merge_own(base, target)
            if "reply" in main.verbs and slots.counterparts and target.role is None:
                # who never answered somebody: of those whom this somebody wrote to
                wrote: tuple[Filter, ...] = (People("sender", tuple(slots.counterparts)),)
                base = replace(base, role="recipient", filters=(*base.filters, *wrote))
            base = replace(base, exclude_people=tuple(dict.fromkeys((*base.exclude_people, *slots.counterparts))))
            role = target.role if "take" in main.verbs and target.role else slots.role
            never = Plan(_TARGETS[sort], role=role, filters=tuple(slots.filters))  # type: ignore[arg-type]
            plan = replace(base, without=(*base.without, _widened(never)))
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
            plans, slots = self._alternatives(main, target, _TARGETS[sort])
            plan = replace(plans[0], within=tuple(plans[1:]))
            if sort == "org":
                plan = replace(plan, role=_wide(slots.role))
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

    # -- nouns --------------------------------------------------------------------------------

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
        most = target.superlative or main.most or _has_most(main) or main.by_count
        if target.sort != "message" and not slots.filters and not most:
            return None
        plan = Plan(_TARGETS[target.sort], filters=tuple(slots.filters), not_filters=tuple(slots.not_filters))
        if target.sort == "message":
            if target.wh == "when" and not (target.first or target.last):
                if main.first or main.last:
                    plan = replace(plan, order_by="date", descending=main.last, limit=1)
                return plan if slots.filters else None
            if target.most_recipients or any(_most_recipients(a.noun) for a in main.arguments):
                return replace(plan, order_by="recipients", limit=target.number or 1)
            if (target.first or target.last or main.first or main.last) and target.wh != "howmany":
                limit = target.number or 1
                return replace(plan, order_by="date", descending=target.last or main.last, limit=limit)
            return plan
        return self._finish(plan, target, main)

    def _messages_without(self, main: Clause, target: Noun) -> Plan | None:
        """ "Which messages in this folder are not from X?", "... were never answered?" """
        own = self._slots(Clause(), target)
        if _verb(main) == "reply":
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
            slots = _Slots([People("sender", self._who(owners[0]))], role="recipient")
        plan = Plan("organizations", role=_wide(slots.role), filters=tuple(slots.filters))
        return self._finish(self._narrow(plan, target), target, main)

    def _described(self, noun: Noun, main: Clause | None = None) -> Plan:
        """The plan of people, organisations, threads or messages that a noun describes."""
        target = _TARGETS.get(noun.sort, "people")
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
        if noun.role is not None or (noun.own is not None and not positive):
            slots = self._slots(noun.own or Clause(gap=noun), noun)
            role = noun.role or slots.role or "participant"
            plan = Plan(target, role=role, filters=tuple(slots.filters))  # type: ignore[arg-type]
            plan = self._narrow(plan, noun)
            plan = self._exclude(plan, slots)
        elif positive:
            clause, positive = positive[0], positive[1:]
            plans, clause_slots = self._alternatives(clause, noun, target)
            plan, both = plans[0], tuple(plans[1:])
            plan = self._narrow(plan, noun)
            plan = self._exclude(plan, clause_slots)
            most = most or clause.most or _has_most(clause)
            first = first or clause.first
            last = last or clause.last
            least = least or clause.at_least or _object_least(clause)
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
            never.append(_widened(Plan(target, role=slots.role, filters=tuple(slots.filters))))
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

    def _alternatives(self, clause: Clause, noun: Noun, target: Target) -> tuple[list[Plan], _Slots]:
        """One plan, or for "to whom both A and B wrote" one of each: all must hold."""
        several = next((n for n in _several(clause) if n is not noun), None)
        if several is None:
            slots = self._slots(clause, noun)
            return [Plan(target, role=slots.role, filters=tuple(slots.filters))], slots
        plans, together = [], _Slots()
        everyone = [several, *several.also]
        for one in everyone:
            single = replace(one, also=[])
            slots = self._slots(_with_noun(clause, several, single), noun)
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
                plan = replace(plan, without=(*plan.without, _widened(inner)))
            else:
                plan = replace(plan, within=(*plan.within, replace(inner, target=target)))
        return self._conjoined(plan, noun, main.conjuncts)

    def _conjoined(self, plan: Plan, noun: Noun, conjuncts: list[Clause]) -> Plan:
        for clause in conjuncts:
            slots = self._slots(replace(clause, negated=False), noun)
            other = Plan(plan.target, role=slots.role, filters=tuple(slots.filters))
            if clause.negated or any(a.noun.wh == "" and a.noun.text.lower() in ("nothing",) for a in clause.arguments):
                plan = replace(plan, without=(*plan.without, _widened(other)))
            else:
                plan = replace(plan, within=(*plan.within, self._level(other, clause)))
            plan = self._conjoined(plan, noun, clause.conjuncts)
        return plan

    def _level(self, plan: Plan, clause: Clause) -> Plan:
        least = clause.at_least or _object_least(clause)
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

    def _exclude(self, plan: Plan, slots: _Slots) -> Plan:
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
        least = noun.at_least or main.at_least or _object_least(main)
        if noun.sort == "message":
            least = None
        if least:
            plan = replace(plan, at_least=least)
        if main.by_count:
            return replace(plan, order_by="count", limit=noun.number or plan.limit)
        if most or noun.superlative or main.most or _has_most(main):
            return replace(plan, order_by="count", limit=noun.number or (plan.limit or 1))
        if (noun.first or main.first) and plan.limit is None:
            return replace(plan, order_by="date", descending=False, limit=noun.number or 1)
        if (noun.last or main.last) and plan.limit is None:
            return replace(plan, order_by="date", descending=True, limit=noun.number or 1)
        return plan

    # -- slots --------------------------------------------------------------------------------

    def _slots(self, clause: Clause, gap: Noun) -> _Slots:
        """The filters of a clause in which ``gap`` is what is described."""
        out = _Slots()
        self._fill(clause, gap, out, clause)
        messages = [a.noun for a in clause.arguments if a.noun.sort == "message" and a.noun is not gap]
        if gap.sort == "message":
            messages.append(gap)
        for noun in messages:
            self._message(noun, gap, out, clause)
        if (
            gap.sort != "message"
            and gap.own is not None
            and gap.own is not clause
            and gap.sort in ("thread", "month", "label")
        ):
            self._fill(gap.own, gap, out, clause)
        if gap.genitive is not None and gap.sort != "message":
            out.filters.append(People("participant", self._who(gap.genitive)))
        out.filters = list(dict.fromkeys(out.filters))
        out.not_filters = list(dict.fromkeys(out.not_filters))
        if out.role is None and gap.sort in ("person", "org"):
            out.role = "sender" if _verb(clause) in ("send", "mention", "active", "") else "recipient"
            if gap.role in ("sender", "recipient", "participant"):
                out.role = gap.role  # type: ignore[assignment]
        return out

    def _message(self, noun: Noun, gap: Noun, out: _Slots, clause: Clause) -> None:
        """What is said of a message noun is said of the set of messages of its clause."""
        if _verb(clause) == "reply" and noun is not gap and noun.link is None and (noun.own or noun.first or noun.last):
            out.filters.append(Answers(self._described(noun)))
            return
        if (noun.genitive is not None and noun is not gap) or (noun.genitive is not None and _verb(clause) != "get"):
            who = self._who(noun.genitive)
            out.filters.append(People("sender", who))
            out.counterparts += who if isinstance(who, tuple) else ()
        if noun.own is not None:
            self._fill(noun.own, gap, out, clause)
        for relative in noun.clauses:
            self._fill(relative, gap, out, clause)
        if noun.outside:
            out.filters.append(Organizations("sender", self._firms(noun.outside)))
        if noun.at:
            out.filters.append(Organizations("participant", tuple(i for link in noun.at for i in link.ids)))
        if noun is not gap and (noun.most_recipients or noun.first or noun.last):
            described = self._described(noun)
            out.filters.append(Messages(described))
        words = [w for w in noun.words if w]
        if words:
            self._adjectives(noun, words, out)

    def _adjectives(self, noun: Noun, words: list[str], out: _Slots) -> None:
        kinds = [w.lower() for w in words if w.lower() in ("automated", "spam", "draft", "drafts", "trash")]
        if kinds:
            out.filters.append(Kind(tuple(k.rstrip("s") if k != "trash" else k for k in kinds)))
        rest = [w for w in words if w.lower() not in kinds]
        if rest:
            self.problems.append("not understood: " + " ".join(rest))

    def _fill(self, clause: Clause, gap: Noun, out: _Slots, main: Clause) -> None:
        """Adds a clause's arguments, periods, folders, titles and words to the set of messages."""
        titled = bool(clause.titles)
        for argument in clause.arguments:
            if argument.noun.sort == "thread" and argument.noun.own is not None and argument.noun.own.titles:
                titled = True
        if gap.sort == "message" and any(_most_recipients(a.noun) for a in clause.arguments):
            clause = replace(clause, arguments=[a for a in clause.arguments if not _most_recipients(a.noun)])
        self._people(clause, gap, out, main)
        periods = clause.periods + ([] if titled or (gap.own and gap.own.titles) else clause.vague_periods)
        if clause.same_period and self.periods:
            periods = [*periods, self.periods[-1]]
        out.filters += [p for p in periods if p not in out.filters]
        if clause.labels:
            out.filters.append(Labels(tuple(i for link in clause.labels for i in link.ids)))
        out.filters += [Subject(title) for title in clause.titles]
        out.filters += [Subject(words, contains=True) for words in clause.subject_words]
        if clause.attachment:
            out.filters.append(HasAttachment())
        terms = list(clause.terms)
        if "mention" in clause.verbs and not terms:
            bare = [a.noun for a in clause.arguments if not a.preposition and a.noun is not gap]
            terms = [one.text for n in bare if n.sort in ("person", "org") for one in (n, *n.also) if one.text]
            if not terms and clause.unknown:
                terms, clause.unknown = [" ".join(clause.unknown)], []
        if terms:
            out.filters.append(Mentions(tuple(terms), every=not clause.any_term))
        out.not_filters += [Mentions((term,)) for term in clause.not_terms]
        for argument in clause.arguments:
            noun = argument.noun
            if noun.sort == "thread" and noun is not gap:
                self._thread(noun, gap, out)
            elif noun.sort == "attachment" and noun is not gap:
                out.filters.append(HasAttachment())
            elif noun.sort == "word" and noun is not gap:
                clause.unknown += [w for w in noun.words if w not in clause.unknown]
            elif noun.sort == "message" and argument.preposition == "of":
                inner = self._described(noun)
                if inner.limit is not None:
                    out.filters.append(Messages(inner))
                else:
                    out.filters += inner.filters
        for conjunct in clause.conjuncts:
            if gap.sort == "message":
                inner_slots = _Slots()
                self._fill(conjunct, gap, inner_slots, main)
                (out.not_filters if conjunct.negated else out.filters).extend(inner_slots.filters)

    def _thread(self, noun: Noun, gap: Noun, out: _Slots) -> None:
        own = noun.own
        if own is not None and own.titles and not noun.same:
            out.filters += [Subject(title) for title in own.titles]
            return
        filters: list[Filter] = []
        if own is not None:
            for argument in own.arguments:
                if argument.preposition == "as":
                    who = self._who(argument.noun)
                    filters.append(People("sender", who))
                    if isinstance(who, tuple):
                        out.counterparts += who
                    else:
                        out.described.append(who)
            inner = _Slots()
            self._fill(replace(own, arguments=[a for a in own.arguments if a.preposition != "as"]), noun, inner, own)
            filters += inner.filters
        most = noun.superlative
        for clause in noun.clauses:
            filters += self._slots(clause, noun).filters
            most = most or clause.most or _has_most(clause)
        if most:
            out.filters.append(Threads(Plan("threads", filters=tuple(filters), order_by="count", limit=1)))
        elif filters:
            out.filters.append(Threads(Plan("threads", filters=tuple(filters))))

    def _people(self, clause: Clause, gap: Noun, out: _Slots, main: Clause) -> None:
        """Who is sender and who is recipient in a clause: by prepositions, else by the order of subject and object."""
        arguments = [
            a for a in clause.arguments if a.noun.sort in ("person", "org") and a.preposition not in ("of", "as")
        ]
        bare = [a for a in arguments if not a.preposition]
        gap_is_argument = any(a.noun is gap for a in clause.arguments)
        relative = clause.gap is gap and not gap_is_argument and gap.sort in ("person", "org")
        verb = _verb(clause)
        roles = [*clause.roles, *main.roles]
        explicit = "cc" if "cc" in roles else "to" if "to" in roles else None
        subject_role: Role = "recipient" if verb == "get" else "cc" if verb == "copy" else "sender"
        if verb == "" and explicit == "cc":
            subject_role = "cc"
        if verb == "take":
            subject_role = "participant"
        if relative:
            self._gap_role(clause, bare, out, verb, explicit)
        roles_taken = {out.role} if relative else set()
        wh = next((a for a in bare if a.noun is gap), None)
        others = [a for a in bare if a.noun is not gap]
        mutual = clause.backforth or any(a.preposition == "between" for a in arguments)
        if mutual and self._between(arguments, gap, out, explicit):
            return
        for argument in arguments:
            noun, preposition = argument.noun, argument.preposition
            if preposition:
                role: Role | None = self._by_preposition(preposition, verb, explicit)
                if role is None:
                    continue
            elif noun is gap:
                role = self._subject_or_object(clause, argument, others, verb, subject_role, explicit)
            elif wh is not None and self._object_fronted(clause, wh, others, verb):
                role = subject_role
            elif (
                wh is not None or (relative and subject_role in roles_taken) or (others and noun is not others[0].noun)
            ):
                role = _opposite(subject_role, verb)
            else:
                role = subject_role
            if verb == "mention" and not preposition and noun is not gap and not clause.terms:
                continue
            if noun is gap:
                out.role = role
                continue
            if noun.pronoun and self._is_gap(noun, gap, clause):
                out.role = out.role or role
                if explicit and out.role in ("recipient", "to"):
                    out.role = explicit  # type: ignore[assignment]
                continue
            self._participant(noun, role, clause, out)

    def _gap_role(self, clause: Clause, bare: list[Argument], out: _Slots, verb: str, explicit: str | None) -> None:
        """The role of the noun that a relative clause describes."""
        preposition = clause.gap_preposition or clause.stranded
        if preposition:
            role = self._by_preposition(preposition, verb, explicit)
            if clause.stranded and not clause.gap_preposition and role == "to" and not clause.most:
                role = "recipient"
            out.role = role
        elif bare and verb in ("send", ""):
            # "the people Louise wrote", "wrote me": a name before the verb is its subject
            before = [a for a in bare if a.verb is None]
            out.role = "to" if before else "sender"
        elif bare and verb == "get":
            before = [a for a in bare if a.verb is None]
            out.role = "sender" if before else "recipient"
        else:
            out.role = "recipient" if verb in ("get",) else "cc" if verb == "copy" else "sender"

    def _subject_or_object(
        self, clause: Clause, wh: Argument, others: list[Argument], verb: str, subject: Role, explicit: str | None
    ) -> Role:
        if wh.noun.wh == "whom" or (wh.noun.wh == "who" and self.who_is_subject):
            return _opposite(subject, verb) if wh.noun.wh == "whom" and not clause.stranded else subject
        if clause.stranded:
            role = self._by_preposition(clause.stranded, verb, explicit)
            if role == "to" and not (clause.most or _has_most(clause)):
                role = "recipient"
            return role or subject
        if self._object_fronted(clause, wh, others, verb):
            return _opposite(subject, verb)
        return subject

    def _object_fronted(self, clause: Clause, wh: Argument, others: list[Argument], verb: str) -> bool:
        """ "Which people did Louise write to?": an auxiliary stands before the name, which is then the subject."""
        if wh.noun.wh == "whom":
            return True
        if wh.noun.wh == "who" and self.who_is_subject:
            return False
        return any(a.after_aux and a.noun is not wh.noun and a.verb is None for a in others) and verb != "mention"

    def _by_preposition(self, preposition: str, verb: str, explicit: str | None) -> Role | None:
        if preposition == "to":
            return explicit or ("recipient" if verb in ("go", "get") else "to")  # type: ignore[return-value]
        if preposition in ("from", "by"):
            return "sender"
        if preposition == "cc":
            return "cc"
        if preposition in ("with", "at"):
            return "participant"
        return None

    def _between(self, arguments: list[Argument], gap: Noun, out: _Slots, explicit: str | None) -> bool:
        people = [n for a in arguments if a.noun is not gap for n in (a.noun, *a.noun.also)]
        ids = [self._ids(n) for n in people if n.sort == "person"]
        firms = [n for n in people if n.sort == "org"]
        if len(ids) >= 2 and all(ids[:2]):
            out.filters.append(Between(ids[0], ids[1], role=explicit or "to"))  # type: ignore[arg-type]
            return True
        if len(ids) == 1 and firms and firms[0].link:
            out.filters += [People("participant", ids[0]), Organizations("participant", firms[0].link.ids)]
            return True
        return False

    def _participant(self, noun: Noun, role: Role, clause: Clause, out: _Slots) -> None:
        if noun.sort == "org":
            if noun.link is not None:
                out.filters.append(Organizations(_plain(role), noun.link.ids))
            elif noun.external or noun.outside:
                out.not_filters.append(Organizations(_plain(role), self.index.owner_organizations))
            return
        everyone = [noun, *noun.also]
        if noun.either or (noun.also and role == "sender"):
            ids = tuple(i for n in everyone for i in self._ids(n))
            out.filters.append(People(role, ids))
            out.counterparts += ids
            return
        for one in everyone:
            if one.pronoun and self._referent(one, clause) is None:
                self.problems.append(f"who is meant by {one.pronoun}?")
                continue
            if self._anyone(one):
                continue
            if (
                one.link is None
                and not one.owner
                and not one.pronoun
                and one.at
                and not one.clauses
                and one.own is None
            ):
                out.filters.append(Organizations(role, tuple(i for link in one.at for i in link.ids)))
                continue
            if one.link is None and one.outside and not one.clauses and one.own is None and not one.role:
                out.not_filters.append(Organizations(role, self._firms(one.outside)))
                continue
            who = self._who(one)
            out.filters.append(People(role, who))
            if isinstance(who, tuple):
                out.counterparts += who

    def _anyone(self, noun: Noun) -> bool:
        """ "people", "somebody" with nothing said of them: no condition."""
        return not (noun.link or noun.owner or noun.pronoun or noun.at or noun.outside or noun.clauses or noun.own
                    or noun.role or noun.external or noun.superlative)  # fmt: skip

    # -- who ----------------------------------------------------------------------------------

    def _who(self, noun: Noun) -> tuple[int, ...] | Plan:
        if noun.pronoun:
            referent = self._referent(noun, None)
            if referent is not None:
                return self._who(referent)
        ids = self._ids(noun)
        return ids if ids else self._described(noun)

    def _ids(self, noun: Noun) -> tuple[int, ...]:
        if noun.owner:
            return self.index.owners
        if noun.link is not None and noun.link.kind == "person":
            return noun.link.ids
        return ()

    def _firms(self, links: list[Link | None]) -> tuple[int, ...]:
        return tuple(i for link in links for i in (link.ids if link else self.index.owner_organizations))

    def _is_gap(self, noun: Noun, gap: Noun, clause: Clause) -> bool:
        """ "addressed to them" of "which people": the pronoun is the noun that is asked for."""
        if noun.pronoun in ("themselves", "himself", "herself"):
            return True
        if gap.sort == "person" and noun.pronoun in ("them", "they", "their"):
            return True
        return gap.sort == "person" and self._referent(noun, clause) is None

    def _referent(self, noun: Noun, clause: Clause | None) -> Noun | None:
        if self.subject is not None and self.subject is not noun:
            return self.subject
        before = [n for n in self.named if n.start < noun.start]
        return before[-1] if before else None


def _single_message(clause: Clause) -> Noun | None:
    """ "the first message from X" in a clause without a verb."""
    if clause.verbs or clause.unknown:
        return None
    found = [a.noun for a in clause.arguments if a.noun.sort == "message" and (a.noun.first or a.noun.last)]
    return found[0] if found else None


def _is_description(noun: Noun) -> bool:
    """ "messages from X", "people at Y who ...": a question that is nothing but what is wanted."""
    described = noun.own is not None or bool(noun.clauses) or noun.genitive is not None
    return noun.sort in ("message", "person", "org") and noun.link is None and described


def _most_recipients(noun: Noun) -> bool:
    return noun.role == "recipient" and noun.superlative and noun.own is None and not noun.clauses


def _several(clause: Clause) -> list[Noun]:
    """Nouns joined by "and" in a clause and in the modifiers of its messages: each must hold for itself."""
    out = [a.noun for a in clause.arguments if a.noun.also and not a.noun.either and a.preposition != "between"]
    for argument in clause.arguments:
        if argument.noun.sort == "message" and argument.noun.own is not None:
            out += _several(argument.noun.own)
    return [n for n in out if n.sort == "person"]


def _with_noun(clause: Clause, old: Noun, new: Noun) -> Clause:
    """The clause with another noun in the place of ``old``."""
    arguments = []
    for argument in clause.arguments:
        noun = argument.noun
        if noun is old:
            noun = new
        elif noun.sort == "message" and noun.own is not None:
            noun = replace(noun, own=_with_noun(noun.own, old, new))
        arguments.append(replace(argument, noun=noun))
    return replace(clause, arguments=arguments)


def _verb(clause: Clause) -> str:
    verbs = [v for v in clause.verbs if v not in ("have",)]
    return verbs[0] if verbs else ""


def _opposite(role: Role, verb: str) -> Role:
    return "sender" if role != "sender" else "to"


def _wide(role: Role | None) -> Role | None:
    """In negations and memberships To means any kind of recipient."""
    return "recipient" if role == "to" else role


def _widened(plan: Plan) -> Plan:
    """What is denied is denied for Cc and Bcc too: "never wrote to her" means not even a copy."""
    filters = tuple(
        replace(f, role="recipient") if isinstance(f, People) and f.role == "to" else f for f in plan.filters
    )
    return replace(plan, role=_wide(plan.role), filters=filters)


def _plain(role: Role) -> Role:
    return "recipient" if role == "to" else role


def _has_most(clause: Clause) -> bool:
    """ "sent the most messages": the superlative stands at the message noun."""
    return any(a.noun.sort == "message" and a.noun.superlative for a in clause.arguments)


def _object_least(clause: Clause) -> int | None:
    """ "sent at least five messages" """
    return next((a.noun.at_least for a in clause.arguments if a.noun.sort == "message" and a.noun.at_least), None)


def _unknown(clause: Clause) -> list[str]:
    out = list(clause.unknown)
    for argument in clause.arguments:
        out += _unknown_noun(argument.noun)
    for conjunct in clause.conjuncts:
        out += _unknown(conjunct)
    return out


def _unknown_noun(noun: Noun) -> list[str]:
    out = [] if noun.sort == "word" else list(noun.words)
    for clause in (*noun.clauses, *((noun.own,) if noun.own else ())):
        out += _unknown(clause)
    return out


def _named(clause: Clause) -> list[Noun]:
    """Named people in the order of the text, for pronouns."""
    out: list[Noun] = []
    for argument in clause.arguments:
        noun = argument.noun
        if noun.genitive is not None:
            out.append(noun.genitive)
        if noun.link is not None and noun.sort == "person":
            out += [noun, *noun.also]
        for inner in (*noun.clauses, *((noun.own,) if noun.own else ())):
            out += _named(inner)
    for conjunct in clause.conjuncts:
        out += _named(conjunct)
    return sorted(out, key=lambda n: n.start)
