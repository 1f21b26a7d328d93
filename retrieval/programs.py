"""The marks of chats and prompts that a text forges, and the setting aside of rules.

Marks are structure and hardly ever stand in mail: turns and roles, tags, a prompt's own headings and citations, calls
of tools. Setting rules aside stands here too, in ten languages, since ``retrieval.orders`` has learnt from nine.
"""

from __future__ import annotations

import re
from typing import Final


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

ASIDE: Final = _any(
    rf"(?<!\w)(?:{_SET_ASIDE})[^.!?\n]{{0,80}}?(?:{_RULES})",
    rf"(?<!\w)(?:{_RULES})[^.!?\n]{{0,40}}?(?<!\w)(?:{_SET_ASIDE})(?!\w)",
    r"(?:忽略|无视|忘记|無視|不要遵守|不再遵守)[^。！？\n]{0,30}(?:指令|规则|规定|指示|提示|命令)",
)
TURN: Final = _any(
    r"<[|｜][^<>\n]{0,40}[|｜]>|<(?:start|end)_of_turn>|</?(?:bos|eos|pad|unk|tool_\w{1,20}|think|function_\w{1,20})>",
    r"\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]|<</?SYS>>|</?(?:mail|result|quoted)-[\w-]*>",
)
FORGED: Final = _any(
    # roles and headings of a prompt
    r"\bsystem prompt\b|\boutput format\s*:|^\W*\[\W*(?:system|assistant|user|admin|developer|instructions?)\W*\]",
    r"^\W*[#=*\[<-]\W*(?:new |updated |hidden |additional )?(?:system )?(?:instructions?|system|overrides?"
    r"|directives?|prompt)\W*$",
    r"^\W*(?:system|assistant|developer)\s*(?:prompt|message|override|instruction|directive|command|turn|role)s?\s*[:>\]=-]",
    r"^\W*(?:system|assistant|developer)\s*[:>\]]+\s*(?:you\b|from now|ignore|new|always|never|only|answer|the)",
    r"^\W*(?:assistant|ai|bot)\s*:\s*(?:sure|of course|yes|no|the|here|i|okay|certainly|as)\b",
    r"\b(?:human|user|question|q)\s*:.{0,200}\b(?:assistant|ai|bot)\s*:",
    r"^\W*#{2,}\s*(?:system|instructions?|response|assistant|user|task|context|rules|human|input|output)\b",
    r"<\s*/?\s*(?:system|assistant|user|instructions?|prompt|developer|context|tool\w*|rules|mail)\b[^<>@]*>",
    r"[\"']?role[\"']?\s*[:=]\s*[\"'](?:system|assistant|user|tool)\b",
    r"\b(?:begin|end|start) of (?:the )?(?:context|untrusted|system|prompt|retriev\w+|fence)\b",
    # what a prompt says of itself
    r"^\W*(?:facts? \(|question \(asked[^)]*\):|p0 is\b)|\b(?:counted|computed) in (?:the|a) database\b",
    r"not in the retrieved|retrieved messages|!\[[^\]\n]*\]\(",
    # calls
    r"\b(?:DROP|TRUNCATE|ALTER) (?:TABLE|DATABASE|SCHEMA|GRAPH)\b|\b(?-i:DELETE FROM)\b|\bDETACH DELETE\b",
    r"^\W*tool\s*:\s*\w+\(|\b(?:call|invoke|run|execute|use) (?:the |your )?(?:\w+ )?tool (?:to|on|for|with)\b",
)
