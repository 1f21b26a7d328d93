"""How messages are cut for reading: nothing of a body is lost, history is folded."""

from sql.store import Store
from ui.messages import SNIPPET, Piece, _snippet, by_message_id, full, headlines, pieces


def test_a_body_is_cut_at_its_hidden_spans_and_nothing_is_lost() -> None:
    body = "Yes, let us.\n\n> Shall we move it?\n> Thursday works.\n\nAna\n"
    start, stop, signature = body.index(">"), body.index("\n\nAna"), body.index("Ana")
    cut = pieces(body, [(start, stop, "quoted"), (signature, len(body), "signature")])
    assert [piece.hidden for piece in cut] == [None, "history", "signature"]
    assert "".join(piece.text for piece in cut) == body


def test_a_quotation_and_the_line_above_it_are_folded_once() -> None:
    body = "> one\n> two\nnew"
    assert pieces(body, [(0, 6, "attribution"), (6, 12, "quoted")]) == (
        Piece("> one\n> two\n", "history"),
        Piece("new", None),
    )


def test_a_body_without_hidden_text_is_one_piece() -> None:
    assert pieces("hello", []) == (Piece("hello", None),)
    assert pieces("", []) == ()


def test_a_snippet_is_one_line_cut_at_a_word() -> None:
    text = _snippet("The  rate\nis " + "very " * 100, False)
    assert text.startswith("The rate is very")
    assert text.endswith("very…")
    assert len(text) <= SNIPPET + 1


def test_a_snippet_from_the_middle_says_so() -> None:
    assert _snippet("rate is 90", True) == "…rate is 90"


def test_a_whole_message_is_read_with_people_files_folders_and_copies(store: Store) -> None:
    with store.owner() as conn:
        conn.execute(MAIL)
    with store.reader() as conn:
        whole = full(conn, 7)
        lines = headlines(conn, [7, 8], {7: (4, 9)})
        assert full(conn, 99) is None
        assert by_message_id(conn, ["<copy@x.example>", "<nowhere@x.example>"]) == {"<copy@x.example>": 7}
    assert whole is not None
    assert whole.headline.subject == "Test window"
    assert whole.sender_address == "ana@x.example"
    assert whole.recipients == {"to": ["Ben Okoro <ben@y.example>"], "cc": ["list@y.example"], "bcc": []}
    assert [piece.hidden for piece in whole.pieces] == [None, "history"]
    assert [(file.name, file.bytes) for file in whole.files] == [("plan.pdf", 2048)]
    assert whole.labels == ("inbox", "projects")
    assert len(whole.places) == 2
    assert whole.thread_messages == 2
    assert lines[7].snippet.startswith("…let us")
    assert lines[7].sender == "Ana Ruiz"
    assert lines[8].subject == "(no subject)"
    assert lines[8].sender == "unknown sender"


MAIL = """
INSERT INTO mail.mailbox (id, name) VALUES (1, 'default');
INSERT INTO mail.source (id, mailbox, path, format) VALUES (1, 1, '/mail/inbox.mbox', 'mbox');
INSERT INTO mail.address (id, address) VALUES (1, 'ana@x.example'), (2, 'ben@y.example'), (3, 'list@y.example');
INSERT INTO mail.person (id, name) VALUES (1, 'Ana Ruiz'), (2, 'Ben Okoro');
INSERT INTO mail.person_address (address, person) VALUES (1, 1), (2, 2);
INSERT INTO mail.thread (id, subject, messages, participants) VALUES (7, 'Test window', 2, 2);
INSERT INTO mail.message (id, content_key, message_id, sender, subject, body, hidden, new_text, thread, local_at)
VALUES (7, 'a', '<a@x.example>', 1, 'Test  window', E'Yes, let us.\\n> Shall we?', '[[13, 24, "quote"]]',
        'Yes, let us.', 7, '2025-03-04 09:30'),
       (8, 'b', '<b@x.example>', NULL, '', '', '[]', '', 7, NULL);
INSERT INTO mail.recipient (message, kind, address) VALUES (7, 'to', 2), (7, 'cc', 3);
INSERT INTO mail.attachment (message, part, name, type, bytes, sha256) VALUES (7, '2', 'plan.pdf', 'application/pdf', 2048, 'x');
INSERT INTO mail.occurrence (id, message, source, key, raw_sha256, message_id)
VALUES (1, 7, 1, '0', 'x', '<a@x.example>'), (2, 7, 1, '900', 'x', '<copy@x.example>');
INSERT INTO mail.label (id, name) VALUES (1, 'inbox'), (2, 'projects');
INSERT INTO mail.occurrence_label (occurrence, label) VALUES (1, 1), (2, 2);
"""
