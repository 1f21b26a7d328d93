-- What the pages of the browser read at every click, without the wide rows of mail.message.
--
-- Counted messages by time: months, hours, senders and lists of them are answered from the index alone.
--
-- Idempotent: safe to run again.

CREATE INDEX IF NOT EXISTS message_counted_at ON mail.message (local_at) INCLUDE (id, sender, kind) WHERE counted;
