"""A written entry becomes a body, the way its author's mail program writes one.

Text and HTML are made together: the new words, a signature where the program puts one, and the history.
"""

import html as markup
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from ui.demo.people import in_office
from ui.demo.quoting import Composed, attribution, family, forward, quote
from ui.demo.script import Entry

MARKS = {  # reply, forward
    ("outlook", "en"): ("RE: ", "FW: "),
    ("outlook", "de"): ("AW: ", "WG: "),
    ("outlook", "es"): ("RE: ", "RV: "),
    ("notes", "en"): ("Re: ", "Fw: "),
}


def compose(entry: Entry, source: Composed | None) -> Composed:
    """Write `entry` the way its mail program would; `source` is the message it answers or forwards."""
    client, lang = family(entry.client), entry.lang
    if source and entry.sender.person:
        source = replace(source, date=in_office(source.entry.date, entry.sender.person.office))
    subject = entry.subject
    unmarked = entry.client == "machine" or {"auto", "accept", "decline", "cancel"} & entry.options.keys()
    if (entry.parent or entry.forwarded) and not unmarked:
        reply_mark, forward_mark = MARKS.get((client, lang), MARKS.get((client, "en"), ("Re: ", "Fwd: ")))
        subject = (forward_mark if entry.forwarded else reply_mark) + subject
    body = entry.body
    inline = any(line.startswith(">") for line in body.splitlines())
    if inline and source:
        body = attribution(source, lang, client) + "\n" + body
    text, html = _plain(body, entry.client), _html(body, client)
    signature = _signature(entry)
    if signature:
        dashes = "-- \n" if client in ("gmail", "thunderbird") else "\n"
        text += "\n\n" + dashes + "\n".join(signature)
        html += _html_signature(signature, client)
    if entry.forwarded and source:
        old_text, old_html = forward(source, client, lang)
    elif source and not inline and "noquote" not in entry.options:
        old_text, old_html = quote(source, entry.client, lang)
    else:
        old_text = old_html = ""
    return Composed(text + old_text, html + old_html, subject, entry, entry.date)


def _signature(entry: Entry) -> Sequence[str]:
    """On the first message of a thread, where the program does not put it under every one."""
    person = entry.sender.person
    if person is None or "nosig" in entry.options:
        return ()
    if entry.parent and entry.client not in ("oldoutlook", "notes", "htmlonly"):
        return ()
    return person.signature


# --- the new text -----------------------------------------------------------------------------------------------


def _plain(body: str, client: str) -> str:
    width = {"gmail": 76, "thunderbird": 72, "poor": 0, "machine": 0}.get(client, 0)
    if not width:
        return body
    return "\n".join(
        line if line.startswith((">", " ", "-", "|")) else textwrap.fill(line, width) for line in body.splitlines()
    )


def _html(body: str, client: str) -> str:
    paragraphs = [part for part in body.split("\n\n") if part.strip()]
    lines = [markup.escape(part, quote=False).replace("\n", "<br>\n") for part in paragraphs]
    if client == "gmail":
        return '<div dir="ltr">' + "<div><br></div>".join(f"<div>{line}</div>" for line in lines) + "</div>"
    if client == "outlook":
        return "\n".join(f'<p class="MsoNormal">{line}<o:p></o:p></p>' for line in lines)
    if client == "notes":
        return "<br>\n<br>\n".join(f'<font size=2 face="sans-serif">{line}</font>' for line in lines)
    if client == "apple":
        return "<div><br></div>".join(f"<div>{line}</div>" for line in lines)
    return "\n".join(f"<p>{line}</p>" for line in lines)


def _html_signature(lines: Sequence[str], client: str) -> str:
    inside = "<br>\n".join(markup.escape(line, quote=False) for line in lines)
    if client == "gmail":
        return (
            '<div><br></div><span class="gmail_signature_prefix">-- </span><br>'
            f'<div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">{inside}</div>'
        )
    return f'<p class="MsoNormal" style="color:#1f497d">{inside}</p>' if client == "outlook" else f"<br><br>{inside}"
