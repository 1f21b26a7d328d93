"""The pieces of mail that are searched: header lines, a blank line, then a piece of the new text.

A piece ends at a paragraph, else at a sentence, else between words, and begins with the last sentence of the piece
before, so that a thought on the border is found whole once. With its header lines (date, sender, recipients, subject)
it holds at most 256 tokens of the embedding model, which reads no further. Tokens are estimated without the model, a
little too high, since search by words and the cutting itself must work without one.

A message is cut again only when its header lines, its text or the cutter changed.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from psycopg import Connection

from ingest.progress import SILENT, Progress
from sql import bm25

VERSION = "2"
# What all-MiniLM-L6-v2 reads, less the two marks around every text.
LIMIT = 256 - 2
SMALLEST_BODY = 96
# of messages whose texts and chunks are held at once; texts may be megabytes long
BATCH = 250

_UNIT = re.compile(r"[^\W_]+|[^\w\s]|_")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"')\]»”]*\s+|(?<=[。！？])|\n")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")


@dataclass(frozen=True, slots=True)
class Piece:
    """``text[start:stop]`` of a message's new text."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment's text that is cut for a message; ``mark`` is the line that stands before it."""

    attachment: int
    name: str
    mark: str
    text: str


Cut = tuple[int, int, str, int | None]


def tokens(text: str) -> int:
    """An estimate, a little too high, of the WordPiece tokens of a text."""
    return math.ceil(sum(map(_unit, _UNIT.findall(text))))


@lru_cache(maxsize=65_536)
def _unit(word: str) -> float:
    """Tokens of a word or sign. Words of a language are mostly in the vocabulary, names, codes and numbers are not; the
    figures are averages over mail, a little higher where they vary."""
    length = len(word)
    if length == 1:
        return 1
    if not word.isascii():
        return length if ord(max(word)) > 0x24F else length / 2 + 0.5
    if word.isdigit():
        return 1 if length == 2 else length * 0.62
    if word.isalpha() and (word.islower() or word.istitle()):
        if length > 2 and not _VOWEL.search(word):
            return length * 0.75
        return next((n for longest, n in _WORDS if length <= longest), length / 2)
    if word.isalpha() and word.isupper() and length <= 8:
        return 1.3 if length == 2 else 2 if length <= 4 else length / 3 + 0.7
    return length * (0.75 if length <= 16 else 1) + 0.5


# longest word, tokens
_WORDS = ((2, 1.02), (4, 1.15), (7, 1.35), (9, 1.7), (11, 2.0), (13, 2.5), (15, 4.0), (19, 6.0))


def cut(text: str, budget: int) -> list[Piece]:
    """Pieces of ``text`` of at most ``budget`` tokens that cover it, each overlapping the one before by a sentence
    where that is short enough."""
    if len(text) < 4 * budget and tokens(text) <= budget:
        return [Piece(0, len(text))] if text.strip() else []
    pieces: list[Piece] = []
    start = stop = None
    size = 0
    last: tuple[int, int, int] | None = None  # the last sentence: start, stop, tokens
    for from_, to, n, opens in _sentences(text, budget):
        if start is None:
            start, stop, size = from_, to, n
        elif size + n <= budget and not (opens and size >= budget * 3 // 4):
            stop, size = to, size + n
        else:
            assert stop is not None
            pieces.append(Piece(start, stop))
            if last and last[2] <= budget // 4 and last[2] + n <= budget and not opens:
                start, size = last[0], last[2] + n
            else:
                start, size = from_, n
            stop = to
        last = (from_, to, n)
    if start is not None and stop is not None:
        pieces.append(Piece(start, stop))
    return pieces


def _sentences(text: str, budget: int) -> Iterator[tuple[int, int, int, bool]]:
    """(start, stop, tokens, whether it opens a paragraph) of every sentence; longer ones in parts between words."""
    for from_, to in _split(text, 0, len(text), _PARAGRAPH):
        opens = True
        for a, b in _split(text, from_, to, _SENTENCE):
            n = tokens(text[a:b])
            if n <= budget:
                yield a, b, n, opens
                opens = False
                continue
            for c, d in _parts(text, a, b, budget // 2):
                yield c, d, tokens(text[c:d]), opens
                opens = False


def _parts(text: str, start: int, stop: int, budget: int) -> Iterator[tuple[int, int]]:
    """A stretch without sentences in parts of at most ``budget`` tokens: between words, else anywhere."""
    begin, size, end = start, 0.0, start
    for unit in _UNIT.finditer(text, start, stop):
        n = _unit(unit[0])
        if size and size + n > budget:
            yield begin, end
            begin, size = unit.start(), 0.0
        while n > budget:  # one monstrous word
            yield begin, begin + budget // 2
            begin += budget // 2
            n = _unit(text[begin : unit.end()])
        size, end = size + n, unit.end()
    if begin < stop:
        yield begin, stop


def _split(text: str, start: int, stop: int, at: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    begin = start
    for match in at.finditer(text, start, stop):
        if match.start() > begin and not text[begin : match.start()].isspace():
            yield begin, match.start()
        begin = match.end()
    if begin < stop and not text[begin:stop].isspace():
        yield begin, stop


def compose(header: str, text: str) -> list[tuple[int, int, str]]:
    """All chunks of a message as (start, stop, chunk text); one of the header alone when there is no new text."""
    head = _shortened(header)
    budget = max(SMALLEST_BODY, LIMIT - tokens(head))
    pieces = cut(text, budget)
    if not pieces:
        return [(0, 0, head)]
    return [(piece.start, piece.stop, f"{head}\n\n{text[piece.start : piece.stop].strip()}") for piece in pieces]


def compose_attached(header: str, start: int, attached: list[Attached]) -> list[Cut]:
    """All chunks of a message's attachments as (start, stop, chunk text, attachment). ``start``: the length of the new
    text, behind which the attachments' texts stand one after the other (mail.searched_text)."""
    found: list[Cut] = []
    for file in attached:
        start += len(file.mark)
        head = _shortened(f"{header}\nAttachment: {file.name[:100]}" if file.name else f"{header}\nAttachment")
        budget = max(SMALLEST_BODY, LIMIT - tokens(head))
        for piece in cut(file.text, budget):
            text = f"{head}\n\n{file.text[piece.start : piece.stop].strip()}"
            found.append((start + piece.start, start + piece.stop, text, file.attachment))
        start += len(file.text)
    return found


