-- Another key: rows are made anew under it beside those that analysts read, until one switch shows them.
create schema deid_before;
comment on schema deid_before is 'pgdeid: the rows that analysts read while "pgdeid key rotate" makes those of the next key; empty otherwise';
revoke all on schema deid_before from public;
grant usage on schema deid_before to pgdeid_service;

create table deid.rotation (
    one        boolean primary key default true check (one),
    old_check  bytea not null,
    from_epoch integer not null check (from_epoch > 0),
    to_epoch   integer not null check (to_epoch = from_epoch + 1),
    begun_at   timestamptz not null default now(),
    copied_at  timestamptz,
    before     jsonb not null
);
comment on table deid.rotation is 'a change of the key that is under way; one row, or none';
comment on column deid.rotation.one is 'always true: there is one row';
comment on column deid.rotation.old_check is 'check value of the key of the epoch before';
comment on column deid.rotation.from_epoch is 'which key analysts'' rows are made with';
comment on column deid.rotation.to_epoch is 'which key rows are made with now';
comment on column deid.rotation.begun_at is 'when it began: analysts'' rows are as of then';
comment on column deid.rotation.copied_at is 'when it was first seen that all tables are copied';
comment on column deid.rotation.before is 'how many rows each table had, and found what they refer to';

create table deid.rotation_word (
    kind    text not null check (kind in ('record', 'directory', 'purged')),
    patient text not null,
    hash    bytea not null,
    primary key (kind, patient, hash)
);
comment on table deid.rotation_word is 'hashes of the key before, of words that ever were in records and in the directory: they are met in texts once more, and kept under the next key';
comment on column deid.rotation_word.kind is 'record, directory, or purged: a patient''s hash, to prove that none is left';
comment on column deid.rotation_word.patient is 'pseudonym of the epoch before; empty for the directory';
comment on column deid.rotation_word.hash is 'keyed hash';

create table deid.rotation_former (
    patient text not null,
    former  text not null,
    primary key (patient, former)
);
comment on table deid.rotation_former is 'whose rows a patient had taken over, by pseudonyms of the epoch before';
comment on column deid.rotation_former.patient is 'pseudonym of the patient who has the rows';
comment on column deid.rotation_former.former is 'pseudonym of the patient who had them';

grant select on deid.rotation to pgdeid_service;
grant select, delete on deid.rotation_word, deid.rotation_former to pgdeid_service;

create or replace function deid.set_readable(table_name text, readable boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    target text;
begin
    if exists (select from deid.rotation) then
        return; -- the view shows the rows of the epoch before, which nobody writes
    end if;
    select format('%I.%I', n.nspname, c.relname) into target
    from deid.generated g
    join pg_namespace n on n.nspname = split_part(g.name, '.', 1)
    join pg_class c on c.relnamespace = n.oid and c.relname = split_part(g.name, '.', 2) and c.relkind = 'v'
    where g.kind = 'table' and g.name = set_readable.table_name;
    if target is null then
        raise exception 'there is no research view %', set_readable.table_name;
    end if;
    if readable then
        execute format('grant select on %s to pgdeid_analyst', target);
    else
        execute format('revoke select on %s from pgdeid_analyst', target);
    end if;
end
$$;

create or replace view deid_info.freshness as
select case when k.begun_at is not null then k.begun_at when r.mode = 'live' then p.updated_at else r.as_of end as as_of,
       case when k.begun_at is not null then true when r.mode = 'live' then p.complete else r.as_of is not null end as complete,
       r.mode as release
from deid.release r
cross join (select max(p.updated_at) as updated_at,
                   bool_and(not exists (select from deid.snapshot s where s.slot = p.slot and not s.done)) as complete
            from deid.progress p) p
left join deid.rotation k on true;
comment on column deid_info.freshness.as_of is 'when a change of the source was last applied here or, where rows are released later, of when the last release is; while the key is changed, when that began';
