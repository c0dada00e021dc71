create table deid.patient_filter (
    filter       text not null,
    row_hmac     bytea not null,
    includes     boolean not null,
    patient_hmac bytea not null,
    sealed       bytea not null,
    stale        boolean not null default false,
    primary key (filter, row_hmac)
);
comment on table deid.patient_filter is 'rows of the source that keep a patient out of the replica, or let one in; what they hold is not here';
comment on column deid.patient_filter.filter is 'hash of the filter in the configuration';
comment on column deid.patient_filter.row_hmac is 'keyed hash of the row''s primary key';
comment on column deid.patient_filter.includes is 'whether the row lets its patient in; otherwise it keeps the patient out';
comment on column deid.patient_filter.patient_hmac is 'keyed hash of the patient';
comment on column deid.patient_filter.sealed is 'the patient''s key in the source, sealed with the key: the patient is read again when the row goes';
comment on column deid.patient_filter.stale is 'of a copy that was made before: removed unless the copy under way finds the row';
create index patient_filter_patient on deid.patient_filter (patient_hmac);

create sequence deid.purged_change;
create table deid.purged (
    patient_hmac bytea primary key,
    purged_at    timestamptz not null default now(),
    undone_at    timestamptz,
    change       bigint not null default nextval('deid.purged_change')
);
comment on table deid.purged is 'patients who were deleted for good: "pgdeid purge"';
comment on column deid.purged.patient_hmac is 'keyed hash of the patient';
comment on column deid.purged.purged_at is 'when that was';
comment on column deid.purged.undone_at is 'when "pgdeid purge --undo" let the patient come back; null: the patient stays out';
comment on column deid.purged.change is 'counts purges and what undid them: a process that has seen fewer starts again';

alter table deid.requeue add column whole boolean not null default false;
comment on column deid.requeue.whole is 'all rows of the patient are read again, also those that are not here; otherwise the notes that are here';

alter table deid.quarantine add column patient_hmac bytea;
comment on column deid.quarantine.patient_hmac is 'keyed hash of the patient; null where there is none, or from before this column';
create index quarantine_patient on deid.quarantine (patient_hmac) where patient_hmac is not null;

grant select, insert, update, delete on deid.patient_filter to pgdeid_service;
grant select, insert, update on deid.purged to pgdeid_service;
grant usage on sequence deid.purged_change to pgdeid_service;