def _shortened(header: str) -> str:
    """Header lines that would leave too little room lose their end, the longest first."""
    lines = header.split("\n")
    while tokens("\n".join(lines)) > LIMIT - SMALLEST_BODY:
        longest = max(range(len(lines)), key=lambda i: tokens(lines[i]))
        lines[longest] = lines[longest][: len(lines[longest]) * 4 // 5].rstrip() + "…"
    return "\n".join(lines)


def rebuild(
    conn: Connection[Any], progress: Progress = SILENT, before_index: Callable[[], object] = lambda: None
) -> int:
    """Cut every message whose chunks are missing or out of date. Commits after each batch; returns how many messages
    were cut. ``before_index`` is called when all are cut: the index of words takes memory, and is built alone."""
    conn.execute(_CARRIED)
    conn.execute(_HEADERS, {"version": VERSION})
    conn.commit()
    total = int(_value(conn, "SELECT count(*) FROM stale"))
    progress.step("chunks", total)
    if total and _value(conn, "SELECT NOT EXISTS (SELECT FROM mail.chunk)"):
        bm25.suspend(conn)
    done = last = 0
    while True:
        rows = conn.execute(
            "SELECT s.message, s.key, s.header, m.new_text FROM stale s JOIN mail.message m ON m.id = s.message"
            " WHERE s.message > %s ORDER BY s.message LIMIT %s",
            (last, BATCH),
        ).fetchall()
        if not rows:
            break
        held = _attached(conn, [message for message, _, _, _ in rows])
        cuts: list[tuple[int, str, list[Cut]]] = []
        for message, key, header, text in rows:
            own: list[Cut] = [(*piece, None) for piece in compose(header, text)]
            cuts.append((message, key, own + compose_attached(header, len(text), held.get(message, []))))
        _write(conn, cuts)
        conn.commit()
        done += len(rows)
        last = rows[-1][0]
        progress.advance(len(rows))
    conn.execute("DROP TABLE stale, carried")
    conn.execute(_FORGOTTEN)
    conn.commit()
    before_index()
    bm25.rebuild(conn)
    return done


def _attached(conn: Connection[Any], messages: list[int]) -> dict[int, list[Attached]]:
    """The texts that are cut for these messages, in order."""
    found: dict[int, list[Attached]] = {}
    for message, *file in conn.execute(
        "SELECT c.message, c.attachment, c.name, mail.attachment_mark(c.name), t.text"
        " FROM carried c JOIN mail.attachment_text t USING (sha256) WHERE c.message = ANY (%s)"
        ' ORDER BY c.message, c.part COLLATE "C", c.sha256',
        (messages,),
    ):
        found.setdefault(message, []).append(Attached(*file))
    return found


def _write(conn: Connection[Any], rows: list[tuple[int, str, list[Cut]]]) -> None:
    ids = [message for message, _, _ in rows]
    with conn.cursor() as cur:
        cur.execute("DELETE FROM mail.chunk WHERE message = ANY (%s)", (ids,))
        with cur.copy("COPY mail.chunk (message, position, text, start, stop, sha256, attachment) FROM STDIN") as copy:
            for message, _, pieces in rows:
                for position, (start, stop, text, attachment) in enumerate(pieces):
                    sha256 = hashlib.sha256(text.encode()).digest()
                    copy.write_row((message, position, text, start, stop, sha256, attachment))
        cur.execute(
            "INSERT INTO mail.chunk_state (message, key) SELECT * FROM unnest(%s::bigint[], %s::text[])"
            " ON CONFLICT (message) DO UPDATE SET key = excluded.key",
            (ids, [key for _, key, _ in rows]),
        )


def _value(conn: Connection[Any], query: str) -> Any:
    row = conn.execute(query).fetchone()
    assert row is not None
    return row[0]


# Attachments with text, each file with the first message that carries it.
_CARRIED = """
CREATE TEMP TABLE carried AS
SELECT DISTINCT ON (a.sha256) a.message, a.id AS attachment, a.name, a.part, a.sha256
FROM mail.attachment a JOIN mail.attachment_text t USING (sha256) JOIN mail.message m ON m.id = a.message
WHERE t.text <> ''
ORDER BY a.sha256, m.sent_at, m.message_id COLLATE "C", m.id, a.part COLLATE "C"
"""

# Texts of files that no message carries any more.
_FORGOTTEN = """
DELETE FROM mail.attachment_text t WHERE NOT EXISTS (SELECT 1 FROM mail.attachment a WHERE a.sha256 = t.sha256)
"""

# The header lines of every message that has to be cut. Recipients by name, in order of the name, at most six.
_HEADERS = """
CREATE TEMP TABLE stale AS
WITH files AS (
    SELECT message,
        md5(string_agg(part || name || encode(sha256, 'hex'), ',' ORDER BY part COLLATE "C", sha256)) AS hash
    FROM carried GROUP BY 1
), named AS (
    SELECT r.message, r.kind, p.name, row_number() OVER (PARTITION BY r.message, r.kind ORDER BY p.name, p.id) AS place
    FROM (SELECT DISTINCT r.message, r.kind, pa.person FROM mail.recipient r
          JOIN mail.person_address pa ON pa.address = r.address WHERE r.kind IN ('to', 'cc')) AS r
    JOIN mail.person p ON p.id = r.person
), lines AS (
    SELECT message, kind, string_agg(left(name, 60), ', ' ORDER BY place) FILTER (WHERE place <= 6)
        || CASE WHEN count(*) > 6 THEN ' and ' || count(*) - 6 || ' more' ELSE '' END AS names
    FROM named GROUP BY 1, 2
), headers AS (
    SELECT m.id AS message, m.new_text, concat_ws(E'\\n',
        'Date: ' || to_char(m.local_at, 'YYYY-MM-DD'),
        'From: ' || left(coalesce(p.name, nullif(m.sender_name, '')), 100),
        'To: ' || t.names, 'Cc: ' || c.names, 'Subject: ' || left(nullif(m.subject, ''), 200)) AS header
    FROM mail.message m
    LEFT JOIN mail.person_address pa ON pa.address = m.sender
    LEFT JOIN mail.person p ON p.id = pa.person
    LEFT JOIN lines t ON t.message = m.id AND t.kind = 'to'
    LEFT JOIN lines c ON c.message = m.id AND c.kind = 'cc'
), keyed AS (
    SELECT message, header, concat_ws(':', %(version)s::text, md5(header || md5(new_text)), f.hash) AS key
    FROM headers LEFT JOIN files f USING (message)
)
SELECT k.* FROM keyed k LEFT JOIN mail.chunk_state s USING (message) WHERE s.key IS DISTINCT FROM k.key
"""
