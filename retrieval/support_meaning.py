"""Whether a sentence says in other words what it cites: the embedder's part of the check.

Asked only of sentences whose numbers and names stand in the cited messages but whose words do not. A likeness by itself
says little: with a model of English alone any two German sentences are alike, and other models find everything alike.
So the nearest sentence of the cited messages must be nearer by ``NEARER`` than the nearest of sentences about nothing,
in four languages. What the embedder cannot tell is a denial or an invented detail on the same matter: there numbers,
names and a judge help.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.support import CITED, Sentence

if TYPE_CHECKING:
    from retrieval.models.embed import Embedder

NEARER = 0.2
MOST = 80  # sentences of what one sentence cites, each some milliseconds
LONGEST = 60  # words of a sentence: lists have no full stops
UNRELATED = (
    "The meeting with the tax office is on Tuesday.",
    "Please water the plants while I am away.",
    "Our train to Lyon was two hours late.",
    "She plays the violin in an orchestra.",
    "Der Drucker im zweiten Stock ist kaputt.",
    "Zum Geburtstag wünscht er sich ein Fahrrad.",
    "Die Miete wird ab Januar teurer.",
    "Im Wald liegt noch Schnee.",
    "Le boulanger ferme à midi le lundi.",
    "Nous avons perdu le match trois à un.",
    "La facture du dentiste est arrivée.",
    "Il faut changer les pneus avant l'hiver.",
    "El gato duerme encima del armario.",
    "La reunión de padres se ha aplazado.",
    "Hay que regar el huerto cada noche.",
    "Mi hermana estudia química en Granada.",
)
_END = re.compile(r"(?<=[.!?;])\s+")


def by_meaning(
    found: Sequence[Sentence], text: str, texts: Mapping[int, str], embedder: Embedder
) -> tuple[Sentence, ...]:
    """The sentences of the answer ``text``, those as supported whose meaning stands in what they cite. ``texts``: what
    each message id says, its header in the first line. Raises ModelError."""
    out = []
    for one in found:
        if one.support == "unsupported" and one.agrees:
            claim = CITED.sub(" ", text[one.start : one.stop]).strip()
            said = [piece for i in one.cited if i in texts for piece in _pieces(texts[i])]
            if said and _near(claim, said[:MOST], embedder):
                one = replace(one, support="supported")
        out.append(one)
    return tuple(out)


def _near(claim: str, said: Sequence[str], embedder: Embedder) -> bool:
    vectors = embedder.embed([claim, *UNRELATED, *said])
    alike = vectors[1:] @ vectors[0]
    return bool(alike[len(UNRELATED) :].max() - alike[: len(UNRELATED)].max() >= NEARER)


def _pieces(text: str) -> list[str]:
    """The sentences below the header line; lines that a mail program broke are joined."""
    out = []
    for paragraph in re.split(r"\n\s*\n", text.partition("\n")[2]):
        for sentence in _END.split(" ".join(paragraph.split())):
            words = sentence.split()
            out += [" ".join(words[start : start + LONGEST]) for start in range(0, len(words), LONGEST)]
    return out
