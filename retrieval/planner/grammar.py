"""Tagged items become clauses: who did what, of which nouns, with which modifiers.

A small grammar of parts that nest. A clause has verbs, arguments with prepositions, periods, and perhaps further
predicates joined by "but" and "and". A noun has modifiers before it, modifiers behind it, and relative clauses, which
are clauses in which the noun itself is the gap. It knows tags, not words, so it reads all languages that have cues;
word order decides only where prepositions do not. What it does not understand it keeps as unknown words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from graph.plan import Period
from retrieval.linker import Link
from retrieval.planner.tagging import Item, Tagged

Sort = Literal["person", "org", "message", "thread", "month", "label", "attachment", "word", "any"]


@dataclass
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
    at_least: int | None = None
    genitive: Noun | None = None
    besides: list[Noun] = field(default_factory=list)
    also: list[Noun] = field(default_factory=list)  # joined by and / or
    either: bool = False
    words: list[str] = field(default_factory=list)
    own: Clause | None = None
    clauses: list[Clause] = field(default_factory=list)
    text: str = ""


@dataclass
class Argument:
    """A noun in a clause. ``verb``: index of the verb it goes with, None before the first; ``after_aux``: it stands
    behind an auxiliary ("did Louise write")."""

    preposition: str
    noun: Noun
    verb: int | None
    after_aux: bool


@dataclass
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


_HEADS: dict[str, tuple[Sort, str | None]] = {
    "N:message": ("message", None),
    "N:person": ("person", None),
    "N:sender": ("person", "sender"),
    "N:recipient": ("person", "recipient"),
    "N:correspondent": ("person", "participant"),
    "N:outsider": ("person", None),
    "N:address": ("person", None),
    "N:org": ("org", None),
    "N:thread": ("thread", None),
    "N:month": ("month", None),
    "N:label": ("label", None),
    "N:attachment": ("attachment", None),
}
_MODIFIERS = {"MAIN", "MOST", "FIRST", "LAST", "EXTERNAL", "OTHER", "SAME", "BOTH", "MY", "LONGEST", "WORD", "ATLEAST",
              "MORETHAN", "ORG"}  # fmt: skip
_QUESTION = ("Q:which", "Q:what", "Q:howmany")
_TERM = ("WORD", "PERSON", "ORG", "QUOTED", "MAIN", "OTHER", "EXTERNAL", "SAME", "N:org", "N:attachment", "FIRST",
         "LAST", "N:label", "AUTOMATED", "LABEL", "NUM")  # fmt: skip


def parse(tagged: Tagged) -> list[Clause]:
    """The sentences of a question as clauses."""
    parser = _Parser(tagged)
    out = []
    while parser.i < len(parser.items):
        before = parser.i
        clause = parser.clause(0)
        if clause.verbs or clause.arguments or clause.terms or clause.labels or clause.periods or clause.titles:
            out.append(clause)
        if parser.i == before:
            parser.i += 1
    return out


class _Parser:
    def __init__(self, tagged: Tagged) -> None:
        self.items = list(tagged.items)
        self.participle = tagged.language.participle
        self.who_is_anything = tagged.language.code == "fr"
        self.i = 0

    @classmethod
    def of(cls, other: _Parser, items: list[Item]) -> _Parser:
        """A parser over a part of the items."""
        part = cls.__new__(cls)
        part.items, part.i = items, 0
        part.participle, part.who_is_anything = other.participle, other.who_is_anything
        return part

    # -- looking ------------------------------------------------------------------------------

    def tag(self, ahead: int = 0) -> str:
        j = self.i + ahead
        return self.items[j].tag if 0 <= j < len(self.items) else "END"

    def is_verb(self, ahead: int = 0) -> bool:
        return self.tag(ahead).startswith("V:")

    def verb_follows(self, ahead: int = 0) -> bool:
        """A verb comes before anything that ends the clause."""
        j = self.i + ahead
        while j < len(self.items) and self.items[j].tag not in ("END", "COMMA", "BUT", "OPEN"):
            if self.items[j].tag.startswith("V:"):
                return True
            if self.items[j].tag.startswith(("Q:", "AUX")):
                return False
            j += 1
        return False

    # -- clauses ------------------------------------------------------------------------------

    def clause(self, depth: int, gap: Noun | None = None, preposition: str = "", outer: Clause | None = None) -> Clause:
        c = Clause(gap=gap, gap_preposition=preposition)
        pending = asked = ""
        last: Noun | None = None
        aux_at: int | None = None
        while self.i < len(self.items):
            item, tag = self.items[self.i], self.tag()
            if tag == "END":
                if depth:
                    return c
                self.i += 1
                return c
            if tag in ("CLOSE", "OPEN"):
                if tag == "CLOSE" and depth:
                    return c
                self.i += 1
                continue
            if self._leaves(c, depth, outer):
                return c
            if tag == "COMMA":
                self.i += 1
                aside = self._aside()
                if aside is not None:
                    c.besides.append(aside)
                continue
            if tag == "BESIDES":
                self.i += 1
                while (noun := self.noun(c)) is not None:
                    c.besides += [noun, *noun.also]
                    if self.tag() not in ("COMMA", "AND"):
                        break
                    self.i += 1
                continue
            if tag in ("BUT", "AND") and self._joins_predicate():
                self._conjunct(c, gap)
                continue
            if tag == "WITHOUT" and (self.is_verb(1) or self.is_verb(2)):
                self._conjunct(c, gap)
                c.conjuncts[-1].negated = True
                continue
            if tag in ("BUT", "AND", "COMMA") and c.verbs and self._joins_denial():
                self._denial(c, gap)
                continue
            if tag == "NEG":
                c.negated = True
                self.i += 1
                continue
            if tag.startswith("AUX"):
                aux_at = self.i
                c.aux, c.aux_first = True, c.aux_first or not c.arguments
                self.i += 1
                continue
            if tag == "V:mention" or tag == "P:about":
                before = len(c.terms)
                if tag == "V:mention":
                    c.verbs.append("mention")
                self.i += 1
                self._terms(c)
                if tag == "V:mention" and len(c.terms) == before and aux_at is not None:
                    self._terms_before(c, aux_at)
                continue
            if tag.startswith("V:"):
                c.verbs.append(tag[2:])
                self.i += 1
                continue
            if tag == "INSUBJECT":
                self.i += 1
                self._subject_words(c)
                continue
            if tag == "TITLED":
                self.i += 1
                if self.tag() == "QUOTED":
                    c.titles.append(self.items[self.i].text)
                    self.i += 1
                continue
            if tag.startswith("P:"):
                if tag == "P:to" and self.is_verb(1):  # "the first to write"
                    self.i += 1
                    continue
                if last is not None and self.tag(1) in ("Q:who", "Q:whom", "Q:which", "REL") and not self._of(item):
                    self.i += 2
                    self._relative(last, tag[2:], c)
                    continue
                pending = tag[2:]
                self.i += 1
                if pending == "cc" and not self._noun_begins():
                    c.roles.append("cc")
                if not self._noun_begins():
                    if pending in ("to", "from", "with", "cc", "by") and self.tag() not in (
                        "PERIOD",
                        "THATPERIOD",
                        "WORD",
                    ):
                        c.stranded = pending
                    pending = ""
                continue
            if tag in ("Q:when", "Q:content") or (tag == "Q:what" and not self._noun_begins()):
                if tag == "Q:what" and self.tag(1).startswith("AUX") and not c.arguments:
                    asked = "what"
                c.ask = c.ask or tag[2:]
                self.i += 1
                continue
            if tag == "LIST":
                if not c.arguments and not c.verbs:
                    c.listing = True
                    self.i += 1
                    continue
                self.i += 1
                c.unknown.append(item.text)
                continue
            if tag in ("REL", "Q:who", "Q:whom", "Q:which") and self.tag(-1) not in ("COMMA", "AND"):
                described = self._antecedent(c, last, tag)
                if described is not None:
                    self.i += 1
                    self._relative(described, "", c)
                    continue
            if self._adverb(c, item, tag):
                continue
            if tag == "ME:obj" and not pending:
                pending = "to"
            noun = self.noun(c)
            if noun is None and tag in _QUESTION:
                self.i += 1
                partitive = next((a.noun for a in c.arguments if a.preposition == "at" and not a.noun.wh), None)
                if self.tag().startswith("AUX") and tag != "Q:howmany" and not any(a.noun.wh for a in c.arguments):
                    asked = tag[2:]  # "which are the three organisations that ...": the noun comes later
                elif partitive is not None and not any(a.noun.wh for a in c.arguments):
                    partitive.wh = tag[2:]  # "of the people ..., which ones"
                    next(a for a in c.arguments if a.noun is partitive).preposition = ""
                elif not any(a.noun.wh for a in c.arguments):
                    c.unknown.append(item.text)
                pending = ""
                continue
            if noun is None:
                c.unknown.append(item.text)
                self.i += 1
                continue
            if noun.sort == "word" and not noun.wh:
                c.unknown += noun.words
                noun = None
            if noun is not None:
                if asked and not noun.wh and noun.link is None and not noun.owner and not noun.pronoun:
                    noun.wh, asked = asked, ""
                if not noun.wh and c.listing and not c.arguments:
                    noun.wh = "list"
                c.arguments.append(Argument(pending, noun, len(c.verbs) - 1 if c.verbs else None, c.aux))
                last = noun
            pending = ""
        return c

    def _leaves(self, c: Clause, depth: int, outer: Clause | None) -> bool:
        """A relative clause ends where the clause around it goes on."""
        if not depth or outer is None:
            return False
        tag = self.tag()
        needs = not outer.verbs
        if tag == "COMMA" and c.verbs and self.tag(1) in (*_QUESTION, "Q:who", "AUX", "AUX:have", "BUT"):
            return True
        if c.verbs and needs and (self.is_verb() or ((tag.startswith("AUX") or tag == "NEG") and self._verb_next())):
            return True
        return bool(c.verbs) and needs and outer.aux and tag == "AUX:have"

    def _verb_next(self) -> bool:
        j = 1
        while self.tag(j) in ("AUX", "AUX:have", "NEG"):
            j += 1
        return self.is_verb(j)

    def _joins_predicate(self) -> bool:
        """ "but sent nothing", "and never got": a verb follows with no noun between."""
        j = 1
        while self.tag(j) in ("Q:who", "Q:which", "REL", "AUX", "AUX:have", "NEG"):
            j += 1
        if self.tag(1) in ("Q:howmany", "Q:content", "Q:when", "Q:what"):
            return False
        if self.is_verb(j):
            return True
        return self.tag() == "BUT" and self.verb_follows(1)

    def _joins_denial(self) -> bool:
        """ "but not in November", "never to John": the same once more, denied, with something else in its place."""
        j = 2
        return self.tag(1) == "NEG" and (
            self.tag(j) in ("PERIOD", "LABEL") or (self.tag(j).startswith("P:") and not self.verb_follows(j))
        )

    def _denial(self, c: Clause, gap: Noun | None) -> None:
        self.i += 2
        rest = self.clause(1, gap=gap, outer=Clause(verbs=["done"]))
        subject = gap or next((a.noun for a in c.arguments if a.noun.wh), None)
        replaced = {a.preposition for a in rest.arguments}
        rest.arguments = [a for a in c.arguments if a.preposition not in replaced or a.noun is subject] + rest.arguments
        rest.verbs, rest.aux, rest.stranded, rest.roles = c.verbs, c.aux, c.stranded, c.roles
        rest.gap, rest.gap_preposition, rest.negated = subject, c.gap_preposition, True
        rest.periods = rest.periods or c.periods
        rest.labels = rest.labels or c.labels
        c.conjuncts.append(rest)

    def _conjunct(self, c: Clause, gap: Noun | None) -> None:
        self.i += 1
        subject = gap or next((a.noun for a in c.arguments if a.noun.wh), None)
        preposition = ""
        if subject is None and c.arguments:
            subject = c.arguments[0].noun
        if self.tag() in ("Q:who", "Q:which", "REL"):
            self.i += 1
        sub = self.clause(1, gap=subject, preposition=preposition, outer=Clause(verbs=["done"]))
        c.conjuncts.append(sub)

    def _relative(self, noun: Noun, preposition: str, outer: Clause) -> None:
        sub = self.clause(1, gap=noun, preposition=preposition, outer=outer)
        noun.clauses.append(sub)

    def _antecedent(self, c: Clause, last: Noun | None, tag: str) -> Noun | None:
        """What a relative pronoun describes: the last noun; of "who" the last person that is not named."""
        if tag not in ("Q:who", "Q:whom") or self.who_is_anything:
            return last
        people = [a.noun for a in c.arguments if a.noun.sort in ("person", "org") and a.noun.link is None]
        return people[-1] if people else None

    def _aside(self) -> Noun | None:
        """ "Louise aside" """
        before = self.i
        noun = self.noun(Clause())
        if noun is not None and self.tag() == "ASIDE":
            self.i += 1
            return noun
        self.i = before
        return None

    def _of(self, item: Item) -> bool:
        """ "which of the people": no relative pronoun after this preposition."""
        return False

    def _adverb(self, c: Clause, item: Item, tag: str) -> bool:
        """Single items that say something of the whole clause."""
        nxt = self.tag(1)
        if tag == "PERIOD":
            (c.vague_periods if item.vague else c.periods).append(item.value)
        elif tag == "THATPERIOD":
            c.same_period = True
        elif tag == "LABEL":
            c.labels.append(item.value)
        elif tag == "QUOTED" and self.tag(1) == "INSUBJECT":
            c.subject_words.append(item.text)
            self.i += 1
        elif tag == "WITHATTACH":
            c.attachment = True
        elif tag == "BYCOUNT":
            c.by_count = True
        elif tag == "BACKFORTH":
            c.backforth = True
            c.verbs.append("send")
        elif tag.startswith("ROLE:"):
            c.roles.append(tag[5:])
        elif tag in ("MOST", "MAIN", "LONGEST") and not self._noun_begins(skip_modifiers=True):
            c.most = True
        elif tag == "FIRST" and not self._noun_begins(skip_modifiers=True):
            c.first = True
        elif tag == "LAST" and not self._noun_begins(skip_modifiers=True):
            c.last = True
        elif tag in ("ATLEAST", "MORETHAN") and nxt.startswith("NUM") and not self._noun_begins(skip_modifiers=True):
            self.i += 1
            c.at_least = self._number(self.items[self.i]) + (tag == "MORETHAN")
        elif tag.startswith("NUM") and nxt == "ORMORE":
            c.at_least = self._number(item)
            self.i += 1
        elif tag in ("SELF", "ASIDE", "ORMORE", "OR", "AND", "BUT", "REL") or (
            tag in ("OTHER", "SAME", "BOTH") and not self._noun_begins()
        ):
            pass
        else:
            return False
        self.i += 1
        return True

    # -- nouns --------------------------------------------------------------------------------

    def _noun_begins(self, *, skip_modifiers: bool = False) -> bool:
        """A noun can be read from here on (``skip_modifiers``: from behind the modifiers that stand here)."""
        j = 0
        seen_word = False
        while True:
            tag = self.tag(j)
            if tag in _QUESTION and self._of_follows(j):
                j += 2
                continue
            if tag in _HEADS or tag in (
                "PERSON",
                "ME",
                "ME:obj",
                "HE",
                "Q:who",
                "Q:whom",
                "Q:howoften",
                "QUOTED",
                "LABEL",
            ):
                return not (skip_modifiers and j and tag in ("PERSON", "ME", "HE", "QUOTED", "LABEL") and not seen_word)
            if tag == "ORG" and self.tag(j + 1) not in _HEADS:
                return True
            if tag in _MODIFIERS or tag in _QUESTION or tag.startswith("NUM") or self._external(j):
                seen_word = seen_word or tag == "WORD"
                j += 1
                continue
            return seen_word and not skip_modifiers

    def _external(self, ahead: int) -> bool:
        """ "outside organisations": "outside" as an adjective, with the noun right behind it."""
        return self.tag(ahead) == "OUTSIDE" and self.tag(ahead + 1) in _HEADS

    def noun(self, outer: Clause) -> Noun | None:
        """A noun with all that belongs to it; None where none begins."""
        if not self._noun_begins():
            return None
        n = Noun("any", self.items[self.i].start)
        begin = self.i
        while True:
            item, tag = self.items[self.i] if self.i < len(self.items) else None, self.tag()
            if item is None:
                break
            if tag in _QUESTION or tag in ("Q:who", "Q:whom", "Q:howoften"):
                if n.wh or n.words:
                    break
                n.wh = tag[2:]
                if tag in ("Q:who", "Q:whom"):
                    n.sort = "person"
                    self.i += 1
                    break
                if tag == "Q:howoften":
                    n.sort, n.wh = "message", "howmany"
                    self.i += 1
                    break
                if self._of_follows():  # "which of the people", "how many of the reports"
                    self.i += 1
            elif tag.startswith("NUM"):
                n.number = self._number(item)
                if self.tag(1) == "ORMORE":
                    n.at_least, n.number = n.number, None
                    self.i += 1
            elif tag in ("ATLEAST", "MORETHAN"):
                if self.tag(1).startswith("NUM"):
                    self.i += 1
                    n.at_least = self._number(self.items[self.i]) + (tag == "MORETHAN")
            elif tag in ("MAIN", "MOST", "LONGEST"):
                n.superlative = True
            elif tag == "FIRST":
                n.first = True
            elif tag == "LAST":
                n.last = True
            elif tag == "EXTERNAL" or self._external(0):
                n.external = True
            elif tag == "OTHER":
                n.other = True
            elif tag == "SAME":
                n.same = True
            elif tag == "BOTH":
                pass
            elif tag == "MY":
                n.genitive = Noun("person", item.start, owner=True)
            elif tag == "PERSON" and item.possessive:
                n.genitive = Noun("person", item.start, link=item.value)
            elif tag == "WORD":
                n.words.append(item.text)
            elif tag == "ORG" and self.tag(1) in _HEADS:
                n.at.append(item.value)
            elif tag in _HEADS:
                self._head(n, item, tag)
                self.i += 1
                break
            elif tag == "PERSON" and not n.words:
                n.sort, n.link, n.text = "person", item.value, item.text
                self.i += 1
                break
            elif tag == "ORG":
                n.sort, n.link, n.text = "org", item.value, item.text
                self.i += 1
                break
            elif tag in ("ME", "ME:obj"):
                n.sort, n.owner = "person", True
                self.i += 1
                break
            elif tag == "HE":
                n.sort, n.pronoun = "person", item.text.lower()
                self.i += 1
                break
            else:
                break
            self.i += 1
        if n.sort == "any" and n.words:
            n.sort = "word"
        if n.sort == "any" and not n.wh:
            self.i = max(self.i, begin + 1)
            return None
        self._behind(n, outer)
        return n

    def _head(self, n: Noun, item: Item, tag: str) -> None:
        n.sort, n.role = _HEADS[tag]
        n.external = n.external or tag == "N:outsider"
        n.address = tag == "N:address"
        n.text = item.text
        n.plural = item.text.lower().endswith(("s", "people", "n", "x"))

    def _behind(self, n: Noun, outer: Clause) -> None:
        """What stands behind a noun and belongs to it."""
        described = n.link is None and not n.owner and not n.pronoun
        carries = n.sort == "message" or n.role is not None or n.sort in ("thread", "word")
        while self.i < len(self.items):
            tag, item = self.tag(), self.items[self.i]
            if tag == "OPEN":
                self._brackets(n, outer)
            elif tag == "OUTSIDE" and n.sort in ("person", "org", "any"):
                self.i += 1
                n.outside.append(self._org_here())
            elif tag == "OUTSIDE" and n.sort == "message":
                self.i += 1
                other = Noun("person", item.start, outside=[self._org_here()])
                self._own(n).arguments.append(Argument("from", other, None, False))
            elif tag == "EXTERNAL" and n.sort in ("person", "org"):
                n.external = True
                self.i += 1
            elif tag in ("P:at", "P:from") and self.tag(1) == "ORG" and n.sort in ("person", "org") and described:
                n.at.append(self.items[self.i + 1].value)
                self.i += 2
            elif tag == "P:at" and self.tag(1) == "LABEL" and (carries or n.sort == "person") and described:
                self._own(n).labels.append(self.items[self.i + 1].value)
                self.i += 2
            elif tag == "P:at" and described and n.role and self._message_begins(1):
                self.i += 1
                inner = self.noun(outer)
                if inner is not None:
                    self._own(n).arguments.append(Argument("of", inner, None, False))
            elif tag == "P:at" and self._thread_begins(1) and (carries or n.sort == "person") and described:
                self.i += 1
                inner = self.noun(outer)
                if inner is not None:
                    self._own(n).arguments.append(Argument("at", inner, None, False))
            elif n.sort in ("thread", "message") and tag in ("TITLED", "QUOTED") and self._title_here():
                self.i += tag == "TITLED"
                self._own(n).titles.append(self.items[self.i].text)
                self.i += 1
            elif n.sort == "thread" and n.same and self._person_begins():
                inner = self.noun(outer)
                if inner is not None:
                    self._own(n).arguments.append(Argument("as", inner, None, False))
            elif n.sort == "message" and tag == "P:with" and self._most_recipients():
                n.most_recipients = True
            elif n.sort == "message" and tag == "WITHATTACH":
                self._own(n).attachment = True
                self.i += 1
            elif n.sort in ("message", "word") and described and self._message_modifier(n, outer, tag):
                pass
            elif tag == "PERIOD" and n.role is not None and described:
                own = self._own(n)
                (own.vague_periods if item.vague else own.periods).append(item.value)
                self.i += 1
            elif tag == "BESIDES" and described:
                self.i += 1
                while (noun := self.noun(Clause())) is not None:
                    n.besides += [noun, *noun.also]
                    if self.tag() != "AND":
                        break
                    self.i += 1
            elif tag in self._pronouns(n) and described and n.sort != "any" and not self._wh_starts():
                self.i += 1
                self._relative(n, "", outer)
            elif tag.startswith("P:") and described and self.tag(1) in ("Q:who", "Q:whom", "Q:which", "REL"):
                if n.sort == "any":
                    return
                self.i += 2
                self._relative(n, tag[2:], outer)
            elif described and n.sort in ("person", "org", "message", "thread") and self._zero_relative(n):
                self._relative(n, "", outer)
            elif tag in ("AND", "OR", "COMMA") and not described and self._same_sort(n):
                either = tag == "OR"
                self.i += 1
                more = self.noun(outer)
                if more is not None:
                    n.also += [more, *more.also]
                    n.either = either or more.either
            else:
                return

    def _own(self, n: Noun) -> Clause:
        if n.own is None:
            n.own = Clause(gap=n)
        return n.own

    def _brackets(self, n: Noun, outer: Clause) -> None:
        """ "(To)", "(mail domains)", "(end of 2001)": notes on the noun before."""
        self.i += 1
        while self.i < len(self.items) and self.tag() not in ("CLOSE", "END"):
            item = self.items[self.i]
            if item.tag in ("P:to", "P:cc"):
                outer.roles.append(item.tag[2:])
            elif item.tag == "PERIOD":
                self._own(n).vague_periods.append(item.value)
            elif item.tag == "ORG" and n.sort in ("person", "org"):
                n.at.append(item.value)
            self.i += 1
        if self.tag() == "CLOSE":
            self.i += 1

    def _message_modifier(self, n: Noun, outer: Clause, tag: str) -> bool:
        """ "from A to B", "between A and B", "about X", "sent by A", "with 'x' in the subject": one step of them."""
        own = self._own(n)
        if tag == "P:about" or (tag == "V:mention" and (outer.verbs or (n.sort == "message" and self._participle()))):
            own.verbs += ["mention"] if tag == "V:mention" else []
            self.i += 1
            self._terms(own)
            return True
        if tag in ("P:from", "P:to", "P:by", "P:between", "P:cc", "P:with") and self._person_begins(1):
            self.i += 1
            noun = self.noun(outer)
            if noun is not None:
                own.arguments.append(Argument(tag[2:], noun, len(own.verbs) - 1 if own.verbs else None, False))
            return True
        if tag in ("V:send", "V:go", "V:copy", "V:get", "V:file") and self._participle():
            own.verbs.append(tag[2:])
            self.i += 1
            return True
        if tag == "P:at" and self.tag(1) == "LABEL":
            own.labels.append(self.items[self.i + 1].value)
            self.i += 2
            return True
        if tag == "PERIOD" and (own.arguments or own.verbs or own.labels or own.terms or outer.verbs or n.genitive):
            (own.vague_periods if self.items[self.i].vague else own.periods).append(self.items[self.i].value)
            self.i += 1
            return True
        if tag.startswith("ROLE:"):
            own.roles.append(tag[5:])
            self.i += 1
            return True
        if tag in ("P:with", "INSUBJECT") and self._subject_follows():
            self._subject_words(own)
            return True
        return False

    def _participle(self) -> bool:
        """The verb here describes the noun before it: it ends as participles do, or a verb comes later."""
        text = self.items[self.i].text.lower()
        if self.tag(-1).startswith("AUX") or not self.participle.search(text.split()[0]):
            return False
        if text.endswith("ing"):
            return True
        j = 1
        while self.tag(j) not in ("END", "BUT"):
            if self.is_verb(j):
                return True
            j += 1
        return self.tag(1) in ("P:by", "P:from", "P:to", "P:at", "PERIOD", "LABEL", "P:cc") and self.i > 0

    def _title_here(self) -> bool:
        return (self.tag() == "QUOTED" and self.tag(1) != "INSUBJECT") or (
            self.tag() == "TITLED" and self.tag(1) == "QUOTED"
        )

    def _subject_follows(self) -> bool:
        if self.tag() == "INSUBJECT":
            return True
        j = 1
        while self.tag(j) in ("WORD", "QUOTED", "ORG", "PERSON", "PERIOD"):
            j += 1
        return j > 1 and self.tag(j) == "INSUBJECT"

    def _subject_words(self, c: Clause) -> None:
        """ "with 'budget' in the subject" (from "with" on) and "whose subject contains budget" (from behind it)."""
        if self.tag() == "P:with" or self.tag() == "INSUBJECT":
            self.i += 1
        words = []
        while self.tag() in ("WORD", "QUOTED", "ORG", "PERSON"):
            words.append(self.items[self.i].text)
            self.i += 1
        if self.tag() == "INSUBJECT":
            self.i += 1
        if words:
            c.subject_words.append(" ".join(words))

    def _most_recipients(self) -> bool:
        j = 1
        while self.tag(j) in ("MOST", "MAIN"):
            j += 1
        if j > 1 and self.tag(j) in ("N:recipient", "N:address", "N:person"):
            self.i += j + 1
            return True
        return False

    def _org_here(self) -> Link | None:
        """The organisation after "outside"; None: the owner's."""
        if self.tag() == "ORG":
            self.i += 1
            link = self.items[self.i - 1].value
            assert isinstance(link, Link)
            return link
        return None

    def _person_begins(self, ahead: int = 0) -> bool:
        j = ahead
        while self.tag(j) in _MODIFIERS or self.tag(j).startswith("NUM"):
            if self.tag(j) == "ORG" and self.tag(j + 1) not in _HEADS:
                return True
            j += 1
        head = _HEADS.get(self.tag(j), ("", None))[0]
        return self.tag(j) in ("PERSON", "ME", "HE", "ORG") or head in ("person", "org") or (self.tag(j) == "OUTSIDE")

    def _message_begins(self, ahead: int) -> bool:
        j = ahead
        while self.tag(j) in _MODIFIERS or self.tag(j).startswith("NUM"):
            j += 1
        return self.tag(j) == "N:message"

    def _thread_begins(self, ahead: int) -> bool:
        j = ahead
        while self.tag(j) in _MODIFIERS or self.tag(j).startswith("NUM"):
            j += 1
        return self.tag(j) == "N:thread"

    def _of_follows(self, ahead: int = 0) -> bool:
        return self.tag(ahead + 1) == "P:at" and self.items[self.i + ahead + 1].text.lower() in (
            "of",
            "von",
            "der",
            "de",
            "des",
            "d",
            "del",
        )

    def _same_sort(self, n: Noun) -> bool:
        wanted = ("PERSON", "ME", "MY") if n.sort == "person" else ("ORG",)
        return self.tag(1) in wanted or (self.tag(1) == "BOTH" and self.tag(2) in wanted)

    def _wh_starts(self) -> bool:
        """A question word that opens the main clause rather than a relative one: after a comma."""
        return self.tag(-1) == "COMMA"

    def _pronouns(self, n: Noun) -> tuple[str, ...]:
        """The relative pronouns that may describe a noun: "who" does not stand for a message, but French "qui" does."""
        if n.sort == "message" and not self.who_is_anything:
            return ("REL", "Q:which")
        return ("REL", "Q:who", "Q:whom", "Q:which")

    def _zero_relative(self, n: Noun) -> bool:
        """ "messages Kenny sent", "correspondents he wrote to" """
        return (
            self.tag() in ("PERSON", "ME", "HE")
            and not n.wh.startswith("who")
            and self.verb_follows(1)
            and not (self.items[self.i].possessive)
        )

    def _number(self, item: Item) -> int:
        if ":" in item.tag:
            return int(item.tag.partition(":")[2])
        return int(item.text)

    def _terms(self, c: Clause) -> None:
        """The words after "mention" and "about", until something else begins; joined by and / or."""
        phrases: list[list[Item]] = [[]]
        while self.i < len(self.items):
            tag = self.tag()
            if tag in ("BOTH", "OPEN", "CLOSE") and not phrases[-1]:
                self.i += 1
                continue
            if tag in ("AND", "OR", "COMMA"):
                if self.tag(1) == "AND":
                    self.i += 1
                    continue
                if self.tag(1) not in (*_TERM, "BOTH"):
                    break
                c.any_term = c.any_term or tag == "OR"
                phrases.append([])
                self.i += 1
                continue
            if tag not in _TERM:
                break
            phrases[-1].append(self.items[self.i])
            self.i += 1
        while phrases[-1] and phrases[-1][-1].tag in ("FIRST", "LAST"):  # "who mentioned X first"
            c.first, c.last = (phrases[-1].pop().tag == "FIRST") or c.first, c.last
        c.terms += [" ".join(i.text for i in phrase) for phrase in phrases if phrase]
        while self.tag() in ("BUT", "AND", "COMMA", "NEG", "WITHOUT") and self._term_denied():
            phrase = []
            while self.tag() in _TERM:
                phrase.append(self.items[self.i].text)
                self.i += 1
            c.not_terms.append(" ".join(phrase))

    def _term_denied(self) -> bool:
        """ "but not Y", "without Y" behind the words that are mentioned: moves to Y."""
        j = 1 if self.tag() in ("NEG", "WITHOUT") else 2 if self.tag(1) in ("NEG", "WITHOUT") else 0
        if not j or self.tag(j) not in _TERM or self.verb_follows(j):
            return False
        self.i += j
        return True

    def _terms_before(self, c: Clause, aux_at: int) -> None:
        """ "does X come up", "do X and Y both appear": the words stand between the auxiliary and the verb."""
        end = self.i
        inner = [i for i in self.items[aux_at + 1 : end - 1] if i.tag in (*_TERM, "AND", "OR", "COMMA")]
        if not any(i.tag in _TERM for i in inner):
            return
        first = inner[0].start
        sub = _Parser.of(self, inner)
        sub._terms(c)
        c.arguments = [a for a in c.arguments if a.noun.start < first or a.noun.wh]
        c.unknown = []
