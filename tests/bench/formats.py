"""What is read of every format, over all the shared data: python -m tests.bench.formats. Prints a table in Markdown.

Sources are read and parsed as an ingest does, without a database. "ledger": pieces that could not be read; "no mail":
contacts, pictures and the like, which are told and passed over. "thread headers": messages with In-Reply-To,
References, Thread-Index or Gmail's conversation.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from ingest import sources
from ingest.parallel import parse_all
from ingest.rows import COLUMNS, Row
from ingest.sources import Source
from tests.shared import SHARED

_THREAD = ("in_reply_to", "reference_ids", "thread_index", "gm_thread")
_SHARES = {"sender": "without sender", "sent_at": "without date"}


def main() -> None:
    """Prints the table and what files of other kinds were passed over."""
    formats: dict[str, Counter[str]] = defaultdict(Counter)
    files: dict[int, Source] = {}
    skipped: Counter[str] = Counter()
    for folder in sorted((SHARED / "data").iterdir()):
        if not folder.is_dir() or folder.name in ("LICENSES", "questions", "replies"):
            continue
        found = sources.find(folder)
        skipped.update(skip.reason.split(" (")[0][:60] for skip in found.skipped)
        for file in found.files:
            files[len(files)] = file
            formats[file.format]["files"] += 1

    reading = ((number, piece) for number, file in files.items() for piece in sources.read(file))
    for number, _, parsed in parse_all(reading):
        counts = formats[files[number].format]
        if isinstance(parsed, Row):
            values = dict(zip(COLUMNS, parsed.values, strict=True))
            counts["messages"] += 1
            counts["thread headers"] += any(values[name] for name in _THREAD)
            counts["without Message-ID"] += bool(values["message_id_derived"])
            for column, shown in _SHARES.items():
                counts[shown] += values[column] is None
        else:
            counts["no mail" if parsed.error == "NotMail" else "ledger"] += 1
    columns = ("files", "messages", "thread headers", "without sender", "without date", "without Message-ID", "ledger",
               "no mail")  # fmt: skip
    print("| format | " + " | ".join(columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name, counts in sorted(formats.items()):
        print(f"| {name} | " + " | ".join(f"{counts[column]:,}" for column in columns) + " |")
    total = sum(formats.values(), Counter())
    print("| all | " + " | ".join(f"{total[column]:,}" for column in columns) + " |")
    print("\nPassed over: " + ", ".join(f"{n} × {reason}" for reason, n in skipped.most_common(12)))


if __name__ == "__main__":
    main()
