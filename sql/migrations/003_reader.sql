-- The reader: a login of its own that can only read, for everything a model or a person writes as a query.
--
-- Rights are the first wall (SELECT only), the read-only transaction and the time-out the second (set for the role, so
-- that no connection starts without them). Functions that could wait, lock, read files or change settings are taken
-- from everybody but the owner, as far as the owner may do that on this server.
--
-- Each of these is a step of its own: on a managed server the owner may close less than an administrator may. The
-- rights on ag_catalog are granted by migrate.py, since that schema is made anew with another version of AGE.
--
-- Idempotent: safe to run again.

GRANT USAGE ON SCHEMA mail TO mailweave_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA mail TO mailweave_reader;
ALTER DEFAULT PRIVILEGES IN SCHEMA mail GRANT SELECT ON TABLES TO mailweave_reader;

DO $$
DECLARE
    closing text;
BEGIN
    FOR closing IN
        SELECT 'REVOKE CREATE ON SCHEMA public FROM PUBLIC'
        UNION ALL
        SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database())
        UNION ALL
        -- the owner, where it is no administrator, keeps what it could do as one of the public
        SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', p.oid::regprocedure)
               || CASE WHEN has_function_privilege(n.nspowner, p.oid, 'EXECUTE')
                  THEN format('; GRANT EXECUTE ON FUNCTION %s TO %I', p.oid::regprocedure, pg_get_userbyid(n.nspowner))
                  ELSE '' END
        FROM pg_proc p JOIN pg_namespace n ON n.nspname = 'mail'
        WHERE p.pronamespace = 'pg_catalog'::regnamespace
          AND (p.proname ~ '^pg_(try_)?advisory_' OR p.proname ~ '^pg_sleep' OR p.proname ~ '^lo_'
               OR p.proname IN ('loread', 'lowrite', 'lo_get', 'set_config', 'pg_notify', 'pg_cancel_backend',
                                'pg_terminate_backend', 'pg_reload_conf', 'pg_rotate_logfile', 'pg_read_file',
                                'pg_read_binary_file', 'pg_ls_dir', 'pg_stat_file', 'pg_export_snapshot',
                                'pg_logical_emit_message', 'query_to_xml', 'query_to_xmlschema',
                                'query_to_xml_and_xmlschema', 'cursor_to_xml', 'database_to_xml', 'schema_to_xml',
                                'table_to_xml'))
    LOOP
        BEGIN
            EXECUTE closing;
        EXCEPTION
            WHEN insufficient_privilege THEN NULL;  -- said where the store is opened (sql/server.py)
        END;
    END LOOP;
END
$$;
