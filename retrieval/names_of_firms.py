"""Organisations by their names, which are mostly those of their domains: "Ferry Lines" is ferry-lines.example.

A domain is written as one word and a company's name as several, shortened or by its initials; so words are compared
joined together, and a long word may be the beginning or the end of a domain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from retrieval.name_forms import Named, under
from retrieval.name_places import Match, Place
from retrieval.planner.tokens import keys

# So many letters of a label's beginning and end find it again.
_END = 5


class FirmNames:
    """Look-up tables over the names and domains of ``organizations``; ``own``: those the owner writes from."""

    def __init__(self, organizations: Sequence[Named], own: Sequence[int]) -> None:
        self.organizations = {o.id: o for o in organizations}
        self.own = tuple(own)
        self._domain: dict[str, int] = {}
        self._joined: dict[str, set[int]] = defaultdict(set)
        self._alias: dict[str, set[int]] = defaultdict(set)
        for organization in organizations:
            self._add(organization)
        self._ends: dict[str, set[str]] = defaultdict(set)
        for label in self._joined:
            self._ends[label[:_END]].add(label)
            self._ends[label[-_END:]].add(label)

    def of_domain(self, domain: str) -> set[int]:
        """Whose domain this is, or whose it is a part of."""
        if domain in self._domain:
            return {self._domain[domain]}
        return {id for known, id in self._domain.items() if under(domain, known)}

    def at(self, place: Place, *, whispered: bool) -> Match | None:
        """The longest name of an organisation at ``place``. ``whispered``: a single small word may be a name too."""
        word = place.word
        for n in range(min(place.run, 5), 1, -1):
            if match := self._of_words(place, n):
                return match
        if len(word.key) < 2 or word.key in place.common or not (word.capital or whispered):
            return None
        within = place.within_longer_name()
        if (whispered or not within) and word.key in self._joined:  # "Keller Park" is not the firm Keller
            aliases = self._alias.get(word.key, set()) if word.text.isupper() else set()
            return Match(1, self._joined[word.key] | aliases, "exact", 1.0)
        return None if within else self._of_part(place)

    def _add(self, organization: Named) -> None:
        domain = organization.keys[0].lower() if organization.keys else organization.name.lower()
        self._domain[domain] = organization.id
        label = domain.split(".")[0]
        words = keys(label)
        self._joined["".join(words)].add(organization.id)
        named = keys(organization.name)
        if named and organization.name.lower() != domain:
            self._joined["".join(named)].add(organization.id)
        for form in (words, named):
            if len(form) > 1 and len(form[0]) > 3:
                self._alias[form[0]].add(organization.id)
        if 3 < len(label) <= 6:
            self._alias[label[:-1]].add(organization.id)

    def _of_words(self, place: Place, n: int) -> Match | None:
        """Several words: joined, by their initials, or by those of all but the last word."""
        found = place.words(n)
        words = [t.key for t in found]
        joined = "".join(words)
        if joined in self._joined:
            return Match(n, self._joined[joined], "exact", 1.0)
        if n >= 3 and found[0].capital and found[-1].capital:
            initials = "".join(w[0] for w in words)
            for form in (initials, initials[:-1] + words[-1]):
                if form in self._joined:
                    return Match(n, self._joined[form], "alias", 1.0)
        return None

    def _of_part(self, place: Place) -> Match | None:
        """A word that is a good part of one domain alone, or a known shorter form."""
        word = place.word
        if len(word.key) >= _END:
            near = self._ends.get(word.key[:_END], set()) | self._ends.get(word.key[-_END:], set())
            parts = {id for label in near if _begins_or_ends(label, word.key) for id in self._joined[label]}
            if len(parts) == 1 and not parts.intersection(self.own):
                return Match(1, parts, "alias", 0.6)
        if word.capital and word.key in self._alias and (len(word.key) > 3 or word.text.isupper()):
            return Match(1, self._alias[word.key], "alias", 0.7)
        return None


def _begins_or_ends(label: str, word: str) -> bool:
    """ "Vallmar" of puertovallmar, where it is a good part of it."""
    return len(word) * 2 >= len(label) and label != word and (label.startswith(word) or label.endswith(word))
