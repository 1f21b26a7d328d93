"""Names that their neighbours tell: "Kenny Foo of NGX", "the monitoring list", "both Anas", "the Canada folder".

The tagging finds names by themselves. Here the words beside them say which of several is meant, or that a common word
is a name at all.
"""

from __future__ import annotations

from itertools import pairwise

from retrieval.linker import NameIndex
from retrieval.planner import little_words
from retrieval.planner.items import Item, Tagged
from retrieval.planner.languages import Language
from retrieval.planner.tokens import keys


def refine(out: Tagged, language: Language, index: NameIndex) -> None:
    """Links what stands beside names, lists and folders; changes the items in place."""
    little_words.nobody(out)
    _own_firm(out, index)
    _clarify(out, index)
    _namesakes(out, index)
    _lists(out, index)
    _places(out)
    _file_words(out, language)
    _addresses(out)
    little_words.in_a_line(out)
    little_words.contents(out)
    little_words.spoken_of(out)
    little_words.of_mine(out)
    little_words.after_whom(out)
    little_words.begins_with_fw(out)
    little_words.exchange(out)
    little_words.answering(out)
    little_words.exactness(out)
    _folders(out, language, index)


_OUR = ("our", "unsere", "unserer", "unseren", "nos", "notre", "nuestros", "nuestras", "nuestro", "nuestra")

# Folders that are called by their name alone: "in my inbox".
STANDARD_FOLDERS = {"inbox", "outbox", "sent", "sent items", "sent mail", "deleted items", "drafts", "archive", "junk"}


def _own_firm(out: Tagged, index: NameIndex) -> None:
    """ "our company" is the owner's organisation, and so is that of "my colleagues", where no other is named."""
    items: list[Item] = []
    for n, item in enumerate(out.items):
        own = index.own_firm(item.text, item.start, item.stop) if item.tag in ("OWNFIRM", "N:colleague") else None
        if item.tag == "OWNFIRM":
            item.tag, item.value = ("ORG", own) if own else ("WORD", None)
        items.append(item)
        if item.tag == "N:colleague":
            item.tag = "N:person"
            near = [i.tag for i in out.items[max(0, n - 3) : n + 4]]
            whose = [i for i in out.items[max(0, n - 2) : n] if i.tag == "MY" or i.text.lower() in _OUR]
            if own and whose and "ORG" not in near:
                items += [Item("P:at", "", item.stop, item.stop), Item("ORG", item.text, item.start, item.stop, own)]
    out.items[:] = items


def _clarify(out: Tagged, index: NameIndex) -> None:
    """ "UBS Warburg (ubsw.com)", "Kenny Foo of NGX": the place in brackets or after "of" says which one is meant."""
    items = out.items
    i = 0
    while i < len(items):
        if items[i].tag == "OPEN" and i + 2 < len(items) and items[i + 2].tag == "CLOSE" and i:
            inner = items[i + 1]
            if inner.tag in ("ORG", "PERSON") and inner.value.how in ("domain", "address"):
                begin = i
                while begin and (
                    items[begin - 1].tag in ("ORG", "PERSON")
                    or (items[begin - 1].tag == "WORD" and items[begin - 1].capital)
                ):
                    begin -= 1
                before = next((x.tag for x in reversed(items[:begin]) if x.tag != "SKIP"), "")
                placed = before == "P:at"  # "at the Houston Partnership (houston.org)"
                if begin < i and items[begin].tag == "PERSON" and begin == i - 1 and inner.tag == "ORG" and not placed:
                    _narrow(out, items[begin], inner, index)
                    del items[i : i + 3]
                    continue
                if begin < i:
                    for gone in items[begin:i]:
                        if gone.value in out.links:
                            out.links.remove(gone.value)
                    text = " ".join(x.text for x in items[begin:i])
                    items[begin : i + 3] = [Item(inner.tag, text, items[begin].start, items[i + 2].stop, inner.value)]
                    i = begin
        i += 1
    i = 0
    while i + 2 < len(items):
        a, p, b = items[i : i + 3]
        if a.tag == "PERSON" and p.tag in ("P:at", "P:from") and b.tag == "ORG" and a.value.how != "owner":
            narrowed = index.clarified(a.value, b.value)
            if narrowed is not a.value and p.text.lower() in ("of", "at", "from", "von", "bei", "de", "chez", "d"):
                _narrow(out, a, b, index)
                del items[i + 1 : i + 3]
        i += 1


