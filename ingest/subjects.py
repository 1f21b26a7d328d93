"""What a conversation is called: a subject without the marks that programs put before it.

Programs mark answers and forwards in their user's language ("AW:", "SV:", "回复："), number them ("Re[2]:"), and lists
add their name in brackets. ``subject_base`` takes all of that off, so that one conversation has one name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Abbreviations and words by which mail programs mark an answer, in English, German, Dutch, Swedish, Norwegian, Danish,
# Icelandic, Finnish, Estonian, Latvian, Lithuanian, French, Italian, Spanish, Portuguese, Romanian, Polish, Czech,
# Slovak, Slovene, Croatian, Hungarian, Greek, Turkish, Russian, Ukrainian, Bulgarian, Hebrew, Arabic, Persian,
# Indonesian, Vietnamese, Welsh, Basque, Chinese, Japanese and Korean.
_REPLY = (
    "re réf ref rép rif aw antw antwort sv svar vs vá válasz vast vastaus ats atb atbilde ynt yanıt "
    "res resp resposta respuesta r bls odp odpověď odpoveď odg odgovor răsp от отв отг ответ відп на "
    "απ απάντηση σχετ תשובה השב رد پاسخ balas tl trả lời eran erantzun 回复 回覆 答复 答覆 返信 回信 답장 회신"
)
_FORWARD = (
    "fw fwd wg weitergeleitet wtr doorst doorgest vb vl vidarebefordrat videresendt fs tr trans i "
    "inoltro inoltra rv reenv reenviado reenvío enc encaminhado pd przek prosl proslijeđeno posred "
    "továbbítás továbbítva tov πρθ προώθ i̇lt ilt ilet пер пересл переслано переадр препр trs terusan "
    "yml bidali birb הועבר העברה إعادة توجيه توجيه 转发 轉寄 轉發 転送 전달"
)
# marks of more than one word, which the lists above cannot hold
_REPLY_WORDS = ("trả lời", "re ")
_FORWARD_WORDS = ("إعادة توجيه", "chuyển tiếp", "fwd ")


def _alternatives(words: str, more: tuple[str, ...]) -> str:
    found = sorted({*words.split(), *(word.strip() for word in more)} - {"lời", "trả"}, key=len, reverse=True)
    return "|".join(re.escape(word) for word in found)


_NUMBER = r"(?:\s*[\[(^]?\d{1,3}[\])]?|\*\d{1,3})?"
_MARK = re.compile(
    rf"\s*(?:(?P<reply>{_alternatives(_REPLY, _REPLY_WORDS)})|(?P<forward>{_alternatives(_FORWARD, _FORWARD_WORDS)}))"
    rf"{_NUMBER}\s*[:：](?!//)\s*",
    re.IGNORECASE,
)
_TAG = re.compile(r"\s*\[(?P<tag>[^\[\]]{1,60})\]\s*(?=\S)")
_BRACKETED = re.compile(r"\s*\[\s*fwd?\s*:\s*(.*?)\s*\]?\s*\Z", re.IGNORECASE | re.S)
_FWD_BEHIND = re.compile(r"\s*\((?:fwd|fw)\)\s*\Z", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


class Subject(NamedTuple):
    """``base`` is case-folded, white space single, without marks and list tags."""

    base: str
    is_reply: bool
    is_forward: bool


def read_subject(text: str) -> Subject:
    """Takes a subject apart. The outermost reply or forward mark tells what the message itself is: "RE: FW: x" is a
    reply, "FW: RE: x" a forward."""
    kind = ""
    rest = text
    while True:
        mark = _MARK.match(rest)
        if mark:
            kind = kind or str(mark.lastgroup)
            rest = rest[mark.end() :]
            continue
        bracketed = _BRACKETED.match(rest)
        if bracketed:
            kind, rest = kind or "forward", bracketed[1]
            continue
        behind = _FWD_BEHIND.search(rest)
        if behind and behind.start() > 0:
            kind, rest = kind or "forward", rest[: behind.start()]
            continue
        tag = _TAG.match(rest)
        if not tag:
            break
        rest = rest[tag.end() :]
    base = _SPACE.sub(" ", rest).strip().casefold()
    return Subject(base, kind == "reply", kind == "forward")


def subject_base(text: str) -> str:
    """What conversations are compared by: "Re: [ops] Fwd:  Budget" and "budget" are the same."""
    return read_subject(text).base
