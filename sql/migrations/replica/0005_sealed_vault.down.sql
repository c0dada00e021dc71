truncate deid.surrogate, deid.date_shift, deid.note_provenance, deid.quarantine;

alter table deid.quarantine
    drop column sealed,
    add column source_key bytea not null,
    add column patient text,
    add column lsn pg_lsn;
create index quarantine_patient on deid.quarantine (patient);
comment on column deid.quarantine.source_key is 'the row''s primary key, sealed with the key, for "pgdeid retry"';
comment on column deid.quarantine.patient is 'pseudonym of the patient, where it is known';
comment on column deid.quarantine.lsn is 'position in the source''s stream; null for rows of the snapshot';

alter table deid.note_provenance
    drop column sealed,
    add column lsn pg_lsn,
    add column span_start integer[] not null default '{}',
    add column span_end integer[] not null default '{}',
    add column span_type text[] not null default '{}',
    add column span_by integer[] not null default '{}',
    add column deid_at timestamptz not null default now(),
    add constraint note_provenance_spans check (
        cardinality(span_start) = cardinality(span_end)
        and cardinality(span_start) = cardinality(span_type)
        and cardinality(span_start) = cardinality(span_by));
comment on table deid.note_provenance is 'how each published text was made: source position, versions, spans of the output';
comment on column deid.note_provenance.lsn is 'position in the source''s stream; null for rows of the snapshot';
comment on column deid.note_provenance.span_start is 'first code point of each surrogate in the published text, from 0';
comment on column deid.note_provenance.span_end is 'code point after each surrogate';
comment on column deid.note_provenance.span_type is 'PHI type of each: PATIENT, DATE, …';
comment on column deid.note_provenance.span_by is 'who found it: bit i stands for the detector with that bit in deid.detector';
comment on column deid.note_provenance.deid_at is 'when the text was de-identified';
comment on table deid.detector is 'names of the detectors behind the bits of span_by';

alter table deid.date_shift drop column sealed, add column days integer not null check (days <> 0);
comment on table deid.date_shift is 'by how many days a patient''s dates are moved; drawn once';
comment on column deid.date_shift.days is 'days, negative into the past; never 0';

alter table deid.surrogate
    drop constraint surrogate_distinct,
    drop constraint surrogate_sealed,
    drop column surrogate_hmac,
    drop column sealed,
    add column surrogate text not null,
    add column created_at timestamptz not null default now(),
    add constraint surrogate_distinct unique (patient, kind, surrogate);
comment on table deid.surrogate is 'which surrogate stands for an identifier in one patient''s notes and tables; holds no original';
comment on column deid.surrogate.surrogate is 'the made-up value';
comment on column deid.surrogate.created_at is 'when it was first used';

create view deid.span as
select p.table_name, p.column_name, p.row_key, p.patient, s.ordinality as span,
       s.span_start, s.span_end, s.span_type,
       array(select d.name from deid.detector d
             where d.config_hash = p.config_hash and (s.span_by::bigint >> d.bit) & 1 = 1
             order by d.bit) as detectors
from deid.note_provenance p
cross join lateral unnest(p.span_start, p.span_end, p.span_type, p.span_by)
    with ordinality as s (span_start, span_end, span_type, span_by, ordinality);
comment on view deid.span is 'the surrogates of each published text, a row each: for audits, never for analysts';
grant select on deid.span to pgdeid_service;
