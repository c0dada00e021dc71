-- Roles belong to the whole server, so one that another database of it uses already is kept.
do $$
begin
    if not exists (select from pg_roles where rolname = 'pgdeid_replication') then
        if exists (select from pg_roles where rolname = 'rds_replication') then
            -- Amazon RDS and Aurora: nobody may give REPLICATION, they have a role for it.
            create role pgdeid_replication login inherit connection limit 16;
            grant rds_replication to pgdeid_replication;
        else
            create role pgdeid_replication login noinherit replication connection limit 16;
        end if;
    end if;
    if not exists (select from pg_roles where rolname = 'pgdeid_reader') then
        create role pgdeid_reader login noinherit connection limit 16;
    end if;
end
$$;

alter role pgdeid_replication set search_path = 'pg_catalog';
alter role pgdeid_replication set default_transaction_read_only = on;
alter role pgdeid_replication set lock_timeout = '30s';

alter role pgdeid_reader set search_path = 'pg_catalog';
alter role pgdeid_reader set default_transaction_read_only = on;
alter role pgdeid_reader set statement_timeout = '30s';
alter role pgdeid_reader set lock_timeout = '5s';
alter role pgdeid_reader set idle_in_transaction_session_timeout = '5min';

comment on role pgdeid_replication is 'pgdeid: follows the publication and reads the mapped columns';
comment on role pgdeid_reader is 'pgdeid: reads the columns that tell who a patient is; used by the foreign server of the replica';

do $$
begin
    execute format('grant connect on database %I to pgdeid_replication, pgdeid_reader', current_database());
end
$$;
