-- Roles belong to the whole server, so one that another database of it uses already is kept.
do $$
declare
    r name;
begin
    foreach r in array '{pgdeid_engine,pgdeid_pull,pgdeid_ask,pgdeid_preview}'::name[] loop
        if not exists (select from pg_roles where rolname = r) then
            execute format('create role %I nologin', r);
        end if;
    end loop;
end
$$;

comment on role pgdeid_engine is 'pgdeid: asks the engine for everybody who may; has the user mapping, and no members';
comment on role pgdeid_pull is 'pgdeid: gets de-identified notes by key, never their text; grant it to people who may';
comment on role pgdeid_ask is 'pgdeid: hands identified text to the engine, and gets it de-identified; grant it to jobs';
comment on role pgdeid_preview is 'pgdeid: sees what the engine finds in a text, and why; grant it to stewards of the data';

grant usage on schema deid to pgdeid_engine, pgdeid_pull, pgdeid_ask, pgdeid_preview;

create schema deid_engine;
comment on schema deid_engine is 'pgdeid: the engine''s tables, only for pgdeid_engine';
revoke all on schema deid_engine from public;
grant usage on schema deid_engine to pgdeid_engine;
