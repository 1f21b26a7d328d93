"""The content of an opaque-signed message, made by hand after X.690 and RFC 5652."""

from hypothesis import given
from hypothesis import strategies as st

from ingest.body import read_body
from ingest.mime import parse_tree
from ingest.smime import signed_content

SIGNED = bytes.fromhex("06092a864886f70d010702")
DATA = bytes.fromhex("06092a864886f70d010701")
ENVELOPED = bytes.fromhex("06092a864886f70d010703")


def tlv(tag: int, *content: bytes, indefinite: bool = False) -> bytes:
    joined = b"".join(content)
    if indefinite:
        return bytes([tag, 0x80]) + joined + b"\x00\x00"
    if len(joined) < 128:
        return bytes([tag, len(joined)]) + joined
    size = (len(joined).bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + len(joined).to_bytes(size, "big") + joined


def signed(octets: bytes, oid: bytes = SIGNED, indefinite: bool = False) -> bytes:
    def wrap(tag: int, *content: bytes) -> bytes:
        return tlv(tag, *content, indefinite=indefinite)

    encapsulated = wrap(0x30, DATA, wrap(0xA0, octets))
    return wrap(0x30, oid, wrap(0xA0, wrap(0x30, tlv(2, b"\x01"), tlv(0x31), encapsulated, tlv(0x31))))


def test_content_in_one_piece_and_in_several() -> None:
    assert signed_content(signed(tlv(4, b"hello"))) == b"hello"
    assert signed_content(signed(tlv(4, b"x" * 70_000))) == b"x" * 70_000
    pieces = tlv(0x24, tlv(4, b"hel"), tlv(4, b"lo"), indefinite=True)
    assert signed_content(signed(pieces, indefinite=True)) == b"hello"


def test_what_is_encrypted_detached_or_broken_has_no_content() -> None:
    assert signed_content(signed(tlv(4, b"hello"), oid=ENVELOPED)) is None
    detached = tlv(0x30, SIGNED, tlv(0xA0, tlv(0x30, tlv(2, b"\x01"), tlv(0x31), tlv(0x30, DATA), tlv(0x31))))
    assert signed_content(detached) is None
    assert signed_content(signed(tlv(4, b"hello"))[:-6]) is None
    assert signed_content(b"\x30\x80" * 5000) is None
    assert signed_content(b"") is None


def test_the_signed_text_is_the_messages_text() -> None:
    inner = b"Content-Type: text/html\r\n\r\n<p>The offer</p>\r\n"
    data = b"Content-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: binary\n\n" + signed(
        tlv(4, inner)
    )
    found = read_body(parse_tree(data))
    assert found.text.strip() == "The offer"
    assert [a.name for a in found.attachments] == ["smime.p7m"]


@given(st.binary(max_size=200))
def test_nothing_raises(data: bytes) -> None:
    signed_content(data)
    signed_content(signed(data))
