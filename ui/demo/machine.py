"""Mail that no person wrote: reminders, tickets, alarms, newsletters, drawn with a fixed seed."""

from ui.demo.people import Person
from ui.demo.script import Entry


def entries(people: dict[str, Person]) -> list[Entry]:
    """All machine mail of the ten months."""
    return []
