"""A made-up mailbox whose counts are known by hand: an architect's office that builds a footbridge.

Ida Brandt (the owner) and Tom Weiss work at brandt-bau.example; there are two people called Eva, at two firms; Otto
writes from two addresses. Threads: 1 steel offer (mails 1-4), 2 opening (5-8), 9 a newsletter, and single mails.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

import psycopg

from tests.graph.mailboxes import Mail, Mailbox

IDA, TOM = "ida@brandt-bau.example", "tom.weiss@brandt-bau.example"
EVA_S, EVA_L = "eva.sommer@stahlkontor.example", "eva@lindt-recht.example"
OTTO, OTTO_HOME = "otto.berg@stahlkontor.example", "otto.berg@webmail.example"
NEWS = "news@bridges-weekly.example"

PEOPLE = {
    "Ida Brandt": (IDA,),
    "Tom Weiss": (TOM,),
    "Eva Sommer": (EVA_S,),
    "Eva Lindt": (EVA_L,),
    "Otto Berg": (OTTO, OTTO_HOME),
    "Bridges Weekly": (NEWS,),
}


def at(month: int, day: int, hour: int = 9, year: int = 2021) -> datetime:
    return datetime(year, month, day, hour)


MAIL = [
    Mail(1, EVA_S, (IDA,), sent=at(10, 4), subject="Steel offer", thread=1, labels=("bridge.steel",),
         body="Dear Ida, for the footbridge we can deliver 84 tonnes of weathering steel at 1,910 euros a tonne."),
    Mail(2, IDA, (EVA_S,), (TOM,), sent=at(10, 5), subject="Re: Steel offer", thread=1, labels=("bridge.steel",),
         parents=(1,), body="Eva, that is too much. Can Stahlkontor come down to 1,800?"),
    Mail(3, OTTO, (IDA,), (EVA_S,), sent=at(10, 6), subject="Re: Steel offer", thread=1, labels=("bridge.steel",),
         parents=(2,), body="Ida, 1,850 a tonne if you order before Friday. Zinkplatten are extra."),
    Mail(4, IDA, (OTTO,), sent=at(10, 7), subject="Re: Steel offer", thread=1, labels=("bridge.steel",), parents=(3,),
         body="Agreed, let's do that."),
    Mail(5, TOM, (IDA,), sent=at(11, 2), subject="Opening day", thread=5,
         body="The mayor cannot come on the third of May. Shall we move the opening to the tenth?"),
    Mail(6, IDA, (TOM,), sent=at(11, 3), subject="Re: Opening day", thread=5, parents=(5,), body="Yes, the tenth is fine."),
    Mail(7, TOM, (IDA,), (EVA_L,), sent=at(11, 4), subject="Re: Opening day", thread=5, parents=(6,),
         body="Eva will look at the contract with the brass band."),
    Mail(8, EVA_L, (TOM, IDA), sent=at(11, 5), subject="Re: Opening day", thread=5, parents=(7,),
         body="The contract of the brass band lets us move the day without a fee.", files=(("contract.pdf", "application/pdf"),)),
    Mail(9, NEWS, (IDA,), sent=at(11, 6), subject="Bridges of the week", thread=9, kind="automated",
         body="Steel, steel, steel: ten footbridges to see this autumn."),
    Mail(10, OTTO_HOME, (IDA,), sent=at(12, 1), subject="Delivery", thread=10, labels=("bridge.steel",),
         body="The lorries come on the ninth. The Zinkplatten follow a week later."),
    Mail(11, TOM, (OTTO, EVA_S, EVA_L, IDA), sent=at(12, 2), subject="Site meeting", thread=11,
         body="We meet at the site on the ninth at eight."),
    Mail(12, IDA, (EVA_S,), sent=at(12, 3), subject="Invoice", thread=12, body="Your invoice for the steel was paid today."),
    Mail(13, IDA, (TOM,), sent=at(12, 4), subject="Draft of a speech", thread=13, kind="draft",
         body="Ladies and gentlemen, this footbridge of Zinkplatten and steel..."),
    Mail(14, EVA_S, (IDA,), sent=at(12, 5), subject="Re: Invoice", thread=12, parents=(12,), body="Thank you, received."),
]  # fmt: skip


def office() -> Mailbox:
    return Mailbox(PEOPLE, MAIL)


def chunks(conn: psycopg.Connection, box: Mailbox) -> dict[bytes, str]:
    """Writes one chunk for each message, as ingesting does for short mail; gives the texts by their key."""
    texts: dict[bytes, str] = {}
    names = {address: name for name, owned in box.people.items() for address in owned}
    for mail in box.mail:
        to = ", ".join(names[a] for a in mail.to)
        text = f"{mail.sent:%Y-%m-%d}, {names[str(mail.sender)]} to {to}: {mail.subject}\n\n{mail.body}"
        key = sha256(text.encode()).digest()
        texts[key] = text
        conn.execute(
            "INSERT INTO mail.chunk (message, position, text, start, stop, sha256) VALUES (%s, 0, %s, 0, %s, %s)",
            (mail.id, text, len(mail.body), key),
        )
    return texts
