"""Bytes to text when the label lies, is unknown or is missing.

Labels in mail name charsets that no library knows ("cp-850", "x-user-defined", "utf-8 euao6y"), or the wrong one: UTF-8
labelled Latin-1 and the other way round are common. Labels are read as browsers read them (WHATWG Encoding Standard:
Latin-1 means windows-1252, GB2312 means its superset), text that is valid UTF-8 beats a Western label, and bytes
that are wrong in their charset become what they are in windows-1252 instead of being lost. Nothing here raises.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "ksc5601": "cp949",
    "shift_jis": "cp932",
    "big5": "cp950",
    "iso2022_jp": "iso2022_jp_3",
}
_ALIASES = {
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "ansi_x3.4-1968": "cp1252",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "iso-8859-6-i": "iso8859-6",
    "x-sjis": "cp932",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "x-gbk": "gb18030",
    "x-big5": "cp950",
    "x-euc-jp": "euc-jp",
    "cp-850": "cp850",
    "dos": "cp437",
}
_CODEPAGES = {
    1200: "utf-16-le", 10000: "mac-roman", 20127: "ascii", 20866: "koi8-r", 20932: "euc-jp", 21866: "koi8-u",
    28591: "iso8859-1", 28592: "iso8859-2", 28593: "iso8859-3", 28594: "iso8859-4", 28595: "iso8859-5",
    28596: "iso8859-6", 28597: "iso8859-7", 28598: "iso8859-8", 28599: "iso8859-9", 28603: "iso8859-13",
    28605: "iso8859-15", 38598: "iso8859-8", 50220: "iso2022_jp", 50221: "iso2022_jp", 50222: "iso2022_jp",
    50225: "iso2022_kr", 51932: "euc-jp", 51949: "euc_kr", 51936: "gb2312", 52936: "hz", 54936: "gb18030",
    65000: "utf-7", 65001: "utf-8",
}  # fmt: skip
_WINDOWS = re.compile(r"(?:x-)?(?:windows|win|cp|ibm|ms|ansi)[-_ ]?(\d{3,5})\Z")
_LATIN = re.compile(r"(?:x-)?(?:iso[-_ ]?8859[-_ ]?|latin[-_ ]?|8859[-_ ]?)(\d{1,2})")
_LONE = re.compile("[\ud800-\udfff]")


def decode(data: bytes, label: str = "", hint: str = "") -> str:
    """``data`` as text: valid Unicode without NUL and lone surrogates. ``hint`` is a charset seen elsewhere in the
    same message, tried when ``label`` is missing or unknown."""
    if data.isascii() and b"\x1b" not in data and not label:
        return data.decode("ascii").replace("\x00", "")
    codec = codec_of(label) or codec_of(hint)
    if codec in (None, "cp1252", "utf-8"):
        if codec is None and (b"\x1b$" in data or b"\x1b(" in data):
            codec = "iso2022_jp_3"
        else:
            try:
                return data.decode("utf-8").replace("\x00", "")
            except UnicodeDecodeError:
                codec = codec or "cp1252"
    try:
        text = data.decode(codec or "cp1252", _WESTERN)
    except (UnicodeError, LookupError):
        text = data.decode("utf-8", _WESTERN)
    return clean(text)


def of_codepage(number: int) -> str:
    """The label of a Windows code page."""
    return _CODEPAGES.get(number, f"cp{number}")


def clean(text: str) -> str:
    """``text`` without NUL; surrogate pairs become their character, lone surrogates U+FFFD."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    if not text.isascii() and _LONE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


@lru_cache(maxsize=512)
def codec_of(label: str) -> str | None:
    """The codec for a label as it stands in mail, or None when there is no telling."""
    words = label.strip(" \t\"'<>").lower().split()
    if not words:
        return None
    name = words[0].strip("\"',;:").removeprefix("charset=").split("*")[0]
    name = _ALIASES.get(name, name)
    for candidate in (name, name.removeprefix("x-"), *_respelled(name)):
        try:
            known = codecs.lookup(candidate)
        except (LookupError, ValueError):
            continue
        # some codecs turn text into text, or bytes into bytes
        if known._is_text_encoding and known.name not in (
            "idna",
            "punycode",
            "unicode_escape",
            "raw_unicode_escape",
        ):
            return _SUPERSETS.get(known.name, known.name)
    return None


def _respelled(name: str) -> list[str]:
    windows, latin = _WINDOWS.match(name), _LATIN.match(name)
    if windows:
        return [f"cp{windows[1]}"]
    if latin:
        return [f"iso8859-{latin[1]}"]
    return ["utf-8"] if name.startswith(("utf8", "utf-8")) else []


def _as_western(error: UnicodeError) -> tuple[str, int]:
    """Wrong bytes one by one in windows-1252, the charset they most often are in."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(_WESTERN_BYTES[byte] for byte in wrong), error.end


_WESTERN = "ingest-western"
_WESTERN_BYTES = [bytes([byte]).decode("cp1252", "replace") for byte in range(256)]
codecs.register_error(_WESTERN, _as_western)
