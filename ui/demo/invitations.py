"""Calendar parts: an invitation, the answer to one, a cancellation (RFC 5546)."""

from datetime import datetime, timedelta

from ui.demo.identifiers import digest
from ui.demo.people import local_time, utc
from ui.demo.script import MONTHS, YEAR, Entry


def calendar_part(entry: Entry) -> tuple[str, str] | None:
    """The text/calendar part of an invitation, its answer or its cancellation (RFC 5546)."""
    for answer, state in (("accept", "ACCEPTED"), ("decline", "DECLINED")):
        if answer in entry.options and entry.parent:
            return "REPLY", _event(entry.parent, "REPLY", [f"ATTENDEE;PARTSTAT={state}:mailto:{entry.sender.address}"])
    if "cancel" in entry.options and entry.parent:
        return "CANCEL", _event(entry.parent, "CANCEL", ["STATUS:CANCELLED"])
    if "ics" not in entry.options:
        return None
    attendees = [
        f"ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;CN={box.name}:mailto:{box.address}"
        for box in entry.to + entry.cc
    ]
    return "REQUEST", _event(entry, "REQUEST", attendees)


def _event(invitation: Entry, method: str, lines: list[str]) -> str:
    day, month, clock, minutes, *place = invitation.options["ics"].split(" ")
    hour, minute = clock.split(":")
    office = invitation.sender.person.office if invitation.sender.person else "leeds"
    start = local_time(office, YEAR, MONTHS.index(month.lower()) + 1, int(day), int(hour), int(minute))
    return "\r\n".join(
        [
            "BEGIN:VCALENDAR",
            "PRODID:-//Tarnbridge//Calendar//EN",
            "VERSION:2.0",
            f"METHOD:{method}",
            "BEGIN:VEVENT",
            f"UID:{digest(invitation.key + 'uid', 32)}",
            f"DTSTAMP:{_stamp(invitation.date)}",
            f"DTSTART:{_stamp(start)}",
            f"DTEND:{_stamp(start + timedelta(minutes=int(minutes)))}",
            f"SUMMARY:{invitation.subject}",
            f"LOCATION:{' '.join(place)}",
            f"ORGANIZER;CN={invitation.sender.name}:mailto:{invitation.sender.address}",
            *lines,
            "SEQUENCE:0",
            "END:VEVENT",
            "END:VCALENDAR",
            "",
        ]
    )


def _stamp(moment: datetime) -> str:
    return utc(moment).strftime("%Y%m%dT%H%M%SZ")
