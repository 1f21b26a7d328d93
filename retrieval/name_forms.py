"""The forms in which a name is compared, whoever wrote it: in a header, in an address, in a question.

A person's name is a tuple of keys, first name first; the same name stands in the local part of many addresses. First
names that a person may go by are the same name; misspelt ones share most of their trigrams.
"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.planner.tokens import keys

Form = tuple[str, ...]

# Short forms that do not begin as the full name does.
_SHORT_NAMES = {
    "bob": "robert", "bill": "william", "jim": "james", "dick": "richard", "rick": "richard", "ted": "edward",
    "ed": "edward", "jack": "john", "peggy": "margaret", "meg": "margaret", "liz": "elizabeth", "beth": "elizabeth",
    "betty": "elizabeth", "tony": "anthony", "harry": "henry", "kate": "catherine", "kathy": "catherine",
    "chuck": "charles", "hank": "henry", "larry": "lawrence", "mike": "michael", "pat": "patricia", "sue": "susan",
    "gene": "eugene", "drew": "andrew", "sasha": "alexander", "alex": "alexander", "sandy": "alexandra",
    "pepe": "jose", "paco": "francisco", "pancho": "francisco", "nacho": "ignacio", "lola": "dolores",
    "hans": "johannes", "klaus": "nikolaus", "fritz": "friedrich", "uli": "ulrich", "sepp": "josef",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """A vertex with its names. ``keys``: addresses of a person, the domain of an organisation; ``n``: its messages."""

    id: int
    name: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
    n: int
    is_owner: bool = False
    is_role: bool = False


def ordered(name: str) -> Form:
    """The keys of a person's name, first name first: "Milton, Robert J. (Legal)" -> robert, j, milton; none for an
    address in place of a name."""
    if "@" in name:
        return ()
    name = name.split("(")[0].strip().strip("'\"")
    last, comma, first = name.partition(",")
    return keys(f"{first} {last}" if comma and first.strip() else name)


def in_address(address: str) -> Form:
    """The name that the local part of an address spells ("robert.milton@..."); none where it is one word."""
    local = address.partition("@")[0].partition("+")[0]
    return tuple(w for w in keys(local.replace("_", " ")) if w.isalpha()) if any(c in local for c in "._-") else ()


def without_initials(form: Form) -> Form:
    """A form of two or more keys without middle initials: robert, j, milton -> robert, milton."""
    return (form[0], *(w for w in form[1:-1] if len(w) > 1), form[-1])


def same_first(a: str, b: str) -> bool:
    """Whether two first names may be the same person's: R., Rob, Robert, Bob."""
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    if a[:3] == b[:3]:
        return True
    return _SHORT_NAMES.get(a, a) == _SHORT_NAMES.get(b, b)


def trigrams(text: str) -> set[str]:
    """The trigrams of ``text``, its ends among them."""
    padded = f"  {text} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}


def under(domain: str, of: str) -> bool:
    """Whether ``domain`` is ``of`` or a part of it: mail.quay.example is under quay.example."""
    return domain == of or domain.endswith("." + of)
