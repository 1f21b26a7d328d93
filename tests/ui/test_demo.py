"""The fictional mailbox: complete, the same every time, and its questions right. Read with the standard library."""

import csv
import email
import email.policy
import io
import json
import mailbox
import re
import time
import zipfile
from collections import Counter
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ui.demo import gold, people, script
from ui.demo.attachments import make
from ui.demo.build import OWNER, build
from ui.demo.errors import ContentError

KINDS = {
    "lookup", "entity", "multi_message", "thread", "summary", "unanswerable", "aggregate_count", "aggregate_rank",
    "list_all", "negation", "mention_count", "mention_list", "multi_hop",
}  # fmt: skip
FIELDS = {
    "id", "mailbox", "split", "kind", "question", "value_type", "item_type", "gold_value", "gold_path",
    "gold_message_ids", "also_ok_message_ids", "gold_answer", "facts", "counting_rule", "value_variants", "as_of",
    "evidence", "evidence_by_message", "absence_patterns", "absence_after", "gold_folders", "gold_months", "notes",
}  # fmt: skip


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    build(folder)
    return folder


@pytest.fixture(scope="module")
def folders(target: Path) -> dict[str, list[EmailMessage]]:
    found: dict[str, list[EmailMessage]] = {}
    for path in sorted(target.rglob("*.mbox")):
        box = mailbox.mbox(path, create=False)
        raw = [box.get_bytes(key) for key in box.keys()]  # noqa: SIM118
        name = path.relative_to(target).with_suffix("").as_posix()
        found[name] = [email.message_from_bytes(one, policy=email.policy.default) for one in raw]
    return found


@pytest.fixture(scope="module")
def messages(folders: dict[str, list[EmailMessage]]) -> list[EmailMessage]:
    return list({m["Message-ID"]: m for box in folders.values() for m in box}.values())


@pytest.fixture(scope="module")
def questions() -> list[dict]:
    return [json.loads(line) for line in gold.QUESTIONS.read_text(encoding="utf-8").splitlines()]


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    part = message.get_body((kind,))
    return part.get_content() if part else ""


def addresses(message: EmailMessage, *names: str) -> list[str]:
    return [address for _, address in getaddresses([str(message[name]) for name in names if message[name]])]


def from_(messages: list[EmailMessage], address: str) -> list[EmailMessage]:
    return [m for m in messages if address in addresses(m, "From")]


def raw_header(message: EmailMessage, name: str) -> str:
    return next((str(value) for key, value in message.raw_items() if key == name), "")


# --- the whole ---


