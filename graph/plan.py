"""A question's structure as a small algebra, instead of a list of question forms.

A plan describes a set of messages (``filters`` minus ``not_filters``) and what is wanted of it: the messages
themselves, or the people, organisations, threads, months, labels or attachments that occur in it, each with the
number of distinct messages. Items can be kept or dropped by other plans (``within``, ``without``), and a filter's
value can itself be a plan over people, which is how several hops are said: "messages from the people she wrote to
most" is a filter whose value is a ranked plan.

It stands in the graph package since its compilers do; the planner of the retrieval package fills it.
Every name in it has been linked already: people, organisations, labels and threads are ids of the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

Target = Literal["messages", "people", "organizations", "domains", "threads", "months", "labels", "attachments"]
Role = Literal["sender", "to", "cc", "bcc", "recipient", "participant"]
Intent = Literal["count", "rank", "list", "first", "last", "span", "content"]


@dataclass(frozen=True)
class People:
    """Messages in which one of these people has ``role``. ``recipient`` is To, Cc or Bcc; ``participant`` is any role.

    ``who`` holds person ids, or is a plan whose target is people.
    """

    role: Role
    who: tuple[int, ...] | Plan


@dataclass(frozen=True)
class Between:
    """Messages that one of ``a`` sent to one of ``b``, or the other way round. Person ids.

    ``role``: how the other one received it; ``recipient`` is To, Cc or Bcc."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    role: Literal["to", "cc", "bcc", "recipient"] = "recipient"


@dataclass(frozen=True)
class Organizations:
    """Messages in which an address used in ``role`` belongs to one of these organisations.

    ``who`` holds organisation ids, or is a plan whose target is organizations. The address that was used counts,
    not where the person works otherwise.
    """

    role: Role
    who: tuple[int, ...] | Plan


@dataclass(frozen=True)
class Domains:
    """Messages in which an address used in ``role`` stands in one of these domains or below: also those of private
    providers, which are nobody's organisation. Lower case."""

    role: Role
    names: tuple[str, ...]


@dataclass(frozen=True)
class Period:
    """Messages with ``start`` <= local date < ``end`` (the Date header's own clock); an open side is None."""

    start: date | None
    end: date | None


@dataclass(frozen=True)
class Weekdays:
    """Messages of these days of the week, Monday is 0, by the Date header's own clock."""

    days: tuple[int, ...]


@dataclass(frozen=True)
class Subject:
    """Messages whose subject without reply marks equals ``text`` (also without marks, any case).

    ``contains``: whose subject holds ``text`` as whole words, the last one also in the plural.
    """

    text: str
    contains: bool = False


@dataclass(frozen=True)
class Labels:
    """Messages with one of these labels (folders). Label ids."""

    ids: tuple[int, ...]


@dataclass(frozen=True)
class Threads:
    """Messages of these threads: thread ids, or a plan whose target is threads."""

    which: tuple[int, ...] | Plan


@dataclass(frozen=True)
class Messages:
    """These messages only: message ids, or a plan whose target is messages ("the message with the most recipients")."""

    which: tuple[int, ...] | Plan


@dataclass(frozen=True)
class Mentions:
    """Messages whose subject or full body holds the terms as whole words, any case: all of them, or any.

    A term may be several words; between them any white space fits. A whole word has no letter, digit or underscore
    directly before or after it. ``where``: ``subject`` looks at the subject only.
    """

    terms: tuple[str, ...]
    every: bool = True
    where: Literal["anywhere", "subject"] = "anywhere"


@dataclass(frozen=True)
class Kind:
    """Messages of one of these kinds: mail, automated, draft, spam, trash, chat.

    Without such a filter drafts, spam and trash are left out; with it exactly these kinds are taken.
    """

    kinds: tuple[str, ...]


