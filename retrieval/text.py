"""Message ids become messages: what a prompt and a page show of a hit, read in one query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import psycopg


@dataclass(frozen=True)
class MessageText:
    """A message as shown. ``message_ids``: Message-IDs of all its copies, its own first; ``local_at`` on the clock of
    its Date header; ``to``/``cc``: names (else addresses); ``new_text``: without history and signature,
    and behind it the texts of its attachments, each under a line that names it; ``found_in``: the attachment in which a
    search found it, or "";
    ``body_characters`` less ``new_text`` is what is hidden."""

    id: int
    message_id: str
    message_ids: tuple[str, ...]
    thread: int | None
    subject: str
    local_at: datetime | None
    sender: str
    sender_address: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    new_text: str
    body_characters: int
    kind: str
    recovered: bool
    labels: tuple[str, ...]
    found_in: str = ""

    @property
    def header(self) -> str:
        """One line: date, sender, recipients, subject, and the attachment in which it was found."""
        date = f"{self.local_at:%Y-%m-%d %H:%M}" if self.local_at else "no date"
        to = ", ".join(self.to[:4]) + (f" and {len(self.to) - 4} more" if len(self.to) > 4 else "")
        found = f" | found in its attachment {self.found_in}" if self.found_in else ""
        return f"{date} | {self.sender}{' to ' + to if to else ''} | {self.subject or '(no subject)'}{found}"


_SQL = """
SELECT m.id, m.message_id,
       (SELECT array_agg(DISTINCT o.message_id) FROM mail.occurrence o WHERE o.message = m.id),
       m.thread, m.subject, m.local_at,
       coalesce(nullif(p.name, ''), nullif(m.sender_name, ''), a.address, ''), coalesce(a.address, ''),
       (SELECT coalesce(jsonb_object_agg(kind, names), '{}') FROM (
            SELECT r.kind, jsonb_agg(coalesce(nullif(rp.name, ''), ra.address) ORDER BY ra.id) AS names
            FROM mail.recipient r JOIN mail.address ra ON ra.id = r.address
            LEFT JOIN mail.person_address rpa ON rpa.address = ra.id LEFT JOIN mail.person rp ON rp.id = rpa.person
            WHERE r.message = m.id GROUP BY r.kind) recipients),
       said.text, length(m.body) - length(m.new_text) + length(said.text), m.kind, m.recovered,
       (SELECT coalesce(array_agg(DISTINCT l.name), '{}') FROM mail.occurrence o
        JOIN mail.occurrence_label ol ON ol.occurrence = o.id JOIN mail.label l ON l.id = ol.label
        WHERE o.message = m.id)
FROM mail.message m CROSS JOIN LATERAL (SELECT mail.searched_text(m.id, m.new_text) AS text) said
LEFT JOIN mail.address a ON a.id = m.sender
LEFT JOIN mail.person_address pa ON pa.address = a.id LEFT JOIN mail.person p ON p.id = pa.person
WHERE m.id = ANY(%s)
"""


def messages(conn: psycopg.Connection, ids: Iterable[int]) -> dict[int, MessageText]:
    """The messages of these ids; an id that is no longer there is left out."""
    out: dict[int, MessageText] = {}
    for row in conn.execute(_SQL, (list(ids),)):
        others = sorted(set(row[2] or ()) - {row[1]})
        out[row[0]] = MessageText(
            id=row[0],
            message_id=row[1],
            message_ids=(row[1], *others),
            thread=row[3],
            subject=row[4],
            local_at=row[5],
            sender=row[6],
            sender_address=row[7],
            to=tuple(row[8].get("to", ())),
            cc=tuple(row[8].get("cc", ())),
            new_text=row[9],
            body_characters=row[10],
            kind=row[11],
            recovered=row[12],
            labels=tuple(sorted(row[13])),
        )
    return out
