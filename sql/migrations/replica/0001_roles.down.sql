revoke usage on schema deid from pgdeid_service;

do $$
declare
    p record;
begin
    execute format('revoke all on database %I from pgdeid_service, pgdeid_analyst', current_database());
    for p in select object, privilege from deid.public_privilege loop
        if p.object = 'database' then
            execute format('grant %s on database %I to public', p.privilege, current_database());
        elsif exists (select from pg_namespace where nspname = 'public') then
            execute format('grant %s on schema public to public', p.privilege);
        end if;
    end loop;
end
$$;

drop table deid.public_privilege;

-- A role that another database of this server uses, or that people are members of, stays.
do $$
declare
    r record;
begin
    for r in
        select oid, rolname from pg_roles
        where rolname in ('pgdeid_service', 'pgdeid_analyst')
          and not exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = pg_roles.oid)
          and not exists (select from pg_auth_members where roleid = pg_roles.oid and member::regrole::text <> quote_ident(current_user))
    loop
        execute format('drop role %I', r.rolname);
    end loop;
end
$$;