def test_building_twice_gives_the_same_bytes_within_five_seconds(target: Path, tmp_path: Path) -> None:
    start = time.monotonic()
    build(tmp_path)
    assert time.monotonic() - start < 5
    first = {p.relative_to(target): p.read_bytes() for p in target.rglob("*.mbox")}
    assert first == {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*.mbox")}


def test_there_are_between_800_and_1200_messages_over_ten_months(messages: list[EmailMessage]) -> None:
    assert 800 <= len(messages) <= 1200
    months = Counter(m["Date"].datetime.strftime("%Y-%m") for m in messages)
    assert sorted(months) == [f"2025-{month:02}" for month in range(2, 12)]
    assert min(months.values()) >= 70


def test_forty_people_in_eight_organisations_write(messages: list[EmailMessage]) -> None:
    everybody = people.load()
    humans = {a: p.key for p in everybody.values() if p.is_human for a in p.addresses}
    wrote = {humans[a] for m in messages for a in addresses(m, "From") if a in humans}
    assert len(wrote) == 40
    assert len({everybody[key].addresses[0].rpartition("@")[2] for key in wrote}) == 8


def test_every_address_is_made_up(messages: list[EmailMessage]) -> None:
    seen = [f"{m['From']} {m['To']} {m['Cc']} {m['Message-ID']} {text_of(m)} {text_of(m, 'html')}" for m in messages]
    domains = {d for text in seen for d in re.findall(r"@([\w-]+(?:\.[\w-]+)+)", text)}
    assert len(domains) > 30
    assert {domain for domain in domains if not domain.endswith(".example")} == set()


def test_message_ids_are_unique_and_replies_come_after_what_they_answer(messages: list[EmailMessage]) -> None:
    by_id = {m["Message-ID"]: m for m in messages}
    answers = [(m, by_id[p]) for m in messages if (p := raw_header(m, "In-Reply-To").strip()) in by_id]
    assert len(answers) > 350
    assert all(m["Date"].datetime > parent["Date"].datetime for m, parent in answers)


def test_no_two_different_messages_look_like_copies(target: Path) -> None:
    mails = gold.read(target)
    near = [(a, b) for n, a in enumerate(mails) for b in mails[n + 1 : n + 80] if gold.within(a, b)]
    assert near == []


def test_most_mail_is_on_working_days_and_some_on_weekends(messages: list[EmailMessage]) -> None:
    written = [m for m in messages if not m["Auto-Submitted"]]
    weekend = sum(m["Date"].datetime.weekday() >= 5 for m in written)
    assert 5 <= weekend < 0.05 * len(written)
    assert {m["Date"].datetime.strftime("%z") for m in written} >= {"+0000", "+0100", "+0200", "-0700"}


# --- what must be in it ---


def test_two_anas_and_one_with_nothing_but_the_first_name(messages: list[EmailMessage]) -> None:
    names = Counter((m["From"].addresses[0].display_name, addresses(m, "From")[0]) for m in messages)
    belmonte, petrovic = "ana.belmonte@puertovallmar.example", "ana.petrovic@caldertest.example"
    assert names["Ana Belmonte", belmonte] > 20
    assert names["Ana Petrović", petrovic] > 15
    assert names["Ana", belmonte] and names["Ana", petrovic]


def test_one_person_has_three_addresses(messages: list[EmailMessage]) -> None:
    used = {a for m in messages for a in addresses(m, "From") if "ferrer" in a}
    assert used == {
        "tomas.ferrer@tarnbridge.example",
        "tferrer@tarnbridge.example",
        "tomasferrer@correolevante.example",
    }
    private = from_(messages, "tomasferrer@correolevante.example")
    assert all("tomas.ferrer@tarnbridge.example" in m["Reply-To"] for m in private)


def test_role_addresses_write_and_are_written_to(messages: list[EmailMessage]) -> None:
    roles = {p.addresses[0] for p in people.load().values() if p.client == "role"}
    assert len({a for m in messages for a in addresses(m, "From")} & roles) >= 6
    assert len({a for m in messages for a in addresses(m, "To", "Cc")} & roles) >= 4


def test_the_mailing_list_has_its_headers_and_footer(folders: dict[str, list[EmailMessage]]) -> None:
    posts = folders["lists/monitoring"]
    assert len(posts) >= 30
    for post in posts:
        assert "<monitoring.lists.northmoor-uni.example>" in post["List-Id"]
        assert post["List-Unsubscribe"] and post["List-Post"]
        assert "[monitoring]" in post["Subject"]
        assert "mailing list -- monitoring@" in text_of(post)


def test_one_conversation_is_twenty_five_deep(messages: list[EmailMessage]) -> None:
    depths = [len(re.findall("<[^>]+>", raw_header(m, "References"))) + 1 for m in messages]
    assert max(depths) == 25


@pytest.mark.parametrize(
    ("address", "kind", "pattern"),
    [
        ("hal.brandreth@quillfeather.example", "plain", r"^On \w{3}, \d+ \w{3} 2025 at .*\n?.*wrote:\n\n> "),
        ("hal.brandreth@quillfeather.example", "html", r'<div class="gmail_quote">.*<blockquote class="gmail_quote"'),
        ("ilse.brandt@tarnbridge.example", "plain", r"^Von: .*\nGesendet: \w+, \d+\. \w+ 2025 .*\nAn: .*\n(Cc: .*\n)?Betreff: "),
        ("rafael.ortuno@puertovallmar.example", "plain", r"^De: .*\nEnviado el: .*\nPara: "),
        ("douglas.okafor@tarnbridge.example", "html", r"<b>From:</b> .*<b>Sent:</b> .*<b>Subject:</b>"),
        ("bernard.hollis@caldertest.example", "plain", r"^-----Original Message-----\nFrom: "),
        ("ana.petrovic@caldertest.example", "plain", r"^> On \d+ \w{3} 2025, at \d\d:\d\d, .* wrote:\n>\n> "),
        ("iker.zabala@puertovallmar.example", "plain", r"^> El \d+ \w{3} 2025, a las .* escribió:"),
        ("alastair.munro@eskmerewater.example", "plain", r"^From:\t.*\nTo:\t.*\n(Cc:\t.*\n)?Date:\t\d\d/\d\d/2025 \d\d:\d\d\nSubject:\t"),
        ("winifred.oakes@eskmerewater.example", "plain", r"^\S.*> \n\d\d/\d\d/2025 \d\d:\d\d\n\nTo\n"),
        ("priya.raman@tarnbridge.example", "plain", r"^On \d\d/\d\d/2025 \d\d:\d\d, .* wrote:\n> .+\n\n\S"),
        ("torben.rickmers@nordkai.example", "plain", r"^Am \d\d\.\d\d\.25 um \d\d:\d\d schrieb "),
    ],
)  # fmt: skip
def test_replies_quote_in_the_way_of_their_program(
    messages: list[EmailMessage], address: str, kind: str, pattern: str
) -> None:
    flags = re.M | re.S if kind == "html" else re.M
    assert any(re.search(pattern, text_of(m, kind), flags) for m in from_(messages, address))


def test_a_poor_program_sends_replies_without_references(messages: list[EmailMessage]) -> None:
    answers = [m for m in from_(messages, "lukas.wendt@tarnbridge.example") if m["Subject"].startswith("Re: ")]
    assert len(answers) >= 5
    assert not any(m["References"] or m["In-Reply-To"] for m in answers)


def test_some_mail_is_html_only(messages: list[EmailMessage]) -> None:
    ros = from_(messages, "rosalind.tate@tarnbridge.example")
    assert len(ros) > 15
    assert all(m.get_content_type() == "text/html" for m in ros)


@pytest.mark.parametrize(
    ("words", "at_least"),
    [(r"\b(ich|nicht|und|der|das|wir|ist|Sie|auf|bei)\b", 45), (r"\b(que|para|el|la|los|una|por|con)\b", 40)],
)
def test_mail_in_german_and_in_spanish(messages: list[EmailMessage], words: str, at_least: int) -> None:
    assert sum(len(re.findall(words, text_of(m))) >= 4 for m in messages) >= at_least


def test_machines_send_two_to_three_hundred_messages(messages: list[EmailMessage]) -> None:
    made = [m for m in messages if m["Auto-Submitted"] == "auto-generated"]
    assert 200 <= len(made) <= 300
    assert sum("List-Unsubscribe" in m for m in made) >= 30
    assert len({addresses(m, "From")[0] for m in made}) >= 9


def test_invitations_carry_calendar_parts(messages: list[EmailMessage]) -> None:
    methods = Counter(
        part.get_param("method") for m in messages for part in m.walk() if part.get_content_type() == "text/calendar"
    )
    assert methods["REQUEST"] >= 8 and methods["REPLY"] >= 15 and methods["CANCEL"] == 1


def test_drafts_and_spam_have_their_folders(folders: dict[str, list[EmailMessage]]) -> None:
    assert len(folders["drafts"]) >= 10
    assert all(addresses(m, "From") == [OWNER] for m in folders["drafts"])
    assert len(folders["spam"]) >= 15
    assert any(m["From"].addresses[0].display_name == "Gethin Pryce" for m in folders["spam"])


def test_attachments_open(messages: list[EmailMessage]) -> None:
    kinds: Counter[str] = Counter()
    for part in (part for m in messages if m.is_multipart() for part in m.iter_attachments()):
        name, content = part.get_filename(), part.get_content()
        ending = name.rpartition(".")[2]
        kinds[ending] += 1
        if ending == "csv":
            assert len(list(csv.reader(io.StringIO(content if isinstance(content, str) else content.decode())))) > 1
        elif ending == "pdf":
            start = int(re.search(rb"startxref\n(\d+)", content)[1])
            assert content.startswith(b"%PDF-1.4") and content[start : start + 4] == b"xref"
            places = re.findall(rb"(\d{10}) 00000 n", content)
            assert all(content[int(p) :].startswith(b"%d 0 obj" % n) for n, p in enumerate(places, 1))
        else:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                assert archive.testzip() is None
                for inside in archive.namelist():
                    ElementTree.fromstring(archive.read(inside))
    assert set(kinds) == {"pdf", "docx", "xlsx", "csv"}
    assert min(kinds.values()) >= 6


def test_copies_of_a_mail_stand_in_two_folders(folders: dict[str, list[EmailMessage]]) -> None:
    places = Counter(i for box in folders.values() for i in {m["Message-ID"] for m in box})
    assert sum(n == 2 for n in places.values()) >= 12
    assert set(places.values()) == {1, 2}


def test_one_mail_survives_only_as_a_quotation(messages: list[EmailMessage]) -> None:
    words = "the load on the deck shall at no time exceed 600 kilograms"
    holding = [m for m in messages if words in " ".join(re.sub(r"^[> ]+", "", text_of(m), flags=re.M).split())]
    assert holding
    assert not from_(holding, "winifred.oakes@eskmerewater.example")
    first = min(holding, key=lambda m: m["Date"].datetime)
    assert addresses(first, "From") == ["alastair.munro@eskmerewater.example"]
    assert raw_header(first, "In-Reply-To").strip() not in {m["Message-ID"] for m in messages}


def test_a_terse_answer_decides(messages: list[EmailMessage]) -> None:
    terse = [m for m in messages if text_of(m).startswith("Agreed, let's do that.")]
    assert [addresses(m, "From")[0] for m in terse] == ["gethin.pryce@tarnbridge.example"]
    parent = next(m for m in messages if m["Message-ID"] == raw_header(terse[0], "In-Reply-To").strip())
    assert "19,500" in text_of(parent)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("philippa.crane@eskmerewater.example", "£25,920 on mobilisation, £38,880 on submission of the complete draft"),
        ("bernard.hollis@caldertest.example", "GBP 1,340 per day or part thereof"),
        ("hal.brandreth@quillfeather.example", "14 March is absolutely no problem"),
        ("petra.novak@quillfeather.example", "so delivery 29 April"),
    ],
)
def test_agreed_payments_a_quoted_rate_and_promises(messages: list[EmailMessage], address: str, words: str) -> None:
    assert any(words in " ".join(text_of(m).split()) for m in from_(messages, address))


