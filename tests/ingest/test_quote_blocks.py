"""What a message quotes comes out as messages: author, date, recipients, subject, text, nested."""

from __future__ import annotations

import json
import mailbox
import re
import sys
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest

from ingest.new_text import split
from ingest.quote_blocks import QuotedBlock, blocks
from ingest.quoting.dates import read_date
from ingest.quoting.people import Person, people, person
from tests.ingest.test_new_text import ATTRIBUTIONS
from tests.shared import shared_data

TEN_FIFTEEN = datetime(2019, 3, 4, 10, 15)


def of(text: str, html: str | None = None) -> list[QuotedBlock]:
    return blocks(split(text, html))


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_an_attribution_names_author_and_date(attribution: str) -> None:
    (block,) = of(f"Yes.\n\n{attribution}\n\n> When?\n> Where?\n")
    assert block.author_name == "Nora Quist"
    assert block.author_address in {"nora@example.com", ""}
    assert ("nora@example.com" in attribution) == bool(block.author_address)
    assert block.text == "When?\nWhere?"
    if "thg" not in attribution:  # Vietnamese writes the month as a number
        assert block.sent_at == TEN_FIFTEEN


def test_a_header_block_gives_all_that_it_says() -> None:
    text = (
        "Yes.\n\n-----Original Message-----\nFrom: \tQuist, Nora [mailto:nora@example.com]\n"
        "Sent:\tMonday, March 04, 2019 10:15 AM\nTo:\tBerg, Ole; Dahl, Eva\nCc:\tPaz, Ria\nSubject:\tRooms\n\nWhen?\n"
    )
    (block,) = of(text)
    assert (block.kind, block.depth, block.parent) == ("quoted", 1, None)
    assert (block.author_name, block.author_address) == ("Quist, Nora", "nora@example.com")
    assert block.sent_at == TEN_FIFTEEN
    assert [one.name for one in block.to] == ["Berg, Ole", "Dahl, Eva"]
    assert [one.name for one in block.cc] == ["Paz, Ria"]
    assert block.subject == "Rooms"
    assert block.text == "When?"
    assert text[block.start : block.end].startswith("-----Original") and text[
        block.start : block.end
    ].rstrip().endswith("When?")


def test_a_long_list_of_addressees_goes_on_over_lines() -> None:
    to = ",\n".join(f"person{i}@example.com" for i in range(40))
    (block,) = of(f"Yes.\n\nFrom: Nora\nSent: 2019-03-04 10:15\nTo: {to}\nSubject: Rooms\n\nWhen?\n")
    assert len(block.to) == 40
    assert block.text == "When?"


def test_notes_forms_give_author_and_date() -> None:
    (block,) = of(
        "Yes.\n\n-------- Forwarded by Ole Berg/HAM/NORTH on 03/05/2019\n08:00 AM --------\n\n\nNora Quist@NORTH\n"
        "03/04/2019 10:15 AM\nTo: Ole Berg/HAM/NORTH@NORTH, Eva \nDahl/HAM/NORTH@NORTH\ncc:\nSubject: Rooms\n\nWhen?\n"
    )
    assert block.kind == "forwarded"
    assert (block.author_name, block.sent_at, block.subject) == ("Nora Quist", TEN_FIFTEEN, "Rooms")
    assert [one.name for one in block.to] == ["Ole Berg", "Eva Dahl"]
    (block,) = of(
        "Yes.\n\n   Nora Quist @ NORTH             03/04/2019 10:15 AM\n\nTo: Ole Berg\ncc:\nSubject: x\n\nWhen?\n"
    )
    assert (block.author_name, block.sent_at) == ("Nora Quist", TEN_FIFTEEN)


def test_unmarked_copies_nest_each_in_the_one_before() -> None:
    first, second, third = of(
        "Yes.\n\nOn 4 Mar 2019, Nora <n@example.com> wrote:\n\nDo we?\n\nFrom: Ole\nSent: 2019-03-03 09:00\nTo: Nora\n"
        "Subject: x\n\nWe meet.\n\n-----Original Message-----\nFrom: Eva\nSent: 2019-03-02 09:00\nSubject: x\n\nMeet!\n"
    )
    assert [block.depth for block in (first, second, third)] == [1, 2, 3]
    assert [block.parent for block in (first, second, third)] == [None, 0, 1]
    assert [block.text for block in (first, second, third)] == ["Do we?", "We meet.", "Meet!"]
    assert first.end >= second.end >= third.end


def test_marked_quotations_nest_by_their_marks() -> None:
    first, second = of(
        "Yes.\n\nOn 4 Mar 2019, Nora Quist wrote:\n> Do we?\n>\n> On 3 Mar 2019, Ole Berg wrote:\n>> We meet.\n>> Upstairs.\n"
        "> Good.\n"
    )
    assert (first.author_name, first.text) == ("Nora Quist", "Do we?\n\nGood.")
    assert (second.author_name, second.text, second.parent) == ("Ole Berg", "We meet.\nUpstairs.", 0)


