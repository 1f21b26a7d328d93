"""Where facts, messages and the answer contradict each other, said in words.

A fact counts everything under one reading of the question; messages are found by likeness; the answer is a model's.
Three hold together or somebody should know: a name may stand for more people than were counted, and a model may write
another number than the one it was given. Only what can be told apart from chance is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graph.plan import Intent, People, Period, Plan
from retrieval.linker import Link
from retrieval.planner.tokens import keys
from retrieval.support import CITED, numbers
from retrieval.text import MessageText
from retrieval.types import Fact

if TYPE_CHECKING:
    from retrieval.planner.rules import PlannedQuestion

COUNTS: tuple[Intent, ...] = ("count", "list")
YEARS = range(1900, 2100)


def with_messages(asked: PlannedQuestion, facts: Sequence[Fact], found: Iterable[MessageText]) -> str:
    """What speaks against a count of messages from somebody: more messages from people of that name were found than
    it counts. Nothing where all is well or another thing was counted."""
    counted = _counted(asked, facts)
    if counted is None or asked.plan is None:
        return ""
    link, period = _sender(asked.plan, asked.links)
    if link is None:
        return ""
    wanted = set(keys(link.text))
    alike = [m for m in found if not m.recovered and wanted <= set(keys(m.sender)) and _within(m, period)]
    if len(alike) <= counted:
        return ""
    return (
        f"{len(alike)} of the messages found are from somebody called {link.text}, and {counted} were counted: "
        "the name may stand for several people."
    )


def with_answer(text: str, question: str, facts: Sequence[Fact], cited: Iterable[str]) -> str:
    """What the answer counts otherwise than the first fact that is a number. Nothing where it repeats that number, or
    names none that is not in the question, the facts or the messages it cites."""
    counted = next((f.value for f in facts if isinstance(f.value, int)), None)
    said = numbers(CITED.sub("", text))
    if counted is None or not said or str(counted) in said:
        return ""
    known = numbers("\n".join([question, *(f.text for f in facts), *cited]))
    other = sorted(n for n in said - known if int(n) not in YEARS)
    if not other:
        return ""
    return f"The answer says {', '.join(other)} where {counted:,} was counted: the counted value holds."


def _counted(asked: PlannedQuestion, facts: Sequence[Fact]) -> int | None:
    """The number of messages of the first fact, where the question asks for messages and all of them."""
    if asked.plan is None or asked.plan.target != "messages" or asked.plan.limit is not None or not facts:
        return None
    if asked.intent not in COUNTS or asked.plan.not_filters:
        return None
    value = facts[0].value
    return value if isinstance(value, int) else len(value)


def _sender(plan: Plan, links: Sequence[Link]) -> tuple[Link | None, Period | None]:
    """The name of the sender that is counted and the period, where these are all the conditions there are."""
    senders = [f for f in plan.filters if isinstance(f, People) and f.role == "sender"]
    periods = [f for f in plan.filters if isinstance(f, Period)]
    if len(senders) != 1 or len(periods) > 1 or len(senders) + len(periods) != len(plan.filters):
        return None, None
    link = next((one for one in links if one.kind == "person" and one.ids == senders[0].who), None)
    return (None if link is None or link.how == "owner" else link), (periods[0] if periods else None)


def _within(message: MessageText, period: Period | None) -> bool:
    if period is None:
        return True
    if message.local_at is None:
        return False
    day = message.local_at.date()
    return (period.start is None or day >= period.start) and (period.end is None or day < period.end)
