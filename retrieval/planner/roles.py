"""Who is sender and who is recipient in a clause: prepositions say so; else the order of subject and object does."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph.plan import Between, Filter, Organizations, People, Period, Plan, Role
from retrieval.linker import Link, NameIndex
from retrieval.planner.sentence import Argument, Clause, Noun, has_most, main_verb


@dataclass
class Slots:
    """A set of messages as filters, with the role in which the gap stands in it."""

    filters: list[Filter] = field(default_factory=list)
    not_filters: list[Filter] = field(default_factory=list)
    role: Role | None = None
    counterparts: list[int] = field(default_factory=list)
    described: list[Plan] = field(default_factory=list)


class Roles:
    """Gives people and organisations their roles.

    ``subject``: whom a pronoun means; ``named``: named people in the order of the text; ``problems``: what may be
    wrong.
    """

    def __init__(self, index: NameIndex, periods: list[Period], who_is_subject: bool) -> None:
        self.who_is_subject = who_is_subject
        self.index = index
        self.periods = periods
        self.problems: list[str] = []
        self.open: list[Noun] = []  # whose description is being made: a pronoun inside means somebody else
        self.subject: Noun | None = None
        self.named: list[Noun] = []

    def _described(self, noun: Noun) -> Plan:
        """The plan of a noun that is described rather than named."""
        raise NotImplementedError

    def _people(self, clause: Clause, gap: Noun, out: Slots, main: Clause) -> None:
        """Who is sender and who is recipient in a clause: by prepositions, else by the order of subject and object."""
        arguments = [
            a for a in clause.arguments if a.noun.sort in ("person", "org") and a.preposition not in ("of", "as")
        ]
        predicate = [a for a in arguments if not a.preposition and _is_predicate(a.noun) and a.noun is not gap]
        arguments = [a for a in arguments if a not in predicate]
        bare = [a for a in arguments if not a.preposition]
        gap_is_argument = any(a.noun is gap for a in clause.arguments)
        relative = clause.gap is gap and not gap_is_argument and gap.sort in ("person", "org")
        verb = main_verb(clause)
        roles = [*clause.roles, *main.roles]
        explicit = "cc" if "cc" in roles else "to" if "to" in roles else None
        subject_role: Role = "recipient" if verb == "get" else "cc" if verb == "copy" else "sender"
        if verb == "" and explicit == "cc":
            subject_role = "cc"
        if predicate and predicate[0].noun.role:  # "in which X was the sender", "both were recipients"
            subject_role = predicate[0].noun.role  # type: ignore[assignment]
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
                role = opposite(subject_role, verb)
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

    def _gap_role(self, clause: Clause, bare: list[Argument], out: Slots, verb: str, explicit: str | None) -> None:
        """The role of the noun that a relative clause describes."""
        preposition = clause.gap_preposition or clause.stranded
        if preposition:
            role = self._by_preposition(preposition, verb, explicit)
            if clause.stranded and not clause.gap_preposition and role == "to" and not clause.most:
                role = "recipient"
            out.role = role
        elif bare and verb in ("send", ""):
            # "the people Maren wrote", "wrote me": a name before the verb is its subject
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
            return opposite(subject, verb) if wh.noun.wh == "whom" and not clause.stranded else subject
        if clause.stranded:
            role = self._by_preposition(clause.stranded, verb, explicit)
            if role == "to" and not (clause.most or has_most(clause)):
                role = "recipient"
            return role or subject
        if self._object_fronted(clause, wh, others, verb):
            return opposite(subject, verb)
        return subject

    def _object_fronted(self, clause: Clause, wh: Argument, others: list[Argument], verb: str) -> bool:
        """ "Which people did Maren write to?": an auxiliary stands before the name, which is then the subject."""
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

    def _between(self, arguments: list[Argument], gap: Noun, out: Slots, explicit: str | None) -> bool:
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

    def _participant(self, noun: Noun, role: Role, clause: Clause, out: Slots) -> None:
        if noun.sort == "org":
            if noun.link is not None:
                out.filters.append(Organizations(plain_role(role), noun.link.ids))
            elif noun.external or noun.outside:
                out.not_filters.append(Organizations(plain_role(role), self.index.owner_organizations))
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
            plain = one.link is None and not one.clauses and one.own is None and not one.role and not one.superlative
            if plain and (one.outside or one.external):
                theirs = self._firms(one.outside) or self.index.owner_organizations
                if role == "sender":
                    out.not_filters.append(Organizations(role, theirs))
                else:  # one of the recipients is enough
                    out.filters.append(People(role, Plan("people", role=role, exclude_organizations=theirs)))
                continue
            who = self._who(one)
            out.filters.append(People(role, who))
            if isinstance(who, tuple):
                out.counterparts += who

    def _anyone(self, noun: Noun) -> bool:
        """ "people", "somebody" with nothing said of them: no condition."""
        return not (noun.link or noun.owner or noun.pronoun or noun.at or noun.outside or noun.clauses or noun.own
                    or noun.role or noun.external or noun.superlative)  # fmt: skip

    def _who(self, noun: Noun) -> tuple[int, ...] | Plan:
        if noun.pronoun:
            referent = self._referent(noun, None)
            if referent is not None:
                return self._who(referent)
        ids = self._ids(noun)
        if ids:
            return ids
        self.open.append(noun)
        try:
            return self._described(noun)
        finally:
            self.open.pop()

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
        if self.subject is not None and self.subject is not noun and self.subject not in self.open:
            return self.subject
        before = [n for n in self.named if n.start < noun.start and n not in self.open]
        return before[-1] if before else None


def _is_predicate(noun: Noun) -> bool:
    """ "... were recipients": a role and nothing else."""
    return (
        noun.role in ("sender", "recipient")
        and not noun.wh
        and not (noun.own or noun.clauses or noun.link or noun.superlative or noun.at or noun.outside)
    )


def opposite(role: Role, verb: str) -> Role:
    """The role of the other one: who wrote, wrote to somebody."""
    return "sender" if role != "sender" else "to"


def plain_role(role: Role) -> Role:
    """Of organisations any kind of recipient counts."""
    return "recipient" if role == "to" else role
