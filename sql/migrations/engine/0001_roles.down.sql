drop schema deid_engine;
revoke usage on schema deid from pgdeid_engine, pgdeid_pull, pgdeid_ask, pgdeid_preview;

-- A role that another database of this server uses, or that people are members of, stays.
do $$
declare
    r record;
begin
    for r in
        select oid, rolname from pg_roles
        where rolname in ('pgdeid_engine', 'pgdeid_pull', 'pgdeid_ask', 'pgdeid_preview')
          and not exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = pg_roles.oid)
          and not exists (select from pg_auth_members where roleid = pg_roles.oid and member::regrole::text <> quote_ident(current_user))
    loop
        execute format('drop role %I', r.rolname);
    end loop;
end
$$;
