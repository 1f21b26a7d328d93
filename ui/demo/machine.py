"""Mail that no person wrote: reminders, tickets, alarms, shares, payments, trains, newsletters, bounces.

This is the only mail that comes from patterns, because the real kind does too. What is reported (which ticket, which
alarm, which payment) is written in content/machine and fits what people write; dates that repeat are computed.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from html import escape

from ui.demo.people import CONTENT, Mailbox, Person, local_time
from ui.demo.script import MONTHS, YEAR, Entry

FOLDER = CONTENT / "machine"
FIRST_MONDAY = local_time("leeds", YEAR, 2, 3, 6, 0)
WEEKS = 43  # to the end of November
AUTOMATIC = {"Auto-Submitted": "auto-generated", "Precedence": "bulk"}


def entries(people: dict[str, Person]) -> list[Entry]:
    """All machine mail of the ten months, addressed to the mailbox's owner."""
    owner = Mailbox("Maren Holt", people["maren"].addresses[0], people["maren"])
    rng = random.Random("tarnbridge")  # noqa: S311 - the same draw every time is the point
    kinds = (
        _timesheets(rng),
        _backups(rng),
        _weekly_readings(rng),
        _tickets(),
        _shares(),
        _payments(),
        _trips(),
        _alarms(),
        _newsletter(),
        _rundbrief(),
        _bounces(),
    )
    made = [entry for kind in kinds for entry in kind]
    for entry in made:
        entry.to = [owner]
    return made


def _entry(
    key: str,
    sender: tuple[str, str],
    subject: str,
    date: datetime,
    body: str,
    folder: str = "inbox",
    **more: str,
) -> Entry:
    name, address = sender
    headers = AUTOMATIC | {header.replace("_", "-"): value for header, value in more.items()}
    return Entry(key, key, subject, folder, Mailbox(name, address), [], [], date, body, headers=headers)


def _timesheets(rng: random.Random) -> Iterator[Entry]:
    for week in range(WEEKS):
        date = FIRST_MONDAY + timedelta(days=7 * week + 4, hours=9, minutes=rng.randrange(9))
        hours, number = 37.5 - rng.choice([0, 3.5, 7.5, 7.5, 15, 22.5, 37.5]), date.isocalendar()[1]
        text = (
            f"Hello Maren,\n\nweek {number}: {hours:g} of 37.5 hours booked.\n\n"
            + ("Nothing is missing. Thank you." if hours == 37.5 else "Please complete the week by Monday at noon.")
            + "\n\nPunchClock\nThis message was sent automatically. Nobody reads the answers."
        )
        yield _entry(
            f"punchclock-{week}.1",
            ("PunchClock", "no-reply@punchclock.example"),
            f"Your timesheet for week {number}",
            _clock(date),
            text,
        )


def _backups(rng: random.Random) -> Iterator[Entry]:
    for week in range(WEEKS):
        date = FIRST_MONDAY + timedelta(days=7 * week, minutes=rng.randrange(20))
        size, failed = 2.1 + week * 0.07, rng.randrange(12) == 0
        state = "1 of 7 jobs FAILED (retry succeeded)" if failed else "7 of 7 jobs succeeded"
        text = (
            f"Vaultline weekly report\n\nSites: Leeds, Hamburg, Valencia\nResult: {state}\n"
            f"Stored: {size:.2f} TB\nOldest restore point: {date - timedelta(days=90):%d/%m/%Y}"
        )
        yield _entry(
            f"vaultline-{week}.1",
            ("Vaultline Reports", "reports@vaultline.example"),
            f"[Vaultline] {state}",
            _clock(date),
            text,
        )


