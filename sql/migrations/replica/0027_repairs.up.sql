create table deid.review_repair (
    id          bigint generated always as identity primary key,
    scope       text not null check (scope in ('here', 'everywhere')),
    table_name  text not null,
    column_name text not null,
    row_key     text not null,
    note_hmac   bytea not null,
    patient     text not null,
    made_by     text not null check (made_by <> ''),
    made_at     timestamptz not null default now(),
    void_at     timestamptz,
    taken_by    text,
    taken_at    timestamptz,
    sealed      bytea not null,
    check ((taken_by is null) = (taken_at is null))
);
create index review_repair_patient on deid.review_repair (patient) where taken_at is null;
create index review_repair_note on deid.review_repair (table_name, row_key) where taken_at is null;
comment on table deid.review_repair is 'what people had changed of what is published: at one place of a note, or words that are a patient''s; holds no text';
comment on column deid.review_repair.id is 'number of the repair';
comment on column deid.review_repair.scope is 'here: one place of one note; everywhere: words in all notes of the patient';
comment on column deid.review_repair.table_name is 'table of the note that was read, schema.name';
comment on column deid.review_repair.column_name is 'text column';
comment on column deid.review_repair.row_key is 'published primary key as a JSON array of texts, as in note_provenance';
comment on column deid.review_repair.note_hmac is 'keyed hash of the note''s primary key in the source';
comment on column deid.review_repair.patient is 'pseudonym of the patient';
comment on column deid.review_repair.made_by is 'who made it';
comment on column deid.review_repair.made_at is 'when that was';
comment on column deid.review_repair.void_at is 'since when it has no effect, as the note''s text has changed; null: it holds';
comment on column deid.review_repair.taken_by is 'who took it back; null: it counts';
comment on column deid.review_repair.taken_at is 'when that was';
comment on column deid.review_repair.sealed is 'range, type, verdict and keyed hashes of the words, sealed with the key';

grant select, insert, delete on deid.review_repair to pgdeid_service;
grant update (void_at, taken_by, taken_at) on deid.review_repair to pgdeid_service;
