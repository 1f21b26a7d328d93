"""Words that some messages hold: how many, which, and who used them first.

A mention is the term as a whole word, any case, in the subject or the full body with its quoted history.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from retrieval.evaluation.generate.box import Box, Made

SAMPLED = 6
NAMED_SHARE = 0.75
WORD = re.compile(r"(?<![^\W_])[^\W\d_]{6,14}(?![^\W_])")
# Written large inside a sentence: names and, in some languages, nouns. Other words are asked for less often.
NAMED = re.compile(r"(?<=[a-zß-ÿ] )[^\W\d_a-z][^\W\d_]{4,14}(?![^\W_])")


def mention_count(box: Box) -> Made | None:
    """How many messages mention a word."""
    if (picked := _term(box, 3, 60)) is None:
        return None
    term, messages = picked
    text = box.say(
        "How many messages mention {term}?",
        'In how many messages does the word "{term}" come up?',
        'Count the messages in which "{term}" is mentioned.',
        term=term,
    )
    return Made("mention_count", text, "number", len(messages))


def mention_list(box: Box) -> Made | None:
    """Which messages mention a rare word."""
    if (picked := _term(box, 2, 7)) is None:
        return None
    term, messages = picked
    text = box.say('Which messages mention "{term}"?', 'List all messages that contain the word "{term}".', term=term)
    items = [{"id": message} for message in messages]
    return Made("mention_list", text, "set", items, "message", messages=tuple(messages))


def mention_first(box: Box) -> Made | None:
    """Who used a word first."""
    if (picked := _term(box, 2, 20)) is None:
        return None
    term, messages = picked
    rows = box.rows(
        "SELECT message, person FROM s WHERE message = ANY(%(ids)s) AND local_at IS NOT NULL "
        "ORDER BY local_at, message LIMIT 1",
        ids=messages,
    )
    if not rows:
        return None
    text = box.say(
        'Who was the first to mention "{term}"?', 'Whose message was the first with the word "{term}"?', term=term
    )
    return Made("mention_list", text, "set", [{"id": rows[0][1]}], "person", messages=(rows[0][0],))


def _term(box: Box, least: int, most: int) -> tuple[str, list[int]] | None:
    """A word out of some message's own text that so many messages hold, with these messages, oldest first."""
    texts = box.rows(
        "SELECT x.new_text FROM m JOIN mail.message x USING (id) WHERE m.kind = 'mail' "
        "ORDER BY md5(id::text || %(salt)s) LIMIT 40",
        salt=str(box.rng.random()),
    )
    pattern = NAMED if box.rng.random() < NAMED_SHARE else WORD
    words = sorted({word.lower() for (text,) in texts for word in pattern.findall(text)})
    for term in box.rng.sample(words, min(SAMPLED, len(words))):
        found = box.rows(_HOLDING, pattern=rf"(^|[^[:alnum:]_]){term}([^[:alnum:]_]|$)")
        if least <= len(found) <= most:
            return term, [message for (message,) in found]
    return None


_HOLDING = """
SELECT x.id FROM mail.message x WHERE x.counted AND (x.subject ~* %(pattern)s OR x.body ~* %(pattern)s)
ORDER BY x.local_at, x.id
"""

MAKERS: tuple[Callable[[Box], Made | None], ...] = (mention_count, mention_list, mention_first)
