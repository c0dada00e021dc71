-- What a run has to know to prove that nothing passed it by.
create table deid.membership (
    slot       text not null,
    table_name text not null,
    since      text not null,
    partitions text[] not null default '{}',
    primary key (slot, table_name)
);
comment on table deid.membership is 'under which entry of the publication each table has been followed: another entry means that changes may have passed by';
comment on column deid.membership.slot is 'replication slot of the source';
comment on column deid.membership.table_name is 'source table, schema.name';
comment on column deid.membership.since is 'identity of the table''s entry in the publication: it changes when the table leaves and comes back';
comment on column deid.membership.partitions is 'identities of the attachments of its partitions';

alter table deid.snapshot add column again text, add column seen text, add column seen_lsn pg_lsn;
comment on column deid.snapshot.again is 'why the table is being copied again; null otherwise';
comment on column deid.snapshot.seen is 'transactions of the source that the copy has, as pg_snapshot; null for a copy made with the slot''s own snapshot';
comment on column deid.snapshot.seen_lsn is 'position of the source before which all of them committed';

alter table deid.progress add column history text, add column slot_restart pg_lsn;
comment on column deid.progress.history is 'where the timelines before this one ended, as timeline@position';
comment on column deid.progress.slot_restart is 'where the slot would read WAL from again: it never goes back on one timeline';

alter table deid.note_provenance add column published_hmac bytea;
comment on column deid.note_provenance.published_hmac is 'keyed hash of the published text: a row that was changed by hand is found and made anew';

create table deid.made_for (
    one         boolean primary key default true check (one),
    schema_hash text not null
);
comment on table deid.made_for is 'the mapping that the research tables were made for; one row';
comment on column deid.made_for.one is 'always true: there is one row';
comment on column deid.made_for.schema_hash is 'hash of the mapping''s tables, columns and policies';

grant select, insert, update, delete on deid.membership to pgdeid_service;
grant select on deid.made_for to pgdeid_service;
