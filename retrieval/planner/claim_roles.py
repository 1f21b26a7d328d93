"""Who is sender and who is recipient in a claim, whatever the order of its words.

The preposition before a name tells its role, else the words behind it ("was in copy"), else the verb and its voice.
The noun that the claim is about, its gap, takes the role that is left.
"""

from __future__ import annotations

from graph.plan import AnsweredBy, Answers, Between, Filter, Organizations, People, Plan, Role
from retrieval.linker import NameIndex
from retrieval.planner.claim import Claim, Entity
from retrieval.planner.items import Item
from retrieval.planner.look import NAMES, before, joined, message_behind, tag_at, verb_of
from retrieval.planner.role_words import ROLES, means_mail, of_gap, role_behind, stranded_in

_OF = ("of", "von", "de")
_OBJECT_FORMS = {"me", "mir", "mich", "m", "him", "her", "them", "ihm", "ihn", "ihnen", "lui", "leur", "le", "les"}


class ClaimRoles:
    """Gives the names of a claim their roles. ``referent``: whom a pronoun means; ``to_role``: how recipients count;
    ``unread``: words that point to something of which nothing is known."""

    def __init__(self, index: NameIndex) -> None:
        self.index = index
        self.referent: tuple[int, ...] | Plan | None = None
        self.to_role: Role = "recipient"
        self.unread: list[str] = []

    def _entities(self, items: list[Item], used: list[bool], gap: str, out: Claim) -> list[Entity]:
        found: list[Entity] = []
        place: list[int] | None = None
        for n, item in enumerate(items):
            if used[n] or item.tag not in (*NAMES, "MY"):
                continue
            ids = self._ids(item)
            if item.tag == "HE" and gap == "message" and means_mail(items, n):
                item.tag = "SKIP"
            if item.tag == "SKIP" or (item.tag == "HE" and message_behind(items, n)):
                continue
            if ids is None or (item.tag == "HE" and any(ids == e.ids for e in found)):
                # "people who had X in Cc of something they sent": who is meant is not known
                acting = item.tag == "HE" and tag_at(items, n + 1).startswith("V:")
                self.unread += [item.text] if acting and gap == "person" else []
                continue
            firm = item.tag == "ORG"
            preceding = before(items, n)
            entity = Entity(ids, firm, n, group=len(found))
            if item.tag == "MY":
                entity.role = "sender"
                if not message_behind(items, n):
                    continue
            elif preceding.tag == "OUTSIDE" or (firm and preceding.tag == "NEG"):
                place = out.outside
                out.outward = out.outward or before(items, n - 1).tag == "P:to"
                place += ids if isinstance(ids, tuple) else ()
                continue
            elif firm and place is not None and preceding.tag in ("AND", "OR", "COMMA", "BOTH"):
                place += ids if isinstance(ids, tuple) else ()
                continue
            elif firm and of_gap(items, n, gap, preceding):
                place = out.at
                place += ids if isinstance(ids, tuple) else ()
                continue
            elif item.possessive and (message_behind(items, n) or tag_at(items, n + 1) == "QUOTED"):
                entity.role = "sender"
            elif found and preceding.tag in ("AND", "OR", "BOTH", "COMMA") and joined(items, found[-1].place, n):
                last = found[-1]
                entity.role, entity.group, entity.between = last.role, last.group, last.between
            elif found and ROLES.get(preceding.tag, "") == found[-1].role and _and_again(items, found[-1].place, n):
                entity.role, entity.group = found[-1].role, found[-1].group
            elif preceding.tag in ("P:to", "P:with") and tag_at(items, n + 1) in (
                "P:cc",
                "P:bcc",
                "ROLE:to",
                "ROLE:cc",
            ):
                entity.role = ROLES[tag_at(items, n + 1)]  # "with me in the To line", "ha puesto a X en copia"
            elif preceding.tag == "P:by" and any(i.tag == "BACKFORTH" for i in items[:n]):
                entity.between = True  # "exchanged by A and B"
            elif preceding.tag in ROLES:
                entity.role = ROLES[preceding.tag]
            elif preceding.tag == "AUX:have" and tag_at(items, n + 1) == "RECIPIENTS":
                entity.role = "recipient"  # "have Paul as the only recipient"
            elif preceding.tag in ("P:between", "P:with"):
                entity.between = True
            elif preceding.text.lower() in _OF and tag_at(items, n - 2) in ("N:message", "N:reply") and not firm:
                entity.role = "sender"  # "the messages of Paul"
            put = any(i.tag == "V:put" for i in items)
            if entity.role is None and not entity.between and preceding.tag != "P:at" and not put:
                entity.role = role_behind(items, n)
                for other in found:
                    if entity.role and other.group == entity.group and other.role is None:
                        other.role = entity.role
            if entity.role == "recipient":
                entity.role = self.to_role
            found.append(entity)
            place = None
        return found

    def _unmarked(
        self, items: list[Item], entities: list[Entity], gap: str, preposition: str, verbs: list[str], who: bool
    ) -> None:
        """Names without a preposition: subjects and objects."""
        passive = any(i.tag == "AUX:be" for i in items)
        taken = any(e.role == "sender" for e in entities)
        exchanged = any(i.tag == "BACKFORTH" for i in items)
        for entity in entities:  # "the mails A and I exchanged"
            if exchanged and entity.role is None and sum(e.group == entity.group for e in entities) > 1:
                entity.between = True
        for entity in entities:
            if entity.role is not None or entity.between:
                continue
            item = items[entity.place]
            described = tag_at(items, entity.place - 1) == "N:message" and tag_at(items, entity.place + 1) == "V:send"
            if tag_at(items, entity.place - 1) == "Q:when" or described:  # "received a message I sent"
                entity.role = "sender"
                continue
            objective = item.text.lower() in _OBJECT_FORMS or item.tag == "ME:obj"
            verb_before = any(i.tag.startswith("V:") for i in items[: entity.place])
            if passive:
                entity.role = self.to_role
            elif verb_of(items, entity.place) == "get" and not objective:
                entity.role = "sender" if who and verb_before else self.to_role
            elif "take" in verbs:
                entity.role = "participant"
            elif who and gap == "person" and any(i.tag in ("V:copy", "V:put") for i in items):
                entity.role = "cc"  # "who copied X?"
            elif objective or (who and gap == "person" and not preposition):
                entity.role = self.to_role
            elif entity.firm and not verbs:
                entity.role = "participant"
            elif any(e.role == "sender" and e.ids == entity.ids for e in entities):
                entity.role = "sender"  # "did I address my message"
            elif taken and not any(e.group == entity.group and e.role == "sender" for e in entities):
                entity.role = self.to_role
            else:
                entity.role, taken = "sender", True

    def _gap_role(
        self, items: list[Item], used: list[bool], entities: list[Entity], preposition: str, verbs: list[str]
    ) -> Role:
        stranded = preposition or stranded_in(items)
        named = {i.tag for i in items} & {"N:sender", "N:recipient", "N:correspondent"}
        if len(named) == 1 and not entities:
            return {"N:sender": "sender", "N:recipient": self.to_role}.get(named.pop(), "participant")
        for line, before_it in zip(items[1:], items, strict=False):  # "which people stand in the To line"
            if line.tag in ("ROLE:to", "ROLE:cc") and before_it.tag in ("GAP", "MOST", "MAIN"):
                return "to" if line.tag == "ROLE:to" else "cc"
        if "reply" in verbs and not stranded:
            answers = any(e.role == "sender" and _subject(items, e.place) for e in entities)
            return self.to_role if answers else "sender"  # "which people did I answer?"
        also = any(a.tag == "V:send" and b.tag in ("OR", "AND") and c.tag == "V:copy"
                   for a, b, c in zip(items, items[1:], items[2:], strict=False))  # fmt: skip
        copied = any(i.tag in ("P:cc", "ROLE:cc", "V:copy") for i in items) and not any(
            e.role == "cc" for e in entities
        )
        copied = copied and not also  # "wrote or copied something to X"
        blind = any(i.tag == "P:bcc" for i in items) and not any(e.role == "bcc" for e in entities)
        if blind:
            return "bcc"
        if copied:
            return "cc"
        if "belong" in verbs:
            return "sender"
        if stranded in ("P:to", "P:cc"):
            return self.to_role if stranded == "P:to" else "cc"
        if stranded in ("P:from", "P:by"):
            return "sender"
        sending = any(e.role == "sender" for e in entities)
        if sending:
            return self.to_role
        if any(i.tag == "AUX:be" for i in items) or ("get" in verbs and not sending):
            return self.to_role
        return "participant" if "take" in verbs and not sending else "sender"

    def _fill(self, items: list[Item], entities: list[Entity], verbs: list[str], gap: str, out: Claim) -> None:
        groups: dict[int, list[Entity]] = {}
        answered_by: list[Filter] = []
        for entity in entities:
            groups.setdefault(entity.group, []).append(entity)
        alone = [g for g in groups.values() if len(g) == 1 and not g[0].firm]
        if gap == "message" and len(alone) == len(groups) == 2 and alone[0][0].between != alone[1][0].between:
            groups = {0: alone[0] + alone[1]}  # "the correspondence of A with B"
            alone[0][0].between = True
        for group in groups.values():
            out.counterparts += [i for e in group if not e.firm and isinstance(e.ids, tuple) for i in e.ids]
            if group[0].between:
                out.filters += self._between(group, directly=any(i.tag == "BACKFORTH" for i in items))
                continue
            filters = [filter_of(e) for e in group]
            if out.role == "recipient" and "reply" in verbs and group[0].role == "sender" and gap == "person":
                answered_by += [filter_of(e) for e in group]  # "whom did X answer?"
                out.described += [e.ids for e in group if isinstance(e.ids, Plan)]
                continue
            if "reply" in verbs and group[0].role in ("recipient", "to", "sender") and gap == "person":
                mail = tuple(People("sender", e.ids) for e in group if not e.firm)
                answers: list[Filter] = [Answers(Plan("messages", filters=(f,))) for f in mail]
                if len(answers) > 1:  # "who answered both A and B?"
                    out.each.append(answers)
                else:
                    out.filters += answers
                out.described += [e.ids for e in group if isinstance(e.ids, Plan)]
                continue
            if gap == "message" and group[0].role in ("recipient", "to") and verb_of(items, -1) == "reply":
                own = tuple(People("sender", e.ids) for e in group if not e.firm)
                out.filters += [Answers(Plan("messages", filters=(f,))) for f in own]  # "which posts answer X"
                continue
            if len(group) > 1 and (either := _either(items, group, gap)) is not None:
                out.filters.append(either)
            elif len(group) == 1:
                out.filters += filters
                out.only += filters if items[group[0].place].only else []
            elif gap != "message":
                out.each.append(filters)
            else:
                out.filters += filters
        if answered_by:  # those who wrote what was answered; the rest is said of the answers
            out.filters = [AnsweredBy(Plan("messages", filters=(*answered_by, *out.filters)))]
            out.role = "sender"

    def _between(self, group: list[Entity], *, directly: bool) -> list[Filter]:
        people = [e.ids for e in group if not e.firm and isinstance(e.ids, tuple)]
        if len(people) >= 2:
            return [
                Between(people[0], people[1], "recipient" if self.to_role == "recipient" and not directly else "to")
            ]
        return [filter_of(Entity(e.ids, e.firm, e.place, "participant")) for e in group]

    def _ids(self, item: Item) -> tuple[int, ...] | Plan | None:
        if item.tag in ("ME", "ME:obj", "MY"):
            return self.index.owners or None
        if item.tag == "HE":
            return self.referent
        if isinstance(item.value, Plan):
            return item.value
        ids: tuple[int, ...] = item.value.ids
        return ids


