create table deid.patient_merge (
    filter   text not null,
    row_hmac bytea not null,
    sealed   bytea not null,
    stale    boolean not null default false,
    primary key (filter, row_hmac)
);
comment on table deid.patient_merge is 'rows of the source that say that one patient id stands for another one';
comment on column deid.patient_merge.filter is 'hash of what the configuration says of their table';
comment on column deid.patient_merge.row_hmac is 'keyed hash of the row''s primary key';
comment on column deid.patient_merge.sealed is 'both ids, sealed with the key';
comment on column deid.patient_merge.stale is 'of a copy that was made before: removed unless the copy under way finds the row';
grant select, insert, update, delete on deid.patient_merge to pgdeid_service;
