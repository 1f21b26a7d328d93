"""What stands after the last word of a piece of the author's own text: signature, disclaimer, list footer.

Given the lines of one piece (between quotations, or the whole message), ``endings`` says from which line on they are
not text any more, and of what kind; ``list_footer`` finds what a mailing list adds under the whole message. Both look
from the end, where these things stand, and no further than a page.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from ingest.quoting.lines import Lines

Ending = Literal["signature", "disclaimer", "quoted", "attribution"]

_RULE: Final = re.compile(r"[-_=*~#+—–·•.\s]{2,}$|[ᐧ—–_]$")
_DELIMITER: Final = re.compile(r"(?:--|––|—-)$")
_RULED_SIGNATURE: Final = re.compile(r"(?:_{2,}|-{4,}|—{2,}|={8,})$")
_LONGEST_SIGNATURE: Final = 40  # lines
_LINE_OF_SIGNATURE: Final = 90  # characters
_PAGE: Final = 80  # lines
_FOOTER_REACH: Final = 40  # lines from the end
_LONGEST_FOOTER: Final = 1200  # characters

# "-Ann", "/Ann Lee": a name after one stroke, alone in the last paragraph.
_STRUCK_NAME: Final = re.compile(r"[-–/~][^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}$")

_CLOSINGS: Final = frozenset(
    (
        "regards|best regards|kind regards|warm regards|kindest regards|warmest regards|with regards|with kind regards"
        "|with best regards|best wishes|sincerely|yours sincerely|sincerely yours|yours truly|yours faithfully|yours"
        "|respectfully|cordially|many regards|rgds|kr|br|best"
        "|mit freundlichen grüßen|mit freundlichen gruessen|mit freundlichem gruß|freundliche grüße|viele grüße"
        "|beste grüße"
        "|liebe grüße|schöne grüße|herzliche grüße|mfg|lg|vg|grüße|gruß|mit besten grüßen|hochachtungsvoll"
        "|cordialement|bien cordialement|très cordialement|salutations|meilleures salutations|sincères salutations"
        "|bien à vous|cdlt|sincèrement|amicalement"
        "|saludos|un saludo|saludos cordiales|atentamente|cordialmente|un cordial saludo|salu2"
        "|cordiali saluti|distinti saluti|saluti|un saluto|cordialità"
        "|atenciosamente|cumprimentos|melhores cumprimentos|com os melhores cumprimentos|att"
        "|met vriendelijke groet|met vriendelijke groeten|vriendelijke groeten|groeten|groet|mvg|hartelijke groet"
        "|med venlig hilsen|venlig hilsen|hilsen|mange hilsner|de bedste hilsner|bedste hilsner|kh|vh|mvh"
        "|med vennlig hilsen|vennlig hilsen|med vänlig hälsning|med vänliga hälsningar|vänliga hälsningar"
        "|vänligen|hälsningar|hälsning"
        "|ystävällisin terveisin|terveisin|parhain terveisin|t."
        "|pozdrawiam|z poważaniem|z powazaniem|z wyrazami szacunku|pozdrowienia|serdecznie pozdrawiam|pozdr"
        "|s pozdravem|s přátelským pozdravem|pozdrav|s pozdravom|hezký den"
        "|üdvözlettel|tisztelettel|üdv"
        "|cu stimă|cu respect|toate cele bune|numai bine"
        "|с уважением|с наилучшими пожеланиями|з повагою|поздрави|с уважение"
        "|srdačan pozdrav|lijep pozdrav|lep pozdrav|lp"
        "|με εκτίμηση|φιλικά|με φιλικούς χαιρετισμούς"
        "|saygılarımla|iyi çalışmalar|sevgiler|saygılar"
        "|lugupidamisega|ar cieņu|pagarbiai|atentament|salutacions"
        "|בברכה|تحياتي|مع أطيب التحيات|با احترام|trân trọng|hormat saya|salam|此致|敬具|よろしくお願いします|감사합니다"
    ).split("|")
)

_DEVICE: Final = re.compile(
    r"[-–(<*\[\s]*(?:"
    r"[Ss]ent (?:from|via|with|using|by|on) (?:\[[^\]]{1,40}\]|[^,.;!?\[\]]{1,60})"
    r"|Get (?:\[?Outlook|\[?BlueMail)[^.,;!?]{0,60}"
    r"|(?:[Gg]esendet (?:von|mit|über|via)|Von meinem) [^.,;!?]{1,60}|Diese Nachricht wurde von [^.;!?]{1,60}"
    r"|Envoyé (?:de|depuis|à partir|par|avec|via)[^.;!?]{1,60}|Télécharge[rz] Outlook[^.;!?]{1,60}"
    r"|Enviado (?:desde|de|do|a partir|com|con|por|pelo|via)[^.;!?]{1,60}|Obtener Outlook[^.;!?]{1,40}"
    r"|Inviato (?:da|dal|con|tramite)[^.;!?]{1,60}|Scarica Outlook[^.;!?]{1,40}"
    r"|(?:Verzonden|Verstuurd) (?:vanaf|met|via|van|vanuit)[^.;!?]{1,60}|Download Outlook[^.;!?]{1,40}"
    r"|Sendt? (?:fra|via|med)[^.;!?]{1,60}|Skickat från[^.;!?]{1,60}"
    r"|(?:Hent|Hämta) Outlook[^.;!?]{1,40}"
    r"|Lähetetty [^.;!?]{1,60}|Wysłan[eoy] (?:z|przy)[^.;!?]{1,60}|Odeslán?o (?:z|ze)[^.;!?]{1,60}"
    r"|Odoslané (?:z|zo)[^.;!?]{1,60}|Elküldve [^.;!?]{1,60}|Trimis (?:de pe|din)[^.;!?]{1,60}"
    r"|Отправлено (?:с|из|через)[^.;!?]{1,60}|Надіслано (?:з|із)[^.;!?]{1,60}|Изпратено от[^.;!?]{1,60}"
    r"|Poslano (?:z|s|sa|iz)[^.;!?]{1,60}|Στάλθηκε από[^.;!?]{1,60}|נשלח מ[^.;!?]{1,60}|أُ?رسلت من[^.;!?]{1,60}"
    r"|[^.;!?]{1,60}(?:umdan|ümden|ımdan|imden|dan|den) gönderildi|Dikirim dari[^.;!?]{1,60}|Được gửi từ[^.;!?]{1,60}"
    r"|(?:发自|發自|来自我的|來自我的|從我的|从我的)\s?[^。.;!?]{1,40}|[^。.;!?]{1,40}(?:から送信|에서 보냄)"
    r")(?:<?(?:https?://|mailto:)\S{1,200}|\([^)\s]{1,200}\)|<[^>\s]{1,200}>)?[^.;!?]{0,40}?[)>*\]\s.]*"
    r"(?:[,.;:]\s*(?:please|excuse|sorry|pardon|forgive|apolog|typos|so ).*)?$"
)
# Verbs that make "Sent from my desk, is much easier" a sentence.
_SENTENCE: Final = re.compile(r"\b(?:is|are|was|were|has|have|will|to all|because)\b")

_LIST_WORDS: Final = tuple(
    (
        "/listinfo|mailing list|mailinglist|mailing-list|mailingliste|lista de correo|liste de diffusion"
        "|unsubscribe|abmelden|désabonner|désinscrire|desuscribir|cancellarti|uitschrijven|afmelden|отписаться"
        "|google groups|groups.google|yahoogroups|groups.io|listserv|to post to this|manage your subscription"
        "|list archive|-request@|@list.|@lists.|@lijsten.|postorius|you are receiving this|view it on github"
    ).split("|")
)
_STEMS: Final = re.compile(
    r"(confiden|vertraulich|riservat|vertrouwelijk|poufn|důvěrn|luottamuks|конфиденц|fortrolig|konfident)"
    r"|(intended|destina|bestimmt|bestemd|přeznačen|przeznaczon|предназнач|avsedd|beregnet)"
    r"|(recipient|empfänger|destinatai?r|ontvanger|odbiorc|adresat|получател|mottagar|modtager|geadresseerde)"
    r"|(privileg)|(disclos|divulg|offenleg|openbaar|diffusion)"
    r"|(unauthori[sz]|unbefugt|non autoris|prohibit|verboten|strictly)"
    r"|(in error|received this|irrtümlich|par erreur|per errore|por error|por engano|omyłk|ошибк|av misstag|ved en fejl"
    r"|by mistake)"
    r"|(notify|inform the sender|informieren|avertir|notificar|avvisare|verwittig|reply e-?mail|restituir)"
    r"|(delete|destroy|löschen|détruire|supprimer|eliminar|cancellar|verwijder|usunąć|удалить|slett|radera|destru)"
    r"|(virus)|(liab|haftung|responsab|aansprakelijk)|(e-?mail|message|nachricht|messag|mensaje|bericht|wiadomoś|сообщени)"
    r"|(attachment|anhang|pièces jointes|allegat|adjunt|bijlage|załącznik)|(property of|affiliate)",
    re.IGNORECASE,
)
_LEGAL_WORDS: Final = tuple(
    (
        "confiden|intended|privileg|disclaim|vertraulich|riservat|destina|vertrouwelijk|poufn|конфиденц|fortrolig"
        "|unauthori|haftung|důvěrn|property of"
    ).split("|")
)
_HEADING: Final = re.compile(r"notice|disclaimer|confidential|^\W*(?:note|important|legal)\W*$", re.IGNORECASE)
_ENOUGH_STEMS: Final = 4


def endings(lines: Lines, start: int, stop: int, *, quote_follows: bool) -> list[tuple[int, int, Ending]]:
    """What of lines ``start`` to ``stop``, a piece of the author's own, is no text: [(first line, line after, kind)].

    A rule at the end belongs to the quotation if ``quote_follows``. Text under the line that a telephone adds, with
    words above it, is quoted: some of these programs put nothing else before the mail they quote. Where the quotation
    comes announced, the author wrote on under that line.
    """
    found: list[tuple[int, int, Ending]] = []
    stop = _last_word(lines, start, stop)
    # Program text between fences is looked into for nothing.
    start = next((i + 1 for i in range(stop - 1, start - 1, -1) if lines.body[i].startswith("```")), start)
    legal = _disclaimer(lines, start, stop)
    if legal < stop:
        found.append((legal, stop, "disclaimer"))
        stop = _last_word(lines, start, legal)
    delimiter = _delimited(lines, start, stop)
    if delimiter < stop:
        found.append((delimiter, stop, "signature"))
        stop = _last_word(lines, start, delimiter)
    devices = [i for i in range(start, stop) if lines.body[i] and is_device_line(lines.body[i])]
    if devices:
        found += [(device, device + 1, "signature") for device in devices]
        after = devices[0] + 1
        if _last_word(lines, after, stop) > after and not quote_follows and any(lines.body[start : devices[0]]):
            found.append((after, stop, "quoted"))
        elif quote_follows and (ruled := _without_rules(lines, after, stop)) < stop:
            found.append((ruled, stop, "attribution"))
        stop = _last_word(lines, start, devices[0])
    closing = _closing(lines, start, stop)
    if closing < stop:
        found.append((closing, stop, "signature"))
        stop = _last_word(lines, start, closing)
    end = _without_rules(lines, start, stop)
    if end < stop:
        found.append((end, stop, "attribution" if quote_follows and not found else "signature"))
    return found


def is_device_line(body: str) -> bool:
    """ "Sent from my telephone" and its like in any language: the line a program adds, not a sentence."""
    return len(body) < 400 and _DEVICE.match(body) is not None and not _SENTENCE.search(body.split("<")[0])


def list_footer(lines: Lines, start: int, stop: int) -> int:
    """The line at which a mailing list's footer begins, or ``stop``: a rule, then a few lines that speak of a list.

    Of several rules the last one with such lines under it counts, and those above it as long as only such pieces stand
    between: a signature above the footer is none of it.
    """
    footer = below = stop
    speaks = False
    if not _mentions(
        "\n".join(line[:400] for line in lines.body[max(start, stop - _FOOTER_REACH) : stop]), _LIST_WORDS
    ):
        return stop
    for i in range(stop - 1, max(start, stop - _FOOTER_REACH) - 1, -1):
        body = lines.body[i]
        if lines.depth[i]:
            break
        if body and _mentions(body[:400], _LIST_WORDS):
            speaks = True
        elif body and _RULE.match(body):
            if not speaks and below < stop:
                break
            if speaks and lines.end[footer - 1] - lines.start[i] <= _LONGEST_FOOTER:
                footer = i
            below, speaks = i, False
    return footer


def _mentions(text: str, words: tuple[str, ...]) -> bool:
    lower = text.casefold()
    return any(word in lower for word in words)


def _last_word(lines: Lines, start: int, stop: int) -> int:
    while stop > start and not lines.body[stop - 1]:
        stop -= 1
    return stop


def _without_rules(lines: Lines, start: int, stop: int) -> int:
    """``stop`` without the rules and blank lines before it."""
    while stop > start and (not lines.body[stop - 1] or _RULE.match(lines.body[stop - 1])):
        stop -= 1
    return stop


def _disclaimer(lines: Lines, start: int, stop: int) -> int:
    """The first line of a legal notice that goes to the end, or ``stop``."""
    first = max(start, stop - _PAGE)
    if not _mentions("\n".join(line[:2000] for line in lines.body[first:stop]), _LEGAL_WORDS):
        return stop
    speaking = [i for i in range(first, stop) if lines.body[i] and _mentions(lines.body[i][:2000], _LEGAL_WORDS)]
    end = first
    for hit in speaking:
        if hit < end:
            continue
        begin = end = hit
        while begin > first and lines.body[begin - 1] and not _RULE.match(lines.body[begin - 1]):
            begin -= 1
        while end < stop and lines.body[end]:
            end += 1
        paragraph = " ".join(lines.body[begin:end])[:6000]
        stems = {found.lastindex for found in _STEMS.finditer(paragraph)}
        if len(stems) >= _ENOUGH_STEMS and len(paragraph) > 120:
            return _with_rule_above(lines, start, begin)
    return stop


def _with_rule_above(lines: Lines, start: int, begin: int) -> int:
    """Take in the rule or the heading ("CONFIDENTIALITY NOTICE") right above."""
    above = begin
    while above > start and not lines.body[above - 1] and begin - above < 2:
        above -= 1
    body = lines.body[above - 1] if above > start else ""
    if body and (_RULE.match(body) or (len(body) < 40 and _HEADING.search(body))):
        return above - 1
    return begin


def _delimited(lines: Lines, start: int, stop: int) -> int:
    """The line with the signature's delimiter ("-- "), or ``stop``."""
    for i in range(max(start, stop - _LONGEST_SIGNATURE), stop):
        body = lines.body[i]
        if _DELIMITER.match(body):
            return i
        if _RULED_SIGNATURE.match(body) and 0 < stop - i - 1 <= 8:
            below = lines.body[i + 1 : stop]
            if all(0 < len(line) <= _LINE_OF_SIGNATURE for line in below) and not _is_table(below):
                return i
    return stop


def _is_table(below: list[str]) -> bool:
    return len(below) > 1 and all(re.search(r"\S(?: {2,}|\t)\S|\d$", line) for line in below)


def _closing(lines: Lines, start: int, stop: int) -> int:
    """A closing formula with a name right under it (or name and position a line below), or a struck name."""
    body = lines.body[stop - 1] if stop > start else ""
    if stop - start > 1 and not lines.body[stop - 2] and _STRUCK_NAME.match(body) and len(body) < 40:
        return stop - 1
    for i in range(stop - 2, max(start, stop - 12), -1):
        if lines.body[i].rstrip(",.! ").casefold().replace("ss", "ß") not in _SHARP and (
            lines.body[i].rstrip(",.! ").casefold() not in _CLOSINGS
        ):
            continue
        below = [line for line in lines.body[i + 1 : stop] if line]
        together = bool(lines.body[i + 1])
        if (together or len(below) > 1) and all(len(line) <= _LINE_OF_SIGNATURE for line in below):
            return i
    return stop


_SHARP: Final = frozenset(word for word in _CLOSINGS if "ß" in word)
