"""Looking at the tagged items of a question without reading them: what begins here, what follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from retrieval.linker import Link
from retrieval.planner.items import Item, Tagged
from retrieval.planner.sentence import Noun, Sort

HEADS: dict[str, tuple[Sort, str | None]] = {
    "N:message": ("message", None),
    "N:person": ("person", None),
    "N:sender": ("person", "sender"),
    "N:recipient": ("person", "recipient"),
    "N:correspondent": ("person", "participant"),
    "N:outsider": ("person", None),
    "N:address": ("person", None),
    "N:org": ("org", None),
    "N:domain": ("org", None),
    "N:thread": ("thread", None),
    "N:month": ("month", None),
    "N:label": ("label", None),
    "N:attachment": ("attachment", None),
}
MODIFIERS = {"MAIN", "MOST", "FIRST", "LAST", "EXTERNAL", "OTHER", "SAME", "BOTH", "MY", "LONGEST", "WORD", "ATLEAST",
              "MORETHAN", "ORG"}  # fmt: skip
# What only the outline reads: here it is a word that is not understood.
_UNKNOWN = ("DOMAIN", "EVERYMONTH", "EXACTLY", "FILETYPE")
QUESTION = ("Q:which", "Q:what", "Q:howmany")
TERM = ("WORD", "PERSON", "ORG", "QUOTED", "MAIN", "OTHER", "EXTERNAL", "SAME", "N:org", "N:attachment", "FIRST",
         "LAST", "N:label", "AUTOMATED", "LABEL", "NUM")  # fmt: skip


class Reader:
    """The items of a question and the place where reading goes on."""

    def __init__(self, tagged: Tagged) -> None:
        kept = [i for i in tagged.items if i.tag not in ("THEWORD", "N:list")]
        tags = {"N:reply": "V:reply", "ANSWERED": "V:reply", **dict.fromkeys(_UNKNOWN, "WORD")}
        self.items = [replace(i, tag=tags.get(i.tag, i.tag)) for i in kept]
        self.participle = tagged.language.participle
        self.who_is_anything = tagged.language.code == "fr"
        self.comma_ends = tagged.language.code == "de"  # a relative clause
        self.i = 0

    @classmethod
    def of(cls, other: Reader, items: list[Item]) -> Self:
        """A parser over a part of the items."""
        part = cls.__new__(cls)
        part.items, part.i = items, 0
        part.participle, part.who_is_anything = other.participle, other.who_is_anything
        part.comma_ends = other.comma_ends
        return part

    def tag(self, ahead: int = 0) -> str:
        """The tag of the item that many places ahead; END behind the last one."""
        j = self.i + ahead
        return self.items[j].tag if 0 <= j < len(self.items) else "END"

    def is_verb(self, ahead: int = 0) -> bool:
        """A verb stands there."""
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

    def _verb_next(self) -> bool:
        j = 1
        while self.tag(j) in ("AUX", "AUX:have", "NEG"):
            j += 1
        return self.is_verb(j)

    def _noun_begins(self, *, skip_modifiers: bool = False) -> bool:
        """A noun can be read from here on (``skip_modifiers``: from behind the modifiers that stand here)."""
        j = 0
        seen_word = False
        while True:
            tag = self.tag(j)
            if tag in QUESTION and self._of_follows(j):
                j += 2
                continue
            if tag == "EXTERNAL" and not (self.tag(j + 1) in HEADS or self.tag(j + 1) in MODIFIERS):
                return True  # "to outsiders", as an adjective alone
            if tag in HEADS or tag in (
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
            if tag == "ORG" and self.tag(j + 1) not in HEADS:
                return True
            if tag in MODIFIERS or tag in QUESTION or tag.startswith("NUM") or self._external(j):
                seen_word = seen_word or tag == "WORD"
                j += 1
                continue
            return seen_word and not skip_modifiers

    def _external(self, ahead: int) -> bool:
        """ "outside organisations": "outside" as an adjective, with the noun right behind it."""
        return self.tag(ahead) == "OUTSIDE" and self.tag(ahead + 1) in HEADS

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
        while self.tag(j) in MODIFIERS or self.tag(j).startswith("NUM"):
            if self.tag(j) == "ORG" and self.tag(j + 1) not in HEADS:
                return True
            j += 1
        head = HEADS.get(self.tag(j), ("", None))[0]
        return self.tag(j) in ("PERSON", "ME", "HE", "ORG") or head in ("person", "org") or (self.tag(j) == "OUTSIDE")

    def _message_begins(self, ahead: int) -> bool:
        j = ahead
        while self.tag(j) in MODIFIERS or self.tag(j).startswith("NUM"):
            j += 1
        return self.tag(j) == "N:message"

    def _thread_begins(self, ahead: int) -> bool:
        j = ahead
        while self.tag(j) in MODIFIERS or self.tag(j).startswith("NUM"):
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