# --- the questions ---


def test_seventy_questions_over_all_kinds_with_every_field(questions: list[dict]) -> None:
    assert len(questions) == 70
    assert {q["kind"] for q in questions} == KINDS
    assert all(set(q) == FIELDS for q in questions)
    assert len({q["id"] for q in questions}) == len({q["question"] for q in questions}) == 70


def test_every_gold_message_is_in_the_mailbox(questions: list[dict], messages: list[EmailMessage]) -> None:
    known = {m["Message-ID"] for m in messages}
    named = {i for q in questions for g in q["gold_message_ids"] + q["also_ok_message_ids"] for i in g}
    named |= {
        i for q in questions if q["item_type"] == "message" for item in q["gold_value"] for i in item["message_ids"]
    }
    assert named
    assert named <= known


def test_questions_with_messages_have_evidence_and_others_a_value(questions: list[dict]) -> None:
    for q in questions:
        if q["value_type"] is None and q["kind"] != "unanswerable":
            assert len(q["gold_message_ids"]) == len(q["evidence_by_message"]) >= 1, q["id"]
        elif q["kind"] == "unanswerable":
            assert q["absence_patterns"] and not q["gold_message_ids"]
        else:
            assert q["gold_value"], q["id"]


def test_gold_is_what_the_mailbox_says(questions: list[dict], target: Path) -> None:
    assert gold.questions(target) == questions


