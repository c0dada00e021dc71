-- One that is there already stays where it is.
create extension if not exists postgres_fdw schema deid_engine;

-- Where the engine listens is set after the migrations.
create server pgdeid_engine foreign data wrapper postgres_fdw options (
    dbname 'pgdeid', application_name 'pgdeid_engine', connect_timeout '10',
    use_remote_estimate 'true', fetch_size '500', updatable 'false', truncatable 'false'
);
comment on server pgdeid_engine is 'pgdeid: the engine, which is "pgdeid serve"';

create foreign table deid_engine.deidentify (patient_id text, note text, deid_note text, reason text)
    server pgdeid_engine options (schema_name 'deid', table_name 'deidentify');
create foreign table deid_engine.deidentify_by_number (patient_id bigint, note text, deid_note text, reason text)
    server pgdeid_engine options (schema_name 'deid', table_name 'deidentify');
create foreign table deid_engine.deidentify_batch (patient_ids text[], notes text[], deid_notes text[], reasons text[])
    server pgdeid_engine options (schema_name 'deid', table_name 'deidentify_batch');
create foreign table deid_engine.detect (patient_id text, note text, span_start integer, span_end integer, phi_type text, detectors text[])
    server pgdeid_engine options (schema_name 'deid', table_name 'detect');
create foreign table deid_engine.inbox (job text, item bigint, patient_id text, note text, deid_note text, reason text)
    server pgdeid_engine options (schema_name 'deid', table_name 'inbox', updatable 'true', batch_size '500');
create foreign table deid_engine.outbox (job text, item bigint, patient_id text, deid_note text, reason text)
    server pgdeid_engine options (schema_name 'deid', table_name 'outbox');
create foreign table deid_engine.note_deid (note_id text, source_table text, source_column text, deid_note text, reason text)
    server pgdeid_engine options (schema_name 'deid', table_name 'note_deid');

do $$
declare
    t record;
begin
    for t in select oid::regclass as name, relname from pg_class where relnamespace = 'deid_engine'::regnamespace and relkind = 'f' loop
        execute format('comment on foreign table %s is %L', t.name, 'pgdeid: behind the view deid.' || t.relname);
        execute format('grant select on %s to pgdeid_engine', t.name);
    end loop;
end
$$;
grant insert, delete on deid_engine.inbox to pgdeid_engine;

-- A view asks the engine as its owner, whose user mapping is the only one.
create view deid.deidentify as select patient_id, note, deid_note, reason from deid_engine.deidentify;
create view deid.deidentify_by_number as select patient_id, note, deid_note, reason from deid_engine.deidentify_by_number;
create view deid.deidentify_batch as select patient_ids, notes, deid_notes, reasons from deid_engine.deidentify_batch;
create view deid.detect as select patient_id, note, span_start, span_end, phi_type, detectors from deid_engine.detect;
create view deid.inbox as select job, item, patient_id, note, deid_note, reason from deid_engine.inbox;
create view deid.outbox as select job, item, patient_id, deid_note, reason from deid_engine.outbox;
create view deid.note_deid as select note_id, source_table, source_column, deid_note, reason from deid_engine.note_deid;

alter view deid.deidentify owner to pgdeid_engine;
alter view deid.deidentify_by_number owner to pgdeid_engine;
alter view deid.deidentify_batch owner to pgdeid_engine;
alter view deid.detect owner to pgdeid_engine;
alter view deid.inbox owner to pgdeid_engine;
alter view deid.outbox owner to pgdeid_engine;
alter view deid.note_deid owner to pgdeid_engine;

grant select on deid.deidentify, deid.deidentify_by_number, deid.deidentify_batch, deid.outbox to pgdeid_ask;
grant select, insert, delete on deid.inbox to pgdeid_ask;
grant select on deid.detect to pgdeid_preview;
grant select on deid.note_deid to pgdeid_pull;

comment on view deid.deidentify is 'one note: say patient_id = … and note = …';
comment on column deid.deidentify.patient_id is 'patient key as the source has it, in text form';
comment on column deid.deidentify.note is 'identified text';
comment on column deid.deidentify.deid_note is 'the text with surrogates in';
comment on column deid.deidentify.reason is 'why deid_note is NULL although note is not; asking for it keeps one bad note from failing the statement';
comment on view deid.deidentify_by_number is 'the same for patient keys that are numbers: a join with patient_id = t.patient_id and note = t.note works';
comment on column deid.deidentify_by_number.patient_id is 'patient key as the source has it';
comment on column deid.deidentify_by_number.note is 'identified text';
comment on column deid.deidentify_by_number.deid_note is 'the text with surrogates in';
comment on column deid.deidentify_by_number.reason is 'why deid_note is NULL although note is not; asking for it keeps one bad note from failing the statement';
comment on view deid.deidentify_batch is 'lists of notes, one row: say patient_ids = … and notes = …';
comment on column deid.deidentify_batch.patient_ids is 'patient keys as the source has them, in text form';
comment on column deid.deidentify_batch.notes is 'identified texts, beside the keys';
comment on column deid.deidentify_batch.deid_notes is 'the texts with surrogates in, beside the keys';
comment on column deid.deidentify_batch.reasons is 'why a text is NULL although its note is not; asking for it keeps one bad note from failing the statement';
comment on view deid.detect is 'what is found in one note, a row a span: say patient_id = … and note = …';
comment on column deid.detect.patient_id is 'patient key as the source has it, in text form';
comment on column deid.detect.note is 'identified text';
comment on column deid.detect.span_start is 'characters of note before the span';
comment on column deid.detect.span_end is 'characters of note before the span''s end';
comment on column deid.detect.phi_type is 'type of protected health information, as i2b2 2014 names it';
comment on column deid.detect.detectors is 'which detectors found it';
comment on view deid.inbox is 'notes to de-identify: insert them here, then select from outbox in the same transaction';
comment on column deid.inbox.job is 'any name; outbox is asked by it';
comment on column deid.inbox.item is 'any number, to know the note by';
comment on column deid.inbox.patient_id is 'patient key as the source has it, in text form';
comment on column deid.inbox.note is 'identified text';
comment on column deid.inbox.deid_note is 'for insert … returning: the text with surrogates in';
comment on column deid.inbox.reason is 'for insert … returning: why deid_note is NULL although note is not';
comment on view deid.outbox is 'what became of the notes that this transaction put into inbox: say job = …';
comment on column deid.outbox.job is 'as in inbox';
comment on column deid.outbox.item is 'as in inbox';
comment on column deid.outbox.patient_id is 'as in inbox';
comment on column deid.outbox.deid_note is 'the text with surrogates in';
comment on column deid.outbox.reason is 'why deid_note is NULL although note is not; asking for it keeps one bad note from failing the statement';
comment on view deid.note_deid is 'notes that the engine reads from the source itself: say note_id = any (array(select …))';
comment on column deid.note_deid.note_id is 'primary key of the note in the source, in text form; a JSON array of texts where the key has several columns';
comment on column deid.note_deid.source_table is 'schema.table of the source; may be left out where one table has notes';
comment on column deid.note_deid.source_column is 'column of the source; may be left out where the table has one text';
comment on column deid.note_deid.deid_note is 'the text with surrogates in';
comment on column deid.note_deid.reason is 'why deid_note is NULL although the note is not; asking for it keeps one bad note from failing the statement';