def _weekly_readings(rng: random.Random) -> Iterator[Entry]:
    for week in range(16, WEEKS):
        date = FIRST_MONDAY + timedelta(days=7 * week, hours=1, minutes=rng.randrange(5))
        got = 4032 * 2 - rng.choice([0, 0, 0, 1, 2, 6, 12])
        text = (
            f"Heron Cloud, site Vallmar quay 4\n\nLoggers online: 6 of 6\nReadings received: {got} of 8064\n"
            f"Lowest battery: {rng.randrange(52, 91)} percent (H-0{rng.randrange(604, 610)})"
        )
        yield _entry(
            f"heron-weekly-{week}.1",
            ("Heron Cloud", "alarms@heroncloud.example"),
            f"Vallmar quay 4: weekly summary, week {date.isocalendar()[1]}",
            _clock(date),
            text,
            "projects/vallmar",
        )


def _tickets() -> Iterator[Entry]:
    sender = ("Deskhand", "tickets@deskhand.example")
    for number, who, opened, closed, title, done in _rows("tickets.txt"):
        topic = f"[#{number}] {title}"
        first = f"{who} opened a ticket.\n\n#{number}: {title}\nPriority: normal\nYou get this mail as a watcher."
        last = f"Ticket #{number} was closed.\n\n{done}\n\nWas this helpful? Nobody has ever answered this question."
        opening = _entry(f"deskhand-{number}.1", sender, topic, _at(opened), first, X_Deskhand_Ticket=number)
        yield opening
        closing = _entry(
            f"deskhand-{number}.2", sender, f"{topic} (closed)", _at(closed), last, X_Deskhand_Ticket=number
        )
        closing.parent = opening
        closing.options["noquote"] = ""
        yield closing


def _shares() -> Iterator[Entry]:
    for number, (who, when, what) in enumerate(_rows("shares.txt"), 1):
        text = f"{who} has shared “{what}” with you.\n\nOpen in Binderbox. The link is valid for 30 days."
        page = (
            f'<html><body><table width="600"><tr><td><h2>{escape(who)} shared something</h2>'
            f'<p>“{escape(what)}”</p><p><a href="https://binderbox.example/s/{number:04}">Open in Binderbox</a></p>'
            "</td></tr></table></body></html>\n"
        )
        entry = _entry(
            f"binderbox-{number}.1",
            (f"{who} (via Binderbox)", "share@binderbox.example"),
            f"{who} shared “{what}”",
            _at(when),
            text,
        )
        entry.html = page
        yield entry


def _payments() -> Iterator[Entry]:
    for when, invoice, who, amount in _rows("payments.txt"):
        text = f"Payment received\n\nInvoice: {invoice}\nFrom: {who}\nAmount: {amount}\n\nTallysheet"
        yield _entry(
            f"tallysheet-{invoice}.1",
            ("Tallysheet", "notify@tallysheet.example"),
            f"Payment received: invoice {invoice}",
            _at(when),
            text,
        )


def _trips() -> Iterator[Entry]:
    for booked, start, end, leaves, reference in _rows("trips.txt"):
        text = (
            f"Thank you for booking with RailPenny.\n\nReference {reference}\n{start} to {end}\nDeparture {leaves}\n"
            "One adult, standard, window seat\n\nShow the code at the gate. Changes until 18:00 the day before."
        )
        yield _entry(
            f"railpenny-{reference}.1",
            ("RailPenny", "booking@railpenny.example"),
            f"Your booking {reference}: {start} to {end}",
            _at(booked),
            text,
        )


def _alarms() -> Iterator[Entry]:
    for number, (when, logger, sensor, value, level, note) in enumerate(_rows("alarms.txt"), 1):
        date = _at(when)
        text = (
            f"Site: Vallmar quay 4\nLogger: {logger}\nSensor: {sensor}\nValue: {value} (level {level})\n"
            f"Time: {date:%Y-%m-%d %H:%M} {date.tzname()}\nNote: {note}"
        )
        yield _entry(
            f"heron-alarm-{number}.1",
            ("Heron Cloud", "alarms@heroncloud.example"),
            f"ALARM {logger} {sensor}: {value}",
            date,
            text,
            "projects/vallmar",
        )


