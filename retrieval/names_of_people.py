"""People by their names: in full, by a part of it, or misspelt.

The tables hold every form of every name of a store, so that a place in a question costs a few look-ups. Lists and
offices answer to their full name only, and where a list or a service writes in somebody's name, the person is meant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from retrieval.name_forms import Form, Named, in_address, ordered, same_first, trigrams, without_initials
from retrieval.name_places import Match, Place
from retrieval.planner.tokens import keys

FUZZY = 0.55


class PeopleNames:
    """Look-up tables over the names and addresses of ``people``."""

    def __init__(self, people: Sequence[Named]) -> None:
        self.people = {p.id: p for p in people}
        self.owners = tuple(p.id for p in people if p.is_owner)
        self._address: dict[str, int] = {}
        self._lists: dict[str, set[int]] = defaultdict(set)
        self._full: dict[Form, set[int]] = defaultdict(set)
        self._inner: dict[Form, set[int]] = defaultdict(set)
        self._first: dict[str, set[int]] = defaultdict(set)
        self._last: dict[str, set[int]] = defaultdict(set)
        for person in people:
            self._add(person)
        for table in (self._full, self._inner, self._first, self._last):
            self._prefer_persons(table)
        self._trigrams: dict[str, list[Form]] = defaultdict(list)
        for form in self._full:
            for gram in trigrams(" ".join(form)):
                self._trigrams[gram].append(form)

    def of_address(self, address: str) -> int | None:
        """Who writes from this address."""
        return self._address.get(address.lower())

    def of_list(self, local_part: str) -> set[int]:
        """The lists and offices whose address begins with this, written without any points."""
        return self._lists.get(local_part, set())

    def of_first_name(self, first: str) -> set[int]:
        """The persons with this first name."""
        return self._first.get(first, set())

    def in_full(self, place: Place) -> Match | None:
        """First and last name, with or without what stands between; without what stands before, where nobody is called
        just so."""
        for n in range(min(place.run, 5), 1, -1):
            words = tuple(t.key for t in place.words(n))
            if len(words[0]) == 1 or len(words[-1]) == 1:
                continue
            for form in (words, without_initials(words)):
                if form in self._full:
                    return Match(n, self._full[form], "exact", 1.0)
            if words in self._inner and all(t.capital for t in place.words(n)):
                return Match(n, self._inner[words], "alias", 0.9)
        return None

    def in_part(self, place: Place, *, whispered: bool) -> Match | None:
        """A last name with another form of the first one, or a single first or last name. A single first name of the
        owner means the owner: the match is called so, and holds all of that name. ``whispered``: a single small word
        may be a name too."""
        word = place.word
        if place.run >= 2:
            second = place.words(2)[1]
            if word.capital and second.capital and second.key in self._last:
                # Bob Milton for Robert Milton, R. Milton: the last name, and a first name that fits
                fits = {p for p in self._last[second.key] if self._may_be_called(self.people[p], word.key)}
                return Match(2, fits, "alias", 0.8) if fits else None
        if len(word.key) < 3 or word.key in place.common or not (word.capital or whispered):
            return None
        first, last = self._first.get(word.key, set()), self._last.get(word.key, set())
        if first.intersection(self.owners):
            return Match(1, first, "owner", 0.9)
        if whispered and not (last or len(first) == 1):
            return None
        if not whispered and place.within_longer_name():
            return None  # "David Smithers" is nobody we know, not every David; "Navy Yard" no Mr Yard
        return Match(1, last | first, "alias", 0.7) if last or first else None

    def misspelt(self, place: Place) -> Match | None:
        """Two or three capital words that are nearly a full name."""
        n = 0
        while n < min(place.run, 3) and place.is_name(place.tokens[place.i + n]):
            n += 1
        for size in range(n, 1, -1):
            form, score = self._nearest(" ".join(t.key for t in place.words(size)))
            if form is not None and score >= FUZZY and len(form) == size:
                return Match(size, self._full[form], "fuzzy", score)
        return None

    def _add(self, person: Named) -> None:
        for address in person.keys:
            self._address[address.lower()] = person.id
            local, _, domain = address.partition("@")
            if person.is_role or "list" in domain or "list" in local:
                self._lists["".join(keys(local))].add(person.id)
        forms = [ordered(name) for name in (person.name, *person.names)]
        if len(forms[0]) == 1 and len(forms[0][0]) > 2:
            self._last[forms[0][0]].add(person.id)
        if not person.is_role:  # "no-reply" is nobody's name
            forms += [in_address(address) for address in person.keys]
        for form in forms:
            if len(form) < 2:
                continue
            for shorter in (form, without_initials(form), (form[0], form[-1])):
                self._full[shorter].add(person.id)
            if person.is_role or len(form) > 4:
                continue
            for given in form[1:-1]:  # "Robert Huntley" of CFP Robert W. Huntley
                if len(given) > 1:
                    self._inner[given, form[-1]].add(person.id)
            if len(form[0]) > 1:
                self._first[form[0]].add(person.id)
            if len(form[-1]) > 1:
                self._last[form[-1]].add(person.id)

    def _prefer_persons(self, table: dict[Any, set[int]]) -> None:
        for form, ids in table.items():
            persons = {i for i in ids if not self.people[i].is_role}
            if persons and len(persons) < len(ids):
                table[form] = persons

    def _may_be_called(self, person: Named, first: str) -> bool:
        written = [form for form in map(ordered, (person.name, *person.names)) if len(form) > 1]
        in_addresses = [form for form in map(in_address, person.keys) if form]
        return any(same_first(form[0], first) for form in written + in_addresses)

    def _nearest(self, words: str) -> tuple[Form | None, float]:
        """The full name with the largest share of common trigrams (Jaccard)."""
        grams = trigrams(words)
        counts: Counter[Form] = Counter()
        for gram in grams:
            counts.update(self._trigrams.get(gram, ()))
        best, score = None, 0.0
        for form, shared in counts.most_common(20):
            value = shared / (len(grams) + len(trigrams(" ".join(form))) - shared)
            if value > score:
                best, score = form, value
        return best, score
