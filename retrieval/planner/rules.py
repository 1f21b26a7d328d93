"""The planner by rules: no model, milliseconds, the same plan every time.

A question about structure is read by its outline, whatever the order of its words. A question about content ("What did
A propose to B in May?") becomes the set of messages in which its names, period, folder and conversation meet; what was
said there is for the columns that read text. ``sure`` tells whether everything in the question was understood; a count
or a list with an unknown word keeps its plan and is less sure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from graph.plan import Between, Filter, Intent, Kind, Labels, Organizations, People, Period, Plan, Subject
from retrieval.errors import QuestionTooLong
from retrieval.linker import Link, NameIndex
from retrieval.planner import outline
from retrieval.planner.accounts import unaccounted
from retrieval.planner.heads import find_head
from retrieval.planner.items import Item, Tagged
from retrieval.planner.languages import detect
from retrieval.planner.tagging import tag
from retrieval.planner.tokens import tokenize

LONGEST_QUESTION = 2_000


@dataclass(frozen=True)
class PlannedQuestion:
    """What is known of a question before anything is retrieved.

    ``plan``: None where nothing in it is structure. ``intent``: content means that the answer stands in the text.
    ``terms``: words that are neither names nor cues. ``sure``: the rules understood all of it. ``reason``: why not,
    or how. ``planner``: who planned. ``looks_structural``: it asks for people, messages, organisations or the like.
    ``subject_phrase``: words taken for a part of subjects, to be confirmed by the mailbox.
    """

    plan: Plan | None
    intent: Intent
    links: tuple[Link, ...]
    terms: tuple[str, ...]
    period: Period | None
    sure: bool
    reason: str
    language: str = "en"
    planner: Literal["rules", "model"] = "rules"
    looks_structural: bool = False
    subject_phrase: str = ""


def plan(question: str, index: NameIndex, as_of: date) -> PlannedQuestion:
    """Plans a question by rules. Raises QuestionTooLong."""
    if len(question) > LONGEST_QUESTION:
        raise QuestionTooLong(f"The question has {len(question):,} characters.")
    tokens = tokenize(question)
    language = detect(tokens)
    tagged = tag(tokens, language, index, as_of)
    outlined = outline.read(tagged, index)
    if outlined is not None:
        lost = list(dict.fromkeys([*outlined.leftover, *unaccounted(tagged, outlined.plan, index)]))
        reason = f"understood but for: {', '.join(lost)}" if lost else "understood by its outline"
        found = _structural(outlined.plan, outlined.intent, reason, tagged)
        return replace(found, sure=not lost, subject_phrase=outlined.subject_phrase)
    head = find_head(tagged.items)
    return PlannedQuestion(
        content_plan(tagged, index),
        "content",
        tuple(tagged.links),
        _terms(tagged, language.stopwords),
        _hull(tagged.periods),
        sure=False,
        reason="asks for what was said" if head is None else "nothing that is asked for was understood",
        language=language.code,
        looks_structural=head is not None and not head.whole,
    )


def _structural(plan: Plan, intent: Intent, reason: str, tagged: Tagged) -> PlannedQuestion:
    return PlannedQuestion(
        of_persons(plan),
        intent,
        tuple(tagged.links),
        _terms(tagged, tagged.language.stopwords),
        _hull(tagged.periods),
        sure=True,
        reason=reason,
        language=tagged.language.code,
        looks_structural=True,
    )


def of_persons(plan: Plan) -> Plan:
    """The plan with persons alone wherever people are wanted: "who" asks for no list and no service, unless for those
    that send automated mail; "anybody" in a filter may be one."""
    filters = tuple(
        replace(f, who=of_persons(f.who)) if isinstance(f, People) and isinstance(f.who, Plan) else f
        for f in plan.filters
    )
    automated = any(isinstance(f, Kind) for f in filters)
    anybody = plan == Plan("people", role=plan.role)
    return replace(plan, filters=filters, persons=plan.persons and not automated and not anybody)


def content_plan(tagged: Tagged, index: NameIndex) -> Plan | None:
    """The messages where the names, the period, the folder and the conversation of a question meet.

    Who acts in the question ("What did X report") is the sender. The owner and the owner's own organisation are no
    condition by themselves, since nearly all messages are theirs; named together with one other person, the mail
    between the two is meant.
    """
    filters: list[Filter] = []
    acting = {
        i.value for n, i in enumerate(tagged.items) if i.tag == "PERSON" and n and _acts_behind(tagged.items[n - 1])
    }
    people = [link for link in tagged.links if link.kind == "person" and link.how != "owner"]
    with_owner = any(link.how == "owner" for link in tagged.links) or any(
        i.tag in ("ME", "ME:obj", "MY") for i in tagged.items
    )
    for link in tagged.links:
        if link.kind == "person" and link.how != "owner":
            if len(people) == 1 and with_owner and index.owners:
                filters.append(Between(link.ids, index.owners, "recipient"))
            else:
                filters.append(People("sender" if link in acting else "participant", link.ids))
        elif link.kind == "organization" and not set(link.ids) <= set(index.owner_organizations):
            filters.append(Organizations("participant", link.ids))
        elif link.kind == "label":
            filters.append(Labels(link.ids))
    filters += [Subject(i.text) for i in tagged.items if i.tag == "QUOTED" and _titled(tagged, i)]
    if (period := _hull(tagged.periods)) is not None:
        filters.append(period)
    return Plan("messages", filters=tuple(dict.fromkeys(filters))) if filters else None


def without_subject_words(plan: Plan) -> Plan | None:
    """The plan without its condition on words of the subject; None where nothing is left."""
    filters = tuple(f for f in plan.filters if not (isinstance(f, Subject) and f.contains))
    return Plan("messages", filters=filters) if filters else None


def _acts_behind(before: Item) -> bool:
    """The name behind an auxiliary verb, or behind "according to", is who acts."""
    return before.tag.startswith("AUX") or before.text.lower() in ("according to", "laut", "selon", "según", "segun")


def _titled(tagged: Tagged, item: object) -> bool:
    i = tagged.items.index(item)  # type: ignore[arg-type]
    return i > 0 and tagged.items[i - 1].tag in ("N:thread", "TITLED")


def _hull(periods: list[Period]) -> Period | None:
    """From the first start to the last end of several periods."""
    if not periods:
        return None
    starts = [p.start for p in periods]
    ends = [p.end for p in periods]
    start = None if None in starts else min(s for s in starts if s)
    end = None if None in ends else max(e for e in ends if e)
    return Period(start, end)


def _terms(tagged: Tagged, stopwords: frozenset[str]) -> tuple[str, ...]:
    """Words that are neither names, periods nor cues, once each."""
    words = [i.text for i in tagged.items if i.tag in ("WORD", "QUOTED", "NUM") and i.text.lower() not in stopwords]
    return tuple(dict.fromkeys(words))
