"""A written answer: as it comes, then with its citations as chips that open the message.

The text is the model's claim and shown as plain text. A number that no retrieved message has is marked red, a sentence
that its message does not hold is underlined.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from retrieval.answer import Claims
from retrieval.support import Sentence
from ui.components.markup import html, join
from ui.components.names import colour


def running(column: str, text: str) -> Markup:
    """What has come so far, with a caret."""
    return html('<div class="mw-answer live {}" aria-live="polite">{}</div>', colour(column), text)


def stopped(column: str, text: str) -> Markup:
    """What had come when it was stopped."""
    return html(
        '<div class="mw-answer {}">{} …</div><div class="mw-badges"><span class="mw-badge">stopped</span></div>',
        colour(column),
        text,
    )


def finished(column: str, claims: Claims, sentences: Sequence[Sentence] = (), *, counted: bool = False) -> Markup:
    """The whole answer with its citations. ``sentences``: those with their support; ``counted``: the answer may rest on
    a fact, which needs no message."""
    doubtful = [s for s in sentences if s.support == "unsupported" or s.judged is False]
    parts: list[Markup] = []
    position = 0
    for start, stop in sorted({(one.start, one.stop) for one in claims.citations}):
        parts.append(_text(claims.text, position, start, doubtful))
        parts += [
            html(
                '<button type="button" class="mw-chip" data-open="{}" aria-label="Open cited message {}">{}</button>',
                one.message,
                one.number,
                one.number,
            )
            if one.message is not None
            else html('<span class="mw-chip wrong" title="No such message was retrieved">{} ?</span>', one.number)
            for one in claims.citations
            if one.start == start
        ]
        position = stop
    parts.append(_text(claims.text, position, len(claims.text), doubtful))
    warning = Markup("")
    if claims.text and not claims.citations and not claims.declined and not counted:
        warning = html('<div class="mw-badges"><span class="mw-badge">cites no message</span></div>')
    return html('<div class="mw-answer {}">{}</div>{}', colour(column), join(parts), warning)


def _text(text: str, start: int, stop: int, doubtful: Sequence[Sentence]) -> Markup:
    """A stretch of the answer, with what lies in a doubtful sentence marked."""
    parts: list[Markup] = []
    for sentence in doubtful:
        begin, end = max(start, sentence.start), min(stop, sentence.stop)
        if begin >= end:
            continue
        parts.append(html("{}", text[start:begin]))
        why = "The message it cites does not say this"
        parts.append(html('<span class="mw-unsupported" title="{}">{}</span>', why, text[begin:end]))
        start = end
    return join([*parts, html("{}", text[start:stop])])
