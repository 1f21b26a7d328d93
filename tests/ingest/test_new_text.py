"""New text is told from old, whatever program and language quoted it; work grows with the length alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from ingest.new_text import Split, split, strip
from ingest.quoting import markers, scan
from ingest.quoting.languages import LANGUAGES
from tests.shared import shared_data

NEW = "Friday suits me.\nShall I book the small room?"
OLD = "When can we meet?\nThursday or Friday?"
MARKED = "> When can we meet?\n> Thursday or Friday?"


def kinds(found: Split) -> list[str]:
    return [span.kind for span in found.spans]


def covers_all(found: Split) -> bool:
    ends = [0, *(span.end for span in found.spans)]
    return all(span.start == end for span, end in zip(found.spans, ends, strict=False)) and ends[-1] == len(found.text)


ATTRIBUTIONS = [
    "On Mon, Mar 4, 2019 at 10:15 AM Nora Quist <nora@example.com> wrote:",
    "On 2019-03-04 10:15, Nora Quist wrote:",
    "At 10:15 AM 3/4/2019, Nora Quist wrote:",
    "---- On Mon, 04 Mar 2019 10:15:00 +0100 Nora Quist <nora@example.com> wrote ----",
    "Am Mo., 4. März 2019 um 10:15 Uhr schrieb Nora Quist <nora@example.com>:",
    "Nora Quist <nora@example.com> hat am 4. März 2019 um 10:15 geschrieben:",
    "Le lun. 4 mars 2019 à 10:15, Nora Quist <nora@example.com> a écrit :",
    "El lun, 4 mar 2019 a las 10:15, Nora Quist (<nora@example.com>) escribió:",
    "Il giorno lun 4 mar 2019 alle ore 10:15 Nora Quist <nora@example.com> ha scritto:",
    "Em seg., 4 de mar. de 2019 às 10:15, Nora Quist <nora@example.com> escreveu:",
    "Op ma 4 mrt. 2019 om 10:15 schreef Nora Quist <nora@example.com>:",
    "Den man. 4. mar. 2019 kl. 10.15 skrev Nora Quist <nora@example.com>:",
    "Den mån 4 mars 2019 kl 10:15 skrev Nora Quist <nora@example.com>:",
    "ma 4. maalisk. 2019 klo 10.15 Nora Quist (nora@example.com) kirjoitti:",
    "pon., 4 mar 2019 o 10:15 Nora Quist <nora@example.com> napisał(a):",
    "Dne 4.3.2019 v 10:15 Nora Quist <nora@example.com> napsal(a):",
    "Dňa 4. 3. 2019 o 10:15 Nora Quist <nora@example.com> napísal(a):",
    "Nora Quist <nora@example.com> ezt írta (időpont: 2019. márc. 4., H, 10:15):",
    "Pe lun., 4 mar. 2019 la 10:15, Nora Quist <nora@example.com> a scris:",
    "пн, 4 мар. 2019 г. в 10:15, Nora Quist <nora@example.com>:",
    "4 марта 2019 г., в 10:15, Nora Quist <nora@example.com> написал(а):",
    "пн, 4 бер. 2019 о 10:15 Nora Quist <nora@example.com> пише:",
    "На пн, 4.03.2019 г. в 10:15 Nora Quist <nora@example.com> написа:",
    "Στις Δευ, 4 Μαρ 2019 στις 10:15 π.μ., ο χρήστης Nora Quist <nora@example.com> έγραψε:",
    "Nora Quist <nora@example.com>, 4 Mar 2019 Pzt, 10:15 tarihinde şunu yazdı:",
    "2019年3月4日(月) 10:15 Nora Quist <nora@example.com>:",
    "Nora Quist <nora@example.com> 于2019年3月4日周一 上午10:15写道：",
    "2019년 3월 4일 (월) 오전 10:15, Nora Quist <nora@example.com>님이 작성:",
    "‫בתאריך יום ב׳, 4 במרץ 2019 ב-10:15 מאת ‪Nora Quist‬‏ <‪nora@example.com‬‏>:‬",
    "في الاثنين، 4 مارس 2019 في 10:15 ص تمت كتابة ما يلي بواسطة ‪Nora Quist‬‏ <‪nora@example.com‬‏>:",
    "Vào Th 2, 4 thg 3, 2019 vào lúc 10:15 Nora Quist <nora@example.com> đã viết:",
    "Pada Sen, 4 Mar 2019 pukul 10.15 Nora Quist <nora@example.com> menulis:",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
@pytest.mark.parametrize("quotation", [MARKED, OLD], ids=["marked", "unmarked"])
def test_what_follows_an_attribution_is_quoted(attribution: str, quotation: str) -> None:
    found = split(f"{NEW}\n\n{attribution}\n\n{quotation}\n")
    assert found.new == NEW
    assert kinds(found) == ["new", "attribution", "quoted"]
    assert covers_all(found)


@pytest.mark.parametrize(
    "attribution",
    [
        "On Mon, Mar 4, 2019 at 10:15 AM, The Committee for Rooms <\nrooms@example.com> wrote:",
        "On Mar 4, 2019, at 10:15 AM, Nora Quist\n<nora@example.com>\nwrote:",
        "Nora Quist <nora@example.com> schrieb am Mo., 4.\nMärz 2019 um 10:15 Uhr:",
        "Le lun. 4 mars 2019 à 10:15, Nora Quist <nora@example.com>\na écrit :",
        "man. 4. mar. 2019 kl. 10:15 skrev Nora Quist <nora@example.com\n>:",
        "On Mon, 4 Mar 2019 at 10:15 Nora Quist\n\n<\nmailto:Nora Quist <nora@example.com>\n> wrote:",
    ],
)
def test_an_attribution_may_be_wrapped(attribution: str) -> None:
    assert split(f"{NEW}\n\n{attribution}\n\n{MARKED}\n").new == NEW


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_header_block_in_any_language_opens_a_quotation(language: object) -> None:
    sender, sent, to, subject = (
        getattr(language, column).split("|")[0].capitalize() for column in ("sender", "sent", "to", "subject")
    )
    block = f"{sender}: Nora Quist\n{sent}: 2019-03-04 10:15\n{to}: Ole Berg\n{subject}: Rooms"
    found = split(f"{NEW}\n\n{block}\n\n{OLD}\n")
    assert found.new == NEW
    assert found.of("quoted") == OLD


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_banners_in_any_language_tell_quoted_from_forwarded(language: object) -> None:
    original, forwarded = (getattr(language, column).split("|")[0] for column in ("original", "forwarded"))
    assert kinds(split(f"{NEW}\n\n-----{original.title()}-----\n\n{OLD}")) == ["new", "attribution", "quoted"]
    assert kinds(split(f"{NEW}\n\n---------- {forwarded} ---------\n\n{OLD}")) == ["new", "attribution", "forwarded"]


@pytest.mark.parametrize(
    "form",
    [
        "Nora Quist@NORTH\n03/04/2019 10:15 AM\nTo: Ole Berg/HAM/NORTH@NORTH\ncc:\nSubject: Rooms",
        '"Nora Quist" <nora@example.com> on 03/04/2019 10:15:00 AM\nTo: Ole Berg/HAM/NORTH@NORTH\ncc:\nSubject: Rooms',
        "-------- Forwarded by Ole Berg/HAM/NORTH on 03/04/2019\n10:20 AM -------\n\n\nNora Quist\n03/04/2019 10:15 AM\n"
        "To: Ole Berg/HAM/NORTH@NORTH\ncc:\nSubject: Rooms",
        "\tNorthern Rooms\n\n\tFrom:  Nora Quist                03/04/2019 10:15 AM\n\tPhone No: 555 0100\n\t\n\n"
        "To: Ole Berg/HAM/NORTH@NORTH\ncc:\nSubject: Rooms",
        "\tNora Quist 03/04/19 10:15 AM \t  To: Ole Berg/NORTH@NORTH  cc:   Subject: Rooms \t",
    ],
    ids=["two lines", "on", "forwarded by", "letterhead", "one line"],
)
def test_lotus_notes_forms_open_a_quotation(form: str) -> None:
    found = split(f"{NEW}\n\n{form}\n\n{OLD}\n")
    assert found.new.startswith(NEW)
    assert OLD not in found.new
    assert OLD in found.of("quoted", "forwarded")


def test_answers_between_quotations_are_kept_and_the_quotations_hidden() -> None:
    found = split(
        "On 4 Mar 2019, Nora Quist wrote:\n> When can we meet?\n> This week?\n\nFriday.\n\n"
        "> Where?\n> Upstairs?\n\nIn the small room.\n\n> Bye\n"
    )
    assert found.new == "Friday.\n\nIn the small room."
    assert kinds(found) == ["attribution", "quoted", "new", "quoted", "new", "quoted"]


def test_an_answer_below_the_quotation_is_kept() -> None:
    assert strip(f"On 4 Mar 2019, Nora Quist wrote:\n{MARKED}\n\n{NEW}\n") == NEW


def test_an_answer_written_between_attribution_and_quotation_is_kept() -> None:
    assert split(f"On 4 Mar 2019 10:15, Nora Quist wrote:\n\n{NEW}\n\n{MARKED}\n").new == NEW


def test_a_quotation_that_was_wrapped_without_marks_is_one() -> None:
    long = "> It would be kind of you to say which of the two days suits you and your guests\nbest of all.\n> Nora"
    assert split(f"{NEW}\n\nOn 4 Mar 2019, Nora Quist wrote:\n{long}\n").new == NEW


@pytest.mark.parametrize(
    "text",
    [
        "On the surface this looks fine.\n\nOn average, it is.\n\nI wrote something which was very good.",
        "Here are the times:\n\n2019-01-15 14:30:25\n15.01.2019 14:30\nJan 15, 2019 at 14:30\n\nWhich one?",
        "From: the cellar\nto the roof everything is new.",
        "Read https://example.com/on-monday-nora-wrote:about-it please.",
        "Phone: 12345\nFax: 67890\nMobile: 555",
        "The price rose > 5 % and\nfell < 3 %.",
        "```\n> git log\nOn 4 Mar 2019, Nora wrote:\n-- \n```\n\nDoes that help?",
        "- one\n- two\n\n* three\n\n-- first point\n-- second point\n\nThanks!",
    ],
)
def test_plain_text_stays_whole(text: str) -> None:
    found = split(text)
    assert kinds(found) == ["new"]
    assert found.new == text


def test_one_marked_line_that_nothing_announces_is_the_authors_own() -> None:
    text = "The old saying goes:\n\n> Measure twice, cut once."
    assert split(text).new == text


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nOle Berg\nNorthern Rooms\n+49 555 0100",
        "--\nOle",
        "Best regards,\nOle",
        "Mit freundlichen Grüßen\nOle Berg",
        "Regards,\n\nOle Berg\nHead of Rooms",
        "Med venlig hilsen\nOle",
        "-Ole Berg",
        "Sent from my telephone",
        "Sent from Mail for Windows 10",
        "Get Outlook for iOS",
        "Von meinem iPhone gesendet",
        "Gesendet von Outlook für Android<https://example.com/x>",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Отправлено с iPhone",
        "iPhoneから送信",
        "从我的 iPhone 发送",
        "_______________________\nOle Berg, Northern Rooms",
    ],
)
def test_signatures_are_found_and_kept_on_request(signature: str) -> None:
    text = f"{NEW}\n\n{signature}\n"
    assert strip(text) == NEW
    assert kinds(split(text)) == ["new", "signature"]
    assert strip(text, keep_signature=True) == text.strip()


def test_what_is_written_under_the_line_of_a_telephone_stays_where_the_quotation_is_announced() -> None:
    text = f"{NEW}\n\nSent from my telephone\n\nPS: the long table, please.\n\nOn 4 Mar 2019, Nora Quist wrote:\n{MARKED}\n"
    assert strip(text) == f"{NEW}\n\nPS: the long table, please."
    assert strip(f"Sent from my telephone\n\n{NEW}") == NEW


def test_an_unannounced_mail_under_the_line_of_a_telephone_is_hidden() -> None:
    text = f"{NEW}\n\nSent from my telephone\n\nDear all, the old table is still there."
    assert kinds(split(text)) == ["new", "signature", "quoted"]


def test_a_sentence_about_sending_is_no_signature() -> None:
    text = f"{NEW}\n\nSent from my desk, is much easier than my telephone."
    assert strip(text) == text


def test_a_signature_above_the_quotation_is_no_part_of_it() -> None:
    found = split(f"{NEW}\n\n-- \nOle\n\nOn 4 Mar 2019, Nora Quist wrote:\n{MARKED}\n")
    assert kinds(found) == ["new", "signature", "attribution", "quoted"]


DISCLAIMER = (
    "This message is confidential and intended only for the recipient named above. If you have received it in error,\n"
    "please notify the sender and delete it. Unauthorised disclosure is prohibited."
)


def test_a_disclaimer_is_told_from_the_text() -> None:
    found = split(f"{NEW}\n\n*****\n{DISCLAIMER}\n")
    assert found.new == NEW
    assert kinds(found) == ["new", "disclaimer"]


def test_a_confidential_matter_is_no_disclaimer() -> None:
    text = "This is confidential: the price is intended to rise.\n\nPlease keep it so."
    assert split(text).new == text


def test_a_list_footer_is_told_from_quotation_and_signature() -> None:
    footer = "_______________\nRooms mailing list\nrooms@lists.example.com\nhttps://lists.example.com/listinfo/rooms"
    below_quote = split(f"{NEW}\n\nOn 4 Mar 2019, Nora Quist wrote:\n{MARKED}\n\n{footer}\n")
    assert kinds(below_quote) == ["new", "attribution", "quoted", "list_footer"]
    below_signature = split(f"{NEW}\n\n-- \nOle\n{footer}\n")
    assert kinds(below_signature) == ["new", "signature", "list_footer"]
    assert below_signature.of("list_footer") == footer


def test_a_message_without_words_of_its_own_shows_the_words_it_forwards() -> None:
    forwarded = (
        "---------- Forwarded message ---------\nFrom: Nora <nora@example.com>\nSubject: Rooms\n\nTwo are free.\n"
    )
    assert split(forwarded).new == ""
    assert strip(forwarded) == "Two are free."
    assert strip(forwarded, keep_signature=True) == ""
    assert strip("> Only a quotation\n> of two lines.") == "> Only a quotation\n> of two lines."


def test_line_ends_of_other_systems_are_read() -> None:
    assert strip(f"{NEW}\n\nOn 4 Mar 2019, Nora wrote:\n{MARKED}".replace("\n", "\r\n")) == NEW
    assert strip("a\rb") == "a\nb"


def test_nothing_in_gives_nothing_out() -> None:
    for text in ("", "\n \n", "\x00"):
        assert strip(text).strip("\x00") == ""
    assert split("").spans == ()


def test_html_in_a_plain_part_is_read_as_html() -> None:
    html = "<html><body><p>Friday.</p><blockquote type=cite>When?<br>Thursday?</blockquote></body></html>"
    assert split(html).new == "Friday."


def test_where_the_html_leaves_nothing_the_plain_part_speaks() -> None:
    html = '<blockquote type="cite"><p>Friday.</p><p>When?</p></blockquote>'
    assert split("Friday.\n\nOn 4 Mar 2019, Nora wrote:\n> When?\n> Now?\n", html).new == "Friday."


HOSTILE = {
    "one line of marks": lambda n: ">" * n,
    "lines of marks": lambda n: ">\n" * (n // 2),
    "rising depth": lambda n: "\n".join(">" * (i % 300) + " x" for i in range(n // 150)),
    "on on on": lambda n: "On " * (n // 3) + "wrote:",
    "lines that begin an attribution": lambda n: "On 12 May 2020 Nora\n" * (n // 20),
    "lines that end one": lambda n: "Nora wrote:\n" * (n // 12),
    "times": lambda n: "at 10:00:\n" * (n // 10),
    "header blocks": lambda n: "From: a\nTo: b\nDate: 12:00\nSubject: c\n\nhi\n\n" * (n // 44),
    "unfinished header blocks": lambda n: "From: a\nTo: b\n" * (n // 14),
    "addressees": lambda n: "To: " + "a@example.com,\n" * (n // 15),
    "senders with addressees": lambda n: ("From:\n" + "a@b,\n" * 50) * (n // 260),
    "one long line": lambda n: "word " * (n // 5),
    "one long word": lambda n: "a" * n,
    "banners": lambda n: "-----Original Message-----\n" * (n // 27),
    "blank lines": lambda n: "\n" * n,
    "fences": lambda n: "```\n" * (n // 4),
    "delimiters": lambda n: "-- \n" * (n // 4),
    "legal words": lambda n: "confidential intended\n\n" * (n // 23),
    "Notes stamps": lambda n: "A B on 01/02/2000 10:00 AM\n" * (n // 27),
    "questions and answers": lambda n: "> a\nb\n" * (n // 6),
    "attributed answers": lambda n: "On 1 May 2020, A <a@b.example> wrote:\n> a\n\nb\n\n" * (n // 48),
    "open angles": lambda n: "<" * n,
    "phone lines": lambda n: "Sent from my " + "x " * (n // 2),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_work_grows_with_the_length_and_not_with_its_square(make: object) -> None:
    """Counts the function calls of Python for a text and one four times as long."""
    assert callable(make)
    calls = [_calls(make(5_000)), _calls(make(20_000))]
    assert calls[1] <= 5 * calls[0] + 2_000


def _calls(text: str) -> int:
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(profile)
    try:
        split(text)
    finally:
        sys.setprofile(None)
    return count


def test_no_line_is_looked_at_more_often_than_a_small_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    real = markers.marker_at

    def counting(lines: markers.Lines, i: int, stop: int, level: int) -> markers.Marker | None:
        looked.append(i)
        return real(lines, i, stop, level)

    monkeypatch.setattr(scan, "marker_at", counting)
    split("On 1 May 2020, A <a@b.example> wrote:\nan answer\n> a quotation\n\n" * 1_000)
    assert len(looked) <= 3 * 4_000


def test_a_megabyte_without_a_place_to_break_takes_little_memory() -> None:
    tracemalloc.start()
    split("a" * 1_000_000 + ":")
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


SUITE_BARS = {
    # suite, format: cases that the best of quotequail and mail-parser-reply solves (tests/bench/strippers.py). A
    # suite of one case is left out: it cuts the signature below a quotation that another suite keeps.
    ("crisp-email-reply-parser", "text"): 42,
    ("email_reply_trimmer", "text"): 37,
    ("github-email_reply_parser", "text"): 12,
    ("mail-parser-reply", "text"): 12,
    ("quotequail", "html"): 14,
    ("quotequail", "text"): 26,
    ("zapier-email-reply-parser", "text"): 17,
}


def test_the_cases_of_six_suites_are_solved_better_than_by_the_libraries() -> None:
    score = shared_data("replies", "score.py")
    run = subprocess.run(
        [sys.executable, str(score), "ingest.new_text:strip", str(shared_data("replies", "cases-dev.jsonl"))],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""},
    )
    solved = {(s, f): int(n) for s, f, n in re.findall(r"^(\S+)\s+(text|html)\s+(\d+)/", run.stdout, re.MULTILINE)}
    assert {suite: solved[suite] >= bar for suite, bar in SUITE_BARS.items()} == dict.fromkeys(SUITE_BARS, True)
    total = re.search(r"TOTAL \d+/\d+ = ([\d.]+); line precision ([\d.]+) recall ([\d.]+)", run.stdout)
    assert total is not None
    share, precision, recall = (float(number) for number in total.groups())
    assert share >= 0.90
    assert precision >= 0.95
    assert recall >= 0.93


def test_the_shared_cases_never_come_out_empty_where_words_were_expected() -> None:
    for line in shared_data("replies", "cases-dev.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["html"] or case["input_path"].endswith(".eml") or not case["expected_reply"]:
            continue
        assert strip(case["text"], keep_signature=not case["strips_signature"]).strip(), case["case"]