def test_marks_may_stand_apart() -> None:
    first, second = of("On 4 Mar 2019, Nora Quist wrote:\n\n>    Do we?\n>    >    We meet.\n>    >    Upstairs.\n")
    assert (first.text, second.text) == ("Do we?", "We meet.\nUpstairs.")


def test_pieces_of_one_answered_mail_are_one_block() -> None:
    (block,) = of("On 4 Mar 2019, Nora wrote:\n> When?\n> Now?\n\nFriday.\n\n> Where?\n\nUpstairs.\n")
    assert block.text == "When?\nNow?\n\nWhere?"


def test_a_marker_inside_the_marks_speaks_for_the_run() -> None:
    (block,) = of("Yes.\n\n> On 4 Mar 2019, at 10:15, Nora Quist <nora@example.com> wrote:\n> \n> When?\n> Where?\n")
    assert (block.author_name, block.sent_at, block.text) == ("Nora Quist", TEN_FIFTEEN, "When?\nWhere?")
    (block,) = of(
        "See.\n\nBegin forwarded message:\n\n> From: Nora <nora@example.com>\n> Date: 4 March 2019 at 10:15:00 CET\n"
        "> To: Ole\n> Subject: Rooms\n>\n> When?\n"
    )
    assert (block.kind, block.author_name, block.subject, block.text) == ("forwarded", "Nora", "Rooms", "When?")


def test_an_unannounced_quotation_has_no_author_but_its_text() -> None:
    (block,) = of("> When?\n> Where?\n\nFriday.\n")
    assert (block.author_name, block.author_address, block.sent_at, block.text) == ("", "", None, "When?\nWhere?")


def test_the_footer_of_the_list_is_no_part_of_a_block() -> None:
    (block,) = of(
        "Yes.\n\nOn 4 Mar 2019, Nora wrote:\n\nWhen?\n\n________\nRooms mailing list\nrooms@lists.example.com\n"
    )
    assert block.text == "When?"


def test_html_containers_give_blocks_too() -> None:
    html = (
        '<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">On Mon, Mar 4, 2019 at 10:15 AM Nora Quist '
        '&lt;nora@example.com&gt; wrote:</div><blockquote class="gmail_quote">When?<blockquote>Before</blockquote>'
        "</blockquote></div>"
    )
    first, second = of("", html)
    assert (first.author_address, first.sent_at, first.text) == ("nora@example.com", TEN_FIFTEEN, "When?")
    assert (second.depth, second.text) == (2, "Before")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Monday, March 04, 2019 10:15 AM", TEN_FIFTEEN),
        ("Mon 3/4/2019 10:15 AM", TEN_FIFTEEN),
        ("04/03/2019 10:15", TEN_FIFTEEN),
        ("3/4/19 10:15", TEN_FIFTEEN),
        ("04.03.2019 10:15", TEN_FIFTEEN),
        ("13/03/2019 10:15 PM", datetime(2019, 3, 13, 22, 15)),
        ("Montag, 4. März 2019 10:15", TEN_FIFTEEN),
        ("lunes, 4 de marzo de 2019 10:15 p. m.", datetime(2019, 3, 4, 22, 15)),
        ("den 4 mars 2019 10:15", TEN_FIFTEEN),
        ("2019年3月4日 下午10:15", datetime(2019, 3, 4, 22, 15)),
        ("12:05 AM, March 4, 2019", datetime(2019, 3, 4, 0, 5)),
        ("Mon, 4 Mar 2019 10:15:00 +0100", TEN_FIFTEEN),
        ("4 March 2019", datetime(2019, 3, 4)),
        ("Le mar. 5 nov. 2019 à 10:15", datetime(2019, 11, 5, 10, 15)),
        ("El mar, 5 mar 2019 a las 10:15", datetime(2019, 3, 5, 10, 15)),
        ("sri, 12. lis 2020. u 10:15", datetime(2020, 10, 12, 10, 15)),
        ("12. listopada 2020. u 10:15", datetime(2020, 10, 12, 10, 15)),
        ("12 listopada 2020 10:15", datetime(2020, 11, 12, 10, 15)),
        ("12. listopadu 2020 v 10:15", datetime(2020, 11, 12, 10, 15)),
        ("Vào Th 2, 4 thg 3, 2019 lúc 10:15", TEN_FIFTEEN),
        ("Vào thứ hai, 4 tháng mười một, 2019 lúc 10:15 CH", datetime(2019, 11, 4, 22, 15)),
        ("Vào lúc 10:15 ngày 4/3/2019", TEN_FIFTEEN),
        ("yesterday", None),
        ("99/99/2019", None),
        ("", None),
    ],
)
def test_dates_are_read_as_the_clock_showed_them(raw: str, expected: datetime | None) -> None:
    assert read_date(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Nora Quist <nora@example.com>", Person("Nora Quist", "nora@example.com")),
        ('"Quist, Nora" <Nora@Example.com>', Person("Quist, Nora", "nora@example.com")),
        ("nora@example.com", Person("", "nora@example.com")),
        ("Nora Quist [mailto:nora@example.com]", Person("Nora Quist", "nora@example.com")),
        ("Nora Quist/HAM/NORTH@NORTH", Person("Nora Quist", "")),
        ("Office of Rooms On Behalf Of Quist, Nora", Person("Quist, Nora", "")),
        ("", Person("", "")),
    ],
)
def test_people_are_read_as_programs_write_them(raw: str, expected: Person) -> None:
    assert person(raw) == expected