def _narrow(out: Tagged, person: Item, firm: Item, index: NameIndex) -> None:
    narrowed = index.clarified(person.value, firm.value)
    out.links = [narrowed if link is person.value else link for link in out.links if link is not firm.value]
    person.value = narrowed
    person.stop = firm.stop


def _namesakes(out: Tagged, index: NameIndex) -> None:
    """ "both Anas": the two who are called so, each for herself."""
    items = out.items
    for n in range(len(items) - 1, 0, -1):
        word = items[n]
        if items[n - 1].tag not in ("BOTH", "NUM:2") or word.tag != "WORD" or not word.capital:
            continue
        found = index.namesakes(keys(word.text)[0].removesuffix("s"))
        if len(found) != 2:
            continue
        links = [index.link_person(word.text, word.start, word.stop, one) for one in found]
        out.links += links
        one, other = (Item("PERSON", word.text, word.start, word.stop, link, capital=True) for link in links)
        items[n : n + 1] = [one, Item("AND", "", word.stop, word.stop), other]


def _lists(out: Tagged, index: NameIndex) -> None:
    """ "the monitoring mailing list": the address of a list by the word before it."""
    items = out.items
    for n, item in enumerate(items):
        if item.tag in ("N:list", "LIST", "SKIP") and keys(item.text)[-1:] in (("list",), ("liste",), ("lista",)):
            _list_behind(out, n, index)  # Spanish "la lista monitoring"
        spoken = item.tag == "N:list" or (item.tag == "LIST" and item.text.lower().endswith("list"))
        if not spoken or not n or items[n - 1].tag not in ("WORD", "PERSON", "LABEL"):
            continue
        found = index.list_at(keys(items[n - 1].text))
        if found is None:
            continue
        text = f"{items[n - 1].text} {item.text}"
        link = index.link_person(text, items[n - 1].start, item.stop, found)
        out.links = [known for known in out.links if known is not items[n - 1].value] + [link]
        item.tag, item.text, item.value = "PERSON", text, link
        items[n - 1].tag = "SKIP"


def _list_behind(out: Tagged, n: int, index: NameIndex) -> None:
    name = out.items[n + 1] if n + 1 < len(out.items) else None
    found = index.list_at(keys(name.text)) if name is not None and name.tag in ("WORD", "PERSON") else None
    if name is None or found is None:
        return
    link = index.link_person(name.text, name.start, name.stop, found)
    out.links = [known for known in out.links if known is not name.value] + [link]
    to = keys(out.items[n].text)[0] in ("a", "à", "an", "to", "on")
    name.tag, name.value = "PERSON", link
    out.items[n].tag = "P:to" if to else "SKIP"


def _places(out: Tagged) -> None:
    """ "at the port of Vallmar": the common noun between two prepositions and an organisation says nothing more."""
    items = out.said
    for verb, file in pairwise(items):
        if verb.tag == "V:file" and file.tag in ("FILE", "QUOTED"):  # "sent the file plan.pdf"
            verb.tag = "SKIP"
    for n, item in enumerate(items[1:-1], 1):  # "at the law firm Quay"
        if item.tag == "N:org" and items[n + 1].tag == "ORG":
            begin = n - (items[n - 1].tag == "WORD" and not items[n - 1].capital)
            if begin and items[begin - 1].tag in ("P:at", "P:from", "P:to", "P:by", "OUTSIDE"):
                for i in items[begin : n + 1]:
                    i.tag = "SKIP"
    for a, word, of, firm in zip(items, items[1:], items[2:], items[3:], strict=False):
        placed = a.tag in ("P:at", "P:from", "P:to", "P:by", "OUTSIDE") and firm.tag == "ORG"
        if placed and word.tag == "WORD" and not word.capital and of.tag in ("P:at", "P:from"):
            word.tag = of.tag = "SKIP"


