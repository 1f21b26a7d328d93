-- What has changed in the tables since the graph was built, so that an update touches only that.
--
-- Whoever writes to the tables (ingest, forgetting a source, merging people) need not know about the graph: statement
-- triggers write down each row that came or went with a hash of the columns the graph is made of. A row that was
-- deleted and inserted again as it was, as the second phase of an ingest does with people and replies, adds up to
-- nothing. Before the first build nothing is written down: everything will be read anyway.
--
-- Idempotent: safe to run again.

CREATE TABLE IF NOT EXISTS mail.graph_change (
    -- message: its vertex and edges; counting: also what it adds to counts; person, address, thread ...: see the triggers
    what     text NOT NULL,
    a        bigint NOT NULL,
    b        bigint NOT NULL,
    row_hash bigint NOT NULL,
    -- rows that came minus rows that went
    n        bigint NOT NULL
);

-- The argument is a VALUES list over one row "t" of the table: (what, a, b, hash of the row).
CREATE OR REPLACE FUNCTION mail.graph_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before text := format('SELECT x.*, -1 AS sign FROM before t CROSS JOIN LATERAL (%s) x(what, a, b, h)', TG_ARGV[0]);
    after text := format('SELECT x.*, 1 AS sign FROM after t CROSS JOIN LATERAL (%s) x(what, a, b, h)', TG_ARGV[0]);
BEGIN
    IF EXISTS (SELECT FROM mail.index_state WHERE name = 'graph') THEN
        EXECUTE format(
            'INSERT INTO mail.graph_change SELECT what, a, b, h, sum(sign) FROM (%s) c WHERE a IS NOT NULL '
            'GROUP BY what, a, b, h HAVING sum(sign) <> 0',
            CASE TG_OP WHEN 'INSERT' THEN after WHEN 'DELETE' THEN before ELSE before || ' UNION ALL ' || after END);
    END IF;
    RETURN NULL;
END
$$;

DO $$
DECLARE
    watched record;
    event record;
BEGIN
    FOR watched IN
        SELECT * FROM (VALUES
            ('message', $v$VALUES
                ('message', t.id, 0::bigint, hashtextextended(ROW(t.content_key, t.subject, t.thread, t.thread_rule,
                    t.kind, t.recovered, t.sender, t.sent_at, t.local_at, octet_length(t.body))::text, 0)),
                ('counting', t.id, 0::bigint, hashtextextended(ROW(t.sender, t.sent_at, t.kind, t.recovered)::text, 0))$v$),
            ('recipient', $v$VALUES
                ('counting', t.message, t.address, hashtextextended(t.kind, 0))$v$),
            ('reply', $v$VALUES ('message', t.message, t.parent, 1::bigint)$v$),
            ('quote', $v$VALUES ('message', t.message, coalesce(t.quoted, 0), 2::bigint)$v$),
            ('attachment', $v$VALUES
                ('message', t.message, t.id, hashtextextended(ROW(t.name, t.type, t.bytes, t.sha256)::text, 0))$v$),
            ('occurrence', $v$VALUES ('message', t.message, t.id, 3::bigint)$v$),
            ('occurrence_label', $v$VALUES
                ('message', (SELECT c.message FROM mail.occurrence c WHERE c.id = t.occurrence), t.label, t.occurrence)$v$),
            ('person', $v$VALUES
                ('person', t.id, 0::bigint, hashtextextended(ROW(t.name, t.is_owner, t.is_role)::text, 0))$v$),
            ('person_address', $v$VALUES
                ('person', t.person, t.address, 1::bigint), ('address', t.address, t.person, 1::bigint)$v$),
            ('address', $v$VALUES
                ('address', t.id, 0::bigint, hashtextextended(ROW(t.address, t.domain, t.organization)::text, 0))$v$),
            ('organization', $v$VALUES
                ('organization', t.id, 0::bigint, hashtextextended(ROW(t.domain, t.name)::text, 0))$v$),
            ('thread', $v$VALUES
                ('thread', t.id, 0::bigint, hashtextextended(
                    ROW(t.subject, t.messages, t.participants, t.first_at, t.last_at)::text, 0))$v$),
            ('label', $v$VALUES ('label', t.id, 0::bigint, hashtextextended(t.name, 0))$v$)
        ) w(relation, keys)
    LOOP
        FOR event IN
            SELECT * FROM (VALUES
                ('INSERT', 'NEW TABLE AS after'), ('DELETE', 'OLD TABLE AS before'),
                ('UPDATE', 'OLD TABLE AS before NEW TABLE AS after')
            ) e(name, tables)
        LOOP
            EXECUTE format(
                'CREATE OR REPLACE TRIGGER graph_%s AFTER %s ON mail.%I REFERENCING %s FOR EACH STATEMENT '
                'EXECUTE FUNCTION mail.graph_changed(%L)',
                lower(event.name), event.name, watched.relation, event.tables, watched.keys);
        END LOOP;
    END LOOP;
END
$$;
