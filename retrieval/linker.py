"""Names in a question become ids of the store: people, organisations, folders.

Ways of matching, tried in this order: an address or a domain; a full name ("exact"); a name in another form, such as
a first initial with a last name, a single first or last name, the first word of a company ("alias"); a misspelt name
by shared trigrams ("fuzzy"). Ambiguity is kept: when a name fits several people all of them are candidates, with the
number of their messages, and the facts say so. Two exceptions, both shown as candidates all the same: a single first
name of the owner means the owner, and people with a twentieth of the mail of the most frequent bearer of a single
name are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from retrieval.name_forms import Named, under
from retrieval.name_places import How, Match, Place, place
from retrieval.names_of_firms import FirmNames
from retrieval.names_of_people import PeopleNames
from retrieval.planner.tokens import Token, keys

LinkKind = Literal["person", "organization", "label"]

KEPT_CANDIDATES = 6
RARE_SHARE = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A vertex that a name may mean. ``n``: its messages; ``score``: 1 is an exact match."""

    id: int
    label: str
    n: int
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """Words of the question (tokens ``start``..``stop``) and what they were linked to. ``ids`` are used by the plan,
    ``candidates`` are all that were found, best first."""

    text: str
    start: int
    stop: int
    kind: LinkKind
    ids: tuple[int, ...]
    how: How
    candidates: tuple[Candidate, ...]

    @property
    def ambiguous(self) -> bool:
        """Several vertices are meant at once."""
        return len(self.ids) > 1


