"""Tagged items become clauses: who did what, of which nouns, with which modifiers.

A small grammar of parts that nest. A clause has verbs, arguments with prepositions, periods, and perhaps further
predicates joined by "but" and "and". A noun has modifiers before it, modifiers behind it, and relative clauses, which
are clauses in which the noun itself is the gap. It knows tags, not words, so it reads all languages that have cues;
word order decides only where prepositions do not. What it does not understand it keeps as unknown words.
"""

from __future__ import annotations

from dataclasses import replace

from retrieval.planner.items import Item, Tagged
from retrieval.planner.nouns import Nouns
from retrieval.planner.reader import QUESTION, TERM
from retrieval.planner.sentence import Argument, Clause, Noun


def parse(tagged: Tagged) -> list[Clause]:
    """The sentences of a question as clauses."""
    parser = Parser(tagged)
    out = []
    while parser.i < len(parser.items):
        before = parser.i
        clause = parser.clause(0)
        if clause.verbs or clause.arguments or clause.terms or clause.labels or clause.periods or clause.titles:
            out.append(clause)
        if parser.i == before:
            parser.i += 1
    return out


class Parser(Nouns):
    """Reads clauses."""

    def clause(self, depth: int, gap: Noun | None = None, preposition: str = "", outer: Clause | None = None) -> Clause:
        """A clause from here on. ``depth`` 0: a sentence; ``gap``: the noun it describes; ``outer``: what is around."""
        c = Clause(gap=gap, gap_preposition=preposition)
        pending = asked = ""
        last: Noun | None = None
        aux_at: int | None = None
        joined = False
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
                if last is not None and self.tag(1) in ("Q:who", "Q:whom", "Q:which", "REL"):
                    self.i += 2
                    self._relative(last, tag[2:], c)
                    continue
                joined = self.tag(-1) == "AND"
                pending = tag[2:]
                self.i += 1
                if pending == "cc" and not self._noun_begins():
                    if c.arguments and c.arguments[-1].preposition == "with":
                        c.arguments[-1].preposition = "cc"  # "with X in copy"
                    else:
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
            if noun is None and tag in QUESTION:
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
                if (
                    asked
                    and not c.unknown
                    and not noun.wh
                    and noun.link is None
                    and not noun.owner
                    and not noun.pronoun
                ):
                    noun.wh, asked = asked, ""
                if not noun.wh and c.listing and not c.arguments:
                    noun.wh = "list"
                if pending == "cc" and noun.sort == "message":  # "in Cc of the messages"
                    c.verbs.append("copy")
                    pending = ""
                earlier = c.arguments[-1] if joined and pending and c.arguments else None
                same = earlier is not None and earlier.preposition == pending
                if earlier is not None and same and earlier.noun.sort == noun.sort == "person":
                    earlier.noun.also.append(noun)  # "to X and to Y"
                else:
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
        if tag == "COMMA" and c.verbs and self.comma_ends:
            return True
        if tag == "COMMA" and c.verbs and self.tag(1) in (*QUESTION, "Q:who", "AUX", "AUX:have", "BUT"):
            return True
        if c.verbs and needs and (self.is_verb() or ((tag.startswith("AUX") or tag == "NEG") and self._verb_next())):
            return True
        return bool(c.verbs) and needs and outer.aux and tag == "AUX:have"

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
        kept = [a for a in c.arguments if a.preposition not in replaced or a.noun is subject]
        rest.arguments = [_without_period(a, bool(rest.periods), bool(rest.labels)) for a in kept] + rest.arguments
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
        """ "Maren aside" """
        before = self.i
        noun = self.noun(Clause())
        if noun is not None and self.tag() == "ASIDE":
            self.i += 1
            return noun
        self.i = before
        return None

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
        elif tag == "BOTH" and nxt == "LABEL":
            c.each_label = True
        elif tag in ("SELF", "ASIDE", "ORMORE", "OR", "AND", "BUT", "REL") or (
            tag in ("OTHER", "SAME", "BOTH") and not self._noun_begins()
        ):
            pass
        else:
            return False
        self.i += 1
        return True

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
                if self.tag(1) not in (*TERM, "BOTH"):
                    break
                c.any_term = c.any_term or tag == "OR"
                phrases.append([])
                self.i += 1
                continue
            if tag not in TERM:
                break
            phrases[-1].append(self.items[self.i])
            self.i += 1
        while phrases[-1] and phrases[-1][-1].tag in ("FIRST", "LAST"):  # "who mentioned X first"
            c.first, c.last = (phrases[-1].pop().tag == "FIRST") or c.first, c.last
        c.terms += [" ".join(i.text for i in phrase) for phrase in phrases if phrase]
        while self.tag() in ("BUT", "AND", "COMMA", "NEG", "WITHOUT") and self._term_denied():
            phrase = []
            while self.tag() in TERM:
                phrase.append(self.items[self.i].text)
                self.i += 1
            c.not_terms.append(" ".join(phrase))

    def _term_denied(self) -> bool:
        """ "but not Y", "without Y" behind the words that are mentioned: moves to Y."""
        j = 1 if self.tag() in ("NEG", "WITHOUT") else 2 if self.tag(1) in ("NEG", "WITHOUT") else 0
        if not j or self.tag(j) not in TERM or self.verb_follows(j):
            return False
        self.i += j
        return True

    def _terms_before(self, c: Clause, aux_at: int) -> None:
        """ "does X come up", "do X and Y both appear": the words stand between the auxiliary and the verb."""
        end = self.i
        if aux_at + 1 == end - 1:  # "X and Y are mentioned": before the auxiliary
            begin = aux_at
            while begin and self.items[begin - 1].tag in (*TERM, "AND", "OR", "COMMA", "BOTH"):
                begin -= 1
            aux_at = begin - 1
        inner = [i for i in self.items[aux_at + 1 : end - 1] if i.tag in (*TERM, "AND", "OR", "COMMA")]
        if not any(i.tag in TERM for i in inner):
            return
        first = inner[0].start
        sub = Parser.of(self, inner)
        sub._terms(c)
        c.arguments = [a for a in c.arguments if a.noun.start < first or a.noun.wh]
        c.unknown = []


def _without_period(argument: Argument, periods: bool, labels: bool) -> Argument:
    """The argument without what a denial puts in its place: the period, the folder."""
    own = argument.noun.own
    if own is None or not (periods or labels):
        return argument
    bare = replace(own, periods=[] if periods else own.periods, labels=[] if labels else own.labels)
    return replace(argument, noun=replace(argument.noun, own=bare))
