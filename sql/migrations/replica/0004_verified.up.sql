create table deid.verified_version (
    version     integer primary key check (version > 0),
    imported_at timestamptz not null default now(),
    imported_by text not null,
    added       integer not null check (added >= 0),
    retired     integer not null check (retired >= 0)
);
comment on table deid.verified_version is 'how the list of what was verified came to be what it is, an import a row';
comment on column deid.verified_version.version is 'of the list, counted from 1';
comment on column deid.verified_version.imported_at is 'when it was imported';
comment on column deid.verified_version.imported_by is 'by whom, as the operating system knows them';
comment on column deid.verified_version.added is 'entries that were added';
comment on column deid.verified_version.retired is 'entries that were taken off';

create table deid.verified (
    kind        text not null check (kind in ('sentence', 'template')),
    id          text not null,
    added       integer not null references deid.verified_version,
    retired     integer references deid.verified_version check (retired > added),
    body        text not null,
    detail      jsonb,
    reviewer    text not null check (reviewer <> ''),
    reviewed_at timestamptz not null,
    origin      text not null check (origin in ('harvest', 'marked')),
    notes       bigint not null default 0 check (notes >= 0),
    primary key (kind, id, added)
);
comment on table deid.verified is 'sentences and templates that a person has verified to hold no PHI; nothing else of the source''s texts stands in the replica';
comment on column deid.verified.kind is 'sentence: passes untouched; template: finds PHI by the form of a sentence';
comment on column deid.verified.id is 'the first 16 bytes of the SHA-256 of kind and body, in hexadecimal';
comment on column deid.verified.added is 'version of the list that it came with';
comment on column deid.verified.retired is 'version that it was taken off with; null: it is on the list';
comment on column deid.verified.body is 'the sentence or template';
comment on column deid.verified.detail is 'what else belongs to a template';
comment on column deid.verified.reviewer is 'who verified it';
comment on column deid.verified.reviewed_at is 'when that was';
comment on column deid.verified.origin is 'harvest: proposed and reviewed; marked: without a mark in annotated text';
comment on column deid.verified.notes is 'how many notes it stood in when it was harvested; 0: unknown';
create unique index verified_listed on deid.verified (kind, id) where retired is null;

grant select, insert on deid.verified_version to pgdeid_service;
grant select, insert, update (retired) on deid.verified to pgdeid_service;
