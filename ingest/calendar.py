"""An invitation (iCalendar, RFC 5545) as text: what, when, where, who, so that it can be read and searched."""

from __future__ import annotations

import re

_FOLD = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(r"([A-Za-z-]+)((?:;[^:;=]+=(?:\"[^\"]*\"|[^:;\"]*))*):(.*)")
_NAME = re.compile(r";CN=(?:\"([^\"]*)\"|([^;:\"]*))", re.IGNORECASE)
_ZONE = re.compile(r";TZID=\"?([^;:\"]*)", re.IGNORECASE)
_MOMENT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{0,2}(Z?))?\Z")
_ESCAPED = re.compile(r"\\([nN,;\\])")


def invitation_text(source: str) -> str:
    """The events, tasks and journal entries of a calendar as lines of text; "" when there are none."""
    blocks: list[str] = []
    lines: dict[str, list[str]] = {}
    inside, below = "", 0
    for line in _FOLD.sub("", source).splitlines():
        match = _LINE.match(line.strip())
        if not match:
            continue
        name, extra, value = match[1].upper(), match[2], match[3]
        if name == "BEGIN" and not inside and value.upper() in ("VEVENT", "VTODO", "VJOURNAL"):
            inside, lines, below = value.upper(), {}, 0
        elif name == "END" and value.upper() == inside and not below:
            blocks.append(_block(lines))
            inside = ""
        elif name in ("BEGIN", "END"):
            # an alarm within an event has a description of its own
            below += 1 if name == "BEGIN" else -1
        elif inside and not below:
            lines.setdefault(name, []).append(_value(name, extra, value))
    return "\n\n".join(block for block in blocks if block)


def _block(lines: dict[str, list[str]]) -> str:
    out = [lines["SUMMARY"][0]] if lines.get("SUMMARY") else []
    start, end = lines.get("DTSTART", [""])[0], lines.get("DTEND", lines.get("DUE", [""]))[0]
    if start or end:
        out.append("When: " + (f"{start} to {end}" if start and end else start or f"until {end}"))
    for label, name in (("Where", "LOCATION"), ("Organizer", "ORGANIZER"), ("Attendees", "ATTENDEE")):
        if any(lines.get(name, ())):
            out.append(f"{label}: " + ", ".join(value for value in lines[name] if value))
    if lines.get("DESCRIPTION"):
        out.append("")
        out.append(lines["DESCRIPTION"][0])
    return "\n".join(out).strip()


def _value(name: str, extra: str, value: str) -> str:
    if name in ("DTSTART", "DTEND", "DUE"):
        moment = _MOMENT.match(value.strip())
        if not moment:
            return value.strip()
        year, month, day, hour, minute, utc = moment.groups()
        zone = _ZONE.search(extra)
        clock = f" {hour}:{minute}" if hour else ""
        return f"{year}-{month}-{day}{clock}" + (" UTC" if utc else f" ({zone[1]})" if zone and clock else "")
    if name in ("ORGANIZER", "ATTENDEE"):
        address = re.sub(r"(?i)\Amailto:", "", value.strip())
        called = _NAME.search(extra)
        person = (called[1] or called[2] or "").strip() if called else ""
        return f"{person} <{address}>" if person and person.lower() != address.lower() else address
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value).strip()
