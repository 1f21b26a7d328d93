"""The planner by model: a small form, filled under a grammar, then checked and linked as the rules' plan is.

The form has slots, not a query: whom it is about, when, what is wanted. A small model fills it in a second or two. What
it writes is not believed: a name must stand in the question and link to a vertex, a date must be a date, and periods
that the date grammar found win. What cannot be linked is dropped and said.
"""

from __future__ import annotations

import json
import threading
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, get_args

from graph.plan import (
    Filter,
    HasAttachment,
    Intent,
    Labels,
    Mentions,
    Organizations,
    People,
    Period,
    Plan,
    Role,
    Subject,
    Target,
)
from retrieval.errors import BadModelPlan
from retrieval.linker import Link, NameIndex
from retrieval.models.chat import ChatMessage
from retrieval.planner.languages import detect
from retrieval.planner.rules import PlannedQuestion
from retrieval.planner.tokens import keys, tokenize

if TYPE_CHECKING:
    from retrieval.models.chat import ChatModel

TOKENS = 260
_NAMES = {"type": "array", "items": {"type": "string"}, "maxItems": 4}
_TARGETS = ("messages", "people", "organizations", "threads", "months", "labels")
_INTENTS = ("count", "rank", "list", "first", "last", "content")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "intent": {"enum": list(_INTENTS)},
        "target": {"enum": list(_TARGETS)},
        "target_role": {"enum": ["sender", "to", "cc", "recipient", "participant"]},
        "from": _NAMES,
        "to": _NAMES,
        "cc": _NAMES,
        "with": _NAMES,
        "organizations": _NAMES,
        "outside": {"type": "boolean"},
        "not": {"type": "boolean"},
        "start": {"type": "string"},
        "end": {"type": "string"},
        "subject": {"type": "string"},
        "folder": {"type": "string"},
        "words": _NAMES,
        "attachment": {"type": "boolean"},
        "at_least": {"type": "integer"},
        "limit": {"type": "integer"},
    },
    "additionalProperties": False,
}
SCHEMA["required"] = list(SCHEMA["properties"])

SYSTEM = """\
You turn a question about a mailbox into a form. Fill every field; use "" , [], 0 or false for what the question does not say.
intent: count (how many), rank (who/which most), list (all of them), first, last, content (what was said: everything else).
target: what is asked for: messages, people, organizations, threads (conversations), months, labels (folders).
target_role: for people and organizations: sender (they wrote), to (they were written to), recipient (To, Cc or Bcc), participant.
from / to / cc / with: names of people as written in the question ("I" and "me" are names too). organizations: companies or domains.
outside: only people or companies outside the owner's company. not: the question asks who did NOT do it.
start, end: first day and the day after the last, YYYY-MM-DD. subject: words of a title. words: terms that must be mentioned.
limit: how many are wanted (rank: 1 when one is wanted). at_least: a smallest number of messages.
Examples:
Q: Who wrote to me most in March 2020? -> {"intent":"rank","target":"people","target_role":"sender","from":[],"to":["me"],"cc":[],"with":[],"organizations":[],"outside":false,"not":false,"start":"2020-03-01","end":"2020-04-01","subject":"","folder":"","words":[],"attachment":false,"at_least":0,"limit":1}
Q: How many mails from Ana Torres mention the bridge? -> {"intent":"count","target":"messages","target_role":"sender","from":["Ana Torres"],"to":[],"cc":[],"with":[],"organizations":[],"outside":false,"not":false,"start":"","end":"","subject":"","folder":"","words":["bridge"],"attachment":false,"at_least":0,"limit":0}
Q: What did Peter Hahn propose to Ana? -> {"intent":"content","target":"messages","target_role":"sender","from":["Peter Hahn"],"to":["Ana"],"cc":[],"with":[],"organizations":[],"outside":false,"not":false,"start":"","end":"","subject":"","folder":"","words":[],"attachment":false,"at_least":0,"limit":0}
"""  # noqa: E501 - lines of a prompt


def plan(
    question: str,
    index: NameIndex,
    as_of: date,
    chat: ChatModel,
    rules: PlannedQuestion,
    *,
    stop: threading.Event | None = None,
) -> PlannedQuestion | None:
    """The model's plan, or None where it adds nothing to the rules'. Raises BadModelPlan and the model's errors."""
    user = f"Today is {as_of:%Y-%m-%d}.\nQ: {question}"
    messages = [ChatMessage("system", SYSTEM), ChatMessage("user", user)]
    text = "".join(chat.complete(messages, max_tokens=TOKENS, schema=SCHEMA, stop=stop))
    try:
        form = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadModelPlan(f"The model's plan is no JSON ({error.msg}).", query=text) from None
    if not isinstance(form, dict):
        raise BadModelPlan("The model's plan is no form.", query=text)
    return _linked(form, question, index, rules)