def test_lookups_are_worded_away_from_the_text(questions: list[dict], messages: list[EmailMessage]) -> None:
    by_id = {m["Message-ID"]: " ".join(text_of(m).split()).lower() for m in messages}
    for q in (q for q in questions if q["kind"] == "lookup"):
        words = re.findall(r"\w+", q["question"].lower())
        text = by_id[q["gold_message_ids"][0][0]]
        assert not any(" ".join(words[n : n + 4]) in text for n in range(len(words) - 3)), q["question"]


def test_nothing_of_priya_after_her_last_day(questions: list[dict], messages: list[EmailMessage]) -> None:
    question = next(q for q in questions if q["absence_after"])
    sent = from_(messages, "priya.raman@tarnbridge.example")
    assert max(m["Date"].datetime.strftime("%Y-%m-%d") for m in sent) < question["absence_after"]


# --- the format ---


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("== a | Hello | inbox\n@nobody > maren | 3 Feb 09:00 |\nx", "a.txt:2.*nobody"),
        ("== a | Hello | inbox\n@hal > maren | 3 Feb |\nx", "no date like"),
        ("== a | Hello | inbox\n@hal > maren | 3 Feb 09:00 | shout\nx", "no option 'shout'"),
        ("== a | Hello | inbox\n@hal > maren | 3 Feb 09:00 |\nx\n@maren | 3 Feb 08:00 |\ny", "not later than a.1"),
        ("== b\n@hal > maren | 3 Feb 09:00 |\nx", "thread b has no subject yet"),
    ],
)
def test_a_broken_content_file_is_named_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=says):
        script.read(people.load(), tmp_path)


def test_an_attachment_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        make("picture.bmp", ["x"])
