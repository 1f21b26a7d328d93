"""Mail as it may stand in a prompt: what nobody sees is gone, what forges a prompt's marks is broken, orders are out.

Fences tell a large model what is quoted, a small one obeys all the same. So a sentence that speaks to a program (sets
aside its rules, says what it has to answer, speaks as another turn) does not reach it, and the message says that it
had one. The signs are kinds of speech in several languages, not known attacks: who is addressed, an order about
answering, rules that are set aside, markup of chats. One certain sign is enough, or two weak ones; mail between people
("if anybody asks, I am away") has one at most. It is a filter before the real walls, which do not depend on it: the
model has nothing that changes anything, its queries are bound by grammars, and what it says is checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MARK: Final = "(This message seems to give instructions to a program; they are left out.)"
SEEMS: Final = "seems to give instructions to a program"

# Soft hyphens, zero widths, directions, tags and variation selectors: seen by a model and by nobody else.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    r""
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ue000-\uf8ff]"
    "|[\u200c\u200d](?=[\x00-\x7f]|$)|(?<=[\x00-\x7f])[\u200c\u200d]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
# Control tokens of the families of chat models, and the numbers by which an answer cites.
_TOKENS: Final = re.compile(
    r"<[|｜][^<>\n]{0,40}[|｜]>|</?s>|<(?:start|end)_of_turn>|</?(?:bos|eos|pad|unk|tool_call|tool_response|think)>"
    r"|\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]|<</?SYS>>",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
_FENCE: Final = re.compile(r"<(/?(?:mail|result|quoted)-[\w-]*)>", re.IGNORECASE)

_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|\n|(?<=[。！？])")

_SET_ASIDE: Final = (
    r"ignor\w*|disregard\w*|forget|overrid\w*|overrul\w*|bypass|discard|supersed\w*|replaces?|cancels?|void"
    r"|(?:do not|don't|stop|never) (?:follow|obey|apply)\w*|no longer (?:apply|binding|valid)"
    r"|missacht\w*|vergiss|vergesst|vergessen sie|übergeh\w*|befolg\w* (?:\w+ ){0,3}nicht|oubli\w*|néglig\w*"
    r"|ne (?:suis|suivez|tiens|tenez)|olvid\w*|descart\w*|no (?:sigas|siga)|dimentic\w*|trascur\w*|non seguire"
    r"|esque[çc]\w*|desconsider\w*|negeer\w*|vergeet|zignoruj\w*|zapomnij|игнорир\w*|забудь\w*|忽略|无视|忘记|無視"
)
_RULES: Final = (
    r"instructions?|prompts?|guidelines?|directives?|system (?:message|rules?)|(?:your|the|all|any|previous"
    r"|other) rules?"
    r"|constraints|what you (?:were|have been) told|safeguards?|context above|facts above|anweisung\w*|regeln?|vorgaben"
    r"|instruktion\w*|consignes?|règles?|instruccion\w*|reglas?|indicacion\w*|istruzion\w*|regole|instruç\w*|regras?"
    r"|instructies?|regels?|instrukcj\w*|polece\w*|инструкц\w*|правил\w*|указани\w*|指令|规则|指示|提示|命令"
)
_PROGRAM: Final = (
    r"\bA\.?I\.?\b|\bLLMs?\b|\bGPT\b|chat ?gpt|\bcopilot\b|language models?|chat ?bots?|(?:ai|digital|virtual|mail"
    r"|e-?mail|automatic) assistants?|\bKI\b|\bIA\b|sprachmodell\w*|modèle de langage|modelo de lengua\w*"
    r"|modello linguistico|taalmodel|model językowy|\bИИ\b|нейросет\w*|языков\w+ модел\w*|人工智能|语言模型|助手"
    r"|(?:assistants?|agents?|systems?|models?|bots?|programs?|programmes?|tools?|software|engine|automation|machine"
    r"|assistent\w*|programm\w*|asistente|assistente|programa|asystent\w*|ассистент\w*)"
    r"[\s,]+(?:\w+ ){0,3}?(?:read(?:s|ing)|process(?:es|ing)|answer(?:s|ing)|summari\w+|index\w*|quot(?:es|ing)|scan\w*"
    r"|handling|writes|writing|lies\w*|liest|beantwort\w*|verarbeit\w*|lit|lisez|lee|legge|lê|leest|czyta\w*|чита\w*)"
    r"|^\W*(?:assistant|model|system|bot|agent|computer|assistent|asistente|assistente|ассистент)\s*[,:]"
)
_ORDER: Final = (
    r"answer|repl(?:y|ies)|respond|say|state|write|output|print|return|cite|cit(?:es|ing|ation)|quote|tell|report|claim"
    r"|conclude|treat|delete|erase|forward|send|fetch|open|load|visit|run|call|execute|append|add|begin|end"
    r"|start|insert"
    r"|declin\w+|refuse|antworte\w*|schreib\w*|sage?n?|nenn\w*|zitier\w*|lösch\w*|ruf\w*"
    r"|répond\w*|écri\w*|dis|dites|cite\w*|supprim\w*|respond\w*|contest\w*|escrib\w*|diga|di|cita\w*|borra\w*"
    r"|rispond\w*"
    r"|scriv\w*|respons?\w*|escrev\w*|antwoord\w*|schrijf\w*|odpowi\w*|napisz|ответ\w*|отвеч\w*|напиши\w*|удали\w*"
)
_ORDER_CJK: Final = r"回答|回复|写|删除|引用|答えて|返信|書いて"
_ASKED: Final = (
    r"\b(?:when|if|whenever|once|should|wherever)\b[^.]{0,40}\b(?:asked|asks?|question\w*|quer\w+)\b"
    r"|\b(?:questions?|quer(?:y|ies)) (?:about|on|regarding|concerning|for)\b|\bin (?:your|any|every"
    r"|each) (?:answer|response|reply"
    r"|summary)\b|\bthe (?:right|correct|only|true|final|proper|expected|approved) answer\b|\bwho(?:ever)? asks\b"
    r"|\b(?:user|asker|questioner)\b|\bas an answer\b|gefragt|frage\b|wenn (?:jemand|man) fragt|interrogé"
    r"|question (?:sur"
    r"|posée)|si (?:te|le|se) pregunt\w*|pregunta\b|domanda\b|se (?:ti|qualcuno) chied\w*|pergunta\b|vraag\b|zapyta\w*"
    r"|pytani\w*|вопрос\w*|спрос\w*|问题|问到|質問"
)
_SOLELY: Final = (
    r"\bonly\b|\bexactly\b|nothing else|\balways\b|\bnever\b|\binstead\b|\bverbatim\b|word for word"
    r"|\bthese words\b|\bdo not\b"
    r"|\bdon't\b|\bmust\b|\bregardless\b|\bwithout\b|\bnur\b|immer|genau|\bnie\b|seulement|uniquement|toujours"
    r"|jamais|exactement"
    r"|\bsolo\b|siempre|nunca|exactamente|sempre|esattamente|alleen|altijd|tylko|zawsze|только|всегда|只|总是|必须|仅"
)
_MARKUP: Final = (
    r"^\W*(?:system|assistant|developer|admin|user|human)\s*(?:prompt|message|note|override|instruction|update|notice"
    r"|directive|command|turn|role)s?\s*(?:[:>\]=-]|$)|^\W*(?:system|assistant|developer)\s*[:>\]]+\s*(?-i:[a-z])"
    r"|^\W*(?:system|assistant|developer)\s*[:>\]]+\s*(?:you|from now|ignore|new|always|never|only|answer|the)\b"
    r"|^\W*#{2,}\s*(?:system|instructions?|response|assistant|user|task|context|rules|human|input|output)\b"
    r"|<\s*/?\s*(?:system|assistant|user|instructions?|prompt|developer|context|tool\w*|rules)\b[^<>]*>"
    r"|[\"']?role[\"']?\s*[:=]\s*[\"']?(?:system|assistant|user|tool)|\b(?:begin|end"
    r"|start) of (?:the )?(?:context|messages"
    r"|mail(?:box)?|quoted|untrusted|system|prompt|instructions?|document|retriev\w+|e-?mails?|fence)\b"
    r"|^\W*(?:facts? \(|question \(asked[^)]*\):|p0 is\b)|\b(?:counted|computed) in (?:the|a) database\b"
    r"|not in the retrieved|retrieved messages|!\[[^\]\n]*\]\(|\bcit(?:e|ing)\b[^.]{0,30}(?:message|mail|source"
    r"|number|\[|\()"
    r"|\b(?:DROP|TRUNCATE|ALTER) (?:TABLE|DATABASE|SCHEMA|GRAPH)\b|\bDELETE FROM\b|\bDETACH DELETE\b"
    r"|\b(?:call|invoke|use|run|execute) (?:the |your |a )?(?:tool|function|plug-?in|shell|cypher|sql)\b"
)


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_ASIDE_RULES: Final = re.compile(
    rf"(?<!\w)(?:{_SET_ASIDE})(?:[^.!?\n]{{0,80}}?)(?:{_RULES})"
    r"|(?<!\w)(?:{_RULES})[^.!?\n]{{0,40}}?(?:{_SET_ASIDE})(?!\w)",
    re.IGNORECASE,
)
_MARKUPS, _PROGRAMS, _ASKEDS, _SOLELYS = _any(_MARKUP), _any(_PROGRAM), _any(_ASKED), _any(_SOLELY)
_ORDERS: Final = re.compile(rf"(?<!\w)(?:{_ORDER})(?!\w)|{_ORDER_CJK}", re.IGNORECASE)
_DUTIES: Final = re.compile(
    r"\b(?:must|should|shall|ha(?:ve|s) to|(?:are|is) to|please|muss|müssen|soll\w*|bitte|dois|doit|devez"
    r"|debes?|devi|deve"
    r"|moet|musisz|должн\w*)\b|必须|请",
    re.IGNORECASE,
)
CERTAIN, ENOUGH = 2, 2


@dataclass(frozen=True)
class Quoted:
    """``text`` as it may stand in a prompt; ``instructs``: sentences were left out since they speak to a program."""

    text: str
    instructs: bool


def quoted(text: str) -> Quoted:
    """``text`` of a stranger for a prompt. Its length may change; its lines stay."""
    seen = visible(text)
    forged = bool(_TOKENS.search(seen) or _FENCE.search(seen))
    weights = [(piece, _weight(piece)) for piece in _pieces(seen)]
    instructs = forged or sum(weight for _, weight in weights) >= ENOUGH
    if instructs:
        seen = "".join(piece for piece, weight in weights if not weight)
    seen = _FENCE.sub(r"(\1)", _TOKENS.sub(lambda found: " ".join(re.findall(r"\w+", found.group())), seen))
    return Quoted(_NUMBER.sub(r"(\1)", seen), instructs)


def instructs(text: str) -> bool:
    """Whether a text speaks to a program rather than to a person."""
    return quoted(text).instructs


def visible(text: str) -> str:
    """``text`` without characters that are not seen (those that join letters of other scripts stay)."""
    return _UNSEEN.sub("", text)


def _pieces(text: str) -> list[str]:
    """Sentences and lines, each with what parts it from the next one."""
    pieces, start = [], 0
    for found in _SENTENCE.finditer(text):
        pieces.append(text[start : found.end()])
        start = found.end()
    return [piece for piece in [*pieces, text[start:]] if piece]


def _weight(sentence: str) -> int:
    """How much a sentence speaks to a program: 0, 1 (it may), CERTAIN."""
    if _MARKUPS.search(sentence) or _ASIDE_RULES.search(sentence):
        return CERTAIN
    ordered = _ORDERS.search(sentence) is not None
    if (ordered or _DUTIES.search(sentence)) and _PROGRAMS.search(sentence):
        return CERTAIN
    if ordered and _ASKEDS.search(sentence):
        return CERTAIN if _SOLELYS.search(sentence) else 1
    return 0
