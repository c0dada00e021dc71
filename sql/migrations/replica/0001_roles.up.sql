-- Roles belong to the whole server, so one that another database of it uses already is kept.
do $$
begin
    if not exists (select from pg_roles where rolname = 'pgdeid_service') then
        create role pgdeid_service login noinherit connection limit 64;
    end if;
    if not exists (select from pg_roles where rolname = 'pgdeid_analyst') then
        create role pgdeid_analyst nologin;
    end if;
end
$$;

alter role pgdeid_service set search_path = 'pg_catalog';
alter role pgdeid_service set lock_timeout = '30s';
alter role pgdeid_service set idle_in_transaction_session_timeout = '10min';

comment on role pgdeid_service is 'pgdeid: writes the research tables and the vault';
comment on role pgdeid_analyst is 'pgdeid: reads the research tables; grant it to people who may';

-- What everybody was allowed before, so that "down" gives back exactly that.
create table deid.public_privilege (
    object    text not null check (object in ('database', 'schema public')),
    privilege text not null,
    primary key (object, privilege)
);
comment on table deid.public_privilege is 'privileges of PUBLIC that were revoked when pgdeid was installed; "migrate down" grants them again';
comment on column deid.public_privilege.object is 'what the privilege was on';
comment on column deid.public_privilege.privilege is 'the privilege';

insert into deid.public_privilege
select 'database', a.privilege_type
from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
where d.datname = current_database() and a.grantee = 0
union all
select 'schema public', a.privilege_type
from pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a
where n.nspname = 'public' and a.grantee = 0;

do $$
begin
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to pgdeid_service, pgdeid_analyst', current_database());
    if exists (select from pg_namespace where nspname = 'public') then
        revoke all on schema public from public;
    end if;
end
$$;

revoke all on schema deid from public;
grant usage on schema deid to pgdeid_service;
