-- What a comparison of the replica with the source has to know to go on after a crash, and what it found.
alter table deid.snapshot
    add column compare boolean not null default false,
    add column added   bigint not null default 0,
    add column changed bigint not null default 0,
    add column removed bigint not null default 0;
comment on column deid.snapshot.compare is 'the table is, or was at last, compared with the source: only rows that differ are written';
comment on column deid.snapshot.added is 'rows that the replica lacked, in that comparison';
comment on column deid.snapshot.changed is 'rows that differed, in that comparison';
comment on column deid.snapshot.removed is 'rows that the source did not have, in that comparison';
