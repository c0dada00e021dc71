-- The rows are in tables that analysts can't reach; what they read are views with the names of the source.
create schema deid_rows;
comment on schema deid_rows is 'pgdeid: the de-identified rows; analysts read the views over them';
revoke all on schema deid_rows from public;
grant usage on schema deid_rows to pgdeid_service;

-- Tables of earlier versions move; "migrate up" makes the views over them.
do $$
declare
    g record;
begin
    for g in
        select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as place, quote_ident(c.relname) as name, e.name as full_name
        from deid.generated e
        join pg_namespace n on n.nspname = split_part(e.name, '.', 1)
        join pg_class c on c.relnamespace = n.oid and c.relname = split_part(e.name, '.', 2) and c.relkind = 'r'
        where e.kind = 'table'
    loop
        execute format('revoke all on %s from pgdeid_analyst', g.place);
        execute format('alter table %s set schema deid_rows', g.place);
        execute format('alter table deid_rows.%s rename to %I', g.name, g.full_name);
    end loop;
end
$$;

create table deid.row_order (
    place      text primary key,
    written_by xid,
    ordered_at timestamptz not null default now()
);
comment on table deid.row_order is 'tables whose rows were put in the order of their published keys';
comment on column deid.row_order.place is 'the table, quoted where needed';
comment on column deid.row_order.written_by is 'xmin of the rows that were in order then; null if there were none';
comment on column deid.row_order.ordered_at is 'when that was';
grant select, delete on deid.row_order to pgdeid_service;

create function deid.put_in_order(place text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    target regclass := place::regclass;
    keys   text;
    n      bigint;
begin
    if not exists (
        select from pg_class c
        where c.oid = target and c.relkind = 'r'
          and (c.relnamespace::regnamespace::text in ('deid_rows', 'deid_waiting', 'deid_released')
               or target::text in ('deid.surrogate', 'deid.date_shift', 'deid.note_provenance')))
    then
        raise exception '% is no table that is put in order', target using errcode = 'insufficient_privilege';
    end if;
    select string_agg(quote_ident(a.attname), ', ' order by k.n) into keys
    from pg_index i, unnest(i.indkey::int2[]) with ordinality k (attnum, n), pg_attribute a
    where i.indrelid = target and i.indisprimary and a.attrelid = target and a.attnum = k.attnum;
    -- A new transaction writes all rows, so that xmin keeps nothing of the order either. Readers wait
    -- from the second lock on.
    execute format('lock table %s in exclusive mode', target);
    execute format('create temp table pgdeid_in_order on commit drop as select * from %s', target);
    execute format('truncate %s', target);
    execute format('insert into %s select * from pg_temp.pgdeid_in_order order by %s', target, keys);
    get diagnostics n = row_count;
    drop table pg_temp.pgdeid_in_order;
    execute format('insert into deid.row_order (place, written_by) select %L, (select xmin from %s limit 1)
        on conflict (place) do update set written_by = excluded.written_by, ordered_at = excluded.ordered_at', target::text, target);
    execute format('analyze %s', target);
    return n;
end
$$;
comment on function deid.put_in_order(text) is 'writes the rows of a table anew in the order of its key; returns how many';

create function deid.set_readable(table_name text, readable boolean) returns void
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
comment on function deid.set_readable(text, boolean) is 'lets analysts read a research table, or not while it is copied';

revoke all on function deid.put_in_order(text), deid.set_readable(text, boolean) from public;
grant execute on function deid.put_in_order(text), deid.set_readable(text, boolean) to pgdeid_service;
