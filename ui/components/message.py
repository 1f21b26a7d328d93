"""A message: as a line of a list that can be opened, and whole, with its history folded.

Texts of mail are shown as text: nothing in them becomes a link, an image or a format.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from markupsafe import Markup

from retrieval.quoted import SEEMS
from ui.components.markup import html, join
from ui.components.names import colour, title
from ui.messages import File, FullMessage, Headline, Piece


def line(headline: Headline, rank: int | None = None, badges: Sequence[str] = (), also: Sequence[str] = ()) -> Markup:
    """One message of a list. ``badges``: which steps found it; ``also``: other columns that found it."""
    marks = [html('<span class="mw-badge">{}</span>', badge) for badge in badges]
    marks += [html('<span class="mw-badge also {}">also {}</span>', colour(name), title(name)) for name in also]
    marks += own_marks(headline)
    return html(
        '<button type="button" class="mw-hit" data-open="{}" aria-label="Open message: {}">'
        '<span class="rank">{}</span><span class="subject">{}</span><span class="meta">{} · {}</span>{}{}</button>',
        headline.id,
        headline.subject,
        "" if rank is None else rank,
        headline.subject,
        headline.sender,
        day(headline.local_at),
        html('<span class="snippet">{}</span>', headline.snippet) if headline.snippet else "",
        html('<span class="mw-badges">{}</span>', join(marks)) if marks else "",
    )


def own_marks(headline: Headline) -> list[Markup]:
    """What is to be known of a message before it is opened."""
    words = []
    if headline.recovered:
        words.append("known only from a quotation")
    if headline.kind != "mail":
        words.append(headline.kind)
    if headline.attachments:
        words.append(count(headline.attachments, "attachment"))
    marks = [html('<span class="mw-badge">{}</span>', each) for each in words]
    if headline.instructs:
        why = "It is found and shown like all mail, but what it says to a program does not reach the model."
        marks.append(html('<span class="mw-badge" title="{}">{}</span>', why, SEEMS))
    return marks


def whole(message: FullMessage, thread_at: str = "") -> Markup:
    """The whole message. ``thread_at``: the address of its conversation on this server."""
    headline = message.headline
    sender = headline.sender
    if message.sender_address and message.sender_address != sender.lower():
        sender = f"{sender} <{message.sender_address}>"
    rows = [("From", html("{}", sender)), ("Date", html("{}", moment(headline.local_at)))]
    for kind, label in (("to", "To"), ("cc", "Cc"), ("bcc", "Bcc")):
        if message.recipients.get(kind):
            rows.append((label, _folded(message.recipients[kind])))
    if message.labels:
        rows.append(("Folders", html("{}", ", ".join(message.labels))))
    if thread_at:
        link = '<a class="mw-small" href="{}">open the conversation ({})</a>'
        rows.append(("Thread", html(link, thread_at, count(message.thread_messages, "message"))))
    elif message.thread_messages > 1:
        rows.append(("Thread", html("{} messages", message.thread_messages)))
    if message.files:
        files = join(html("<span>{} · {}</span>", one.name or one.type, size(one)) for one in message.files)
        rows.append(("Attached", html('<div class="mw-files">{}</div>', files)))
    if len(message.places) > 1:
        copies = join(html("<div>{}</div>", place) for place in message.places)
        rows.append(
            (
                "Copies",
                html("<details><summary>{} copies of this mail</summary>{}</details>", len(message.places), copies),
            )
        )
    if headline.instructs:
        rows.append(("Note", html("This mail {}; what it says to one does not reach the model.", SEEMS)))
    if headline.recovered:
        rows.append(("Note", html("This mail is known only from a quotation in another one.")))
    return html(
        '<div class="mw-message"><h3>{}</h3><dl>{}</dl><div class="mw-body">{}</div></div>',
        headline.subject,
        join(html("<dt>{}</dt><dd>{}</dd>", label, value) for label, value in rows),
        join(_piece(piece) for piece in message.pieces) or html('<span class="mw-note">This mail has no text.</span>'),
    )


def day(at: datetime | None) -> str:
    """A date for a list."""
    return f"{at:%-d %b %Y}" if at else "no date"


def moment(at: datetime | None) -> str:
    """A date with its time, on the clock of the sender."""
    return f"{at:%A, %-d %B %Y, %H:%M} (the sender's clock)" if at else "no date in the mail"


def size(file: File) -> str:
    """Bytes as a person reads them."""
    if file.bytes < 1000:
        return f"{file.bytes} bytes"
    return f"{file.bytes / 1000:.0f} kB" if file.bytes < 1_000_000 else f"{file.bytes / 1_000_000:.1f} MB"


def _piece(piece: Piece) -> Markup:
    if piece.hidden is None:
        return html('<div class="new">{}</div>', piece.text.strip("\n"))
    return html(
        '<details><summary>{} of {} hidden</summary><div class="old">{}</div></details>',
        count(len(piece.text.strip()), "character"),
        piece.hidden,
        piece.text.strip("\n"),
    )


def _folded(names: Sequence[str], shown: int = 6) -> Markup:
    if len(names) <= shown + 2:
        return html("{}", ", ".join(names))
    return html(
        "{}<details><summary>and {} more</summary>{}</details>",
        ", ".join(names[:shown]),
        len(names) - shown,
        ", ".join(names[shown:]),
    )


def count(n: int, noun: str) -> str:
    """``3 messages``."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
