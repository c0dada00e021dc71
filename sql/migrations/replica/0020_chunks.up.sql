create table deid.copy_plan (
    slot       text primary key,
    snapshot   text not null,
    made_with  text not null,
    started_at timestamptz not null default now(),
    paused     boolean not null default false,
    rate       int check (rate > 0),
    next_at    timestamptz not null default now()
);
comment on table deid.copy_plan is 'how several processes make the copy of the mapped tables together';
comment on column deid.copy_plan.slot is 'replication slot';
comment on column deid.copy_plan.snapshot is 'exported snapshot of the source that all of them read in';
comment on column deid.copy_plan.made_with is 'hash of the configuration and the models that all of them work with';
comment on column deid.copy_plan.started_at is 'when the first process began to plan';
comment on column deid.copy_plan.paused is 'nothing is read from the source meanwhile';
comment on column deid.copy_plan.rate is 'rows that are read from the source each second, by all processes together; null: as many as they can';
comment on column deid.copy_plan.next_at is 'when the next rows may be read';

create sequence deid.copy_chunk_number;
comment on sequence deid.copy_chunk_number is 'numbers of parts: none is ever used again, so that nobody takes one for another';

create table deid.copy_chunk (
    slot       text not null,
    table_name text not null,
    chunk      bigint not null,
    part       bytea not null,
    planned    bigint not null,
    compare    boolean not null,
    last_key   bytea,
    rows       bigint not null default 0,
    done       boolean not null default false,
    worker     text,
    times      int not null default 0,
    primary key (slot, table_name, chunk)
);
comment on table deid.copy_chunk is 'parts of tables that are being copied, each by one process at a time';
comment on column deid.copy_chunk.slot is 'replication slot';
comment on column deid.copy_chunk.table_name is 'schema.table';
comment on column deid.copy_chunk.chunk is 'number of the part, of deid.copy_chunk_number';
comment on column deid.copy_chunk.part is 'which rows it has: keys of the source, sealed with the key';
comment on column deid.copy_chunk.planned is 'rows that it had when it was planned; 0 if they were not counted';
comment on column deid.copy_chunk.compare is 'the replica may have rows of it';
comment on column deid.copy_chunk.last_key is 'key of the last row that was copied, sealed with the key';
comment on column deid.copy_chunk.rows is 'rows that were copied';
comment on column deid.copy_chunk.done is 'all of it is copied';
comment on column deid.copy_chunk.worker is 'the process that copies it, or died while it did';
comment on column deid.copy_chunk.times is 'how often a process died while it copied it';

alter table deid.snapshot add column planned bigint;
comment on column deid.snapshot.planned is 'rows that the table has, by the source''s statistics when the copy began';

grant select, insert, update, delete on deid.copy_plan, deid.copy_chunk to pgdeid_service;
grant usage on sequence deid.copy_chunk_number to pgdeid_service;

-- A process that copies has some eight connections.
do $$
begin
    alter role pgdeid_service connection limit 256;
exception when insufficient_privilege then
    raise notice 'pgdeid: the connection limit of pgdeid_service stays as it is';
end
$$;

create schema deid_jobs;
comment on schema deid_jobs is 'pgdeid: jobs of the processes that copy (River); not for analysts';
revoke all on schema deid_jobs from public;
