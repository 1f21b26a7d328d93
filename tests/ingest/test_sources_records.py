"""Exports of records: JSON in every shape, tables, a mapping of the person's own, and what the shared exports expect."""

import base64
import csv
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ingest import sources
from ingest.errors import NotMail, WrongMapping
from ingest.parse import parse
from ingest.sources.mapping import looks_like_html
from ingest.types import Message, RawMessage, Unreadable
from tests.shared import shared_data

RAW = "From: Tom Byrne <tom@byrne.example>\nTo: ada@quill.example\nSubject: Berth\nMessage-ID: <b@byrne.example>\n\nFree.\n"
FIRST: dict[str, Any] = {
    "id": "m1",
    "from": {"name": "Quill, Ada", "address": "ada@quill.example"},
    "to": [{"name": "", "address": "tom@byrne.example"}, {"name": "Mia Ek", "address": "mia@ek.example"}],
    "subject": "Pier 9 – Grüße",
    "date": "2024-03-12T09:15:20+01:00",
    "text": "Is it free?",
}
SECOND: dict[str, Any] = {"id": "m2", "from": "Tom Byrne <tom@byrne.example>", "subject": "Re: Pier 9", "text": "Yes."}
SHAPES = {
    "lines.jsonl": json.dumps(FIRST) + "\n" + json.dumps(SECOND) + "\n",
    "list.json": json.dumps([FIRST, SECOND], indent=1),
    "list in one line.json": json.dumps([FIRST, SECOND]),
    "list in an object.json": json.dumps({"count": 2, "messages": [FIRST, SECOND], "next": None}, indent=1),
    "objects.json": json.dumps(FIRST, indent=1) + "\n" + json.dumps(SECOND, indent=1),
}


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_text(text, encoding, newline="")
    return path


def pieces(path: Path) -> list[RawMessage | Unreadable]:
    return [piece for source in sources.find(path).files for piece in sources.read(source)]


def read(path: Path) -> dict[str, Message]:
    return {piece.key: parse(piece) for piece in pieces(path) if isinstance(piece, RawMessage)}


@pytest.mark.parametrize("name", SHAPES)
def test_json_of_every_shape_gives_the_same_messages(tmp_path: Path, name: str) -> None:
    found = read(write(tmp_path / name, SHAPES[name]))
    assert list(found) == ["m1", "m2"]
    first = found["m1"]
    assert first.sender is not None and (first.sender.name, first.sender.address) == ("Quill, Ada", "ada@quill.example")
    assert [(m.name, m.address) for m in first.to] == [("", "tom@byrne.example"), ("Mia Ek", "mia@ek.example")]
    assert (first.subject, first.body.strip()) == ("Pier 9 – Grüße", "Is it free?")
    assert first.sent_at == datetime(2024, 3, 12, 8, 15, 20, tzinfo=UTC)
    assert first.local_at == datetime(2024, 3, 12, 9, 15, 20)
    assert found["m2"].is_reply


def test_a_record_gives_the_same_bytes_each_time_and_is_found_again(tmp_path: Path) -> None:
    attached = {
        "attachments": [{"name": "a.bin", "contentType": "x/y", "contentBytes": base64.b64encode(b"\0\1").decode()}]
    }
    path = write(tmp_path / "x.json", json.dumps([FIRST | attached, SECOND]))
    (source,) = sources.find(path).files
    once, twice = list(sources.read(source)), list(sources.read(source))
    assert once == twice
    assert isinstance(once[0], RawMessage)
    assert sources.read_one(source, "m1") == once[0]
    assert [m.key for m in sources.read(source, known={"m1"})] == ["m2"]
    (attachment,) = parse(once[0]).attachments
    assert (attachment.name, attachment.type, attachment.bytes) == ("a.bin", "x/y", 2)


def test_a_single_message_is_no_container_of_its_recipients(tmp_path: Path) -> None:
    odd = {"mentions": [], "flags": ["seen"], "tags": [{"name": "x"}]} | FIRST
    assert list(read(write(tmp_path / "x.json", json.dumps(odd, indent=1)))) == ["m1"]


