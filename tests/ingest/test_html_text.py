"""HTML becomes readable text, what is hidden stays out, and the programs' containers are known."""

from __future__ import annotations

import sys

import pytest

from ingest.html_text import html_to_text
from ingest.new_text import split, strip


def text(html: str) -> str:
    return html_to_text(html).text


def test_blocks_become_lines_and_paragraphs_stand_apart() -> None:
    assert text("<div>a</div><div>b</div>") == "a\nb"
    assert text("<p>a</p><p>b</p>") == "a\n\nb"
    assert text("a<br>b<br><br>c") == "a\nb\n\nc"
    assert text('<p class="MsoNormal">a</p><p class="MsoNormal">b</p>') == "a\nb"


def test_spaces_run_together_except_in_preformatted_text() -> None:
    assert text("<p>a\n  b&nbsp;\tc <b>d</b>e</p>") == "a b c de"
    assert text("<pre>a\n  b</pre>") == "a\n  b"


def test_lists_and_tables_stay_readable() -> None:
    assert text("<ul><li>a</li><li>b</li></ul>") == "- a\n- b"
    assert text("<ol><li>a</li><li>b</li></ol>") == "1. a\n2. b"
    assert text("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>") == "a b\nc d"


def test_a_link_keeps_its_words() -> None:
    assert text('see <a href="https://example.com/x">the plan</a>.') == "see the plan."


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x()</script>",
        "<style>p{color:red}</style>",
        "<head><title>x</title></head>",
        "<!-- x -->",
        "<!--[if mso]><p>x</p><![endif]-->",
        '<div style="display: none">x</div>',
        '<span style="font-size:0">x</span>',
        '<div style="mso-hide:all">x</div>',
        "<p hidden>x</p>",
        "<template>x</template>",
        '<p style="color:#ffffff">x</p>',
        '<div style="background:#123456"><font color="#123457">x</font></div>',
        '<div style="font-size:1px;line-height:1px">x</div>',
        '<p style="opacity:0">x</p>',
        '<div style="max-height:0;overflow:hidden">x</div>',
        '<div style="position:absolute;left:-9999px">x</div>',
        '<p style="color:transparent !important">x</p>',
        '<style>.pre, #top {display:none}</style><p class="pre">x</p><p id="top">x</p>',
        "<style>p.w {color: white}</style><p class='big w'>x</p>",
    ],
)
def test_what_a_reader_does_not_see_is_dropped(hidden: str) -> None:
    assert text(f"<p>a</p>{hidden}<p>b</p>") == "a\n\nb"


@pytest.mark.parametrize(
    "shown",
    [
        '<div style="background:#1f6f5c"><p style="color:#fff">x</p></div>',
        '<table bgcolor="#000000"><tr><td><font color="white">x</font></td></tr></table>',
        '<div style="color:#fff"><p style="color:#333">x</p></div>',
        '<div style="background-image:url(a.png)"><p style="color:#fff">x</p></div>',
        '<div style="font-size:0"><span style="font-size:14px">x</span></div>',
        '<p style="background:#222;color:white">x</p>',
        "<style>.bar {background: navy}</style><div class='bar'><p style='color:white'>x</p></div>",
        "<style>@media (max-width: 600px) {.wide {display: none}}</style><p class='wide'>x</p>",
        '<div style="max-height:0">x</div>',
    ],
)
def test_what_a_reader_sees_stays(shown: str) -> None:
    assert text(f"<p>a</p>{shown}<p>b</p>").split() == ["a", "x", "b"]


def test_an_address_that_was_not_escaped_is_no_element() -> None:
    assert text("<p>Nora <nora@example.com> wrote:</p>") == "Nora <nora@example.com> wrote:"


def test_broken_html_is_read_as_far_as_it_goes() -> None:
    assert text("<p>a<div>b</p></b></table>c") == "a\n\nbc"
    assert text("") == ""
    assert text("no element at all") == "no element at all"