def _newsletter() -> Iterator[Entry]:
    for number, (day, blurbs) in enumerate(_issues("structures-weekly.txt"), 1):
        text = f"STRUCTURES WEEKLY, issue {number}\n\n" + "\n\n".join(f"* {head}\n  {rest}" for head, rest in blurbs)
        rows = "".join(f"<tr><td><h3>{escape(head)}</h3><p>{escape(rest)}</p></td></tr>\n" for head, rest in blurbs)
        entry = _entry(
            f"structures-{number}.1",
            ("Structures Weekly", "news@structuresweekly.example"),
            f"Structures Weekly {number}: {blurbs[0][0]}",
            _at(f"{day} 06:30"),
            text + "\n\nYou get this fortnightly letter, which is called weekly, because you asked for it.",
            List_Id="Structures Weekly <news.structuresweekly.example>",
            List_Unsubscribe="<https://structuresweekly.example/leave>, <mailto:leave@structuresweekly.example>",
        )
        entry.html = (
            f'<html><head><style>h3 {{color:#246}}</style></head><body><table width="600">\n{rows}</table>\n'
            f'<img src="https://structuresweekly.example/open/{number}.gif" width="1" height="1" alt="">'
            '<p><a href="https://structuresweekly.example/leave">Unsubscribe</a></p></body></html>\n'
        )
        yield entry


def _rundbrief() -> Iterator[Entry]:
    for number, (day, blurbs) in enumerate(_issues("hafenbau-rundbrief.txt"), 1):
        rows = "".join(f"<h2>{escape(head)}</h2>\n<p>{escape(rest)}</p>\n" for head, rest in blurbs)
        entry = _entry(
            f"rundbrief-{number}.1",
            ("Hafenbau-Rundbrief", "redaktion@hafenbau-rundbrief.example"),
            f"Hafenbau-Rundbrief {number}/{YEAR}",
            _at(f"{day} 07:00"),
            "",
            List_Unsubscribe="<mailto:abmelden@hafenbau-rundbrief.example>",
        )
        entry.html = f"<html><body>\n{rows}<p>Abmelden: einfach antworten.</p></body></html>\n"
        entry.options["html"] = ""
        yield entry


def _bounces() -> Iterator[Entry]:
    sender = ("Mail Delivery Subsystem", "mailer-daemon@mx.tarnbridge.example")
    for number, (when, address, why) in enumerate(
        (
            ("7 Jul 08:56", "tomas.ferer@tarnbridge.example", "550 5.1.1 user unknown"),
            ("15 Sep 12:01", "ana.petrovic@puertovallmar.example", "550 5.1.1 destinatario desconocido"),
        ),
        1,
    ):
        text = (
            f"Your message could not be delivered to\n\n  <{address}>\n\nThe server said: {why}\nNothing was retried."
        )
        entry = _entry(f"bounce-{number}.1", sender, "Undelivered Mail Returned to Sender", _at(when), text)
        entry.headers = {"Auto-Submitted": "auto-replied"}
        yield entry


def _rows(name: str) -> Iterator[list[str]]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield [field.strip() for field in line.split("|")]


def _issues(name: str) -> list[tuple[str, list[list[str]]]]:
    issues: list[tuple[str, list[list[str]]]] = []
    for fields in _rows(name):
        if fields[0].startswith("== "):
            issues.append((fields[0][3:], []))
        else:
            issues[-1][1].append(fields)
    return issues


def _at(text: str) -> datetime:
    day, month, clock = text.split(" ")
    hour, minute = clock.split(":")
    return local_time("leeds", YEAR, MONTHS.index(month.lower()) + 1, int(day), int(hour), int(minute))


def _clock(date: datetime) -> datetime:
    """The same wall clock in Leeds, with summer time where it applies."""
    return local_time("leeds", date.year, date.month, date.day, date.hour, date.minute)
