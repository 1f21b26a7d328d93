"""How well people, threads and quoted history are found, measured on the shared data.

The tests hold the results to their bounds; ``python -m tests.bench.bench_resolve`` prints them.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter, defaultdict
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from itertools import combinations
from pathlib import Path

from ingest.addresses import parse_addresses, parse_one
from ingest.exchange import People, with_directory
from ingest.headers import read_head
from ingest.parse import parse
from ingest.pipeline import ingest
from ingest.resolve import names, people
from ingest.resolve.address import Address, contradict, one_person
from ingest.resolve.threads import Node, Threads, join
from ingest.sources import find, read
from ingest.types import RawMessage
from sql.store import Store
from tests.shared import shared_data


@dataclass(frozen=True)
class Pairs:
    """Pairs that were rightly joined, wrongly joined, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / (self.precision + self.recall)


@dataclass(frozen=True)
class Recovery:
    """Of ``wanted`` messages taken out of a mailbox: how many came back with the right author, with 90 % of the text
    and the right author, and with the right date (up to a whole offset of the clock) and the right author."""

    wanted: int
    author: int
    text: int
    date: int


def joined(addresses: list[Address], wrote: set[tuple[int, int]]) -> dict[int, int]:
    """The person of each address; ``wrote``: pairs of ids, the smaller first, that wrote to one another."""

    def exchanged(pairs: Set[tuple[int, int]]) -> Set[tuple[int, int]]:
        return pairs & wrote

    links, writers = people.link(addresses, exchanged)
    by_id = {address.id: address for address in addresses}
    return people.components(
        by_id,
        [],
        [(link.a, link.b) for link in links],
        never=lambda a, b: False,
        apart=lambda a, b: (min(a, b), max(a, b)) in writers or contradict(by_id[a], by_id[b]),
    )


def judged_people() -> Pairs:
    """Pairs of addresses judged by hand, with the names that the headers of ten mailboxes give."""
    questions, mailboxes = shared_data("questions", "persons-dev.jsonl"), shared_data("enron")
    displays: dict[str, Counter[str]] = defaultdict(Counter)
    x500: dict[str, set[str]] = defaultdict(set)
    wrote: set[tuple[str, str]] = set()
    for path in sorted(mailboxes.glob("*/*.mbox")):
        for raw in path.read_bytes().split(b"From MAILER-DAEMON ")[1:]:
            headers, _ = read_head(raw[raw.index(b"\n") + 1 :], 0, len(raw))
            to, cc, bcc = (tuple(parse_addresses(headers.get(name))) for name in ("to", "cc", "bcc"))
            found = with_directory(headers, People(parse_one(headers.get("from")), to, cc, bcc))
            for box in (found.sender, *found.to, *found.cc, *found.bcc):
                if box:
                    name = names.clean(box.name)
                    displays[box.address].update([name] if name else [])
                    if found.sender:
                        wrote.add((found.sender.address, box.address))
            for directory, address in found.pairs:
                if directory.startswith("/"):
                    x500[address].add(directory.lower())
    addresses = [Address(i, a, displays[a], frozenset(x500[a])) for i, a in enumerate(sorted(displays), 1)]
    ids = {address.address: address.id for address in addresses}
    person = joined(addresses, {(min(ids[a], ids[b]), max(ids[a], ids[b])) for a, b in wrote if a != b})
    right = wrong = missed = 0
    for line in questions.read_text().splitlines():
        pair = json.loads(line)
        a, b = ids.get(pair["a"]), ids.get(pair["b"])
        one = a is not None and b is not None and person[a] == person[b]
        right += one and pair["same"]
        wrong += one and not pair["same"]
        missed += pair["same"] and not one
    return Pairs(right, wrong, missed)


def list_without_headers() -> Pairs:
    """A mailing list threaded without its reference headers, against the threads that those give; over the threads
    whose references are complete."""
    (source,) = find(shared_data("lists", "usrp-users-2022.mbox")).files
    nodes = []
    for n, raw in enumerate(read(source)):
        if isinstance(raw, RawMessage):
            m = parse(raw)
            boxes = (*((m.sender,) if m.sender else ()), *m.to, *m.cc)
            at = m.sent_at.timestamp() if m.sent_at else None
            who = frozenset(hash(box.address) for box in boxes)
            marked = m.is_reply or m.is_forward
            nodes.append(
                Node(n, (m.message_id,), at, m.subject_base, marked, m.in_reply_to, m.reference_ids, None, None, who)
            )
    truth = partition(join([dataclasses.replace(each, marked=False) for each in nodes]))
    built = partition(join([dataclasses.replace(each, in_reply_to=(), references=()) for each in nodes]))
    known = {each.ids[0] for each in nodes}
    place = {each.message: each for each in nodes}
    whole: set[int] = set()
    for thread in truth:
        mails = [place[n] for n in thread]
        named = [{*mail.references, *mail.in_reply_to} for mail in mails]
        if all(ids <= known and (ids or not mail.marked) for ids, mail in zip(named, mails, strict=True)):
            whole |= thread
    right, found = _pairs(truth, whole), _pairs(built, whole)
    return Pairs(len(right & found), len(found - right), len(right - found))


