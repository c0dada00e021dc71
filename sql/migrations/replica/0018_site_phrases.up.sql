create table deid.site_version (
    version integer primary key check (version > 0),
    made_at timestamptz not null default now(),
    made_by text not null check (made_by <> ''),
    added   integer not null check (added >= 0),
    retired integer not null check (retired >= 0)
);
comment on table deid.site_version is 'how the site''s phrases came to be what they are, a change a row';
comment on column deid.site_version.version is 'of the phrases, counted from 1';
comment on column deid.site_version.made_at is 'when they were changed';
comment on column deid.site_version.made_by is 'by whom';
comment on column deid.site_version.added is 'phrases that were added';
comment on column deid.site_version.retired is 'phrases that were taken off';

create table deid.site_phrase (
    id      bytea not null,
    added   integer not null references deid.site_version,
    retired integer references deid.site_version check (retired > added),
    sealed  bytea not null,
    primary key (id, added)
);
create unique index site_phrase_listed on deid.site_phrase (id) where retired is null;
comment on table deid.site_phrase is 'phrases that are always PHI at this site, or never are';
comment on column deid.site_phrase.id is 'keyed hash of the phrase''s words';
comment on column deid.site_phrase.added is 'version that it came with';
comment on column deid.site_phrase.retired is 'version that it was taken off with; null: it counts';
comment on column deid.site_phrase.sealed is 'phrase, type, who added it, and what it comes to in the sample that it was measured on, sealed with the key';

grant select, insert on deid.site_version to pgdeid_service;
grant select, insert, update (retired) on deid.site_phrase to pgdeid_service;
