-- Full-text search over the chunks: a BM25 index where the server has pg_textsearch, else a tsvector column with a
-- GIN index, so that the lexical column answers everywhere.
--
-- Idempotent: safe to run again.

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_textsearch') THEN
        IF to_regclass('mail.chunk_bm25') IS NULL THEN
            CREATE INDEX chunk_bm25 ON mail.chunk USING bm25 (text) WITH (text_config = 'english');
        END IF;
    ELSIF to_regclass('mail.chunk_words') IS NULL THEN
        ALTER TABLE mail.chunk ADD COLUMN IF NOT EXISTS words tsvector
            GENERATED ALWAYS AS (to_tsvector('english', text)) STORED;
        CREATE INDEX chunk_words ON mail.chunk USING gin (words);
    END IF;
END
$$;
