"""The words by which a text speaks to a program: whom it addresses, what it orders, which rules it sets aside, and the
markup of chats and prompts that it forges. English, with the words for the same in nine other languages."""

from __future__ import annotations

import re
from typing import Final


def _words(*parts: str) -> re.Pattern[str]:
    """Any of the words of ``parts``, whole."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_SET_ASIDE: Final = "|".join((
    r"ignor\w*|disregard\w*|forget|overrid\w*|overrul\w*|bypass|discard|supersed\w*|replaces?|cancels?|void",
    r"(?:do not|don't|stop|never) (?:follow|obey|apply)\w*|no longer (?:apply|binding|valid)",
    r"missacht\w*|vergiss|vergesst|vergessen sie|übergeh\w*|befolg\w* (?:\w+ ){0,3}nicht",
    r"oubli\w*|néglig\w*|ne (?:suis|suivez|tiens|tenez)|olvid\w*|descart\w*|no (?:sigas|siga)",
    r"dimentic\w*|trascur\w*|non seguire|esque[çc]\w*|desconsider\w*|negeer\w*|vergeet",
    r"zignoruj\w*|zapomnij|игнорир\w*|забудь\w*",
))  # fmt: skip
_RULES: Final = "|".join((
    r"instructions?|prompts?|guidelines?|directives?|system (?:message|rules?)|safeguards?|constraints",
    r"(?:your|the|all|any|previous|other) rules?|what you (?:were|have been) told|(?:context|facts|text) above",
    r"anweisung\w*|regeln?|vorgaben|instruktion\w*|consignes?|règles?|instruccion\w*|reglas?|indicacion\w*",
    r"istruzion\w*|regole|instruç\w*|regras?|instructies?|regels?|instrukcj\w*|polece\w*|инструкц\w*|правил\w*",
    r"указани\w*",
))  # fmt: skip
_NOUN: Final = (
    r"(?:assistants?|agents?|systems?|models?|bots?|programs?|programmes?|tools?|software|engines?|automations?|machines?"
    r"|assistent\w*|programm\w*|asistente|assistente|programa|asystent\w*|ассистент\w*)"
)
_DOES: Final = (
    r"(?:read(?:s|ing)|process(?:es|ing)|answer(?:s|ing)|summari\w+|index\w*|quot(?:es|ing)|scan\w*|handling|writ(?:es|ing)"
    r"|lies\w*|liest|beantwort\w*|verarbeit\w*|lit|lisez|lee|legge|lê|leest|czyta\w*|чита\w*)"
)

ASIDE: Final = _any(
    rf"(?<!\w)(?:{_SET_ASIDE})[^.!?\n]{{0,80}}?(?:{_RULES})",
    rf"(?<!\w)(?:{_RULES})[^.!?\n]{{0,40}}?(?<!\w)(?:{_SET_ASIDE})(?!\w)",
    r"(?:忽略|无视|忘记|無視|不要遵守|不再遵守)[^。！？\n]{0,30}(?:指令|规则|规定|指示|提示|命令)",
)
ADDRESSED: Final = _any(
    r"\bA\.?I\.?\b|\bLLMs?\b|\bGPT\b|chat ?gpt|\bcopilot\b|language models?|chat ?bots?",
    r"(?:ai|digital|virtual|mail|e-?mail|automatic) assistants?|\b(?:office|mail|mailbox) software\b",
    r"\bKI\b|\bIA\b|sprachmodell\w*|modèle de langage|modelo de lengua\w*|modello linguistico|taalmodel",
    r"model językowy|\bИИ\b|нейросет\w*|языков\w+ модел\w*|人工智能|语言模型|助手",
    rf"\b{_NOUN}[\s,]+(?:\w+ ){{0,3}}?{_DOES}",
    rf"\b(?:who(?:ever)?|what(?:ever)?|anything|everything) (?:that )?{_DOES}",
    r"\b(?:summari[sz]ers?|indexers?|automat\w+ readers?)\b",
    rf"(?:^|[\[({{>*|-])\W*{_NOUN}\s*[,:]\s*(?-i:[a-z])",
)
TURN: Final = _any(
    r"<[|｜][^<>\n]{0,40}[|｜]>|<(?:start|end)_of_turn>|</?(?:bos|eos|pad|unk|tool_\w{1,20}|think|function_\w{1,20})>",
    r"\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]|<</?SYS>>|</?(?:mail|result|quoted)-[\w-]*>",
)
MARKUP: Final = _any(
    r"^\W*(?:system|assistant|developer|admin|user|human)\s*(?:prompt|message|note|override|instruction|update|notice"
    r"|directive|command|turn|role)s?\s*(?:[:>\]=-]|$)",
    r"^\W*(?:system|assistant|developer)\s*[:>\]]+\s*(?:(?-i:[a-z])|you\b|from now|ignore|new|always"
    r"|never|only|answer|the)",
    r"^\W*#{2,}\s*(?:system|instructions?|response|assistant|user|task|context|rules|human|input|output)\b",
    r"<\s*/?\s*(?:system|assistant|user|instructions?|prompt|developer|context|tool\w*|rules)\b[^<>]*>",
    r"[\"']?role[\"']?\s*[:=]\s*[\"']?(?:system|assistant|user|tool)\b",
    r"\b(?:begin|end|start) of (?:the )?(?:context|messages|mail(?:box)?|quoted|untrusted|system|prompt|instructions?"
    r"|document|retriev\w+|e-?mails?|fence)\b",
    r"^\W*(?:facts? \(|question \(asked[^)]*\):|p0 is\b)|\b(?:counted|computed) in (?:the|a) database\b",
    r"not in the retrieved|retrieved messages|!\[[^\]\n]*\]\(|\bcit(?:ed?|ing)\b[^.]{0,30}(?:message|mail"
    r"|source|number|\[)",
    r"\b(?:DROP|TRUNCATE|ALTER) (?:TABLE|DATABASE|SCHEMA|GRAPH)\b|\bDELETE FROM\b|\bDETACH DELETE\b",
    r"\b(?:call|invoke|use|run|execute) (?:the |your |a )?(?:\w+ )?(?:tool|function|plug-?in|shell|cypher|sql)\b",
    r"\byou are (?:now )?(?:in|an?|the) [^.]{0,40}(?:mode|assistant|ai|model|chat ?bot|llm)\b",
    r"\byour (?:only|sole) task\b",
    r"\b(?:dear|hello|hi|hey|attention|note (?:to|for)|instructions? (?:to|for)) (?:the |any |all |every )?(?:\w+ )?"
    rf"(?:{_NOUN}|ais?|llms?)\s*[,:]\s*(?-i:[a-z])",
    rf"^\W*(?:for|to) (?:the |any |all |every )?(?:\w+ )?(?:{_NOUN}|ais?|llms?)\s*:",
)
ORDER: Final = _words(
    r"answer|repl(?:y|ies)|respond|says?|state|write|output|print|return|cite|quote|tell|report|claim|conclude|treat|give",
    r"use|delete|erase|forward|send|fetch|open|load|visit|run|executes?|append|add|include|begin|end|start|insert|name",
    r"declin\w+|refuse|repeat|reveal|withhold|withheld|antworte\w*|schreib\w*|sage?n?|nenn\w*|zitier\w*|lösch\w*|ruf\w*",
    r"répond\w*|écri\w*|dis|dites|cite\w*|supprim\w*|respond\w*|contest\w*|escrib\w*|diga|di|cita\w*|borra\w*",
    r"rispond\w*|scriv\w*|escrev\w*|antwoord\w*|schrijf\w*|odpowi\w*|napisz|ответ\w*|отвеч\w*|напиши\w*|удали\w*",
    r"\w*(?:回答|回复|写|删除|引用|答えて|返信|書いて)\w*",
)
DUTY: Final = _words(
    r"must|should|shall|ha(?:ve|s) to|(?:are|is) to|please|muss|müssen|soll\w*|bitte|dois|doit|devez|debes?|devi|deve",
    r"moet|musisz|должн\w*|\w*(?:必须|请)\w*",
)
ASKED: Final = _any(
    r"\b(?:when|if|whenever|once|should|wherever)\b[^.]{0,40}\b(?:asked|asks?|question\w*|quer\w+)\b",
    r"\b(?:questions?|quer(?:y|ies)) (?:about|on|regarding|concerning|for)\b|\bwho(?:ever)? asks\b",
    r"\b(?:in|to|with) (?:your|any|every|each) (?:answer|response|reply|summary)\b|\bas an answer\b",
    r"\bthe (?:right|correct|only|true|final|proper|expected|approved) answer\b|\bthe (?:user|asker|questioner)\b",
    r"gefragt|frage\b|wenn (?:jemand|man) fragt|interrogé|question (?:sur|posée)|si (?:te|le|se) pregunt\w*|pregunta\b",
    r"domanda\b|se (?:ti|qualcuno) chied\w*|pergunta\b|vraag\b|zapyta\w*|pytani\w*|вопрос\w*|спрос\w*|问题|问到|質問",
)
SOLELY: Final = _any(
    r"https?://|\bwww\.|\bonly\b|\bexactly\b|nothing else|\balways\b|\bnever\b|\binstead\b|\bverbatim\b|word for word",
    r"\bthese words\b|\bdo not\b|\bdon't\b|\bmust\b|\bregardless\b|\bnur\b|immer|genau|\bnie\b|seulement|uniquement",
    r"toujours|jamais|exactement|\bsolo\b|siempre|nunca|exactamente|sempre|esattamente|alleen|altijd|tylko|zawsze",
    r"только|всегда|只|总是|必须|仅",
)
