"""Which parts are the text of a message, and which are attachments."""

import binascii
import hashlib

import pytest

from ingest.body import Body, attachment_content, read_body
from ingest.mime import parse_tree


def part(kind: str, content: str, extra: str = "") -> str:
    return f"Content-Type: {kind}\n{extra}\n{content}"


def multipart(kind: str, *parts: str, boundary: str = "b") -> str:
    joined = "".join(f"--{boundary}\n{p}\n" for p in parts)
    return f"Content-Type: multipart/{kind}; boundary={boundary}\n\n{joined}--{boundary}--\n"


def body(data: str) -> Body:
    return read_body(parse_tree(data.encode()))


PLAIN = part("text/plain", "plain")
HTML = part("text/html", "<p>rich</p>")
PICTURE = part("image/png", "x", "Content-Disposition: inline; filename=p.png\n")
ATTACHED = "Content-Disposition: attachment; filename=a.txt\n"


def test_an_alternative_is_one_body_in_two_forms() -> None:
    found = body(multipart("alternative", PLAIN, HTML))
    assert (found.text, found.html, found.attachments) == ("plain", "<p>rich</p>", [])


def test_the_plain_form_survives_html_with_pictures_beside_it() -> None:
    related = multipart("related", HTML, PICTURE, boundary="r")
    found = body(multipart("alternative", PLAIN, related))
    assert (found.text, found.html) == ("plain", "<p>rich</p>")
    assert [(a.part, a.name) for a in found.attachments] == [("2.2", "p.png")]


def test_html_alone_is_the_body() -> None:
    found = body(HTML)
    assert (found.text, found.html) == ("", "<p>rich</p>")


def test_a_lists_footer_joins_both_forms() -> None:
    inner = multipart("alternative", PLAIN, HTML, boundary="i")
    found = body(multipart("mixed", inner, part("text/plain", "a <footer>")))
    assert found.text == "plain\na <footer>"
    assert found.html == "<p>rich</p>\n<pre>a &lt;footer&gt;</pre>"


def test_a_plain_part_that_is_an_html_document_is_html() -> None:
    document = "<!-- x -->\n<html><body>Hello</body></html>"
    found = body(part("text/plain", document))
    assert found.html == document
    assert body(part("text/plain", "<html> is a tag")).html is not None
    assert body(part("text/plain", "Use <html> first")).html is None


def test_text_that_is_attached_is_no_body() -> None:
    found = body(
        multipart(
            "mixed",
            PLAIN,
            part("text/plain", "notes", ATTACHED),
            part("text/plain", "x", "Content-Disposition: inline; filename=y.txt\n"),
        )
    )
    assert found.text == "plain"
    assert [(a.part, a.name, a.type, a.bytes) for a in found.attachments] == [
        ("2", "a.txt", "text/plain", 5),
        ("3", "y.txt", "text/plain", 1),
    ]


def test_attachments_tell_decoded_size_and_hash_in_the_order_of_the_message() -> None:
    encoded = part("application/pdf; name=n.pdf", "JVBERg==", "Content-Transfer-Encoding: base64\n")
    message = part("message/rfc822", "Subject: =?utf-8?Q?Pr=C3=BCfung?=\n\nx")
    found = body(multipart("mixed", PLAIN, encoded, PICTURE, message))
    assert [(a.part, a.name, a.type, a.bytes) for a in found.attachments] == [
        ("2", "n.pdf", "application/pdf", 4),
        ("3", "p.png", "image/png", 1),
        ("4", "Prüfung", "message/rfc822", 36),
    ]
    assert found.attachments[0].sha256 == hashlib.sha256(b"%PDF").digest()


def test_a_message_of_an_attachment_alone_has_no_text() -> None:
    found = body(multipart("mixed", part("application/pdf", "x")))
    assert (found.text, found.html) == ("", None)


def test_flowed_lines_are_joined_by_depth() -> None:
    flowed = "One \nline\n> quoted \n> line\n>> deeper \n> back\n-- \nAda \nQuill\n From here\n"
    found = body(part("text/plain; format=flowed", flowed))
    assert found.text == "One line\n> quoted line\n>> deeper \n> back\n-- \nAda Quill\nFrom here\n"


