"""Right answers for the demo's questions, computed from the built mbox files alone.

content/questions.toml holds what a person asks and how the answer is reached: strings that stand in the message that
says it, or the name of a computation in gold_values. This script reads the mbox files with the standard library (it
shares no code with what built them, and none with what answers questions), finds those messages, computes those
values and writes questions.jsonl in the format of labelled question files. Run it after changing content:
`python -m ui.demo.gold`.
"""

import email
import email.policy
import html
import json
import mailbox
import re
import tempfile
import tomllib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path
from typing import Any

from ui.demo import gold_values
from ui.demo.build import AS_OF, build

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions.jsonl"
NOT_COUNTED = {"drafts", "spam"}
COUNTING = (
    "Distinct messages (copies in other folders counted once), without drafts, spam and messages known only from "
    "quotations. Dates as written in the Date header. Tomás Ferrer's three addresses are one person."
)


@dataclass
class Mail:
    """One distinct message of the mailbox, as its headers and text say."""

    id: str
    folders: list[str]
    sender: str
    to: list[str]
    cc: list[str]
    date: datetime
    subject: str
    text: str  # decoded, quoted history included, white space normalised
    references: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    automatic: bool = False

    @property
    def month(self) -> str:
        """YYYY-MM of the date."""
        return self.date.strftime("%Y-%m")

    @property
    def recipients(self) -> list[str]:
        """To and Cc."""
        return self.to + self.cc


def read(target: Path) -> list[Mail]:
    """Distinct messages under `target`, oldest first; copies of one Message-ID are merged."""
    found: dict[str, Mail] = {}
    for path in sorted(target.rglob("*.mbox")):
        folder = path.relative_to(target).with_suffix("").as_posix()
        box = mailbox.mbox(path, create=False)
        for key in box.keys():  # noqa: SIM118 - iterating over a mailbox gives messages
            mail = _mail(_parse(box.get_bytes(key)), folder)
            if mail.id in found:
                found[mail.id].folders.append(folder)
            else:
                found[mail.id] = mail
    return sorted(found.values(), key=lambda mail: (mail.date.astimezone(UTC), mail.id))


def questions(target: Path, source: Path = HERE / "content" / "questions.toml") -> list[dict[str, Any]]:
    """All questions with gold, from the mbox files under `target`.

    Raises LookupError when evidence stands in no message or a pattern's hits differ from what is written.
    """
    mails = read(target)
    counted = [mail for mail in mails if not NOT_COUNTED & set(mail.folders)]
    asked = tomllib.loads(source.read_text(encoding="utf-8"))["question"]
    return [_question(number, entry, mails, counted) for number, entry in enumerate(asked, 1)]


