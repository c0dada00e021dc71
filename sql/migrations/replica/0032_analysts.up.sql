-- What rows are made with, a change a row: analysts see it, and may cite it.
create table deid.dataset (
    number      integer primary key check (number > 0),
    version     text not null,
    config_hash text not null,
    epoch       integer not null check (epoch > 0),
    since       timestamptz not null default now()
);
comment on table deid.dataset is 'what rows are made with: the program, the configuration and the key, a change a row';
comment on column deid.dataset.number is 'version of the dataset, counted from 1';
comment on column deid.dataset.version is 'version of pgdeid';
comment on column deid.dataset.config_hash is 'the configuration with its models, as in note_provenance';
comment on column deid.dataset.epoch is 'which key, as in key_check';
comment on column deid.dataset.since is 'when rows were first made so';
grant select, insert on deid.dataset to pgdeid_service;

create view deid_info.dataset as
select d.number, d.version, d.config_hash as configuration, d.epoch as key_epoch, d.since,
       array(select distinct m.name from deid.detector m where m.config_hash = d.config_hash order by m.name) as detectors
from deid.dataset d
where d.epoch = coalesce((select k.from_epoch from deid.rotation k), d.epoch)
order by d.number;
comment on view deid_info.dataset is 'what the data were made with; rows written since the last change are of the last version. Which version made a single row is not shown: it would date the row''s arrival';
comment on column deid_info.dataset.number is 'version of the dataset, counted from 1';
comment on column deid_info.dataset.version is 'version of pgdeid';
comment on column deid_info.dataset.configuration is 'hash of the mapping, the detectors and the models';
comment on column deid_info.dataset.key_epoch is 'which key: pseudonyms, surrogates and shifts of another one are others';
comment on column deid_info.dataset.since is 'when rows were first made so';
comment on column deid_info.dataset.detectors is 'what searches the texts';
grant select on deid_info.dataset to pgdeid_analyst, pgdeid_service;

-- When the source was last heard from. Where rows are released later than they arrive, the hour says no more of their
-- arrival than the source's marks do, which come at least as often.
create or replace view deid_info.freshness as
select case when k.begun_at is not null then k.begun_at when r.mode = 'live' then p.updated_at else r.as_of end as as_of,
       case when k.begun_at is not null then true when r.mode = 'live' then p.complete else r.as_of is not null end as complete,
       r.mode as release,
       case when r.mode = 'live' then p.updated_at else date_trunc('hour', p.updated_at) end as heard_at
from deid.release r
cross join (select max(p.updated_at) as updated_at,
                   bool_and(not exists (select from deid.snapshot s where s.slot = p.slot and not s.done)) as complete
            from deid.progress p) p
left join deid.rotation k on true;
comment on column deid_info.freshness.heard_at is 'when the source was last heard from; a quiet source is heard every few seconds, so an old time means that the stream has stopped. Where rows are released later than they arrive: the hour of it';

-- What "migrate up" made for analysts besides: where the tables are searched.
alter table deid.generated drop constraint generated_kind_check;
alter table deid.generated add constraint generated_kind_check check (kind in ('schema', 'table', 'extension', 'search_path'));
comment on column deid.generated.kind is 'schema, table, extension or search_path';
comment on column deid.generated.name is 'its name, quoted where needed; of search_path, the database''s setting';

comment on schema deid_info is 'for analysts: what was done to the data in this database, and how fresh they are';

-- What tools list of the others, they say whom it is for.
comment on schema deid_rows is 'pgdeid: the de-identified rows; not for analysts, who read the views over them';
comment on schema deid_waiting is 'pgdeid: versions of rows that are not released yet; not for analysts';
comment on schema deid_released is 'pgdeid: the rows of the last release; not for analysts, who read the views over them';
comment on schema deid_before is 'pgdeid: the rows that the views show while "pgdeid key rotate" makes those of the next key; not for analysts, empty otherwise';
