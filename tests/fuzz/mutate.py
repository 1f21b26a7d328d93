"""Changes to bytes of which mail is made: at the level of bytes, of lines, of whole structures, and much of a thing.

The pieces that are put in are what readers decide by (boundaries, encodings, marks of quotations, heads of archives).
Whatever is random comes from the generator that is handed in, so that a number tells an input.
"""

from __future__ import annotations

import random

_TEXTS = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        "\n", "\r\n", "\r", "\x00", "\t", " ", "\n\n", "\n \n", "\x1b[2J", "\ufeff", "\u202e", "\u2066", "\u200b", "\ud800",
        "ſ", "İ", "ẞ", "ﬃ", "\U0001f9d1\u200d\U0001f680", "а", "ο",
        "From: ", "To: ", "Cc: ", "Subject: ", "Date: ", "Message-ID: <", "References: <a@b> ", "In-Reply-To: ",
        "Content-Type: text/plain; charset=utf-7\n", "Content-Type: text/html; charset=utf-16\n",
        "Content-Type: multipart/mixed; boundary=x\n", "Content-Type: multipart/alternative; boundary=\"\"\n",
        "Content-Type: message/rfc822\n", "Content-Type: application/ms-tnef\n", "Content-Type: text/calendar\n",
        "Content-Type: application/pkcs7-mime\n", "Content-Transfer-Encoding: base64\n",
        "Content-Transfer-Encoding: quoted-printable\n", "Content-Transfer-Encoding: x-uuencode\n",
        "Content-Disposition: attachment; filename*0*=utf-8''%ff; filename*1=\n", "Content-Length: 9999999999\n",
        "Content-Length: -1\n", "Status: RO\n", "--x\n", "--x--\n", "=?utf-8?Q?", "=?utf-8?B?", "?=", "=?x?q?=00?=",
        "=00", "=\n", "=3D", "begin 644 a\n", "\nend\n", "From - Mon Mar  4 09:00:00 2024\n", "\nFrom ", ">From ", "> ",
        ">", ">>>>", "| ", "On Mon, 4 Mar 2024 at 09:00, Ada <a@b.example> wrote:\n", "Le lun. 4 mars 2024, Ada a écrit :\n",
        "Am 04.03.2024 um 09:00 schrieb Ada:\n", "-----Original Message-----\n", "________________________________\n",
        "---------- Forwarded message ---------\n", "Begin forwarded message:\n", "-- \n", "Sent from my ", "Von: ", "De: ",
        "<", ">", "<div>", "</div>", "<blockquote>", "</blockquote>", "<table><tr><td>", "<div class=\"gmail_quote\">",
        "<!--", "-->", "<![CDATA[", "]]>", "<script>", "</script>", "<style>", "<!DOCTYPE a [<!ENTITY b \"c\">", "&b;",
        "&#0;", "&#xD800;", "&#99999999999;", "&amp", "<p style=\"display:none\">", "<o:p>", "<base href=x>", "<plaintext>",
        "%PDF-1.7\n", "PK\x03\x04", "PK\x05\x06", "{\\rtf1", "\\bin9999999 ", "\\u-1 ", "\\'", "{\\*\\", "}",
        "BEGIN:VCALENDAR\n", "BEGIN:VEVENT\n", "DTSTART:99999999T999999Z\n", "RRULE:FREQ=SECONDLY\n", "{\"", "\"}", "[", "]",
        "\\ud800", "\\u0000", "null", "1e999", "-0", "\"", "'", "(", ")", ",", ";", ":", "@", "<@>", "\\", "%", "%s", "$$",
        "-9999999999999999999999", "0", "31 Feb 99999 25:61:61 +9999", "1 Jan 0001 00:00:00 -2359",
    )
)  # fmt: skip
_BYTES = (b"\xff\xfe", b"\xfe\xff", b"\xff" * 4, b"\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\x1f\x8b\x08", b"BZh9",
          b"\x78\x9f\x3e\x22", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"!BDN", b"\x00" * 8, b"\x7f\xff\xff\xff",
          b"\xff\xff\xff\x7f")  # fmt: skip
