-- Whole messages as they are searched by words: subject and all the text, quotations included.
--
-- A copy beside mail.message, since the BM25 index keeps the place of a row: rows that are updated in place (a thread, a
-- kind) are no longer found through it. Rows here are written and removed, never updated; sql/bm25.py does so before it
-- builds the index. Without pg_textsearch the table stays empty. Derived: neither copied nor backed up.
--
-- Idempotent: safe to run again.

CREATE TABLE IF NOT EXISTS mail.whole_message (
    message bigint PRIMARY KEY REFERENCES mail.message ON DELETE CASCADE,
    text    text NOT NULL
);
GRANT SELECT ON mail.whole_message TO mailweave_reader;
