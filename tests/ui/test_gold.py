"""Questions with known answers, as pages add them: once each, in the form that the evaluation reads."""

from datetime import date
from pathlib import Path

from retrieval.evaluation.pool import NEEDED, keep
from retrieval.evaluation.questions import read_questions
from sql.store import Store
from ui import gold

MAIL = """
INSERT INTO mail.mailbox (id, name) VALUES (1, 'default');
INSERT INTO mail.source (id, mailbox, path, format) VALUES (1, 1, '/mail/inbox.mbox', 'mbox');
INSERT INTO mail.message (id, content_key, message_id, subject, body, hidden, new_text, local_at)
VALUES (1, 'a', '<1@x>', 'Rate', '', '[]', '', '2025-03-02 09:00');
INSERT INTO mail.occurrence (id, message, source, key, raw_sha256, message_id) VALUES (1, 1, 1, '0', 'x', '<1@x>');
"""


def test_a_question_stands_in_the_file_once_with_what_was_judged(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "questions-mine.jsonl"
    with store.owner() as conn:
        conn.execute(MAIL.encode())
        keep(conn, "What does it cost?", 1, NEEDED)
        assert gold.known(path, "What does it cost?") is None
        assert gold.add(conn, path, "What does it cost?", as_of=None) == "L001"
        assert gold.add(conn, path, "How many?", as_of=date(2025, 3, 9), number=1200) == "L002"
        assert gold.add(conn, path, "What does it cost?", as_of=None, answer="940 euros") == "L001"
    cost, many = read_questions(path)
    assert (cost.kind, cost.answer, cost.groups, cost.as_of) == ("lookup", "940 euros", (("<1@x>",),), date(2025, 3, 2))
    assert (many.kind, many.value_type, many.value, many.facts) == ("aggregate_count", "number", 1200, ("1200",))
