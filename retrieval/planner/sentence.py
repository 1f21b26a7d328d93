"""What a question is read as: clauses with verbs and arguments, and nouns with all that describes them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from graph.plan import Period
from retrieval.linker import Link

Sort = Literal["person", "org", "message", "thread", "month", "label", "attachment", "word", "any"]


@dataclass(eq=False)
class Noun:
    """A noun with what describes it. ``own`` holds modifiers behind it, read as if it were the gap of a clause."""

    sort: Sort
    start: int
    role: str | None = None  # sender, recipient, participant: "writer", "recipient", "correspondent"
    link: Link | None = None
    owner: bool = False
    pronoun: str = ""
    wh: str = ""  # which, who, howmany, list ...
    number: int | None = None
    plural: bool = False
    superlative: bool = False
    first: bool = False
    last: bool = False
    external: bool = False
    outside: list[Link | None] = field(default_factory=list)
    at: list[Link] = field(default_factory=list)
    other: bool = False
    same: bool = False
    most_recipients: bool = False
    address: bool = False
    domain: bool = False  # of organisations their mail domains are wanted
    at_least: int | None = None
    genitive: Noun | None = None
    besides: list[Noun] = field(default_factory=list)
    also: list[Noun] = field(default_factory=list)  # joined by and / or
    either: bool = False
    words: list[str] = field(default_factory=list)
    own: Clause | None = None
    clauses: list[Clause] = field(default_factory=list)
    text: str = ""


@dataclass(eq=False)
class Argument:
    """A noun in a clause. ``verb``: index of the verb it goes with, None before the first; ``after_aux``: it stands
    behind an auxiliary ("did Maren write")."""

    preposition: str
    noun: Noun
    verb: int | None
    after_aux: bool


@dataclass(eq=False)
class Clause:
    """A clause. ``gap``: the noun that a relative clause describes, ``gap_preposition`` the one before its pronoun."""

    gap: Noun | None = None
    gap_preposition: str = ""
    verbs: list[str] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    aux: bool = False
    aux_first: bool = False
    negated: bool = False
    most: bool = False
    first: bool = False
    last: bool = False
    at_least: int | None = None
    stranded: str = ""
    roles: list[str] = field(default_factory=list)
    backforth: bool = False
    by_count: bool = False
    each_label: bool = False  # "both in folder A and in folder B"
    attachment: bool = False
    periods: list[Period] = field(default_factory=list)
    vague_periods: list[Period] = field(default_factory=list)
    same_period: bool = False
    labels: list[Link] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    subject_words: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    not_terms: list[str] = field(default_factory=list)
    any_term: bool = False
    besides: list[Noun] = field(default_factory=list)
    conjuncts: list[Clause] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    ask: str = ""  # when, content
    listing: bool = False


def single_message(clause: Clause) -> Noun | None:
    """ "the first message from X" in a clause without a verb."""
    if clause.verbs or clause.unknown:
        return None
    found = [a.noun for a in clause.arguments if a.noun.sort == "message" and (a.noun.first or a.noun.last)]
    return found[0] if found else None


def is_description(noun: Noun) -> bool:
    """ "messages from X", "people at Y who ...": a question that is nothing but what is wanted."""
    described = noun.own is not None or bool(noun.clauses) or noun.genitive is not None
    return noun.sort in ("message", "person", "org") and noun.link is None and described


def alone(noun: Noun) -> Noun:
    """The noun without those that are joined to it; what describes it describes the copy."""
    single = replace(noun, also=[])
    single.clauses = [replace(c, gap=single) if c.gap is noun else c for c in noun.clauses]
    single.own = replace(noun.own, gap=single) if noun.own is not None else None
    return single


def most_recipients(noun: Noun) -> bool:
    """ "the most recipients" as a noun of its own."""
    return noun.role == "recipient" and noun.superlative and noun.own is None and not noun.clauses


def several(clause: Clause) -> list[Noun]:
    """Nouns joined by "and" in a clause and in the modifiers of its messages: each must hold for itself."""
    out = [a.noun for a in clause.arguments if a.noun.also and not a.noun.either and a.preposition != "between"]
    for argument in clause.arguments:
        if argument.noun.sort == "message" and argument.noun.own is not None:
            out += several(argument.noun.own)
    return [n for n in out if n.sort == "person"]


def with_noun(clause: Clause, old: Noun, new: Noun) -> Clause:
    """The clause with another noun in the place of ``old``."""
    arguments = []
    for argument in clause.arguments:
        noun = argument.noun
        if noun is old:
            noun = new
        elif noun.sort == "message" and noun.own is not None:
            noun = replace(noun, own=with_noun(noun.own, old, new))
        arguments.append(replace(argument, noun=noun))
    return replace(clause, arguments=arguments)


def main_verb(clause: Clause) -> str:
    """The first verb that says what was done; "" where there is none."""
    verbs = [v for v in clause.verbs if v not in ("have",)]
    return verbs[0] if verbs else ""


def has_most(clause: Clause) -> bool:
    """ "sent the most messages": the superlative stands at the message noun."""
    return any(a.noun.sort == "message" and a.noun.superlative for a in clause.arguments)


def object_least(clause: Clause) -> int | None:
    """ "sent at least five messages" """
    return next((a.noun.at_least for a in clause.arguments if a.noun.sort == "message" and a.noun.at_least), None)


def unknown_words(clause: Clause) -> list[str]:
    """Words that nothing was made of."""
    out = list(clause.unknown)
    for argument in clause.arguments:
        out += _unknown_noun(argument.noun)
    for conjunct in clause.conjuncts:
        out += unknown_words(conjunct)
    return out


def _unknown_noun(noun: Noun) -> list[str]:
    out = [] if noun.sort == "word" else list(noun.words)
    for clause in (*noun.clauses, *((noun.own,) if noun.own else ())):
        out += unknown_words(clause)
    return out


def named_people(clause: Clause) -> list[Noun]:
    """Named people in the order of the text, for pronouns."""
    out: list[Noun] = []
    for argument in clause.arguments:
        noun = argument.noun
        if noun.genitive is not None:
            out.append(noun.genitive)
        if noun.link is not None and noun.sort == "person":
            out += [n for n in (noun, *noun.also) if n.link is not None]
        for inner in (*noun.clauses, *((noun.own,) if noun.own else ())):
            out += named_people(inner)
    for conjunct in clause.conjuncts:
        out += named_people(conjunct)
    return sorted(out, key=lambda n: n.start)