def _file_words(out: Tagged, language: Language) -> None:
    """ "a PDF document", "a file plan.pdf": the common noun beside the file says nothing more."""
    for one, other in pairwise(out.items):
        for file, word in ((one, other), (other, one)):
            named = file.tag in ("FILETYPE", "FILE") and word.tag in ("WORD", "N:attachment", "FILETYPE", "V:file")
            if named and word is not file and keys(word.text)[:1] and keys(word.text)[0] in language.file_words:
                word.tag = "SKIP"


def _addresses(out: Tagged) -> None:
    """ "writers with an X address", "from X addresses": the address says no more than the organisation; "address" is
    no verb there."""
    items = [Item("BEGIN", "", 0, 0), *out.said, Item("END", "", 0, 0)]
    for before, firm, word in zip(items, items[1:], items[2:], strict=False):
        if firm.tag not in ("ORG", "DOMAIN"):
            continue
        spoken = word.tag == "N:address" or keys(word.text)[:1] in (("address",), ("addresses",))
        asked = before.tag.startswith(("Q:", "LIST", "NUM"))  # "which quay.example addresses"
        if spoken:
            word.tag = "N:address" if asked else "SKIP"
        if firm.tag == "ORG" and spoken and before.tag == "P:with":
            before.tag = "P:at"
        # a domain is that of nobody's organisation, such as a private provider's
        named = before.tag in ("P:from", "P:to", "P:by", "P:at", "BESIDES", "ASIDE")
        if firm.tag == "DOMAIN" and not (spoken or named):
            firm.tag = "WORD"


def _folders(out: Tagged, language: Language, index: NameIndex) -> None:
    """The words before or after "folder" are its name, where a folder is called so."""
    items = out.items
    n = 0
    while (n := n + 1) < len(items):  # the row grows shorter on the way
        before = items[n - 1] if items[n - 1].tag != "SKIP" or n < 2 else items[n - 2]
        if before.tag in ("P:at", "MY", "V:file") and items[n].tag in ("WORD", "V:send"):
            words = _words(items[n : n + 2])
            for size, wanted in ((2, words), (1, words[:1])):
                there = n + size <= len(items)
                if there and " ".join(wanted) in STANDARD_FOLDERS and (ids := index.label_at(wanted)):
                    text = " ".join(x.text for x in items[n : n + size])
                    link = index.link_label(text, items[n].start, items[n + size - 1].stop, ids)
                    out.links.append(link)
                    items[n : n + size] = [Item("LABEL", text, link.start, link.stop, link)]
                    break
    i = 0
    while i < len(items):
        if items[i].tag != "N:label":
            i += 1
            continue
        hit = _folder_beside(items, i, index)
        if hit is None:
            i += 1
            continue
        begin, end, ids = hit
        for gone in items[begin:end]:
            if gone.tag in ("PERSON", "ORG") and gone.value in out.links:
                out.links.remove(gone.value)
        text = " ".join(x.text for x in items[begin:end])
        link = index.link_label(text, items[begin].start, items[end - 1].stop, ids)
        out.links.append(link)
        items[begin:end] = [Item("LABEL", text, items[begin].start, items[end - 1].stop, link)]
        i = begin + 1


def _words(items: list[Item]) -> list[str]:
    return [w for x in items for w in keys(x.text)]


def _folder_beside(items: list[Item], i: int, index: NameIndex) -> tuple[int, int, tuple[int, ...]] | None:
    for n in range(4, 0, -1):  # before: "the NetCo credit folder"
        if i - n < 0:
            continue
        words = [w for x in items[i - n : i] for w in keys(x.text)]
        if items[i - n].tag not in ("SKIP",) and (ids := index.label_at(words)):
            return i - n, i + 1, ids
    first = i + 1
    while first < len(items) and items[first].tag in ("SKIP", "TITLED", "COMMA") and items[first].text != "?":
        first += 1
    for n in range(4, 0, -1):  # after: "the folder 'NetCo credit'", "folder called Canada"
        if first + n > len(items) or any(x.tag in ("END", "OPEN", "CLOSE") for x in items[first : first + n]):
            continue
        words = [w for x in items[first : first + n] for w in keys(x.text)]
        if ids := index.label_at(words):
            return i, first + n, ids
    return None
