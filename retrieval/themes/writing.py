"""What the model may write about a community: a heading of eight words, some plain sentences, a number.

It has read mail of strangers, and what it writes is shown and goes into later prompts. So a grammar leaves it no line
breaks, quotation marks, brackets, links, addresses or markup: a mail that gives orders can spoil the words of one
summary, and nothing beyond. A model behind an address knows no grammar, so the same holds once more when it is read.
"""

from __future__ import annotations

import re

from retrieval.errors import NoSummary

NAME_WORDS = 8
SENTENCES = 3
PARTIAL_SENTENCES = 2
MOST = 100

LONGEST_WORD, LONGEST_NAME, LONGEST_SENTENCE = 28, 90, 320  # characters; a word or a sentence may be endless
_MARKUP = '<>[]{}|`*#@\\/"“”„«»=_^~'
_IN_CLASS = "\\x01-\\x1f\\x7f-\\x9f" + "".join("\\" + c if c in '[]\\"' else c for c in _MARKUP)
# A full stop within a number, or behind an initial, ends no sentence. One with a letter behind it would be an address.
_RULES = f"""
sentence ::= first piece* [.!?]
first ::= [^ .!?{_IN_CLASS}]
piece ::= [^.!?{_IN_CLASS}] | "." [0-9] | " " [A-Z] ". "
word ::= [^ .!?:;{_IN_CLASS}]{{1,{LONGEST_WORD}}}
number ::= "{MOST}" | [1-9] [0-9]? | "0"
"""


def _some(rule: str, most: int) -> str:
    return rule + f' (" " {rule})?' * (most - 1)


SUMMARY = f'root ::= "Name: " {_some("word", NAME_WORDS)} "\\nSummary: " {_some("sentence", SENTENCES)}{_RULES}'
PARTIAL = f'root ::= "Helps: " number "\\nAnswer: " {_some("sentence", PARTIAL_SENTENCES)}{_RULES}'


def summary(text: str) -> tuple[str, str]:
    """The name and the summary of what was written under SUMMARY. Raises NoSummary."""
    found = re.match(r"\s*Name:(.*?)\n\s*Summary:(.*)", text, re.DOTALL | re.IGNORECASE)
    name = " ".join(_plain(found[1]).rstrip(".").split()[:NAME_WORDS])[:LONGEST_NAME].strip() if found else ""
    said = _sentences(found[2], SENTENCES) if found else ""
    if not name or not said:
        raise NoSummary(f"The model wrote no name and summary but: {text[:80]!r}")
    return name, said


def partial(text: str) -> tuple[int, str]:
    """How much a community helps, 0 to 100, and its partial answer, of what was written under PARTIAL. Raises
    NoSummary."""
    found = re.match(r"\s*Helps:\s*(\d{1,3})\b.*?\n\s*Answer:(.*)", text, re.DOTALL | re.IGNORECASE)
    said = _sentences(found[2], PARTIAL_SENTENCES) if found else ""
    if found is None or int(found[1]) > MOST or not said:
        raise NoSummary(f"The model wrote no number and partial answer but: {text[:80]!r}")
    return int(found[1]), said


def _plain(text: str) -> str:
    """The text without markup and control characters, in one line; a full stop has no letter behind it."""
    kept = "".join(c if c.isprintable() and c not in _MARKUP else " " for c in text)
    return re.sub(r"([.!?])(?=[^\W\d])", r"\1 ", " ".join(kept.split()))


def _sentences(text: str, most: int) -> str:
    """The first whole sentences; of one that was cut by the model's limit, what is there."""
    found = re.findall(r"(?:[^.!?]|\.\d|(?<= [A-Z])\. )+[.!?]", _plain(text))
    whole = [sentence.strip() for sentence in found if len(sentence) <= LONGEST_SENTENCE]
    if not whole and (rest := _plain(text)[:LONGEST_SENTENCE].strip()):
        whole = [f"{rest} ..."]
    return " ".join(whole[:most])
