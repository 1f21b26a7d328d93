"""What mail programs leave of the message that is answered or forwarded.

Gmail sets an attribution and a marked block, Outlook a block of header lines, Apple Mail a cited block, Lotus Notes its
own header lines or bare ones, Thunderbird `>` lines between which people answer. Each carries along all the history
that such a program would have carried along.
"""

import html as markup
from dataclasses import dataclass
from datetime import datetime

from ui.demo.people import Mailbox
from ui.demo.script import Entry

DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    "es": ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
}
MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
}
OUTLOOK_FIELDS = {
    "en": ("From:", "Sent:", "To:", "Cc:", "Subject:"),
    "de": ("Von:", "Gesendet:", "An:", "Cc:", "Betreff:"),
    "es": ("De:", "Enviado el:", "Para:", "CC:", "Asunto:"),
}
QUOTE_STYLE = "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"


@dataclass(frozen=True)
class Composed:
    """A finished body: plain text, HTML (without the document around it), the subject line, and its entry."""

    text: str
    html: str
    subject: str
    entry: Entry
    date: datetime  # as the program shows it that quotes it: on the clock of its own office


def family(client: str) -> str:
    """Programs that mark replies and write HTML alike."""
    return {"oldoutlook": "outlook", "htmlonly": "outlook", "notes7": "notes"}.get(client, client)


def quote(source: Composed, client: str, lang: str) -> tuple[str, str]:
    """What `client` puts under an answer to `source`, as text and as HTML; empty for programs that leave it out."""
    opening = attribution(source, lang, family(client))
    escaped = markup.escape(opening, quote=False)
    if client == "gmail":
        text = f"\n\n{__wrap_attribution(opening)}\n\n{_prefixed(source.text)}"
        html = (
            f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escaped}<br></div>'
            f'<blockquote class="gmail_quote" style="{QUOTE_STYLE}">{source.html}</blockquote></div>'
        )
    elif client in ("outlook", "htmlonly"):
        text, html = _outlook_block(source, lang)
    elif client == "oldoutlook":
        fields = "\n".join(f"{name} {value}" for name, value in _outlook_fields(source, lang))
        text = f"\n\n-----Original Message-----\n{fields}\n\n{source.text}"
        html = _outlook_block(source, lang)[1]
    elif client == "apple":
        text = "\n\n" + _prefixed(f"{opening}\n\n{source.text}")
        html = (
            f'<div><br><blockquote type="cite"><div>{escaped}</div><br class="Apple-interchange-newline">'
            f"<div>{source.html}</div></blockquote></div><br>"
        )
    elif client in ("notes", "notes7"):
        text, html = _notes_block(source, client)
    elif client == "thunderbird":
        text = f"\n\n{opening}\n{_prefixed(source.entry.body)}"
        html = f'<p>{escaped}</p><blockquote type="cite">{source.html}</blockquote>'
    else:  # poor programs and phones: the old text is simply left out
        return "", ""
    return text, html


def forward(source: Composed, client: str, lang: str) -> tuple[str, str]:
    """What `client` puts under a covering note when `source` is forwarded, as text and as HTML."""
    entry = source.entry
    to, date = ", ".join(map(str, entry.to)), source.date
    rows = [
        ("From:", str(entry.sender)),
        ("Date:", _gmail_date(date, "en")),
        ("Subject:", source.subject),
        ("To:", to),
    ]
    if entry.cc:
        rows.append(("Cc:", ", ".join(map(str, entry.cc))))
    lines = "\n".join(f"{name} {value}" for name, value in rows)
    escaped = markup.escape(lines, quote=False).replace("\n", "<br>\n")
    if client == "outlook":
        return _outlook_block(source, lang)
    if client == "apple":
        text = "\n\n> Begin forwarded message:\n> \n" + _prefixed(f"{lines}\n\n{source.text}")
        html = f'<div><br><blockquote type="cite"><div>Begin forwarded message:</div><br><div>{escaped}</div><br>'
        return text, f"{html}<div>{source.html}</div></blockquote></div>"
    if client == "notes":
        stamp = date.strftime("%d/%m/%Y %H:%M")
        fields = "\n".join(f"{name}\t{value}" for name, value in rows)
        text = f"\n\n----- Forwarded by {_notes_name(entry.to[0])} on {stamp} -----\n\n{fields}\n\n\n{source.text}"
        return (
            text,
            f"<br><br>----- Forwarded by {_notes_name(entry.to[0])} on {stamp} -----<br><br>{escaped}"
            + (f"<hr noshade><br>{source.html}"),
        )
    if client == "thunderbird":
        return f"\n\n-------- Forwarded Message --------\n{lines}\n\n{source.text}", ""
    if client == "gmail":
        html = '<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        html += "---------- Forwarded message ---------"
        html += f"<br>{escaped}<br></div><br><br>{source.html}</div>"
        return f"\n\n---------- Forwarded message ---------\n{lines}\n\n\n{source.text}", html
    return f"\n\n----- Weitergeleitete Nachricht -----\n{lines}\n\n{source.text}", ""