def _either(items: list[Item], group: list[Entity], gap: str) -> Filter | None:
    """ "to A or B": one of them; so is "messages from A and B", since a message has one sender. None where each is
    meant, or descriptions stand among the names."""
    ids = [e.ids for e in group if isinstance(e.ids, tuple)]
    between = items[group[0].place : group[-1].place]
    one = (gap == "message" and group[0].role == "sender") or any(i.tag == "OR" for i in between)
    if not one or len(ids) < len(group) or len({e.firm for e in group}) > 1:
        return None
    return filter_of(Entity(tuple(i for some in ids for i in some), group[0].firm, group[0].place, group[0].role))


def filter_of(e: Entity) -> Filter:
    """A name in its role as a filter."""
    role: Role = e.role or "participant"
    return Organizations("recipient" if role == "to" else role, e.ids) if e.firm else People(role, e.ids)


def _subject(items: list[Item], n: int) -> bool:
    """A name that acts: no preposition before it, nothing of its own behind it."""
    return not items[n].possessive and not before(items, n).tag.startswith("P:") and not message_behind(items, n)


def _and_again(items: list[Item], a: int, b: int) -> bool:
    """ "to A and to B": the second name in the same role as the first."""
    return joined(items, a, b) and any(i.tag in ("AND", "OR") for i in items[a:b])
