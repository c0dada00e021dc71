create or replace function deid.set_readable(table_name text, readable boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    target text;
begin
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
select case when r.mode = 'live' then p.updated_at else r.as_of end as as_of,
       case when r.mode = 'live' then p.complete else r.as_of is not null end as complete,
       r.mode as release
from deid.release r
cross join (select max(p.updated_at) as updated_at,
                   bool_and(not exists (select from deid.snapshot s where s.slot = p.slot and not s.done)) as complete
            from deid.progress p) p;
comment on column deid_info.freshness.as_of is 'when a change of the source was last applied here or, where rows are released later, of when the last release is';
drop table deid.rotation_former, deid.rotation_word, deid.rotation;
drop schema deid_before;
