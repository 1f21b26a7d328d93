"""A small made-up mailbox for the tests of the command line and the page, with counts worked out by hand.

Ana Ruiz wrote 5 of the 12 messages to the owner (Lena Vogt), Ben Okoro 3, Mara Lind 2; the owner wrote 1, and one is
hostile. Ben's last answer quotes Ana.
"""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

OWNER = "lena@vogt.example"
TRAP = "trap.example"

ANA, BEN, MARA = "Ana Ruiz <ana@tidal.example>", "Ben Okoro <ben@tidal.example>", "Mara Lind <mara@harbour.example>"
LENA = f"Lena Vogt <{OWNER}>"

TEXTS = [
    (ANA, LENA, "Pump test window", "The pump test moves to the week after Easter, the harbour is closed before that."),
    (
        ANA,
        LENA,
        "Rate for extra days",
        "Each additional day of testing costs 940 euros, the rate stays as it was last year.",
    ),
    (ANA, LENA, "Re: Pump test window", "Tuesday at nine suits the crew. Bring the long hoses, please."),
    (ANA, LENA, "Sensor list", "Attached is the list of the eleven sensors; two of them are still on loan in Lisbon."),
    (ANA, LENA, "Invoice 118", "Invoice 118 is paid, thank you for the quick answer."),
    (BEN, LENA, "Crane permit", "The city wants the crane permit renewed before the first of June."),
    (BEN, LENA, "Lunch", "Shall we have lunch at the fish hall on Friday?"),
    (MARA, LENA, "Harbour closed", "The harbour basin is closed for dredging until the fourteenth of April."),
    (MARA, LENA, "Berth fee", "The berth fee for the test barge is 310 euros a day, payable in advance."),
    (LENA, ANA, "Thanks", "Thank you, that all fits. I will tell the crew."),
]


def write(path: Path) -> Path:
    """Writes the mailbox as one mbox file."""
    messages = [_message(n, *text) for n, text in enumerate(TEXTS, 1)]
    quoted = f"On Sun, 2 Mar 2025 at 09:00, Ana Ruiz <ana@tidal.example> wrote:\n> {TEXTS[1][3]}\n"
    answer = f"Agreed, let us do that.\n\n{quoted}"
    messages.append(_message(11, BEN, LENA, "Re: Rate for extra days", answer))
    hostile = _message(
        12, "Prize <win@prize.example>", LENA, "<img src=x onerror=alert(1)> **pump**", "The pump prize."
    )
    hostile.add_alternative(
        f'<p>The pump prize <script>fetch("http://{TRAP}/s")</script><img src="http://{TRAP}/i.png"></p>',
        subtype="html",
    )
    messages.append(hostile)
    path.write_bytes(b"".join(b"From x@x.example Mon Mar  3 09:00:00 2025\n" + bytes(one) + b"\n" for one in messages))
    return path


def _message(number: int, sender: str, to: str, subject: str, text: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"] = f"{number:02} Mar 2025 09:00:00 +0100"
    message["Message-ID"] = f"<{number}@mail.example>"
    message.set_content(text)
    return message