def test_delsp_takes_the_space_away() -> None:
    assert body(part('text/plain; format=flowed; delsp="yes"', "日本 \n語\n")).text == "日本語\n"


@pytest.mark.parametrize("kind", ["text/enriched", "text/richtext"])
def test_enriched_text_loses_its_commands(kind: str) -> None:
    assert body(part(kind, "This is <bold>bold</bold>")).text == "This is bold"


def test_html_names_its_charset_in_a_meta_element() -> None:
    data = (
        b'Content-Type: text/html\n\n<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'
        + "Привет".encode("koi8-r")
    )
    assert "Привет" in (read_body(parse_tree(data)).html or "")


CALENDAR = """BEGIN:VCALENDAR
BEGIN:VEVENT
SUMMARY:Pier 9\\, inspection
DTSTART;TZID=Europe/Berlin:20231211T100000
DTEND;TZID=Europe/Berlin:20231211T113000
LOCATION:Hall 2
ORGANIZER;CN="Quill, Ada":mailto:ada@quill.example
ATTENDEE;RSVP=TRUE:mailto:joe@quay.example
DESCRIPTION:Bring the protocol.\\nGate 4
 711
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
END:VCALENDAR
"""


def test_an_invitation_without_text_is_told_in_words() -> None:
    found = body(part("text/calendar; method=REQUEST", CALENDAR))
    assert found.text == (
        "Pier 9, inspection\n"
        "When: 2023-12-11 10:00 (Europe/Berlin) to 2023-12-11 11:30 (Europe/Berlin)\n"
        "Where: Hall 2\n"
        "Organizer: Quill, Ada <ada@quill.example>\n"
        "Attendees: joe@quay.example\n"
        "\n"
        "Bring the protocol.\nGate 4711"
    )
    assert [a.type for a in found.attachments] == ["text/calendar"]
    assert body(multipart("alternative", PLAIN, part("text/calendar", CALENDAR))).text == "plain"


def test_an_all_day_event_in_utc_and_a_broken_calendar() -> None:
    day = "BEGIN:VEVENT\nSUMMARY:Holiday\nDTSTART;VALUE=DATE:20231224\nEND:VEVENT\n"
    assert body(part("text/calendar", day)).text == "Holiday\nWhen: 2023-12-24"
    utc = "BEGIN:VEVENT\nDTSTART:20231224T100000Z\nEND:VEVENT\n"
    assert body(part("text/calendar", utc)).text == "When: 2023-12-24 10:00 UTC"
    assert body(part("text/calendar", "BEGIN:VEVENT\nSUMMARY:never ends")).text == ""


def uuencoded(content: bytes) -> str:
    lines = [binascii.b2a_uu(content[at : at + 45]).decode() for at in range(0, len(content), 45)]
    return f"begin 644 crane.png\n{''.join(lines)}`\nend\n"


def test_files_written_into_the_text_are_attachments() -> None:
    content = bytes(range(256)) * 3
    data = f"Subject: x\n\nSee this:\n{uuencoded(content)}And that:\n{uuencoded(b'two')}Ada\n".encode()
    found = read_body(parse_tree(data))
    assert found.text == "See this:\nAnd that:\nAda\n"
    assert [(a.part, a.name, a.bytes) for a in found.attachments] == [
        ("1.u1", "crane.png", 768),
        ("1.u2", "crane.png", 3),
    ]
    assert attachment_content(data, "1.u1") == content
    assert body("begin 644 words\nthat are no file\n").attachments == []


def test_an_attachment_is_opened_by_its_part() -> None:
    data = multipart("mixed", PLAIN, part("a/b", "JVBERg==", "Content-Transfer-Encoding: base64\n")).encode()
    (known,) = read_body(parse_tree(data)).attachments
    assert attachment_content(data, known.part) == b"%PDF"
    assert attachment_content(data, "7.7") is None