# Endings and MIME subtypes of the files that people call by a program or a sort.
FILE_FAMILIES = {
    "word": ("doc", "docx", "docm", "dot", "dotx", "msword",
             "vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "excel": ("xls", "xlsx", "xlsm", "xlsb", "xlt", "vnd.ms-excel",
              "vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "powerpoint": ("ppt", "pptx", "pptm", "pps", "ppsx", "vnd.ms-powerpoint",
                   "vnd.openxmlformats-officedocument.presentationml.presentation"),
    "image": ("png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "svg", "svg+xml", "webp", "heic"),
}  # fmt: skip


@dataclass(frozen=True)
class HasAttachment:
    """Messages with an attachment; with ``type`` such as ``pdf`` only of that file ending or MIME subtype, or of one
    of a family (:data:`FILE_FAMILIES`); with ``name`` only a file of that name, any case."""

    type: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Answers:
    """Messages that directly answer one of these messages: ids, a plan whose target is messages, or None for any."""

    which: tuple[int, ...] | Plan | None = None


@dataclass(frozen=True)
class AnsweredBy:
    """Messages that one of these messages directly answers: ids, a plan whose target is messages, or None for any."""

    which: tuple[int, ...] | Plan | None = None


@dataclass(frozen=True)
class FirstInThread:
    """Messages that opened their conversation: the earliest counted one of each thread."""


@dataclass(frozen=True)
class RecipientCount:
    """Messages with at least ``least`` and at most ``most`` people in this role (to, cc, bcc or recipient)."""

    role: Role
    least: int
    most: int | None = None


@dataclass(frozen=True)
class Forwarded:
    """Messages that pass another one on, as the mark before their subject says ("FW:")."""


Filter = (
    People
    | Between
    | Organizations
    | Domains
    | Period
    | Weekdays
    | Subject
    | Labels
    | Threads
    | Messages
    | Mentions
    | Kind
    | HasAttachment
    | Answers
    | AnsweredBy
    | FirstInThread
    | Forwarded
    | RecipientCount
)


@dataclass(frozen=True)
class Plan:
    """What is asked of the mailbox's structure. See the module for the meaning.

    Domains are those of the addresses that were used: of an organisation its domain, else (private providers) what
    stands behind the @; their items are the domains themselves, as texts.

    ``role``: for people, organizations and domains, in which role they are taken from the messages (None: any).
    ``exclude_people``: never reported (the owner). ``exclude_organizations``: for organizations and domains, never
    reported; for people, only with an address (in that role) that has a domain outside these organisations, which is
    what "outside the company" means. ``only_organizations``: for people, only with an address (in that role) of these
    organisations.
    ``persons``: of people, neither offices and lists nor services, which send nothing but automated mail.
    ``at_least``, ``at_most``: items with fewer or more messages are dropped.
    ``order_by``: ``count``; ``date`` (messages: by time; others: by first message when ascending, by last when
    descending); ``recipients`` (messages: by number of distinct people in To, Cc and Bcc). None: messages by date,
    months by month ascending, others by count. ``limit`` cuts after ordering,
    from behind the first ``skip`` items ("the second most").
    ``within`` / ``without``: plans of the same target, or ids of its items; only items (not) among them are kept.
    """

    target: Target = "messages"
    role: Role | None = None
    filters: tuple[Filter, ...] = ()
    not_filters: tuple[Filter, ...] = ()
    exclude_people: tuple[int, ...] = ()
    exclude_organizations: tuple[int, ...] = ()
    only_organizations: tuple[int, ...] = ()
    within: tuple[Plan | tuple[int | str, ...], ...] = ()
    without: tuple[Plan | tuple[int | str, ...], ...] = ()
    persons: bool = False
    at_least: int = 1
    at_most: int | None = None
    order_by: Literal["count", "date", "recipients"] | None = None
    descending: bool = True
    limit: int | None = None
    skip: int = 0


@dataclass(frozen=True)
class Item:
    """One item of a plan's result. ``id`` is the store's id (for months the text YYYY-MM), ``label`` its name for
    people (person: name; organisation: domain; message: date and subject), ``n`` its number of messages
    (for ``order_by="recipients"`` the number of recipients). ``keys``: a person's addresses; the Message-IDs of all
    copies of a message; an organisation's domain. ``first``, ``last``: local time of its first and last message."""

    id: int | str
    label: str
    n: int
    keys: tuple[str, ...] = ()
    first: datetime | None = None
    last: datetime | None = None


@dataclass(frozen=True)
class Answer:
    """The complete result of a plan: ``total`` items of which ``items`` are given (all, up to the row limit asked for),
    ``messages`` the number of distinct messages in the described set, ``query`` the text that ran, ``parameters`` its
    bound values, ``language`` cypher or sql, ``milliseconds`` the time of the database.

    ``recovered``: messages of that set that are known only from quotations and therefore not counted.
    ``next``: the first item that the plan's own limit cut off; with the same ``n`` as the last one it is a tie.
    ``steps``: the answers of the plans inside the plan, in the order they ran. ``because``: why this language.
    """

    items: tuple[Item, ...]
    total: int
    messages: int
    query: str
    parameters: dict[str, object]
    language: Literal["cypher", "sql"]
    milliseconds: float
    next: Item | None = None
    steps: tuple[Answer, ...] = ()
    because: str = ""
    recovered: int = 0
