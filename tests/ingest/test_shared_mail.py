"""Other people's mail and expectations: faults after public bug reports, real mailboxes, other parsers' test suites.

Where we differ from another parser's expectation on purpose, a table here says why.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from ingest import sources
from ingest.addresses import parse_addresses
from ingest.body import choose, part_text
from ingest.dates import parse_date
from ingest.headers import text
from ingest.mime import Part, parse_tree
from ingest.parse import parse, reference_ids
from ingest.types import Message, RawMessage
from tests.shared import SHARED, shared_data

# ------------------------------------------------------------------------------------------------ faults


def fault(name: str) -> tuple[dict[str, Any], list[Message]]:
    """The expectation and the messages of the fault whose name starts with ``name``."""
    (expected_file,) = shared_data("faults").glob(f"{name}-*.expected.json")
    expected = json.loads(expected_file.read_text())
    found = sources.find(expected_file.parent / expected["file"])
    messages = [parse(raw) for source in found.files for raw in sources.read(source) if isinstance(raw, RawMessage)]
    assert len(messages) == expected["expected"]["messages"]
    return expected["expected"], messages


def bare(message_id: str) -> str:
    return message_id.strip("<>")


def stored_texts(message: Message) -> Iterator[str]:
    yield from (message.message_id, message.subject, message.subject_base, message.body, message.new_text)
    for mailbox in (message.sender, *message.to, *message.cc, *message.bcc):
        if mailbox:
            yield from (mailbox.address, mailbox.name)
    yield from (attachment.name for attachment in message.attachments)
    yield from (*message.in_reply_to, *message.reference_ids, *message.labels)


def test_every_fault_is_stored_as_valid_text_and_has_its_number_of_messages() -> None:
    names = sorted(path.name[:2] for path in shared_data("faults").glob("*.expected.json"))
    for name in names:
        if name == "23":
            continue
        for message in fault(name)[1]:
            for value in stored_texts(message):
                assert "\x00" not in value
                assert value.encode("utf-8").decode("utf-8") == value
    assert len(names) >= 12


def test_fault_nul_bytes() -> None:
    expected, (message,) = fault("01")
    assert bare(message.message_id) == expected["message_id"]
    assert message.subject in (expected["subject"], expected["subject_alternative"])
    for piece in expected["body_contains"]:
        assert piece in message.body


def test_fault_unescaped_from_lines() -> None:
    expected, messages = fault("03")
    assert [bare(m.message_id) for m in messages] == expected["message_ids"]
    for piece in expected["body_of_first_contains"]:
        assert piece in messages[0].body
    for answer, original in expected["reply_edges"]:
        (found,) = (m for m in messages if bare(m.message_id) == answer)
        assert [bare(i) for i in found.in_reply_to] == [original]


def test_fault_no_message_id() -> None:
    expected, (message,) = fault("05")
    assert message.message_id_derived
    assert message.subject == expected["subject"]
    assert fault("05")[1][0].message_id == message.message_id


def test_fault_dates() -> None:
    _, messages = fault("07")
    found = {bare(m.message_id)[6]: (m.sent_at, m.date_from) for m in messages}
    at = {key: datetime.fromisoformat(value).replace(tzinfo=UTC) for key, value in {
        "a": "2001-12-13T15:30:00", "b": "2000-06-14T12:41:34", "c": "2023-11-20T12:00:01",
        "d": "2021-03-02T10:00:02", "e": "2024-01-01T10:00:05", "f": "2024-01-05T10:00:05",
    }.items()}  # fmt: skip
    assert found == {key: (at[key], "header" if key in "ab" else "received") for key in at}


def test_fault_charsets() -> None:
    expected, messages = fault("09")
    assert {bare(m.message_id)[4]: m.body.strip() for m in messages} == expected["body_preferred"]
    assert {m.sender.name for m in messages if m.sender} == {expected["from_name_preferred"]}


def test_fault_groups() -> None:
    expected, (message,) = fault("11")
    assert [m.address for m in message.to] == expected["to"]
    assert [m.address for m in message.cc] == expected["cc_addresses"]
    assert [m.address for m in message.bcc] == expected["bcc"]
    assert message.sender is not None
    assert len({message.sender.address, *(m.address for m in message.cc)}) == expected["persons"]


def test_fault_invitation() -> None:
    expected, (message,) = fault("13")
    for piece in expected["searchable"]:
        assert piece in message.new_text
    assert "BEGIN:VCALENDAR" not in message.body


def test_fault_opaque_signature() -> None:
    expected, (message,) = fault("15")
    assert [a.name for a in message.attachments] == ["smime.p7m"]
    assert expected["if_supported"]["body_contains"] in message.body


def test_fault_huge_headers() -> None:
    expected, (message,) = fault("17")
    assert message.body.strip() == expected["body"]
    assert len(message.message_id) <= 1000
    assert fault("17")[1][0].message_id == message.message_id
    assert len(message.subject_base.encode()) <= 8000


def test_fault_cycles() -> None:
    _, messages = fault("19")
    for message in messages:
        assert message.message_id not in (*message.in_reply_to, *message.reference_ids)
    last = messages[-1]
    assert last.in_reply_to == ("<self-c@quill.example>",)
    assert last.reference_ids[-1] == "<cyc-a@quay.example>"


def test_fault_bodies() -> None:
    expected, messages = fault("21")
    found = {bare(m.message_id)[6]: m for m in messages}
    assert found["a"].body.strip() == expected["body"]["a"]
    assert found["c"].body == expected["body"]["c"]
    assert found["d"].body.strip() == expected["body"]["d"]
    for piece in expected["body"]["b_contains"]:
        assert piece in found["b"].body
    for piece in expected["body"]["b_not"]:
        assert piece not in found["b"].body
    assert {key: [a.name for a in found[key].attachments] for key in expected["attachments"]} == expected["attachments"]


def test_fault_companion_file(tmp_path: Path) -> None:
    original = next(shared_data("faults").glob("23-*.eml"))
    (tmp_path / original.name).write_bytes(original.read_bytes())
    (tmp_path / "real.eml").write_bytes(b"From: ada@quill.example\nSubject: x\n\nx\n")
    found = sources.find(tmp_path)
    assert [m.key for s in found.files for m in sources.read(s)] == ["real.eml"]
    assert [s.path.name for s in found.skipped] == [original.name]


# ------------------------------------------------------------------------------------------------ real mailboxes


@pytest.mark.parametrize(
    ("folder", "messages"), [("enron/kitchen-l", 5462), ("enron", 25843), ("lists", 1597)], ids=["one", "ten", "list"]
)
def test_every_byte_of_a_mailbox_is_in_exactly_one_message(folder: str, messages: int) -> None:
    count = 0
    for source in sources.find(shared_data(*folder.split("/"))).files:
        end = 0
        for piece in sources.read(source):
            assert isinstance(piece, RawMessage)
            assert piece.offset == end
            end += piece.length or 0
            count += 1
        assert end == source.path.stat().st_size
    assert count == messages


def test_the_mailbox_with_labelled_questions_has_its_number_of_distinct_messages() -> None:
    groups: dict[bytes, list[datetime]] = {}
    labels: Counter[str] = Counter()
    for source in sources.find(shared_data("enron", "kitchen-l")).files:
        for raw in sources.read(source):
            assert isinstance(raw, RawMessage)
            message = parse(raw)
            assert message.sent_at is not None
            groups.setdefault(message.content_key, []).append(message.sent_at)
            labels.update(message.labels)
    distinct = 0
    for dates in groups.values():
        first: datetime | None = None
        for date in sorted(dates):
            if first is None or date - first > timedelta(hours=24):
                distinct, first = distinct + 1, date
    assert distinct == 5186
    assert labels["_americas.esvl"] == 715
    assert len(labels) == 58


def test_dates_that_cannot_be_are_left_out_and_said() -> None:
    told: Counter[str | None] = Counter()
    for source in sources.find(shared_data("enron")).files:
        for raw in sources.read(source):
            if b"\nDate: Mon, 31 Dec 1979" in (raw.data[:400] if isinstance(raw, RawMessage) else b""):
                assert isinstance(raw, RawMessage)
                told[parse(raw).date_from] += 1
    assert told == {None: 26}


# ------------------------------------------------------------------------------------------------ other parsers' suites

REPAIRED = "8-bit text without a charset, or with the wrong one, is read as windows-1252 instead of U+FFFD"
FLOWED = "format=flowed is unwrapped"
UUENCODED = "uuencoded attachments are decoded"
BOUNDARY = "parts end at the boundaries of all levels around them, and a part of a mixed message is shown as text"
STALWART: dict[str, tuple[str, str]] = {
    "legacy/009": ("text html", FLOWED),
    "legacy/010": ("people subject", REPAIRED),
    "legacy/016": ("attachments", REPAIRED),
    "legacy/017": ("people attachments", f"{REPAIRED}; {UUENCODED}"),
    "legacy/020": ("people subject", REPAIRED),
    "legacy/022": ("people subject", REPAIRED),
    "legacy/023": ("attachments", REPAIRED),
    "legacy/026": ("attachments", REPAIRED),
    "legacy/027": ("people subject", REPAIRED),
    "legacy/033": ("text html", REPAIRED),
    "legacy/048": ("attachments", UUENCODED),
    "legacy/052": ("people subject text html", REPAIRED),
    "malformed/000": ("text html", "parts without a blank line are empty parts"),
    "malformed/001": ("text html attachments", BOUNDARY),
    "malformed/002": ("text html attachments", "a multipart without parts is shown as the text it is"),
    "malformed/003": ("text html attachments", BOUNDARY),
    "malformed/004": ("text html attachments", "a multipart without parts is shown as the text it is"),
    "malformed/005": ("text html", "a boundary that ends in -- is its own end"),
    "malformed/006": ("text html attachments", "a multipart without parts is shown as the text it is"),
    "malformed/007": ("text html attachments", BOUNDARY),
    "malformed/008": ("text html attachments", BOUNDARY),
    "malformed/009": ("text html attachments", BOUNDARY),
    "malformed/011": ("text html attachments", BOUNDARY),
    "malformed/012": ("attachments", "a boundary of the outer level ends an attached message"),
    "malformed/013": ("text html", "an inner boundary equal to the outer one belongs to the outer level"),
    "malformed/016": ("text html attachments", BOUNDARY),
    "malformed/017": ("attachments", "the name of a file is read from an encoded word"),
    "malformed/019": ("date ids text html", "random bytes: the first Date is cut, the same Message-ID counts once"),
    "malformed/020": ("text html", "text before the first boundary is a preamble"),
    "malformed/021": ("text html", "text before the first boundary is a preamble"),
    "malformed/022": ("attachments", "an attached message is one, whatever it holds"),
    "rfc/000": ("text html attachments", "enriched text in the flow is text"),
    "thirdparty/000": ("text html", "a lone carriage return is a line end"),
    "thirdparty/002": ("text html attachments", f"{REPAIRED}; a third text part is text"),
    "thirdparty/005": ("text html", "a boundary counts at the start of a line only"),
    "thirdparty/015": ("text html attachments", f"{FLOWED}; all three attached messages are told"),
}


def single_space(value: str) -> str:
    return re.sub(r"\s+", " ", value).strip()


def mailboxes(value: Any) -> list[tuple[str | None, str | None]]:
    """(name, address) of a header value as that suite writes it."""
    if not isinstance(value, dict):
        return []
    if "Text" in value:
        return [(value["Text"], None)]
    held = value.get("Address", {})
    groups = [held["List"]] if "List" in held else [group["addresses"] for group in held.get("Group", [])]
    return [(entry["name"], entry["address"]) for group in groups for entry in group]


def stalwart_expects(expected: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, list[Any]] = {}
    for field in expected["parts"][0]["headers"]:
        if isinstance(field["name"], str):
            fields.setdefault(field["name"], []).append(field["value"])

    def people(name: str) -> list[tuple[str, str]]:
        found = [pair for value in fields.get(name, []) for pair in mailboxes(value)]
        folded = [
            (single_space((address or called or "").lower()), single_space(called or "")) for called, address in found
        ]
        return [(address, "" if called.lower() == address else called) for address, called in folded]

    def ids(name: str) -> list[str]:
        held = [value for value in fields.get(name, []) if isinstance(value, dict)]
        return [f"<{i}>" for value in held for i in (value.get("TextList") or [value["Text"]])]

    def texts(numbers: list[int]) -> list[str]:
        bodies = [expected["parts"][number]["body"] for number in numbers]
        return [plain(b.get("Text", b.get("Html"))) for b in bodies if "Text" in b or "Html" in b]

    def attached(number: int) -> tuple[str, int | str | None]:
        part = expected["parts"][number]
        held = {f["name"]: f["value"] for f in part["headers"] if isinstance(f["name"], str)}
        names = [
            attribute["value"]
            for header, key in (("content_disposition", "filename"), ("content_type", "name"))
            if isinstance(held.get(header), dict) and "ContentType" in held[header]
            for attribute in held[header]["ContentType"].get("attributes") or []
            if attribute["name"] == key
        ]
        kind, content = next(iter(part["body"].items()))
        size = {"Message": "message", "Text": None, "Html": None}.get(kind, len(content))
        return (names or [""])[0], size

    subject = fields.get("subject", [None])[0]
    date = fields.get("date", [None])[0]
    moment = None
    if isinstance(date, dict) and "DateTime" in date:
        d = date["DateTime"]
        offset = timedelta(hours=d["tz_hour"], minutes=d["tz_minute"]) * (-1 if d["tz_before_gmt"] else 1)
        moment = datetime(
            d["year"], d["month"], d["day"], d["hour"], d["minute"], min(d["second"], 59), tzinfo=timezone(offset)
        )
    return {
        "people": {name: people(name) for name in PEOPLE},
        "subject": single_space(subject.get("Text", "") if isinstance(subject, dict) else ""),
        "date": moment,
        "ids": {name: ids(name) for name in IDS},
        "text": texts(expected["text_body"]),
        "html": texts(expected["html_body"]),
        "attachments": [attached(number) for number in expected["attachments"]],
    }


PEOPLE = ("from", "to", "cc", "bcc", "reply_to", "sender")
IDS = ("message_id", "in_reply_to", "references")


def plain(value: str) -> str:
    return value.replace("\r\n", "\n").replace("\x00", "").rstrip("\r\n")


def ours(data: bytes) -> dict[str, Any]:
    root = parse_tree(data)
    headers = root.headers
    text_parts, html_parts, attached = choose(root)
    return {
        "people": {
            name: [
                (single_space(m.address), "" if m.name.lower() == m.address else single_space(m.name))
                for value in headers.all(name.replace("_", "-"))
                for m in parse_addresses(value)
            ]
            for name in PEOPLE
        },
        "subject": text(headers.get("subject")),
        "date": parse_date(headers.get("date")),
        "ids": {name: list(reference_ids(headers.all(name.replace("_", "-")))) for name in IDS},
        "text": [plain(part_text(part)) for part in text_parts],
        "html": [plain(part_text(part)) for part in html_parts],
        "attachments": [
            (
                part.name,
                "message"
                if part.type == "message/rfc822"
                else None
                if part.type.startswith("text/")
                else len(part.content()),
            )
            for part in attached
        ],
    }


def stalwart_files() -> list[Path]:
    return sorted((SHARED / "data/parsers/stalwart-mail-parser/resources/eml").rglob("*.json"))


@pytest.mark.parametrize("expected_file", stalwart_files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_stalwarts_suite(expected_file: Path) -> None:
    number = expected_file.name.split(".")[0]
    data = expected_file.with_name(f"{number}.eml").read_bytes().replace(b"\r\n", b"\n")
    if ".crlf" in expected_file.name:
        data = data.replace(b"\n", b"\r\n")
    expected = stalwart_expects(json.loads(expected_file.read_text()))
    found = ours(data)
    differs = [what for what in expected if expected[what] != found[what]]
    allowed, _ = STALWART.get(f"{expected_file.parent.name}/{number}", ("", ""))
    assert set(differs) <= set(allowed.split()), {what: (expected[what], found[what]) for what in differs}


def test_the_table_of_differences_from_stalwart_names_real_ones() -> None:
    shared_data("parsers")
    for name, (allowed, why) in STALWART.items():
        folder, number = name.split("/")
        path = next(p for p in stalwart_files() if p.parent.name == folder and p.name == f"{number}.json")
        data = path.with_name(f"{number}.eml").read_bytes().replace(b"\r\n", b"\n")
        expected, found = stalwart_expects(json.loads(path.read_text())), ours(data)
        assert {what for what in expected if expected[what] != found[what]} == set(allowed.split()), name
        assert why


MIME4J: dict[str, str] = {
    "badbound": "a multipart without parts is shown as the text it is",
    "frag": "two bytes of a cut base64 group are kept",
    "hdr-fakeout": "a line of blanks before text ends the head: the body is not lost",
    "multi-frag": "a line that is no base64 ends the encoded text",
    "basic-plain-with-bad-header-separator": "a line of blanks before text ends the head: the body is not lost",
    "malformedHeader-noheader": "text without a head is the body: it is not lost",
    "malformedHeaderStartsBody-noheader": "text without a head is the body: it is not lost",
    "malformedHeaderStartsBody-nocrlfcrlf": "a stray line between fields does not end the head",
    "missing-boundary": "a multipart without parts is shown as the text it is",
    "missing-inner-boundary": "a multipart without parts is shown as the text it is",
    "missing-inner-start-boundary": "a multipart without parts is shown as the text it is",
    "multipartemptypart": "an empty part is one part",
    "multipartnestedemptyparts": "a multipart without parts is shown as the text it is",
    "multipartnopart": "a multipart without parts is shown as the text it is",
}


def mime4j_files() -> list[Path]:
    return sorted((SHARED / "data/parsers/james-mime4j/core").rglob("*.msg"))


@pytest.mark.parametrize("path", mime4j_files(), ids=lambda path: path.stem)
def test_mime4js_suite_of_decoded_parts(path: Path) -> None:
    def leaves(part: Part, number: str) -> Iterator[tuple[str, bytes]]:
        if part.parts:
            for position, below in enumerate(part.parts, 1):
                yield from leaves(below, f"{number}_{position}")
        elif part.type == "message/rfc822":
            yield from leaves(parse_tree(part.content()), f"{number}_1")
        else:
            yield number, part.content()

    def lines(data: bytes) -> bytes:
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").strip()

    pattern = re.compile(re.escape(path.stem) + r"_decoded_([\d_]+)\.(?:txt|bin)")
    expected = {m[1]: lines(f.read_bytes()) for f in path.parent.iterdir() if (m := pattern.fullmatch(f.name))}
    found = {number: lines(content) for number, content in leaves(parse_tree(path.read_bytes()), "1")}
    assert (found == expected) != (path.stem in MIME4J)


def test_no_file_of_any_suite_is_lost() -> None:
    for path in sorted(shared_data("parsers").rglob("*")):
        if path.is_file() and path.suffix in (".eml", ".msg") and path.stat().st_size:
            message = parse(RawMessage(path.name, path.read_bytes()))
            for value in stored_texts(message):
                value.encode()
                assert "\x00" not in value