def partition(found: Threads) -> frozenset[frozenset[int]]:
    """Threads as sets of messages."""
    groups = defaultdict(set)
    for message, thread in found.thread.items():
        groups[thread].add(message)
    return frozenset(frozenset(group) for group in groups.values())


def _pairs(groups: frozenset[frozenset[int]], among: set[int]) -> set[tuple[int, int]]:
    return {pair for group in groups for pair in combinations(sorted(group & among), 2)}


def recovery(store: Store, user: str, work: Path) -> Recovery:
    """Take the listed messages out of a real mailbox, ingest the rest into ``store`` (an empty one), and look for them
    among the recovered messages. ``work``: an empty directory."""
    wanted = [json.loads(line) for line in shared_data("questions", f"recovery-{user}.jsonl").open()]
    gone = {id_ for entry in wanted for id_ in entry["message_ids"]}
    for path in shared_data("enron", user).glob("*.mbox"):
        pieces = re.split(rb"(?m)^(?=From MAILER-DAEMON )", path.read_bytes())
        (work / path.name).write_bytes(b"".join(piece for piece in pieces if _id(piece) not in gone))
    ingest(store, [work])
    with store.owner() as conn:
        recovered = conn.execute(_RECOVERED).fetchall()
    runs: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for i, (text, *_) in enumerate(recovered):
        for run in _runs(text):
            runs[run].add(i)
    author = text_back = dated = 0
    for entry in wanted:
        own = _runs(entry["text"])
        hits = Counter(i for run in own for i in runs[run])
        if not hits:
            continue
        place, n = hits.most_common(1)[0]
        _, name, at, addresses = recovered[place]
        named, known = names.read(entry["from_name"]), names.read(name)
        if entry["from"] in (addresses or ()) or (named and known and one_person(named, known)):
            author += 1
            text_back += n >= 0.9 * len(own)
            dated += at is not None and _whole_offset(at, parsedate_to_datetime(entry["date"]))
    return Recovery(len(wanted), author, text_back, dated)


def existing(store: Store) -> tuple[int, int]:
    """Of an untouched mailbox in ``store``: how many recovered messages there are, and how many of them have the author,
    the words (70 % of theirs, half of the other's) and the date, up to five days, of a message that is there."""
    with store.owner() as conn:
        rows = conn.execute(_TEXTS).fetchall()
    own = {id_: _runs(text) for id_, recovered, _, _, text in rows if not recovered and text.strip()}
    written = {id_: (person, at) for id_, _, person, at, _ in rows}
    holding: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for id_, runs in own.items():
        for run in runs:
            holding[run].append(id_)
    found = total = 0
    for _, recovered, person, at, text in rows:
        if not recovered:
            continue
        total += 1
        runs = _runs(text)
        hits = Counter(other for run in runs if len(holding[run]) < 40 for other in holding[run])
        found += len(runs) >= 5 and any(
            n >= 0.7 * len(runs) and n >= 0.5 * len(own[other]) and _same((person, at), written[other])
            for other, n in hits.most_common(5)
        )
    return total, found


def _same(a: tuple[int | None, datetime | None], b: tuple[int | None, datetime | None]) -> bool:
    return a[0] == b[0] and (a[1] is None or b[1] is None or abs(a[1] - b[1]) <= timedelta(days=5))


_TEXTS = """
SELECT m.id, m.recovered, pa.person, m.sent_at, m.new_text FROM mail.message m
LEFT JOIN mail.person_address pa ON pa.address = m.sender ORDER BY m.id
"""

_RECOVERED = """
SELECT m.new_text, m.sender_name, m.sent_at, (
    SELECT array_agg(b.address) FROM mail.person_address x JOIN mail.person_address y USING (person)
    JOIN mail.address b ON b.id = y.address WHERE x.address = m.sender)
FROM mail.message m WHERE m.recovered
"""


def _id(piece: bytes) -> str:
    found = re.search(rb"(?im)^Message-ID:\s*(<[^>]*>)", piece)
    return found[1].decode() if found else ""


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + 5]) for i in range(max(1, len(words) - 4))}


def _whole_offset(a: datetime, b: datetime) -> bool:
    seconds = abs((a - b).total_seconds())
    return seconds <= 14 * 3600 and abs(seconds - round(seconds / 1800) * 1800) <= 180
