"""Names in a question become ids of the store: people, organisations, folders.

Ways of matching, tried in this order: an address or a domain; a full name ("exact"); a name in another form, such as
a first initial with a last name, a single first or last name, the first word of a company ("alias"); a misspelt name
by shared trigrams ("fuzzy"). Ambiguity is kept: when a name fits several people all of them are candidates, with the
number of their messages, and the facts say so. Two exceptions, both shown as candidates all the same: a single first
name of the owner means the owner, and people with a twentieth of the mail of the most frequent bearer of a single
name are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from retrieval.planner.tokens import Token, keys

LinkKind = Literal["person", "organization", "label"]
How = Literal["owner", "address", "domain", "exact", "alias", "fuzzy"]

FUZZY = 0.55
KEPT_CANDIDATES = 6
RARE_SHARE = 20

# Short forms that do not begin as the full name does.
SHORT_NAMES = {
    "bob": "robert", "bill": "william", "jim": "james", "dick": "richard", "rick": "richard", "ted": "edward",
    "ed": "edward", "jack": "john", "peggy": "margaret", "meg": "margaret", "liz": "elizabeth", "beth": "elizabeth",
    "betty": "elizabeth", "tony": "anthony", "harry": "henry", "kate": "catherine", "kathy": "catherine",
    "chuck": "charles", "hank": "henry", "larry": "lawrence", "mike": "michael", "pat": "patricia", "sue": "susan",
    "gene": "eugene", "drew": "andrew", "sasha": "alexander", "alex": "alexander", "sandy": "alexandra",
    "pepe": "jose", "paco": "francisco", "pancho": "francisco", "nacho": "ignacio", "lola": "dolores",
    "hans": "johannes", "klaus": "nikolaus", "fritz": "friedrich", "uli": "ulrich", "sepp": "josef",
}  # fmt: skip


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


@dataclass(frozen=True, slots=True)
class Named:
    """A vertex with its names. ``keys``: addresses of a person, the domain of an organisation."""

    id: int
    name: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
    n: int
    is_owner: bool = False
    is_role: bool = False


class NameIndex:
    """Look-up tables over all names of a store; made once for each version of the graph."""

    def __init__(
        self,
        people: Sequence[Named],
        organizations: Sequence[Named],
        labels: Sequence[Named],
        owner_organizations: Sequence[int] = (),
    ) -> None:
        self.people = {p.id: p for p in people}
        self.organizations = {o.id: o for o in organizations}
        self.labels = {label.id: label for label in labels}
        self.owners = tuple(p.id for p in people if p.is_owner)
        self._address: dict[str, int] = {}
        self._lists: dict[str, set[int]] = defaultdict(set)
        self._full: dict[tuple[str, ...], set[int]] = defaultdict(set)
        self._first: dict[str, set[int]] = defaultdict(set)
        self._last: dict[str, set[int]] = defaultdict(set)
        for person in people:
            self._add_person(person)
        for table in (self._full, self._first, self._last):
            self._prefer_persons(table)
        self._domain: dict[str, int] = {}
        self._firm: dict[str, set[int]] = defaultdict(set)
        self._firm_alias: dict[str, set[int]] = defaultdict(set)
        for organization in organizations:
            self._add_organization(organization)
        self.owner_organizations = tuple(owner_organizations)
        self._firm_ends: dict[str, set[str]] = defaultdict(set)
        for label in self._firm:
            self._firm_ends[label[:5]].add(label)
            self._firm_ends[label[-5:]].add(label)
        self._trigrams: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for form in self._full:
            for gram in _grams(" ".join(form)):
                self._trigrams[gram].append(form)

    # -- building -----------------------------------------------------------------------------

    def _add_person(self, person: Named) -> None:
        for address in person.keys:
            self._address[address.lower()] = person.id
            local, _, domain = address.partition("@")
            if person.is_role or "list" in domain or "list" in local:
                self._lists["".join(keys(local))].add(person.id)
        forms = [_ordered(name) for name in (person.name, *person.names)]
        if not person.is_role:  # "no-reply" is nobody's name
            forms += [_local_part(address) for address in person.keys]
        for index, form in enumerate(forms):
            if len(form) < 2:
                if len(form) == 1 and index == 0 and len(form[0]) > 2:
                    self._last[form[0]].add(person.id)
                continue
            self._full[form].add(person.id)
            short = (form[0], *(w for w in form[1:-1] if len(w) > 1), form[-1])
            self._full[short].add(person.id)
            self._full[(form[0], form[-1])].add(person.id)
            if person.is_role or len(form) > 4:
                continue  # lists and offices answer to their full name only
            if len(form[0]) > 1:
                self._first[form[0]].add(person.id)
            if len(form[-1]) > 1:
                self._last[form[-1]].add(person.id)

    def _prefer_persons(self, table: dict[Any, set[int]]) -> None:
        """A list or a service that writes in somebody's name is not who is meant by that name."""
        for form, ids in table.items():
            persons = {i for i in ids if not self.people[i].is_role}
            if persons and len(persons) < len(ids):
                table[form] = persons

    def _add_organization(self, organization: Named) -> None:
        domain = organization.keys[0].lower() if organization.keys else organization.name.lower()
        self._domain[domain] = organization.id
        label = domain.split(".")[0]
        words = keys(label)
        self._firm["".join(words)].add(organization.id)
        named = keys(organization.name)
        if named and organization.name.lower() != domain:
            self._firm["".join(named)].add(organization.id)
        for form in (words, named):
            if len(form) > 1 and len(form[0]) > 3:
                self._firm_alias[form[0]].add(organization.id)
        if 3 < len(label) <= 6:
            self._firm_alias[label[:-1]].add(organization.id)

    # -- looking up ---------------------------------------------------------------------------

    def owner_link(self, token: Token, position: int) -> Link | None:
        """ "I", "me", "my": the owner of the mailbox."""
        if not self.owners:
            return None
        return self._person(token.text, position, position + 1, self.owners, "owner", 1.0)

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
            found = self._address.get(token.text.lower())
            return self._person(token.text, i, i + 1, (found,), "address", 1.0) if found is not None else None
        if token.kind == "domain":
            return self._firms(token.text, i, i + 1, self._under_domain(token.key), "domain", 1.0)
        run = _run(tokens, i)
        if not run:
            return None
        whispered = expected and small
        person, firm = (
            self._full_name(tokens, i, run),
            self._firm_at(tokens, i, run, common, small and (expected or prefer_firm)),
        )
        if person is None:
            person = self._partly(tokens, i, run, common, whispered)
        if person is not None and firm is not None and person.how == "alias" and person.stop == firm.stop:
            prefer_firm = prefer_firm or self._weightier(firm, person)
        best = [x for x in ((firm, person) if prefer_firm else (person, firm)) if x is not None]
        if best:
            return max(best, key=lambda link: link.stop)
        return self._fuzzy(tokens, i, run, common)

    def _full_name(self, tokens: Sequence[Token], i: int, run: int) -> Link | None:
        for n in range(min(run, 5), 1, -1):
            words = tuple(t.key for t in tokens[i : i + n])
            for form in (words, (words[0], *(w for w in words[1:-1] if len(w) > 1), words[-1])):
                if form in self._full and all(len(w) > 1 for w in (form[0], form[-1])):
                    return self._person(_text(tokens, i, i + n), i, i + n, self._full[form], "exact", 1.0)
        return None

    def _partly(
        self, tokens: Sequence[Token], i: int, run: int, common: frozenset[str], whispered: bool
    ) -> Link | None:
        word = tokens[i]
        if run >= 2 and word.capital and tokens[i + 1].capital and tokens[i + 1].key in self._last:
            # Bob Milton for Robert Milton, R. Milton: the last name, and a first name that fits
            fits = {p for p in self._last[tokens[i + 1].key] if self._fits_first(p, word.key)}
            if fits:
                return self._person(_text(tokens, i, i + 2), i, i + 2, fits, "alias", 0.8)
            return None
        if len(word.key) < 3 or word.key in common or not (word.capital or whispered):
            return None
        owners = self._first.get(word.key, set()) & set(self.owners)
        if owners:
            link = self._person(word.text, i, i + 1, self._first[word.key], "alias", 0.9)
            return link and replace(link, ids=tuple(owners), how="owner")
        if whispered and not (self._last.get(word.key) or len(self._first.get(word.key, ())) == 1):
            return None
        if not whispered and _in_capitals(tokens, i, run, common):
            return None  # "David Smithers" is nobody we know, not every David; "Navy Yard" no Mr Yard
        found = self._last.get(word.key, set()) | self._first.get(word.key, set())
        return self._person(word.text, i, i + 1, found, "alias", 0.7) if found else None

    def _fits_first(self, person: int, first: str) -> bool:
        for name in (self.people[person].name, *self.people[person].names):
            form = _ordered(name)
            if len(form) > 1 and _same_first(form[0], first):
                return True
        return any(form and _same_first(form[0], first) for form in map(_local_part, self.people[person].keys))

    def _weightier(self, firm: Link, person: Link) -> bool:
        """The owner's organisation, or one with more mail, is meant before a person who happens to be called so."""
        return bool(set(firm.ids) & set(self.owner_organizations)) or firm.candidates[0].n > person.candidates[0].n

    def _firm_at(
        self, tokens: Sequence[Token], i: int, run: int, common: frozenset[str], whispered: bool
    ) -> Link | None:
        for n in range(min(run, 5), 0, -1):
            words = [t.key for t in tokens[i : i + n]]
            if n == 1 and (len(words[0]) < 2 or words[0] in common or not (tokens[i].capital or whispered)):
                return None
            forms = ["".join(words)]
            if n >= 3 and tokens[i].capital and tokens[i + n - 1].capital:
                initials = "".join(w[0] for w in words)
                forms += [initials, initials[:-1] + words[-1]]
            if n == 1 and not whispered and _in_capitals(tokens, i, run, common):
                continue  # "Keller Park" is not the firm Keller
            for form in forms:
                if form in self._firm:
                    how: How = "exact" if form == forms[0] else "alias"
                    ids = set(self._firm[form])
                    if n == 1 and tokens[i].text.isupper():
                        ids |= self._firm_alias.get(form, set())
                    return self._firms(_text(tokens, i, i + n), i, i + n, ids, how, 1.0)
        word = tokens[i]
        if _in_capitals(tokens, i, run, common):
            return None
        if (word.capital or whispered) and len(word.key) > 4:
            near = self._firm_ends.get(word.key[:5], set()) | self._firm_ends.get(word.key[-5:], set())
            parts = {id for label in near if _begins_or_ends(label, word.key) for id in self._firm[label]}
            if len(parts) == 1 and not any(o in self.owner_organizations for o in parts):
                return self._firms(word.text, i, i + 1, parts, "alias", 0.6)
        if word.capital and word.key in self._firm_alias and (len(word.key) > 3 or word.text.isupper()):
            return self._firms(word.text, i, i + 1, self._firm_alias[word.key], "alias", 0.7)
        return None

    def _fuzzy(self, tokens: Sequence[Token], i: int, run: int, common: frozenset[str]) -> Link | None:
        n = 0
        while n < min(run, 3) and tokens[i + n].capital and tokens[i + n].key not in common:
            n += 1
        for size in range(n, 1, -1):
            words = " ".join(t.key for t in tokens[i : i + size])
            form, score = self._nearest(words)
            if form is not None and score >= FUZZY and len(form) == size:
                return self._person(_text(tokens, i, i + size), i, i + size, self._full[form], "fuzzy", score)
        return None

    def _nearest(self, words: str) -> tuple[tuple[str, ...] | None, float]:
        """The full name with the largest share of common trigrams (Jaccard)."""
        grams = _grams(words)
        counts: Counter[tuple[str, ...]] = Counter()
        for gram in grams:
            counts.update(self._trigrams.get(gram, ()))
        best, score = None, 0.0
        for form, shared in counts.most_common(20):
            value = shared / (len(grams) + len(_grams(" ".join(form))) - shared)
            if value > score:
                best, score = form, value
        return best, score

    def clarified(self, link: Link, domain: Link) -> Link:
        """ "Kenny Foo (ngx.com)", "Kenny Foo of NGX": people narrowed to those with an address there, if any has."""
        domains = {self.organizations[o].keys[0] for o in domain.ids if self.organizations[o].keys}
        there = [
            c
            for c in link.candidates
            if any(_under(a.rpartition("@")[2], d) for a in self.people[c.id].keys for d in domains)
        ]
        if not there:
            return link
        return replace(link, ids=tuple(c.id for c in there), candidates=tuple(there))

    def namesakes(self, first: str) -> tuple[int, ...]:
        """The persons with this first name, those with most mail first: "both Anas"."""
        found = [self.people[i] for i in self._first.get(first, ())]
        return tuple(p.id for p in sorted(found, key=lambda p: (-p.n, p.id)))

    def list_at(self, words: Sequence[str]) -> int | None:
        """The list or office whose address begins with these words, the one with most mail."""
        found = [self.people[i] for i in self._lists.get("".join(words), ())]
        return max(found, key=lambda p: (p.n, -p.id)).id if found else None

    def link_person(self, text: str, start: int, stop: int, id: int) -> Link:
        """A link to one person or list found by :meth:`list_at`."""
        return self._person(text, start, stop, (id,), "alias", 1.0)

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

    def link_label(self, text: str, start: int, stop: int, ids: Iterable[int]) -> Link:
        """A link to labels found by :meth:`label_at`."""
        candidates = tuple(Candidate(i, self.labels[i].name, self.labels[i].n, 1.0) for i in ids)
        return Link(text, start, stop, "label", tuple(c.id for c in candidates), "exact", candidates)

    def _under_domain(self, domain: str) -> set[int]:
        if domain in self._domain:
            return {self._domain[domain]}
        return {id for known, id in self._domain.items() if _under(domain, known)}

    def _person(self, text: str, start: int, stop: int, ids: Iterable[int], how: How, score: float) -> Link:
        found = sorted(
            (
                Candidate(i, self.people[i].name or _first_key(self.people[i]), self.people[i].n, score)
                for i in set(ids)
            ),
            key=lambda c: (-c.n, c.id),
        )
        kept = found if stop - start > 1 else [c for c in found if c.n * RARE_SHARE >= found[0].n]
        return Link(text, start, stop, "person", tuple(c.id for c in kept[:KEPT_CANDIDATES]), how, tuple(found[:20]))

    def _firms(self, text: str, start: int, stop: int, ids: Iterable[int], how: How, score: float) -> Link | None:
        found = sorted(
            (Candidate(i, self.organizations[i].keys[0], self.organizations[i].n, score) for i in set(ids)),
            key=lambda c: (-c.n, c.id),
        )
        if not found:
            return None
        return Link(text, start, stop, "organization", tuple(c.id for c in found[:KEPT_CANDIDATES]), how, tuple(found))


