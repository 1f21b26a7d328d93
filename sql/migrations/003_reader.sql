-- The reader: a login of its own that can only read, for everything a model or a person writes as a query.
--
-- Rights are the first wall (SELECT only), the read-only transaction and the time-out the second (set for the role, so
-- that no connection starts without them). Functions that could wait, lock, read files or change settings are taken
-- from everybody but the owner, as far as the owner may do that on this server.
--
-- Idempotent: safe to run again.

GRANT USAGE ON SCHEMA mail TO mailweave_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA mail TO mailweave_reader;
ALTER DEFAULT PRIVILEGES IN SCHEMA mail GRANT SELECT ON TABLES TO mailweave_reader;
GRANT USAGE ON SCHEMA ag_catalog TO mailweave_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA ag_catalog TO mailweave_reader;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

DO $$
DECLARE
    routine regprocedure;
BEGIN
    EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    FOR routine IN
        SELECT p.oid::regprocedure
        FROM pg_proc p
        WHERE p.pronamespace = 'pg_catalog'::regnamespace
          AND (p.proname ~ '^pg_(try_)?advisory_' OR p.proname ~ '^pg_sleep' OR p.proname ~ '^lo_'
               OR p.proname IN ('loread', 'lowrite', 'lo_get', 'set_config', 'pg_notify', 'pg_cancel_backend',
                                'pg_terminate_backend', 'pg_reload_conf', 'pg_rotate_logfile', 'pg_read_file',
                                'pg_read_binary_file', 'pg_ls_dir', 'pg_stat_file', 'pg_export_snapshot',
                                'pg_logical_emit_message', 'query_to_xml', 'query_to_xmlschema',
                                'query_to_xml_and_xmlschema', 'cursor_to_xml', 'database_to_xml', 'schema_to_xml',
                                'table_to_xml'))
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', routine);
    END LOOP;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'some functions stay open to the reader: only the server''s administrator may close them';
END
$$;
