"""A thread as a tree: the order of reading, the lines between messages, and what an address may point to."""

from sql.store import Store
from ui.threads import find, ids, quotations, thread

MAIL = """
INSERT INTO mail.mailbox (id, name) VALUES (1, 'default');
INSERT INTO mail.source (id, mailbox, path, format) VALUES (1, 1, '/mail/inbox.mbox', 'mbox');
INSERT INTO mail.address (id, address) VALUES (1, 'ana@x.example'), (2, 'ben@y.example');
INSERT INTO mail.person (id, name) VALUES (1, 'Ana Ruiz'), (2, 'Ben Okoro');
INSERT INTO mail.person_address (address, person) VALUES (1, 1), (2, 2);
INSERT INTO mail.thread (id, subject, messages, participants) VALUES (1, 'Pump  test', 6, 2), (9, 'Other', 1, 1);
INSERT INTO mail.message (id, content_key, message_id, sender, subject, thread, thread_rule, recovered, sent_at, local_at)
SELECT n, n::text::bytea, '<' || n || '@x.example>', 1 + n % 2, 'Pump test', CASE n WHEN 9 THEN 9 ELSE 1 END, rule,
    n = 5, at::timestamptz, at::timestamp
FROM (VALUES (1, 'start', '2025-03-01'), (2, 'references', '2025-03-02'), (3, 'references', '2025-03-03'),
             (4, 'references', '2025-03-04'), (5, 'quote', NULL), (6, 'subject', '2025-03-05'),
             (9, 'start', '2025-03-05')) v(n, rule, at);
INSERT INTO mail.reply (message, parent, rule)
VALUES (2, 1, 'in_reply_to'), (3, 2, 'in_reply_to'), (4, 1, 'in_reply_to');
INSERT INTO mail.thread_link (a, b, rule)
VALUES (1, 2, 'references'), (2, 3, 'references'), (1, 4, 'references'), (5, 2, 'quote'), (4, 6, 'subject');
INSERT INTO mail.quote (message, position, start, stop, depth, kind, quoted) VALUES (2, 0, 0, 1, 1, 'quoted', 5);
INSERT INTO mail.recipient (message, kind, address) VALUES (1, 'to', 1);
INSERT INTO mail.occurrence (message, source, key, raw_sha256, message_id)
VALUES (1, 1, '0', 'x', '<1@x.example>'), (1, 1, '9', 'x', '<copy@x.example>'), (9, 1, '20', 'x', '<1@x.example>');
"""


def test_answers_stand_under_what_they_answer_and_lines_lead_there(store: Store) -> None:
    with store.owner() as conn:
        conn.execute(MAIL)
    with store.reader() as conn:
        whole = thread(conn, 1)
    assert whole.subject == "Pump test"
    drawn = [(node.id, node.level, node.rails, node.last) for node in whole.nodes]
    assert drawn == [
        (1, 0, (), False),
        (2, 1, (), False),
        (3, 2, (True,), True),
        (4, 1, (), True),
        (6, 2, (False,), True),
        (5, 0, (), True),
    ]
    assert [node.answers for node in whole.nodes] == [None, 1, 2, 1, None, None]
    assert [(one.name, one.wrote) for one in whole.participants] == [("Ana Ruiz", 3), ("Ben Okoro", 3)]


def test_a_recovered_message_names_where_it_is_quoted(store: Store) -> None:
    with store.owner() as conn:
        conn.execute(MAIL)
    with store.reader() as conn:
        found = quotations(conn, [5])
    assert [(one.message, one.sender) for one in found[5]] == [(2, "Ana Ruiz")]


def test_an_address_finds_a_message_by_the_id_of_any_copy(store: Store) -> None:
    with store.owner() as conn:
        conn.execute(MAIL)
    with store.reader() as conn:
        assert find(conn, None, "<copy@x.example>") == (1, {1})
        assert find(conn, None, "3") == (1, {3})
        assert find(conn, 9, None) == (9, set())
        assert find(conn, None, "<nowhere@x.example>") == (None, set())
        assert find(conn, 77, None) == (None, set())
        # two mails bear this id: the thread says which is meant
        assert find(conn, 9, "<1@x.example>") == (9, {9})
        assert ids(conn, ["1,3", "<4@x.example>"]) == {1, 3, 4}


def test_a_circle_of_answers_is_cut_and_everything_is_drawn_once(store: Store) -> None:
    with store.owner() as conn:
        conn.execute(MAIL)
        conn.execute("INSERT INTO mail.reply (message, parent, rule) VALUES (1, 3, 'in_reply_to')")
    with store.reader() as conn:
        nodes = thread(conn, 1).nodes
    assert sorted(node.id for node in nodes) == [1, 2, 3, 4, 5, 6]