def _begins_or_ends(label: str, word: str) -> bool:
    """ "Vallmar" of puertovallmar, where it is a good part of it."""
    return len(word) * 2 >= len(label) and label != word and (label.startswith(word) or label.endswith(word))


def _in_capitals(tokens: Sequence[Token], i: int, run: int, common: frozenset[str]) -> bool:
    """The word at i is a part of a longer name: a capital word that is no common one stands beside it."""
    after = run > 1 and tokens[i + 1].capital and tokens[i + 1].key not in common
    before = (
        i > 0
        and tokens[i - 1].kind == "word"
        and tokens[i - 1].capital
        and tokens[i - 1].key not in common
        and tokens[i].start - tokens[i - 1].stop <= 1
    )
    return after or before


def _same_first(a: str, b: str) -> bool:
    """Whether two first names may be the same person's: R., Rob, Robert, Bob."""
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    if a[:3] == b[:3]:
        return True
    return SHORT_NAMES.get(a, a) == SHORT_NAMES.get(b, b)


def _ordered(name: str) -> tuple[str, ...]:
    """The keys of a person's name, first name first: "Milton, Robert J. (Legal)" -> robert, j, milton."""
    if "@" in name:
        return ()
    name = name.split("(")[0].strip().strip("'\"")
    last, comma, first = name.partition(",")
    return keys(f"{first} {last}" if comma and first.strip() else name)


def _local_part(address: str) -> tuple[str, ...]:
    local = address.partition("@")[0].partition("+")[0]
    return tuple(w for w in keys(local.replace("_", " ")) if w.isalpha()) if any(c in local for c in "._-") else ()


def _first_key(named: Named) -> str:
    return named.keys[0] if named.keys else str(named.id)


def _run(tokens: Sequence[Token], i: int) -> int:
    """How many words follow each other from i on, with nothing but spaces, points of initials or hyphens between."""
    n = 0
    while i + n < len(tokens) and tokens[i + n].kind == "word" and n < 6:
        if n and tokens[i + n].start - tokens[i + n - 1].stop > 2:
            break
        n += 1
    return n


def _text(tokens: Sequence[Token], i: int, j: int) -> str:
    return " ".join(t.text for t in tokens[i:j])


def _under(domain: str, of: str) -> bool:
    return domain == of or domain.endswith("." + of)


def _grams(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
