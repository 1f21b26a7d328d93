"""The set of messages that a clause speaks of: people, period, folder, conversation, words, attachments."""

from __future__ import annotations

from dataclasses import replace

from graph.plan import (
    Answers,
    Filter,
    HasAttachment,
    Kind,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Plan,
    Role,
    Subject,
    Threads,
)
from retrieval.planner.roles import Roles, Slots
from retrieval.planner.sentence import Clause, Noun, has_most, main_verb, most_recipients


class Filler(Roles):
    """Fills the slots of clauses."""

    def _slots(self, clause: Clause, gap: Noun) -> Slots:
        """The filters of a clause in which ``gap`` is what is described."""
        out = Slots()
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
        if gap.sort in ("thread", "month", "label", "attachment"):
            for relative in gap.clauses:
                self._fill(relative, gap, out, clause)
                for noun in [a.noun for a in relative.arguments if a.noun.sort == "message"]:
                    self._message(noun, gap, out, relative)
        if gap.genitive is not None and gap.sort != "message":
            theirs = self._who(gap.genitive)
            out.filters.append(People("participant", theirs))
            out.counterparts += theirs if isinstance(theirs, tuple) else ()
        out.filters = list(dict.fromkeys(out.filters))
        out.not_filters = list(dict.fromkeys(out.not_filters))
        if out.role is None and gap.sort in ("person", "org"):
            out.role = "sender" if main_verb(clause) in ("send", "mention", "active", "") else "recipient"
            if gap.role in ("sender", "recipient", "participant"):
                out.role = gap.role  # type: ignore[assignment]
        return out

    def _message(self, noun: Noun, gap: Noun, out: Slots, clause: Clause) -> None:
        """What is said of a message noun is said of the set of messages of its clause."""
        if (
            main_verb(clause) == "reply"
            and noun is not gap
            and noun.link is None
            and (noun.own or noun.first or noun.last)
        ):
            out.filters.append(Answers(self._described(noun)))
            return
        if main_verb(clause) == "reply" and noun is not gap and noun.genitive is not None:  # "answered my messages"
            whose = self._who(noun.genitive)
            out.filters.append(People("to", whose))
            out.counterparts += whose if isinstance(whose, tuple) else ()
            return
        if (noun.genitive is not None and noun is not gap) or (
            noun.genitive is not None and main_verb(clause) != "get"
        ):
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

    def _adjectives(self, noun: Noun, words: list[str], out: Slots) -> None:
        kinds = [w.lower() for w in words if w.lower() in ("automated", "spam", "draft", "drafts", "trash")]
        if kinds:
            out.filters.append(Kind(tuple(k.rstrip("s") if k != "trash" else k for k in kinds)))
        rest = [w for w in words if w.lower() not in kinds]
        if rest:
            self.problems.append("not understood: " + " ".join(rest))

    def _fill(self, clause: Clause, gap: Noun, out: Slots, main: Clause) -> None:
        """Adds a clause's arguments, periods, folders, titles and words to the set of messages."""
        titled = bool(clause.titles)
        for argument in clause.arguments:
            if argument.noun.sort == "thread" and argument.noun.own is not None and argument.noun.own.titles:
                titled = True
        if gap.sort == "message" and any(most_recipients(a.noun) for a in clause.arguments):
            clause = replace(clause, arguments=[a for a in clause.arguments if not most_recipients(a.noun)])
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
                inner_slots = Slots()
                self._fill(conjunct, gap, inner_slots, main)
                (out.not_filters if conjunct.negated else out.filters).extend(inner_slots.filters)

    def _thread(self, noun: Noun, gap: Noun, out: Slots) -> None:
        own = noun.own
        if own is not None and (own.titles or own.subject_words) and not noun.same:
            out.filters += [Subject(title) for title in own.titles]
            out.filters += [Subject(words, contains=True) for words in own.subject_words]
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
            inner = Slots()
            self._fill(replace(own, arguments=[a for a in own.arguments if a.preposition != "as"]), noun, inner, own)
            filters += inner.filters
        most = noun.superlative
        for clause in noun.clauses:
            filters += self._slots(clause, noun).filters
            most = most or clause.most or has_most(clause)
        if most:
            out.filters.append(Threads(Plan("threads", filters=tuple(filters), order_by="count", limit=1)))
        elif filters:
            out.filters.append(Threads(Plan("threads", filters=tuple(filters))))


def wide(role: Role | None) -> Role | None:
    """In negations and memberships To means any kind of recipient."""
    return "recipient" if role == "to" else role


def widened(plan: Plan) -> Plan:
    """What is denied is denied for Cc and Bcc too: "never wrote to her" means not even a copy."""
    filters = tuple(
        replace(f, role="recipient") if isinstance(f, People) and f.role == "to" else f for f in plan.filters
    )
    return replace(plan, role=wide(plan.role), filters=filters)
