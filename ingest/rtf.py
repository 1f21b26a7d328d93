"""The text of Outlook's RTF bodies, and the HTML that is wrapped in them.

Outlook stores a body as compressed RTF (MS-OXRTFCP). What came as HTML is kept inside it, tag by tag (MS-OXRTFEX), and
is taken out again as it was; of other RTF the text is read, without its looks.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace

from ingest import charsets

# what a compressed body refers back to before it has begun itself (MS-OXRTFCP, 2.1.3.1.1)
_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0" b"\r\n" rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)  # fmt: skip
_COMPRESSED, _PLAIN = b"LZFu", b"MELA"
MAX_RTF = 64 * 1024 * 1024

_TOKEN = re.compile(rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.S)
_SKIPPED = frozenset(
    "fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr pntext listtable "
    "listoverridetable revtbl rsidtbl generator themedata datastore xmlnstbl mhtmltag fldinst filetbl".split()
)
_CHARACTERS = {
    "par": "\n", "line": "\n", "sect": "\n", "page": "\n", "row": "\n", "cell": "\t", "tab": "\t", "lquote": "‘",
    "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—", "emspace": " ",
    "enspace": " ", "zwj": "\u200d", "zwnj": "\u200c",
}  # fmt: skip
# Windows' charset numbers of fonts
_FONT_CHARSETS = {
    0: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip


def decompress(data: bytes) -> bytes:
    """The RTF of a compressed body; what is broken ends it. "" for what is none."""
    if len(data) < 16:
        return b""
    size, kind = struct.unpack_from("<I", data, 4)[0], data[8:12]
    if kind == _PLAIN:
        return data[16 : 16 + size]
    if kind != _COMPRESSED:
        return b""
    size = min(size, MAX_RTF)
    window = bytearray(_DICTIONARY.ljust(4096, b" "))
    write = len(_DICTIONARY)
    out = bytearray()
    at = 16
    while at < len(data) and len(out) < size:
        control = data[at]
        at += 1
        for bit in range(8):
            if not control >> bit & 1:
                if at >= len(data):
                    break
                found = data[at : at + 1]
                at += 1
            else:
                if at + 2 > len(data):
                    at = len(data)
                    break
                reference = data[at] << 8 | data[at + 1]
                at += 2
                place, length = reference >> 4, (reference & 15) + 2
                if place == write:
                    return bytes(out)
                copied = bytearray()
                for step in range(length):
                    byte = window[(place + step) % 4096]
                    window[(write + step) % 4096] = byte
                    copied.append(byte)
                out += copied
                write = (write + length) % 4096
                continue
            window[write] = found[0]
            write = (write + 1) % 4096
            out += found
    return bytes(out[:size])


def read_rtf(rtf: bytes) -> tuple[str, str]:
    """(plain text, HTML) of an RTF document; one of them is "". Never raises."""
    reader = _Reader(wraps_html=b"\\fromhtml1" in rtf[:4096])
    found = reader.read(rtf[:MAX_RTF])
    return ("", found) if reader.wraps_html else (found, "")


@dataclass(slots=True)
class _Group:
    """What holds until the group's end. ``skip``: its text is not shown; ``tag``: it is a tag of the wrapped HTML."""

    skip: bool = False
    tag: bool = False
    fonts: bool = False
    rtf_only: bool = False
    after_unicode: int = 1
    font: int = -1


class _Reader:
    def __init__(self, wraps_html: bool) -> None:
        self.wraps_html = wraps_html
        self._out: list[str] = []
        self._bytes = bytearray()
        self._charset = "cp1252"
        self._fonts: dict[int, str] = {}
        self._groups = [_Group()]
        self._drop = 0  # characters that stand in for one that was given as Unicode

    def read(self, rtf: bytes) -> str:
        star = False
        for match in _TOKEN.finditer(rtf):
            word, number, hexadecimal, symbol, brace, text = match.groups()
            if brace == b"{":
                self._flush()
                self._groups.append(replace(self._groups[-1], fonts=False) if len(self._groups) < 500 else _Group(True))
            elif brace == b"}":
                self._flush()
                if len(self._groups) > 1:
                    self._groups.pop()
            elif word is not None:
                self._word(word.decode(), int(number) if number else None, star)
                star = False
                continue
            elif symbol is not None:
                if symbol == b"*":
                    star = True
                    continue
                self._symbol(symbol)
            elif hexadecimal is not None:
                self._add(bytes.fromhex(hexadecimal.decode()))
            elif text is not None:
                self._add(text)
            star = False
        self._flush()
        joined = "".join(self._out)
        # pairs of surrogates come as two numbers
        return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _word(self, word: str, number: int | None, star: bool) -> None:
        group = self._groups[-1]
        if word == "htmltag" and self.wraps_html:
            self._flush()
            group.tag, group.skip = True, False
        elif word in _SKIPPED or (star and not (word == "htmltag" or word == "pn")):
            group.skip, group.fonts = True, word == "fonttbl"
        elif word == "htmlrtf":
            self._flush()
            group.rtf_only = number != 0
        elif word == "ansicpg" and number:
            self._charset = charsets.of_codepage(number)
        elif word == "f" and number is not None:
            self._flush()
            group.font = number
        elif word == "fcharset" and number is not None:
            self._fonts[group.font] = _FONT_CHARSETS.get(number, "")
        elif word == "uc" and number is not None:
            group.after_unicode = max(0, min(number, 8))
        elif word == "u" and number is not None:
            self._show(chr(number & 0xFFFF))
            self._drop = group.after_unicode
        elif word in _CHARACTERS:
            self._show(_CHARACTERS[word])

    def _symbol(self, symbol: bytes) -> None:
        if symbol in b"\\{}":
            self._add(symbol)
        elif symbol == b"~":
            self._show("\N{NO-BREAK SPACE}")
        elif symbol == b"_":
            self._show("-")
        elif symbol in b"\r\n":
            self._show("\n")

    def _add(self, data: bytes) -> None:
        if self._drop:
            dropped = min(self._drop, len(data))
            self._drop -= dropped
            data = data[dropped:]
        group = self._groups[-1]
        if data and not group.skip and (group.tag or not (self.wraps_html and group.rtf_only)):
            self._bytes += data

    def _show(self, text: str) -> None:
        self._flush()
        self._drop = 0
        group = self._groups[-1]
        if not group.skip and (group.tag or not (self.wraps_html and group.rtf_only)):
            self._out.append(text)

    def _flush(self) -> None:
        if self._bytes:
            charset = self._fonts.get(self._groups[-1].font) or self._charset
            self._out.append(charsets.decode(bytes(self._bytes), charset))
            self._bytes.clear()
