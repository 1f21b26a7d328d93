-- Five views for queries that a model or a person writes, and a role that can read them and nothing else.
--
-- Each view is wide, so that most questions need one of them and no join: a small model joins badly. All hold counted
-- messages only (not known from quotations only, no drafts, spam or trash) and people instead of addresses, so that
-- the counting rule holds whatever is asked. The comments on views and columns are the documentation that the model
-- is given.
--
-- The reader becomes mailweave_views for the one transaction of such a query: it cannot reach the tables behind.
--
-- Idempotent: safe to run again.

CREATE SCHEMA IF NOT EXISTS views;
-- derived: made anew, so that a column can also be taken away
DROP VIEW IF EXISTS views.attachments, views.folders, views.messages, views.correspondence, views.threads;
DROP VIEW IF EXISTS views.people;

CREATE VIEW views.messages AS
SELECT m.id AS message_id, m.local_at AS date, to_char(m.local_at, 'YYYY-MM') AS month, m.subject,
       p.name AS sender, a.address AS sender_address, coalesce(o.domain, a.domain) AS sender_domain,
       (SELECT count(DISTINCT w.person) FROM mail.recipient r JOIN mail.person_address w USING (address)
        WHERE r.message = m.id) AS recipients,
       m.subject_base AS title, t.subject AS thread, m.thread AS thread_id,
       (SELECT min(y.parent) FROM mail.reply y WHERE y.message = m.id) AS reply_to,
       EXISTS (SELECT FROM mail.reply y JOIN mail.message n ON n.id = y.message
               WHERE y.parent = m.id AND n.counted) AS answered,
       m.kind, m.subject || ' ' || m.body AS text
FROM mail.message m
LEFT JOIN mail.address a ON a.id = m.sender
LEFT JOIN mail.organization o ON o.id = a.organization
LEFT JOIN mail.person_address pa ON pa.address = m.sender
LEFT JOIN mail.person p ON p.id = pa.person
LEFT JOIN mail.thread t ON t.id = m.thread
WHERE m.counted;
COMMENT ON VIEW views.messages IS 'one row a message';
COMMENT ON COLUMN views.messages.date IS 'when it was sent';
COMMENT ON COLUMN views.messages.month IS 'like ''2001-10''';
COMMENT ON COLUMN views.messages.sender IS 'full name';
COMMENT ON COLUMN views.messages.sender_domain IS 'organisation of the sender, like ''example.com''';
COMMENT ON COLUMN views.messages.recipients IS 'number of recipients';
COMMENT ON COLUMN views.messages.title IS 'subject without Re: and Fw:, in small letters';
COMMENT ON COLUMN views.messages.thread IS 'title of the conversation';
COMMENT ON COLUMN views.messages.reply_to IS 'message_id of the message that it answers';
COMMENT ON COLUMN views.messages.answered IS 'true when somebody answered it';
COMMENT ON COLUMN views.messages.kind IS '''mail'', ''automated'' or ''chat''';
COMMENT ON COLUMN views.messages.text IS 'subject and body';

CREATE VIEW views.correspondence AS
SELECT m.id AS message_id, m.local_at AS date, to_char(m.local_at, 'YYYY-MM') AS month, m.subject,
       p.name AS sender, coalesce(o.domain, a.domain) AS sender_domain,
       r.kind AS role, q.name AS recipient, b.address AS recipient_address,
       coalesce(g.domain, b.domain) AS recipient_domain, m.thread AS thread_id, m.kind
FROM mail.message m
JOIN mail.recipient r ON r.message = m.id
JOIN mail.address b ON b.id = r.address
LEFT JOIN mail.organization g ON g.id = b.organization
JOIN mail.person_address qa ON qa.address = r.address
JOIN mail.person q ON q.id = qa.person
LEFT JOIN mail.address a ON a.id = m.sender
LEFT JOIN mail.organization o ON o.id = a.organization
LEFT JOIN mail.person_address pa ON pa.address = m.sender
LEFT JOIN mail.person p ON p.id = pa.person
WHERE m.counted;
COMMENT ON VIEW views.correspondence IS 'one row a message and recipient: who wrote to whom';
COMMENT ON COLUMN views.correspondence.role IS '''to'', ''cc'' or ''bcc''';
COMMENT ON COLUMN views.correspondence.recipient IS 'full name';
COMMENT ON COLUMN views.correspondence.recipient_domain IS 'organisation of the recipient';

CREATE VIEW views.folders AS
SELECT DISTINCT m.message_id, l.name AS folder, m.date, m.month, m.subject, m.sender, m.sender_domain, m.kind
FROM views.messages m
JOIN mail.occurrence c ON c.message = m.message_id
JOIN mail.occurrence_label k ON k.occurrence = c.id
JOIN mail.label l ON l.id = k.label;
COMMENT ON VIEW views.folders IS 'one row a message and folder it lies in';

CREATE VIEW views.threads AS
SELECT t.id AS thread_id, t.subject, t.messages, t.participants, t.first_at AS first_date, t.last_at AS last_date
FROM mail.thread t WHERE t.messages > 0;
COMMENT ON VIEW views.threads IS 'one row a conversation';
COMMENT ON COLUMN views.threads.messages IS 'number of messages';
COMMENT ON COLUMN views.threads.participants IS 'number of people in it';

CREATE VIEW views.attachments AS
SELECT f.message AS message_id, f.name, f.type, f.bytes, m.date, m.month, m.subject, m.sender, m.sender_domain
FROM mail.file f JOIN views.messages m ON m.message_id = f.message;
COMMENT ON VIEW views.attachments IS 'one row a file that came with a message';
COMMENT ON COLUMN views.attachments.name IS 'file name';
COMMENT ON COLUMN views.attachments.type IS 'MIME type, like ''application/pdf''';

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mailweave_views') THEN
        BEGIN
            CREATE ROLE mailweave_views NOLOGIN;
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN NULL;  -- another store of this server was faster
        END;
    END IF;
    GRANT USAGE ON SCHEMA views TO mailweave_views;
    GRANT SELECT ON ALL TABLES IN SCHEMA views TO mailweave_views;
    GRANT mailweave_views TO mailweave_reader;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'queries over the views stay closed: only the server''s administrator may make their role';
END
$$;
