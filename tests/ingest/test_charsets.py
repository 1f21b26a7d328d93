"""Bytes to text under wrong, unknown and missing labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.charsets import clean, codec_of, decode


@pytest.mark.parametrize(
    ("data", "label", "text"),
    [
        ("Grüße".encode("cp850"), "cp-850", "Grüße"),
        ("Grüße".encode("latin-1"), "unknown", "Grüße"),
        ("Grüße".encode("latin-1"), "", "Grüße"),
        ("Grüße".encode(), "utf-8 euao6y69zh2w", "Grüße"),
        ("Grüße".encode("latin-1"), "utf-8", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode(), "us-ascii", "Grüße"),
        ("“quoted”".encode("cp1252"), "iso-8859-1", "“quoted”"),
        ("Größe α".encode() + "Maß".encode("latin-1"), "utf-8", "Größe αMaß"),
        ("สวัสดี".encode("cp874"), "windows-874", "สวัสดี"),
        ("Привет".encode("koi8-r"), "KOI8-R", "Привет"),
        ("Привет".encode("cp1251"), "Windows-1251", "Привет"),
        ("한국말".encode("cp949"), "ks_c_5601-1987", "한국말"),
        ("中文".encode("gb18030"), "GB2312", "中文"),
        ("日本語".encode("iso2022_jp"), "ISO-2022-JP", "日本語"),
        ("日本語".encode("iso2022_jp"), "", "日本語"),
        (b"Hi Mom +Jjo-!", "unicode-1-1-utf-7", "Hi Mom ☺!"),
        (b"d\xe9j\xe0 vu", "x-user-defined", "déjà vu"),
        (b"a\x00b", "us-ascii", "ab"),
        (b"plain", "base64", "plain"),
        (b"plain", "idna", "plain"),
    ],
)
def test_text_is_read_in_spite_of_its_label(data: bytes, label: str, text: str) -> None:
    assert decode(data, label) == text


def test_a_charset_seen_elsewhere_in_the_message_helps() -> None:
    assert decode("中文标题".encode("gb18030"), "", "gb2312") == "中文标题"


@given(
    st.binary(max_size=200), st.sampled_from(["", "utf-8", "utf-7", "utf-16", "iso-2022-jp", "big5", "no such", "hex"])
)
def test_nothing_raises_and_the_result_can_be_stored(data: bytes, label: str) -> None:
    text = decode(data, label)
    assert "\x00" not in text
    assert text.encode("utf-8").decode("utf-8") == text


def test_surrogates_are_joined_or_replaced() -> None:
    assert clean("\ud83d\ude00 \ud83d x") == "😀 \ufffd x"


def test_labels_that_name_no_charset_are_none() -> None:
    assert [codec_of(label) for label in ("", "  ", "unknown-8bit", "x-user-defined", "hex", "rot13")] == [None] * 6
