"""Whose mailbox it is: proposed with evidence until the person says so.

The owner is the person who wrote and received more of the mailbox than anyone else. A mailing list's archive has no
owner: nobody in it wrote or received a good part of it.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection

# Folders of sent mail, as programs and Gmail's export name them: an expression of the database.
SENT_FOLDER = (
    "(^|[/._ -])(sent($|[^a-z])|gesendet|envoy[eé]|enviad|enviat|inviat|verzonden|skickat|sendt|l[aä]hetety|wys[lł]an"
    "|odeslan|odoslan|elk[uü]ld|trimis|g[oö]nderil|saadetud|i[sš]si[uų]st|nos[uū]t|poslan|bidali|terkirim|đã gửi"
    "|отправлен|надіслан|изпратен|послат|απεσταλμ|נשלח|المرسل|ส่งแล้ว|已发|已發|已傳送|已寄|寄件|送信済|보낸)"
)
# An owner wrote or received at least this share of the mail.
SHARE = 0.35


def rebuild(conn: Connection[Any]) -> None:
    """Propose the owner of every mailbox whose owner is not confirmed, and mark the owners' persons."""
    boxes = conn.execute("SELECT id, owner_confirmed FROM mail.mailbox").fetchall()
    for box, confirmed in boxes:
        if not confirmed:
            addresses, evidence = propose(conn, box)
            conn.execute(
                "UPDATE mail.mailbox SET owner_addresses = %s, owner_evidence = %s WHERE id = %s",
                (addresses, evidence, box),
            )
    conn.execute(
        "UPDATE mail.person p SET is_owner = o.yes FROM ("
        " SELECT pa.person, bool_or(a.address = ANY (SELECT unnest(owner_addresses) FROM mail.mailbox)) AS yes"
        " FROM mail.person_address pa JOIN mail.address a ON a.id = pa.address GROUP BY 1) AS o"
        " WHERE p.id = o.person AND p.is_owner <> o.yes"
    )


def propose(conn: Connection[Any], box: int) -> tuple[list[str], str]:
    """The addresses of the likely owner of a mailbox, and the reason in words; ([], "") when nobody stands out."""
    row = conn.execute(_RANKED.format(sent_folder=SENT_FOLDER).encode(), {"box": box}).fetchone()
    if row is None:
        return [], ""
    name, addresses, sent, received, in_sent, total = row
    if max(received, sent) < SHARE * total and not in_sent:
        return [], ""
    where = f" ({in_sent:,} of them lie in folders of sent mail)" if in_sent else ""
    return addresses, f"{name} wrote {sent:,}{where} and received {received:,} of {total:,} messages"


# Sent folders tell most, since only the owner's mail lies there.
_RANKED = """
WITH here AS (
    SELECT DISTINCT o.message FROM mail.occurrence o JOIN mail.source s ON s.id = o.source
    JOIN mail.message m ON m.id = o.message WHERE s.mailbox = %(box)s AND m.counted
), sent AS (
    SELECT pa.person, count(*) AS n FROM here h JOIN mail.message m ON m.id = h.message
    JOIN mail.person_address pa ON pa.address = m.sender GROUP BY 1
), received AS (
    SELECT pa.person, count(DISTINCT r.message) AS n FROM here h JOIN mail.recipient r USING (message)
    JOIN mail.person_address pa ON pa.address = r.address GROUP BY 1
), in_sent AS (
    SELECT pa.person, count(DISTINCT o.message) AS n
    FROM here h JOIN mail.occurrence o USING (message) JOIN mail.occurrence_label ol ON ol.occurrence = o.id
    JOIN mail.label l ON l.id = ol.label JOIN mail.message m ON m.id = o.message
    JOIN mail.person_address pa ON pa.address = m.sender
    WHERE l.name ~* '{sent_folder}'
    GROUP BY 1
)
SELECT p.name, (
        SELECT array_agg(a.address ORDER BY a.address) FROM mail.person_address pa
        JOIN mail.address a ON a.id = pa.address WHERE pa.person = p.id),
    coalesce(s.n, 0), coalesce(r.n, 0), coalesce(i.n, 0), (SELECT count(*) FROM here)
FROM mail.person p
LEFT JOIN sent s ON s.person = p.id LEFT JOIN received r ON r.person = p.id LEFT JOIN in_sent i ON i.person = p.id
WHERE NOT p.is_role AND (s.n > 0 OR r.n > 0)
ORDER BY coalesce(s.n, 0) + coalesce(r.n, 0) + 2 * coalesce(i.n, 0) DESC, p.name
LIMIT 1
"""
