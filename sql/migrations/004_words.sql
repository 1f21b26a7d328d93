-- The words of a message, for questions about mentions: "which messages mention X" must be exact and complete, while a
-- full-text index stems words and keeps addresses, links and file names as single tokens.
--
-- A word is a longest run of letters, digits and underscores, in lower case; the collation says what a letter is,
-- whatever the server's locale. graph/mentions.py makes an index over it once the mail is loaded: an index that is
-- there while rows are loaded and updated would take their words again each time.
--
-- Of a word beyond 250 characters (a key, a hash, a line of a dump) only these are kept: an entry of an index has a
-- limit, beyond which the whole index could not be built. graph/mentions.py looks at the text for such a word.
--
-- Idempotent: safe to run again.

CREATE OR REPLACE FUNCTION mail.words(subject text, body text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT string_to_array(regexp_replace(
        regexp_replace(lower((subject || ' ' || body) COLLATE "pg_c_utf8"), '[^[:alnum:]_]+', ' ', 'g'),
        '([^ ]{250})[^ ]+', '\1', 'g'), ' ')
$$;
