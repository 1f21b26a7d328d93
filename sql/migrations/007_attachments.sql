-- The text of attachments, and chunks cut from it.
--
-- A text is stored once for all copies of a file. Chunks of it stand with the first message that carries the file: the
-- same words under each of a hundred messages would push out everything else. start and stop of such a chunk count in
-- what mail.searched_text gives: the new text, then each attachment that was cut for the message, behind a line that
-- names it.
--
-- Idempotent: safe to run again.

CREATE TABLE IF NOT EXISTS mail.attachment_text (
    sha256 bytea PRIMARY KEY,
    text   text NOT NULL,
    -- read; cut (a part of it, the limit stands in detail); empty (no text in it); skipped (a kind that is not read);
    -- failed (broken, protected, too large)
    state  text NOT NULL CHECK (state IN ('read', 'cut', 'empty', 'skipped', 'failed')),
    detail text NOT NULL DEFAULT ''
);
GRANT SELECT ON mail.attachment_text TO mailweave_reader;

ALTER TABLE mail.chunk ADD COLUMN IF NOT EXISTS attachment bigint REFERENCES mail.attachment ON DELETE CASCADE;
CREATE INDEX IF NOT EXISTS chunk_attachment ON mail.chunk (attachment) WHERE attachment IS NOT NULL;
CREATE INDEX IF NOT EXISTS attachment_sha256 ON mail.attachment USING hash (sha256);

-- What people call an attachment. An invitation and the answer to one carry the same in a nameless part for calendars,
-- which no mail program shows as a file.
CREATE OR REPLACE VIEW mail.file AS
SELECT id, message, part, name, type, bytes, sha256 FROM mail.attachment
WHERE NOT (type = 'text/calendar' AND name = '');
GRANT SELECT ON mail.file TO mailweave_reader;

CREATE OR REPLACE FUNCTION mail.attachment_mark(name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT E'\n\n[Attachment: ' || coalesce(nullif(name, ''), 'without a name') || E']\n'
$$;

CREATE OR REPLACE FUNCTION mail.searched_text(of_message bigint, new_text text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT new_text || coalesce((
        SELECT string_agg(mail.attachment_mark(a.name) || t.text, '' ORDER BY c.first)
        FROM (
            SELECT attachment, min(position) AS first FROM mail.chunk
            WHERE message = of_message AND attachment IS NOT NULL GROUP BY 1
        ) c
        JOIN mail.attachment a ON a.id = c.attachment
        JOIN mail.attachment_text t USING (sha256)
    ), '')
$$;