class NameIndex:
    """Look-up tables over all names of a store; made once for each version of the graph."""

    def __init__(
        self,
        people: Sequence[Named],
        organizations: Sequence[Named],
        labels: Sequence[Named],
        owner_organizations: Sequence[int] = (),
    ) -> None:
        self._people = PeopleNames(people)
        self._firms = FirmNames(organizations, owner_organizations)
        self.people = self._people.people
        self.organizations = self._firms.organizations
        self.labels = {label.id: label for label in labels}
        self.owners = self._people.owners
        self.owner_organizations = self._firms.own

    def owner_link(self, token: Token, position: int) -> Link | None:
        """ "I", "me", "my": the owner of the mailbox."""
        if not self.owners:
            return None
        return self._link_people(token.text, position, position + 1, self.owners, "owner", 1.0)

    def own_firm(self, text: str, start: int, stop: int) -> Link | None:
        """ "our company": the organisations that the owner writes from."""
        ids = tuple(i for i in self.owner_organizations if i in self.organizations)
        if not ids:
            return None
        found = [self.organizations[i] for i in ids]
        candidates = tuple(Candidate(o.id, o.keys[0], o.n, 1.0) for o in found)
        return Link(text, start, stop, "organization", ids, "owner", candidates)

    def at(
        self,
        tokens: Sequence[Token],
        i: int,
        common: frozenset[str],
        *,
        prefer_firm: bool = False,
        expected: bool = False,
        small: bool = False,
    ) -> Link | None:
        """The longest name that begins at token i; ``common`` words link only inside longer names.

        ``prefer_firm``: the words before speak of a place of work ("at", "outside"), so a word that is both a
        person's and a company's name is the company's. ``expected``: a name may well stand here ("from", "between"),
        so that a single small word may be one where the question is written ``small``: capitals tell nothing.
        """
        token = tokens[i]
        if token.kind == "address":
            found = self._people.of_address(token.text)
            return self._link_people(token.text, i, i + 1, (found,), "address", 1.0) if found is not None else None
        if token.kind == "domain":
            firms = self._firms.of_domain(token.key)
            return self._link_firms(token.text, i, i + 1, firms, "domain", 1.0) if firms else None
        here = place(tokens, i, common)
        if not here.run:
            return None
        whispered = expected and small
        person = self._person(here, self._people.in_full(here) or self._people.in_part(here, whispered=whispered))
        firm = self._firm(here, self._firms.at(here, whispered=small and (expected or prefer_firm)))
        if person is None or firm is None:
            return person or firm or self._person(here, self._people.misspelt(here))
        if person.stop != firm.stop:
            return max(person, firm, key=lambda link: link.stop)
        if prefer_firm or (person.how == "alias" and self._weightier(firm, person)):
            return firm
        return person

    def clarified(self, link: Link, domain: Link) -> Link:
        """ "Kenny Foo (ngx.com)", "Kenny Foo of NGX": people narrowed to those with an address there, if any has."""
        domains = {self.organizations[o].keys[0] for o in domain.ids if self.organizations[o].keys}
        there = [
            c
            for c in link.candidates
            if any(under(a.rpartition("@")[2], d) for a in self.people[c.id].keys for d in domains)
        ]
        if not there:
            return link
        return replace(link, ids=tuple(c.id for c in there), candidates=tuple(there))

    def namesakes(self, first: str) -> tuple[int, ...]:
        """The persons with this first name, those with most mail first: "both Anas"."""
        found = [self.people[i] for i in self._people.of_first_name(first)]
        return tuple(p.id for p in sorted(found, key=lambda p: (-p.n, p.id)))

    def people_under(self, domain: str) -> tuple[int, ...]:
        """Everybody with an address at a domain, be it nobody's organisation."""
        return tuple(p.id for p in self.people.values() if any(under(a.rpartition("@")[2], domain) for a in p.keys))

    def list_at(self, words: Sequence[str]) -> int | None:
        """The list or office whose address begins with these words, the one with most mail."""
        found = [self.people[i] for i in self._people.of_list("".join(words))]
        return max(found, key=lambda p: (p.n, -p.id)).id if found else None

    def link_person(self, text: str, start: int, stop: int, id: int) -> Link:
        """A link to one person, office or list."""
        return self._link_people(text, start, stop, (id,), "alias", 1.0)

    def label_at(self, words: Sequence[str]) -> tuple[int, ...]:
        """Labels (folders) named by these keys: the last part of the path equal to them, else all words in it."""
        wanted = tuple(words)
        if not wanted:
            return ()
        equal, holding = [], []
        for label in self.labels.values():
            parts = [keys(part) for part in label.name.replace("/", ".").split(".") if keys(part)]
            whole = tuple(w for part in parts for w in part)
            name = parts[-1] if parts else ()
            if wanted in (whole, name) or "".join(wanted) == "".join(name):
                equal.append(label)
            elif set(wanted) <= set(whole):
                holding.append(label)
        found = equal or holding
        exact = [label for label in found if wanted == tuple(keys(label.name))]
        return tuple(label.id for label in (exact or found))

    def has_label(self, name: str) -> bool:
        """Whether a label is called just so."""
        return any(label.name.casefold() == name.casefold() for label in self.labels.values())

    def link_label(self, text: str, start: int, stop: int, ids: Iterable[int]) -> Link:
        """A link to labels found by :meth:`label_at`."""
        candidates = tuple(Candidate(i, self.labels[i].name, self.labels[i].n, 1.0) for i in ids)
        return Link(text, start, stop, "label", tuple(c.id for c in candidates), "exact", candidates)

    def _weightier(self, firm: Link, person: Link) -> bool:
        """The owner's organisation, or one with more mail, is meant before a person who happens to be called so."""
        return bool(set(firm.ids) & set(self.owner_organizations)) or firm.candidates[0].n > person.candidates[0].n

    def _person(self, here: Place, match: Match | None) -> Link | None:
        if match is None:
            return None
        stop = here.i + match.size
        link = self._link_people(here.text(match.size), here.i, stop, match.ids, match.how, match.score)
        return replace(link, ids=tuple(match.ids & set(self.owners))) if match.how == "owner" else link

    def _firm(self, here: Place, match: Match | None) -> Link | None:
        if match is None:
            return None
        stop = here.i + match.size
        return self._link_firms(here.text(match.size), here.i, stop, match.ids, match.how, match.score)

    def _link_people(self, text: str, start: int, stop: int, ids: Iterable[int], how: How, score: float) -> Link:
        people = (self.people[i] for i in ids)
        found = _most_mail_first(
            Candidate(p.id, p.name or (p.keys[0] if p.keys else str(p.id)), p.n, score) for p in people
        )
        kept = found if stop - start > 1 else [c for c in found if c.n * RARE_SHARE >= found[0].n]
        return Link(text, start, stop, "person", tuple(c.id for c in kept[:KEPT_CANDIDATES]), how, tuple(found[:20]))

    def _link_firms(self, text: str, start: int, stop: int, ids: Iterable[int], how: How, score: float) -> Link:
        firms = (self.organizations[i] for i in ids)
        found = _most_mail_first(Candidate(o.id, o.keys[0], o.n, score) for o in firms)
        return Link(text, start, stop, "organization", tuple(c.id for c in found[:KEPT_CANDIDATES]), how, tuple(found))


def _most_mail_first(found: Iterable[Candidate]) -> list[Candidate]:
    return sorted(found, key=lambda c: (-c.n, c.id))
