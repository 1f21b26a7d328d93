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
    r"guidance|what (?:\w+ ){1,3}(?:told|said to|gave|taught) you|(?:your|the|all|any|previous|other) rules?"
    r"|what you (?:were|have been) told|(?:context|facts|text) above",
    r"anweisung\w*|regeln?|vorgaben|instruktion\w*|consignes?|règles?|instruccion\w*|reglas?|indicacion\w*",
    r"istruzion\w*|regole|instruç\w*|regras?|instructies?|regels?|instrukcj\w*|polece\w*|инструкц\w*|правил\w*",
    r"указани\w*",
))  # fmt: skip
_NOUN: Final = (
    r"(?:assistants?|agents?|systems?|models?|bots?|programs?|programmes?|tools?|software|engines?|automations?"
    r"|machines?"
    r"|assistent\w*|programm\w*|asistente|assistente|programa|asystent\w*|ассистент\w*)"
)
_DOES: Final = (
    r"(?:read(?:s|ing)|process(?:es|ing)|answer(?:s|ing)|summari\w+|index\w*|quot(?:es|ing)|scan\w*|handling"
    r"|writ(?:es|ing)"
    r"|lies\w*|liest|beantwort\w*|verarbeit\w*|lit|lisez|lee|legge|lê|leest|czyta\w*|чита\w*)\b"
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
    r"\b(?:summari[sz]ers?|indexers?|automat\w+ (?:readers?|agents?|assistants?|systems?|process(?:es)?|tools?))\b",
    r"\b(?:assistants|language tools|reading (?:tools|programs|machines)) (?:may|must|can|cannot|will|shall"
    r"|should|are)\b",
    r"\b(?:maintenance|developer|debug|admin|god|unrestricted|compliance|override|training) mode\b",
    r"(?:wartungs|entwickler|debug|test)modus|mode (?:développeur|maintenance)|modo (?:desarrollador|mantenimiento)",
    r"\b(?:tu es|vous êtes|du bist|sie sind|eres|usted es|sei|lei è|você é|je bent|jesteś) (?:maintenant"
    r"|désormais|jetzt|nun"
    r"|ab jetzt|ahora|ora|adesso|agora|nu|teraz)?\s*(?:un |une |ein |eine |una |uno |um |een )?(?:assist\w+"
    r"|asist\w+|asyst\w+"
    r"|modell?\w*|program\w*|bot|robot\w*|KI|IA)\b",
    rf"(?:^|[\[({{>*|-])\W*{_NOUN}\s*[,:]\s*(?-i:[a-z])",
)
TURN: Final = _any(
    r"<[|｜][^<>\n]{0,40}[|｜]>|<(?:start|end)_of_turn>|</?(?:bos|eos|pad|unk|tool_\w{1,20}|think|function_\w{1,20})>",
    r"\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]|<</?SYS>>|</?(?:mail|result|quoted)-[\w-]*>",
)
MARKUP: Final = _any(
    r"\b(?:LLMs?|GPT|chat ?bots?|language models?|(?:all|any|every|dear|the) AIs?|sprachmodell\w*)\b[^.:]{0,60}:",
    r"\b(?:this|the) (?:text|message|mail|note|file|document|page)s? (?:is|are|be|gets?"
    r"|was) (?:\w+ )?(?:processed|read|indexed"
    r"|summari[sz]ed|parsed) (?:automatically|by (?:a|an|the|any) (?:\w+ )?(?:ai|machine|model|program"
    r"|assistant|system|software))",
    r"\bthe (?:output|answer|response|summary) (?:has to|must|should|shall|needs to|is to"
    r"|will) (?:\w+ )?(?:read|be|say|state|contain"
    r"|include|name|mention|begin)\b|\b(?:composing|writing|preparing|generating|formulating) (?:the|your|any"
    r"|an) (?:final )?(?:answer"
    r"|response|summary|output)\b|\bbase your (?:answer|summary|response|reply)\b",
    r"\b(?:earlier|other|previous|remaining|following|above) (?:messages?|mails?|e-?mails?|sources?"
    r"|results?)\b[^.]{0,40}\b(?:outdated"
    r"|spam|wrong|obsolete|invalid|drafts?|fake|must not|are not to|should not|leave out|(?:are|is) false)\b"
    r"|\bleave out (?:every|all|any|the) other (?:message|mail|source)",
    r"\byour (?:instructions?|function|programming|system|configuration|role|guidelines?) (?:has|have|is|are"
    r"|was|were) (?:now |been )*"
    r"(?:updated|changed|replaced|extended|to)\b|\bstop reading\b|\beverything you (?:write|say|answer|output)\b",
    r"\b(?:every|each|any|all) (?:reply|replies|answers?|responses?|summary|summaries) (?:\w+ ){0,4}?(?:must"
    r"|has to|have to|should"
    r"|shall|needs? to|is to|are to)\b|\b(?:developer|creator|operator|administrator|owner) of (?:this"
    r"|the) (?:program|system|model"
    r"|assistant|tool|bot)\b|\bauthori[sz]e you to\b",
    r"^\W*(?:final |correct |right |true |expected )answer\s*:|^\W*(?:antwort|réponse(?: attendue)?|respuesta"
    r"|risposta|ответ|答案)\s*:",
    r"\b(?:in|dans|en|nella|na|в) (?:deine\w*|ihre\w*|ta|votre|tu|su|tua|sua|твой|ваш\w*) (?:antwort\w*|réponse"
    r"|respuesta|risposta"
    r"|resposta|ответ\w*)\b|\b(?:deine|ta|tu|tua|sua) (?:einzige|unique|seule|única|unica) (?:aufgabe|tâche"
    r"|función|tarea|funzione)",
    r"\b(?:the |an )assistant (?:shall|must|is to|has to|should|may not|will|ought to)\b[^.]{0,60}\b(?:silent"
    r"|answer|say|state|name"
    r"|mention|report|reveal|respond|reply|quote|cite)\b",
    r"\bsystem prompt\b|\boutput format\s*:|^\W*\[\W*(?:system|assistant|user|admin|developer|instructions?)\W*\]",
    r"^\W*[#=*\[<-]\W*(?:new |updated |hidden |additional )?(?:system )?(?:instructions?|system|overrides?"
    r"|directives?|prompt)\W*$",
    r"\b(?:human|user|question|q)\s*:.{0,200}\b(?:assistant|ai|bot)\s*:",
    r"^\W*(?:assistant|ai|bot)\s*:\s*(?:sure|of course|yes|no|the|here|i|okay|certainly|as)\b",
    r"\byour (?:final |whole |next |own )?(?:answers?|reply|replies|responses?|output|summary"
    r"|summaries) (?:\w+ ){0,4}?(?:begin"
    r"|contain|include|start|end|consist|mention|cite|name|say|state)\b",
    r"\b(?:do not|don't|instead of) (?:summari[sz]\w+|quot(?:e|ing)|cit(?:e|ing))\b",
    r"\b(?:pretend|act as (?:if|an?)|role-?play)\b[^.]{0,40}\byou\b",
    r"\b(?:translate|repeat|rewrite|summari[sz]e|continue|print|reveal|output)\b[^.]{0,30}\b(?:previous|above"
    r"|preceding|following"
    r"|prior) (?:text|messages?|contents?|context|conversation|words)\b",
    r"\b(?:trust|prefer|prioriti[sz]e|believe|rank)\b[^.]{0,30}\b(?:this|these|my|messages?|mails?|e-?mails?"
    r"|sender)\b[^.]{0,40}"
    r"\b(?:over|above|before|higher|more than|first)\b|\bmark (?:this|the|my) (?:sender|mail|message)\b",
    r"\b(?:shown?|displayed|given|told|revealed|presented|mentioned|tell|show|inform) (?:to )?the (?:user"
    r"|reader|asker)\b",
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
    r"not in the retrieved|retrieved messages|!\[[^\]\n]*\]\(|\b(?:cite|citing|be cited)\b[^.]{0,30}(?:message|mail"
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
    r"answer|repl(?:y|ies)|respond|says?|state|write|output|print|return|cite|quote|tell|report|claim|conclude"
    r"|treat|give",
    r"use|delete|erase|forward|send|fetch|open|load|visit|run|executes?|append|add|include|begin|end|start|insert|name",
    r"hide|disregard|ignore|trust|translate|contain|present",
    r"declin\w+|refuse|repeat|reveal|withhold|withheld|antworte\w*|schreib\w*|sage?n?|nenn\w*|zitier\w*"
    r"|lösch\w*|ruf\w*",
    r"répond\w*|écri\w*|dis|dites|cite\w*|supprim\w*|responde|responda|contest[ae]|escrib\w*|diga|di|cita\w*|borra\w*",
    r"rispond\w*|scriv\w*|escrev\w*|antwoord\w*|schrijf\w*|odpowi\w*|napisz|ответ\w*|отвеч\w*|напиши\w*|удали\w*",
    r"\w*(?:回答|回复|写|删除|引用|答えて|返信|書いて)\w*",
)
DUTY: Final = _words(
    r"must|should|shall|ha(?:ve|s) to|(?:are|is) to|please|muss|müssen|soll\w*|bitte|kindly|you|your|yourself"
    r"|du|dein\w*|tu|vous|votre|usted|dois|doit|devez|debes?|devi|deve",
    r"moet|musisz|должн\w*|\w*(?:必须|请)\w*",
)
ASKED: Final = _any(
    r"\b(?:when|if|whenever|once|should|wherever)\b[^.]{0,40}\b(?:asked|asks?|question\w*|quer\w+)\b",
    r"\b(?:questions?|quer(?:y|ies)) (?:about|on|regarding|concerning|for)\b|\bwho(?:ever)? asks\b",
    r"\b(?:any|every|each|all) (?:requests?|questions?|quer(?:y|ies))\b|\bwhatever (?:the|is"
    r"|you are) (?:question|asked)\b",
    r"\bwhen (?:you (?:are )?)?(?:answer|respond|reply|generat|summari[sz]|quot)\w*\b",
    r"\b(?:jede|alle|jeder|toute|toutes|cada|todas?|ogni|elke|każde) (?:\w+ )?(?:frage\w*|question\w*"
    r"|pregunta\w*|domand\w*"
    r"|pergunta\w*|vrag\w*|pytani\w*)\b",
    r"\b(?:antworte\w*|répond\w*|responde|rispond\w*|antwoord\w*) (?:immer|nur|toujours|seulement|siempre|solo"
    r"|sempre|altijd)\b",
    r"\b(?:in|to|with) (?:your|any|every|each) (?:answer|response|reply|summary)\b|\bas an answer\b",
    r"\bthe (?:right|correct|only|true|final|proper|expected|approved) answer\b|\bthe (?:user|asker|questioner)\b",
    r"gefragt|frage\b|wenn (?:jemand|man) fragt|interrogé|question (?:sur|posée)|si (?:te|le|se) pregunt\w*|pregunta\b",
    r"domanda\b|se (?:ti|qualcuno) chied\w*|pergunta\b|vraag\b|zapyta\w*|pytani\w*|вопрос\w*|спрос\w*|问题|问到|質問",
)
SOLELY: Final = _any(
    r"https?://|\bwww\.|\bonly\b|\bexactly\b|nothing else|\balways\b|\bnever\b|\binstead\b|\bverbatim\b|word for word",
    r"\bthese words\b|\bdo not\b|\bdon't\b|\bmust\b|\bregardless\b|\bnur\b|immer|genau|\bnie\b|seulement|uniquement",
    r"toujours|jamais|exactement|\bsolo\b|siempre|nunca|exactamente|sempre|esattamente|alleen|altijd|tylko|zawsze",
    r"[“«\x22][^\x22\n]{2,60}[\x22”»]|только|всегда|只|总是|必须|仅",
)