def test_lists_of_people_are_parted() -> None:
    assert [one.name for one in people("Quist, Nora; Berg, Ole")] == ["Quist, Nora", "Berg, Ole"]
    assert [one.address for one in people('"Quist, Nora" <n@example.com>, Ole <o@example.com>, e@example.com')] == [
        "n@example.com",
        "o@example.com",
        "e@example.com",
    ]
    assert people("") == ()


def test_deep_nesting_ends_and_work_stays_linear() -> None:
    calls = [_calls("\n".join(">" * i + " x" for i in range(1, n))) for n in (50, 400)]
    assert len(of("\n".join(">" * i + " x" for i in range(1, 400)))) <= 61
    assert calls[1] <= 60 * calls[0]
    chain = "From: a\nSent: 2019-03-04 10:15\nTo: b\nSubject: c\n\nhi\n\n"
    short, long = _calls(chain * 100), _calls(chain * 400)
    assert long <= 5 * short


def _calls(text: str) -> int:
    found = split(text)
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(profile)
    try:
        blocks(found)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("user", ["lay-k", "delainey-d"])
def test_messages_known_only_from_quotations_come_back(user: str) -> None:
    """Of the messages listed for recovery, blocks of the mail that quotes them have author, date and text right."""
    entries = [json.loads(line) for line in shared_data("questions", f"recovery-{user}.jsonl").open(encoding="utf-8")]
    wanted = {quoting for entry in entries for quoting in entry["quoted_in"]}
    quoted: dict[str, list[QuotedBlock]] = {}
    for path in sorted(shared_data("enron", user).glob("*.mbox")):
        for message in mailbox.mbox(path):
            key = (message["Message-ID"] or "").strip()
            if key in wanted:
                quoted[key] = of(bytes(message.get_payload(decode=True) or b"").decode("utf-8", "replace"))
    author = date = text = 0
    for entry in entries:
        best = max(
            (block for key in entry["quoted_in"] for block in quoted.get(key, [])),
            key=lambda block: (
                _overlap(entry["text"], block.text) >= 0.9,
                _is_author(entry, block),
                block.sent_at is not None,
            ),
            default=None,
        )
        if best is None:
            continue
        text += _overlap(entry["text"], best.text) >= 0.9
        author += _is_author(entry, best)
        date += _is_date(entry["date"], best.sent_at)
    assert author / len(entries) >= 0.95
    assert text / len(entries) >= 0.95
    assert date / len(entries) >= 0.90


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _overlap(wanted: str, found: str) -> float:
    def shingles(text: str) -> set[tuple[str, ...]]:
        words = _words(text)
        return {tuple(words[i : i + 5]) for i in range(max(1, len(words) - 4))}

    return len(shingles(wanted) & shingles(found)) / len(shingles(wanted))


def _is_author(entry: dict[str, str], block: QuotedBlock) -> bool:
    if block.author_address == entry["from"].lower():
        return True
    seen = set(_words(f"{block.author_name} {block.author_address.split('@')[0]}"))
    spellings = (
        _words(entry["from_name"].split("<")[0].split("@")[0]),
        re.split(r"[._]+", entry["from"].split("@")[0]),
    )
    names = [[word for word in spelling if len(word) > 1] for spelling in spellings]
    return any(len(name) > 1 and {name[0], name[-1]} <= seen for name in names)


def _is_date(header: str, found: datetime | None) -> bool:
    if found is None:
        return False
    away = abs(found - parsedate_to_datetime(header).replace(tzinfo=None))
    beside = away % timedelta(hours=1)
    return away <= timedelta(hours=26) and min(beside, timedelta(hours=1) - beside) <= timedelta(minutes=1)


@pytest.mark.parametrize("label", ["From:", "*Sent:*", "To:"])
def test_a_label_with_a_line_far_longer_than_a_header_is_no_block(label: str) -> None:
    text = f"All is well.\n\n{label} {'ada ' * 9000}\nSubject: Pump\nTo: Joe\n\nThe pump is fixed.\n"
    found = split(text)
    assert found.spans[0].start == 0 and found.spans[-1].end == len(found.text)
    assert "All is well." in found.new
