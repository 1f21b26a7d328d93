"""Reading a noun: modifiers, the head, and all that stands behind it and belongs to it."""

from __future__ import annotations

from retrieval.planner.items import Item
from retrieval.planner.reader import HEADS, QUESTION, Reader
from retrieval.planner.sentence import Argument, Clause, Noun


class Nouns(Reader):
    """Reads nouns; the relative clauses and words behind them are read by :class:`retrieval.planner.grammar.Parser`."""

    def _relative(self, noun: Noun, preposition: str, outer: Clause) -> None:
        """Reads a relative clause that describes ``noun``."""
        raise NotImplementedError

    def _terms(self, c: Clause) -> None:
        """Reads the words that are mentioned."""
        raise NotImplementedError

    def noun(self, outer: Clause) -> Noun | None:
        """A noun with all that belongs to it; None where none begins."""
        if not self._noun_begins():
            return None
        n = Noun("any", self.items[self.i].start)
        begin, most_at = self.i, -1
        while True:
            item, tag = self.items[self.i] if self.i < len(self.items) else None, self.tag()
            if item is None:
                break
            if tag in QUESTION or tag in ("Q:who", "Q:whom", "Q:howoften"):
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
                most_at = self.i if tag == "MOST" else most_at
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
            elif tag == "ORG" and self.tag(1) in HEADS:
                n.at.append(item.value)
            elif tag in HEADS:
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
        if n.sort == "any" and n.external:
            n.sort = "person"
        if n.sort == "any" and n.words:
            n.sort = "word"
        if n.sort == "any" and not n.wh:
            self.i = max(self.i, begin + 1)
            return None
        if most_at >= 0 and n.sort == "person" and n.role is None:  # "escribió más la persona": it is the verb's
            n.superlative, outer.most = False, True
        if n.sort == "thread" and n.words and n.words[0][:1].isupper():  # "the Steel Offer conversation"
            self._own(n).subject_words.append(" ".join(n.words))
            n.words = []
        self._behind(n, outer)
        return n

    def _head(self, n: Noun, item: Item, tag: str) -> None:
        n.sort, n.role = HEADS[tag]
        n.external = n.external or tag == "N:outsider"
        n.address = tag == "N:address"
        n.domain = tag == "N:domain"
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
            elif tag in ("P:at", "P:from") and self.tag(1) == "LABEL" and (carries or n.sort == "person") and described:
                self._own(n).labels.append(self.items[self.i + 1].value)
                self.i += 2
            elif tag in ("P:at", "P:from") and described and n.role and self._message_begins(1):
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
            elif item.tag == "N:domain":
                n.domain = True
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
        if tag == "P:cc" and own.arguments and own.arguments[-1].preposition == "with":
            own.arguments[-1].preposition = "cc"  # "with X in copy"
            self.i += 1
            return True
        if tag in ("P:at", "P:from") and self.tag(1) == "LABEL":
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