def test_a_broken_line_costs_only_itself_and_a_broken_list_its_rest(tmp_path: Path) -> None:
    lines = json.dumps(FIRST) + "\n" + json.dumps(SECOND) + "\n{broken\n" + json.dumps(SECOND | {"id": "m4"}) + "\n"
    found = pieces(write(tmp_path / "x.jsonl", lines))
    assert [(p.key, type(p).__name__) for p in found] == [
        ("m1", "RawMessage"), ("m2", "RawMessage"), ("3", "Unreadable"), ("m4", "RawMessage")
    ]  # fmt: skip
    cut = pieces(write(tmp_path / "y.json", json.dumps([FIRST, SECOND])[:-30]))
    assert [type(p).__name__ for p in cut] == ["RawMessage", "Unreadable"]


def test_ids_that_repeat_stay_apart(tmp_path: Path) -> None:
    assert list(read(write(tmp_path / "x.json", json.dumps([FIRST, FIRST])))) == ["m1", "m1#2"]


@pytest.mark.parametrize(
    "html", ["<html><body><p>Is it <b>free</b>?</p></body></html>", "<div>Is it <b>free</b>?</div>"]
)
def test_a_plain_field_that_is_html_is_read_as_html(tmp_path: Path, html: str) -> None:
    message = read(write(tmp_path / "x.json", json.dumps([FIRST | {"text": html}])))["m1"]
    assert message.body.strip() == "Is it free?"


def test_text_with_angle_brackets_is_no_html() -> None:
    assert not looks_like_html("<b is greater than a")
    assert not looks_like_html("a </p> b")
    assert not looks_like_html("<ada@quill.example> wrote: hello")


@pytest.mark.parametrize("content", [RAW, base64.b64encode(RAW.encode()).decode()])
def test_a_whole_message_in_some_field_is_the_message(tmp_path: Path, content: str) -> None:
    record = {"id": "r", "from": None, "subject": "", "text": "", "envelope_dump": content}
    message = read(write(tmp_path / "x.json", json.dumps([FIRST, record])))["r"]
    assert (message.message_id, message.subject, message.body.strip()) == ("<b@byrne.example>", "Berth", "Free.")


def test_a_record_of_nothing_is_told(tmp_path: Path) -> None:
    found = pieces(write(tmp_path / "x.json", json.dumps([FIRST, {"id": "e", "from": None, "subject": ""}])))
    assert [(p.key, type(p).__name__) for p in found] == [("m1", "RawMessage"), ("e", "Unreadable")]