ON = "On Mon, Mar 4, 2019 at 10:15 AM Nora Quist &lt;nora@example.com&gt; wrote:"
PROGRAMS = {
    "Gmail": f'<div dir="ltr">Friday.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{ON}<br></div>'
    '<blockquote class="gmail_quote" style="border-left:1px solid #ccc">When?</blockquote></div>',
    "Apple Mail": f'<div>Friday.</div><div><blockquote type="cite"><div>{ON}</div><br><div>When?</div></blockquote></div>',
    "Thunderbird": f'<p>Friday.</p><div class="moz-cite-prefix">{ON}<br></div>'
    '<blockquote type="cite" cite="mid:1@example.com"><p>When?</p></blockquote>',
    "Yahoo": f'<div>Friday.</div><div class="ydp1yahoo_quoted" id="ydp1yahoo_quoted_1"><div><div>{ON}</div>'
    "<div>When?</div></div></div>",
    "ProtonMail": f'<div>Friday.</div><div class="protonmail_quote">{ON}<br>'
    '<blockquote class="protonmail_quote" type="cite">When?</blockquote></div>',
    "Outlook": '<div class="WordSection1"><p class="MsoNormal">Friday.</p>'
    '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">'
    "<b>From:</b> Nora Quist<br><b>Sent:</b> Monday, March 4, 2019 10:15 AM<br><b>To:</b> Ole<br><b>Subject:</b> x</p>"
    '</div></div><p class="MsoNormal">When?</p></div>',
    "Outlook in a language unknown": '<p class="MsoNormal">Friday.</p>'
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>Xyz:</b> Nora<br><b>Zyx:</b> now</p>'
    '</div><p class="MsoNormal">When?</p>',
    "Outlook on the web": '<div>Friday.</div><div id="appendonsend"></div><hr style="width:98%" tabindex="-1">'
    '<div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Nora<br><b>Sent:</b> Monday, March 4, 2019 10:15<br><b>To:</b> Ole'
    "<br><b>Subject:</b> x</div><div>When?</div>",
    "Outlook on a telephone": '<div>Friday.</div><div id="mail-editor-reference-message-container"><b>From: </b>Nora<br>'
    "<b>Date: </b>Monday, 4 March 2019 at 10:15<br><b>To: </b>Ole<br><b>Subject: </b>x<br><br>When?</div>",
    "a bare blockquote": f"<p>Friday.</p>{ON}<blockquote>When?</blockquote>",
    "Lotus Notes": "<font>Friday.</font><br><br><table><tr valign=top><td><font><b>Nora Quist/NORTH</b></font><p>"
    "<font>03/04/2019 10:15 AM</font></td><td><table><tr><td>To</td><td>Ole/NORTH</td></tr><tr><td>cc</td><td></td></tr>"
    "<tr><td>Subject</td><td>Rooms</td></tr></table></td></tr></table><p>When?</p>",
}


@pytest.mark.parametrize("html", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_the_containers_of_each_program_hide_the_quotation(html: str) -> None:
    found = split("", html)
    assert "When?" in found.text
    assert "When?" not in found.new
    assert found.new.startswith("Friday.")
    assert found.of("quoted", "forwarded").endswith("When?")


def test_gmails_forward_ends_with_its_container() -> None:
    html = (
        '<div dir="ltr">See below.<br><br><div class="gmail_quote">---------- Forwarded message ---------<br>'
        "From: <b>Nora</b> &lt;nora@example.com&gt;<br>Date: Mon, Mar 4, 2019 at 10:15 AM<br>Subject: x<br>To: Ole<br>"
        "<br><div>When?</div></div><br>Please answer her.</div>"
    )
    found = split("", html)
    assert found.new == "See below.\n\nPlease answer her."
    assert "When?" in found.of("forwarded")


def test_thunderbirds_forward_is_forwarded() -> None:
    html = (
        '<p>See below.</p><div class="moz-forward-container">-------- Forwarded Message --------<table><tbody>'
        "<tr><th>Subject: </th><td>x</td></tr><tr><th>From: </th><td>Nora</td></tr></tbody></table><p>When?</p></div>"
    )
    assert split("", html).new == "See below."
    assert "When?" in split("", html).of("forwarded")


def test_answers_between_quotations_stay_new() -> None:
    html = (
        f'<div>{ON}<blockquote type="cite">When?</blockquote><div>Friday.</div>'
        '<blockquote type="cite">Where?</blockquote><div>Upstairs.</div></div>'
    )
    assert strip(html, html=True) == "Friday.\n\nUpstairs."


def test_a_named_signature_is_a_signature() -> None:
    html = '<div>Friday.</div><div>-- <br></div><div class="gmail_signature" data-smartmail="gmail_signature">Ole</div>'
    assert strip(html, html=True) == "Friday."
    assert strip(html, html=True, keep_signature=True) == "Friday.\n--\nOle"


def test_text_typed_into_the_signature_is_not_lost() -> None:
    html = '<div class="gmail_signature" data-smartmail="gmail_signature"><div>Friday suits me well.</div></div>'
    assert strip(html, html=True) == "Friday suits me well."


def test_text_typed_into_the_attribution_is_not_lost() -> None:
    html = (
        f'<div class="moz-cite-prefix">{ON}<br><br>'
        + "Friday suits me well.<br>" * 20
        + '</div><blockquote type="cite">When?<br>Where?</blockquote>'
    )
    assert split("", html).new.splitlines() == ["Friday suits me well."] * 20


def test_an_indent_is_no_quotation() -> None:
    html = '<div>Two days:</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px">Monday<br>Friday</blockquote>'
    assert split("", html).new == "Two days:\n\nMonday\nFriday"


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<blockquote>x",
        '<div class="gmail_quote">',
        '<div class="yahoo_quoted">',
        '<div style="border-top:solid 1pt">',
        "<li>x</li>",
        "<a@b.example>",
        "<",
        "<td>x",
    ],
)
def test_work_grows_with_the_length_and_not_with_its_square(piece: str) -> None:
    calls = [_calls(piece * 500), _calls(piece * 2_000)]
    assert calls[1] <= 5 * calls[0] + 2_000


def _calls(html: str) -> int:
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(profile)
    try:
        html_to_text(html)
    finally:
        sys.setprofile(None)
    return count


def test_mail_that_nests_deeper_than_pythons_stack_is_read() -> None:
    assert text("<div>" * 20_000 + "deep") == "deep"
