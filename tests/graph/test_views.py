"""SQL that people and models write over the views: it reads those and nothing else, by two walls."""

from __future__ import annotations

import psycopg
import pytest

from graph import views, views_text
from graph.cypher import Rows
from graph.errors import (
    QueryFailed,
    QueryForbidden,
    QueryRefused,
    QuerySyntax,
    QueryTimeout,
    UnknownName,
    WritingRefused,
)
from sql.store import Store
from tests.graph.mailboxes import Mailbox

Odd = tuple[Store, Mailbox]


def run(odd: Odd, query: str, **keywords: float) -> Rows:
    with odd[0].reader() as conn:
        return views.run(conn, query, **keywords)  # type: ignore[arg-type]


def test_counts_are_those_of_counted_messages_whatever_the_view(odd: Odd) -> None:
    counted = [m for m in odd[1].mail if m.kind not in ("draft", "spam", "trash") and not m.recovered]
    assert run(odd, "SELECT count(*) FROM messages").rows == ((len(counted),),)
    received = [m.id for m in counted if m.to or m.cc or m.bcc]
    assert run(odd, "SELECT count(DISTINCT message_id) FROM correspondence").rows == ((len(received),),)
    filed = {(m.id, label) for m in counted for label in m.labels}
    assert run(odd, "SELECT count(*) FROM folders").rows == ((len(filed),),)
    assert run(odd, "SELECT count(*) FROM attachments").rows == ((sum(len(m.files) for m in counted),),)


def test_rows_are_cut_openly_and_percent_signs_are_text(odd: Odd) -> None:
    found = run(odd, "SELECT subject, '100 %s' AS share FROM messages WHERE subject LIKE '%' ORDER BY date", limit=2)
    assert found.columns == ("subject", "share")
    assert len(found.rows) == 2
    assert found.cut
    assert found.rows[0][1] == "100 %s"


def test_the_views_and_all_that_needs_explaining_are_documented_in_the_database(odd: Odd) -> None:
    with odd[0].reader() as conn:
        documented = views.documentation(conn)
    assert {v.name for v in documented} == {"messages", "correspondence", "folders", "threads", "attachments"}
    assert all(v.meaning for v in documented)
    assert sum(bool(about) for v in documented for _, about in v.columns.values()) >= 15


REFUSED = [
    ("", QuerySyntax),
    ("DELETE FROM messages", WritingRefused),
    ("WITH x AS (DELETE FROM messages RETURNING 1) SELECT 1", WritingRefused),
    ("SELECT * INTO taken FROM messages", WritingRefused),
    ("SELECT 1; SELECT 2", QueryRefused),
    ("SELECT 1 -- and so on", QueryRefused),
    ("SELECT /* hidden */ 1", UnknownName),
    ("SELECT $$text$$", QueryRefused),
    ("SELECT E'\\'' FROM messages", QueryRefused),
    ("SELECT E'a' FROM messages", UnknownName),
    ('SELECT "sender" FROM messages', QueryRefused),
    ("SELECT body FROM mail.message", UnknownName),
    ("SELECT * FROM pg_class", UnknownName),
    ("SELECT relname FROM pg_catalog.pg_class", UnknownName),
    ("SELECT pg_read_file('/etc/passwd')", UnknownName),
    ("SELECT set_config('statement_timeout', '0', false)", UnknownName),
    ("SELECT count(*) AS pg_sleep FROM messages WHERE pg_sleep(9) IS NULL", UnknownName),
    ("SELECT sender AS nap FROM messages WHERE nap(9) IS NULL", QueryRefused),
    ("SELECT current_user", UnknownName),
    ("SELECT sender FROM nobody", UnknownName),
    ("SELECT sender FROM messages FOR UPDATE", WritingRefused),
    ("SELECT 1 AS pg_class FROM pg_class", UnknownName),
    ("SELECT sender AS mail, subject AS message FROM mail.message", UnknownName),
    ("SELECT m.sender FROM messages m, pg_class", UnknownName),
    ("SELECT 'open", QueryRefused),
    ("EXPLAIN SELECT 1", QueryRefused),
]


@pytest.mark.parametrize(("query", "kind"), REFUSED, ids=[q[:40] for q, _ in REFUSED])
def test_what_is_not_one_select_of_known_words_does_not_run(odd: Odd, query: str, kind: type[QueryFailed]) -> None:
    with pytest.raises(kind):
        run(odd, query)


def test_a_query_without_end_is_stopped(odd: Odd) -> None:
    joins = ", ".join(f"correspondence c{n}" for n in range(12))
    with pytest.raises(QueryTimeout):
        run(odd, f"SELECT count(*) FROM {joins} WHERE c0.subject ~ c1.subject", timeout=0.3)


def test_an_unknown_column_is_told_with_those_there_are(odd: Odd) -> None:
    with pytest.raises(UnknownName, match="folder_name") as told:
        run(odd, "SELECT folder_name FROM folders")
    assert "folder" in told.value.hint
    assert told.value.position == 7


@pytest.mark.parametrize("table", ["mail.message", "mail.index_state", "mail.recipient", "ag_catalog.ag_graph"])
def test_behind_the_words_the_role_can_read_nothing_but_the_views(odd: Odd, table: str) -> None:
    with odd[0].reader() as conn:
        conn.execute("SET LOCAL ROLE mailweave_views")
        assert conn.execute("SELECT count(*) FROM views.messages").fetchone() is not None
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(f"SELECT * FROM {table}")


def test_the_reader_is_itself_again_after_a_query(odd: Odd) -> None:
    with odd[0].reader() as conn:
        views.run(conn, "SELECT count(*) FROM messages")
        assert conn.execute("SELECT current_user").fetchone() == ("mailweave_reader",)


def test_where_the_server_gives_no_such_role_nothing_runs_with_more_rights(store: Store) -> None:
    with store.owner() as conn:
        conn.execute("REVOKE mailweave_views FROM mailweave_reader")
    try:
        with store.reader() as conn, pytest.raises(QueryForbidden) as told:
            views.run(conn, "SELECT count(*) FROM messages")
        assert "administrator" in told.value.hint
    finally:
        with store.owner() as conn:
            conn.execute("GRANT mailweave_views TO mailweave_reader")


def test_a_name_given_by_the_query_is_known_and_a_word_of_writing_never_is() -> None:
    known = {"messages": ["sender", "message_id"]}
    views_text.check("SELECT x.sender AS who, count(*) AS n FROM messages x GROUP BY who ORDER BY n DESC", known)
    views_text.check("WITH most AS (SELECT sender FROM messages) SELECT count(*) FROM most", known)
    with pytest.raises(WritingRefused):
        views_text.check("SELECT sender AS update FROM messages", known)
