"""Subjects without the marks of mail programs in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.subjects import read_subject, subject_base

REPLIES = (
    "Re: RE: re : Re[2]: Re(3): RE^4: Re*5: AW: Antw: Antwort: SV: Svar: VS: Vá: Odp: Odpověď: R: RIF: RES: Résp: YNT: ΑΠ: "
    "Ответ: Отв: НА: تحديث رد: השב: تشابه 回复： 回覆: 答复: 返信: 답장: Ats: Atb: Bls: TL: Trả lời:"
)


@pytest.mark.parametrize(
    "mark",
    [
        "Re:", "RE:", "re :", "Re[2]:", "Re(3):", "RE^4:", "Re*5:", "Re2:", "AW:", "Aw:", "Antw:", "Antwort:", "SV:", "Svar:", "VS:",
        "Vá:", "Válasz:", "Odp:", "Odpověď:", "R:", "Rif:", "RES:", "RÉF:", "YNT:", "ΑΠ:", "Απ:", "Ответ:", "Отв:", "НА:", "رد:", "השב:",
        "回复：", "回复:", "回覆:", "答复:", "返信:", "답장:", "회신:", "Ats:", "Atb:", "Bls:", "TL:", "Trả lời:", "Odg:", "Vast:",
    ],
)  # fmt: skip
def test_reply_marks(mark: str) -> None:
    assert read_subject(f"{mark} Pier 9") == ("pier 9", True, False)
    assert read_subject(f"{mark}Pier 9") == ("pier 9", True, False)


@pytest.mark.parametrize(
    "mark",
    [
        "Fw:", "FW:", "Fwd:", "WG:", "TR:", "RV:", "I:", "ENC:", "VB:", "VL:", "Doorst:", "PD:", "Továbbítás:", "ΠΡΘ:", "İLT:", "Пер:", "Fs:",
        "הועבר:", "إعادة توجيه:", "转发：", "轉寄:", "転送:", "전달:", "Trs:", "Prosl:", "Chuyển tiếp:",
    ],
)  # fmt: skip
def test_forward_marks(mark: str) -> None:
    assert read_subject(f"{mark} Pier 9") == ("pier 9", False, True)


@pytest.mark.parametrize(
    ("subject", "base", "is_reply", "is_forward"),
    [
        ("RE: FW: Pier 9", "pier 9", True, False),
        ("FW: RE: Pier 9", "pier 9", False, True),
        ("Re: [ops] Re: Pier 9", "pier 9", True, False),
        ("[ops] AW: [ops]  Pier\t9 ", "pier 9", True, False),
        ("[Fwd: Pier 9]", "pier 9", False, True),
        ("[Fwd: Re: Pier 9]", "pier 9", False, True),
        ("Pier 9 (fwd)", "pier 9", False, True),
        ("[ops]", "[ops]", False, False),
        ("[EXTERNAL] Pier 9", "pier 9", False, False),
        ("Re:", "", True, False),
        ("", "", False, False),
        ("Pier 9", "pier 9", False, False),
        ("Straße", "strasse", False, False),
        ("Report: Pier 9", "report: pier 9", False, False),
        ("Research: Pier 9", "research: pier 9", False, False),
        ("Pier 9: Re: crane", "pier 9: re: crane", False, False),
        ("R2-D2: again", "r2-d2: again", False, False),
        ("Na und?", "na und?", False, False),
        ("Re Pier 9", "re pier 9", False, False),
        ("tr://address", "tr://address", False, False),
        ("Re: 10:30 tomorrow", "10:30 tomorrow", True, False),
    ],
)
def test_subjects(subject: str, base: str, is_reply: bool, is_forward: bool) -> None:
    assert read_subject(subject) == (base, is_reply, is_forward)


@given(st.text(max_size=80))
def test_a_base_has_no_more_to_take_off(subject: str) -> None:
    base = subject_base(subject)
    assert subject_base(f"Re: {subject}") == base
    assert subject_base(base) == base
