"""Outlook's RTF bodies: HTML wrapped in them comes out as it was, other RTF as its text."""

import struct

import pytest

from ingest.rtf import decompress, read_rtf

HEAD = rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}{\f1\fnil\fcharset204 Arial;}}\uc1\pard "


def test_wrapped_html_comes_out_without_what_is_for_rtf_only() -> None:
    rtf = HEAD + (
        rb"{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 Pier"
        rb"{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0  9 {\*\htmltag84 &nbsp;}\htmlrtf \'a0\htmlrtf0 free\{?\}"
        rb"{\*\htmltag72 </p>}\htmlrtf \par}\htmlrtf0}{\*\mhtmltag64 <img>}}"
    )
    assert read_rtf(rtf) == ("", "<p><b>Pier</b> 9 &nbsp;free{?}</p>")


def test_characters_of_all_kinds() -> None:
    rtf = HEAD + rb"Gr\'fc\'dfe {\f1 \'cf\'f0\'e8} \u8364? \u-10179\'3f\u-8704\'3f \lquote x\rquote\tab y\par z}"
    assert read_rtf(rtf)[1] == "Grüße При € \U0001f600 ‘x’\ty\nz"


def test_plain_rtf_gives_its_text() -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl\f0 Arial;}{\*\generator x;}{\info{\author Ada}}\pard Hello\par{\b Ada}\par}"
    )
    assert read_rtf(rtf) == ("Hello\nAda\n", "")


@pytest.mark.parametrize("rtf", [b"", b"{", b"}}}}", b"{\\rtf1 \\u", b"\\'", b"{" * 3000 + b"x", b"\\htmltag"])
def test_broken_rtf_is_read_as_far_as_it_goes(rtf: bytes) -> None:
    assert all(isinstance(part, str) for part in read_rtf(rtf))


def test_decompression_of_what_refers_to_what_it_is_just_writing() -> None:
    # the example of MS-OXRTFCP, 4.1.2
    crossing = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert decompress(crossing) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


def test_uncompressed_and_broken_bodies() -> None:
    text = b"{\\rtf1 x}"
    assert decompress(struct.pack("<II4sI", len(text) + 12, len(text), b"MELA", 0) + text) == text
    assert decompress(b"short") == b""
    assert decompress(struct.pack("<II4sI", 20, 20, b"XXXX", 0) + bytes(20)) == b""
    cut = bytes.fromhex("1a0000001c0000004c5a4675e2d44b5141000420")
    assert decompress(cut) == b"{\\rtf1 "