def _outlook_fields(source: Composed, lang: str) -> list[tuple[str, str]]:
    entry, date = source.entry, source.date
    day, month = DAYS[lang][date.weekday()], MONTHS[lang][date.month - 1]
    sent = {
        "en": f"{date.day:02} {month} {date.year} {date:%H:%M}",
        "de": f"{day}, {date.day}. {month} {date.year} {date:%H:%M}",
        "es": f"{day}, {date.day} de {month} de {date.year} {date:%H:%M}",
    }[lang]
    values = (
        str(entry.sender),
        sent,
        "; ".join(map(str, entry.to)),
        "; ".join(map(str, entry.cc)),
        source.subject,
    )
    return [(name, value) for name, value in zip(OUTLOOK_FIELDS[lang], values, strict=True) if value]


def _outlook_block(source: Composed, lang: str) -> tuple[str, str]:
    fields = _outlook_fields(source, lang)
    text = "\n\n" + "\n".join(f"{name} {value}" for name, value in fields) + f"\n\n{source.text}"
    bold = "<br>\n".join(f"<b>{name}</b> {markup.escape(value, quote=False)}" for name, value in fields)
    rule = '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
    return text, f'<div>{rule}<p class="MsoNormal">{bold}<o:p></o:p></p></div></div>\n{source.html}'


def _notes_block(source: Composed, client: str) -> tuple[str, str]:
    entry, stamp = source.entry, source.date.strftime("%d/%m/%Y %H:%M")
    to, cc = ", ".join(map(str, entry.to)), ", ".join(map(str, entry.cc))
    if client == "notes7":  # sender and date on bare lines, then To and Subject with the value below
        text = f"\n\n\n\n{entry.sender} \n{stamp}\n\nTo\n{to}\ncc\n{cc}\nSubject\n{source.subject}\n\n\n\n{source.text}"
        rows = "".join(
            f"<tr valign=top><td><font size=1 face=sans-serif>{name}</font><td>{markup.escape(value, quote=False)}"
            for name, value in (("To", to), ("cc", cc), ("Subject", source.subject))
        )
        head = f"<b>{markup.escape(str(entry.sender), quote=False)}</b> <p>{stamp}"
        return (
            text,
            f"<br><br><table width=100%><tr><td>{head}<td><table>{rows}</table></table><br>{source.html}",
        )
    fields = [
        ("From:", str(entry.sender)),
        ("To:", to),
        ("Cc:", cc),
        ("Date:", stamp),
        ("Subject:", source.subject),
    ]
    kept = [(name, value) for name, value in fields if value]
    text = "\n\n\n\n" + "\n".join(f"{name}\t{value}" for name, value in kept) + f"\n\n\n\n{source.text}"
    bold = "<br>\n".join(
        f'<font size=1 color=#5f5f5f face="sans-serif">{name} &nbsp; </font>{markup.escape(value, quote=False)}'
        for name, value in kept
    )
    return text, f"<br>\n<br>\n<br>\n{bold}\n<hr noshade><br>\n{source.html}"


def attribution(source: Composed, lang: str, client: str) -> str:
    """The line that says who wrote what follows, and when."""
    sender, date = source.entry.sender, source.date
    short, name = MONTHS[lang][date.month - 1][:3], sender.name
    if client == "thunderbird":
        if lang == "de":
            return f"Am {date:%d.%m.%y} um {date:%H:%M} schrieb {name}:"
        return f"On {date:%d/%m/%Y} {date:%H:%M}, {name} wrote:"
    if client == "notes":
        return f"{sender.address} wrote on {date:%d/%m/%Y %H:%M:%S}:"
    if client == "apple":
        if lang == "es":
            return f"El {date.day} {short} {date.year}, a las {date.hour}:{date:%M}, {sender} escribió:"
        return f"On {date.day} {short} {date.year}, at {date:%H:%M}, {sender} wrote:"
    if lang == "es":
        day = f"{DAYS['es'][date.weekday()][:3]}, {date.day} {short} {date.year}"
        return f"El {day} a las {date.hour}:{date:%M}, {name} (<{sender.address}>) escribió:"
    return f"On {_gmail_date(date, lang)}, {sender} wrote:"


def _gmail_date(date: datetime, lang: str) -> str:
    day, month = DAYS[lang][date.weekday()][:3], MONTHS[lang][date.month - 1][:3]
    return f"{day}, {date.day} {month} {date.year} at {date:%H:%M}"


def __wrap_attribution(line: str) -> str:
    """Gmail breaks a long attribution before the address."""
    return line if len(line) <= 78 else line.replace(" <", "\n<", 1).replace(" (<", "\n(<", 1)


def _prefixed(text: str) -> str:
    return "\n".join((">" if line.startswith(">") else "> ") + line if line else ">" for line in text.splitlines())


def _notes_name(box: Mailbox) -> str:
    return f"{box.name}/{box.domain.split('.')[0].title()}"
