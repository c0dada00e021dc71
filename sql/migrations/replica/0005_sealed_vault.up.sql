-- What the disk or a dump of the replica must not show is sealed with the key: surrogates, shifts, and when and
-- from what a text was made. "pgdeid migrate up" makes sure that these tables are empty.
drop view deid.span;

alter table deid.surrogate
    drop constraint surrogate_distinct,
    drop column surrogate,
    drop column created_at,
    add column surrogate_hmac bytea not null,
    add column sealed bytea,
    add constraint surrogate_distinct unique (patient, kind, surrogate_hmac),
    add constraint surrogate_sealed check ((sealed is null) = (kind = 'record'));
comment on table deid.surrogate is 'which surrogate stands for an identifier in one patient''s notes and tables; holds neither in plain: "pgdeid vault show surrogates"';
comment on column deid.surrogate.surrogate_hmac is 'keyed hash of patient, kind and surrogate: two originals of a patient never share one';
comment on column deid.surrogate.sealed is 'the made-up value, sealed with the key; null for kind record, of which only the hash is kept';

alter table deid.date_shift drop column days, add column sealed bytea not null;
comment on table deid.date_shift is 'by how many days a patient''s dates are moved; drawn once: "pgdeid vault show shift"';
comment on column deid.date_shift.sealed is 'days, sealed with the key';

alter table deid.note_provenance
    drop constraint note_provenance_spans,
    drop column span_start,
    drop column span_end,
    drop column span_type,
    drop column span_by,
    drop column lsn,
    drop column deid_at,
    add column sealed bytea not null;
comment on table deid.note_provenance is 'how each published text was made; what would show where its surrogates are, or when it was made, is sealed: "pgdeid vault show spans"';
comment on column deid.note_provenance.sealed is 'when the text was made, from which position in the source''s stream, and its spans, sealed with the key';
comment on table deid.detector is 'names of the detectors behind the bits in sealed spans';

alter table deid.quarantine
    drop column patient,
    drop column lsn,
    drop column source_key,
    add column sealed bytea not null;
comment on column deid.quarantine.sealed is 'the row''s primary key, its patient and its position in the source''s stream, sealed with the key, for "pgdeid retry" and "pgdeid vault show quarantine"';
