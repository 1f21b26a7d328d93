"""The tree of parts: spans of the original bytes, boundaries as they are found, transfer encodings."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.mime import MAX_PARTS, parse_tree


def shape(data: bytes) -> list[tuple[str, str, bytes]]:
    return [(part.path, part.type, part.content()) for part in parse_tree(data).walk() if not part.parts]


def multipart(*parts: bytes, kind: str = "mixed", boundary: str = "b", end: bytes = b"--b--\n") -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\npreamble\n'.encode()
    return head + b"".join(b"--" + boundary.encode() + b"\n" + part + b"\n" for part in parts) + end


def single(encoding: str, body: bytes) -> bytes:
    return f"Content-Transfer-Encoding: {encoding}\n\n".encode() + body


TEXT = b"Content-Type: text/plain\n\nHello.\n"
HTML = b"Content-Type: text/html\n\n<p>Hello.</p>"


def test_parts_are_counted_from_one_at_each_level() -> None:
    inner = multipart(TEXT, HTML, kind="alternative", boundary="i", end=b"--i--")
    assert shape(multipart(inner, b"Content-Type: a/b\n\nx")) == [
        ("1.1", "text/plain", b"Hello.\n"),
        ("1.2", "text/html", b"<p>Hello.</p>"),
        ("2", "a/b", b"x"),
    ]
    assert shape(b"Subject: x\n\nHello.\n") == [("1", "text/plain", b"Hello.\n")]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r\r\n", b"\r"])
def test_line_ends_of_all_systems(line_end: bytes) -> None:
    data = multipart(TEXT, HTML).replace(b"\n", line_end)
    assert [(path, kind, body.strip()) for path, kind, body in shape(data)] == [
        ("1", "text/plain", b"Hello."),
        ("2", "text/html", b"<p>Hello.</p>"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        multipart(TEXT, HTML, end=b""),
        multipart(TEXT, HTML, end=b"--b-- and more words\n"),
        multipart(TEXT, HTML).replace(b"--b\n", b"--b   \n"),
        multipart(TEXT, HTML).replace(b"--b\n", b"--b words that are to be ignored\n"),
        multipart(TEXT, HTML).replace(b'; boundary="b"', b""),
        multipart(TEXT, HTML).replace(b'"b"', b'" b"').replace(b"--b", b"--b"),
    ],
)
def test_boundaries_as_they_are_found(data: bytes) -> None:
    assert [kind for _, kind, _ in shape(data)] == ["text/plain", "text/html"]


def test_a_longer_boundary_that_starts_alike_is_another_one() -> None:
    inner = multipart(TEXT, HTML, boundary="bb", end=b"--bb--")
    assert [path for path, _, _ in shape(multipart(inner, TEXT))] == ["1.1", "1.2", "2"]


def test_a_multipart_without_parts_is_shown_as_text() -> None:
    assert shape(b'Content-Type: multipart/mixed; boundary="b"\n\nno parts here\n') == [
        ("1", "text/plain", b"no parts here\n")
    ]


def test_the_bytes_of_an_attached_message_are_the_original_ones() -> None:
    attached = (
        b"From: a@b.example\nX-Odd:   kept as it is \nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nHi\n--x--\n"
    )
    data = multipart(TEXT, b"Content-Type: message/rfc822\n\n" + attached)
    assert shape(data)[1] == ("2", "message/rfc822", attached)


def test_the_parts_of_a_digest_are_messages() -> None:
    assert [kind for _, kind, _ in shape(multipart(b"\nFrom: a@b.example\n\nx", kind="digest"))] == ["message/rfc822"]


@pytest.mark.parametrize(
    ("encoding", "body", "content"),
    [
        ("base64", b"SGVsbG8=\n", b"Hello"),
        ("BASE64", b"SGVsbG8", b"Hello"),
        ("base64;", b"SGVs\r\nbG8=\r\n", b"Hello"),
        ("base64", b"SGVs!bG8=", b"Hello"),
        ("base64", b"SGVsbG8=\nSGVsbG8=\n", b"HelloHello"),
        ("base64", b"SGVsbG8=\n_______\nlist mailing list\n", b"Hello"),
        ("base64", b"SGVsbG8=\n-- \nRegards\n", b"Hello"),
        ("base64", b"SGVsbG8== ignored\n", b"Hello"),
        ("base64", b"", b""),
        ("quoted-printable", b"a=C3=BC=\nb= \nc=3D=zz\n", b"a\xc3\xbcbc==zz\n"),
        ("quoted-printable ", b"=41", b"A"),
        ("x-uuencode", b"begin 644 a.txt\n%2&5L;&\\\n`\nend\n", b"Hello"),
        ("7-bit", b"=41", b"=41"),
        ("no such", b"=41", b"=41"),
    ],
)
def test_transfer_encodings(encoding: str, body: bytes, content: bytes) -> None:
    assert shape(single(encoding, body))[0][2] == content


@given(st.binary(max_size=3000))
def test_base64_round_trip(data: bytes) -> None:
    assert shape(single("base64", base64.encodebytes(data)))[0][2] == data


@given(st.binary(max_size=400))
def test_nothing_raises_on_any_bytes(data: bytes) -> None:
    shape(data)
    shape(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + data + b"\n--b\n" + data)


@pytest.mark.timeout(20)
def test_hostile_trees_are_bounded() -> None:
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(3000))
    assert len(parse_tree(deep).walk()) < 100
    wide = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 50_000
    assert len(parse_tree(wide).walk()) <= MAX_PARTS + 1
