"""A conversation drawn as a tree: lines lead from each message to its answers; messages fold, and in them history does.

What an answer of the program cites, and what a question found, is marked, so that the evidence is read where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ui.components.markup import html, join
from ui.components.message import count, day, own_marks, size
from ui.links import address
from ui.messages import FullMessage, Piece
from ui.threads import Node, Quotation, Thread

# Deeper answers are drawn no further to the right; they say whom they answer.
DEEPEST = 6
# Of one piece of a text; the rest is shown with the whole message.
LONGEST = 8_000
NAMED = 8
RULES = {
    "start": ("opens the thread", "The earliest message of the thread."),
    "references": ("joined by its headers", "References or In-Reply-To name a message of this thread, or share one."),
    "quote": ("joined by a quotation", "One of the two messages quotes the other."),
    "subject": (
        "joined by its subject",
        "No header and no quotation says so: the same subject, a reply or forward mark, a shared participant, "
        "at most 30 days apart.",
    ),
    "thread_index": ("joined by Outlook", "Outlook's Thread-Index names the same conversation."),
    "gm_thread": ("joined by Gmail", "Gmail's X-GM-THRID names the same conversation."),
}


@dataclass(frozen=True)
class Marked:
    """Which messages to mark. ``here``: those the address points to; ``open_all``: none is folded."""

    here: frozenset[int] = frozenset()
    cited: frozenset[int] = frozenset()
    found: frozenset[int] = frozenset()
    open_all: bool = False

    @property
    def any(self) -> frozenset[int]:
        """All of them."""
        return self.here | self.cited | self.found


def summary(thread: Thread, store: str) -> Markup:
    """The subject, who takes part, and how long it went on."""
    recovered = sum(node.recovered for node in thread.nodes)
    known = f", {recovered} of them known only from quotations" if recovered else ""
    named = [
        html(
            '<a class="mw-person" href="{}">{}{}</a>',
            address("people", store=store, person=one.id),
            one.name,
            html(" <small>{}</small>", one.wrote) if one.wrote else "",
        )
        for one in thread.participants
    ]
    rest = named[NAMED:]
    more = html("<details><summary>and {} more</summary><div>{}</div></details>", len(rest), join(rest))
    return html(
        '<div class="mw-thread-head"><h2>{}</h2><p>{}{} · {}</p><div class="people">{}{}</div></div>',
        thread.subject,
        count(len(thread.nodes), "message"),
        known,
        _span(thread),
        join(named[:NAMED]),
        more if rest else "",
    )


def tree(
    nodes: Sequence[Node],
    messages: Mapping[int, FullMessage],
    quoted_in: Mapping[int, Sequence[Quotation]],
    marked: Marked,
    store: str,
) -> Markup:
    """The messages of one page of a thread. A click on a file, on "source" or on "whole message" opens ``file:ID``,
    ``source:ID`` or ``whole:ID``."""
    first_here = next((node.id for node in nodes if node.id in marked.here), None)
    return html(
        '<div class="mw-tree">{}</div>',
        join(
            _node(node, messages[node.id], messages, quoted_in.get(node.id, ()), marked, store, node.id == first_here)
            for node in nodes
            if node.id in messages
        ),
    )


def _node(
    node: Node, message: FullMessage, messages: Mapping[int, FullMessage], quoted_in: Sequence[Quotation],
    marked: Marked, store: str, scroll: bool,
) -> Markup:  # fmt: skip
    line = message.headline
    classes = [name for name in ("here", "cited", "found") if node.id in getattr(marked, name)]
    opened = marked.open_all or node.id in marked.any
    rails = [html('<i class="{}"></i>', "rail" if goes_on else "gap") for goes_on in node.rails]
    if node.level:
        rails.append(html('<i class="{}"></i>', "elbow" if node.last else "tee"))
    text = " ".join(next((piece.text for piece in message.pieces if piece.hidden is None), "").split())
    answered = messages.get(node.answers or 0)
    return html(
        '<div class="mw-branch"{}><span class="rails" aria-hidden="true">{}</span>'
        '<details class="mw-node {}"{}><summary><b class="who">{}</b><span class="when">{}</span>{}{}'
        '<span class="first">{}</span></summary>{}<div class="mw-body">{}</div>{}</details></div>',
        Markup(" data-here") if scroll else "",
        join(rails[-DEEPEST:]),
        " ".join(classes),
        Markup(" open") if opened else "",
        line.sender,
        f"{line.local_at:%-d %b %Y, %H:%M}" if line.local_at else "no date",
        _marks(message, classes),
        html(
            '<span class="answers {}">answers {}</span>', "deep" if node.level > DEEPEST else "",
            answered.headline.sender,
        ) if answered else "",
        text[:400],
        _from_quotation(quoted_in, store) if line.recovered else "",
        join(_piece(piece, node.id) for piece in message.pieces) or html('<span class="mw-note">No text.</span>'),
        _foot(node, message, store),
    )  # fmt: skip


def _marks(message: FullMessage, classes: Sequence[str]) -> Markup:
    words = {"cited": "cited in the answer", "found": "found"}
    marks = [html('<span class="mw-badge {}">{}</span>', name, words[name]) for name in classes if name in words]
    marks += own_marks(message.headline)
    return html('<span class="mw-badges">{}</span>', join(marks)) if marks else Markup("")


def _from_quotation(quoted_in: Sequence[Quotation], store: str) -> Markup:
    links = [
        html(
            '<a href="{}">{}, {}</a>',
            address("thread", store=store, message=one.message_id), one.sender, day(one.local_at),
        )
        for one in quoted_in
    ]  # fmt: skip
    rest = html("<details><summary>and {} more</summary>{}</details>", len(links) - 3, join(links[3:], ", "))
    return html(
        '<p class="mw-recovered">This mail is in none of your sources. Its text was quoted in {}{}</p>',
        join(links[:3], "; ") or "another mail",
        rest if len(links) > 3 else "",
    )


def _piece(piece: Piece, message: int) -> Markup:
    text = piece.text.strip("\n")
    rest = ""
    if len(text) > LONGEST:
        rest = html(
            '<button type="button" class="mw-small" data-open="whole:{}">{:,} more characters</button>',
            message, len(text) - LONGEST,
        )  # fmt: skip
    if piece.hidden is None:
        return html('<div class="new">{}{}</div>', text[:LONGEST], rest)
    return html(
        '<details><summary>{} of {} hidden</summary><div class="old">{}{}</div></details>',
        count(len(text.strip()), "character"), piece.hidden, text[:LONGEST], rest,
    )  # fmt: skip


def _foot(node: Node, message: FullMessage, store: str) -> Markup:
    files = [
        html(
            '<button type="button" class="mw-file" data-open="file:{}" title="Read it as text">{} · {}</button>',
            one.id, one.name or one.type, size(one),
        )
        for one in message.files
    ]  # fmt: skip
    rule, why = RULES.get(node.rule, (f"joined by {node.rule}", ""))
    source = html('<button type="button" class="mw-small" data-open="source:{}">Source</button>', node.id)
    return html(
        '{}<div class="foot"><span class="rule" title="{}">{}</span>'
        '<button type="button" class="mw-small" data-open="whole:{}">Recipients and folders</button>{}'
        '<a class="mw-small" href="{}">Link to this message</a></div>',
        html('<div class="mw-files">{}</div>', join(files)) if files else "",
        why, rule, node.id,
        "" if message.headline.recovered else source,
        address("thread", store=store, message=message.headline.message_id),
    )  # fmt: skip


def _span(thread: Thread) -> str:
    if thread.first is None or thread.last is None:
        return "no dates"
    first, last = day(thread.first), day(thread.last)
    return first if first == last else f"{first} to {last}"
