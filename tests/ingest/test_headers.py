"""Heads as they are found: stray lines, raw 8-bit text, encoded words, parameters."""

import pytest

from ingest.headers import parameters, read_head, text


def head(data: bytes) -> tuple[dict[str, list[str]], bytes]:
    headers, body = read_head(data, 0, len(data))
    return headers.fields, data[body:]


def test_folds_repeated_fields_and_line_ends() -> None:
    fields, body = head(b"Subject: a\r\n b\r\nReceived: x;\r\n\ty\r\nreceived: z\r\n\r\nBody: no field\r\n")
    assert fields == {"subject": ["a b"], "received": ["x;\ty", "z"]}
    assert body == b"Body: no field\r\n"


@pytest.mark.parametrize(
    ("data", "subject", "body"),
    [
        (b"Subject: a\nstray words\nTo: b@c.example\n\nText\n", "a", b"Text\n"),
        (b"Subject: a\n \nMIME-Version: 1.0\n\nText\n", "a", b"Text\n"),
        (b"Subject: a\n \nText below a line of blanks\n", "a", b"Text below a line of blanks\n"),
        (b"Subject: a\nText without a blank line\n", "a", b"Text without a blank line\n"),
        (b">From x@y.example Mon Jan  1 00:00:00 2001\nSubject: a\n\nText\n", "a", b"Text\n"),
        (b"Subject: a\n\nTo: be or not to be\n", "a", b"To: be or not to be\n"),
        (b"Subject : a\n\nText\n", "a", b"Text\n"),
    ],
)
def test_a_broken_line_costs_only_itself(data: bytes, subject: str, body: bytes) -> None:
    fields, rest = head(data)
    assert fields["subject"] == [subject]
    assert rest == body


def test_raw_8_bit_fields_are_read_in_utf8_or_in_the_charset_of_the_body() -> None:
    assert head("Subject: Grüße\n\n".encode())[0]["subject"] == ["Grüße"]
    data = b"Subject: " + "中文标题".encode("gb18030") + b"\nContent-Type: text/plain; charset=gb2312\n\n"
    assert head(data)[0]["subject"] == ["中文标题"]
    assert head(b"Subject: Gr\xfc\xdfe\n\n")[0]["subject"] == ["Grüße"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("=?utf-8?Q?Gr=C3=BC=C3=9Fe_aus?= Kiel", "Grüße aus Kiel"),
        ("=?utf-8?B?R3LDvMOfZQ==?=", "Grüße"),
        ("=?utf-8?B?R3LDvMOfZQ?=", "Grüße"),
        ("=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=", "Grüße"),
        ("=?iso-8859-1*de?Q?Gr=FC=DFe?=", "Grüße"),
        ("=?unknown-8bit?Q?Gr=FC=DFe?=", "Grüße"),
        ("=?utf-8?Q?two words?=", "two words"),
        ("=?utf-8?Q?What?really?=", "What?really"),
        ("a=?utf-8?Q?=C3=BC?=b", "aüb"),
        ("=?utf-8?Q?report=00_page_2?=", "report page 2"),
        ("=?utf-8?Q?a?=\t=?iso-8859-1?Q?=FC?=", "aü"),
        ("not =?an?x?word?=", "not =?an?x?word?="),
        ("  many \t blanks ", "many blanks"),
    ],
)
def test_encoded_words(value: str, expected: str) -> None:
    assert text(value) == expected


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ('text/plain; charset="utf-8"; format=flowed', "text/plain", {"charset": "utf-8", "format": "flowed"}),
        ("Text/HTML;charset=x", "text/html", {"charset": "x"}),
        ("a/b; name*=utf-8''Gr%C3%BC%C3%9Fe.pdf", "a/b", {"name": "Grüße.pdf"}),
        ('a/b; name*0=one; name*1=" two"', "a/b", {"name": "one two"}),
        ("a/b; name*1*=%BC.pdf; name*0*=utf-8''Gr%C3", "a/b", {"name": "Grü.pdf"}),
        ('a/b; name="=?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?="', "a/b", {"name": "Grüße.pdf"}),
        ('multipart/mixed; boundary="=?x?="', "multipart/mixed", {"boundary": "=?x?="}),
        (r'a/b; name="say \"hi\".txt"', "a/b", {"name": 'say "hi".txt'}),
        ("a/b; name=two words.txt; x=y", "a/b", {"name": "two words.txt", "x": "y"}),
        ('a/b; name="semi;colon.txt"', "a/b", {"name": "semi;colon.txt"}),
        ("attachment", "attachment", {}),
        ("", "", {}),
    ],
)
def test_parameters(value: str, kind: str, expected: dict[str, str]) -> None:
    assert parameters(value) == (kind, expected)
