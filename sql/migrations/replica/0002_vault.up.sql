create table deid.key_check (
    one         boolean primary key default true check (one),
    check_value bytea not null,
    epoch       integer not null default 1 check (epoch > 0),
    created_at  timestamptz not null default now()
);
comment on table deid.key_check is 'tells whether this replica was written with the key at hand; one row';
comment on column deid.key_check.one is 'always true: there is one row';
comment on column deid.key_check.check_value is 'a keyed hash of a constant; says nothing about the key';
comment on column deid.key_check.epoch is 'which key, counted from 1';
comment on column deid.key_check.created_at is 'when the first row was written with this key';

create table deid.surrogate (
    patient       text not null,
    kind          text not null,
    original_hmac bytea not null,
    surrogate     text not null,
    created_at    timestamptz not null default now(),
    primary key (patient, kind, original_hmac),
    constraint surrogate_distinct unique (patient, kind, surrogate)
);
comment on table deid.surrogate is 'which surrogate stands for an identifier in one patient''s notes and tables; holds no original';
comment on column deid.surrogate.patient is 'pseudonym of the patient';
comment on column deid.surrogate.kind is 'kind of identifier: name, city, number, …; record: a word that ever stood in the patient''s record';
comment on column deid.surrogate.original_hmac is 'keyed hash of patient, kind and original';
comment on column deid.surrogate.surrogate is 'the made-up value';
comment on column deid.surrogate.created_at is 'when it was first used';

create table deid.date_shift (
    patient text primary key,
    days    integer not null check (days <> 0)
);
comment on table deid.date_shift is 'by how many days a patient''s dates are moved; drawn once';
comment on column deid.date_shift.patient is 'pseudonym of the patient';
comment on column deid.date_shift.days is 'days, negative into the past; never 0';

create table deid.progress (
    slot         text primary key,
    system_id    text not null,
    timeline     integer not null,
    lsn          pg_lsn not null,
    mapping_hash text not null,
    updated_at   timestamptz not null default now()
);
comment on table deid.progress is 'how far the source''s stream has been applied; written in the transaction of the rows';
comment on column deid.progress.slot is 'replication slot of the source';
comment on column deid.progress.system_id is 'system identifier of the source''s cluster';
comment on column deid.progress.timeline is 'timeline of the source';
comment on column deid.progress.lsn is 'end of the last transaction that was applied';
comment on column deid.progress.mapping_hash is 'hash of the mapping that the rows were made with';
comment on column deid.progress.updated_at is 'when that was';

create table deid.snapshot (
    slot       text not null,
    table_name text not null,
    last_key   bytea,
    rows       bigint not null default 0 check (rows >= 0),
    done       boolean not null default false,
    primary key (slot, table_name)
);
comment on table deid.snapshot is 'how far the first copy of each table has come';
comment on column deid.snapshot.slot is 'replication slot whose snapshot is read';
comment on column deid.snapshot.table_name is 'source table, schema.name';
comment on column deid.snapshot.last_key is 'primary key of the last row copied, sealed with the key; null before the first';
comment on column deid.snapshot.rows is 'rows copied';
comment on column deid.snapshot.done is 'whether the table is complete';

create table deid.quarantine (
    id         bigint generated always as identity primary key,
    table_name text not null,
    key_hmac   bytea not null,
    source_key bytea not null,
    patient    text,
    lsn        pg_lsn,
    reason     text not null,
    attempts   integer not null default 1 check (attempts > 0),
    first_at   timestamptz not null default now(),
    last_at    timestamptz not null default now(),
    constraint quarantine_row unique (table_name, key_hmac)
);
comment on table deid.quarantine is 'rows that could not be de-identified and are not published; no text of them is here';
comment on column deid.quarantine.id is 'number of the entry';
comment on column deid.quarantine.table_name is 'source table, schema.name';
comment on column deid.quarantine.key_hmac is 'keyed hash of the row''s primary key';
comment on column deid.quarantine.source_key is 'the row''s primary key, sealed with the key, for "pgdeid retry"';
comment on column deid.quarantine.patient is 'pseudonym of the patient, where it is known';
comment on column deid.quarantine.lsn is 'position in the source''s stream; null for rows of the snapshot';
comment on column deid.quarantine.reason is 'what went wrong, without any value of the row';
comment on column deid.quarantine.attempts is 'how often it was tried';
comment on column deid.quarantine.first_at is 'when it was first set aside';
comment on column deid.quarantine.last_at is 'when it was last tried';
create index quarantine_patient on deid.quarantine (patient);

create table deid.requeue (
    patient    text primary key,
    source_key bytea not null,
    lsn        pg_lsn
);
comment on table deid.requeue is 'patients whose structured record changed, so that their notes are read again';
comment on column deid.requeue.patient is 'pseudonym of the patient';
comment on column deid.requeue.source_key is 'the patient''s key in the source, sealed with the key';
comment on column deid.requeue.lsn is 'position in the source''s stream of the change';

create table deid.note_provenance (
    table_name  text not null,
    column_name text not null,
    row_key     text not null,
    patient     text not null,
    lsn         pg_lsn,
    version     text not null,
    config_hash text not null,
    text_hmac   bytea not null,
    span_start  integer[] not null default '{}',
    span_end    integer[] not null default '{}',
    span_type   text[] not null default '{}',
    span_by     integer[] not null default '{}',
    deid_at     timestamptz not null default now(),
    primary key (table_name, column_name, row_key),
    constraint note_provenance_spans check (
        cardinality(span_start) = cardinality(span_end)
        and cardinality(span_start) = cardinality(span_type)
        and cardinality(span_start) = cardinality(span_by))
);
comment on table deid.note_provenance is 'how each published text was made: source position, versions, spans of the output';
comment on column deid.note_provenance.table_name is 'table, schema.name';
comment on column deid.note_provenance.column_name is 'text column';
comment on column deid.note_provenance.row_key is 'published primary key as a JSON array of texts';
comment on column deid.note_provenance.patient is 'pseudonym of the patient';
comment on column deid.note_provenance.lsn is 'position in the source''s stream; null for rows of the snapshot';
comment on column deid.note_provenance.version is 'version of pgdeid';
comment on column deid.note_provenance.config_hash is 'hash of what decides the output: mapping, profile, detectors';
comment on column deid.note_provenance.text_hmac is 'keyed hash of the source text: an unchanged text needs no second pass';
comment on column deid.note_provenance.span_start is 'first code point of each surrogate in the published text, from 0';
comment on column deid.note_provenance.span_end is 'code point after each surrogate';
comment on column deid.note_provenance.span_type is 'PHI type of each: PATIENT, DATE, …';
comment on column deid.note_provenance.span_by is 'who found it: bit i stands for the detector with that bit in deid.detector';
comment on column deid.note_provenance.deid_at is 'when the text was de-identified';
create index note_provenance_patient on deid.note_provenance (patient);

create table deid.detector (
    config_hash text not null,
    bit         smallint not null check (bit between 0 and 31),
    name        text not null,
    primary key (config_hash, bit)
);
comment on table deid.detector is 'names of the detectors behind the bits of span_by';
comment on column deid.detector.config_hash is 'the configuration, as in note_provenance';
comment on column deid.detector.bit is 'position of the detector in the ensemble';
comment on column deid.detector.name is 'name of the detector';

grant select, insert, update, delete on
    deid.surrogate, deid.date_shift, deid.progress, deid.snapshot, deid.quarantine, deid.requeue,
    deid.note_provenance, deid.detector, deid.key_check
to pgdeid_service;
