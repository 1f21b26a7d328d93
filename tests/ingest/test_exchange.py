"""Names and X.500 names beside addresses."""

from ingest.parse import parse
from ingest.types import Mailbox, Message, RawMessage

X500 = "/O=ACME/OU=EU/CN=RECIPIENTS/CN={}"


def message(**fields: str) -> Message:
    head = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in fields.items())
    return parse(RawMessage("k", head.encode() + b"\nHello.\n"))


def test_names_and_x500_names_are_paired_with_addresses() -> None:
    found = message(
        From="ada.quill@acme.example",
        To="joe.quay@acme.example, pia@storm.example",
        X_From=f"Quill, Ada <{X500.format('AQUILL')}>",
        X_To="Quay, Joe </O=ACME/OU=EU/CN=RECIPIENTS/CN=Jquay>, 'Pia Storm' <pia@storm.example>",
    )
    assert found.sender == Mailbox("ada.quill@acme.example", "Quill, Ada")
    assert found.to == (
        Mailbox("joe.quay@acme.example", "Quay, Joe"),
        Mailbox("pia@storm.example", "Pia Storm"),
    )
    assert found.address_pairs == (
        ("/o=acme/ou=eu/cn=recipients/cn=aquill", "ada.quill@acme.example"),
        ("/o=acme/ou=eu/cn=recipients/cn=jquay", "joe.quay@acme.example"),
    )


def test_notes_names_are_paired_and_shortened() -> None:
    found = message(From="ada.quill@acme.example", X_From="Ada Quill/BER/ACME@ACME")
    assert found.sender == Mailbox("ada.quill@acme.example", "Ada Quill")
    assert found.address_pairs == (("ada quill/ber/acme@acme", "ada.quill@acme.example"),)


def test_fields_of_different_length_are_paired_where_a_name_fits() -> None:
    found = message(
        From="x@acme.example",
        To="joe.quay@acme.example, pia@storm.example",
        X_To=f"Gone, Gil <{X500.format('GGONE')}>, Quay, Joe <{X500.format('JQUAY')}>, 'Pia Storm' <pia@storm.example>",
    )
    assert [m.name for m in found.to] == ["Quay, Joe", "Pia Storm"]
    assert found.address_pairs == (("/o=acme/ou=eu/cn=recipients/cn=jquay", "joe.quay@acme.example"),)


def test_a_name_in_the_real_field_is_kept() -> None:
    found = message(From="Ada <ada@acme.example>", X_From="Quill, Ada <ada@acme.example>")
    assert found.sender == Mailbox("ada@acme.example", "Ada")
    assert found.address_pairs == ()


def test_names_alone_are_no_evidence_of_identity() -> None:
    assert message(From="ada@acme.example", X_From="Ada Quill").address_pairs == ()