def main() -> None:
    """Build the mailbox in a temporary directory and write questions.jsonl beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        lines = [json.dumps(question, ensure_ascii=False) for question in questions(Path(folder))]
    QUESTIONS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} questions")


def _question(number: int, asked: dict[str, Any], mails: list[Mail], counted: list[Mail]) -> dict[str, Any]:
    groups, also = _evidence(asked.get("evidence", []), mails)
    value = gold_values.compute(asked["compute"], counted) if "compute" in asked else None
    if value and value.message_ids:
        groups, also = [[i] for i in value.message_ids], []
    gold = [mail for mail in mails if any(mail.id in group for group in groups)]
    patterns = [{"pattern": p, "hits": _hits(p, counted)} for p in asked.get("absence_patterns", [])]
    if [p["hits"] for p in patterns] != asked.get("absence_hits", [0] * len(patterns)):
        raise LookupError(f"{asked['question']!r}: the patterns hit {patterns}")
    if asked["kind"] == "unanswerable":
        asked = {"answer": "not in the mailbox", "facts": ["not in the mailbox"]} | asked
    return {
        "id": f"D{number:03}",
        "mailbox": "demo",
        "split": "dev",
        "kind": asked["kind"],
        "question": asked["question"],
        "value_type": value.type if value else None,
        "item_type": value.item_type if value else None,
        "gold_value": value.value if value else None,
        "gold_path": value.path if value else None,
        "gold_message_ids": groups,
        "also_ok_message_ids": also,
        "gold_answer": asked.get("answer") or (value.answer if value else ""),
        "facts": asked.get("facts") or (value.facts if value else []),
        "counting_rule": f"{COUNTING} {asked.get('rule', '')}".strip() if value else None,
        "value_variants": _variants(asked["compute"], counted) if value else None,
        "as_of": AS_OF,
        "evidence": " // ".join(text for group in asked.get("evidence", []) for text in group),
        "evidence_by_message": asked.get("evidence", []),
        "absence_patterns": patterns,
        "absence_after": asked.get("absence_after"),
        "gold_folders": sorted({folder for mail in gold for folder in mail.folders}),
        "gold_months": sorted({mail.month for mail in gold}),
        "notes": asked.get("notes", ""),
    }


def _evidence(groups: list[list[str]], mails: list[Mail]) -> tuple[list[list[str]], list[list[str]]]:
    """The first message that holds all strings of a group wrote them; later ones quote or restate them."""
    gold: list[list[str]] = []
    also: list[list[str]] = []
    for group in groups:
        holding = [m for m in mails if all(text in m.text or text in m.subject for text in group)]
        if not holding:
            raise LookupError(f"no message holds {group}")
        gold.append([holding[0].id])
        also += [[mail.id] for mail in holding[1:] if "drafts" not in mail.folders]
    taken = {i for group in gold for i in group}
    return gold, [group for n, group in enumerate(also) if group[0] not in taken and group not in also[:n]]


def _variants(name: str, counted: list[Mail]) -> dict[str, Any]:
    in_utc = [replace(mail, date=mail.date.astimezone(UTC)) for mail in counted]
    copies = [mail for mail in counted for _ in mail.folders]
    return {
        which: gold_values.compute(name, chosen).raw
        for which, chosen in (("header", counted), ("utc", in_utc), ("raw_copies", copies))
    }


def _hits(pattern: str, mails: list[Mail]) -> int:
    return sum(bool(re.search(pattern, f"{mail.subject} {mail.text}", re.IGNORECASE)) for mail in mails)


def _parse(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def _mail(raw: EmailMessage, folder: str) -> Mail:
    return Mail(
        id=str(raw["Message-ID"]),
        folders=[folder],
        sender=_addresses(raw, "From")[0],
        to=_addresses(raw, "To"),
        cc=_addresses(raw, "Cc"),
        date=datetime.strptime(str(raw["Date"]), "%a, %d %b %Y %H:%M:%S %z"),
        subject=str(raw["Subject"]),
        text=_text(raw),
        references=re.findall(r"<[^>]+>", _unfolded(raw, "References")),
        attachments=[part.get_filename() or "" for part in raw.iter_attachments()] if raw.is_multipart() else [],
        automatic=raw["Auto-Submitted"] is not None,
    )


def _unfolded(raw: EmailMessage, name: str) -> str:
    """A header's text; identifiers longer than a line are read from the unparsed source."""
    return next((str(value) for key, value in raw.raw_items() if key.lower() == name.lower()), "")


def _addresses(raw: EmailMessage, name: str) -> list[str]:
    return [address.lower() for _, address in getaddresses([str(raw[name] or "")]) if "@" in address]


def _text(raw: EmailMessage) -> str:
    part = raw.get_body(("plain", "html"))
    if part is None:
        return ""
    content = part.get_content()
    if part.get_content_subtype() == "html":
        content = html.unescape(re.sub(r"<(style|head)\b.*?</\1>|<[^>]+>", " ", content, flags=re.S))
    unquoted = re.sub(r"^[> ]+", "", content, flags=re.M)
    return " ".join(unquoted.split())


def within(mail: Mail, other: Mail) -> bool:
    """Whether two messages are copies of one by text: same sender, subject and body within 24 hours."""
    same = (mail.sender, _bare(mail.subject), mail.text) == (other.sender, _bare(other.subject), other.text)
    return same and abs(mail.date - other.date) < timedelta(hours=24)


def _bare(subject: str) -> str:
    return re.sub(r"^((re|aw|fw|fwd|wg|rv)\s*:\s*)+", "", subject, flags=re.I).strip().lower()


if __name__ == "__main__":
    main()