def _linked(form: dict[str, Any], question: str, index: NameIndex, rules: PlannedQuestion) -> PlannedQuestion | None:
    """The form as a plan whose names are ids. What does not link is dropped."""
    dropped: list[str] = []
    links: list[Link] = list(rules.links)
    filters: list[Filter] = []
    intent: Intent = form["intent"] if form.get("intent") in _INTENTS else "content"
    target: Target = form["target"] if form.get("target") in _TARGETS else "messages"
    role: Role | None = form["target_role"] if form.get("target_role") in get_args(Role) else None
    counterparts: list[int] = []
    for slot, in_role in (("from", "sender"), ("to", "to"), ("cc", "cc"), ("with", "participant")):
        for name in _texts(form, slot):
            link = _link(name, question, index)
            if link is None or link.kind != "person":
                dropped.append(name)
                continue
            links.append(link)
            counterparts += link.ids
            filters.append(People(in_role, link.ids))  # type: ignore[arg-type]
    firms: list[int] = []
    for name in _texts(form, "organizations"):
        link = _link(name, question, index)
        if link is None or link.kind != "organization":
            dropped.append(name)
            continue
        links.append(link)
        firms += [i for i in link.ids if i not in index.owner_organizations]
    # a day that no figure of the question speaks of is the model's own invention
    period = rules.period or (_period(form) if any(c.isdigit() for c in question) else None)
    if period is not None:
        filters.append(period)
    folder = index.label_at(keys(str(form.get("folder") or "")))
    if folder:
        filters.append(Labels(folder))
    if title := _stands(str(form.get("subject") or ""), question):
        filters.append(Subject(title, contains=True))
    words = tuple(w for w in _texts(form, "words") if _stands(w, question))
    if words and intent != "content":
        filters.append(Mentions(words))
    if form.get("attachment") is True and "attach" in question.lower():
        filters.append(HasAttachment())
    only: tuple[int, ...] = ()
    if firms and target == "people":
        only = tuple(firms)
    elif firms:
        filters.append(Organizations("participant" if target == "messages" else "sender", tuple(firms)))
    if not filters and not only and target == "messages":
        return None
    made = _plan(form, intent, target, role, filters, only, counterparts, index)
    reason = "planned by the model" + (f"; not linked: {', '.join(dropped)}" if dropped else "")
    unique = tuple({(link.text, link.kind): link for link in links}.values())
    return PlannedQuestion(
        made, intent, unique, rules.terms, period, sure=False, reason=reason, language=rules.language, planner="model"
    )


def _plan(
    form: dict[str, Any],
    intent: Intent,
    target: Target,
    role: Role | None,
    filters: list[Filter],
    only: tuple[int, ...],
    counterparts: list[int],
    index: NameIndex,
) -> Plan:
    unique = tuple(dict.fromkeys(filters))
    if intent == "content" or target == "messages":
        made = Plan("messages", filters=unique)
        if intent in ("first", "last"):
            made = Plan("messages", filters=unique, order_by="date", descending=intent == "last", limit=1)
        return made
    outside = index.owner_organizations if form.get("outside") is True else ()
    role = role if target in ("people", "organizations") else None
    base = Plan(
        target,
        role=role,
        filters=unique,
        only_organizations=only,
        exclude_organizations=outside if target in ("people", "organizations") else (),
        exclude_people=tuple(counterparts) if target == "people" else (),
        at_least=max(1, _number(form, "at_least")),
    )
    if form.get("not") is True and target in ("people", "organizations"):
        everyone = Plan(target, role="participant", only_organizations=only, exclude_organizations=outside)
        return Plan(**{**everyone.__dict__, "without": (base,)})
    if intent in ("rank", "first", "last"):
        order = {"order_by": "count"} if intent == "rank" else {"order_by": "date", "descending": intent == "last"}
        return Plan(**{**base.__dict__, **order, "limit": min(max(1, _number(form, "limit")), 50)})
    return base


def _link(name: str, question: str, index: NameIndex) -> Link | None:
    """A name of the form as a link, if its words stand in the question."""
    if not _stands(name, question):
        return None
    tokens = tokenize(name)
    if not tokens:
        return None
    if tokens[0].key in ("i", "me", "my", "myself", "ich", "mir", "mich", "je", "moi", "yo", "mi"):
        return index.owner_link(tokens[0], 0)
    return index.at(tokens, 0, detect(tokenize(question)).stopwords)


def _stands(text: str, question: str) -> str:
    """``text`` if its words follow each other in the question, else nothing: a model's own words are no evidence."""
    wanted, there = keys(text), keys(question)
    n = len(wanted)
    return text if n and any(there[i : i + n] == wanted for i in range(len(there) - n + 1)) else ""


def _texts(form: dict[str, Any], slot: str) -> list[str]:
    value = form.get(slot)
    return [str(v) for v in value if str(v).strip()] if isinstance(value, list) else []


def _number(form: dict[str, Any], slot: str) -> int:
    value = form.get(slot)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _period(form: dict[str, Any]) -> Period | None:
    days: list[date | None] = []
    for slot in ("start", "end"):
        try:
            days.append(date.fromisoformat(str(form.get(slot) or "")))
        except ValueError:
            days.append(None)
    start, end = days
    if start is not None and end is not None and end <= start:
        end = start + timedelta(days=1)
    return Period(start, end) if start or end else None