TOKENS = _TEXTS + _BYTES


def mutate(data: bytes, other: bytes, chance: random.Random, size: int) -> bytes:
    """``data`` with one to six changes, some of them taken from ``other``; at most ``size`` bytes."""
    out = bytearray(data[:size])
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        chance.choice(_CHANGES)(out, other, chance)
        del out[size:]  # else what one change made much of, the next makes a gigabyte
    return bytes(out)


def _span(out: bytearray, chance: random.Random) -> tuple[int, int]:
    """A piece, more often a short one."""
    start = chance.randrange(len(out) + 1)
    return start, min(len(out), start + int(2 ** chance.uniform(0, 12)))


def _line(out: bytearray, chance: random.Random) -> tuple[int, int]:
    at = chance.randrange(len(out) + 1)
    start = out.rfind(b"\n", 0, at) + 1
    return start, (out.find(b"\n", at) + 1) or len(out)


def _flip(out: bytearray, other: bytes, chance: random.Random) -> None:
    for _ in range(chance.randrange(1, 16)):
        if out:
            out[chance.randrange(len(out))] = chance.choice(
                (0, 10, 13, 32, 60, 62, 127, 128, 255, chance.randrange(256))
            )


def _bit(out: bytearray, other: bytes, chance: random.Random) -> None:
    if out:
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)


def _number(out: bytearray, other: bytes, chance: random.Random) -> None:
    """A length or an offset of a binary format becomes another one."""
    if len(out) >= 4:
        at = chance.randrange(len(out) - 3)
        value = chance.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, len(out), chance.randrange(65536)))
        out[at : at + 4] = value.to_bytes(4, chance.choice(("little", "big")))


def _cut(out: bytearray, other: bytes, chance: random.Random) -> None:
    start, stop = _span(out, chance)
    del out[start:stop]


def _end(out: bytearray, other: bytes, chance: random.Random) -> None:
    del out[chance.randrange(len(out) + 1) :]


def _token(out: bytearray, other: bytes, chance: random.Random) -> None:
    at = _line(out, chance)[0] if chance.random() < 0.6 else chance.randrange(len(out) + 1)
    out[at:at] = chance.choice(TOKENS) * chance.choice((1, 1, 1, 2, 20))


def _many(out: bytearray, other: bytes, chance: random.Random) -> None:
    """Much of one thing: what takes quadratic time shows."""
    at = chance.randrange(len(out) + 1)
    piece = chance.choice(TOKENS) if chance.random() < 0.7 else bytes(out[slice(*_span(out, chance))])
    out[at:at] = piece * int(2 ** chance.uniform(5, 13))


def _again(out: bytearray, other: bytes, chance: random.Random) -> None:
    start, stop = _line(out, chance) if chance.random() < 0.5 else _span(out, chance)
    at = chance.randrange(len(out) + 1)
    out[at:at] = out[start:stop] * chance.choice((1, 2, 50))


def _swap(out: bytearray, other: bytes, chance: random.Random) -> None:
    a, b = _line(out, chance), _line(out, chance)
    first, second = bytes(out[a[0] : a[1]]), bytes(out[b[0] : b[1]])
    if a[1] <= b[0]:
        out[b[0] : b[1]], out[a[0] : a[1]] = first, second


def _splice(out: bytearray, other: bytes, chance: random.Random) -> None:
    """A piece of another input comes in, or the rest is that of another."""
    if not other:
        return
    start = chance.randrange(len(other))
    at = chance.randrange(len(out) + 1)
    if chance.random() < 0.5:
        out[at:] = other[start:]
    else:
        out[at:at] = other[start : start + int(2 ** chance.uniform(2, 13))]


_CHANGES = (_flip, _bit, _number, _cut, _end, _token, _token, _token, _many, _again, _swap, _splice)
