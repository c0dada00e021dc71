-- What calls the engine does so as pgdeid_engine. Generic plans send notes as
-- parameters; a custom plan would write them into the remote statement, which
-- postgres_fdw quotes in errors. Variables say their collation because a column's
-- own comes in with the arguments, and postgres_fdw keeps such conditions at home.

create function deid.deidentify(patient_id text, note text) returns text
    language plpgsql stable parallel safe security definer cost 10000
    set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
declare
    patient text collate "default" := coalesce(patient_id, '');
    body text collate "default" := note;
    answer text;
begin
    if note is null then
        return null;
    end if;
    select d.deid_note into strict answer from deid_engine.deidentify d where d.patient_id = patient and d.note = body;
    return answer;
end
$$;
comment on function deid.deidentify(text, text) is
    'the note with surrogates in, as the stream would write it; patient_id is the patient''s key in the source. NULL for NULL; fails for a note that can''t be de-identified';

create function deid.deidentify_batch(patient_ids text[], notes text[], out deid_notes text[], out reasons text[])
    language plpgsql stable parallel safe security definer cost 100000
    set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
declare
    patients text[] collate "default" := patient_ids;
    bodies text[] collate "default" := notes;
begin
    if coalesce(cardinality(patient_ids), 0) <> coalesce(cardinality(notes), 0) then
        raise exception 'patient_ids has % elements, notes has %', coalesce(cardinality(patient_ids), 0), coalesce(cardinality(notes), 0)
            using errcode = 'array_subscript_error', hint = 'aggregate both in the same order: array_agg(x order by id)';
    end if;
    if coalesce(cardinality(notes), 0) = 0 then
        deid_notes := '{}';
        reasons := '{}';
        return;
    end if;
    select d.deid_notes, d.reasons into strict deid_notes, reasons from deid_engine.deidentify_batch d
    where d.patient_ids = patients and d.notes = bodies;
end
$$;
comment on function deid.deidentify_batch(text[], text[]) is
    'lists of notes, beside the keys of their patients; a note that can''t be de-identified is NULL and has a reason';

create function deid.pull(
    note_ids text[], source_table text default null, source_column text default null,
    out note_id text, out deid_note text, out reason text
) returns setof record
    language plpgsql stable parallel safe security definer cost 100000 rows 500
    set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
declare
    keys text[] collate "default" := note_ids;
    origin text collate "default" := source_table;
    part text collate "default" := source_column;
begin
    if origin is null and part is null then
        return query select d.note_id, d.deid_note, d.reason from deid_engine.note_deid d where d.note_id = any (keys);
    elsif part is null then
        return query select d.note_id, d.deid_note, d.reason from deid_engine.note_deid d
            where d.note_id = any (keys) and d.source_table = origin;
    elsif origin is null then
        return query select d.note_id, d.deid_note, d.reason from deid_engine.note_deid d
            where d.note_id = any (keys) and d.source_column = part;
    else
        return query select d.note_id, d.deid_note, d.reason from deid_engine.note_deid d
            where d.note_id = any (keys) and d.source_table = origin and d.source_column = part;
    end if;
end
$$;
comment on function deid.pull(text[], text, text) is
    'notes that the engine reads from the source itself, by their keys; keys that the source does not have are left out. source_table ("schema.table") and source_column are needed where the mapping has several';

create function deid.preview(
    patient_id text, note text,
    out span_start integer, out span_end integer, out phi_type text, out original text, out detectors text[]
) returns setof record
    language plpgsql stable parallel safe security definer cost 10000 rows 20
    set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
declare
    patient text collate "default" := coalesce(patient_id, '');
    body text collate "default" := note;
begin
    if note is null then
        return;
    end if;
    return query
        select d.span_start, d.span_end, d.phi_type, substr(body, d.span_start + 1, d.span_end - d.span_start), d.detectors
        from deid_engine.detect d where d.patient_id = patient and d.note = body;
end
$$;
comment on function deid.preview(text, text) is
    'what the engine would replace in a note: a row a span, with its place in characters, its type and which detectors found it; nothing is stored';

-- Keys of any type: 17, a uuid, a varchar.
create function deid.deidentify(patient_id anynonarray, note text) returns text
    language sql stable parallel safe cost 10000
as $$ select deid.deidentify($1::text, $2) $$;
comment on function deid.deidentify(anynonarray, text) is 'the same for a patient''s key of any type';

create function deid.preview(
    patient_id anynonarray, note text,
    out span_start integer, out span_end integer, out phi_type text, out original text, out detectors text[]
) returns setof record
    language sql stable parallel safe cost 10000 rows 20
as $$ select p.span_start, p.span_end, p.phi_type, p.original, p.detectors from deid.preview($1::text, $2) p $$;
comment on function deid.preview(anynonarray, text) is 'the same for a patient''s key of any type';

alter function deid.deidentify(text, text) owner to pgdeid_engine;
alter function deid.deidentify_batch(text[], text[]) owner to pgdeid_engine;
alter function deid.pull(text[], text, text) owner to pgdeid_engine;
alter function deid.preview(text, text) owner to pgdeid_engine;

revoke all on function deid.deidentify(text, text), deid.deidentify(anynonarray, text), deid.deidentify_batch(text[], text[]),
    deid.pull(text[], text, text), deid.preview(text, text), deid.preview(anynonarray, text) from public;
grant execute on function deid.deidentify(text, text), deid.deidentify(anynonarray, text), deid.deidentify_batch(text[], text[]) to pgdeid_ask;
grant execute on function deid.pull(text[], text, text) to pgdeid_pull;
grant execute on function deid.preview(text, text), deid.preview(anynonarray, text) to pgdeid_preview;