def test_json_that_is_no_mail_names_its_fields_and_the_way_out(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", json.dumps([{"height": 3, "width": 4}]))
    with pytest.raises(NotMail, match=r"height, width.*x\.mapping\.toml"):
        sources.find(path)


MAPPING = """[fields]
id = "nr"
from = "wer.adresse"
from_name = "wer.name"
to = ["an", "empfänger"]
date = "wann"
date_format = "%d.%m.%Y %H:%M"
subject = "worum"
text = "was"
labels = "ordner"
in_reply_to = "auf"
"""


def test_a_mapping_says_which_field_is_what(tmp_path: Path) -> None:
    record = {
        "nr": 7, "wer": {"adresse": "ada@quill.example", "name": "Ada Quill"}, "empfänger": "tom@byrne.example",
        "wann": "12.03.2024 09:15", "worum": "Pier", "was": "Frei?", "ordner": "Archiv/2024", "auf": "<b@byrne.example>",
    }  # fmt: skip
    path = write(tmp_path / "x.json", json.dumps([record]))
    with pytest.raises(NotMail):
        sources.find(path)
    write(tmp_path / "x.mapping.toml", MAPPING)
    message = read(path)["7"]
    assert message.sender is not None and (message.sender.name, message.sender.address) == (
        "Ada Quill",
        "ada@quill.example",
    )
    assert [m.address for m in message.to] == ["tom@byrne.example"]
    assert message.local_at == datetime(2024, 3, 12, 9, 15)
    assert (message.labels, message.in_reply_to) == (("Archiv/2024",), ("<b@byrne.example>",))


@pytest.mark.parametrize(
    ("text", "says"), [("[fields]\nfrmo = 'a'\n", "frmo"), ("from = 'a'\n", "fields"), ("[fields\n", "mapping")]
)
def test_a_mapping_that_cannot_be_used_says_why(tmp_path: Path, text: str, says: str) -> None:
    path = write(tmp_path / "x.json", json.dumps([FIRST]))
    write(tmp_path / "x.mapping.toml", text)
    with pytest.raises(WrongMapping, match=says):
        sources.find(path)


OUTLOOK = {
    "English": "Subject,Body,From: (Name),From: (Address),From: (Type),To: (Name),To: (Address),To: (Type),"
    "CC: (Name),CC: (Address),CC: (Type),BCC: (Name),BCC: (Address),BCC: (Type),Categories",
    "German": "Betreff;Text;Von: (Name);Von: (Adresse);Von: (Typ);An: (Name);An: (Adresse);An: (Typ);"
    "CC: (Name);CC: (Adresse);CC: (Typ);BCC: (Name);BCC: (Adresse);BCC: (Typ);Kategorien",
}


@pytest.mark.parametrize(
    ("language", "encoding"), [("English", "utf-8-sig"), ("German", "cp1252"), ("German", "utf-16")]
)
def test_outlooks_table_in_any_language_and_charset(tmp_path: Path, language: str, encoding: str) -> None:
    header = OUTLOOK[language]
    delimiter = ";" if ";" in header else ","
    with open(tmp_path / "x.csv", "w", encoding=encoding, newline="") as file:
        out = csv.writer(file, delimiter=delimiter)
        out.writerow(header.split(delimiter))
        out.writerow(
            ["Größe", "Zeile 1\nFrom: x\n", "Quill, Ada", "ada@quill.example", "SMTP", "Byrne, Tom;Ek, Mia",
             "tom@byrne.example;mia@ek.example", "SMTP", "", "", "", "", "", "", ""]
        )  # fmt: skip
    (message,) = read(tmp_path / "x.csv").values()
    assert message.sender is not None and (message.sender.name, message.sender.address) == (
        "Quill, Ada",
        "ada@quill.example",
    )
    assert [(m.name, m.address) for m in message.to] == [
        ("Byrne, Tom", "tom@byrne.example"),
        ("Ek, Mia", "mia@ek.example"),
    ]
    assert (message.subject, message.cc) == ("Größe", ())
    assert message.body.startswith("Zeile 1")


def test_a_table_with_whole_messages_in_a_column_is_no_single_message(tmp_path: Path) -> None:
    with open(tmp_path / "emails.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, quoting=csv.QUOTE_ALL)
        out.writerow(["file", "message"])
        out.writerows([["quill-a/1.", RAW], ["quill-a/2.", RAW.replace("b@byrne", "c@byrne")]])
    found = read(tmp_path)
    assert {key: m.message_id for key, m in found.items()} == {
        "quill-a/1.": "<b@byrne.example>", "quill-a/2.": "<c@byrne.example>"
    }  # fmt: skip


def test_graphs_messages_keep_what_threads_them(tmp_path: Path) -> None:
    index = base64.b64encode(bytes(range(27))).decode()
    graph = {
        "@odata.context": "x",
        "value": [
            {
                "id": "AAMk1", "internetMessageId": "<1@quill.example>", "subject": "Re: Pier", "conversationId": "AAQk",
                "conversationIndex": index, "sentDateTime": "2024-03-12T08:15:20Z",
                "receivedDateTime": "2024-03-12T09:00:00Z", "isDraft": True,
                "body": {"contentType": "html", "content": "<p>Free?</p>"},
                "from": {"emailAddress": {"name": "Ada Quill", "address": "ada@quill.example"}},
                "toRecipients": [{"emailAddress": {"name": "Tom", "address": "tom@byrne.example"}}],
                "internetMessageHeaders": [
                    {"name": "In-Reply-To", "value": "<0@byrne.example>"},
                    {"name": "References", "value": "<00@byrne.example> <0@byrne.example>"},
                ],
            }
        ],
    }  # fmt: skip
    message = read(write(tmp_path / "x.json", json.dumps(graph, indent=1)))["AAMk1"]
    assert message.in_reply_to == ("<0@byrne.example>",)
    assert message.reference_ids == ("<00@byrne.example>", "<0@byrne.example>")
    assert (message.thread_index, message.gm_thread) == (bytes(range(27)), "AAQk")
    assert (message.message_id, message.kind, message.body.strip()) == ("<1@quill.example>", "draft", "Free?")
    assert message.sent_at == datetime(2024, 3, 12, 8, 15, 20, tzinfo=UTC)


# ------------------------------------------------------------------------------------------------ the shared exports


def test_the_mapped_export_gives_what_is_expected() -> None:
    folder = shared_data("exports", "json")
    expected = [json.loads(line) for line in (folder / "export.expected.jsonl").read_text().splitlines()]
    found = read(folder / "export.jsonl")
    assert list(found) == [row["file_id"] for row in expected]
    for row in expected:
        message = found[row["file_id"]]
        assert message.sender is not None
        assert (message.sender.address, message.subject) == (row["from"].lower(), " ".join(row["subject"].split()))
        assert message.sent_at == datetime.fromisoformat(row["date"])
        assert "<p class" not in message.body and "<html" not in message.body.lower()
        if row["kind"] == "raw":
            assert message.message_id == row["message_id"]


def test_the_bodies_of_the_mapped_export_are_those_of_the_mailbox() -> None:
    folder = shared_data("exports", "json")
    rows = [json.loads(line) for line in (folder / "export.expected.jsonl").read_text().splitlines()]
    originals = {
        m.message_id: m
        for source in sources.find(shared_data("enron", "kitchen-l")).files
        for raw in sources.read(source)
        if isinstance(raw, RawMessage) and (m := parse(raw))
    }
    found = read(folder / "export.jsonl")
    different = [
        r["file_id"] for r in rows if words(found[r["file_id"]].body) != words(originals[r["message_id"]].body)
    ]
    assert different == []
    assert all(
        [m.address for m in found[r["file_id"]].to] == [m.address for m in originals[r["message_id"]].to] for r in rows
    )


def words(text: str) -> list[str]:
    """The export's HTML has a border where the original has a line of its own, and keeps the mbox's escapes."""
    return text.replace("-----Original Message-----", " ").replace(">From", "From").split()


def test_the_graph_export_and_outlooks_table_agree_with_the_mailbox() -> None:
    folder = shared_data("exports", "json")
    rows = json.loads((folder / "graph-messages.json").read_text())["value"]
    found = read(folder / "graph-messages.json")
    assert [m.message_id for m in found.values()] == [row["internetMessageId"] for row in rows]
    assert all(
        m.sent_at == datetime.fromisoformat(r["sentDateTime"]) for m, r in zip(found.values(), rows, strict=True)
    )
    table = list(read(folder / "outlook.csv").values())
    assert len(table) == 80
    for ours, other in zip(table, found.values(), strict=False):
        assert ours.sender is not None and other.sender is not None
        assert (ours.sender.address, ours.subject) == (other.sender.address, other.subject)
        assert [m.address for m in ours.to] == [m.address for m in other.to]
        assert [m.address for m in ours.cc] == [m.address for m in other.cc]


@pytest.mark.parametrize(
    "text", ["To do: bread, milk\nand more\n", "<message>\n<header>\n<field>Subject: x</field>\n</header>\n"]
)
def test_text_that_is_no_table_is_only_text(tmp_path: Path, text: str) -> None:
    with pytest.raises(NotMail, match="text, but no mail"):
        sources.find(write(tmp_path / "x.txt", text))


def test_a_table_that_is_no_mail_names_its_columns(tmp_path: Path) -> None:
    with pytest.raises(NotMail, match=r"height, width.*x\.mapping\.toml"):
        sources.find(write(tmp_path / "x.csv", "height,width\n3,4\n"))
