-- What reads or writes tables does so as who calls it.

create function deid.column_of(relation regclass, name name, word text) returns text
    language plpgsql stable parallel safe
    set search_path = pg_catalog, pg_temp
as $$
declare
    keys name[];
begin
    if name is null and word = 'key_column' then
        select array_agg(a.attname order by a.attnum) into keys
        from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
        where i.indrelid = relation and i.indisprimary;
        if cardinality(keys) = 1 then
            return quote_ident(keys[1]);
        end if;
        raise exception '% has % as its primary key', relation, coalesce('(' || array_to_string(keys, ', ') || ')', 'nothing')
            using errcode = 'undefined_column', hint = 'say which column tells its rows apart: key_column => ''…''';
    end if;
    if not exists (select from pg_attribute a where a.attrelid = relation and a.attname = column_of.name and a.attnum > 0 and not a.attisdropped) then
        raise exception '% has no column %', relation, coalesce(quote_ident(name), 'NULL')
            using errcode = 'undefined_column',
                hint = format('say %s => ''…''; there are %s', word, (
                    select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
                    from pg_attribute a where a.attrelid = relation and a.attnum > 0 and not a.attisdropped));
    end if;
    return quote_ident(name);
end
$$;
comment on function deid.column_of(regclass, name, text) is 'a column of a table, quoted; without a name the primary key. For deidentify_all and deidentify_into';

create function deid.deidentify_all(
    source regclass, key_column name default null, patient_column name default 'patient_id', note_column name default 'note',
    batch_size integer default 500, out key text, out deid_note text, out reason text
) returns setof record
    language plpgsql stable parallel restricted cost 10000000 rows 100000
    set search_path = pg_catalog, pg_temp
as $$
declare
    k text := deid.column_of(source, key_column, 'key_column');
    p text := deid.column_of(source, patient_column, 'patient_column');
    n text := deid.column_of(source, note_column, 'note_column');
    r record;
    keys text[] := '{}';
    patients text[] := '{}';
    notes text[] := '{}';
    bytes bigint := 0;
begin
    if batch_size is null or batch_size not between 1 and 10000 then
        raise exception 'batch_size is %', coalesce(batch_size::text, 'NULL') using errcode = 'invalid_parameter_value', hint = 'want 1 to 10000';
    end if;
    for r in execute format('select %s::text as k, %s::text as p, %s::text as n from %s', k, p, n, source) loop
        keys := array_append(keys, r.k);
        patients := array_append(patients, r.p);
        notes := array_append(notes, r.n);
        bytes := bytes + coalesce(octet_length(r.n), 0);
        if cardinality(keys) >= batch_size or bytes > 4000000 then
            return query select u.k, u.t, u.why
                from deid.deidentify_batch(patients, notes) b, unnest(keys, b.deid_notes, b.reasons) u(k, t, why);
            keys := '{}';
            patients := '{}';
            notes := '{}';
            bytes := 0;
        end if;
    end loop;
    return query select u.k, u.t, u.why
        from deid.deidentify_batch(patients, notes) b, unnest(keys, b.deid_notes, b.reasons) u(k, t, why);
end
$$;
comment on function deid.deidentify_all(regclass, name, name, name, integer) is
    'all notes of a table or view, in batches: key (by default the primary key, as text) and text with surrogates in; a note that can''t be de-identified has a reason instead';

create function deid.deidentify_next(
    source regclass, target regclass, key_column name, patient_column name, note_column name, batch_size integer,
    inout after_key text, out notes integer, out refused integer
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    k text := deid.column_of(source, key_column, 'key_column');
    p text := deid.column_of(source, patient_column, 'patient_column');
    n text := deid.column_of(source, note_column, 'note_column');
    kind text;
    keys text[];
    patients text[];
    texts text[];
begin
    perform deid.column_of(target, a, 'target with') from unnest(array[(parse_ident(k))[1], 'deid_note', 'reason']) a;
    select format_type(a.atttypid, a.atttypmod) into kind from pg_attribute a where a.attrelid = source and quote_ident(a.attname) = k;
    execute format($sql$
        select array_agg(k::text order by k), array_agg(p order by k), array_agg(n order by k)
        from (
            select k, p, n, sum(octet_length(n)) over (order by k rows between unbounded preceding and 1 preceding) as before
            from (
                select s.%1$s as k, s.%2$s::text as p, s.%3$s::text as n from %4$s s
                where ($1 is null or s.%1$s > $1::%6$s) and not exists (select from %5$s t where t.%1$s = s.%1$s)
                order by s.%1$s limit $2
            ) few
        ) sized
        where coalesce(before, 0) < 4000000$sql$, k, p, n, source, target, kind)
        into keys, patients, texts using after_key, batch_size;
    after_key := keys[cardinality(keys)];
    notes := coalesce(cardinality(keys), 0);
    refused := 0;
    if notes > 0 then
        execute format($sql$
            with answered as (
                insert into %s (%s, deid_note, reason)
                select u.k::%s, u.t, u.why from deid.deidentify_batch($2, $3) b, unnest($1, b.deid_notes, b.reasons) u(k, t, why)
                returning reason
            )
            select count(reason) from answered$sql$, target, k, kind)
            into refused using keys, patients, texts;
    end if;
end
$$;
comment on function deid.deidentify_next(regclass, regclass, name, name, name, integer, text) is 'one step of deidentify_into: the rows that come after a key';

create procedure deid.deidentify_into(
    source regclass, target regclass, key_column name default null, patient_column name default 'patient_id',
    note_column name default 'note', batch_size integer default 500, commits boolean default true
)
    language plpgsql
as $$
declare
    step record;
    last text;
    total bigint := 0;
    bad bigint := 0;
begin
    if batch_size is null or batch_size not between 1 and 10000 then
        raise exception 'batch_size is %', coalesce(batch_size::text, 'NULL') using errcode = 'invalid_parameter_value', hint = 'want 1 to 10000';
    end if;
    loop
        select * into step from deid.deidentify_next(source, target, key_column, patient_column, note_column, batch_size, last);
        last := step.after_key;
        exit when last is null;
        total := total + step.notes;
        bad := bad + step.refused;
        if commits then
            commit;
        end if;
    end loop;
    raise notice '% notes are new in %, % of them could not be de-identified', total, target, bad;
end
$$;
comment on procedure deid.deidentify_into(regclass, regclass, name, name, name, integer, boolean) is
    'de-identifies what target does not have yet, and commits after each batch, so that it can be stopped and called again. target has the source''s key column, deid_note and reason. commits => false for use within a transaction';

revoke all on function deid.column_of(regclass, name, text), deid.deidentify_all(regclass, name, name, name, integer),
    deid.deidentify_next(regclass, regclass, name, name, name, integer, text) from public;
revoke all on procedure deid.deidentify_into(regclass, regclass, name, name, name, integer, boolean) from public;
grant execute on function deid.column_of(regclass, name, text), deid.deidentify_all(regclass, name, name, name, integer),
    deid.deidentify_next(regclass, regclass, name, name, name, integer, text) to pgdeid_ask;
grant execute on procedure deid.deidentify_into(regclass, regclass, name, name, name, integer, boolean) to pgdeid_ask;
