create table deid.directory (
    slot        text primary key,
    content     bytea not null,
    label       bytea not null,
    stale_since timestamptz,
    pass_begun  timestamptz,
    pass_table  text,
    pass_key    bytea,
    pass_done   timestamptz
);
comment on table deid.directory is 'which state of the staff and site directory the published notes were made with';
comment on column deid.directory.slot is 'replication slot of the source';
comment on column deid.directory.content is 'keyed hash of the directory when it was last read';
comment on column deid.directory.label is 'keyed hash of the directory when something was last added to it: what text_hmac covers';
comment on column deid.directory.stale_since is 'since when notes may be older than the directory and no pass has begun; null: there are none';
comment on column deid.directory.pass_begun is 'when the last pass over all notes began';
comment on column deid.directory.pass_table is 'table that the pass has come to; null: no pass is under way';
comment on column deid.directory.pass_key is 'primary key of the last row of that table, sealed with the key; null before the first';
comment on column deid.directory.pass_done is 'when the last pass ended';

create table deid.directory_word (
    slot text not null,
    hash bytea not null,
    primary key (slot, hash)
);
comment on table deid.directory_word is 'words of names and logins that were ever in the directory, so that they stay known after a deletion';
comment on column deid.directory_word.slot is 'replication slot of the source';
comment on column deid.directory_word.hash is 'keyed hash of the word';

create table deid.requeue_path (
    path_hmac  bytea primary key,
    source_key bytea not null,
    lsn        pg_lsn not null
);
comment on table deid.requeue_path is 'rows that lead others to their patient and changed, so that the rows under them are read again';
comment on column deid.requeue_path.path_hmac is 'keyed hash of table, column and value that is looked up';
comment on column deid.requeue_path.source_key is 'the same, sealed with the key';
comment on column deid.requeue_path.lsn is 'position in the source''s stream of the change';

create table deid.patient_former (
    patient text not null,
    former  text not null,
    primary key (patient, former)
);
comment on table deid.patient_former is 'whose rows a patient has taken over (a merge, a row filed anew): words of their records stay known';
comment on column deid.patient_former.patient is 'pseudonym of the patient who has the rows now';
comment on column deid.patient_former.former is 'pseudonym of the patient who had them';

alter table deid.quarantine add column lacks bytea;
comment on column deid.quarantine.lacks is 'keyed hash of the row that would lead to a patient: it is tried again when that row arrives';
create index quarantine_lacks on deid.quarantine (lacks) where lacks is not null;

grant select, insert, update, delete on deid.directory, deid.directory_word, deid.requeue_path, deid.patient_former to pgdeid_service;
